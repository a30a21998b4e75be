package policy

import "github.com/kugiri-db/kugiri/storage/item"

// Commit is what is about to be stored, all at once or, unless Transaction is set, write by write.
type Commit struct {
	Caller      Caller
	Writes      []ImagedWrite
	Transaction bool

	// Lookup returns what is stored under a key before the commit, "" for nothing. Without it the
	// rules that need to see other items than those written see less: a command's version that
	// follows none, and what a latest item points at.
	Lookup func(table string, key item.Item) item.Item

	State *State // nil: partition keys are not counted
}

// ImagedWrite is a write with the item before and after, "" for none.
type ImagedWrite struct {
	*Write
	Old, New item.Item
}

// CheckWrites returns what is wrong with the writes of a commit that CheckRequest, with Images set,
// has left to it; nil if nothing is. Once the commit is made, Engine.Record counts each new item.
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
		if w.Kind == Update && w.New != "" {
			c.checkUpdated(w)
		}
		c.checkRepeated(w)
		if w.Old == "" && w.New != "" && c.state != nil {
			c.checkBound(c.locate(w.New))
		}
	}
	if e.hasLatest {
		c.checkLatestOf(len(commit.Writes), func(i int) ImagedWrite { return commit.Writes[i] },
			latestChecker{lookup: commit.Lookup, transaction: commit.Transaction})
	}
	return c.findings
}

// locate is the key of an item, with its entity; what is wrong with it is not reported.
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

// checkUpdated checks what an update made of an item: that its keys hold none of its mutable
// values, what it says of its keys, and its index keys.
func (c *checker) checkUpdated(w *ImagedWrite) {
	k := c.locate(w.New)
	if k.entity != nil {
		c.checkMutable(k, w.New)
	}
	c.checkIdentity(k, w.New)
	for _, x := range c.table.indexes {
		partition, sort := x.key.Partition, x.key.Sort
		same := w.New.Get(partition) == w.Old.Get(partition) && (sort == "" || w.New.Get(sort) == w.Old.Get(sort))
		assigned := w.Update != nil && w.Update.Assigned(partition) != "" && (sort == "" || w.Update.Assigned(sort) != "")
		if same || assigned { // seen in the request
			continue
		}
		c.checkReach(c.checkAttributes(x, w.New, w.New))
	}
}
