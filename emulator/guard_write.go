package emulator

import (
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// writes is a list of writes that one commit makes.
type writes interface {
	// len returns how many writes there are.
	len() int
	// transacts reports whether all of them are made or none, each with its reason.
	transacts() bool
	// unconditional reports whether no write has a condition that could fail.
	unconditional() bool
	// failed reports whether a write has failed before.
	failed(i int) bool
	// describe sets w to a write. Its action is set already.
	describe(i int, w *request.Write)
	// images returns the item before and after a write, once it is made. made is false if the write
	// is left out.
	images(i int) (old, new item.Item, made bool)
	// failedItem returns the item that the error of a failed condition includes, or "".
	failedItem(i int) item.JSON
	// cancellation returns the reasons of a transaction.
	cancellation() *apierr.Cancellation
}

// propose checks the writes of a set that have not failed, each by itself and before its condition
// is evaluated. The tables must be resolved.
func (w *watch) propose(s writes) (proposed, error) {
	if w == nil {
		return proposed{}, nil
	}
	w.reset()
	w.noted = w.noted[:w.settled] // it may be the second time, after a hook
	w.request.Transaction = s.transacts()
	w.proposal.Transaction = w.request.Transaction
	for i := range s.len() {
		if !s.failed(i) {
			w.request.Writes = append(w.request.Writes, request.Write{Action: i})
			s.describe(i, &w.request.Writes[len(w.request.Writes)-1])
		}
	}
	return proposed{w, s}, w.decide(w.guard.engine.CheckRequest(&w.request, w.partitions), s)
}

// decide returns the error for the findings of a set. In a transaction, findings become reasons.
// BatchWriteItem has no conditions, so it never answers that one failed.
func (w *watch) decide(found []policy.Finding, s writes) error {
	if s.transacts() {
		return w.cancel(found, s)
	}
	f := w.judge(found)
	switch {
	case f == nil:
		return nil
	case s.unconditional():
		return invalidity(f)
	}
	return refusal(f, s.failedItem(f.Action))
}

// proposed is a set of writes that the policy has allowed before their commit. In the zero value
// there is no policy.
type proposed struct {
	watch *watch
	set   writes
}

// commit checks how the writes change the items. The writes must be made.
func (p proposed) commit(tx *storage.Tx) (accepted, error) {
	w := p.watch
	if w == nil {
		return accepted{}, nil
	}
	for i := range p.set.len() {
		if old, new, made := p.set.images(i); made {
			w.proposal.Writes = append(w.proposal.Writes, request.ImagedWrite{Write: &w.request.Writes[i], Old: old, New: new})
		}
	}
	if err := w.decide(w.check(tx), p.set); err != nil {
		return accepted{}, err
	}
	return accepted{w}, p.set.cancellation().Canceled()
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
		if p.Kind == request.Put {
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
