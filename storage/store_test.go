package storage

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

var testTime = time.Unix(1_234_567_890, 0)

// newTestStore returns a store with a fixed clock and a table "t". The test ends with Store.Check.
func newTestStore(t *testing.T, indexes ...IndexSchema) (*Store, *Table) {
	t.Helper()
	s := New(Options{Now: func() time.Time { return testTime }})
	t.Cleanup(func() { require.NoError(t, s.Check()) })
	var table *Table
	update(t, s, func(tx *Tx) { table = tx.Tables().Create("t", "id", testKey, indexes, nil) })
	return s, table
}

func update(t *testing.T, s *Store, fn func(*Tx)) {
	t.Helper()
	require.NoError(t, s.Update(func(tx *Tx) error {
		fn(tx)
		return nil
	}))
}

func view(t *testing.T, s *Store, fn func(*Tx)) {
	t.Helper()
	require.NoError(t, s.View(func(tx *Tx) error {
		fn(tx)
		return nil
	}))
}

// testItem returns an item with the key pk, sk and other attributes.
func testItem(pk, sk string, others ...item.Attribute) item.Item {
	return item.New(append([]item.Attribute{
		{Name: "pk", Value: item.String(pk)},
		{Name: "sk", Value: item.Value(`{"N":"` + sk + `"}`)},
	}, others...)...)
}

func put(tx *Tx, t *Table, it item.Item) { tx.Put(t, mustKey(t, it), it) }

func TestNewTableIsEmpty(t *testing.T) {
	s, table := newTestStore(t, testIndexes...)
	require.Equal(t, testTime, table.Created)
	view(t, s, func(tx *Tx) {
		require.Same(t, table, tx.Table("t"))
		require.Nil(t, tx.Table("u"))
		require.Nil(t, tx.Tables().Index(table, "none"))
		require.Zero(t, tx.Tables().Stats(table))
		require.Zero(t, tx.CollectionBytes(table, testItem("a", "1")))
		require.Zero(t, tx.Page(table, PageSpec{Range: Range{HiOpen: true}}))
		for i, ix := range tx.Tables().Indexes(table) {
			require.Equal(t, testIndexes[i], ix.IndexSchema)
			require.Same(t, ix, tx.Tables().Index(table, ix.Name))
			require.Zero(t, tx.Tables().IndexStats(table, ix))
		}
	})
}

// TestSystemClock: the default clock of a store is the system's.
func TestSystemClock(t *testing.T) {
	s := New(Options{})
	update(t, s, func(tx *Tx) {
		require.False(t, tx.Tables().Create("t", "id", testKey, nil, nil).Created.IsZero())
	})
}

func TestMisuse(t *testing.T) {
	it := testItem("a", "1")
	other, otherTable := newTestStore(t)
	dropping := func(tx *Tx, table *Table) *Table {
		tx.Tables().Drop(table)
		return table
	}
	for _, test := range []struct {
		name  string
		panic string
		run   func(*Tx, *Table)
		views bool
	}{
		{"put in a view", "storage: a write in a View", func(tx *Tx, t *Table) { put(tx, t, it) },
			true},
		{"delete in a view", "storage: a write in a View",
			func(tx *Tx, t *Table) { tx.Delete(t, mustKey(t, it)) }, true},
		{"create in a view", "storage: a write in a View",
			func(tx *Tx, t *Table) { tx.Tables().Create("u", "id", testKey, nil, nil) }, true},
		{"drop in a view", "storage: a write in a View",
			func(tx *Tx, t *Table) { tx.Tables().Drop(t) },
			true},
		{"settings in a view", "storage: a write in a View",
			func(tx *Tx, t *Table) { tx.Tables().SetSettings(t, 1) }, true},
		{"add index in a view", "storage: a write in a View",
			func(tx *Tx, t *Table) { tx.Tables().AddIndex(t, testIndexes[0]) }, true},
		{"drop index in a view", "storage: a write in a View",
			func(tx *Tx, t *Table) { tx.Tables().DropIndex(t, nil) }, true},
		{"put of nothing", "storage: Put of no item",
			func(tx *Tx, t *Table) { tx.Put(t, mustKey(t, it), "") }, false},
		{"name taken", "storage: there is a table t already",
			func(tx *Tx, t *Table) { tx.Tables().Create("t", "id", testKey, nil, nil) }, false},
		{"another store's table", "storage: table t is of another store, or was dropped",
			func(tx *Tx, _ *Table) { put(tx, otherTable, it) }, false},
		{"reading another store's table", "storage: table t is of another store, or was dropped",
			func(tx *Tx, _ *Table) { tx.Get(otherTable, Key{}) }, true},
		{"dropped table", "storage: table t is of another store, or was dropped",
			func(tx *Tx, t *Table) { put(tx, dropping(tx, t), it) }, false},
		{"dropped twice", "storage: table t is of another store, or was dropped",
			func(tx *Tx, t *Table) { tx.Tables().Drop(dropping(tx, t)) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, table := newTestStore(t)
			do := s.Update
			if test.views {
				do = s.View
			}
			require.PanicsWithValue(t, test.panic, func() {
				_ = do(func(tx *Tx) error {
					test.run(tx, table)
					return nil
				})
			})
			update(t, s, func(tx *Tx) { put(tx, table, it) }) // the store is unchanged and unlocked
		})
	}
	view(t, other, func(tx *Tx) { require.Zero(t, tx.Tables().Stats(otherTable)) })
}

