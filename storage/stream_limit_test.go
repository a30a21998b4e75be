package storage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// limitTest has two tables with streams, and a small limit of memory.
type limitTest struct {
	*testing.T
	options Options
	journal *memory
	store   *Store
	puts    int
}

func newLimitTest(t *testing.T) *limitTest {
	x := &limitTest{T: t, journal: newMemory()}
	x.options = Options{
		Now: func() time.Time { return testTime }, OpenShards: 2, StreamMemory: 64 << 10,
	}
	x.store = newDurable(x.options, testDurable(x.journal))
	update(t, x.store, func(tx *Tx) {
		for _, name := range []string{"t", "u"} {
			tx.Streams().Enable(tx.Tables().Create(name, "id", testKey, nil, "settings"), "one",
				"NEW_AND_OLD_IMAGES")
		}
	})
	return x
}

// put puts new items, to one table and the other in turn.
func (x *limitTest) put(s *Store, n, bytes int) {
	x.Helper()
	for range n {
		x.puts++
		it := testItem(fmt.Sprint(x.puts), "1",
			item.Attribute{Name: "v", Value: item.String(strings.Repeat("x", bytes))})
		update(x.T, s, func(tx *Tx) { put(tx, tx.Table([]string{"t", "u"}[x.puts%2]), it) })
	}
}

// held returns the Seqs of the changes that a store's streams hold.
func (x *limitTest) held(s *Store) map[uint64]bool {
	x.Helper()
	seqs := map[uint64]bool{}
	view(x.T, s, func(tx *Tx) {
		for _, stream := range tx.Streams().All() {
			for _, sh := range stream.Shards() {
				require.False(
					x, tx.Streams().
						Changes(stream, sh, tx.Streams().Horizon(sh), func(c *Change) bool {
							seqs[c.Seq] = true
							return true
						}))
			}
		}
	})
	return seqs
}

// isSmall checks that a store's streams hold the latest changes, and nearly as many as the limit
// allows.
func (x *limitTest) isSmall(s *Store, each int) {
	x.Helper()
	most, held := s.streamMemory, x.held(s)
	assert.LessOrEqual(x, s.logBytes(), most+most/8)
	assert.GreaterOrEqual(x, s.logBytes(), most-most/8-int64(each))
	latest := 0
	for seq := s.seq; held[seq]; seq-- {
		latest++
	}
	assert.Greater(x, latest, len(held)/2, "the oldest go first, by chunks")
}

func TestStreamMemory(t *testing.T) {
	for name, bytes := range map[string]int{"small": 100, "large": 5000} {
		t.Run(name, func(t *testing.T) {
			x := newLimitTest(t)
			first := x.store.seq + 1
			x.put(x.store, 3, bytes)
			assert.Len(t, x.held(x.store), 3)
			x.put(x.store, 300_000/bytes, bytes)
			x.isSmall(x.store, bytes)
			view(t, x.store, func(tx *Tx) {
				for _, stream := range tx.Streams().All() {
					for _, sh := range stream.Shards() {
						assert.True(t,
							tx.Streams().Changes(stream, sh, first,
								func(*Change) bool { panic("a change that made room") }))
						assert.True(t, tx.Streams().Trimmed(sh, first))
						assert.False(t, tx.Streams().Trimmed(sh, tx.Streams().Horizon(sh)))
					}
				}
			})
		})
	}
}

// A change that is larger than the limit is dropped at once, and does not hinder others.
func TestStreamMemoryTooSmall(t *testing.T) {
	x := newLimitTest(t)
	x.put(x.store, 1, 100_000)
	assert.Empty(t, x.held(x.store))
	x.put(x.store, 3, 10)
	assert.Len(t, x.held(x.store), 3)
}

func TestStreamMemoryOfForks(t *testing.T) {
	x := newLimitTest(t)
	x.put(x.store, 500, 100)
	before := x.held(x.store)
	f := x.store.Fork()
	x.put(f, 3000, 100)
	x.isSmall(f, 100)
	assert.Equal(t, before, x.held(x.store))
	after := x.held(f)
	x.put(x.store, 3000, 100)
	x.isSmall(x.store, 100)
	assert.Equal(t, after, x.held(f))
}

func TestStreamMemoryIsDurable(t *testing.T) {
	x := newLimitTest(t)
	x.put(x.store, 3000, 100)
	want := x.held(x.store)
	x.load()
	assert.Equal(t, want, x.held(x.store))
	x.isRewritten()
	x.options.StreamMemory /= 4
	x.load()
	x.put(x.store, 1, 100)
	x.isSmall(x.store, 100)
	want = x.held(x.store)
	x.isRewritten()
	x.options.StreamMemory = 0
	x.load()
	assert.Equal(t, want, x.held(x.store), "what made room does not come back")
}

func (x *limitTest) load() {
	x.Helper()
	loaded, err := Load(x.options, x.journal, textCodec{})
	require.NoError(x, err)
	x.store = loaded[0].Store
}

// isRewritten compares the journal with a new one of the same store.
func (x *limitTest) isRewritten() {
	x.Helper()
	m := durableMachine{machine: machine{worlds: []*world{{store: x.store}}}, journal: x.journal}
	m.rewritten(x.T)
}

// TestStreamHides: a stream keeps only the keys of images that it does not show.
func TestStreamHides(t *testing.T) {
	keys := testItem("a", "1")
	old := keys.With(item.Attribute{Name: "v", Value: item.String("old")})
	new := keys.With(item.Attribute{Name: "v", Value: item.String("new")})
	for name, want := range map[string][2]item.Item{
		"KEYS_ONLY":          {keys, keys},
		"NEW_IMAGE":          {keys, new},
		"OLD_IMAGE":          {old, keys},
		"NEW_AND_OLD_IMAGES": {old, new},
	} {
		t.Run(name, func(t *testing.T) {
			s, table := newTestStore(t)
			update(t, s, func(tx *Tx) { put(tx, table, old) })
			update(t, s, func(tx *Tx) { tx.Streams().Enable(table, "one", name) })
			update(t, s, func(tx *Tx) { put(tx, table, new) })
			var got []Change
			view(t, s, func(tx *Tx) {
				stream := tx.Streams().ByLabel("t", "one")
				tx.Streams().Changes(stream, stream.Shards()[0], 0, func(c *Change) bool {
					got = append(got, *c)
					return true
				})
			})
			require.Len(t, got, 1)
			assert.Equal(t, want, [2]item.Item{got[0].Old, got[0].New})
			assert.Equal(t, keys, got[0].Keys)
		})
	}
}
