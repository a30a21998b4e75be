package serve

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/storage"
)

// Account holds the data of an account in one region: its tables in a store, and every other
// kind of state. Several namespaces may show the same data.
type Account struct {
	Store  *storage.Store
	States [Kinds]State
	Rates  Rates

	// the number of the store in the journal, if it is there and the account was not restored
	space     uint32
	Restored  bool         // the account comes from a journal, a snapshot or a fork
	Borrowers atomic.Int64 // number of requests that use it
}

// State is one kind of data that an account holds besides its tables. Forks, snapshots,
// Restore and the journal treat all kinds alike. A new kind implements this interface in a file of
// its own and has an entry in NewStates. The lock of the account's store protects the state:
// an Update may change it, a View may read it.
type State interface {
	// Fork returns a copy that changes independently of the original, in time that does not depend
	// on the amount of data. It may change how the original is stored. The caller holds the store's
	// lock.
	Fork() State

	// Load adds the entries of the journal. Their keys have no prefix of the kind.
	Load(kept map[string]string) error

	// KeepAll passes all entries to a journal that has none of them.
	KeepAll(keep func(key, value string))

	// Forked is called for the fork once the account of the fork has its store.
	Forked(a *Account, clock func() time.Time)

	// Disposable reports whether a new account would give the same answers to all requests.
	Disposable(now time.Time) bool
}

// Kind is an index of Account.states.
type Kind int

// The kinds of state.
const (
	TransactionState Kind = iota
	PartitionCountState
	JobState
	InsightsState
	TriggerState
	AttemptState
	AcceleratorState
	Kinds
)

// Prefix returns the prefix of the kind's keys in the journal. Keys of tokens have no prefix: they
// begin with a time, whose first byte is below 0x80.
func (k Kind) Prefix() string {
	if k == TransactionState {
		return ""
	}
	return string([]byte{0x80 + byte(k)})
}

// NewAccountData makes the data of an empty account in a store.
func (s *Service) NewAccountData(store *storage.Store) *Account {
	return &Account{Store: store, States: s.NewStates()}
}

// GiveBack ends the use of data that borrow returned.
func (a *Account) GiveBack() { a.Borrowers.Add(-1) }

// forkStates returns a fork of each state. The caller holds the store's lock.
func (a *Account) forkStates() (forks [Kinds]State) {
	for kind, state := range a.States {
		forks[kind] = state.Fork()
	}
	return forks
}

// forkAccounts returns forks of accounts at one moment, in stores with the given options. The forks
// do not have the transactions that are open, because they may still fail.
func forkAccounts(accounts []*Account, o storage.Options) []*Account {
	stores := make([]*storage.Store, len(accounts))
	forks := make([]*Account, len(accounts))
	for i, a := range accounts {
		stores[i] = a.Store
	}
	forked := storage.ForkAll(stores, o, func() {
		for i, a := range accounts {
			forks[i] = &Account{States: a.forkStates()}
		}
	})
	for i := range forks {
		forks[i].Store = forked[i]
		for _, state := range forks[i].States {
			state.Forked(forks[i], o.Now)
		}
	}
	return forks
}

// KeepStates passes all entries of the states to a journal that has none of them.
func (a *Account) KeepStates(keep func(key, value string)) {
	for kind, state := range a.States {
		prefix := Kind(kind).Prefix()
		state.KeepAll(func(key, value string) { keep(prefix+key, value) })
	}
}

// LoadStates adds the journal's entries of the states.
func (a *Account) LoadStates(kept map[string]string) error {
	var byKind [Kinds]map[string]string
	for key, value := range kept {
		kind := KindOfKept(key)
		if kind >= Kinds {
			return fmt.Errorf("no kind of state has the key %q", key)
		}
		if byKind[kind] == nil {
			byKind[kind] = map[string]string{}
		}
		byKind[kind][strings.TrimPrefix(key, kind.Prefix())] = value
	}
	for kind, state := range a.States {
		if err := state.Load(byKind[kind]); err != nil {
			return err
		}
	}
	return nil
}

// loader is a State of jobs that write to tables.
type loader interface{ Loads(table string) bool }

// holder is a State of transactions that hold items.
type holder interface {
	Busy(t *storage.Table, k storage.Key) bool
}

// Loads reports whether a job writes to a table.
func (a *Account) Loads(table string) bool {
	for _, state := range a.States {
		if l, ok := state.(loader); ok && l.Loads(table) {
			return true
		}
	}
	return false
}

// Busy reports whether an open transaction holds an item.
func (a *Account) Busy(t *storage.Table, k storage.Key) bool {
	for _, state := range a.States {
		if h, ok := state.(holder); ok && h.Busy(t, k) {
			return true
		}
	}
	return false
}

// KindOfKept returns the kind of state that a key of the journal belongs to.
func KindOfKept(key string) Kind {
	if key == "" || key[0] < 0x80 {
		return TransactionState
	}
	return Kind(key[0] - 0x80)
}

// Disposable reports whether a new account would give the same answers to all requests: nothing was
// stored, and no state holds anything. The store is then no longer needed.
func (a *Account) Disposable(now time.Time, beginsEmpty bool) bool {
	for _, state := range a.States {
		if !state.Disposable(now) {
			return false
		}
	}
	return a.Store.Discard() || beginsEmpty && a.Store.Empty()
}

// Fork returns the same data in a store of its own.
func (a *Account) Fork(o storage.Options) *Account {
	return forkAccounts([]*Account{a}, o)[0]
}
