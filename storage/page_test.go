package storage

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
)

func TestPageLimits(t *testing.T) {
	s, table := newTestStore(t)
	size := testItem("a", "1").Size()
	update(t, s, func(tx *Tx) {
		for i := range 5 {
			put(tx, table, testItem("a", strconv.Itoa(i+1)))
		}
	})
	for _, test := range []struct {
		name     string
		limit    int
		maxBytes int
		items    int
		more     bool
	}{
		{"none", 0, 0, 5, false},
		{"limit", 2, 0, 2, true},
		{"limit beyond the end", 6, 0, 5, false},
		{"limit at the end", 5, 0, 5, true},
		{"bytes", 0, 2*size + 1, 3, true},
		{"bytes reached exactly", 0, 2 * size, 3, true},
		{"bytes less than an item", 0, 1, 1, true},
		{"all bytes", 0, 5 * size, 5, false},
		{"bytes crossed by the last item", 0, 5*size - 1, 5, true},
		{"limit before bytes", 2, 4 * size, 2, true},
		{"bytes before limit", 4, size, 2, true},
	} {
		for _, reverse := range []bool{false, true} {
			t.Run(test.name+"/reverse="+strconv.FormatBool(reverse), func(t *testing.T) {
				view(t, s, func(tx *Tx) {
					p := tx.Page(table,
						PageSpec{Range: Range{HiOpen: true}, Reverse: reverse, Limit: test.limit,
							MaxBytes: test.maxBytes})
					require.Len(t, p.Items, test.items)
					require.Equal(t, test.items*size, p.Bytes)
					require.Equal(t, test.more, p.More)
				})
			})
		}
	}
}

func TestPageRanges(t *testing.T) {
	s, table := newTestStore(t)
	key := func(pk, sk string) Key { return mustKey(table, testItem(pk, sk)) }
	partition := func(pk string) Key {
		text := item.AppendKey(nil, item.String(pk))
		return Key{item.HashKey(string(text)), string(text)}
	}
	update(t, s, func(tx *Tx) {
		for _, pk := range []string{"a", "b", "c"} {
			for _, sk := range []string{"-1", "0", "2", "10"} {
				put(tx, table, testItem(pk, sk))
			}
		}
	})
	for _, test := range []struct {
		name string
		r    Range
		want []string // sort keys
	}{
		{"partition", partition("b").Prefix(), []string{"-1", "0", "2", "10"}},
		{"no such partition", partition("d").Prefix(), nil},
		{"one item", key("b", "2").Prefix(), []string{"2"}},
		{"from", Range{Lo: key("b", "0"), Hi: partition("b").Prefix().Hi},
			[]string{"0", "2", "10"}},
		{"after", Range{Lo: key("b", "0").Next(), Hi: partition("b").Prefix().Hi},
			[]string{"2", "10"}},
		{"before", Range{Lo: partition("b"), Hi: key("b", "2")}, []string{"-1", "0"}},
		{"up to", Range{Lo: partition("b"), Hi: key("b", "2").Next()}, []string{"-1", "0", "2"}},
		{"between keys", Range{Lo: key("b", "1"), Hi: key("b", "3")}, []string{"2"}},
		{"empty", Range{Lo: key("b", "2"), Hi: key("b", "2")}, nil},
		{"turned round", Range{Lo: key("b", "10"), Hi: key("b", "0")}, nil},
		{"whole hash", Key{Hash: partition("b").Hash}.Prefix(), []string{"-1", "0", "2", "10"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			view(t, s, func(tx *Tx) {
				var forward, backward []string
				for _, it := range tx.Page(table, PageSpec{Range: test.r}).Items {
					require.Equal(t, item.String("b"), it.Get("pk"))
					forward = append(forward, it.Get("sk").Num())
				}
				for _, it := range tx.Page(table, PageSpec{Range: test.r, Reverse: true}).Items {
					backward = append([]string{it.Get("sk").Num()}, backward...)
				}
				require.Equal(t, test.want, forward)
				require.Equal(t, test.want, backward)
			})
		})
	}
}

// TestFirstOf: the smallest hash of each partition is in it, and the hash before is not.
func TestFirstOf(t *testing.T) {
	for _, n := range []int{2, 3, 4, 5, 7, 40, 1000} {
		for i := 1; i < n; i++ {
			first := firstOf(i, n)
			assert.Equal(t, i, partitionOf(first, n), "%d of %d", i, n)
			assert.Equal(t, i-1, partitionOf(first-1, n), "before %d of %d", i, n)
		}
		assert.Equal(t, n-1, partitionOf(^uint64(0), n))
	}
}

// TestPagesByPartition compares pages that count their bytes by partition with those that do not.
func TestPagesByPartition(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s, table := newTestStore(t)
		all := []Key{{}, {Hash: noHash}}
		update(t, s, func(tx *Tx) {
			for i := range rapid.IntRange(0, 40).Draw(r, "items") {
				it := testItem(strconv.Itoa(i/2), strconv.Itoa(i))
				put(tx, table, it)
				all = append(all, mustKey(table, it))
			}
		})
		some := rapid.SampledFrom(all)
		spec := PageSpec{Limit: rapid.IntRange(0, 12).Draw(r, "limit"), Range: Range{HiOpen: true}}
		if rapid.Bool().Draw(r, "bounds") {
			spec.Range = Range{Lo: some.Draw(r, "low"), Hi: some.Draw(r, "high")}
		}
		counted := spec
		counted.Partitions = rapid.IntRange(2, 9).Draw(r, "partitions")
		view(t, s, func(tx *Tx) {
			want, got := tx.Page(table, spec), tx.Page(table, counted)
			first := partitionOf(spec.Range.Lo.Hash, counted.Partitions)
			parts := make([]int, counted.Partitions)
			for _, it := range got.Items {
				parts[partitionOf(mustKey(table, it).Hash, counted.Partitions)] += it.Size()
			}
			read := parts[first:][:len(got.Parts)]
			require.Equal(r, read, got.Parts)
			last := len(got.Parts) - 1
			switch { // the page has read up to its last item, or up to the end of its range
			case got.More:
				require.NotZero(r, got.Parts[last])
			case spec.Range.HiOpen:
				require.Equal(r, counted.Partitions-1, first+last)
			case spec.Range.Lo.less(spec.Range.Hi):
				require.Equal(r, partitionOf(spec.Range.Hi.Hash, counted.Partitions), first+last)
			}
			got.Parts = nil
			require.Equal(r, want, got)
		})
	})
}