// TestTablesOfFork: a fork's handles are its own, and neither side sees the other's writes.
func TestTablesOfFork(t *testing.T) {
	s, table := newTestStore(t, testIndexes...)
	a, b := testItem("a", "1"), testItem("b", "1")
	update(t, s, func(tx *Tx) { put(tx, table, a) })
	f := s.Fork()
	update(t, s, func(tx *Tx) { put(tx, table, b) })
	update(t, f, func(tx *Tx) {
		forked := tx.Table("t")
		require.NotSame(t, table, forked)
		require.Equal(t, table.ID, forked.ID)
		require.NotSame(t, &table.Key, &tx.Tables().Index(forked, "global-all").table)
		require.Equal(t, a, tx.Get(forked, mustKey(forked, a)))
		require.Empty(t, tx.Get(forked, mustKey(forked, b)))
		tx.Delete(forked, mustKey(forked, a))
	})
	require.NoError(t, f.Check())
	view(t, s, func(tx *Tx) { require.Equal(t, a, tx.Get(table, mustKey(table, a))) })
}

func TestFailedUpdateOfSchema(t *testing.T) {
	s, table := newTestStore(t, testIndexes[:3]...)
	it := testItem("a", "1", item.Attribute{Name: "g", Value: item.String("g")})
	update(t, s, func(tx *Tx) {
		put(tx, table, it)
		tx.Tables().SetSettings(table, "old")
	})
	failure := errors.New("failure")
	require.Same(t, failure, s.Update(func(tx *Tx) error {
		tx.Tables().SetSettings(table, "new")
		tx.Tables().DropIndex(table, tx.Tables().Index(table, "local-all"))
		tx.Tables().AddIndex(table, testIndexes[4])
		put(tx, table, testItem("a", "2"))
		tx.Tables().Drop(table)
		put(tx, tx.Tables().Create("t", "other", testKey, nil, nil), it)
		tx.Tables().Create("u", "id", testKey, nil, nil)
		return failure
	}))
	view(t, s, func(tx *Tx) {
		require.Equal(t, []string{"t"}, tx.Tables().Names())
		require.Same(t, table, tx.Table("t"))
		require.Equal(t, "old", tx.Tables().Settings(table))
		require.Len(t, tx.Tables().Indexes(table), 3)
		require.Equal(t, int64(1), tx.Tables().Stats(table).Items)
	})
}

// TestUnchangedEntries: a write does not write entries that stay the same.
func TestUnchangedEntries(t *testing.T) {
	projected := IndexSchema{"projected", false, KeySchema{Hash: []KeyAttribute{attrG}},
		Projection{Type: "KEYS_ONLY"}}
	whole := IndexSchema{"whole", false, KeySchema{Hash: []KeyAttribute{attrG}},
		Projection{Type: "ALL"}}
	s, table := newTestStore(t, projected, whole)
	g := item.Attribute{Name: "g", Value: item.String("g")}
	first := testItem("a", "1", g)
	held := func(tx *Tx, index string) item.Item {
		return tx.Page(table,
			PageSpec{Index: tx.Tables().Index(table, index), Range: Range{HiOpen: true}}).Items[0]
	}
	update(t, s, func(tx *Tx) {
		put(tx, table, first)
		entry := held(tx, "projected")
		put(tx, table, testItem("a", "1", g, item.Attribute{Name: "x", Value: item.String("x")}))
		require.True(t, sameMemory(entry, held(tx, "projected")), "an entry that stays as it is")
		put(tx, table, first)
		stored := tx.Get(table, mustKey(table, first))
		put(tx, table, testItem("a", "1", g))
		require.True(t, sameMemory(stored, tx.Get(table, mustKey(table, first))),
			"an item that stays as it is")
		require.True(t, sameMemory(stored, held(tx, "whole")))
	})
}

