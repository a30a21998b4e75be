package storage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// unsentOf returns what the changes of an outbox write, as "pk/sk", with a minus for a removal.
func unsentOf(t require.TestingT, s *Store, label string) (list []string) {
	require.NoError(t, s.View(func(tx *Tx) error {
		for _, o := range tx.Outboxes().Pending() {
			if o.Label != label {
				continue
			}
			tx.Outboxes().Unsent(o, func(c *Change) bool {
				text := c.Keys.Get("pk").Str() + "/" + c.Keys.Get("sk").Num()
				if c.New == "" {
					text = "-" + text
				}
				list = append(list, text)
				return true
			})
		}
		return nil
	}))
	return list
}

// pass passes on n changes of an outbox.
func pass(t require.TestingT, s *Store, label string, n int) {
	require.NoError(t, s.Update(func(tx *Tx) error {
		for _, o := range tx.Outboxes().Pending() {
			if o.Label != label || n == 0 {
				continue
			}
			var last uint64
			tx.Outboxes().Unsent(o, func(c *Change) bool {
				last, n = c.Seq, n-1
				return n > 0
			})
			tx.Outboxes().Sent(o, last)
		}
		return nil
	}))
}

func TestOutbox(t *testing.T) {
	told := 0
	s := New(Options{Unsent: func(*Store, *Outbox) { told++ }})
	var table *Table
	update(t, s, func(tx *Tx) {
		table = tx.Tables().Create("t", "id", testKey, nil, nil)
		put(tx, table, testItem("before", "1"))
	})
	require.Zero(t, told)
	update(t, s, func(tx *Tx) { tx.Outboxes().Open(table, "box") })
	update(t, s, func(tx *Tx) {
		put(tx, table, testItem("a", "1"))
		put(tx, table, testItem("a", "2"))
	})
	update(t, s, func(tx *Tx) { put(tx, table, testItem("a", "1")) })
	update(t, s, func(tx *Tx) { tx.Delete(table, mustKey(table, testItem("a", "2"))) })
	require.Equal(t, 3, told, "an item that stays the same is no change")
	require.Equal(t, []string{"a/1", "a/2", "-a/2"}, unsentOf(t, s, "box"))

	require.Equal(t, errGiveUp, s.Update(func(tx *Tx) error {
		tx.Outboxes().Sent(tx.Outboxes().Pending()[0], 1<<40)
		tx.Outboxes().CloseAll(table)
		tx.Outboxes().Open(table, "other")
		put(tx, table, testItem("a", "3"))
		return errGiveUp
	}))
	require.Equal(t, []string{"a/1", "a/2", "-a/2"}, unsentOf(t, s, "box"), "after a rollback")

	pass(t, s, "box", 2)
	require.Equal(t, []string{"-a/2"}, unsentOf(t, s, "box"))
	require.Empty(t, unsentOf(t, s.Fork(), "box"), "the original passes its changes on")

	update(t, s, func(tx *Tx) { tx.Tables().Drop(table) })
	require.Equal(t, []string{"-a/2"}, unsentOf(t, s, "box"), "after the end of the table")
	pass(t, s, "box", 1)
	require.Empty(t, s.outboxes)
}

// TestOutboxKeepsMicroseconds: receivers may ask for a precision that streams do not have.
func TestOutboxKeepsMicroseconds(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 123_456_000, time.UTC)
	m := newMemory()
	o := Options{Now: func() time.Time { return at }}
	s := newDurable(o, testDurable(m))
	update(t, s, func(tx *Tx) {
		table := tx.Tables().Create("t", "id", testKey, nil, "settings")
		tx.Outboxes().Open(table, "box")
		put(tx, table, testItem("a", "1"))
	})
	loaded, err := Load(o, m, textCodec{})
	require.NoError(t, err)
	for _, s := range []*Store{s, loaded[0].Store} {
		view(t, s, func(tx *Tx) {
			tx.Outboxes().Unsent(tx.Outboxes().Pending()[0], func(c *Change) bool {
				require.True(t, at.Equal(c.Time))
				return true
			})
		})
	}
}

