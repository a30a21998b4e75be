package emulator

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// benchItems are how many items the tables of the benchmarks hold.
const benchItems = 10_000

// benchItem is a version of an item of 12 attributes and 1 KB in DynamoDB's sense.
func benchItem(i, version int) string {
	return fmt.Sprintf(`{%s,"gpk":{"S":"group#%06d"},"gsk":{"S":"ts#%08d"},`+
		`"email":{"S":"someone.in.particular@mail.example.com"},"age":{"N":"42"},"score":{"N":"1234567.891"},"active":{"BOOL":true},`+
		`"tags":{"SS":["alpha","bravo","charlie","delta","echo"]},`+
		`"addr":{"M":{"street":{"S":"12 Long Winding Street"},"city":{"S":"Springfield"},"zip":{"S":"12345-6789"},"geo":{"M":{"lat":{"N":"51.5007"},"lon":{"N":"-0.1246"}}},"verified":{"BOOL":false}}},`+
		`"events":{"L":[{"M":{"at":{"N":"1767225600"},"kind":{"S":"created"}}},{"M":{"at":{"N":"1767229200"},"kind":{"S":"updated"}}},{"S":"note"},{"N":"7"},{"NULL":true}]},`+
		`"c":{"N":"%d"},"bio":{"S":"%s"}}`, benchKey(i), i/100, i+version, version,
		strings.Repeat("lorem ipsum dolor ", 28))
}

func benchKey(i int) string {
	return fmt.Sprintf(`"pk":{"S":"user#%08d"},"sk":{"S":"item#%08d"}`, i, i)
}

// newBench returns a call in an emulator with a table full of items, with or
// without a global index, called "bench".
func newBench(b *testing.B, index bool) *serve.Call {
	e := New()
	c := &serve.Call{
		Service: e.service, Data: e.service.NewAccountData(storage.New(e.service.Storage)),
		Owner: arn.Owner{Account: e.service.Account, Region: "us-east-1"}, Memory: new(wire.Memory),
	}
	c.Store = c.Data.Store
	benchLoad(index, func(operation, body string) { benchServe(b, c, operation, body) })
	return c
}

// benchLoad makes the table "bench" and its items.
func benchLoad(index bool, serve func(operation, body string)) {
	definition, gsi := "", ""
	if index {
		definition =
			`,{"AttributeName":"gpk","AttributeType":"S"},{"AttributeName":"gsk","AttributeType":"S"}`
		gsi = `,"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"},{"AttributeName":"gsk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]`
	}
	serve("CreateTable", `{"TableName":"bench","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}`+definition+`],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]`+gsi+`}`)
	for i := range benchItems {
		serve("PutItem", `{"TableName":"bench","Item":`+benchItem(i, 0)+`}`)
	}
}

func benchServe(b *testing.B, c *serve.Call, operation, body string) {
	c.Operation = operationsByTarget["DynamoDB_20120810."+operation]
	_, err := c.Operation.Serve(c, body, nil)
	require.NoError(b, err)
	c.Memory.Reset()
}

// benchJoin is n texts of f from item i on, with commas.
func benchJoin(i, n int, f func(i int) string) string {
	parts := make([]string, n)
	for j := range parts {
		parts[j] = f((i + j) % benchItems)
	}
	return strings.Join(parts, ",")
}

// benchRequests are the requests of the benchmarks. Item i comes in two versions, so that every put
// is a change.
var benchRequests = []struct {
	name, operation string
	index, fails    bool
	body            func(i, version int) string
}{
	{"put-1k", "PutItem", false, false, benchPut},
	{"gsi-put", "PutItem", true, false, benchPut},
	{"get-1k", "GetItem", false, false,
		func(i, _ int) string { return `{"TableName":"bench","Key":{` + benchKey(i) + `}}` }},
	{"update-counter", "UpdateItem", false, false, func(i, _ int) string {
		return `{"TableName":"bench","Key":{` + benchKey(i) +
			`},"UpdateExpression":"SET #c = #c + :one","ConditionExpression":"attribute_exists(pk)",` +
			`"ExpressionAttributeNames":{"#c":"c"},"ExpressionAttributeValues":{":one":{"N":"1"}},"ReturnValues":"UPDATED_NEW"}`
	}},
	{"cond-put-fail", "PutItem", false, true, func(i, version int) string {
		return `{"TableName":"bench","Item":` + benchItem(i, version) +
			`,"ConditionExpression":"attribute_not_exists(pk)"}`
	}},
	{"batch-get-100", "BatchGetItem", false, false, func(i, _ int) string {
		return `{"RequestItems":{"bench":{"Keys":[` +
			benchJoin(i, 100, func(i int) string { return `{` + benchKey(i) + `}` }) + `]}}}`
	}},
	{"batch-write-25", "BatchWriteItem", false, false, func(i, version int) string {
		return `{"RequestItems":{"bench":[` +
			benchJoin(i, 25,
				func(i int) string {
					return `{"PutRequest":{"Item":` + benchItem(i, version) + `}}`
				}) + `]}}`
	}},
	{"txn-write-10", "TransactWriteItems", false, false, func(i, version int) string {
		return `{"TransactItems":[` + benchJoin(i, 10, func(i int) string {
			return `{"Put":{"TableName":"bench","Item":` + benchItem(i, version) +
				`,"ConditionExpression":"attribute_exists(pk)"}}`
		}) + `]}`
	}},
	{"txn-get-10", "TransactGetItems", false, false, func(i, _ int) string {
		return `{"TransactItems":[` +
			benchJoin(i, 10,
				func(i int) string {
					return `{"Get":{"TableName":"bench","Key":{` + benchKey(i) + `}}}`
				}) + `]}`
	}},
}

