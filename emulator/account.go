package emulator

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/storage"
)

// accountData holds the data of an account in one region: its tables in a store, and every other
// kind of state. Several namespaces may show the same data.
type accountData struct {
	store  *storage.Store
	states [stateKinds]accountState

	space     uint32       // of the store in the journal, if there is one and the account was not restored
	restored  bool         // the account comes from a journal, a snapshot or a fork
	borrowers atomic.Int64 // number of requests that use it
}

// accountState is one kind of data that an account holds besides its tables. Forks, snapshots,
// Restore and the journal treat all kinds alike. A new kind implements this interface in a file of
// its own and has an entry in newStates. The lock of the account's store protects the state:
// an Update may change it, a View may read it.
type accountState interface {
	// fork returns a copy that changes independently of the original, in time that does not depend
	// on the amount of data. It may change how the original is stored. The caller holds the store's
	// lock.
	fork() accountState

	// load adds the entries of the journal. Their keys have no prefix of the kind.
	load(kept map[string]string) error

	// keepAll passes all entries to a journal that has none of them.
	keepAll(keep func(key, value string))

	// forked is called for the fork once the account of the fork has its store.
	forked(a *accountData, clock func() time.Time)

	// disposable reports whether a new account would give the same answers to all requests.
	disposable(now time.Time) bool
}

// stateKind is an index of accountData.states.
type stateKind int

// The kinds of state.
const (
	transactionState stateKind = iota
	partitionCountState
	jobState
	insightsState
	triggerState
	stateKinds
)

// prefix returns the prefix of the kind's keys in the journal. Keys of tokens have no prefix: they
// begin with a time, whose first byte is below 0x80.
func (k stateKind) prefix() string {
	if k == transactionState {
		return ""
	}
	return string([]byte{0x80 + byte(k)})
}

// newAccountData makes the data of an empty account in a store.
func (s *service) newAccountData(store *storage.Store) *accountData {
	return &accountData{store: store, states: s.newStates()}
}

// giveBack ends the use of data that borrow returned.
func (a *accountData) giveBack() { a.borrowers.Add(-1) }

// forkStates returns a fork of each state. The caller holds the store's lock.
func (a *accountData) forkStates() (forks [stateKinds]accountState) {
	for kind, state := range a.states {
		forks[kind] = state.fork()
	}
	return forks
}

// forkAccounts returns forks of accounts at one moment, in stores with the given options. The forks
// do not have the transactions that are open, because they may still fail.
func forkAccounts(accounts []*accountData, o storage.Options) []*accountData {
	stores := make([]*storage.Store, len(accounts))
	forks := make([]*accountData, len(accounts))
	for i, a := range accounts {
		stores[i] = a.store
	}
	forked := storage.ForkAll(stores, o, func() {
		for i, a := range accounts {
			forks[i] = &accountData{states: a.forkStates()}
		}
	})
	for i := range forks {
		forks[i].store = forked[i]
		for _, state := range forks[i].states {
			state.forked(forks[i], o.Now)
		}
	}
	return forks
}

// keepStates passes all entries of the states to a journal that has none of them.
func (a *accountData) keepStates(keep func(key, value string)) {
	for kind, state := range a.states {
		prefix := stateKind(kind).prefix()
		state.keepAll(func(key, value string) { keep(prefix+key, value) })
	}
}

// loadStates adds the journal's entries of the states.
func (a *accountData) loadStates(kept map[string]string) error {
	var byKind [stateKinds]map[string]string
	for key, value := range kept {
		kind := kindOfKept(key)
		if kind >= stateKinds {
			return fmt.Errorf("no kind of state has the key %q", key)
		}
		if byKind[kind] == nil {
			byKind[kind] = map[string]string{}
		}
		byKind[kind][strings.TrimPrefix(key, kind.prefix())] = value
	}
	for kind, state := range a.states {
		if err := state.load(byKind[kind]); err != nil {
			return err
		}
	}
	return nil
}

// loads reports whether a job writes to a table.
func (a *accountData) loads(table string) bool {
	for _, state := range a.states {
		if l, ok := state.(interface{ loads(table string) bool }); ok && l.loads(table) {
			return true
		}
	}
	return false
}

// busy reports whether an open transaction holds an item.
func (a *accountData) busy(t *storage.Table, k storage.Key) bool {
	for _, state := range a.states {
		if h, ok := state.(interface {
			busy(t *storage.Table, k storage.Key) bool
		}); ok && h.busy(t, k) {
			return true
		}
	}
	return false
}

// kindOfKept returns the kind of state that a key of the journal belongs to.
func kindOfKept(key string) stateKind {
	if key == "" || key[0] < 0x80 {
		return transactionState
	}
	return stateKind(key[0] - 0x80)
}

// disposable reports whether a new account would give the same answers to all requests: nothing was
// stored, and no state holds anything. The store is then no longer needed.
func (a *accountData) disposable(now time.Time, beginsEmpty bool) bool {
	for _, state := range a.states {
		if !state.disposable(now) {
			return false
		}
	}
	return a.store.Discard() || beginsEmpty && a.store.Empty()
}

// fork returns the same data in a store of its own.
func (a *accountData) fork(o storage.Options) *accountData {
	return forkAccounts([]*accountData{a}, o)[0]
}
