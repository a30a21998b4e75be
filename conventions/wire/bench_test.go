package wire

import (
	"strings"
	"testing"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage/item"
)

// putBody is a PutItem of 1 KB, with the parameters that applications often use.
var putBody = `{"TableName":"benchmark-table","Item":{"pk":{"S":"user#0000000001"},"sk":{"S":"order#0000000001"},"n":{"N":"12345"},` +
	`"text":{"S":"` + strings.Repeat("lorem ipsum ", 80) +
	`"}},"ConditionExpression":"attribute_not_exists(pk)","ReturnConsumedCapacity":"TOTAL"}`

func BenchmarkDecodePutItem(b *testing.B) {
	var m Memory
	b.ReportAllocs()
	for b.Loop() {
		var in api.PutItemInput
		if err := Decode(putBody, &in, &m); err != nil {
			b.Fatal(err)
		}
		m.Reset()
	}
}

// BenchmarkDecodeWithoutItem is BenchmarkDecode without the work of package item.
func BenchmarkDecodeWithoutItem(b *testing.B) {
	const body = `{"TableName":"benchmark-table","Item":{},"ConditionExpression":"attribute_not_exists(pk)","ReturnConsumedCapacity":"TOTAL"}`
	var m Memory
	b.ReportAllocs()
	for b.Loop() {
		var in api.PutItemInput
		if err := Decode(body, &in, &m); err != nil {
			b.Fatal(err)
		}
		m.Reset()
	}
}

func BenchmarkDecodeBatchWrite(b *testing.B) {
	put := `{"PutRequest":{"Item":{"pk":{"S":"user"},"text":{"S":"` +
		strings.Repeat("x", 1000) + `"}}}}`
	body := `{"RequestItems":{"t":[` + strings.Repeat(put+",", 24) + put + `]}}`
	var m Memory
	b.ReportAllocs()
	for b.Loop() {
		var in api.BatchWriteItemInput
		if err := Decode(body, &in, &m); err != nil {
			b.Fatal(err)
		}
		m.Reset()
	}
}

func BenchmarkValidatePutItem(b *testing.B) {
	var in api.PutItemInput
	if err := Decode(putBody, &in, nil); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if Validate(&in) != nil {
			b.Fatal("not valid")
		}
	}
}

func BenchmarkAppendQuery(b *testing.B) {
	out := &api.QueryOutput{Count: api.Ref(int64(100)), ScannedCount: api.Ref(int64(100))}
	one := item.JSON(`{"pk":{"S":"user"},"text":{"S":"` + strings.Repeat("x", 200) + `"}}`)
	for range 100 {
		out.Items = append(out.Items, one)
	}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = Append(dst[:0], out)
	}
}

// transactBody is a TransactWriteItems of ten conditional puts, of items without attributes.
var transactBody = func() string {
	put := `{"Put":{"TableName":"benchmark-table","Item":{},"ConditionExpression":"attribute_not_exists(pk)"}}`
	return `{"TransactItems":[` + strings.Repeat(put+",", 9) + put +
		`],"ClientRequestToken":"0c3f8c5e-2a55-4f0c-a6a9-1d2f83d3f0a1"}`
}()

// BenchmarkDecodeTransaction decodes many small structures without the work of package item.
func BenchmarkDecodeTransaction(b *testing.B) {
	var m Memory
	b.ReportAllocs()
	for b.Loop() {
		var in api.TransactWriteItemsInput
		if err := Decode(transactBody, &in, &m); err != nil {
			b.Fatal(err)
		}
		m.Reset()
	}
}

func BenchmarkValidateTransaction(b *testing.B) {
	var in api.TransactWriteItemsInput
	if err := Decode(transactBody, &in, nil); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if Validate(&in) != nil {
			b.Fatal("not valid")
		}
	}
}

func BenchmarkSumTransaction(b *testing.B) {
	var in api.TransactWriteItemsInput
	if err := Decode(transactBody, &in, nil); err != nil {
		b.Fatal(err)
	}
	room := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		Sum64(&in, room)
	}
}
