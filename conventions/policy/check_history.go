package policy

import (
	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

// checkHistory checks what a commit does to an item of a command or history table. What an update
// changes, and deletions, are seen in the request.
func (c *checker) checkHistory(w *ImagedWrite, commit *Commit) {
	if w.Kind == Update && w.Old == "" && w.New != "" {
		c.report(RuleHistory, c.locate(w.New), "an update makes an item of a %s table that is not there", c.table.role)
	}
	if w.Kind != Put {
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
	beside, is := c.beside(k)
	if !is || commit.Lookup == nil || c.off(RuleVersionSequence) || c.hasItem(c.name, c.table.primary.key, beside.key, commit) == beside.exists {
		return
	}
	f := c.reportBeside(k, beside)
	f.Conflict = true
}

// repeats reports whether a write puts again what is there, or the same with other bookkeeping, and
// is no other writer's version of the same content: the item names the request that made it, or,
// where it is a copy of a command, the command.
func (c *checker) repeats(w *ImagedWrite) bool {
	if w.Kind != Put || !c.table.isKept(w.Old, w.New) {
		return false
	}
	_, _, copied := splitVersion(w.New.Get(attributeOfCommandsSort).Str())
	return w.New.Get(attributeOfRequest).Str() != "" || copied && c.table.role != Command
}

// neighbour is another version that decides whether a version may be written.
type neighbour struct {
	key     item.Item
	version int
	exists  bool // it must be there, or else must not
}

// beside is the neighbour of a new version: the one before must be there, and the first has none.
// Version 0, with which only some begin, is not written when there is version 1.
func (c *checker) beside(k checkedKey) (n neighbour, ok bool) {
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

func (c *checker) reportBeside(k checkedKey, n neighbour) *Finding {
	if !n.exists {
		return c.report(RuleVersionSequence, k, "there is the version %d already, which would follow", n.version)
	}
	return c.report(RuleVersionSequence, k, "there is no version %d that the version %d could follow", n.version, n.version+1)
}

// hasVersion reports whether a table has an item with these keys, stored or written by the same
// commit.
func (c *checker) hasVersion(table string, names KeySchema, pk, sk string, commit *Commit) bool {
	return c.hasItem(table, names, keyItem(names, pk, sk), commit)
}

// keyItem is a primary key as an item.
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

// checkRequestHistory checks a new command or version of history, as far as the request says:
// nobody may have written it, and the version before must be there.
func (c *checker) checkRequestHistory(r *Request, w *Write, k checkedKey) {
	key := c.table.primary.key
	if !w.demand("", key).Absent && (!r.Amends || w.Fixed) {
		c.report(RuleHistory, k, "the version may be there already%s", whyFixed(r, w))
	}
	n, ok := c.beside(k)
	if !ok || r.Amends && r.Transaction && !w.Fixed || r.puts(w.Table, n.key, key) {
		return
	}
	f := c.report(RuleVersionSequence, k, "the version %d, which decides whether this one may be written, cannot be seen from here", n.version)
	f.Remedy = "put it in a TransactWriteItems, which the check of the other version is added to"
}

// puts reports whether a transaction puts an item.
func (r *Request) puts(table string, key item.Item, names KeySchema) bool {
	for i := range r.Writes {
		w := &r.Writes[i]
		if r.Transaction && w.Kind == Put && w.Table == table && w.Item.Only(names.Partition, names.Sort) == key {
			return true
		}
	}
	return false
}
