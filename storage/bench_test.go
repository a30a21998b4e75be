package storage

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
)

// benchSizes are the sizes of tables. The benchmarks watch how the costs grow, which should be
// little.
var benchSizes = []struct {
	name  string
	items int
}{{"10k", 10_000}, {"1M", 1_000_000}}

var benchKey = KeySchema{
	Hash:  []KeyAttribute{{"pk", item.S}},
	Range: []KeyAttribute{{"sk", item.S}},
}

// benchItem returns item i of a table with a thousand items per partition key.
func benchItem(i int, filler item.Value) item.Item {
	return item.New(
		item.Attribute{Name: "pk", Value: item.String(fmt.Sprintf("partition-%06d", i/1000))},
		item.Attribute{Name: "sk", Value: item.String(fmt.Sprintf("item-%010d", i))},
		item.Attribute{Name: "g", Value: item.String(fmt.Sprintf("group-%04d", i%5000))},
		item.Attribute{Name: "filler", Value: filler},
	)
}

type bench struct {
	store *Store
	table *Table
	keys  []Key
	items []item.Item
}

// newBench fills a table in another order than that of the keys.
func newBench(b *testing.B, items int, indexes ...IndexSchema) *bench {
	b.Helper()
	f := &bench{store: New(Options{})}
	filler := item.String(strings.Repeat("x", 100))
	err := f.store.Update(func(tx *Tx) error {
		f.table = tx.Tables().Create("t", "id", benchKey, indexes, nil)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for i := range items {
		it := benchItem(i*7919%items, filler)
		k, _ := benchKey.Encode(it)
		f.keys = append(f.keys, k)
		f.items = append(f.items, it)
		f.put(k, it)
	}
	b.ReportAllocs()
	b.ResetTimer()
	return f
}

func (f *bench) put(k Key, it item.Item) {
	_ = f.store.Update(func(tx *Tx) error {
		tx.Put(f.table, k, it)
		return nil
	})
}

func BenchmarkGet(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(size.name, func(b *testing.B) {
			f := newBench(b, size.items)
			for i := 0; b.Loop(); i++ {
				k := f.keys[i*104729%size.items]
				_ = f.store.View(func(tx *Tx) error {
					if tx.Get(f.table, k) == "" {
						b.Fatal("not found")
					}
					return nil
				})
			}
		})
	}
}

// BenchmarkPut encodes a key and replaces an item.
func BenchmarkPut(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(size.name, func(b *testing.B) {
			f := newBench(b, size.items)
			for i := 0; b.Loop(); i++ {
				place := i * 104729 % size.items
				it := f.items[place].With(item.Attribute{
					Name: "filler", Value: item.String(strconv.Itoa(i)),
				})
				k, _ := benchKey.Encode(it)
				f.put(k, it)
			}
		})
	}
}

// BenchmarkPutRecoverable is BenchmarkPut to a table that can be taken back.
func BenchmarkPutRecoverable(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(size.name, func(b *testing.B) {
			f := newBench(b, size.items)
			f.store.pastMemory = 128 << 20
			_ = f.store.Update(func(tx *Tx) error {
				tx.Recovery().Enable(f.table, 35*24*time.Hour)
				return nil
			})
			for i := 0; b.Loop(); i++ {
				place := i * 104729 % size.items
				it := f.items[place].With(item.Attribute{
					Name: "filler", Value: item.String(strconv.Itoa(i)),
				})
				k, _ := benchKey.Encode(it)
				f.put(k, it)
			}
		})
	}
}

// BenchmarkPutIndexed is BenchmarkPut with an index whose entry changes.
func BenchmarkPutIndexed(b *testing.B) {
	groups := IndexSchema{
		Name: "groups", Key: KeySchema{Hash: []KeyAttribute{{"g", item.S}}, Range: benchKey.Range},
		Projection: Projection{Type: "ALL"},
	}
	for _, size := range benchSizes {
		b.Run(size.name, func(b *testing.B) {
			f := newBench(b, size.items, groups)
			for i := 0; b.Loop(); i++ {
				place := i * 104729 % size.items
				it := f.items[place].With(item.Attribute{
					Name: "filler", Value: item.String(strconv.Itoa(i)),
				})
				f.put(f.keys[place], it)
			}
		})
	}
}

// BenchmarkPage reads a hundred items from places all over the table.
func BenchmarkPage(b *testing.B) {
	for _, size := range benchSizes {
		for _, reverse := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/reverse=%t", size.name, reverse), func(b *testing.B) {
				f := newBench(b, size.items)
				for i := 0; b.Loop(); i++ {
					spec := PageSpec{Range: Range{HiOpen: true}, Limit: 100, Reverse: reverse}
					if k := f.keys[i*104729%size.items]; reverse {
						spec.Range = Range{Hi: k}
					} else {
						spec.Range.Lo = k
					}
					_ = f.store.View(func(tx *Tx) error {
						tx.Page(f.table, spec)
						return nil
					})
				}
			})
		}
	}
}

// BenchmarkFork forks a full store and writes once to the fork.
func BenchmarkFork(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(size.name, func(b *testing.B) {
			f := newBench(b, size.items)
			for b.Loop() {
				fork := f.store.Fork()
				_ = fork.Update(func(tx *Tx) error {
					tx.Delete(tx.Table("t"), f.keys[0])
					return nil
				})
			}
		})
	}
}
