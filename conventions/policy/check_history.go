package policy

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// history checks that commands and history stay as they were written, version after version.
type history struct{ *inspection }

// checkHistory checks what a commit does to an item of a command or history table. The check of the
// request covers deletions and the attributes that an update changes.
func (c history) checkHistory(w *request.ImagedWrite, commit *Commit) {
	if w.Kind == request.Update && w.Old == "" && w.New != "" {
		c.report(RuleHistory, c.locate(w.New),
			"an update makes an item of a %s table that is not there", c.table.role)
	}
	if w.Kind != request.Put {
		return
	}
	k := c.locate(w.New)
	if w.Old != "" {
		if !c.table.repeats(w) {
			f := c.report(RuleHistory, k, "the version is there already")
			f.Conflict = true
		}
		return
	}
	n, ok := adjacentTo(c.table.primary.key, k)
	if !ok || commit.Lookup == nil || commit.Load || c.off(RuleVersionSequence) ||
		commit.has(c.name, c.table.primary.key, n.key) == n.exists {
		return
	}
	f := c.reportAdjacent(k, n)
	f.Conflict = true
}

// adjacentVersion is another version that decides whether a version may be written.
type adjacentVersion struct {
	key     item.Item
	version int
	exists  bool // whether the version must exist or must not exist
}

// adjacentTo returns the version that decides whether a new one may be written: the version before,
// which must exist. Some items begin with version 0 and most with version 1. So version 1 depends
// on no other, and version 0 must not be written once version 1 exists. names are the attributes of
// the key k.
func adjacentTo(names KeySchema, k checkedKey) (n adjacentVersion, ok bool) {
	_, version, ok := splitVersion(k.sk)
	if !ok || version == conventions.VersionFirst+1 {
		return n, false
	}
	n.version, n.exists = version-1, true
	if version == conventions.VersionFirst {
		n.version, n.exists = version+1, false
	}
	sk, err := conventions.AddVersion(k.base, n.version)
	n.key = keyItem(names, k.pk, sk)
	return n, err == nil
}

// reportAdjacent reports that the version next to a new one is there, or is not.
func (c history) reportAdjacent(k checkedKey, n adjacentVersion) *Finding {
	if !n.exists {
		return c.report(RuleVersionSequence, k,
			"there is the version %d already, which would follow", n.version)
	}
	return c.report(RuleVersionSequence, k,
		"there is no version %d that the version %d could follow", n.version, n.version+1)
}

// checkRequestHistory checks the write of a new command or history version as far as the request
// shows: its condition must demand that the version does not exist, and the version before must
// exist.
func (c history) checkRequestHistory(r *request.Request, w *request.Write, k checkedKey) {
	key := c.table.primary.key
	if !w.Demand("", key).Absent && (!r.Amends || w.Fixed) {
		c.report(RuleHistory, k, "the version may be there already%s", whyFixed(r, w))
	}
	n, ok := adjacentTo(c.table.primary.key, k)
	switch puts := ok && r.Puts(w.Table, n.key, key); {
	case puts && !n.exists:
		c.reportAdjacent(k, n)
		return
	case !ok || puts || r.Amends && r.Transaction && !w.Fixed:
		return
	}
	f := c.report(RuleVersionSequence, k,
		"the version %d, which decides whether this one may be written, cannot be seen from here",
		n.version)
	f.Remedy = "put it in a TransactWriteItems, which the check of the other version is added to"
}

// checkUpdateOfVersion checks an update of an item of a command or history table. The item has to
// exist, and only its bookkeeping may change.
func (c history) checkUpdateOfVersion(r *request.Request, w *request.Write, k checkedKey) {
	if w.Update == nil {
		c.report(RuleHistory, k,
			"an update of an item of a %s table says nothing of what it changes", c.table.role)
		return
	}
	for _, name := range w.Update.Attributes() {
		if !slices.Contains(c.table.bookkeeping, name) {
			f := c.report(RuleHistory, k, "an update changes %s of an item of a %s table", name,
				c.table.role)
			f.Remedy += "; what keeps track of it only, declare as bookkeeping"
			return
		}
	}
	if !r.Images && w.MayCreate() && (!r.Amends || w.Fixed) {
		f := c.report(RuleHistory, k,
			"the update would make an item of a %s table where there is none", c.table.role)
		f.Remedy = "make the update conditional on attribute_exists(" +
			c.table.primary.key.Partition + ")"
	}
}
