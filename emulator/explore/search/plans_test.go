package search

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// TestEventual: a strongly consistent read is never behind, however its JSON is written.
func TestEventual(t *testing.T) {
	for _, c := range []struct {
		name, operation, body string
		want                  bool
	}{
		{"a read", "GetItem", `{"TableName":"t"}`, true},
		{"a consistent read", "GetItem", `{"ConsistentRead":true}`, false},
		{"a consistent read of Python", "GetItem", `{"TableName": "t", "ConsistentRead": true}`,
			false},
		{"one that is not", "Query", `{"ConsistentRead": false}`, true},
		{"a value of that name", "Scan", `{"ExpressionAttributeValues":{":v":{"M":{"ConsistentRead":
			{"BOOL":true}}}}}`, true},
		{"a batch", "BatchGetItem", `{"RequestItems":{"t":{"Keys":[]}}}`, true},
		{"a consistent batch", "BatchGetItem", `{"RequestItems": {"t": {"ConsistentRead": true}}}`,
			false},
		{"a transaction", "TransactGetItems", `{}`, false},
		{"a read of a stream", "GetRecords", `{}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, eventual(&step{operation: c.operation, body: []byte(c.body)}))
		})
	}
}

// TestFootprintOfCollectionSizes: who asks for sizes of item collections reads more than its items.
func TestFootprintOfCollectionSizes(t *testing.T) {
	body := `{"TableName": "t", "Item": {"k": {"S": "a"}}, "ReturnItemCollectionMetrics": "SIZE"}`
	f, _ := touched(map[string]request.KeySchema{"t": {Partition: "k"}}, "PutItem", []byte(body))
	assert.True(t, f.reads)
}
