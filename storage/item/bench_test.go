package item

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// item1K is an item of 1 KB by DynamoDB's rules, with 12 unsorted attributes.
var item1K = `{"pk":{"S":"user#0000000001"},"sk":{"S":"item#0000000001"},"gpk":{"S":"group#0000000001"},"gsk":{"S":"ts#0000000001"},` +
	`"email":{"S":"someone.in.particular@mail.example.com"},"age":{"N":"42"},"score":{"N":"1234567.891"},"active":{"BOOL":true},` +
	`"tags":{"SS":["alpha","bravo","charlie","delta","echo"]},` +
	`"addr":{"M":{"street":{"S":"12 Long Winding Street"},"city":{"S":"Springfield"},"zip":{"S":"12345-6789"},"geo":{"M":{"lat":{"N":"51.5007"},"lon":{"N":"-0.1246"}}},"verified":{"BOOL":false}}},` +
	`"events":{"L":[{"M":{"at":{"N":"1767225600"},"kind":{"S":"created"}}},{"M":{"at":{"N":"1767229200"},"kind":{"S":"updated"}}},{"S":"note"},{"N":"7"},{"NULL":true}]},` +
	`"bio":{"S":"` + strings.Repeat("lorem ipsum dolor sit amet ", 23)[:618] + `"}}`

// spaced has a space behind each colon and comma, as some clients write.
var spaced = strings.NewReplacer(`":`, `": `, `",`, `", `, `},`, `}, `)

func BenchmarkParseAttributes(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"item1K", item1K},
		{"small", `{"pk":{"S":"user#0000000001"},"sk":{"S":"order#2026-01-01#0001"},"total":{"N":"129.95"},"status":{"S":"SHIPPED"},"at":{"S":"2026-01-01T00:00:00.000Z"}}`},
		{"string60K",
			`{"pk":{"S":"a"},"text":{"S":"` +
				strings.Repeat("lorem ipsum dolor sit amet. ", 2200) + `"}}`},
		{"escapes",
			`{"pk":{"S":"a"},"text":{"S":"` +
				strings.Repeat(`lorem ipsum \"dolor\" sit amet.\n`, 30) + `"}}`},
		{"UTF-8", `{"pk":{"S":"a"},"text":{"S":"` +
			strings.Repeat(`lørem ipsüm dolor sit amet. `, 30) + `"}}`},
		{"numbers", `{"a":{"N":"1.50"},"b":{"N":"1E3"},"c":{"N":"007"},"d":{"N":"1.0"}}`},
		{"sets", `{"pk":{"S":"a"},"n":{"NS":["3","1","2","10","7","5"]},"s":{"SS":["zulu","yankee","alpha","bravo"]}}`},
		{"spaced", spaced.Replace(item1K)},
		{"indented", indented(b, item1K)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := jsontext.NewScanner(c.text)
				if _, err := ParseAttributes(&s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParseItems parses items in turn into memory that is used again, as requests do.
func BenchmarkParseItems(b *testing.B) {
	for _, c := range []struct {
		name  string
		texts []string
	}{
		{"alike", []string{item1K}},
		{"threeKinds", []string{
			`{"pk":{"S":"a"},"sk":{"S":"order#1"},"total":{"N":"129.95"},"status":{"S":"SHIPPED"},"at":{"S":"2026-01-01T00:00:00.000Z"}}`,
			`{"pk":{"S":"a"},"sk":{"S":"line#1"},"article":{"S":"4711"},"count":{"N":"3"},"options":{"M":{"size":{"S":"XL"},"color":{"S":"red"}}}}`,
			`{"pk":{"S":"a"},"sk":{"S":"address"},"street":{"S":"12 Long Winding Street"},"city":{"S":"Springfield"},"verified":{"BOOL":true}}`,
		}},
		{"neverAlike", neverAlike()},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var m Scratch
			for i := 0; b.Loop(); i++ {
				s := jsontext.NewScanner(c.texts[i%len(c.texts)])
				if _, err := m.ParseAttributes(&s); err != nil {
					b.Fatal(err)
				}
				m.Reset()
			}
		})
	}
}

// neverAlike returns items that have no names in common.
func neverAlike() []string {
	texts := make([]string, 5000)
	for i := range texts {
		texts[i] = strings.ReplaceAll(
			`{"pk~":{"S":"a"},"sk~":{"S":"order#1"},"total~":{"N":"129.95"},"status~":{"S":"SHIPPED"},"at~":{"M":{"day~":{"N":"1"},"hour~":{"N":"2"}}}}`, "~", strconv.Itoa(i))
	}
	return texts
}

func indented(t testing.TB, text string) string {
	var b bytes.Buffer
	require.NoError(t, json.Indent(&b, []byte(text), "", "  "))
	return b.String()
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
