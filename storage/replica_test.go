package storage

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// replicaPair is two durable stores with the same table, each a replica of the other.
type replicaPair struct {
	*testing.T
	journal *memory
	now     time.Time
	stores  []*Store
}

func newReplicaPair(t *testing.T) *replicaPair {
	x := &replicaPair{T: t, journal: newMemory(), now: time.Unix(1_000_000, 0)}
	for i, name := range []string{"a", "b"} {
		x.stores = append(x.stores,
			newDurable(x.options(),
				Durable{Journal: x.journal, Codec: textCodec{}, Space: uint32(i), Name: name}))
	}
	require.NoError(t, UpdateAll(x.stores, func(txs []*Tx) error {
		first := txs[0].Tables().Create("t", "id", testKey, nil, "new")
		txs[0].Put(first, mustKey(first, replicaItem("old")), replicaItem("old"))
		second := txs[1].Replicas().
			CopyTable(first, TableSpec{Name: "t", ID: "id2", Settings: "copy"})
		txs[0].Replicas().Set(first, "a", []string{"b"})
		txs[1].Replicas().Set(second, "b", []string{"a"})
		return nil
	}))
	return x
}

func (x *replicaPair) options() Options { return Options{Now: func() time.Time { return x.now }} }

func replicaItem(v string) item.Item {
	return item.New(item.Attribute{Name: "pk", Value: item.String("k")},
		item.Attribute{Name: "sk", Value: `{"N":"1"}`},
		item.Attribute{Name: "y", Value: item.String(v)})
}

func (x *replicaPair) put(store int, v string) {
	x.Helper()
	require.NoError(x, x.stores[store].Update(func(tx *Tx) error {
		t := tx.Table("t")
		tx.Put(t, mustKey(t, replicaItem(v)), replicaItem(v))
		return nil
	}))
}

// deliver delivers all changes of a store.
func (x *replicaPair) deliver(from, to int) {
	x.Helper()
	var changes []*Outgoing
	peer := []string{"a", "b"}[to]
	require.NoError(x, x.stores[from].View(func(tx *Tx) error {
		tx.Replicas().Outgoing(tx.Table("t"), peer, func(out *Outgoing) bool {
			changes = append(changes, out)
			return true
		})
		return nil
	}))
	for _, out := range changes {
		require.NoError(x, x.stores[to].Update(func(tx *Tx) error {
			tx.Replicas().Arrive(tx.Table("t"), out)
			return nil
		}))
	}
	require.NoError(x, x.stores[from].Update(func(tx *Tx) error {
		tx.Replicas().Delivered(tx.Table("t"), peer, changes)
		return nil
	}))
}

func (x *replicaPair) wantBoth(v string) {
	x.Helper()
	for _, s := range x.stores {
		require.NoError(x, s.Check())
		require.NoError(x, s.View(func(tx *Tx) error {
			t := tx.Table("t")
			assert.Equal(x, replicaItem(v), tx.Get(t, mustKey(t, replicaItem(v))))
			_, quiet := tx.Replicas().Quiet(t)
			assert.True(x, quiet)
			return nil
		}))
	}
}

// load replaces the stores by those of the journal.
func (x *replicaPair) load() {
	x.Helper()
	loaded, err := Load(x.options(), x.journal, textCodec{})
	require.NoError(x, err)
	for i, l := range loaded {
		x.stores[i] = l.Store
	}
}

func TestReplicasAreLoaded(t *testing.T) {
	x := newReplicaPair(t)
	x.put(0, "1")
	x.now = x.now.Add(time.Second)
	x.put(1, "2")
	x.load()
	x.deliver(0, 1)
	x.load()
	x.deliver(1, 0)
	x.wantBoth("2")
	x.put(0, "3")
	x.load()
	x.deliver(0, 1)
	x.wantBoth("3")
}

func TestCombine(t *testing.T) {
	x := newReplicaPair(t)
	for _, v := range []string{"1", "2", "3"} {
		x.put(0, v)
	}
	require.NoError(t, x.stores[0].Update(func(tx *Tx) error {
		tx.Replicas().Combine(tx.Table("t"), "b")
		return nil
	}))
	x.load()
	require.NoError(t, x.stores[0].View(func(tx *Tx) error {
		n := 0
		tx.Replicas().Outgoing(tx.Table("t"), "b", func(*Outgoing) bool { n++; return true })
		assert.Equal(t, 1, n)
		return nil
	}))
	x.deliver(0, 1)
	x.wantBoth("3")
}

func TestForgetVersions(t *testing.T) {
	x := newReplicaPair(t)
	x.put(0, "1")
	x.deliver(0, 1)
	require.NoError(t, UpdateAll(x.stores, func(txs []*Tx) error {
		ForgetVersions(txs, "t")
		return nil
	}))
	x.load()
	// a write is newer than what is forgotten, whatever the clock says
	x.now = x.now.Add(-time.Hour)
	x.put(1, "2")
	x.deliver(1, 0)
	x.wantBoth("2")
}

