package console

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// vectors creates the table products, with a vector index, three items of a partition and
// one of another.
func (s *server) vectors(t *testing.T) {
	for operation, body := range map[string]string{"CreateTable": `{"TableName": "products",
		"BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"},
			{"AttributeName": "category", "AttributeType": "S"},
			{"AttributeName": "brand", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
		"VectorIndexes": [{"IndexName": "near", "VectorAttribute": {"AttributeName": "embedding"},
			"SearchSchema": [{"AttributeName": "category", "SearchSchemaElementType": "HASH"},
				{"AttributeName": "brand", "SearchSchemaElementType": "INLINE_FILTER"}],
			"Projection": {"ProjectionType": "ALL"}, "Dimensions": 3, "DistanceFunction": "COSINE"}]}`} {
		_, err := s.send(operation, strings.NewReader(body))
		require.NoError(t, err)
	}
	for id, vector := range map[string]string{
		"lamp": "1 0 0", "desk": "1 1 0", "rug": "0 0 1", "tent": "0 1 0",
	} {
		var numbers []string
		for _, n := range strings.Fields(vector) {
			numbers = append(numbers, `{"N": "`+n+`"}`)
		}
		brand := map[string]string{"lamp": "north", "rug": "north"}[id]
		if brand == "" {
			brand = "south"
		}
		category := "home"
		if id == "tent" {
			category = "outdoor"
		}
		_, err := s.send("PutItem", strings.NewReader(`{"TableName": "products", "Item": {
			"id": {"S": "`+id+`"}, "category": {"S": "`+category+`"}, "brand": {"S": "`+brand+`"},
			"embedding": {"L": [`+strings.Join(numbers, ",")+`]}}}`))
		require.NoError(t, err)
	}
}

// TestVectorSearch: by numbers, by an item, with filters; the results have scores.
func TestVectorSearch(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.vectors(t)
	p := open(t, s, "#/tables/products/vectors")
	p.see("Paste a vector, or open an item")
	p.accessible()
	p.fill("Partition key category", "home")
	p.fill("Vector of 3 numbers", "[1, 0.1]")
	p.click("button", "Search")
	p.see("The index has vectors of 3 numbers, and here are 2.")
	p.fill("Vector of 3 numbers", "[1, 0, 0]")
	p.press("Enter")
	p.see("3 items")
	p.await("gridcell", "0.2929")
	p.see("COSINE: a lower score is nearer")
	p.accessible()
	p.picture("vectors")
	p.fill("Filter brand", "north")
	p.press("Control+Enter")
	p.see("2 items")
	p.miss("desk")

	p = open(t, s, `#/tables/products/items?item=%7B"id":%7B"S":"desk"%7D%7D`)
	p.click("link", "More like this near")
	p.see("3 items")
	p.accessible()
	p.picture("vectors-like")

	// An item of another partition is like those of its own.
	p.eval(`void (location.hash = location.hash.replace(/like=[^&]*/, 'like=%7B"id":%7B"S":"tent"%7D%7D'))`,
		nil)
	p.see("1 item")
	p.await("gridcell", "tent")
	p.has("Partition key category", "outdoor")
	p.click("button", "Numbers")
	p.has("Partition key category", "")
}
