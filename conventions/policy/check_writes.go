package policy

import (
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Commit is a list of writes before they are stored. A transaction stores them all at once; without
// Transaction they are stored one by one.
type Commit struct {
	Caller      request.Caller
	Writes      []request.ImagedWrite
	Transaction bool

	// Lookup returns the item stored under a key before the commit, or "" if there is none. If
	// Lookup is nil, rules skip the checks that need other items than the written ones: whether a
	// command's version follows another, and which version a latest item names.
	Lookup func(table string, key item.Item) item.Item

	State *State // nil: partition keys are not counted
}

// CheckWrites returns the findings in the writes of a commit that need the items' images.
// CheckRequest, with Images set, leaves these checks to it. It returns nil if there are none. After
// the commit the caller counts each new item with Engine.Record.
func (e *Engine) CheckWrites(commit *Commit) []Finding {
	c := checker{engine: e, caller: e.resolve(commit.Caller), state: commit.State}
	for i := range commit.Writes {
		w := &commit.Writes[i]
		if !c.at(w.Table, w.Action) {
			continue
		}
		switch c.table.role {
		case Data:
			c.checkDataVersion(w)
			c.checkCommand(w, commit)
		case Command, History:
			c.checkHistory(w, commit)
		}
		if w.Kind == request.Update && w.New != "" {
			c.checkUpdated(w)
		}
		c.checkRepeated(w)
		if w.Old == "" && w.New != "" && c.state != nil {
			c.checkBound(c.locate(w.New))
		}
	}
	if e.hasLatest {
		c.checkLatestOf(len(commit.Writes), func(i int) request.ImagedWrite { return commit.Writes[i] },
			latestChecker{lookup: commit.Lookup, transaction: commit.Transaction})
	}
	return c.findings
}

// locate returns the key of an item with its entity. It reports no findings.
func (c *checker) locate(it item.Item) checkedKey {
	k, _ := c.table.primary.keyOf(it)
	k.base = k.sk
	if c.table.role != Plain {
		k.base, _, _ = splitVersion(k.sk)
	}
	m := c.matcher(k.set)
	k.entity = m.match(k.pk, k.base)
	return k
}

// checkUpdated checks the item after an update: its keys hold none of its mutable values, and the
// attributes that repeat its keys and its index keys are right.
func (c *checker) checkUpdated(w *request.ImagedWrite) {
	k := c.locate(w.New)
	if k.entity != nil {
		c.checkMutable(k, w.New)
	}
	c.checkIdentity(k, w.New)
	for _, x := range c.table.indexes {
		partition, sort := x.key.Partition, x.key.Sort
		same := w.New.Get(partition) == w.Old.Get(partition) && (sort == "" || w.New.Get(sort) == w.Old.Get(sort))
		assigned := w.Update != nil && w.Update.Assigned(partition) != "" && (sort == "" || w.Update.Assigned(sort) != "")
		if same || assigned { // the check of the request covers it
			continue
		}
		c.checkReach(c.checkAttributes(x, w.New, w.New))
	}
}
