package emulator

import (
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// propose looks at the write of one item by itself, before its condition is.
func (w *watch) propose(t *storage.Table, iw *itemWrite) error {
	if w == nil {
		return nil
	}
	w.begin()
	if err := w.add(t, iw.change, iw.condition); err != nil {
		return err
	}
	return w.ask()
}

// commit looks at the write of one item that is made, and counts the item.
func (w *watch) commit(tx *storage.Tx, iw *itemWrite) error {
	if w == nil {
		return nil
	}
	w.image(0, iw.old, iw.new)
	if f := w.judge(w.check(tx)); f != nil {
		return refusal(f, iw.failedItem())
	}
	w.record()
	return nil
}

// proposeBatch looks at the writes of a batch by themselves. Their tables are resolved.
func (w *watch) proposeBatch(b *batchWrite) error {
	if w == nil {
		return nil
	}
	w.begin()
	for i := range b.writes {
		if err := w.add(b.tables[b.writes[i].table].table, b.writes[i].change, nil); err != nil {
			return err
		}
	}
	return w.ask()
}

// wrote takes note of write i of a batch, which is made.
func (w *watch) wrote(i int, old, new item.Item) {
	if w != nil {
		w.image(i, old, new)
	}
}

// commitBatch looks at the writes of a batch that are made, and counts the items. BatchWriteItem has
// no conditions, so it does not answer that one failed.
func (w *watch) commitBatch(tx *storage.Tx) error {
	if w == nil {
		return nil
	}
	if f := w.judge(w.check(tx)); f != nil {
		return invalidity(f)
	}
	w.record()
	return nil
}

// proposeAll looks at the actions of a transaction, but those that have failed, by
// themselves. Their tables are resolved.
func (w *watch) proposeAll(x *writeTransaction, reasons *cancellation) error {
	if w == nil {
		return nil
	}
	w.begin()
	w.noted = w.noted[:w.settled] // it may be the second time, after a hook
	w.request.Transaction, w.proposal.Transaction = true, true
	for i := range x.actions {
		if reasons.failed(i) {
			continue
		}
		a := &x.actions[i]
		if err := w.add(x.tables[a.in].table, a.change, a.condition); err != nil {
			return err
		}
		w.request.Writes[len(w.request.Writes)-1].Action = i
	}
	return w.cancel(w.guard.engine.CheckRequest(&w.request, w.partitions), reasons, x)
}

// commitAll looks at the actions of a transaction, all of which are made.
func (w *watch) commitAll(tx *storage.Tx, x *writeTransaction, reasons *cancellation) error {
	if w == nil {
		return nil
	}
	for i := range x.actions {
		w.image(i, x.actions[i].old, x.actions[i].new)
	}
	if err := w.cancel(w.check(tx), reasons, x); err != nil {
		return err
	}
	return reasons.canceled()
}

// record counts the new items of a commit that nothing can stop any more.
func (w *watch) record() {
	if w == nil {
		return
	}
	for i := range w.proposal.Writes {
		if p := &w.proposal.Writes[i]; p.Old == "" && p.New != "" {
			w.guard.engine.Record(w.partitions, p.Table, p.New)
		}
	}
}

// forget has a table that is deleted no longer counted.
func (w *watch) forget(table string) {
	if w != nil {
		w.partitions.Forget(table)
	}
}

// image adds what write i of the request made of its item.
func (w *watch) image(i int, old, new item.Item) {
	w.proposal.Writes = append(w.proposal.Writes, policy.ImagedWrite{Write: &w.request.Writes[i], Old: old, New: new})
}

// check has the engine look at the writes of the commit tx.
func (w *watch) check(tx *storage.Tx) []policy.Finding {
	w.tx = tx
	defer func() { w.tx = nil }()
	return w.guard.engine.CheckWrites(&w.proposal)
}

// before returns what was stored under a key before the commit. It is its Lookup.
func (w *watch) before(table string, key item.Item) item.Item {
	t := w.tx.Table(table)
	if t == nil {
		return ""
	}
	k, ok := t.Key.Encode(key)
	if !ok {
		return ""
	}
	for i := range w.proposal.Writes {
		p := &w.proposal.Writes[i]
		of := p.Key
		if p.Kind == policy.Put {
			of = p.Item
		}
		if p.Table != table {
			continue
		}
		if written, ok := t.Key.Encode(of); ok && written == k {
			return p.Old
		}
	}
	return w.tx.Get(t, k)
}

// add adds a write, in the engine's terms, as the next action.
func (w *watch) add(t *storage.Table, c change, condition *expr.Condition) error {
	p := policy.Write{Action: len(w.request.Writes), Table: t.Name, Condition: condition}
	switch c := c.(type) {
	case *put:
		p.Kind, p.Item = policy.Put, c.item
	case *insertion:
		p.Kind, p.Item, p.Insert = policy.Put, c.item, true
	case *update:
		p.Kind, p.Key, p.Update = policy.Update, c.keyAttributes, c.actions
	case deletion:
		p.Kind, p.Key = policy.Delete, c.keyAttributes
	case noChange:
		p.Kind, p.Key = policy.Check, c.keyAttributes
	case *statementUpdate:
		p.Kind, p.Key, p.Update = policy.Update, c.keyAttributes, c.actions
		p.Condition = beyondKey(t, condition)
	default:
		if err := addByStatement(&p, t, c, condition); err != nil {
			return err
		}
	}
	w.request.Writes = append(w.request.Writes, p)
	return nil
}

// addByStatement completes a write that finds its key in a statement.
func addByStatement(p *policy.Write, t *storage.Table, c change, condition *expr.Condition) (err error) {
	var s *statement
	switch c := c.(type) {
	case *statementDeletion:
		s, p.Kind = c.statement, policy.Delete
	case *existence:
		s, p.Kind = c.statement, policy.Check
	default:
		panic("emulator: a change that the policy does not know")
	}
	p.Key, err = s.keyAttributes(t)
	p.Condition = beyondKey(t, condition)
	return err
}

// beyondKey is the condition that a WHERE clause is if it says more than which item is meant, and else nil.
func beyondKey(t *storage.Table, where *expr.Condition) *expr.Condition {
	for _, name := range where.Attributes() {
		if !isKey(&t.Key, name) {
			return where
		}
	}
	return nil
}