// TestOutboxMakesRoom: beyond the limit the fullest outbox loses its oldest changes, in the journal
// too.
func TestOutboxMakesRoom(t *testing.T) {
	m := newMemory()
	o := Options{OutboxMemory: 64 << 10}
	s := newDurable(o, testDurable(m))
	update(t, s, func(tx *Tx) {
		for _, name := range []string{"small", "large"} {
			tx.Outboxes().Open(tx.Tables().Create(name, name, testKey, nil, "settings"), name)
		}
		put(tx, tx.Table("small"), testItem("a", "1"))
	})
	long := item.Attribute{Name: "v", Value: item.String(strings.Repeat("x", 1000))}
	for i := range 500 {
		update(t, s,
			func(tx *Tx) { put(tx, tx.Table("large"), testItem("a", fmt.Sprint(i), long)) })
	}
	left := unsentOf(t, s, "large")
	require.Less(t, len(left), 100)
	require.Greater(t, len(left), 20)
	require.Equal(t, "a/499", left[len(left)-1])
	require.Equal(t, []string{"a/1"}, unsentOf(t, s, "small"))
	view(t, s, func(tx *Tx) {
		for _, o := range tx.Outboxes().Pending() {
			if o.Label == "large" {
				require.EqualValues(t, 500-len(left), o.Lost())
			}
		}
	})
	loaded, err := Load(o, m, textCodec{})
	require.NoError(t, err)
	require.Equal(t, left, unsentOf(t, loaded[0].Store, "large"))
}

// TestOutboxAgainstModel: whatever is committed between them, each change is passed on once, in its
// order, across reloads and mends of the journal.
func TestOutboxAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMemory()
		s := newDurable(Options{}, testDurable(m))
		want, boxes, n := map[string][]string{}, []string(nil), 0
		open := func(tx *Tx, table *Table) {
			boxes = append(boxes, fmt.Sprint("box", len(boxes)))
			tx.Outboxes().Open(table, boxes[len(boxes)-1])
		}
		require.NoError(t, s.Update(func(tx *Tx) error {
			open(tx, tx.Tables().Create("t", "id", testKey, nil, "settings"))
			return nil
		}))
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				require.NoError(t, s.Update(func(tx *Tx) error {
					for range rapid.IntRange(1, 3).Draw(t, "items") {
						n++
						put(tx, tx.Table("t"), testItem("a", fmt.Sprint(n)))
						current := boxes[len(boxes)-1]
						want[current] = append(want[current], fmt.Sprintf("a/%d", n))
					}
					return nil
				}))
			},
			"pass": func(t *rapid.T) {
				box := rapid.SampledFrom(boxes).Draw(t, "box")
				some := rapid.IntRange(0, len(want[box])).Draw(t, "changes")
				pass(t, s, box, some)
				want[box] = slices.Clone(want[box][some:])
			},
			"another": func(t *rapid.T) {
				require.NoError(t, s.Update(func(tx *Tx) error {
					tx.Outboxes().CloseAll(tx.Table("t"))
					open(tx, tx.Table("t"))
					return nil
				}))
			},
			"reload": func(t *rapid.T) {
				var b journal.Batch
				mended, err := Mend(Options{}, m, textCodec{}, &b)
				require.NoError(t, err)
				require.Empty(t, mended.Changes)
				loaded, err := Load(Options{}, m, textCodec{})
				require.NoError(t, err)
				s = loaded[0].Store
			},
			"": func(t *rapid.T) {
				for _, box := range boxes {
					require.Equal(t, strings.Join(want[box], " "),
						strings.Join(unsentOf(t, s, box), " "), box)
				}
				full := 1 // the open one
				for _, box := range boxes[:len(boxes)-1] {
					if len(want[box]) > 0 {
						full++
					}
				}
				require.Len(t, s.outboxes, full, "an empty one that is closed is gone")
				journaled, waiting := 0, 0
				for bucket, entries := range m.buckets {
					if bucket[4] == kindUnsent {
						journaled += len(entries)
					}
				}
				for _, box := range boxes {
					waiting += len(want[box])
				}
				require.Equal(t, waiting, journaled)
			},
		})
	})
}

// TestMendOutboxWithoutTable: what such an outbox has can still be passed on.
func TestMendOutboxWithoutTable(t *testing.T) {
	m := newMemory()
	s := newDurable(Options{}, testDurable(m))
	update(t, s, func(tx *Tx) {
		table := tx.Tables().Create("t", "id", testKey, nil, "settings")
		tx.Outboxes().Open(table, "box")
		put(tx, table, testItem("a", "1"))
	})
	delete(m.buckets[s.durable.bucket(kindSchema, 0)], keyTable+number(1))
	var b journal.Batch
	mended, err := Mend(Options{}, m, textCodec{}, &b)
	require.NoError(t, err)
	require.Contains(t, mended.Changes,
		"the outbox box of table t: the table is lost, so the outbox gets no more changes")
	require.NoError(t, journal.Decode(b.Bytes(), m))
	loaded, err := Load(Options{}, m, textCodec{})
	require.NoError(t, err)
	require.Equal(t, []string{"a/1"}, unsentOf(t, loaded[0].Store, "box"))
}
