package serve

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
	"github.com/kugiri-db/kugiri/storage"
)

// PartitionCount counts the partition keys of each entity of a policy in an account. State is
// nil without a policy. The journal keeps nothing of it: the guard counts the stored items anew.
type PartitionCount struct{ *policy.State }

// PartitionCount returns the account's.
func (a *Account) PartitionCount() *PartitionCount {
	return a.States[PartitionCountState].(*PartitionCount)
}

// CountKeys counts the partition keys of the account by the entities of a policy, unless that is
// done. It starts with the stored items: those of a journal, of initial data, or of a fork whose
// original had another policy. Nobody else may use a during the call.
func (a *Account) CountKeys(g *enforce.Policy) {
	count := a.PartitionCount()
	if g.Counts(count.State) {
		return
	}
	a.Store.View(func(tx *storage.Tx) error { // this cannot fail
		count.State = g.NewCount(tx)
		return nil
	})
}

// RecountKeys counts the partition keys anew if they are counted, because the account has got a
// table with items. a may be nil.
func (a *Account) RecountKeys(g *enforce.Policy, tx *storage.Tx) {
	if a != nil && g != nil && g.Counts(a.PartitionCount().State) {
		a.PartitionCount().State = g.NewCount(tx)
	}
}

// Counted returns initial data with its partition keys counted. a may be nil. counted does not
// change a, which others may share.
func (a *Account) Counted(g *enforce.Policy) *Account {
	if g == nil || a == nil {
		return a
	}
	own := &Account{Store: a.Store, States: a.States}
	own.States[PartitionCountState] = &PartitionCount{a.PartitionCount().State}
	own.CountKeys(g)
	return own
}

func (p *PartitionCount) Fork() State {
	return &PartitionCount{p.State.Fork()}
}
func (p *PartitionCount) Forked(*Account, func() time.Time) {}
func (p *PartitionCount) Load(map[string]string) error      { return nil }
func (p *PartitionCount) KeepAll(func(key, value string))   {}
func (p *PartitionCount) Disposable(time.Time) bool         { return true }

// CountTables returns how many tables there are, those that are being deleted included.
func (a *Account) CountTables() (n int) {
	a.Store.View(func(tx *storage.Tx) error {
		n = len(tx.Tables().Names())
		return nil
	})
	return n
}
