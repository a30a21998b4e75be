package policy

import (
	"strconv"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

// versionOf reads a version. ok is false if v is none.
func versionOf(v item.Value) (version int64, ok bool) {
	n := v.Num()
	if n == "" {
		return 0, false
	}
	version, err := strconv.ParseInt(n, 10, 64)
	return version, err == nil && version >= 0 && version <= conventions.VersionMax
}

// isFirst reports whether a new item may have a version: what no command made begins with VersionFirst, what the
// first command made has that one's.
func isFirst(version int64) bool { return version <= conventions.VersionFirst+1 }

// checkRequestVersion checks the version that a write gives an item of a data table, as far as the request says.
func (c *checker) checkRequestVersion(r *Request, w *Write, k key) {
	attribute := c.table.version
	var written item.Value
	switch {
	case w.Kind == Put:
		if written = w.Item.Get(attribute); written == "" {
			c.report(RuleVersionFirst, k, "the item has no attribute %s", attribute)
			return
		}
	case w.Kind != Update:
		return
	case w.Update != nil:
		if n := w.Update.Increment(attribute); n != "" {
			if n.Num() != "1" {
				c.report(RuleVersionSequence, k, "the update raises %s by %s", attribute, n.Num())
			}
			return
		}
		written = w.Update.Assigned(attribute)
	}
	demanded := w.demands(attribute)
	if written == "" {
		if demanded == "" {
			c.report(RuleVersionNotRaised, k, "the update neither raises %s by one nor is conditional on it", attribute)
		}
		return
	}
	version, ok := versionOf(written)
	from, known := versionOf(demanded)
	_, amendable := c.engine.amend(c.table, w)
	switch {
	case !ok:
		c.report(RuleVersionSequence, k, "the attribute %s is no version", attribute)
	case known && version != from && version != from+1:
		c.report(RuleVersionSequence, k, "the version %d does not follow %d, which the write is conditional on", version, from)
	case demanded == "" && !isFirst(version) && !w.Insert && !(r.Amends && amendable):
		c.report(RuleVersionNotRaised, k, "the version %d is written whatever version is stored", version)
	case w.Insert && !isFirst(version):
		c.report(RuleVersionFirst, k, "a new item has the version %d", version)
	}
}

// checkVersionAttribute compares the version in an item's sort key with that in its attribute, if it has that.
func (c *checker) checkVersionAttribute(k key, it item.Item) {
	_, inKey, ok := splitVersion(k.sk)
	v := it.Get(c.table.version)
	if version, isVersion := versionOf(v); ok && v != "" && (!isVersion || version != int64(inKey)) {
		c.report(RuleVersionAttribute, k, "the sort key has the version %d and the attribute %s does not", inKey, c.table.version)
	}
}

// checkDataVersion checks how a commit changes the version of an item of a data table.
func (c *checker) checkDataVersion(w *ImagedWrite) {
	attribute := c.table.version
	if w.New == "" || w.New == w.Old || w.Kind == Check || w.Kind == Delete {
		return
	}
	before, after := w.Old.Get(attribute), w.New.Get(attribute)
	version, ok := versionOf(after)
	stored, hasStored := versionOf(before)
	switch {
	case hasStored && ok && version == stored+1:
		return
	case w.Old == "" && (!ok || !isFirst(version)):
		c.report(RuleVersionFirst, c.locate(w.New), "a new item has, for %s, %s", attribute, versionText(after))
		return
	case !hasStored && ok && isFirst(version): // a new item, or one from before there were versions
		return
	}
	demanded := w.demands(attribute)
	explicit := w.Kind == Put || w.Update != nil && (w.Update.Assigned(attribute) != "" || w.Update.Increment(attribute) != "")
	switch {
	case before == after && demanded != "" && demanded == before:
	case !ok || before == after && !explicit:
		c.report(RuleVersionNotRaised, c.locate(w.New), "the item stays at, for %s, %s, and the write is not conditional on it", attribute, versionText(after))
	default:
		f := c.report(RuleVersionSequence, c.locate(w.New), "the version %d does not follow the stored one, %s", version, versionText(before))
		f.Conflict = demanded == ""
	}
}

func versionText(v item.Value) string {
	if v == "" {
		return "no value"
	}
	if n := v.Num(); n != "" {
		return n
	}
	return "a value that is no number"
}

// checkHistory checks what a commit does to an item of a command or history table. What an update changes, and deletions, are
// seen in the request.
func (c *checker) checkHistory(w *ImagedWrite, commit *Commit) {
	if w.Kind == Update && w.Old == "" && w.New != "" {
		c.report(RuleHistory, c.locate(w.New), "an update makes an item of a %s table that is not there", c.table.role)
	}
	if w.Kind != Put {
		return
	}
	if w.Old != "" {
		if !c.table.isKept(w.Old, w.New) { // what writes the same again is a retry
			f := c.report(RuleHistory, c.locate(w.New), "the version is there already")
			f.Conflict = true
		}
		return
	}
	k := c.locate(w.New)
	_, version, ok := splitVersion(k.sk)
	if !ok || isFirst(int64(version)) || commit.Lookup == nil || c.off(RuleVersionSequence) {
		return
	}
	sk, err := conventions.AddVersion(k.base, version-1)
	if err != nil || c.hasVersion(c.name, c.table.primary.key, k.pk, sk, commit) {
		return
	}
	f := c.report(RuleVersionSequence, k, "there is no version %d that the version %d could follow", version-1, version)
	f.Conflict = true
}

// hasVersion reports whether a table has an item with these keys, stored or written by the same commit.
func (c *checker) hasVersion(table string, names Key, pk, sk string, commit *Commit) bool {
	wanted := item.New(item.Attribute{Name: names.Partition, Value: item.String(pk)}, item.Attribute{Name: names.Sort, Value: item.String(sk)})
	if commit.Lookup(table, wanted) != "" {
		return true
	}
	for i := range commit.Writes {
		w := &commit.Writes[i]
		if w.Table == table && w.New != "" && w.New.Get(names.Partition).Str() == pk && w.New.Get(names.Sort).Str() == sk {
			return true
		}
	}
	return false
}
