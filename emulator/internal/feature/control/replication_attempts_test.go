package control

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// TestDeliveriesThatPanic: a panic in the arrival of a change counts as the end of a process, and
// ends none. The first one is not known to come from the change.
func TestDeliveriesThatPanic(t *testing.T) {
	r, from, to := newAttemptsTest(t)
	put(t, from, "x", 1)
	l, panics := r.link("table", from, to, "b"), 0
	l.Busy = func(*storage.Table, storage.Key) bool { return false }
	l.Applied = func(*storage.Tx, *storage.Table, item.Item, *storage.Outgoing, int) {
		panics++
		panic("poison")
	}
	for range 10 {
		assert.Zero(t, r.run(l, from))
	}
	assert.Equal(t, 1+serve.MaxAttempts, panics)
}

// TestChangesThatWaitOn: a process that outlives its starts is counted once, however often changes
// that it found wait for an item.
func TestChangesThatWaitOn(t *testing.T) {
	r, from, to := newAttemptsTest(t)
	put(t, from, "x", 1)
	r.Resume(from)
	l := r.link("table", from, to, "b")
	l.Busy = func(*storage.Table, storage.Key) bool { return true }
	for range 2 * serve.MaxAttempts {
		assert.Zero(t, r.run(l, from))
	}
	l.Busy = func(*storage.Table, storage.Key) bool { return false }
	l.Applied = func(*storage.Tx, *storage.Table, item.Item, *storage.Outgoing, int) {}
	assert.Equal(t, 1, r.run(l, from))
	assert.True(t, serve.AttemptsOf(from).Disposable(time.Time{}))
}

// TestChangesLeftAloneAreCombined: those that are left alone take no more memory than others that
// wait.
func TestChangesLeftAloneAreCombined(t *testing.T) {
	r, from, to := newAttemptsTest(t)
	put(t, from, "x", 1)
	require.NoError(t, from.Store.Update(func(tx *storage.Tx) error {
		for range serve.MaxAttempts {
			serve.AttemptsOf(from).Begin(tx, changesFor("id", "b"))
		}
		return nil
	}))
	for n := range 70 {
		put(t, from, "x", 1<<20+n)
	}
	assert.Zero(t, r.run(r.link("table", from, to, "b"), from))
	from.Store.View(func(tx *storage.Tx) error {
		assert.Less(t, tx.Replicas().OutgoingBytes(tx.Table("table"), "b"), int64(2<<20))
		return nil
	})
}

// TestChangesOfACleanStop: a process that is stopped has outlived the changes that it took up.
func TestChangesOfACleanStop(t *testing.T) {
	r, from, to := newAttemptsTest(t)
	put(t, from, "x", 1)
	r.Resume(from)
	l := r.link("table", from, to, "b")
	l.Busy = func(*storage.Table, storage.Key) bool { return true }
	assert.Zero(t, r.run(l, from))
	assert.False(t, serve.AttemptsOf(from).Disposable(time.Time{}))
	r.Close()
	assert.True(t, serve.AttemptsOf(from).Disposable(time.Time{}))
}

func newAttemptsTest(t *testing.T) (r *Replicator, from, to *serve.Account) {
	sv := serve.NewService(serve.ServiceSettings{
		Clock: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	sv.NewStates = func() (states [serve.Kinds]serve.State) {
		states[serve.AttemptState] = new(serve.Attempts)
		return states
	}
	return AddReplicator(sv, false), sv.NewAccountData(newReplicaStore(t, "a", "b")),
		sv.NewAccountData(newReplicaStore(t, "b", "a"))
}

// put writes an item with an attribute of so many bytes.
func put(t *testing.T, to *serve.Account, key string, size int) {
	require.NoError(t, to.Store.Update(func(tx *storage.Tx) error {
		scan := jsontext.NewScanner(
			`{"pk":{"S":"` + key + `"},"text":{"S":"` + strings.Repeat("x", size) + `"}}`)
		values, err := item.ParseAttributes(&scan)
		k, _ := tx.Table("table").Key.Encode(values.Item)
		tx.Put(tx.Table("table"), k, values.Item)
		return err
	}))
}

// newReplicaStore makes a store with a replica that has a peer.
func newReplicaStore(t *testing.T, name, peer string) *storage.Store {
	s := storage.New(storage.Options{Now: time.Now})
	require.NoError(t, s.Update(func(tx *storage.Tx) error {
		key := storage.KeySchema{Hash: []storage.KeyAttribute{{Name: "pk", Type: item.S}}}
		created := tx.Tables().Create("table", "id", key, nil, new(tables.Settings))
		tx.Replicas().Set(created, name, []string{peer})
		return nil
	}))
	return s
}
