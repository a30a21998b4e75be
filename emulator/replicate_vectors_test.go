package emulator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestVectorsReplicate: a replica has the vector indexes of its source, also those that are added
// later, and finds what was written elsewhere (Developer Guide, vector indexes and global tables).
func TestVectorsReplicate(t *testing.T) {
	x := newGlobalTest(t, WithReplicationLag(time.Second))
	x.do(virginia, "CreateTable", vectorTable)
	put := func(region, pk string, at int) {
		x.do(region, "PutItem",
			`{"TableName":"docs","Item":`+docAt(pk, at, `,"tenant":{"S":"t1"}`)+`}`)
	}
	put(virginia, "a", 2)
	x.addReplica(virginia, "docs", oregon)
	x.clock.Advance(time.Minute)
	put(oregon, "b", 1)
	x.do(virginia,
		"UpdateTable",
		`{"TableName":"docs","VectorIndexUpdates":[{"Create":{"IndexName":"later","VectorAttribute":{"AttributeName":"v"},
		"Projection":{"ProjectionType":"KEYS_ONLY"},"Dimensions":2,"DistanceFunction":"EUCLIDEAN"}}]}`)
	const a, b = `{"Item":{"pk":{"S":"a"}},"Score":2.0}`, `{"Item":{"pk":{"S":"b"}},"Score":1.0}`
	assert.Equal(t, `{"SearchResults":[`+a+`]}`,
		x.do(virginia, "SearchVectors", nearest("later", 5, "")), "b is on its way")
	x.clock.Advance(time.Minute)
	for _, region := range []string{virginia, oregon} {
		assert.Equal(t, `{"SearchResults":[`+b+`,`+a+`]}`,
			x.do(region, "SearchVectors", nearest("later", 5, "")), region)
	}
}
