package emulator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

// vectorTable has an index of whole items, and one by tenant with an inline filter.
const vectorTable = `{"TableName":"docs","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
	{"AttributeName":"tenant","AttributeType":"S"},{"AttributeName":"lang","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
	"VectorIndexes":[{"IndexName":"all","VectorAttribute":{"AttributeName":"v"},"Projection":{"ProjectionType":"ALL"},"Dimensions":2,"DistanceFunction":"EUCLIDEAN"},
		{"IndexName":"by-tenant","VectorAttribute":{"AttributeName":"v"},"Projection":{"ProjectionType":"KEYS_ONLY"},"Dimensions":2,"DistanceFunction":"EUCLIDEAN",
		"SearchSchema":[{"AttributeName":"tenant","SearchSchemaElementType":"HASH"},{"AttributeName":"lang","SearchSchemaElementType":"INLINE_FILTER"}]}]}`

// docAt returns an item with a vector.
func docAt(pk string, x int, more string) string {
	return fmt.Sprintf(`{"pk":{"S":%q},"v":{"L":[{"N":"%d"},{"N":"0"}]}%s}`, pk, x, more)
}

// nearest returns a search for the k items nearest to the origin.
func nearest(index string, k int, more string) string {
	return fmt.Sprintf(
		`{"TableName":"docs","IndexName":%q,"TopK":%d,"SearchVector":[{"N":"0"},{"N":"0"}]%s}`,
		index, k, more)
}

// found returns the keys of the items that a search finds, the nearest first.
func (x *requestTest) found(search string) string {
	x.Helper()
	var answer struct {
		SearchResults []struct{ Item map[string]map[string]any }
	}
	text := x.do("SearchVectors", search)
	require.NoError(x, json.Unmarshal([]byte(text), &answer), text)
	var keys []string
	for _, r := range answer.SearchResults {
		keys = append(keys, r.Item["pk"]["S"].(string))
	}
	return strings.Join(keys, " ")
}

func (x *requestTest) putDocs(n int) {
	x.Helper()
	for i := range n {
		require.Equal(x, "{}",
			x.do("PutItem",
				`{"TableName":"docs","Item":`+
					docAt(fmt.Sprint(i), i+1, `,"tenant":{"S":"t1"}`)+`}`))
	}
}

func newVectorTest(t *testing.T, opts ...Option) *requestTest {
	x := &requestTest{T: t, emulator: New(opts...)}
	answer := x.do("CreateTable", vectorTable)
	require.True(t, strings.HasPrefix(answer, "{"), answer)
	return x
}

// TestVectorsInForks: a fork, a snapshot and its source each have an index of their own.
func TestVectorsInForks(t *testing.T) {
	x := newVectorTest(t)
	x.putDocs(3)
	snapshot := x.emulator.Snapshot()
	f := x.of(x.emulator.Fork())
	f.do("DeleteItem", `{"TableName":"docs","Key":{"pk":{"S":"0"}}}`)
	x.do("PutItem", `{"TableName":"docs","Item":`+docAt("3", 0, "")+`}`)
	assert.Equal(t, "1 2", f.found(nearest("all", 5, "")))
	assert.Equal(t, "3 0 1 2", x.found(nearest("all", 5, "")))
	x.emulator.Restore(snapshot)
	assert.Equal(t, "0 1 2", x.found(nearest("all", 5, "")))
	x.emulator.check(t)
	f.emulator.check(t)
}

// TestVectorSizes: an index of 32-bit floats has 4 bytes a dimension, and the projected attributes.
func TestVectorSizes(t *testing.T) {
	x := newVectorTest(t)
	x.putDocs(2)
	assert.Equal(t, []TableSize{{Table: "docs", Items: 2, Bytes: 40},
		{Table: "docs", Index: "all", Kind: VectorIndex, Items: 2, Bytes: 2 * (8 + 11)},
		{Table: "docs", Index: "by-tenant", Kind: VectorIndex, Items: 2, Bytes: 2 * (8 + 11)}},
		x.emulator.Inspect().TableSizes())
}

