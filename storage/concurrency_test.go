package storage

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Writers move amounts between accounts in two tables, and often fail halfway. Readers of the
// tables, of an index or of a fork always find the same total.
const (
	accounts = 8
	moves    = 300
	total    = 2 * accounts * 100
)

var byAmount = IndexSchema{
	Name:       "amounts",
	Key:        KeySchema{Hash: []KeyAttribute{attrH}},
	Projection: Projection{Type: "KEYS_ONLY"},
}

func account(i, amount int) item.Item {
	n := item.Value(`{"N":"` + strconv.Itoa(amount) + `"}`)
	return testItem("account", strconv.Itoa(i), item.Attribute{Name: "h", Value: n})
}

func amount(it item.Item) int {
	n, _ := strconv.Atoi(it.Get("h").Num())
	return n
}

func TestConcurrency(t *testing.T) {
	s := New(Options{})
	update(t, s, func(tx *Tx) {
		for _, name := range []string{"t", "u"} {
			table := tx.Tables().
				Create(name, "id", testKey, []IndexSchema{byAmount, testIndexes[0]},
					nil)
			for i := range accounts {
				put(tx, table, account(i, 100))
			}
		}
	})
	var wg sync.WaitGroup
	errs := make(chan error, 16)
	start := func(n int, run func(worker, i int) error) {
		for worker := range n {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := range moves {
					if err := run(worker, i); err != nil {
						errs <- err
						return
					}
				}
			}()
		}
	}
	start(2, func(worker, i int) error { return move(s, worker, i) })
	start(2, func(_, _ int) error { return s.View(checkTotal) })
	start(1, func(_, i int) error { return writeFork(s, i) })
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	require.NoError(t, s.View(checkTotal))
	require.NoError(t, s.Check())
}

// move moves an amount from one table to the other; every third time it fails in between.
func move(s *Store, worker, i int) error {
	err := s.Update(func(tx *Tx) error {
		from, to := tx.Table("t"), tx.Table("u")
		if (i+worker)%2 == 0 {
			from, to = to, from
		}
		place, other := i%accounts, (i+worker+1)%accounts
		put(tx, from, account(place, amount(tx.Get(from, mustKey(from, account(place, 0))))-i%7))
		if i%3 == 0 {
			return errGiveUp
		}
		put(tx, to, account(other, amount(tx.Get(to, mustKey(to, account(other, 0))))+i%7))
		return nil
	})
	if errors.Is(err, errGiveUp) {
		return nil
	}
	return err
}

// checkTotal adds up all accounts in the tables and in their indexes.
func checkTotal(tx *Tx) error {
	inTables, inIndexes := 0, 0
	for _, name := range tx.Tables().Names() {
		table := tx.Table(name)
		everything := PageSpec{Range: Range{HiOpen: true}}
		for _, it := range tx.Page(table, everything).Items {
			inTables += amount(it)
		}
		everything.Index = tx.Tables().Index(table, byAmount.Name)
		for _, it := range tx.Page(table, everything).Items {
			inIndexes += amount(it)
		}
	}
	if inTables != total || inIndexes != total {
		return fmt.Errorf("there are %d in the tables and %d in the indexes, not %d", inTables,
			inIndexes, total)
	}
	return nil
}

// writeFork takes a fork, checks its total and empties it.
func writeFork(s *Store, i int) error {
	f := s.Fork()
	if err := f.View(checkTotal); err != nil {
		return err
	}
	err := f.Update(func(tx *Tx) error {
		table := tx.Table("t")
		for place := range accounts {
			tx.Delete(table, mustKey(table, account(place, 0)))
		}
		return nil
	})
	if err != nil || i%50 != 0 {
		return err
	}
	return f.Check()
}
