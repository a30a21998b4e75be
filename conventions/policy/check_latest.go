package policy

import (
	"iter"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// latest checks the writes of one request or commit to tables with latest items.
type latest struct {
	*inspection
	writes      []latestWrite
	lookup      func(string, item.Item) item.Item // nil if the stored items are unknown
	transaction bool
	request     *request.Request // nil if lookup is set
}

type latestWrite struct {
	request.ImagedWrite
	document
	key checkedKey
}

// checkLatest checks n writes. It skips writes to tables without latest items. l holds the settings
// of the check.
func checkLatest(in *inspection, n int, write func(int) request.ImagedWrite, l latest) {
	for i := range n {
		if w := write(i); in.at(w.Table, w.Action) && in.table.latest != nil {
			checkAllLatest(in, n, write, l)
			return
		}
	}
}

// checkAllLatest does the work of checkLatest. It has its own copy of the arguments, so that
// requests without latest items allocate nothing.
func checkAllLatest(in *inspection, n int, write func(int) request.ImagedWrite, l latest) {
	own := *in
	l.inspection = &own
	l.collect(n, write)
	for i := range l.writes {
		l.check(&l.writes[i])
	}
	in.findings = own.findings
}

// collect keeps the writes of documents.
func (l *latest) collect(n int, write func(int) request.ImagedWrite) {
	for i := range n {
		w := write(i)
		if w.Kind == request.Check || !l.at(w.Table, w.Action) || l.table.latest == nil {
			continue
		}
		k := l.locate(w.Attributes())
		if l.table.latest.covers(&k) {
			l.writes = append(l.writes, latestWrite{w, l.table.latest.document(w.Attributes()), k})
		}
	}
}

func (l *latest) check(w *latestWrite) {
	l.at(w.Table, w.Action)
	switch {
	case w.isPointer:
		l.checkPointer(w)
	case w.Kind == request.Delete:
		l.checkRemoved(w)
	case w.Old != "":
		l.report(RuleLatestRewritten, w.key, "the version %s is there already", quoteKey(w.version))
	default:
		l.checkVersion(w)
	}
}

// pointer returns the write of the document's latest item in the same transaction, or nil.
func (l *latest) pointer(w *latestWrite) *latestWrite {
	return l.find(w, func(o *latestWrite) bool { return o.isPointer })
}

func (l *latest) find(w *latestWrite, fits func(*latestWrite) bool) *latestWrite {
	if !l.transaction {
		return nil
	}
	for i := range l.writes {
		o := &l.writes[i]
		if o != w && o.Table == w.Table && o.isOf(&w.document) && o.Kind != request.Delete &&
			fits(o) {
			return o
		}
	}
	return nil
}

// checkVersion checks the write of a version that is new or may be new.
func (l *latest) checkVersion(w *latestWrite) {
	if l.pointer(w) == nil {
		l.report(RuleLatestMissing, w.key,
			"the version %s is written without its latest item in the same transaction",
			quoteKey(w.version))
		return
	}
	if l.request != nil && !w.Demand("", l.table.primary.key).Absent &&
		(!l.request.Amends || w.Fixed) {
		l.report(RuleLatestRewritten, w.key, "the version %s may be there already%s",
			quoteKey(w.version), whyFixed(l.request, w.Write))
	}
}

// checkPointer checks a write of a latest item.
func (l *latest) checkPointer(w *latestWrite) {
	rule := l.table.latest
	if w.Kind == request.Delete {
		l.checkRemoval(w)
		return
	}
	if d := w.Demand(rule.ActualVersion, l.table.primary.key); d.Value.Str() == "" && !d.Absent {
		l.report(RuleLatestCondition, w.key,
			"the latest item is written whatever version it names: of two writers at once, the later wins")
	}
	actual := w.value(rule.ActualVersion).Str()
	if actual == "" {
		l.report(RuleLatestVersion, w.key, "the latest item names no version in %s",
			rule.ActualVersion)
		return
	}
	version := l.find(w, func(o *latestWrite) bool { return !o.isPointer && o.named(actual) })
	behind := l.find(w, func(o *latestWrite) bool {
		return !o.isPointer && (version == nil || isNewer(o.version, version.version))
	})
	switch {
	case behind != nil:
		l.report(RuleLatestVersion, w.key,
			"the latest item names the version %s, and the same transaction writes the version %s",
			quoteKey(actual), quoteKey(behind.version))
	case version != nil && l.leaves(w, version):
		l.reportBack(w, actual)
	case version != nil:
		l.checkContent(w.key, l.image(w), l.image(version))
	case l.lookup == nil:
		l.report(RuleLatestVersion, w.key,
			"the latest item names the version %s, which is not written in the same transaction",
			quoteKey(actual))
	default:
		l.checkStored(w, actual)
	}
}

// checkRemoval checks a deletion of a latest item. A caller that reaches everything removes a
// document by deleting the latest item, under a condition on the version that it names, and that
// version in one transaction.
func (l *latest) checkRemoval(w *latestWrite) {
	const remedy = "have a privileged caller delete the older versions, and then, in one " +
		"TransactWriteItems, the newest version, and the latest item under the condition that it " +
		"names that version"
	name := l.table.latest.ActualVersion
	demanded := w.Demand(name, l.table.primary.key).Value.Str()
	named := demanded
	if l.lookup != nil && w.Old != "" {
		named = w.Old.Get(name).Str()
	}
	switch {
	case !l.caller.reachable:
		l.report(RuleLatestMissing, w.key, "the latest item is deleted").Remedy = remedy
	case !l.transaction || named != "" && !l.deletes(w, named):
		l.report(RuleLatestMissing, w.key,
			"the latest item is deleted, and not in one transaction with the version that it names",
		).Remedy = remedy
	case named == "" || named != demanded:
		l.report(RuleLatestCondition, w.key,
			"the latest item is deleted whatever version it names").Remedy = remedy
	}
}

// removes reports whether the same transaction deletes the latest item of a document too.
func (l *latest) removes(w *latestWrite) bool {
	return l.transaction && slices.ContainsFunc(l.writes, func(o latestWrite) bool {
		return o.Table == w.Table && o.Kind == request.Delete && o.isPointer && o.isOf(&w.document)
	})
}

// checkStored checks a latest item that names a version stored before the request.
func (l *latest) checkStored(w *latestWrite, actual string) {
	stored := l.lookup(w.Table, l.sibling(w, actual))
	if stored == "" || l.deletes(w, actual) {
		l.report(RuleLatestVersion, w.key,
			"the latest item names the version %s, which there is not", quoteKey(actual))
		return
	}
	if l.goesBack(w, actual) {
		l.reportBack(w, actual)
		return
	}
	l.checkContent(w.key, w.image(), image{item: stored, whole: true})
}

func (l *latest) reportBack(w *latestWrite, actual string) {
	f := l.report(RuleLatestVersion, w.key,
		"the latest item goes back to the version %s, which is older than the one that it names",
		quoteKey(actual))
	f.Remedy = "write the content as a new version, and name it in the latest item"
}

// leaves reports whether a latest item moves from a newer version, which remains, to one that the
// same transaction writes. The condition of the write names the version if the stored item is
// unknown.
func (l *latest) leaves(w, version *latestWrite) bool {
	name := l.table.latest.ActualVersion
	named := w.Old.Get(name).Str()
	if l.lookup == nil {
		named = w.Demand(name, l.table.primary.key).Value.Str()
	}
	if !isNewer(lastSegment(named), version.version) || l.deletes(w, named) {
		return false
	}
	return l.lookup == nil || l.lookup(w.Table, l.sibling(w, named)) != ""
}

// goesBack reports whether a latest item moves to another stored version although the version that
// it names remains. Each version is stored together with the latest item, so the other stored
// version is older.
func (l *latest) goesBack(w *latestWrite, actual string) bool {
	named := w.Old.Get(l.table.latest.ActualVersion).Str()
	if named == "" || l.deletes(w, named) {
		return false
	}
	before, after := l.sibling(w, named), l.sibling(w, actual)
	return before != after && l.lookup(w.Table, before) != ""
}

// deletes reports whether the same request or commit deletes the version that a latest item names.
func (l *latest) deletes(w *latestWrite, actual string) bool {
	return slices.ContainsFunc(l.writes, func(o latestWrite) bool {
		return o.Table == w.Table && o.Kind == request.Delete && o.isOf(&w.document) &&
			o.named(actual)
	})
}

// checkRemoved checks a deletion of a version that the latest item may name. If the transaction
// writes the latest item too, the check of that write covers the deletion.
func (l *latest) checkRemoved(w *latestWrite) {
	if l.removes(w) {
		return // the check of that deletion covers this one
	}
	rule := l.table.latest
	pointer := l.pointer(w)
	if l.request != nil {
		switch {
		case pointer != nil &&
			!w.named(pointer.value(rule.ActualVersion).Str()), l.request.Amends && l.transaction &&
			!w.Fixed:
		case pointer != nil:
			l.report(RuleLatestVersion, w.key,
				"the version %s is deleted, and the latest item names it", quoteKey(w.version))
		default:
			f := l.report(RuleLatestVersion, w.key,
				"the version %s is deleted, and it cannot be seen from here whether the latest item names it", quoteKey(w.version))
			f.Remedy =
				"delete it in a TransactWriteItems, which the check of the latest item is added to"
		}
		return
	}
	if pointer != nil {
		return
	}
	stored := l.lookup(w.Table, l.sibling(w, rule.Pointer))
	if stored != "" && w.named(stored.Get(rule.ActualVersion).Str()) {
		l.report(RuleLatestVersion, w.key,
			"the version %s is deleted, and the latest item names it", quoteKey(w.version))
	}
}

// sibling returns the key of another version of the write's document. version is a last segment or
// a whole key attribute.
func (l *latest) sibling(w *latestWrite, version string) item.Item {
	return l.table.latest.keyOf(&w.document, version)
}

// image is the known part of an item after a write.
type image struct {
	item  item.Item
	whole bool // the image is the whole item
	write *request.Write
}

// image returns what is known of the item after a write of the request. An update of an item that
// is not there leaves what it sets and no more: that of a version is under that condition.
func (l *latest) image(w *latestWrite) image {
	i := w.image()
	if i.write != nil && i.write.Update != nil && l.request != nil {
		i.whole = w.Demand("", l.table.primary.key).Absent ||
			!w.isPointer && l.request.Amends && !w.Fixed && l.enforces(RuleLatestRewritten)
	}
	return i
}

func (w *latestWrite) image() image {
	switch {
	case w.New != "":
		return image{item: w.New, whole: true}
	case w.Kind == request.Put:
		return image{item: w.Item, whole: true}
	}
	return image{write: w.Write}
}

// value returns the value of an attribute after the write, or "" if it is unknown.
func (w *latestWrite) value(name string) item.Value {
	i := w.image()
	return i.get(name)
}

func (i *image) get(name string) item.Value {
	if i.write == nil {
		return i.item.Get(name)
	}
	if i.write.Update == nil {
		return ""
	}
	return i.write.Update.Assigned(name)
}

// hides reports whether the write sets an attribute to a value that the request does not show.
func (i *image) hides(name string) bool {
	return i.write != nil && i.write.Update != nil && i.write.Update.Sets(name) &&
		i.write.Update.Assigned(name) == ""
}

// names yields the attributes that the image knows of, without those of the key of an update.
func (i *image) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range i.item.All() {
			if !yield(name) {
				return
			}
		}
		if i.write == nil || i.write.Update == nil {
			return
		}
		for _, name := range i.write.Update.Attributes() {
			if !yield(name) {
				return
			}
		}
	}
}

// checkContent compares a latest item with the version that it names.
func (l *latest) checkContent(k checkedKey, pointer, version image) {
	if name := l.difference(&pointer, &version); name != "" {
		l.report(RuleLatestContent, k, "latest item and version differ in the attribute %s", name)
	}
}

// difference returns an attribute in which a latest item and its version differ, or "".
func (l *latest) difference(pointer, version *image) string {
	differs := func(name string) bool {
		a, b := pointer.get(name), version.get(name)
		return a != b && (a != "" || pointer.whole) && (b != "" || version.whole) &&
			!pointer.hides(name) && !version.hides(name)
	}
	rule := l.table.latest
	if len(rule.Content) > 0 {
		if i := slices.IndexFunc(rule.Content, differs); i >= 0 {
			return rule.Content[i]
		}
		return ""
	}
	for _, i := range []*image{pointer, version} {
		for name := range i.names() {
			if name != rule.ActualVersion && name != rule.Attribute && name != rule.other &&
				differs(name) {
				return name
			}
		}
	}
	return ""
}
