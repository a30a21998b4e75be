package emulator

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMemoryLimit: beyond the limit, writes that add data are refused with an error that SDKs send
// again; reads, deletions and requests on tables are not.
func TestMemoryLimit(t *testing.T) {
	x := newLimitedTest(t, Limits{})
	x.put("plain", `{"pk":{"S":"a"}}`)
	full := &requestTest{T: t, emulator: x.emulator.Fork(WithLimits(Limits{Memory: 1}))}
	runtime.GC() // GC counts the heap that is live
	const refused = "RequestLimitExceeded: Throughput exceeds the current throughput quota"
	for _, c := range []struct{ name, operation, body, want string }{
		{"a put", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"b"}}}`, refused},
		{"a replacement", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"}}}`, refused},
		{"an update", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}},
			"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"N":"1"}}}`, refused},
		{"a batch", "BatchWriteItem",
			`{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}}`, refused},
		{"a transaction", "TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"b"}}}}]}`, refused},
		{"a statement", "ExecuteStatement",
			`{"Statement":"INSERT INTO plain VALUE {'pk':'b'}"}`, refused},
		{"a read", "GetItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`, `{"Item"`},
		{"a deletion", "DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`, `{`},
		{"a deletion in a batch", "BatchWriteItem",
			`{"RequestItems":{"plain":[{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}}]}}`,
			`{"UnprocessedItems":{}`},
		{"a table", "DeleteTable", `{"TableName":"plain"}`, `{"TableDescription"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := full.do(c.operation, c.body)
			assert.True(t, strings.HasPrefix(answer, c.want), answer)
		})
	}
}