// TestMemoryIsReleased: the store does not refer to old items and long keys longer than it needs
// them.
func TestMemoryIsReleased(t *testing.T) {
	s, table := newTestStore(t, testIndexes[0])
	it := testItem("a", "1")
	k := mustKey(table, it)
	var used *Tx
	update(t, s, func(tx *Tx) {
		used = tx
		tx.Put(table, k, it)
	})
	require.NotZero(t, cap(used.log))
	for _, r := range used.log[:cap(used.log)] {
		require.Zero(t, r)
	}
	require.Nil(t, used.store)
	partition, _ := table.collections.of(k)
	require.False(t, sameMemory(item.Item(k.Text), item.Item(partition.key.Text)))
	update(t, s, func(tx *Tx) {
		used = tx
		for range keptLog {
			tx.Tables().SetSettings(table, 1)
			tx.Put(table, k, it)
		}
	})
	require.Zero(t, cap(used.log), "a long log is dropped")
}

// TestPutAt: PutAt writes the item at the key of its lookup, wherever that key now is.
func TestPutAt(t *testing.T) {
	const items = 500 // several leaves
	partition := func(i int) item.Item { return testItem(fmt.Sprint(i), "1") }
	for _, c := range []struct {
		name    string
		looksUp bool
		between func(tx *Tx, t *Table)
	}{
		{"after GetAll", true, func(*Tx, *Table) {}},
		{"without GetAll", false, func(*Tx, *Table) {}},
		{"after the leaf was split", true, func(tx *Tx, t *Table) {
			for i := range items {
				put(tx, t, partition(items+i))
			}
		}},
		{"after all items were deleted", true, func(tx *Tx, t *Table) {
			for i := range items {
				tx.Delete(t, mustKey(t, partition(i)))
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, table := newTestStore(t, testIndexes...)
			update(t, s, func(tx *Tx) {
				for i := range items {
					put(tx, table, partition(i))
				}
			})
			fork := s.Fork() // shares the leaves: a write to one store must not reach the other
			update(t, s, func(tx *Tx) {
				old := partition(250)
				l := []Lookup{{Table: table, Key: mustKey(table, old)}}
				if c.looksUp {
					tx.GetAll(l)
					require.Equal(t, old, l[0].Item)
				}
				c.between(tx, table)
				changed := testItem("250", "1", item.Attribute{Name: "x", Value: item.String("x")})
				tx.PutAt(&l[0], changed)
				require.Equal(t, changed, tx.Get(table, l[0].Key))
			})
			view(t, fork, func(tx *Tx) {
				table := tx.Table("t")
				require.EqualValues(t, items, tx.Tables().Stats(table).Items)
				require.Equal(t, partition(250), tx.Get(table, mustKey(table, partition(250))))
			})
			require.NoError(t, fork.Check())
		})
	}
}

// TestAllocations: a read allocates nothing, and a write without listeners only the copy of its
// item.
func TestAllocations(t *testing.T) {
	s, table := newTestStore(t)
	a, b := testItem("a", "1"), testItem("a", "1",
		item.Attribute{Name: "x", Value: item.String("x")})
	k := mustKey(table, a)
	swap := func(tx *Tx) error {
		tx.PutOwnedAt(&Lookup{Table: table, Key: k}, a)
		tx.PutOwnedAt(&Lookup{Table: table, Key: k}, b)
		return nil
	}
	copied := func(tx *Tx) error {
		tx.Put(table, k, a)
		tx.PutOwnedAt(&Lookup{Table: table, Key: k}, b)
		return nil
	}
	get := func(tx *Tx) error {
		if tx.Get(table, k) != b {
			return errGiveUp
		}
		return nil
	}
	require.Zero(t, leastAllocs(func() { _ = s.Update(swap) }))
	require.Equal(t, 1.0, leastAllocs(func() { _ = s.Update(copied) }))
	require.Zero(t, leastAllocs(func() { _ = s.View(get) }))
	update(t, s, func(tx *Tx) { tx.Recovery().Enable(table, time.Hour) })
	next, other := a, b
	one := func(tx *Tx) error {
		next, other = other, next
		tx.PutOwnedAt(&Lookup{Table: table, Key: k}, next)
		return nil
	}
	require.Zero(t, leastAllocs(func() { _ = s.Update(one) }), "changes for recovery lie in chunks")
}

// leastAllocs returns how many allocations f makes when the pools have what it needs. Under the
// race detector pools drop things at random.
func leastAllocs(f func()) float64 {
	least := math.Inf(1)
	for range 50 {
		least = min(least, testing.AllocsPerRun(10, f))
	}
	return least
}
