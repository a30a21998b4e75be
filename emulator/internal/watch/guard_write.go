package watch

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// writes is a list of writes that one commit makes.
type writes interface {
	// Len returns how many writes there are.
	Len() int
	// Transacts reports whether all of them are made or none, each with its reason.
	Transacts() bool
	// Unconditional reports whether no write has a condition that could fail.
	Unconditional() bool
	// Failed reports whether a write has failed before.
	Failed(i int) bool
	// Describe sets w to a write. Its action is set already.
	Describe(i int, w *request.Write)
	// Images returns the item before and after a write, once it is made. made is false if the write
	// is left out.
	Images(i int) (old, new item.Item, made bool)
	// FailedItem returns the item that the error of a failed condition includes, or "".
	FailedItem(i int) item.JSON
	// Cancellation returns the reasons of a transaction.
	Cancellation() *apierr.Cancellation
}

// Propose checks the writes of a set that have not failed, each by itself and before its condition
// is evaluated. The tables must be resolved.
func (w *Watch) Propose(s writes) (proposed, error) {
	if w == nil {
		return proposed{}, nil
	}
	w.reset()
	w.noted = w.noted[:w.settled] // it may be the second time, after a hook
	w.request.Transaction = s.Transacts()
	w.proposal.Transaction = w.request.Transaction
	for i := range s.Len() {
		if !s.Failed(i) {
			w.request.Writes = append(w.request.Writes, request.Write{Action: i})
			s.Describe(i, &w.request.Writes[len(w.request.Writes)-1])
		}
	}
	return proposed{w, s}, w.decide(w.guard.engine.CheckRequest(&w.request, w.partitions), s)
}

// decide returns the error for the findings of a set. In a transaction, findings become reasons.
// BatchWriteItem has no conditions, so it never answers that one failed.
func (w *Watch) decide(found []policy.Finding, s writes) error {
	if s.Transacts() {
		return w.cancel(found, s)
	}
	f := w.judge(found)
	switch {
	case f == nil:
		return nil
	case s.Unconditional():
		return invalidity(f)
	}
	return refusal(f, s.FailedItem(f.Action))
}

// proposed is a set of writes that the policy has allowed before their commit. In the zero value
// there is no policy.
type proposed struct {
	watch *Watch
	set   writes
}

// Commit checks how the writes change the items. The writes must be made.
func (p proposed) Commit(tx *storage.Tx) (accepted, error) {
	w := p.watch
	if w == nil {
		return accepted{}, nil
	}
	for i := range p.set.Len() {
		if old, new, made := p.set.Images(i); made {
			w.proposal.Writes = append(w.proposal.Writes,
				request.ImagedWrite{Write: &w.request.Writes[i], Old: old, New: new})
		}
	}
	if err := w.decide(w.check(tx), p.set); err != nil {
		return accepted{}, err
	}
	return accepted{w}, p.set.Cancellation().Canceled()
}

// accepted is a commit that the policy has allowed.
type accepted struct{ watch *Watch }

// Record counts the new items of a commit. The caller calls it only when the commit can no longer
// fail.
func (a accepted) Record() {
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

// JudgeSet returns the errors for the items of a loaded table as a whole, and notes other findings.
func (w *Watch) JudgeSet(tx *storage.Tx, t *storage.Table) (refused []error) {
	if w == nil {
		return nil
	}
	w.reset() // the last write is stored, and before shows what was there before it
	w.tx = tx
	defer func() { w.tx = nil }()
	all := tx.Page(t, storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items
	found := w.guard.engine.CheckSet(t.Name, slices.Values(all), w.before)
	for i := range found {
		w.guard.Findings.add(&found[i], w.request.Operation)
		if found[i].Severity == policy.Enforce {
			refused = append(refused, invalidity(&found[i]))
		}
	}
	return refused
}

// Restored counts the items of a new table.
func (w *Watch) Restored(tx *storage.Tx, t *storage.Table) {
	if w == nil || !w.guard.engine.Counts(t.Name) {
		return
	}
	for _, it := range tx.Page(t, storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items {
		w.guard.engine.Record(w.partitions, t.Name, it)
	}
}

// Expire checks a change of a table's TTL.
func (w *Watch) Expire(table string, enabled bool) error {
	if w == nil || !enabled {
		return nil
	}
	if f := w.judge(w.guard.engine.CheckExpiry(table)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// Define checks the keys of a new table and of new indexes.
func (w *Watch) Define(keys []request.Definition) error {
	if w == nil {
		return nil
	}
	if f := w.judge(w.guard.engine.CheckDefinitions(keys)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// Forget drops the counts of a deleted table.
func (w *Watch) Forget(table string) {
	if w != nil {
		w.partitions.Forget(table)
	}
}

// check checks the writes of the commit tx with the engine.
func (w *Watch) check(tx *storage.Tx) []policy.Finding {
	w.tx = tx
	defer func() { w.tx = nil }()
	return w.guard.engine.CheckWrites(&w.proposal)
}

// before returns the item stored under a key before the commit. It implements the Lookup of the
// proposal.
func (w *Watch) before(table string, key item.Item) item.Item {
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
