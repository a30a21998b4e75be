package items

import (
	"errors"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// Transactions holds the open transactions and the tokens of a namespace. Its store's lock protects
// it: an Update may change it, a View may read it. A nil value is empty.
type Transactions struct {
	held   map[heldItem]struct{}
	open   map[string]struct{} // tokens of the open transactions
	Tokens tokens
	Kept   keptTokens // the tokens in the journal
}

// heldItem is an item of an open transaction.
type heldItem struct {
	table *storage.Table
	key   storage.Key
}

// TransactionsOf returns the transactions of the account.
func TransactionsOf(a *serve.Account) *Transactions {
	return a.States[serve.TransactionState].(*Transactions)
}

// Fork returns a copy with the tokens only, not with the open transactions.
func (t *Transactions) Fork() serve.State { return &Transactions{Tokens: t.Tokens.fork()} }

func (t *Transactions) Forked(*serve.Account, func() time.Time) {}

func (t *Transactions) Disposable(now time.Time) bool { return now.UnixNano() >= t.Tokens.latest }

// conflict returns an error if an open transaction holds an item.
func (t *Transactions) conflict(table *storage.Table, k storage.Key) error {
	if t == nil || len(t.held) == 0 {
		return nil
	}
	if _, held := t.held[heldItem{table, k}]; held {
		return serve.ErrConflict
	}
	return nil
}

// Busy reports whether an open transaction holds an item.
func (t *Transactions) Busy(table *storage.Table, k storage.Key) bool {
	return t.conflict(table, k) != nil
}

// errPrepared ends an Update that only checks whether a transaction is possible.
var errPrepared = errors.New("prepared")

// RunTransaction commits a transaction, or replays it if its token is known. With a hook (see
// WithTransactionHook) it holds the transaction's items while the hook runs, and then commits.
func RunTransaction(c *serve.Call, x *writeTransaction) error {
	hook := c.Service.TransactionHook
	if hook == nil {
		return c.Store.Update(func(tx *storage.Tx) error { return x.once(c, tx) })
	}
	err := c.Store.Update(func(tx *storage.Tx) error { return x.prepare(c, tx) })
	if err != errPrepared {
		return err
	}
	defer c.Store.Update(func(*storage.Tx) error {
		TransactionsOf(c.Data).release(x.items(), x.Token.Text)
		return nil
	})
	hook(strings.Clone(x.Token.sent))
	return c.Store.Update(func(tx *storage.Tx) error { return x.once(c, tx) })
}

// once attempts the transaction, unless its token shows that it was committed before.
func (x *writeTransaction) once(c *serve.Call, tx *storage.Tx) error {
	if x.Token.Text == "" {
		return x.Run(c, tx)
	}
	now := c.Now()
	committed, err := TransactionsOf(c.Data).Committed(&x.Token, x.hold == held, now)
	if err != nil {
		return err
	}
	if committed {
		return x.replay(c, tx)
	}
	if err := x.Run(c, tx); err != nil {
		return err
	}
	x.Token.charged = x.chargedSizes(tx)
	TransactionsOf(c.Data).Tokens.Add(&x.Token, now)
	if c.Service.Journal != nil {
		TransactionsOf(c.Data).Kept.add(tx, &x.Token, now)
	}
	return nil
}

// prepare checks whether the transaction is possible. If so, it holds its items and returns
// errPrepared, so that nothing is written yet.
func (x *writeTransaction) prepare(c *serve.Call, tx *storage.Tx) error {
	if x.Token.Text != "" {
		committed, err := TransactionsOf(c.Data).Committed(&x.Token, false, c.Now())
		if err != nil {
			return err
		}
		if committed {
			return x.replay(c, tx)
		}
	}
	x.hold = preparing
	if err := x.Run(c, tx); err != nil {
		return err
	}
	TransactionsOf(c.Data).hold(x.items(), x.Token.Text)
	x.hold = held
	return errPrepared
}

// items returns the items of the transaction.
func (x *writeTransaction) items() []heldItem {
	list := make([]heldItem, len(x.Writes))
	for i := range x.Writes {
		w := &x.Writes[i]
		list[i] = heldItem{table: x.Tables[w.table].Table, key: w.Key}
	}
	return list
}

// hold records an open transaction with a token or "". It clones the token, which may use the
// memory of the request.
func (t *Transactions) hold(items []heldItem, token string) {
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
func (t *Transactions) release(items []heldItem, token string) {
	for _, it := range items {
		delete(t.held, it)
	}
	delete(t.open, token)
}
