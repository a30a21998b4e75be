package item

import (
	"strings"
	"testing"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// item1K is an item of 1 KB in DynamoDB's count, of 12 attributes in no order.
var item1K = `{"pk":{"S":"user#0000000001"},"sk":{"S":"item#0000000001"},"gpk":{"S":"group#0000000001"},"gsk":{"S":"ts#0000000001"},` +
	`"email":{"S":"someone.in.particular@mail.example.com"},"age":{"N":"42"},"score":{"N":"1234567.891"},"active":{"BOOL":true},` +
	`"tags":{"SS":["alpha","bravo","charlie","delta","echo"]},` +
	`"addr":{"M":{"street":{"S":"12 Long Winding Street"},"city":{"S":"Springfield"},"zip":{"S":"12345-6789"},"geo":{"M":{"lat":{"N":"51.5007"},"lon":{"N":"-0.1246"}}},"verified":{"BOOL":false}}},` +
	`"events":{"L":[{"M":{"at":{"N":"1767225600"},"kind":{"S":"created"}}},{"M":{"at":{"N":"1767229200"},"kind":{"S":"updated"}}},{"S":"note"},{"N":"7"},{"NULL":true}]},` +
	`"bio":{"S":"` + strings.Repeat("lorem ipsum dolor sit amet ", 23)[:618] + `"}}`

func BenchmarkParseAttributes(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s := jsontext.NewScanner(item1K)
		if _, err := ParseAttributes(&s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	it := mustParse(b, item1K)
	for b.Loop() {
		if it.Get("score") == "" || it.Get("nothing") != "" {
			b.Fatal()
		}
	}
}

func BenchmarkWith(b *testing.B) {
	it := mustParse(b, item1K)
	b.ReportAllocs()
	for b.Loop() {
		it.With(Attribute{"age", `{"N":"43"}`})
	}
}

func BenchmarkAppendKey(b *testing.B) {
	it := mustParse(b, item1K)
	var buf [128]byte
	b.ReportAllocs()
	for b.Loop() {
		AppendKey(AppendKey(buf[:0], it.Get("pk")), it.Get("sk"))
	}
}

func BenchmarkAdd(b *testing.B) {
	one, _ := ParseDecimal("1")
	b.ReportAllocs()
	for b.Loop() {
		d, _ := ParseDecimal("123456")
		d.Add(one)
	}
}