func TestUpdateAllCommitsAllOrNothing(t *testing.T) {
	x := newReplicaPair(t)
	batches := x.journal.batches
	write := func(end error) error {
		return UpdateAll(x.stores, func(txs []*Tx) error {
			for _, tx := range txs {
				tx.Tables().SetSettings(tx.Table("t"), "changed")
			}
			return end
		})
	}
	assert.Equal(t, errGiveUp, write(errGiveUp))
	x.load()
	assert.Equal(t, batches, x.journal.batches)
	require.NoError(t, x.stores[1].View(func(tx *Tx) error {
		assert.Equal(t, "copy", tx.Tables().Settings(tx.Table("t")))
		return nil
	}))
	require.NoError(t, write(nil))
	assert.Equal(t, batches+1, x.journal.batches)
}

// TestSeparate: the writes of an item before and after Separate are two changes. The peer gets the
// second.
func TestSeparate(t *testing.T) {
	x := newReplicaPair(t)
	x.deliver(0, 1)
	require.NoError(t, x.stores[0].Update(func(tx *Tx) error {
		table := tx.Table("t")
		tx.Streams().Enable(table, "one", "NEW_AND_OLD_IMAGES")
		put := func(v string) { tx.Put(table, mustKey(table, replicaItem(v)), replicaItem(v)) }
		put("0")
		put("1")
		tx.Separate()
		put("2")
		put("3")
		return nil
	}))
	require.NoError(t, x.stores[0].View(func(tx *Tx) error {
		stream := tx.Streams().ByLabel("t", "one")
		var changes []string
		tx.Streams().Changes(stream, stream.Shards()[0], 0, func(c *Change) bool {
			changes = append(changes, c.Old.Get("y").Str()+" "+c.New.Get("y").Str())
			return true
		})
		assert.Equal(t, []string{"old 1", "1 3"}, changes)
		n := 0
		tx.Replicas().Outgoing(tx.Table("t"), "b", func(*Outgoing) bool { n++; return true })
		assert.Equal(t, 1, n)
		return nil
	}))
	x.load()
	x.deliver(0, 1)
	x.wantBoth("3")
}

// TestSeparateWithoutAChange: the peer gets the first change if the second one changes nothing.
func TestSeparateWithoutAChange(t *testing.T) {
	x := newReplicaPair(t)
	require.NoError(t, x.stores[0].Update(func(tx *Tx) error {
		table := tx.Table("t")
		tx.Put(table, mustKey(table, replicaItem("1")), replicaItem("1"))
		tx.Separate()
		tx.Put(table, mustKey(table, replicaItem("1")), replicaItem("1"))
		return nil
	}))
	x.deliver(0, 1)
	x.wantBoth("1")
}

// TestSeparateManyWrites: more writes than a linear search looks through.
func TestSeparateManyWrites(t *testing.T) {
	s, table, _ := streamStore(t, Options{})
	update(t, s, func(tx *Tx) {
		for _, v := range []string{"1", "2"} {
			for i := range fewWrites {
				it := testItem(fmt.Sprint("k", i), "1")
				put(tx, table, it)
				put(tx, table, it.With(item.Attribute{Name: "y", Value: item.String(v)}))
			}
			tx.Separate()
		}
	})
	assert.Len(t, logOf(t, s, "one"), 2*fewWrites)
}

// TestWithhold: the changes of an Update stay in the replica, and a later write of its peer wins.
func TestWithhold(t *testing.T) {
	x := newReplicaPair(t)
	x.deliver(0, 1)
	require.NoError(t, x.stores[0].Update(func(tx *Tx) error {
		table := tx.Table("t")
		tx.Replicas().Withhold()
		tx.Delete(table, mustKey(table, replicaItem("old")))
		return nil
	}))
	require.NoError(t, x.stores[0].View(func(tx *Tx) error {
		_, quiet := tx.Replicas().Quiet(tx.Table("t"))
		assert.True(t, quiet)
		return nil
	}))
	x.now = x.now.Add(time.Second)
	x.put(1, "1")
	x.load()
	x.deliver(1, 0)
	x.wantBoth("1")
}

func TestHasReplicas(t *testing.T) {
	x := newReplicaPair(t)
	s := x.stores[0]
	change := func(f func(tx *Tx, t *Table)) {
		require.NoError(t, s.Update(func(tx *Tx) error {
			f(tx, tx.Table("t"))
			return nil
		}))
	}
	leave := func(tx *Tx, t *Table) { tx.Replicas().Set(t, "", nil) }
	require.Error(t, s.Update(func(tx *Tx) error {
		leave(tx, tx.Table("t"))
		return errors.New("give up")
	}))
	assert.True(t, s.HasReplicas())
	change(func(tx *Tx, _ *Table) { tx.Tables().Create("other", "id3", testKey, nil, "new") })
	change(leave)
	assert.False(t, s.HasReplicas())
	assert.False(t, s.Fork().HasReplicas())
	change(func(tx *Tx, t *Table) { tx.Replicas().Set(t, "a", []string{"b"}) })
	assert.True(t, s.HasReplicas())
	assert.True(t, s.Fork().HasReplicas())
	change(func(tx *Tx, t *Table) { tx.Tables().Drop(t) })
	assert.False(t, s.HasReplicas())
	x.load()
	assert.False(t, x.stores[0].HasReplicas())
	assert.True(t, x.stores[1].HasReplicas())
}
