package emulator

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/storage"
)

// accountData is what an account holds in one region: its tables in a store, and every other kind of
// state beside them. Several namespaces may show the same.
type accountData struct {
	store  *storage.Store
	states [stateKinds]accountState

	space     uint32       // of the store in the journal, if there is one and the account began here
	restored  bool         // a journal, a snapshot or a fork has brought it
	borrowers atomic.Int64 // requests that use it
}

// accountState is one kind of data that an account holds beside its tables. Forks, snapshots, Restore
// and the journal treat all kinds alike: a new kind implements this interface in a file of its own and
// is listed in newAccountStates. The lock of the account's store guards it: an Update may change it, a
// View may read it.
type accountState interface {
	// fork returns a copy that changes independently of the original, in time that does not depend on
	// the amount of data. It may change how the original is stored: the caller holds the store's lock.
	fork() accountState

	// load adds what the journal kept, by keys without the prefix of the kind.
	load(kept map[string]string) error

	// keepAll passes all that the journal has to keep, for a journal that has none of it.
	keepAll(keep func(key, value string))

	// disposable reports whether a new account would answer all requests alike.
	disposable(now time.Time) bool
}

// stateKind is a place in accountData.states.
type stateKind int

// The kinds of state.
const (
	transactionState stateKind = iota
	partitionCountState
	stateKinds
)

// newAccountStates makes the states of an account that has nothing.
func newAccountStates() [stateKinds]accountState {
	return [...]accountState{
		transactionState:    new(transactions),
		partitionCountState: new(partitionCount),
	}
}

// prefix is what the keys of a kind begin with in the journal. Keys of tokens have none: they begin
// with a time, whose first byte is below 0x80.
func (k stateKind) prefix() string {
	if k == transactionState {
		return ""
	}
	return string([]byte{0x80 + byte(k)})
}

// newAccountData makes the data of an account that has nothing in a store.
func newAccountData(store *storage.Store) *accountData {
	return &accountData{store: store, states: newAccountStates()}
}

// giveBack ends the use of data that were borrowed.
func (a *accountData) giveBack() { a.borrowers.Add(-1) }

// forkStates returns a fork of each state. The store's lock is held.
func (a *accountData) forkStates() (forks [stateKinds]accountState) {
	for kind, state := range a.states {
		forks[kind] = state.fork()
	}
	return forks
}

// forkAccounts returns forks of accounts at one moment, in stores with options of their own.
// Transactions that are open then are not in the forks: whether they will be committed is not known.
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
	}
	return forks
}

// keepStates passes what the journal has to keep of the states, for a journal that has none of it.
func (a *accountData) keepStates(keep func(key, value string)) {
	for kind, state := range a.states {
		prefix := stateKind(kind).prefix()
		state.keepAll(func(key, value string) { keep(prefix+key, value) })
	}
}

// loadStates adds what the journal kept of the states.
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

// kindOfKept returns the kind of state that has a key in the journal.
func kindOfKept(key string) stateKind {
	if key == "" || key[0] < 0x80 {
		return transactionState
	}
	return stateKind(key[0] - 0x80)
}

// disposable reports whether a new account would answer all requests alike: nothing was stored,
// and no state holds anything. The store is of no more use then.
func (a *accountData) disposable(now time.Time, beginsEmpty bool) bool {
	for _, state := range a.states {
		if !state.disposable(now) {
			return false
		}
	}
	return a.store.Discard() || beginsEmpty && a.store.Empty()
}