// TestVectorsAreKept: an index and its state are as they were after a restart.
func TestVectorsAreKept(t *testing.T) {
	clock := NewClock(testTime)
	x := newDurableTest(t, WithHeldClock(clock), WithTableDelays(0, time.Minute, time.Minute))
	x.mustDo("CreateTable", vectorTable)
	x.putDocs(20)
	all, describe := "SearchVectors "+nearest("all", 100, ""), `DescribeTable {"TableName":"docs"}`
	own := "SearchVectors " + nearest("by-tenant", 7,
		`,"SearchConditionExpression":"tenant = :t","ExpressionAttributeValues":{":t":{"S":"t1"}}`)
	x.reopen(all, own, describe)
	x.mustDo("UpdateTable",
		`{"TableName":"docs","VectorIndexUpdates":[{"Create":{"IndexName":"new","VectorAttribute":{"AttributeName":"v"},
		"Projection":{"ProjectionType":"KEYS_ONLY"},"Dimensions":2,"DistanceFunction":"COSINE"}}]}`)
	x.reopen(describe, "SearchVectors "+nearest("new", 1, ""))
	clock.Advance(2 * time.Minute)
	x.reopen(describe, "SearchVectors "+nearest("new", 1, ""), all)
	x.mustDo("UpdateTable",
		`{"TableName":"docs","VectorIndexUpdates":[{"Delete":{"IndexName":"all"}}]}`)
	x.reopen(describe, all, own)
	assert.Contains(t, x.do("DescribeTable", `{"TableName":"docs"}`), "DELETING")
}

// TestExpiredVectors: an item that expires leaves the index.
func TestExpiredVectors(t *testing.T) {
	clock := NewClock(testTime)
	x := newVectorTest(t, WithHeldClock(clock))
	x.do("UpdateTimeToLive",
		`{"TableName":"docs","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`)
	clock.Advance(2 * time.Hour)
	expires := fmt.Sprint(clock.Now().Add(time.Hour).Unix())
	x.do("PutItem", `{"TableName":"docs","Item":`+docAt("a", 1, `,"ttl":{"N":"`+expires+`"}`)+`}`)
	x.do("PutItem", `{"TableName":"docs","Item":`+docAt("b", 2, "")+`}`)
	assert.Equal(t, "a b", x.found(nearest("all", 5, "")))
	clock.Advance(2 * time.Hour)
	assert.Equal(t, "b", x.found(nearest("all", 5, "")))
}

// TestLaggingVectors: a search sees an index of the past if a fault says so.
func TestLaggingVectors(t *testing.T) {
	x := newVectorTest(t,
		WithFaults(fault.Fault{
			When: fault.Index("all"), Do: fault.LaggingIndexes(fault.Bound{Writes: 1}), Seed: 1,
		}))
	x.found(nearest("all", 5, "")) // the past is kept from here on
	x.putDocs(2)
	seen := map[string]bool{}
	for range 50 {
		seen[x.found(nearest("all", 5, ""))] = true
	}
	assert.Equal(t, map[string]bool{"0": true, "0 1": true}, seen)
}

// TestRecall: a search misses some of the nearest, in each run the same.
func TestRecall(t *testing.T) {
	search := func(seed uint64) []string {
		x := newVectorTest(t,
			WithFaults(fault.Fault{When: fault.Table("docs"), Do: fault.Recall(0.9), Seed: seed}))
		x.putDocs(12)
		return []string{x.found(nearest("all", 10, "")), x.found(nearest("all", 10, "")),
			x.found(nearest("all", 100, ""))}
	}
	first := search(1)
	assert.Equal(t, first, search(1))
	assert.NotEqual(t, first, search(2))
	for _, list := range first[:2] {
		found := strings.Fields(list)
		assert.Len(t, found, 10)
		assert.Equal(t, "10", found[9],
			"the next nearest is there in place of the one that is missed")
	}
	assert.Len(t, strings.Fields(first[2]), 10, "of 12, two are missed and none is left")
	x := newVectorTest(t, WithFaults(fault.Fault{Do: fault.Recall(1)}))
	x.putDocs(3)
	assert.Equal(t, "0 1", x.found(nearest("all", 2, "")))
}

