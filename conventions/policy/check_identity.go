package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// The attributes in which the guide's framework repeats keys. Each item repeats its own key. An
// item of a data or history table also repeats the key of the command that made it.
const (
	attributeID             = "id"
	attributeOfCommand      = "cpk"
	attributeOfCommandsSort = "csk"
	attributeOfRequest      = "requestId" // the request that made it
)

// checkIdentity compares the attributes that repeat the keys of the item and of its command with
// the item's own key.
func (c *checker) checkIdentity(k checkedKey, it item.Item) {
	if c.table.role == Plain {
		return
	}
	if id := it.Get(attributeID); id != "" && !k.isID(id.Str()) {
		c.report(RuleID, k, "the attribute %s is %s and should be %s", attributeID, quoteKey(id.Str()), quoteKey(joinKey(k.pk, k.base)))
	}
	if c.table.role != Command {
		c.checkNamedCommand(k, it)
	}
}

// isID reports whether an id matches the key: the partition key and the sort key without its
// version.
func (k *checkedKey) isID(id string) bool {
	rest, ok := strings.CutPrefix(id, k.pk)
	if k.base == "" || !ok {
		return ok && rest == ""
	}
	base, ok := strings.CutPrefix(rest, conventions.KeySeparator)
	return ok && base == k.base
}

// checkNamedCommand checks the key of the command in an item, if the item names one.
func (c *checker) checkNamedCommand(k checkedKey, it item.Item) {
	if pk := it.Get(attributeOfCommand).Str(); pk != "" && pk != k.pk {
		c.report(RuleVersionCommand, k, "%s names a command of another partition, %s", attributeOfCommand, quoteKey(pk))
	}
	sk := it.Get(attributeOfCommandsSort).Str()
	if sk == "" {
		return
	}
	base, named, versioned := splitVersion(sk)
	version, ok := versionOf(it.Get(c.table.version))
	if base != k.base || versioned && ok && int64(named) != version {
		c.report(RuleVersionCommand, k, "%s names %s, which is not the command of the item's version", attributeOfCommandsSort, quoteKey(sk))
	}
}

// checkAssignedIdentity checks the identity that an update writes, as far as the request shows it.
func (c *checker) checkAssignedIdentity(k checkedKey, w *request.Write) {
	if id := w.Update.Assigned(attributeID); id != "" {
		c.checkIdentity(k, item.New(item.Attribute{Name: attributeID, Value: id}))
	}
}

// checkCommand checks that an item of a data table follows a command: a command of its version is
// stored, or written by the same commit. An item that no command made has the first version.
func (c *checker) checkCommand(w *request.ImagedWrite, commit *Commit) {
	if c.table.commands == "" || commit.Lookup == nil {
		return
	}
	written := w.New.Get(c.table.version)
	version, ok := versionOf(written)
	if !ok || version == conventions.VersionFirst || written == w.Old.Get(c.table.version) {
		return
	}
	k := c.locate(w.New)
	sk, err := conventions.AddVersion(k.base, int(version))
	if err != nil || c.hasVersion(c.table.commands, c.engine.table(c.table.commands).primary.key, k.pk, sk, commit) {
		return
	}
	c.report(RuleVersionCommand, k, "the table %s has no command %s", quoteKey(c.table.commands), quoteKey(joinKey(k.pk, sk)))
}

// CheckCommand returns the findings for a stored item of a data table whose command lookup does not
// find. It returns nil for every other item.
func (e *Engine) CheckCommand(table string, it item.Item, lookup func(table string, key item.Item) item.Item) []Finding {
	c := checker{engine: e, caller: caller{reachable: true}}
	if !c.at(table, 0) {
		return nil
	}
	c.checkCommand(&request.ImagedWrite{New: it}, &Commit{Lookup: lookup})
	return c.findings
}

// compileCommands checks the name of the table that holds a data table's commands. It runs after
// all tables are compiled.
func (c *compiler) compileCommands(field string, in *Table) {
	of := c.engine.table(in.Commands)
	switch {
	case in.Commands == "":
	case in.Role != Data:
		c.fail(field, "only a data table has commands, and this is a %s table", in.Role)
	case of == nil || of.role != Command:
		c.fail(field, "%.100q is no declared command table", in.Commands)
	case of.primary.key.Sort == "":
		c.fail(field, "the command table %.100q has no sort key", in.Commands)
	}
}
