package storage

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

func TestChanges(t *testing.T) {
	a1, b1 := testItem("a", "1"), testItem("b", "1")
	a1x := testItem("a", "1", item.Attribute{Name: "x", Value: item.String("x")})
	for _, test := range []struct {
		name string
		run  func(*Tx, *Table)
		want []Change // only Old and New
	}{
		{"nothing", func(*Tx, *Table) {}, nil},
		{"put", func(tx *Tx, t *Table) { put(tx, t, b1) }, []Change{{New: b1}}},
		{"replace", func(tx *Tx, t *Table) { put(tx, t, a1x) }, []Change{{Old: a1, New: a1x}}},
		{"put what is there", func(tx *Tx, t *Table) { put(tx, t, a1) },
			[]Change{{Old: a1, New: a1}}},
		{"delete", func(tx *Tx, t *Table) { tx.Delete(t, mustKey(t, a1)) }, []Change{{Old: a1}}},
		{"delete nothing", func(tx *Tx, t *Table) { tx.Delete(t, mustKey(t, b1)) }, nil},
		{"last wins", func(tx *Tx, t *Table) {
			put(tx, t, a1x)
			put(tx, t, b1)
			tx.Delete(t, mustKey(t, a1))
		}, []Change{{Old: a1}, {New: b1}}},
		{"put and delete", func(tx *Tx, t *Table) {
			put(tx, t, b1)
			tx.Delete(t, mustKey(t, b1))
		}, nil},
		{"delete and put", func(tx *Tx, t *Table) {
			tx.Delete(t, mustKey(t, a1))
			put(tx, t, a1x)
		}, []Change{{Old: a1, New: a1x}}},
		{"settings", func(tx *Tx, t *Table) { tx.Tables().SetSettings(t, 1) }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, table := newTestStore(t)
			update(t, s, func(tx *Tx) { put(tx, table, a1) })
			calls := 0
			s.Listen(func(changes []Change) {
				calls++
				require.Len(t, changes, len(test.want))
				first := changes[0].Seq
				require.Greater(t, first, uint64(1))
				for i, want := range test.want {
					want.Table, want.Time, want.Seq = table, testTime, first+uint64(i)
					image := want.New
					if image == "" {
						image = want.Old
					}
					want.Keys = image.Only("pk", "sk")
					require.Equal(t, want, changes[i])
				}
			})
			update(t, s, func(tx *Tx) { test.run(tx, table) })
			require.Equal(t, min(len(test.want), 1), calls)
		})
	}
}

// TestChangesOfManyWrites: an item that is written several times in one Update has one change.
func TestChangesOfManyWrites(t *testing.T) {
	for _, items := range []int{fewWrites / 2, fewWrites/2 + 1, 100} {
		t.Run(fmt.Sprint(items), func(t *testing.T) {
			s, table := newTestStore(t)
			var heard []Change
			s.Listen(func(changes []Change) { heard = slices.Clone(changes) })
			made := func(i int, x string) item.Item {
				return testItem("a", fmt.Sprint(i),
					item.Attribute{Name: "x", Value: item.String(x)})
			}
			update(t, s, func(tx *Tx) {
				for _, x := range []string{"first", "last"} {
					for i := range items {
						put(tx, table, made(i, x))
					}
				}
			})
			require.Len(t, heard, items)
			for i, c := range heard {
				require.Equal(t, made(i, "last"), c.New)
				require.Zero(t, c.Old)
			}
		})
	}
}

func TestListeners(t *testing.T) {
	s, table := newTestStore(t)
	var heard []string
	listen := func(name string) (cancel func()) {
		return s.Listen(func(changes []Change) { heard = append(heard, name) })
	}
	write := func() (by []string) {
		heard = nil
		update(t, s, func(tx *Tx) { put(tx, table, testItem("a", "1")) })
		return slices.Clone(heard)
	}
	require.Empty(t, write())
	first, second := listen("first"), listen("second")
	require.Equal(t, []string{"first", "second"}, write())
	first()
	require.Equal(t, []string{"second"}, write())
	first()
	require.Equal(t, []string{"second"}, write())
	f := s.Fork()
	heard = nil
	update(t, f, func(tx *Tx) { put(tx, tx.Table("t"), testItem("b", "1")) })
	require.Empty(t, heard, "a fork has no listeners")
	second()
	require.Empty(t, write())
}

// TestChangesWithoutListeners: without listeners the sequence numbers still advance, in a fork too,
// and nobody reads the clock.
func TestChangesWithoutListeners(t *testing.T) {
	looks := 0
	s := New(Options{Now: func() time.Time {
		looks++
		return testTime
	}})
	update(t, s, func(tx *Tx) { tx.Tables().Create("t", "id", testKey, nil, nil) })
	require.Equal(t, 1, looks)
	write := func(s *Store, sk string) {
		update(t, s, func(tx *Tx) { put(tx, tx.Table("t"), testItem("a", sk)) })
	}
	var seq uint64
	hear := func(s *Store) uint64 {
		cancel := s.Listen(func(changes []Change) { seq = changes[0].Seq })
		defer cancel()
		write(s, "0")
		return seq
	}
	before := hear(s)
	looks = 0
	write(s, "1")
	write(s, "2")
	require.Zero(t, looks)
	require.GreaterOrEqual(t, hear(s), before+3)
	require.Greater(t, hear(s.Fork()), before+3)
}

// TestPanickingListener: the commit remains, and the store stays usable.
func TestPanickingListener(t *testing.T) {
	s, table := newTestStore(t)
	failure := errors.New("failure")
	cancel := s.Listen(func([]Change) { panic(failure) })
	it := testItem("a", "1")
	require.PanicsWithValue(t, failure, func() {
		_ = s.Update(func(tx *Tx) error {
			put(tx, table, it)
			return nil
		})
	})
	cancel()
	view(t, s, func(tx *Tx) { require.Equal(t, it, tx.Get(table, mustKey(table, it))) })
}
