package policy

import (
	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// checkHistory checks what a commit does to an item of a command or history table. The check of the
// request covers deletions and the attributes that an update changes.
func (c *checker) checkHistory(w *request.ImagedWrite, commit *Commit) {
	if w.Kind == request.Update && w.Old == "" && w.New != "" {
		c.report(RuleHistory, c.locate(w.New), "an update makes an item of a %s table that is not there", c.table.role)
	}
	if w.Kind != request.Put {
		return
	}
	k := c.locate(w.New)
	if w.Old != "" {
		if !c.repeats(w) {
			f := c.report(RuleHistory, k, "the version is there already")
			f.Conflict = true
		}
		return
	}
	n, ok := c.adjacent(k)
	if !ok || commit.Lookup == nil || c.off(RuleVersionSequence) || c.hasItem(c.name, c.table.primary.key, n.key, commit) == n.exists {
		return
	}
	f := c.reportAdjacent(k, n)
	f.Conflict = true
}

// repeats reports whether a write puts the same item again, or the same item with other bookkeeping
// attributes. Another writer could put the same content by chance, so the item must name the
// request that made it or, if it is a copy of a command, the command.
func (c *checker) repeats(w *request.ImagedWrite) bool {
	if w.Kind != request.Put || !c.table.isKept(w.Old, w.New) {
		return false
	}
	_, _, copied := splitVersion(w.New.Get(attributeOfCommandsSort).Str())
	return w.New.Get(attributeOfRequest).Str() != "" || copied && c.table.role != Command
}

// adjacentVersion is another version that decides whether a version may be written.
type adjacentVersion struct {
	key     item.Item
	version int
	exists  bool // whether the version must exist or must not exist
}

// adjacent returns the version that decides whether a new one may be written: the version before,
// which must exist. Some items begin with version 0 and most with version 1. So version 1 depends on
// no other, and version 0 must not be written once version 1 exists.
func (c *checker) adjacent(k checkedKey) (n adjacentVersion, ok bool) {
	_, version, ok := splitVersion(k.sk)
	if !ok || version == conventions.VersionFirst+1 {
		return n, false
	}
	n.version, n.exists = version-1, true
	if version == conventions.VersionFirst {
		n.version, n.exists = version+1, false
	}
	sk, err := conventions.AddVersion(k.base, n.version)
	n.key = keyItem(c.table.primary.key, k.pk, sk)
	return n, err == nil
}

func (c *checker) reportAdjacent(k checkedKey, n adjacentVersion) *Finding {
	if !n.exists {
		return c.report(RuleVersionSequence, k, "there is the version %d already, which would follow", n.version)
	}
	return c.report(RuleVersionSequence, k, "there is no version %d that the version %d could follow", n.version, n.version+1)
}

// hasVersion reports whether a table has an item with these keys, either stored or written by the
// same commit.
func (c *checker) hasVersion(table string, names KeySchema, pk, sk string, commit *Commit) bool {
	return c.hasItem(table, names, keyItem(names, pk, sk), commit)
}

// keyItem returns a primary key as an item.
func keyItem(names KeySchema, pk, sk string) item.Item {
	return item.New(item.Attribute{Name: names.Partition, Value: item.String(pk)}, item.Attribute{Name: names.Sort, Value: item.String(sk)})
}

func (c *checker) hasItem(table string, names KeySchema, key item.Item, commit *Commit) bool {
	if commit.Lookup(table, key) != "" {
		return true
	}
	for i := range commit.Writes {
		w := &commit.Writes[i]
		if w.Table == table && w.New != "" && w.New.Only(names.Partition, names.Sort) == key {
			return true
		}
	}
	return false
}

// checkRequestHistory checks the write of a new command or history version as far as the request
// shows: its condition must demand that the version does not exist, and the version before must
// exist.
func (c *checker) checkRequestHistory(r *request.Request, w *request.Write, k checkedKey) {
	key := c.table.primary.key
	if !w.Demand("", key).Absent && (!r.Amends || w.Fixed) {
		c.report(RuleHistory, k, "the version may be there already%s", whyFixed(r, w))
	}
	n, ok := c.adjacent(k)
	if !ok || r.Amends && r.Transaction && !w.Fixed || r.Puts(w.Table, n.key, key) {
		return
	}
	f := c.report(RuleVersionSequence, k, "the version %d, which decides whether this one may be written, cannot be seen from here", n.version)
	f.Remedy = "put it in a TransactWriteItems, which the check of the other version is added to"
}
