package emulator

import (
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// propose checks the writes of a set that have not failed, each by itself and before its condition
// is evaluated. The tables must be resolved.
func (w *watch) propose(s *writeSet) (proposed, error) {
	if w == nil {
		return proposed{}, nil
	}
	w.begin()
	w.noted = w.noted[:w.settled] // it may be the second time, after a hook
	w.request.Transaction = s.onFailure == cancelAll
	w.proposal.Transaction = w.request.Transaction
	for i := range s.writes {
		if !s.failed(i) {
			w.add(i, &s.writes[i], s.tables[s.writes[i].table].table)
		}
	}
	return proposed{w, s}, w.decide(w.guard.engine.CheckRequest(&w.request, w.partitions), s)
}

// add converts write i to the engine's types and adds it.
func (w *watch) add(i int, iw *itemWrite, t *storage.Table) {
	w.request.Writes = append(w.request.Writes, policy.Write{Action: i, Table: t.Name, Schema: schemaOf(&t.Key), Condition: iw.condition})
	iw.change.propose(&w.request.Writes[len(w.request.Writes)-1], t)
}

// schemaOf returns the names of a key's attributes.
func schemaOf(k *storage.KeySchema) (schema policy.KeySchema) {
	if len(k.Hash) > 0 {
		schema.Partition = k.Hash[0].Name
	}
	if len(k.Range) > 0 {
		schema.Sort = k.Range[0].Name
	}
	return schema
}

// decide returns the error for the findings of a set. In a transaction, findings become reasons.
// BatchWriteItem has no conditions, so it never answers that one failed.
func (w *watch) decide(found []policy.Finding, s *writeSet) error {
	if s.onFailure == cancelAll {
		return w.cancel(found, s)
	}
	f := w.judge(found)
	switch {
	case f == nil:
		return nil
	case s.onFailure == leaveUnprocessed:
		return invalidity(f)
	}
	return refusal(f, s.writes[f.Action].failedItem())
}

// proposed is a set of writes that the policy has allowed before their commit. In the zero value
// there is no policy.
type proposed struct {
	watch *watch
	set   *writeSet
}

// commit checks how the writes change the items. The writes must be made.
func (p proposed) commit(tx *storage.Tx) (accepted, error) {
	w := p.watch
	if w == nil {
		return accepted{}, nil
	}
	for i := range p.set.writes {
		if iw := &p.set.writes[i]; !iw.left {
			w.proposal.Writes = append(w.proposal.Writes, policy.ImagedWrite{Write: &w.request.Writes[i], Old: iw.old, New: iw.new})
		}
	}
	if err := w.decide(w.check(tx), p.set); err != nil {
		return accepted{}, err
	}
	return accepted{w}, p.set.reasons.Canceled()
}

// accepted is a commit that the policy has allowed.
type accepted struct{ watch *watch }

// record counts the new items of a commit. The caller calls it only when the commit can no longer
// fail.
func (a accepted) record() {
	w := a.watch
	if w == nil {
		return
	}
	for i := range w.proposal.Writes {
		if p := &w.proposal.Writes[i]; p.Old == "" && p.New != "" {
			w.guard.engine.Record(w.partitions, p.Table, p.New)
		}
	}
}

// restored counts the items of a new table.
func (w *watch) restored(tx *storage.Tx, t *storage.Table) {
	if w == nil || !w.guard.engine.Counts(t.Name) {
		return
	}
	for _, it := range tx.Page(t, storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items {
		w.guard.engine.Record(w.partitions, t.Name, it)
	}
}

// expire checks a change of a table's TTL.
func (w *watch) expire(table string, enabled bool) error {
	if w == nil || !enabled {
		return nil
	}
	if f := w.judge(w.guard.engine.CheckExpiry(table)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// forget drops the counts of a deleted table.
func (w *watch) forget(table string) {
	if w != nil {
		w.partitions.Forget(table)
	}
}

// check checks the writes of the commit tx with the engine.
func (w *watch) check(tx *storage.Tx) []policy.Finding {
	w.tx = tx
	defer func() { w.tx = nil }()
	return w.guard.engine.CheckWrites(&w.proposal)
}

// before returns the item stored under a key before the commit. It implements the Lookup of the
// proposal.
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

// beyondKey returns a WHERE clause that uses an attribute outside the table's key, and nil for
// others, which only name the item.
func beyondKey(t *storage.Table, where *expr.Condition) *expr.Condition {
	for _, name := range where.Attributes() {
		if !keys.IsAttribute(&t.Key, name) {
			return where
		}
	}
	return nil
}
