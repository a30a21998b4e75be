package item

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// outcome is the result of parsing a text.
type outcome struct {
	Attributes
	err error
	pos int
}

func (p *parser) outcome(text string) outcome {
	p.reset()
	p.s = jsontext.NewScanner(text)
	a, err := p.attributes(nil)
	if err != nil || a.Invalid != nil {
		a.Item = "" // the item means nothing then
	}
	return outcome{a, err, p.s.Pos()}
}

// requireSame parses a text with a parser that has parsed others and with a new one, and compares.
func requireSame(t require.TestingT, old *parser, text string) {
	require.Equal(t, new(parser).outcome(text), old.outcome(text), text)
}

// TestParseWithShapeCache parses valid and invalid items of few names with one parser. Earlier
// items must make no difference.
func TestParseWithShapeCache(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var old parser
		g := fewNames{t, rapid.IntRange(0, 2).Draw(t, "bad")}
		var kinds []string
		for range rapid.IntRange(1, 4).Draw(t, "kinds") {
			kinds = append(kinds, g.fields(0))
		}
		for range rapid.IntRange(2, 12).Draw(t, "texts") {
			text := rapid.SampledFrom(kinds).Draw(t, "text")
			if rapid.IntRange(0, 2).Draw(t, "change") == 0 {
				at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
				with := rapid.SampledFrom(
					[]string{"", " ", "\"", "\\", "{", "}", "[", "]", ",", ":", "S", "N", "M", "a",
						"1", "0", "é", "null", "\x00", "0123456789abcdef"}).Draw(t, "with")
				text = text[:at] + with + text[at+rapid.IntRange(0, 1).Draw(t, "instead"):]
			}
			requireSame(t, &old, text)
		}
	})
}

// fewNames writes items that have much in common. The greater bad is, the more faults they have.
type fewNames struct {
	t   *rapid.T
	bad int
}

func (g fewNames) one(of ...string) string { return rapid.SampledFrom(of).Draw(g.t, "one") }

func (g fewNames) fields(depth int) string {
	names := rapid.SliceOfNDistinct(
		rapid.SampledFrom([]string{"a", "b", "c", "sk", "name1234567", "name12345678901234567890"}),
		0, 6, rapid.ID).Draw(g.t, "names")
	for i, name := range names {
		if g.bad > 1 && rapid.IntRange(0, 9).Draw(g.t, "bad") == 0 {
			name = g.one("", "a", `\u0061`, "é", strings.Repeat("x", maxBegin))
		}
		names[i] = `"` + name + `":` + g.value(depth+1)
	}
	return "{" + strings.Join(names, ",") + "}"
}

func (g fewNames) value(depth int) string {
	if g.bad > 0 && rapid.IntRange(0, 9).Draw(g.t, "bad") == 0 {
		return g.one(`null`, `{}`, `{"S":null}`, `{"BOOL":null}`, `{"BOOL": null}`,
			`{"NULL":false}`, `{"S":"a","N":"1"}`, `{"N":"x"}`, `{"SS":[]}`,
			`{"SS":["a","a"]}`, `{"N":"1","N":"1"}`, `{"B":"A"}`,
			`{"M":{"a":{"S":""},"a":{"S":""}}}`, `{"M":null,"S":"a"}`, `{"S": "a"}`,
			`{"X":1,"S":"b"}`)
	}
	if depth < 4 && rapid.IntRange(0, 2).Draw(g.t, "nested") == 0 {
		if rapid.Bool().Draw(g.t, "map") {
			return `{"M":` + g.fields(depth) + "}"
		}
		var elems []string
		for range rapid.IntRange(0, 3).Draw(g.t, "elements") {
			elems = append(elems, g.value(depth+1))
		}
		return `{"L":[` + strings.Join(elems, ",") + "]}"
	}
	return g.one(`{"S":"text"}`, `{"S":""}`, `{"S":"é\n"}`, `{"S":"\u0041"}`, `{"N":"-12.50"}`,
		`{"N":"12.5"}`, `{"N":"0"}`, `{"B":"AA=="}`, `{"BOOL":true}`, `{"BOOL":false}`,
		`{"NULL":true}`, `{"SS":["b","a","longer than a word","longer than a"]}`,
		`{"SS":["a","\u0041","b"]}`, `{"NS":["1","2.0","10"]}`, `{"NS":["3","2"]}`,
		`{"BS":["AQ==","AA=="]}`)
}