// TestSearchIsObserved: an observer sees a search as a read of the index.
func TestSearchIsObserved(t *testing.T) {
	var reads []EventRead
	var partitions []EventPartition
	x := newVectorTest(t, WithObserver(func(e *Event) {
		if e.Operation == "SearchVectors" {
			reads, partitions = append(reads, e.Clone().Reads...), append(partitions,
				e.Partitions()...)
		}
	}))
	x.putDocs(3)
	x.found(nearest("all", 2, ""))
	x.found(nearest("by-tenant", 2,
		`,"SearchConditionExpression":"lang = :l AND tenant = :t","ExpressionAttributeValues":{":t":{"S":"t1"},":l":{"S":"en"}}`))
	require.Len(t, reads, 2)
	assert.Equal(t, []any{"docs", "all", false, 3, 2},
		[]any{reads[0].Table, reads[0].Index, reads[0].Filtered, reads[0].Evaluated,
			reads[0].Returned})
	assert.Equal(t, []any{"by-tenant", false, 0, "tenant = ?"},
		[]any{reads[1].Index, reads[1].Scan, reads[1].Returned, reads[1].KeyCondition()})
	assert.Equal(t, []string{"lang"}, reads[1].FilterAttributes())
	assert.Equal(t, []EventPartition{{Table: "docs", Index: "by-tenant", Key: `"t1"`}}, partitions,
		"an index without a partition key has none")
}

// TestSearchesOfTenants: a search must be in the caller's own part of an index.
func TestSearchesOfTenants(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Callers: map[string]string{"AKIDEXAMPLE": "t1"},
			Known: []string{"t1", "t2"}},
		Tables: []policy.Table{{Name: "docs", Role: policy.Plain,
			Key: policy.KeySchema{Partition: "pk"}, Tenant: policy.TenantRequired,
			Indexes: []policy.Index{
				{Name: "by-tenant", Key: policy.KeySchema{Partition: "tenant"},
					Tenant: policy.TenantRequired},
			}}},
	})
	require.NoError(t, err)
	made := newVectorTest(t)
	x := made.of(made.emulator.Fork(WithPolicy(engine)))
	x.do("PutItem",
		`{"TableName":"docs","Item":`+docAt("DOC#t1", 1, `,"tenant":{"S":"DOC#t1"}`)+`}`)
	of := func(tenant, index string) string {
		return nearest(index, 5,
			`,"SearchConditionExpression":"tenant = :t","ExpressionAttributeValues":{":t":{"S":"DOC#`+tenant+`"}}`)
	}
	assert.Equal(t, "DOC#t1", x.found(of("t1", "by-tenant")))
	assert.Contains(t, x.do("SearchVectors", of("t2", "by-tenant")),
		"ValidationException: tenant-crossing: ")
	assert.Contains(t, x.do("SearchVectors", nearest("all", 5, "")),
		"ValidationException: tenant-undeclared: ")
}

// TestVectorCapacity: observers see the bytes of vector indexes, at least 1,024 for each.
func TestVectorCapacity(t *testing.T) {
	x := newVectorTest(t)
	var got [][]Capacity
	x.emulator.Observe(func(e *Event) { got = append(got, e.Clone().Capacity) })
	x.putDocs(1)
	x.do("PutItem",
		`{"TableName":"docs","Item":`+
			docAt("long", 1, `,"text":{"S":"`+strings.Repeat("x", 2000)+`"}`)+`}`)
	x.found(nearest("all", 5, ""))
	assert.Equal(t, [][]Capacity{
		{{Table: "docs", Write: 1}, {Table: "docs", Index: "all", WriteBytes: 1024},
			{Table: "docs", Index: "by-tenant", WriteBytes: 1024}},
		{{Table: "docs", Write: 2}, {Table: "docs", Index: "all", WriteBytes: 2*4 + 2011}},
		{{Table: "docs", Index: "all", ReadBytes: 2*2*4 + 2010 + 11}},
	}, got)
}