func benchPut(i, version int) string {
	return `{"TableName":"bench","Item":` + benchItem(i, version) + `}`
}

// benchBodies are 1,000 requests of body, on items in no order.
func benchBodies(body func(i, version int) string) []string {
	bodies := make([]string, 1000)
	for i := range bodies {
		bodies[i] = body(i%500*7919%benchItems, 1+i/500)
	}
	return bodies
}

// BenchmarkItems measures operations without HTTP: decoding, work and encoding.
func BenchmarkItems(b *testing.B) {
	for _, bench := range benchRequests {
		b.Run(bench.name, func(b *testing.B) {
			c := newBench(b, bench.index)
			bodies := benchBodies(bench.body)
			c.Operation = operationsByTarget["DynamoDB_20120810."+bench.operation]
			serve := c.Operation.Serve
			var dst []byte
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				var err error
				dst, err = serve(c, bodies[i%len(bodies)], dst[:0])
				c.Memory.Reset()
				if (err != nil) != bench.fails {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkServer measures the same requests over a connection to a server. Allocations are of both
// ends.
func BenchmarkServer(b *testing.B) {
	for _, bench := range benchRequests {
		b.Run(bench.name, func(b *testing.B) {
			server, err := New().Start("127.0.0.1:0")
			require.NoError(b, err)
			defer server.Close()
			conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
			require.NoError(b, err)
			defer conn.Close()
			answers := bufio.NewReader(conn)
			benchLoad(bench.index, func(operation, body string) {
				status := benchSend(b, conn, answers, benchHTTP(operation, body))
				require.Equal(b, http.StatusOK, status)
			})
			var requests []string
			for _, body := range benchBodies(bench.body) {
				requests = append(requests, benchHTTP(bench.operation, body))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				status := benchSend(b, conn, answers, requests[i%len(requests)])
				if (status != http.StatusOK) != bench.fails {
					b.Fatal("status ", status)
				}
			}
		})
	}
}

// benchHTTP is a request with the headers of the SDK for Go. Nothing verifies its signature.
func benchHTTP(operation, body string) string {
	return "POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nUser-Agent: aws-sdk-go-v2/1.41.0 ua/2.1 " +
		"os/linux lang/go#1.26.0 md/GOOS#linux md/GOARCH#amd64 api/dynamodb#1.53.5 m/E,g" +
		"\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\nAccept-Encoding: identity" +
		"\r\nAmz-Sdk-Invocation-Id: 1c5c4b19-0bd4-4f6a-8b0c-4e1a9d2a77f1" +
		"\r\nAmz-Sdk-Request: attempt=1; max=3\r\nAuthorization: AWS4-HMAC-SHA256 " +
		"Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=accept-" +
		"encoding;amz-sdk-invocation-id;content-length;content-type;host;x-amz-date;x-amz-target, " +
		"Signature=" + strings.Repeat("0f", 32) + "\r\nContent-Type: application/x-amz-json-1.0" +
		"\r\nX-Amz-Date: 20260101T000000Z\r\nX-Amz-Target: DynamoDB_20120810." + operation +
		"\r\n\r\n" + body
}

// benchSend sends a request and returns the status of its answer, which it reads to the end.
func benchSend(b *testing.B, conn net.Conn, r *bufio.Reader, request string) (status int) {
	_, err := io.WriteString(conn, request)
	require.NoError(b, err)
	answer, err := http.ReadResponse(r, nil)
	require.NoError(b, err)
	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(b, err)
	return answer.StatusCode
}
