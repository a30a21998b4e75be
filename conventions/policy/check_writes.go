package policy

import "github.com/kugiri-db/kugiri/conventions/policy/request"

// CheckWrites returns the findings in the writes of a commit that need the items' images.
// CheckRequest, with Images set, leaves these checks to it. It returns nil without findings. After
// the commit the caller counts each new item with Engine.Record.
func (e *Engine) CheckWrites(commit *Commit) []Finding {
	in := inspection{engine: e, caller: e.resolve(commit.Caller)}
	for i := range commit.Writes {
		w := &commit.Writes[i]
		if !in.at(w.Table, w.Action) {
			continue
		}
		switch in.table.role {
		case Data:
			versions{&in}.checkDataVersion(w, commit.Load)
			if !commit.Load {
				commands{&in}.checkCommand(w, commit)
			}
		case Command, History:
			history{&in}.checkHistory(w, commit)
			versions{&in}.checkImagedAttribute(w)
		}
		if w.Kind == request.Update && w.New != "" {
			updates{&in}.checkUpdated(w)
		}
		mutables{&in}.checkRepeated(w)
		if w.Old == "" && w.New != "" && !commit.Load {
			parents{&in}.checkParent(w.New, commit)
		}
		if w.Old == "" && w.New != "" && commit.State != nil {
			bounds{&in}.checkBound(in.locate(w.New), commit.State)
		}
	}
	if e.hasLatest && !commit.Load {
		checkLatest(&in, len(commit.Writes),
			func(i int) request.ImagedWrite { return commit.Writes[i] },
			latest{lookup: commit.Lookup, transaction: commit.Transaction})
	}
	return in.findings
}

// updates checks the items that updates leave.
type updates struct{ *inspection }

// checkUpdated checks the item after an update: its keys hold none of its mutable values, and the
// attributes that repeat its keys and its index keys are right.
func (c updates) checkUpdated(w *request.ImagedWrite) {
	k := c.locate(w.New)
	if k.entity != nil {
		mutables(c).checkMutable(k, w.New)
	}
	expiry(c).checkTime(k, w.New)
	identity(c).checkIdentity(k, w.New)
	for _, x := range c.table.indexes {
		partition, sort := x.key.Partition, x.key.Sort
		same := w.New.Get(partition) == w.Old.Get(partition) &&
			(sort == "" || w.New.Get(sort) == w.Old.Get(sort))
		assigned := w.Update != nil && w.Update.Assigned(partition) != "" &&
			(sort == "" || w.Update.Assigned(sort) != "")
		if same || assigned { // the check of the request covers it
			continue
		}
		tenants(c).checkItem(x, w.New, k)
	}
}
