package seed

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestVectorIndexes: a dump has the vector indexes of its tables, and a model of NoSQL Workbench
// cannot have them.
func TestVectorIndexes(t *testing.T) {
	d, err := readAll(t, map[string]string{
		"docs.json": `{"TableName":"docs","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
			"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"lang","AttributeType":"S"},{"AttributeName":"year","AttributeType":"N"}],
			"VectorIndexes":[{"IndexName":"all","VectorAttribute":{"AttributeName":"v"},"Projection":{"ProjectionType":"ALL"},"Dimensions":2,"DistanceFunction":"COSINE"},
				{"IndexName":"by-lang","VectorAttribute":{"AttributeName":"v"},"SearchSchema":[{"AttributeName":"lang","SearchSchemaElementType":"HASH"},{"AttributeName":"year","SearchSchemaElementType":"INLINE_FILTER"}],
				"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["title"]},"Dimensions":2,"DistanceFunction":"EUCLIDEAN"}]}`,
		"docs.items.json": `{"Items":[{"pk":{"S":"a"},"lang":{"S":"en"},"v":{"L":[{"N":"1"},{"N":"0"}]}}]}`,
	})
	require.NoError(t, err)
	sameAs(t, d, Table{Name: "docs",
		PartitionKey: Attribute{"pk", "S"}, VectorIndexes: []VectorIndex{
			{Name: "all", Attribute: "v", Dimensions: 2},
			{Name: "by-lang", Attribute: "v", Dimensions: 2, Distance: "EUCLIDEAN",
				PartitionKey: Attribute{"lang", "S"},
				Filters:      []Attribute{{"year", "N"}}, Include: []string{"title"}},
		}, Items: []Item{{"pk": "a", "lang": "en", "v": []any{1, 0}}}})
	original, copied := copies(t, d, filepath.Join(t.TempDir(), "dump"))
	requireSame(t, original, copied)
	found, err := call(copied,
		"SearchVectors",
		[]byte(`{"TableName":"docs","IndexName":"by-lang","TopK":1,"SearchVector":[{"N":"1"},{"N":"0"}],
		"SearchConditionExpression":"lang = :l","ExpressionAttributeValues":{":l":{"S":"en"}}}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"SearchResults":[{"Item":{"pk":{"S":"a"},"lang":{"S":"en"}},"Score":0}]}`,
		string(found))
	_, err = Workbench(original, "x")
	assert.ErrorContains(t, err,
		"table docs: a model of NoSQL Workbench has no vector indexes such as all")
}

// sameAs loads data from files and the table that Go values describe, and compares them.
func sameAs(t *testing.T, files *Data, table Table) {
	t.Helper()
	values, err := Of(table)
	require.NoError(t, err)
	_, a := newClient()
	require.NoError(t, files.Load(a))
	_, b := newClient()
	require.NoError(t, values.Load(b))
	requireSame(t, a, b)
}