func FuzzParseWithMemory(f *testing.F) {
	f.Add(item1K, strings.ReplaceAll(item1K, `"sk"`, `"pk"`))
	f.Add(`{"a":{"BOOL":true},"b":{"N":"1"}}`, `{"a":{"BOOL":null},"b":{"N":"1.0"}}`)
	f.Add(`{"b":{"L":[{"M":{"b":{"S":""},"a":{"S":""}}}]},"a":{"NS":["1"]}}`,
		`{"b":{"L":[{"M":{"b":{"S":""},"b":{"S":""}}}]}}`)
	f.Fuzz(func(t *testing.T, one, other string) {
		var old parser
		for _, text := range []string{one, other, one, one, other} {
			requireSame(t, &old, text)
		}
	})
}

// TestShapeCacheAndNesting reads values at the limit of nesting, and beyond it, repeatedly.
func TestShapeCacheAndNesting(t *testing.T) {
	var old parser
	for depth := 30; depth < 36; depth++ {
		for _, content := range []string{`{"S":"x"}`, `{"BOOL":true}`, `{"SS":["b","a"]}`,
			`{"M":{}}`, `{"L":[]}`} {
			for range 2 {
				requireSame(t, &old,
					`{"a":`+strings.Repeat(`{"M":{"a":`, depth)+content+strings.Repeat("}}",
						depth)+"}")
				requireSame(t, &old,
					`{"b":`+strings.Repeat(`{"L":[`, depth)+content+strings.Repeat("]}", depth)+"}")
			}
		}
	}
}

// TestShapeCacheIsBounded reads items with ever new names, and then many with the same names.
func TestShapeCacheIsBounded(t *testing.T) {
	var p parser
	widest := 0
	for i := range 2 * pauseFor {
		text := fmt.Sprintf(
			`{"a":{"M":{"n%d":{"M":{"x%d":{"S":""},"a%d":{"S":""}}}}},"b%d":{"S":""}}`, i%7, i, i,
			i)
		require.NoError(t, p.outcome(text).err)
		widest = max(widest, p.shapes.nodes)
	}
	assert.Positive(t, widest)
	assert.LessOrEqual(t, widest, maxShapes)
	assert.Positive(t, p.shapes.pause, "a cache that is of no use pauses")
	for range pauseFor + 2 {
		requireSameSize(t, &p)
	}
	assert.Zero(t, p.shapes.pause)
	assert.Positive(t, p.shapes.hits)
}

func requireSameSize(t *testing.T, p *parser) {
	require.Equal(t, 4, p.outcome(`{"a":{"S":"1"},"b":{"S":"2"}}`).Item.Size())
}

// TestShapeCacheHits: after one item, all attributes of items of its shape are found in the cache.
func TestShapeCacheHits(t *testing.T) {
	var p parser
	first := p.outcome(item1K)
	learned := p.shapes
	for range 10 {
		require.Equal(t, first, p.outcome(item1K))
	}
	assert.Equal(t, learned.nodes, p.shapes.nodes)
	assert.Equal(t, learned.misses, p.shapes.misses)
	assert.Equal(t, learned.hits+10*(learned.hits+learned.misses), p.shapes.hits)
}

func TestNormalSize(t *testing.T) {
	for text, want := range map[string]int{"0": 1, "7": 2, "-7": 3, "10": 2, "100": 2, "101": 3,
		"0.5": 2, "0.001": 2, "-0.25": 3, "10.5": 3, "1234567.891": 7, "200.25": 4, "2.5": 3,
		"100.5": 4, "-0.05": 3, "0.0505": 3,
		"": 0, "-": 0, "-0": 0, "00": 0, "01": 0, "1.": 0, ".5": 0, "0.": 0, "0.0": 0, "00.5": 0,
		"1.50": 0, "1.2.3": 0, "1e3": 0, "--1": 0, "+1": 0, "-.5": 0} {
		assert.Equal(t, want, normalSize(text), text)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-3]{0,5}\.?[0-3]{0,5}`).Draw(t, "text")
		d, err := ParseDecimal(text)
		if size := normalSize(text); size > 0 {
			require.NoError(t, err, text)
			require.Equal(t, text, string(d.Append(nil)))
			require.Equal(t, d.Size(), size, text)
		} else if err == nil {
			require.NotEqual(t, text, string(d.Append(nil)))
		}
	})
}
