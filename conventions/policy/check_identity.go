package policy

import (
	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// identity checks the attributes in which an item repeats its key and that of its command.
type identity struct{ *inspection }

// checkIdentity compares the attributes that repeat the keys of the item and of its command with
// the item's own key.
func (c identity) checkIdentity(k checkedKey, it item.Item) {
	if c.table.role == Plain || k.sk == "" && k.set.key.Sort != "" || k.pk == "" {
		return
	}
	if id := it.Get(attributeID); id != "" && !k.isID(id.Str()) {
		f := c.report(RuleID, k, "the attribute %s is %s and should be %s", attributeID,
			quoteKey(id.Str()), quoteKey(joinKey(k.pk, k.base)))
		if hasAtSign(&k) {
			f.Remedy =
				"encode the value that holds the @ (conventions.Escape), where generateId cuts the sort key"
		}
	}
	if c.table.role != Command {
		c.checkNamedCommand(k, it)
	}
}

// checkNamedCommand checks the key of the command in an item, if the item names one.
func (c identity) checkNamedCommand(k checkedKey, it item.Item) {
	if pk := it.Get(attributeOfCommand).Str(); pk != "" && pk != k.pk {
		c.report(RuleVersionCommand, k, "%s names a command of another partition, %s",
			attributeOfCommand, quoteKey(pk))
	}
	sk := it.Get(attributeOfCommandsSort).Str()
	if sk == "" {
		return
	}
	base, named, versioned := splitVersion(sk)
	version, ok := versionOf(it.Get(c.table.version))
	if base != k.base || versioned && ok && int64(named) != version {
		c.report(RuleVersionCommand, k,
			"%s names %s, which is not the command of the item's version", attributeOfCommandsSort,
			quoteKey(sk))
	}
}

// checkAssignedIdentity checks the identity that an update writes, as far as the request shows it.
func (c identity) checkAssignedIdentity(k checkedKey, w *request.Write) {
	if id := w.Update.Assigned(attributeID); id != "" {
		c.checkIdentity(k, item.New(item.Attribute{Name: attributeID, Value: id}))
	}
}

// commands checks that the items of data tables follow commands.
type commands struct{ *inspection }

// checkCommand checks that an item of a data table follows a command: a command of its version is
// stored, or written by the same commit. An item that no command made has the first version.
func (c commands) checkCommand(w *request.ImagedWrite, commit *Commit) {
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
	if err == nil && !c.has(w.New, sk, commit) {
		c.report(RuleVersionCommand, k, "the table %s has no command %s",
			quoteKey(c.table.commands), quoteKey(joinKey(k.pk, sk)))
	}
}

// checkBehind checks that a stored item has the version of its newest command: there is no command
// of the next version. A command is stored before its item, so that a write may find one.
func (c commands) checkBehind(it item.Item, commit *Commit) {
	version, ok := versionOf(it.Get(c.table.version))
	if !ok || c.table.commands == "" {
		return
	}
	k := c.locate(it)
	sk, err := conventions.AddVersion(k.base, int(version)+1)
	if err == nil && c.has(it, sk, commit) {
		f := c.report(RuleVersionCommand, k,
			"the item has the version %d, and the table %s has the command %s", version,
			quoteKey(c.table.commands), quoteKey(joinKey(k.pk, sk)))
		f.Remedy = "carry out the command again, which writes the item with its version"
	}
}

// has reports whether a command of an item is stored or written by a commit.
func (c commands) has(it item.Item, sk string, commit *Commit) bool {
	names := c.engine.table(c.table.commands).primary.key
	return commit.has(c.table.commands, names, item.New(
		item.Attribute{Name: names.Partition, Value: it.Get(c.table.primary.key.Partition)},
		item.Attribute{Name: names.Sort, Value: item.String(sk)}))
}
