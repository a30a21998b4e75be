package enforce

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
func (c *Call) Propose(s writes) (proposed, error) {
	if c == nil {
		return proposed{}, nil
	}
	c.reset()
	c.noted = c.noted[:c.settled] // it may be the second time, after a hook
	c.request.Transaction = s.Transacts()
	c.proposal.Transaction = c.request.Transaction
	for i := range s.Len() {
		if !s.Failed(i) {
			c.request.Writes = append(c.request.Writes, request.Write{Action: i})
			s.Describe(i, &c.request.Writes[len(c.request.Writes)-1])
		}
	}
	return proposed{c, s}, c.decide(c.policy.engine.CheckRequest(&c.request, c.partitions), s)
}

// decide returns the error for the findings of a set. In a transaction, findings become reasons.
// BatchWriteItem has no conditions, so it never answers that one failed.
func (c *Call) decide(found []policy.Finding, s writes) error {
	if s.Transacts() {
		return c.cancel(found, s)
	}
	f := c.judge(found)
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
	call *Call
	set  writes
}

// Commit checks how the writes change the items. The writes must be made.
func (p proposed) Commit(tx *storage.Tx) (accepted, error) {
	c := p.call
	if c == nil {
		return accepted{}, nil
	}
	for i := range p.set.Len() {
		if old, new, made := p.set.Images(i); made {
			c.proposal.Writes = append(c.proposal.Writes,
				request.ImagedWrite{Write: &c.request.Writes[i], Old: old, New: new})
		}
	}
	if err := c.decide(c.check(tx), p.set); err != nil {
		return accepted{}, err
	}
	return accepted{c}, p.set.Cancellation().Canceled()
}

// accepted is a commit that the policy has allowed.
type accepted struct{ call *Call }

// Record counts the new items of a commit. The caller calls it only when the commit can no longer
// fail.
func (a accepted) Record() {
	c := a.call
	if c == nil {
		return
	}
	for i := range c.proposal.Writes {
		if p := &c.proposal.Writes[i]; p.Old == "" && p.New != "" {
			c.policy.engine.Record(c.partitions, p.Table, p.New)
		}
	}
}

// JudgeSet returns the errors for the items of a loaded table as a whole, and notes other findings.
func (c *Call) JudgeSet(tx *storage.Tx, t *storage.Table) (refused []error) {
	if c == nil {
		return nil
	}
	c.reset() // the last write is stored, and before shows what was there before it
	c.tx = tx
	defer func() { c.tx = nil }()
	all := tx.Page(t, storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items
	found := c.policy.engine.CheckSet(t.Name, slices.Values(all), c.before)
	for i := range found {
		c.policy.Findings.add(&found[i], c.request.Operation)
		if found[i].Severity == policy.Enforce {
			refused = append(refused, invalidity(&found[i]))
		}
	}
	return refused
}

// Restored counts the items of a new table.
func (c *Call) Restored(tx *storage.Tx, t *storage.Table) {
	if c == nil || !c.policy.engine.Counts(t.Name) {
		return
	}
	for _, it := range tx.Page(t, storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items {
		c.policy.engine.Record(c.partitions, t.Name, it)
	}
}

// Expire checks a change of a table's TTL.
func (c *Call) Expire(table string, enabled bool) error {
	if c == nil || !enabled {
		return nil
	}
	if f := c.judge(c.policy.engine.CheckExpiry(table)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// Define checks the keys of a new table and of new indexes.
func (c *Call) Define(keys []request.Definition) error {
	if c == nil {
		return nil
	}
	if f := c.judge(c.policy.engine.CheckDefinitions(keys)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// Forget drops the counts of a deleted table.
func (c *Call) Forget(table string) {
	if c != nil {
		c.partitions.Forget(table)
	}
}

// check checks the writes of the commit tx with the engine.
func (c *Call) check(tx *storage.Tx) []policy.Finding {
	c.tx = tx
	defer func() { c.tx = nil }()
	return c.policy.engine.CheckWrites(&c.proposal)
}

// before returns the item stored under a key before the commit. It implements the Lookup of the
// proposal.
func (c *Call) before(table string, key item.Item) item.Item {
	t := c.tx.Table(table)
	if t == nil {
		return ""
	}
	k, ok := t.Key.Encode(key)
	if !ok {
		return ""
	}
	for i := range c.proposal.Writes {
		p := &c.proposal.Writes[i]
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
	return c.tx.Get(t, k)
}
