package policy

import (
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// versions checks how the versions of items in data tables count up.
type versions struct{ *inspection }

// versionOf reads a version. ok is false if v is not a version.
func versionOf(v item.Value) (version int64, ok bool) {
	n := v.Num()
	if n == "" {
		return 0, false
	}
	version, err := strconv.ParseInt(n, 10, 64)
	return version, err == nil && version >= 0 && version <= conventions.VersionMax
}

// isFirst reports whether a new item may have the version. An item that no command made begins with
// VersionFirst. An item that the first command made has the version of that command.
func isFirst(version int64) bool {
	return version == conventions.VersionFirst || version == conventions.VersionFirst+1
}

// checkDeletion checks a deletion of an item of a data table. The deletion must name the version
// that the client read. Otherwise a new item could begin with the first version again while other
// clients still hold a version of the old one.
func (c versions) checkDeletion(w *request.Write, k checkedKey) {
	d := w.Demand(c.table.version, c.table.primary.key)
	if _, isVersion := versionOf(d.Value); !isVersion && !d.Absent {
		c.report(RuleVersionDeleted, k, "the item is deleted whatever version is stored")
	}
}

// checkRequestVersion checks the version that a write gives an item of a data table, as far as the
// request shows it.
func (c versions) checkRequestVersion(r *request.Request, w *request.Write, k checkedKey) {
	if w.Kind != request.Put && w.Kind != request.Update {
		return
	}
	written := c.writtenVersion(r, w, k)
	if written == "" {
		return
	}
	version, ok := versionOf(written)
	if !ok {
		c.reportNoVersion(w, k)
		return
	}
	d := w.Demand(c.table.version, c.table.primary.key)
	sure, possible := fitting(version, d)
	if sure || possible && r.Amends && !w.Fixed {
		return
	}
	switch {
	case d.Value != "" && !follows(version, d.Value):
		c.report(RuleVersionSequence, k,
			"the version %d does not follow %s, which the write is conditional on", version,
			versionText(d.Value))
	case d.Absent && !isFirst(version):
		c.report(RuleVersionFirst, k, "a new item has the version %d", version)
	default:
		f := c.report(c.blindRule(version), k,
			"the version %d is written whatever version is stored%s", version, whyFixed(r, w))
		f.Remedy =
			"write it by PutItem, UpdateItem or TransactWriteItems, under a condition on the version that was read"
	}
}

// fitting compares a version with what its write demands of the stored one. sure says that the
// version follows whatever meets the demand, and possible that it follows something that does.
func fitting(version int64, d expr.Demand) (sure, possible bool) {
	if d == (expr.Demand{}) {
		return false, true
	}
	after := d.Value != "" && follows(version, d.Value)
	begins := d.Absent && isFirst(version)
	return (d.Value == "" || after) && (!d.Absent || begins), after || begins
}

// blindRule returns the rule that an unconditional write of a version may break.
func (c versions) blindRule(version int64) *Rule {
	if !c.enforces(RuleVersionSequence) && !isFirst(version) {
		return RuleVersionFirst
	}
	return RuleVersionSequence
}

// whyFixed explains why the engine cannot add a condition to a write. It returns "" if the engine
// can.
func whyFixed(r *request.Request, w *request.Write) string {
	if !w.Fixed {
		return ""
	}
	return ", and no condition can be added to a " + r.Operation + " of this kind"
}

// writtenVersion returns the value that a write assigns to the version attribute. It reports a
// write that does not raise the version. It returns "" if there is nothing more to check.
func (c versions) writtenVersion(r *request.Request, w *request.Write,
	k checkedKey) item.Value {
	attribute := c.table.version
	if w.Kind == request.Put {
		written := w.Item.Get(attribute)
		if written == "" {
			c.report(RuleVersionFirst, k, "the item has no attribute %s", attribute)
		}
		return written
	}
	if w.Update != nil {
		if by, first := w.Update.Increment(attribute); by != "" {
			c.checkIncrement(k, w.Demand(attribute, c.table.primary.key), by, first)
			return ""
		}
		if written := w.Update.Assigned(attribute); written != "" {
			return written
		}
	}
	c.report(RuleVersionNotRaised, k, "the update does not raise %s by one", attribute)
	if w.MayCreate() && (!r.Amends || w.Fixed) && !c.enforces(RuleVersionNotRaised) {
		c.report(RuleVersionFirst, k, "the update would make an item without %s", attribute)
	}
	return ""
}

// checkIncrement checks an update that adds a number to the version. An absent version counts as
// first; if that is "", there must be one.
func (c versions) checkIncrement(k checkedKey, d expr.Demand, by, first item.Value) {
	n, ok := versionOf(by)
	begins := d.Absent && d.Value == "" // there is no version
	if !begins && (!ok || n != 1) {
		c.report(RuleVersionSequence, k, "the update raises %s by %s", c.table.version,
			versionText(by))
		if c.enforces(RuleVersionSequence) {
			return
		}
	}
	if first == "" || d.Value != "" && !d.Absent { // there is a version
		return
	}
	from, isVersion := versionOf(first)
	if first.Num() == "-1" {
		from, isVersion = -1, true
	}
	if !ok || !isVersion || !isFirst(from+n) {
		c.report(RuleVersionFirst, k, "a new item would begin with the version %s plus %s",
			versionText(first), versionText(by))
	}
}

func (c versions) reportNoVersion(w *request.Write, k checkedKey) {
	rule := RuleVersionSequence
	if w.Kind == request.Put {
		rule = RuleVersionFirst
	}
	c.report(rule, k, "the attribute %s is no version", c.table.version)
}

// follows reports whether a version is the next one after before.
func follows(version int64, before item.Value) bool {
	from, ok := versionOf(before)
	return ok && version == from+1
}

// checkVersionAttribute compares the version in an item's sort key with the version attribute.
func (c versions) checkVersionAttribute(k checkedKey, it item.Item) {
	_, inKey, ok := splitVersion(k.sk)
	written := it.Get(c.table.version)
	version, isVersion := versionOf(written)
	switch {
	case !ok || isVersion && version == int64(inKey):
	case written == "":
		c.report(RuleVersionAttribute, k,
			"the sort key has the version %d and there is no attribute %s", inKey, c.table.version)
	default:
		c.report(RuleVersionAttribute, k,
			"the sort key has the version %d and the attribute %s does not", inKey, c.table.version)
	}
}

// checkUpdatedAttribute checks the version attribute that an update of an item of a command or
// history table leaves. Where RuleHistory is enforced, it refuses what this could find.
func (c versions) checkUpdatedAttribute(r *request.Request, w *request.Write, k checkedKey) {
	attribute := c.table.version
	switch {
	case r.Images || c.enforces(RuleHistory): // checkImagedAttribute sees it
	case w.Update != nil && slices.Contains(w.Update.Attributes(), attribute):
		assigned := w.Update.Assigned(attribute)
		c.checkVersionAttribute(k, item.New(item.Attribute{Name: attribute, Value: assigned}))
	case w.MayCreate() && (!r.Amends || w.Fixed):
		c.report(RuleVersionAttribute, k, "the update would make an item without %s", attribute)
	}
}

// checkImagedAttribute checks the version attribute of an item that an update made or changed.
func (c versions) checkImagedAttribute(w *request.ImagedWrite) {
	attribute := c.table.version
	if w.Kind == request.Update && w.New != "" && !c.enforces(RuleHistory) &&
		(w.Old == "" || w.Old.Get(attribute) != w.New.Get(attribute)) {
		c.checkVersionAttribute(c.locate(w.New), w.New)
	}
}

// checkDataVersion checks how a commit changes the version of an item of a data table.
func (c versions) checkDataVersion(w *request.ImagedWrite, load bool) {
	attribute := c.table.version
	if w.New == "" || w.Kind == request.Check || w.Kind == request.Delete {
		return
	}
	before, after := w.Old.Get(attribute), w.New.Get(attribute)
	version, ok := versionOf(after)
	stored, hasStored := versionOf(before)
	switch {
	case ok && hasStored && version == stored+1:
	case ok && !hasStored && isFirst(version): // a new item, or one that had no version
	case c.table.repeats(w), load && ok && w.Old == "":
	case w.Old == "":
		c.report(RuleVersionFirst, c.locate(w.New), "a new item has, for %s, %s", attribute,
			versionText(after))
	case !ok && w.Kind == request.Put:
		c.report(RuleVersionFirst, c.locate(w.New), "the item has, for %s, %s", attribute,
			versionText(after))
	case !w.Sets(attribute) && after != before:
		c.report(RuleVersionNotRaised, c.locate(w.New),
			"the update takes the version from %s to %s, and not to the next one",
			versionText(before), versionText(after))
	case !w.Sets(attribute):
		c.report(RuleVersionNotRaised, c.locate(w.New), "the item stays at, for %s, %s", attribute,
			versionText(after))
	default:
		f := c.report(RuleVersionSequence, c.locate(w.New),
			"the version %s does not follow the stored one, %s", versionText(after),
			versionText(before))
		f.Conflict = ok && w.Demand(attribute, c.table.primary.key) == expr.Demand{}
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
