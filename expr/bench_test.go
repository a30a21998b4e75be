package expr

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

const benchItem = `{"pk":{"S":"user#00000001"},"sk":{"S":"item#00000001"},"c":{"N":"41"},"kind":{"S":"order"},
	"amount":{"N":"129.95"},"tags":{"SS":["a","b","c"]},"note":{"S":"a note of some forty characters, or more"}}`

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := parse(KindCondition,
			"#s = :s AND begins_with(sk, :p) AND NOT amount BETWEEN :a AND :b"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBind binds an expression from the cache, as each request does.
func BenchmarkBind(b *testing.B) {
	names := []Name{{"#c", "c"}}
	values := newItem(b, `{":one":{"N":"1"}}`)
	b.ReportAllocs()
	for b.Loop() {
		s, err := NewScope(names, values)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Update("SET #c = #c + :one"); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Condition(KindCondition, "attribute_exists(pk)"); err != nil {
			b.Fatal(err)
		}
		if err := s.Unused(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpdateCounter evaluates the expressions of an atomic counter, from text to UPDATED_NEW.
func BenchmarkUpdateCounter(b *testing.B) {
	names := []Name{{"#c", "c"}}
	values := newItem(b, `{":one":{"N":"1"}}`)
	old := newItem(b, benchItem)
	b.ReportAllocs()
	for b.Loop() {
		s, err := NewScope(names, values)
		if err != nil {
			b.Fatal(err)
		}
		u, err := s.Update("SET #c = #c + :one")
		if err != nil {
			b.Fatal(err)
		}
		c, err := s.Condition(KindCondition, "attribute_exists(pk)")
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Unused(); err != nil || !c.Match(old) {
			b.Fatal(err)
		}
		it, err := u.Apply(old)
		if err != nil || u.Touched(it) == "" {
			b.Fatal(err)
		}
	}
}

var matchBenchmarks = []struct{ name, src string }{
	{name: "equal", src: "kind = :order"},
	{name: "exists", src: "attribute_exists(pk)"},
	{name: "begins_with", src: "begins_with(sk, :prefix)"},
	{name: "integer", src: "c > :n"},
	{name: "number", src: "amount > :n"},
	{name: "in", src: "kind IN (:prefix, :order)"},
	{name: "size", src: "size(note) > :n"},
	{name: "contains", src: "contains(tags, :tag)"},
	{name: "and", src: "kind = :order AND c > :n"},
}

func matchBenchmark(b testing.TB, src string) (*Condition, item.Item) {
	s := newScope(b, "",
		`{":order":{"S":"order"},":prefix":{"S":"item#"},":n":{"N":"20"},":tag":{"S":"c"}}`)
	c, err := s.Condition(KindFilter, src)
	require.NoError(b, err)
	return c, newItem(b, benchItem)
}

func BenchmarkMatch(b *testing.B) {
	for _, bb := range matchBenchmarks {
		b.Run(bb.name, func(b *testing.B) {
			c, it := matchBenchmark(b, bb.src)
			b.ReportAllocs()
			for b.Loop() {
				if !c.Match(it) {
					b.Fatal("no match")
				}
			}
		})
	}
}

func TestMatchDoesNotAllocate(t *testing.T) {
	for _, tt := range matchBenchmarks {
		t.Run(tt.name, func(t *testing.T) {
			c, it := matchBenchmark(t, tt.src)
			require.True(t, c.Match(it))
			require.Zero(t, testing.AllocsPerRun(100, func() { c.Match(it) }))
		})
	}
}

func BenchmarkProjection(b *testing.B) {
	it := newItem(b, testItem)
	for _, bb := range []struct {
		name, src string
	}{{"attributes", "s, n, ss"}, {"nested", "m.k, l[0], l[2][0], s"}} {
		b.Run(bb.name, func(b *testing.B) {
			p, err := newScope(b, "", "").Projection(bb.src)
			require.NoError(b, err)
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst = p.AppendJSON(dst[:0], it)
			}
		})
	}
}
