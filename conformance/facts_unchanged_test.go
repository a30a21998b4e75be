package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFactsUnchanged checks answers that kept their forms while those of other operations changed.
func TestFactsUnchanged(t *testing.T) {
	t.Parallel()
	const emptyKey = "ValidationException: One or more parameter values are not valid. " +
		"The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
	run(t, defaults{src: "service facts 13.1", table: "hash", op: "Scan"}, []kase{
		{name: "a segment of a scan", in: `{"TotalSegments":5,"Segment":5}`,
			err: "ValidationException: The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5"},
		{name: "a start key of a scan", in: `{"ExclusiveStartKey":{"pk":{"N":"1"}}}`,
			err: "ValidationException: The provided starting key is invalid: The provided key element does not match the schema"},
		{name: "an empty key to update", src: "service facts 13.6", op: "UpdateItem",
			in: `{"Key":{"pk":{"S":""}}}`, err: emptyKey},
		{name: "an empty key to delete", src: "service facts 13.6", op: "DeleteItem",
			in: `{"Key":{"pk":{"S":""}}}`, err: emptyKey},
		{name: "an empty key in a batch", src: "service facts 13.6", op: "BatchGetItem",
			in: `{"RequestItems":{"@hash":{"Keys":[{"pk":{"S":""}}]}}}`, err: emptyKey},
		{name: "a statement that updates", src: "service facts 13.9", op: "ExecuteStatement",
			given: []string{`{@pk}`},
			in:    statement(`UPDATE "@hash" SET a = 1 WHERE pk = '$k'`), want: answered()},
	})
	t.Run("the order of sets", func(t *testing.T) {
		t.Parallel()
		(&kase{src: "service facts 13.10"}).mark(t)
		key := newKey()
		call(t, "PutItem",
			`{"TableName":"@hash","Item":{"pk":{"S":"`+key+
				`"},"s":{"SS":["b","a","B"]},"n":{"NS":["10","9","-1"]},"b":{"BS":["AQ==","/w==","AA==","gA==","AAA="]}}}`)
		answer, err := post("GetItem", getItem(t, key)).answer()
		require.NoError(t, err)
		assert.Equal(t,
			parseJSON(`{"pk":{"S":"`+key+
				`"},"s":{"SS":["B","a","b"]},"n":{"NS":["-1","9","10"]},"b":{"BS":["AA==","AAA=","AQ==","gA==","/w=="]}}`), answer["Item"])
	})
}
