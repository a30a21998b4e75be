package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/storage"
)

// partitionCount counts the partition keys of each entity of a policy in an account. State is
// nil without a policy. The journal keeps nothing of it: the guard counts the stored items anew.
type partitionCount struct{ *policy.State }

// partitionCount returns the account's.
func (a *accountData) partitionCount() *partitionCount {
	return a.states[partitionCountState].(*partitionCount)
}

// countKeys counts the partition keys of the account by the entities of a policy, unless that is done.
// It starts with the stored items: those of a journal, of initial data, or of a fork whose original
// had another policy. Nobody else may use a during the call.
func (a *accountData) countKeys(g *policyGuard) {
	count := a.partitionCount()
	if g.counts(count.State) {
		return
	}
	a.store.View(func(tx *storage.Tx) error { // which cannot fail
		count.State = g.newCount(tx)
		return nil
	})
}

// recountKeys counts the partition keys anew if they are counted, because the account has got a table
// with items. a may be nil.
func (a *accountData) recountKeys(g *policyGuard, tx *storage.Tx) {
	if a != nil && g != nil && g.counts(a.partitionCount().State) {
		a.partitionCount().State = g.newCount(tx)
	}
}

// counted returns initial data with its partition keys counted. a may be nil. counted does not
// change a, which others may share.
func (a *accountData) counted(g *policyGuard) *accountData {
	if g == nil || a == nil {
		return a
	}
	own := &accountData{store: a.store, states: a.states}
	own.states[partitionCountState] = &partitionCount{a.partitionCount().State}
	own.countKeys(g)
	return own
}

func (p *partitionCount) fork() accountState                    { return &partitionCount{p.State.Fork()} }
func (p *partitionCount) forked(*accountData, func() time.Time) {}
func (p *partitionCount) load(map[string]string) error          { return nil }
func (p *partitionCount) keepAll(func(key, value string))       {}
func (p *partitionCount) disposable(time.Time) bool             { return true }

// countTables returns how many tables there are, those that are being deleted included.
func (a *accountData) countTables() (n int) {
	a.store.View(func(tx *storage.Tx) error {
		n = len(tx.TableNames())
		return nil
	})
	return n
}
