package storage

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kugiri-db/kugiri/storage/item"
)

const benchDimensions = 256

// newVectorBench fills a table with vectors in groups.
func newVectorBench(b *testing.B, n, groups int, schemas ...VectorSchema) *bench {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	f := &bench{store: New(Options{})}
	_ = f.store.Update(func(tx *Tx) error {
		f.table = tx.Tables().Create("t", "id", benchKey, nil, nil)
		for _, schema := range schemas {
			tx.Vectors().AddIndex(f.table, schema)
		}
		return nil
	})
	for i := range n {
		it := benchItem(i,
			item.String("x")).With(item.Attribute{
			Name: "v", Value: item.Floats(randomVector(r, benchDimensions)),
		},
			item.Attribute{Name: "g", Value: item.String(fmt.Sprint(i % groups))})
		k, _ := benchKey.Encode(it)
		f.keys, f.items = append(f.keys, k), append(f.items, it)
		f.put(k, it)
	}
	b.ReportAllocs()
	b.ResetTimer()
	return f
}

func BenchmarkSearchVectors(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, distance := range []Distance{Cosine, Euclidean, DotProduct} {
		b.Run(string(distance), func(b *testing.B) {
			f := newVectorBench(b, 100_000, 10,
				VectorSchema{"x", "v", benchDimensions, distance, nil, []KeyAttribute{attrG},
					Projection{Type: "KEYS_ONLY"}})
			for _, c := range []struct {
				name  string
				equal item.Item
			}{{"all", item.New()},
				{"filter", item.New(item.Attribute{Name: "g", Value: item.String("3")})}} {
				b.Run(c.name, func(b *testing.B) {
					for b.Loop() {
						_ = f.store.View(func(tx *Tx) error {
							tx.Vectors().Search(f.table, tx.Vectors().Index(f.table, "x"),
								VectorQuery{
									Vector: randomVector(r, benchDimensions), K: 10, Equal: c.equal,
								})
							return nil
						})
					}
				})
			}
		})
	}
}

// BenchmarkPutVector replaces items with and without an index of their vectors.
func BenchmarkPutVector(b *testing.B) {
	global := IndexSchema{"g", false, KeySchema{Hash: []KeyAttribute{attrG}},
		Projection{Type: "KEYS_ONLY"}}
	for _, c := range []struct {
		name    string
		vectors []VectorSchema
		global  bool
	}{
		{"no index", nil, false},
		{"global index", nil, true},
		{"vector index",
			[]VectorSchema{
				{"x", "v", benchDimensions, Cosine, nil, nil, Projection{Type: "KEYS_ONLY"}},
			}, false},
		{"vector index of all attributes",
			[]VectorSchema{{"x", "v", benchDimensions, Cosine, nil, nil, Projection{Type: "ALL"}}},
			false},
	} {
		b.Run(c.name, func(b *testing.B) {
			f := newVectorBench(b, 2000, 10, c.vectors...)
			if c.global {
				_ = f.store.Update(
					func(tx *Tx) error { tx.Tables().AddIndex(f.table, global); return nil })
			}
			// the items with the vectors and groups of the next
			others := make([]item.Item, len(f.items))
			for i, it := range f.items {
				next := f.items[(i+1)%len(f.items)]
				others[i] = it.With(item.Attribute{Name: "v", Value: next.Get("v")},
					item.Attribute{Name: "g", Value: next.Get("g")})
			}
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				n, items := i%len(f.keys), f.items
				if i/len(f.keys)%2 == 0 {
					items = others
				}
				f.put(f.keys[n], items[n])
			}
		})
	}
}

func BenchmarkForkVectors(b *testing.B) {
	f := newVectorBench(b, 100_000, 1,
		VectorSchema{"x", "v", benchDimensions, Cosine, nil, nil, Projection{Type: "KEYS_ONLY"}})
	b.Run("fork", func(b *testing.B) {
		for b.Loop() {
			f.store.Fork()
		}
	})
	b.Run("fork and write", func(b *testing.B) {
		for b.Loop() {
			fork := f.store.Fork()
			_ = fork.Update(func(tx *Tx) error { tx.Delete(tx.Table("t"), f.keys[0]); return nil })
		}
	})
}
