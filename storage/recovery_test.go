package storage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// pastTest has tables whose past has to make room.
type pastTest struct {
	*testing.T
	now     time.Time
	options Options
	journal *memory
	store   *Store
	puts    int
}

const pastLife = 24 * time.Hour

func newPastTest(t *testing.T, memory int64, tables ...string) *pastTest {
	x := &pastTest{T: t, now: testTime, journal: newMemory()}
	x.options = Options{Now: func() time.Time { return x.now }, RecoveryMemory: memory}
	x.store = newDurable(x.options, testDurable(x.journal))
	update(t, x.store, func(tx *Tx) {
		for _, name := range tables {
			tx.Recovery().Enable(tx.Tables().Create(name, "id", testKey, nil, "settings"), pastLife)
		}
	})
	t.Cleanup(func() { require.NoError(t, x.store.Check()) })
	return x
}

// put replaces an item of a table again and again, once a second, with a text of so many bytes.
func (x *pastTest) put(table string, times, bytes int) {
	x.Helper()
	for range times {
		x.now = x.now.Add(time.Second)
		x.puts++
		it := testItem("a", "1",
			item.Attribute{
				Name: "v", Value: item.String(fmt.Sprint(x.puts, strings.Repeat("x", bytes))),
			})
		update(x.T, x.store, func(tx *Tx) { put(tx, tx.Table(table), it) })
	}
}

func (x *pastTest) from(table string) (from time.Time) {
	x.Helper()
	view(x.T, x.store, func(tx *Tx) {
		var ok bool
		from, _, ok = tx.Recovery().Window(tx.Table(table))
		require.True(x, ok)
	})
	return from
}

// at is the number of the put whose item a table held at a moment.
func (x *pastTest) at(table string, at time.Time) (number int) {
	x.Helper()
	require.Equal(x, errGiveUp, x.store.Update(func(tx *Tx) error {
		past := tx.Recovery().Restore(tx.Table(table), at, TableSpec{Name: "past", ID: "past"})
		_, err := fmt.Sscanf(tx.Get(past, mustKey(past, testItem("a", "1"))).Get("v").Str(), "%dx",
			&number)
		require.NoError(x, err)
		return errGiveUp
	}))
	return number
}

// changes counts the changes of a table that are kept, in memory and in the journal.
func (x *pastTest) changes(table string) (n int) {
	x.Helper()
	view(x.T, x.store, func(tx *Tx) {
		t := tx.Table(table)
		t.recovery.log.scan(0, func(*logged) bool { n++; return true })
		require.Len(x, x.journal.buckets[x.store.durable.bucket(kindUndo, t.number)], n)
	})
	return n
}

// TestPastMakesRoom: beyond the limit the first moment moves forward, and what is kept stays right.
func TestPastMakesRoom(t *testing.T) {
	x := newPastTest(t, 64<<10, "t", "u")
	x.put("u", 2, 1000)
	require.Equal(t, testTime, x.from("u"))
	x.put("t", 500, 1000)
	require.Less(t, x.changes("t"), 100, "as many as 64 KB hold")
	require.Greater(t, x.changes("t"), 50)
	require.Zero(t, x.changes("u"), "the oldest changes go first, whatever their table")
	require.Equal(t, testTime.Add(2*time.Second), x.from("u"))
	from := x.from("t")
	require.True(t, from.After(testTime.Add(400*time.Second)))
	for at := from; !at.After(x.now); at = at.Add(time.Second) {
		require.Equal(t, int(at.Sub(testTime)/time.Second), x.at("t", at))
	}
	loaded, err := Load(x.options, x.journal, textCodec{})
	require.NoError(t, err)
	x.store = loaded[0].Store
	require.Equal(t, from, x.from("t"))
	require.Equal(t, int(from.Sub(testTime)/time.Second), x.at("t", from))
}

// TestPastGrowsOld: changes that are older than the table's life go as others come.
func TestPastGrowsOld(t *testing.T) {
	x := newPastTest(t, 0, "t")
	x.put("t", 400, 1000)
	require.Equal(t, 400, x.changes("t"))
	x.now = x.now.Add(pastLife)
	require.Equal(t, 400, x.changes("t"))
	require.Equal(t, x.now.Add(-pastLife), x.from("t"))
	require.Equal(t, 400, x.at("t", x.from("t")))
	x.put("t", 1, 1000)
	require.Less(t, x.changes("t"), 200, "the last chunk")
	require.Equal(t, 400, x.at("t", x.now.Add(-time.Second)))
}

// TestPastOfOneMillisecond: a moment has all changes of its millisecond.
func TestPastOfOneMillisecond(t *testing.T) {
	x := newPastTest(t, 0, "t")
	x.put("t", 1, 1)
	at := x.now
	x.now = x.now.Add(time.Microsecond - time.Second)
	x.put("t", 1, 1)
	require.Equal(t, 2, x.at("t", at))
}

// TestEndOfPast: nothing is left of it in the journal when it or its table ends.
func TestEndOfPast(t *testing.T) {
	for name, end := range map[string]func(*Tx, *Table){
		"disabled": func(tx *Tx, t *Table) { tx.Recovery().Disable(t) },
		"dropped":  func(tx *Tx, t *Table) { tx.Tables().Drop(t) },
		"after a last write": func(tx *Tx, t *Table) {
			put(tx, t, testItem("b", "1"))
			tx.Tables().Drop(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newPastTest(t, 0, "t")
			x.put("t", 3, 1)
			update(t, x.store, func(tx *Tx) { end(tx, tx.Table("t")) })
			require.Empty(t, x.journal.filled()[x.store.durable.bucket(kindUndo, 1)])
		})
	}
}

// TestForksOfThePast: a fork's past stays as it was while the original drops and reuses its own.
func TestForksOfThePast(t *testing.T) {
	x := newPastTest(t, 64<<10, "t")
	x.put("t", 200, 1000)
	from := x.from("t")
	fork := *x
	fork.store = x.store.Fork()
	x.put("t", 500, 1000)
	require.True(t, x.from("t").After(from))
	forked := x.now
	x.now = testTime.Add(200 * time.Second)
	for at := from; !at.After(x.now); at = at.Add(time.Second) {
		require.Equal(t, int(at.Sub(testTime)/time.Second), fork.at("t", at))
	}
	x.now = forked
	for at := x.from("t"); !at.After(x.now); at = at.Add(time.Second) {
		require.Equal(t, int(at.Sub(testTime)/time.Second), x.at("t", at))
	}
}
