package emulator

import (
	"errors"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/storage"
)

// transactions holds the open transactions and the tokens of a namespace. Its store's lock protects
// it: an Update may change it, a View may read it. A nil value is empty.
type transactions struct {
	held   map[heldItem]struct{}
	open   map[string]struct{} // tokens of the open transactions
	tokens tokens
	kept   keptTokens // the tokens in the journal
}

// heldItem is an item of an open transaction.
type heldItem struct {
	table *storage.Table
	key   storage.Key
}

// transactions returns the transactions of the account.
func (a *accountData) transactions() *transactions { return a.states[transactionState].(*transactions) }

// fork returns a copy with the tokens only, not with the open transactions.
func (t *transactions) fork() accountState { return &transactions{tokens: t.tokens.fork()} }

func (t *transactions) forked(*accountData, func() time.Time) {}

func (t *transactions) disposable(now time.Time) bool { return now.UnixNano() >= t.tokens.latest }

// conflict returns an error if an open transaction holds an item.
func (t *transactions) conflict(table *storage.Table, k storage.Key) error {
	if t == nil || len(t.held) == 0 {
		return nil
	}
	if _, held := t.held[heldItem{table, k}]; held {
		return errConflict
	}
	return nil
}

// busy reports whether an open transaction holds an item.
func (t *transactions) busy(table *storage.Table, k storage.Key) bool {
	return t.conflict(table, k) != nil
}

// errPrepared ends an Update that only checks whether a transaction is possible.
var errPrepared = errors.New("prepared")

// runTransaction commits a transaction, or replays it if its token is known. With a hook (see
// WithTransactionHook) it holds the transaction's items while the hook runs, and then commits.
func (c *call) runTransaction(x *writeTransaction) error {
	hook := c.service.transactionHook
	if hook == nil {
		return c.store.Update(func(tx *storage.Tx) error { return x.once(c, tx) })
	}
	err := c.store.Update(func(tx *storage.Tx) error { return x.prepare(c, tx) })
	if err != errPrepared {
		return err
	}
	defer c.store.Update(func(*storage.Tx) error {
		c.account.transactions().release(x.items(), x.token.text)
		return nil
	})
	hook(strings.Clone(x.token.sent))
	return c.store.Update(func(tx *storage.Tx) error { return x.once(c, tx) })
}

// once attempts the transaction, unless its token shows that it was committed before.
func (x *writeTransaction) once(c *call, tx *storage.Tx) error {
	if x.token.text == "" {
		return x.run(c, tx)
	}
	now := c.now()
	committed, err := c.account.transactions().committed(&x.token, x.hold == held, now)
	if err != nil {
		return err
	}
	if committed {
		return x.replay(c, tx)
	}
	if err := x.run(c, tx); err != nil {
		return err
	}
	c.account.transactions().tokens.add(&x.token, now)
	if c.service.journal != nil {
		c.account.transactions().kept.add(tx, &x.token, now)
	}
	return nil
}

// prepare checks whether the transaction is possible. If so, it holds its items and returns
// errPrepared, so that nothing is written yet.
func (x *writeTransaction) prepare(c *call, tx *storage.Tx) error {
	if x.token.text != "" {
		committed, err := c.account.transactions().committed(&x.token, false, c.now())
		if err != nil {
			return err
		}
		if committed {
			return x.replay(c, tx)
		}
	}
	x.hold = preparing
	if err := x.run(c, tx); err != nil {
		return err
	}
	c.account.transactions().hold(x.items(), x.token.text)
	x.hold = held
	return errPrepared
}

// items returns the items of the transaction.
func (x *writeTransaction) items() []heldItem {
	list := make([]heldItem, len(x.writes))
	for i := range x.writes {
		w := &x.writes[i]
		list[i] = heldItem{table: x.tables[w.table].table, key: w.key}
	}
	return list
}

// hold records an open transaction with a token or "". It clones the token, which may use the memory
// of the request.
func (t *transactions) hold(items []heldItem, token string) {
	if t.held == nil {
		t.held, t.open = map[heldItem]struct{}{}, map[string]struct{}{}
	}
	for _, it := range items {
		t.held[it] = struct{}{}
	}
	if token != "" {
		t.open[strings.Clone(token)] = struct{}{}
	}
}

// release undoes hold.
func (t *transactions) release(items []heldItem, token string) {
	for _, it := range items {
		delete(t.held, it)
	}
	delete(t.open, token)
}
