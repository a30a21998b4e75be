package storage

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBackupTakesNoMemory: neither a backup nor a table of one copies the items.
func TestBackupTakesNoMemory(t *testing.T) {
	allocations := func(items int) float64 {
		s, table := newTestStore(t, testIndexes...)
		update(t, s, func(tx *Tx) {
			for i := range items {
				put(tx, table, testItem(fmt.Sprint(i), "1"))
			}
		})
		return leastAllocs(func() {
			_ = s.Update(func(tx *Tx) error {
				tx.Backups().Restore(tx.Backups().Create(table, "1", nil),
					TableSpec{Name: "restored", ID: "id"})
				return errGiveUp
			})
		})
	}
	assert.LessOrEqual(t, allocations(10_000), allocations(10)+10)
}

func TestMisuseOfBackups(t *testing.T) {
	s, table := newTestStore(t)
	update(t, s, func(tx *Tx) { tx.Backups().Create(table, "1", nil) })
	for name, misuse := range map[string]func(*Tx){
		"an ID twice": func(tx *Tx) { tx.Backups().Create(table, "1", nil) },
		"the name of a table": func(tx *Tx) {
			tx.Backups().Restore(tx.Backups().ByID("1"), TableSpec{Name: "t"})
		},
		"a write to its table": func(tx *Tx) {
			put(tx, tx.Backups().ByID("1").Table(), testItem("a", "1"))
		},
		"recovery of its table": func(tx *Tx) {
			tx.Recovery().Enable(tx.Backups().ByID("1").Table(), 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Panics(t, func() {
				_ = s.Update(func(tx *Tx) error {
					misuse(tx)
					return nil
				})
			})
		})
	}
	view(t, s, func(tx *Tx) {
		require.Panics(t, func() { tx.Backups().Create(table, "2", nil) })
		require.Panics(t, func() { tx.Backups().Drop(tx.Backups().ByID("1")) })
		require.Len(t, tx.Backups().All(), 1)
	})
	require.False(t, s.Empty())
}
