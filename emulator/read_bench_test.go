package emulator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// readBench is a table of two partitions: "q" has 100 items of 1 KB and "p" has n of size bytes.
func readBench(b *testing.B, n, size int) *serve.Call {
	b.Helper()
	sv := New().service
	c := &serve.Call{Service: sv, Data: sv.NewAccountData(storage.New(storage.Options{})),
		Owner: arn.Owner{Account: "000000000000", Region: "us-east-1"}, Memory: new(wire.Memory)}
	c.Store = c.Data.Store
	send := func(name, body string) {
		_, err := serveOperation(c, name, body, nil)
		require.NoError(b, err)
		c.Memory.Reset()
	}
	send("CreateTable", readTable)
	put := func(pk string, i, size int) {
		send("PutItem", fmt.Sprintf(
			`{"TableName":"reads","Item":{"pk":{"S":%q},"sk":{"N":"%d"},"gh":{"S":%q},"gr":{"N":"%d"},"n":{"N":"%d"},"v":{"S":%q}}}`,
			pk, i, pk, i, i%10, strings.Repeat("v", size)))
	}
	for i := range 100 {
		put("q", i, 1000)
	}
	for i := range n {
		put("p", i, size)
	}
	return c
}

// serveOperation runs an operation on a JSON request and appends the answer to dst.
func serveOperation(c *serve.Call, name, body string, dst []byte) ([]byte, error) {
	for i := range operations {
		if operations[i].Name == name {
			c.Operation = &operations[i]
			return operations[i].Serve(c, body, dst)
		}
	}
	panic("no operation " + name)
}

func BenchmarkReads(b *testing.B) {
	of := func(pk, more string) string {
		return `{"TableName":"reads","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"` + pk + `"}}` + more + `}`
	}
	for _, bm := range []struct {
		name, operation, body string
		n, size               int
	}{
		{"query-100", "Query", of("q", `,"Limit":100`), 0, 0},
		{"query-100-reverse", "Query", of("q", `,"ScanIndexForward":false,"Limit":100`), 0, 0},
		{"gsi-query-100", "Query",
			strings.Replace(of("q", `,"IndexName":"gall","Limit":100`), "pk = ", "gh = ", 1), 0, 0},
		{"query-projection-100", "Query", of("q", `,"ProjectionExpression":"n, sk"`), 0, 0},
		{"query-count-100", "Query", of("q", `,"Select":"COUNT"`), 0, 0},
		{"query-1mb", "Query", of("p", ""), 1100, 1000},
		{"query-filter-1000", "Query",
			strings.Replace(of("p", `,"FilterExpression":"n = :n"`), `{":p"`,
				`{":n":{"N":"77"},":p"`, 1), 1000, 150},
		{"query-filter-1000-half", "Query",
			strings.Replace(of("p", `,"FilterExpression":"n < :n"`), `{":p"`,
				`{":n":{"N":"5"},":p"`, 1), 1000, 150},
		{"scan-1mb", "Scan", `{"TableName":"reads"}`, 2000, 1000},
		{"query-one", "Query",
			`{"TableName":"reads","KeyConditionExpression":"pk = :p AND sk = :s","ExpressionAttributeValues":{":p":{"S":"q"},":s":{"N":"50"}}}`, 0, 0},
		{"local-fetch-100", "Query", of("q", `,"IndexName":"linc","Select":"ALL_ATTRIBUTES"`), 0,
			0},
	} {
		b.Run(bm.name, func(b *testing.B) {
			c := readBench(b, bm.n, bm.size)
			dst := make([]byte, 0, 4<<20)
			b.ReportAllocs()
			for b.Loop() {
				answer, err := serveOperation(c, bm.operation, bm.body, dst)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(answer)))
				c.Memory.Reset()
			}
		})
	}
}
