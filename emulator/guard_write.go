package emulator

import (
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// propose looks at the writes of a set, but those that have failed, by themselves: before their
// conditions are looked at. Their tables are resolved.
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

// add adds write i in the engine's terms.
func (w *watch) add(i int, iw *itemWrite, t *storage.Table) {
	w.request.Writes = append(w.request.Writes, policy.Write{Action: i, Table: t.Name, Schema: schemaOf(&t.Key), Condition: iw.condition})
	iw.change.propose(&w.request.Writes[len(w.request.Writes)-1], t)
}

// schemaOf are the names of a key's attributes.
func schemaOf(k *storage.KeySchema) (schema policy.KeySchema) {
	if len(k.Hash) > 0 {
		schema.Partition = k.Hash[0].Name
	}
	if len(k.Range) > 0 {
		schema.Sort = k.Range[0].Name
	}
	return schema
}

// decide returns the error of what was found in a set. In a transaction, findings become reasons.
// BatchWriteItem has no conditions, so it does not answer that one failed.
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

// proposed is a set of writes whose requests the policy has let pass. The zero value has no policy.
type proposed struct {
	watch *watch
	set   *writeSet
}

// commit looks at what the writes, which are made, do to the items.
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

// accepted is a commit that the policy has let pass.
type accepted struct{ watch *watch }

// record counts the new items of a commit that nothing can stop any more.
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

// restored has the items of a new table counted.
func (w *watch) restored(tx *storage.Tx, t *storage.Table) {
	if w == nil || !w.guard.engine.Counts(t.Name) {
		return
	}
	for _, it := range tx.Page(t, storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items {
		w.guard.engine.Record(w.partitions, t.Name, it)
	}
}

// expire looks at a change of a table's TTL.
func (w *watch) expire(table string, enabled bool) error {
	if w == nil || !enabled {
		return nil
	}
	if f := w.judge(w.guard.engine.CheckExpiry(table)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// forget has a table that is deleted no longer counted.
func (w *watch) forget(table string) {
	if w != nil {
		w.partitions.Forget(table)
	}
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

// beyondKey is the condition that a WHERE clause is if it says more than which item is meant, and
// else nil.
func beyondKey(t *storage.Table, where *expr.Condition) *expr.Condition {
	for _, name := range where.Attributes() {
		if !keys.IsAttribute(&t.Key, name) {
			return where
		}
	}
	return nil
}
