package emulator

import (
	"strings"
	"testing"
)

func TestCollectionLimit(t *testing.T) {
	x := newItemTest(t)
	x.emulator.service.Limits.CollectionBytes = 100
	large := `{"pk":{"S":"a"},"sk":{"S":"b"},"v":{"S":"` + strings.Repeat("x", 90) + `"}}`
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"a"},"v":{"S":"x"}}`)
	const exceeded = "ItemCollectionSizeLimitExceededException: Collection size exceeded."
	x.refused([]attempt{
		{"another item", "PutItem", `{"TableName":"indexed","Item":` + large + `}`, exceeded},
		{"an item of a batch", "BatchWriteItem",
			`{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"good"}}}}],"indexed":[{"PutRequest":{"Item":` + large + `}}]}}`,
			exceeded},
	})
	x.put("indexed", `{"pk":{"S":"b"},"sk":{"S":"b"}}`)
	x.put("plain", `{"pk":{"S":"a"},"v":{"S":"`+strings.Repeat("x", 200)+`"}}`)
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"a"},"v":{"S":"1234567"}}`)
	x.emulator.service.Limits.CollectionBytes = 5
	// over the limit, but smaller than before
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"a"},"v":{"S":"123456"}}`)
	x.refused([]attempt{
		{"a smaller item with a larger entry", "PutItem",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"lr":{"B":"AA=="}}}`,
			exceeded},
	})
}
