package emulator

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// benchVector is version of the vector of item i, of 256 numbers as one prints floats of so many
// bits.
func benchVector(i, version, bits int) string {
	numbers := make([]string, 256)
	for j := range numbers {
		f := math.Sin(float64(i*7919 + version*104729 + j))
		if bits == 32 {
			f = float64(float32(f))
		}
		numbers[j] = `{"N":"` + strconv.FormatFloat(f, 'f', -1, bits) + `"}`
	}
	return `{"L":[` + strings.Join(numbers, ",") + `]}`
}

// BenchmarkPutVectors replaces items with a vector, without HTTP. The global index holds the same
// attributes as the vector index.
func BenchmarkPutVectors(b *testing.B) {
	const global = `,"GlobalSecondaryIndexes":[{"IndexName":"index","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"%s"}}]`
	const vector = `,"VectorIndexes":[{"IndexName":"index","VectorAttribute":{"AttributeName":"v"},"Projection":{"ProjectionType":"%s"},"Dimensions":256,"DistanceFunction":"COSINE"}]`
	for _, bench := range []struct{ name, indexes string }{
		{"no-index", ""},
		{"global-keys", fmt.Sprintf(global, "KEYS_ONLY")},
		{"vector-keys", fmt.Sprintf(vector, "KEYS_ONLY")},
		{"global-all", fmt.Sprintf(global, "ALL")},
		{"vector-all", fmt.Sprintf(vector, "ALL")},
	} {
		for _, bits := range []int{32, 64} {
			for _, capacity := range []string{"NONE", "TOTAL"} {
				b.Run(fmt.Sprintf("%s/bits=%d/capacity=%s", bench.name, bits,
					capacity), func(b *testing.B) {
					benchPutVectors(b, bench.indexes, bits, capacity)
				})
			}
		}
	}
}

func benchPutVectors(b *testing.B, indexes string, bits int, capacity string) {
	e := New()
	c := &serve.Call{
		Service: e.service, Data: e.service.NewAccountData(storage.New(e.service.Storage)),
		Owner: arn.Owner{Account: e.service.Account, Region: "us-east-1"}, Memory: new(wire.Memory),
	}
	c.Store = c.Data.Store
	definition := ""
	if strings.Contains(indexes, "Global") {
		definition = `,{"AttributeName":"g","AttributeType":"S"}`
	}
	benchServe(b, c,
		"CreateTable",
		`{"TableName":"bench","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}`+definition+`]`+indexes+
			`}`)
	const items = 500
	bodies := make([]string, 2*items)
	for i := range bodies {
		at, version := i%items, i/items
		bodies[i] = fmt.Sprintf(
			`{"TableName":"bench","ReturnConsumedCapacity":"%s","Item":{"pk":{"S":"item#%08d"},"g":{"S":"group#%d"},"v":%s}}`,
			capacity, at, (at+version)%10, benchVector(at, version, bits))
		benchServe(b, c, "PutItem", bodies[i])
	}
	c.Operation = operationsByTarget["DynamoDB_20120810.PutItem"]
	serve := c.Operation.Serve
	var dst []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		var err error
		if dst, err = serve(c, bodies[i%len(bodies)], dst[:0]); err != nil {
			b.Fatal(err)
		}
		c.Memory.Reset()
	}
}
