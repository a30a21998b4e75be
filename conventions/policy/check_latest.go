package policy

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

// document says which version of which document an item is.
type document struct {
	other   item.Value // of the other key attribute
	group   string     // of the key attribute that has the version, what stands before it
	version string     // its last segment
	whole   string     // all of it

	isPointer bool
}

// document reads the key of an item.
func (l *latestRule) document(it item.Item) (d document) {
	if l.other != "" {
		d.other = it.Get(l.other)
	}
	d.whole = it.Get(l.Attribute).Str()
	d.version = d.whole
	if i := strings.LastIndex(d.whole, conventions.KeySeparator); i >= 0 {
		d.group, d.version = d.whole[:i], d.whole[i+1:]
	}
	d.isPointer = d.version == l.Pointer
	return d
}

// isOf reports whether two items are of one document.
func (d *document) isOf(o *document) bool { return d.other == o.other && d.group == o.group }

// named reports whether a pointer's actual version is this one: by its last segment or all of its
// key.
func (d *document) named(actual string) bool {
	return actual != "" && (actual == d.version || actual == d.whole)
}

// covers reports whether items of a key have a latest one.
func (l *latestRule) covers(k *checkedKey) bool {
	return l.Entity == "" || k.entity != nil && k.entity.Name == l.Entity
}

// latestChecker checks the writes of one request or commit that are on tables with latest items.
type latestChecker struct {
	*checker
	writes      []latestWrite
	lookup      func(string, item.Item) item.Item // nil: nothing is known of what is stored
	transaction bool
	request     *Request // nil where lookup is not
}

type latestWrite struct {
	ImagedWrite
	document
	key checkedKey
}

// checkLatestOf checks n writes, of which it passes over those of tables without latest items. What
// l says of the rest is set.
func (c *checker) checkLatestOf(n int, write func(int) ImagedWrite, l latestChecker) {
	for i := range n {
		if w := write(i); c.at(w.Table, w.Action) && c.table.latest != nil {
			c.checkAllLatest(n, write, l)
			return
		}
	}
}

// checkAllLatest does what checkLatestOf says, on a copy, so that requests without latest items
// cost no allocation.
func (c *checker) checkAllLatest(n int, write func(int) ImagedWrite, l latestChecker) {
	own := *c
	l.checker = &own
	l.collect(n, write)
	for i := range l.writes {
		l.check(&l.writes[i])
	}
	c.findings = own.findings
}

// collect keeps the writes of documents.
func (l *latestChecker) collect(n int, write func(int) ImagedWrite) {
	for i := range n {
		w := write(i)
		if w.Kind == Check || !l.at(w.Table, w.Action) || l.table.latest == nil {
			continue
		}
		k := l.locate(w.attributes())
		if l.table.latest.covers(&k) {
			l.writes = append(l.writes, latestWrite{w, l.table.latest.document(w.attributes()), k})
		}
	}
}

func (l *latestChecker) check(w *latestWrite) {
	l.at(w.Table, w.Action)
	switch {
	case w.isPointer:
		l.checkPointer(w)
	case w.Kind == Delete:
		l.checkRemoved(w)
	case w.Old != "":
		l.report(RuleLatestRewritten, w.key, "the version %s is there already", quoteKey(w.version))
	default:
		l.checkVersion(w)
	}
}

// pointer is the write of a document's latest item in the same transaction, nil if there is none.
func (l *latestChecker) pointer(w *latestWrite) *latestWrite {
	return l.find(w, func(o *latestWrite) bool { return o.isPointer })
}

func (l *latestChecker) find(w *latestWrite, fits func(*latestWrite) bool) *latestWrite {
	if !l.transaction {
		return nil
	}
	for i := range l.writes {
		o := &l.writes[i]
		if o != w && o.Table == w.Table && o.isOf(&w.document) && o.Kind != Delete && fits(o) {
			return o
		}
	}
	return nil
}

// checkVersion checks a new version, or one of which it is not known whether it is new.
func (l *latestChecker) checkVersion(w *latestWrite) {
	if l.pointer(w) == nil {
		l.report(RuleLatestMissing, w.key, "the version %s is written without its latest item in the same transaction", quoteKey(w.version))
		return
	}
	if l.request != nil && !w.demand("", l.table.primary.key).Absent && (!l.request.Amends || w.Fixed) {
		l.report(RuleLatestRewritten, w.key, "the version %s may be there already%s", quoteKey(w.version), whyFixed(l.request, w.Write))
	}
}

// checkPointer checks a write of a latest item.
func (l *latestChecker) checkPointer(w *latestWrite) {
	rule := l.table.latest
	if w.Kind == Delete {
		l.report(RuleLatestMissing, w.key, "the latest item is deleted")
		return
	}
	if d := w.demand(rule.ActualVersion, l.table.primary.key); d.Value.Str() == "" && !d.Absent {
		l.report(RuleLatestCondition, w.key, "the latest item is written whatever version it names: of two writers at once, the later wins")
	}
	actual := w.value(rule.ActualVersion).Str()
	if actual == "" {
		l.report(RuleLatestVersion, w.key, "the latest item names no version in %s", rule.ActualVersion)
		return
	}
	version := l.find(w, func(o *latestWrite) bool { return !o.isPointer && o.named(actual) })
	switch {
	case version != nil:
		l.checkContent(w.key, w.image(), version.image())
	case l.lookup == nil:
		l.report(RuleLatestVersion, w.key, "the latest item names the version %s, which is not written in the same transaction", quoteKey(actual))
	default:
		l.checkStored(w, actual)
	}
}

// checkStored checks a latest item that names a version from before.
func (l *latestChecker) checkStored(w *latestWrite, actual string) {
	stored := l.lookup(w.Table, l.sibling(w, actual))
	if stored == "" || l.deletes(w, actual) {
		l.report(RuleLatestVersion, w.key, "the latest item names the version %s, which there is not", quoteKey(actual))
		return
	}
	if l.goesBack(w, actual) {
		f := l.report(RuleLatestVersion, w.key,
			"the latest item goes back to the version %s, which is older than the one that it names",
			quoteKey(actual))
		f.Remedy = "write the content as a new version, and name it in the latest item"
		return
	}
	l.checkContent(w.key, w.image(), image{item: stored, whole: true})
}

// goesBack reports whether a latest item leaves the version that it names, which stays, for one that
// is stored. Each version comes together with the latest item, so that the stored one is the older.
func (l *latestChecker) goesBack(w *latestWrite, actual string) bool {
	named := w.Old.Get(l.table.latest.ActualVersion).Str()
	left := l.sibling(w, named)
	return named != "" && left != l.sibling(w, actual) && !l.deletes(w, named) &&
		l.lookup(w.Table, left) != ""
}

// deletes reports whether the version that a latest item names is deleted together with the write
// of that item.
func (l *latestChecker) deletes(w *latestWrite, actual string) bool {
	return slices.ContainsFunc(l.writes, func(o latestWrite) bool {
		return o.Table == w.Table && o.Kind == Delete && o.isOf(&w.document) && o.named(actual)
	})
}

// checkRemoved checks a deletion of a version that the latest item may name. What a latest item
// names that is written in the same transaction is checked with that.
func (l *latestChecker) checkRemoved(w *latestWrite) {
	rule := l.table.latest
	pointer := l.pointer(w)
	if l.request != nil {
		switch {
		case pointer != nil && !w.named(pointer.value(rule.ActualVersion).Str()), l.request.Amends && l.transaction && !w.Fixed:
		case pointer != nil:
			l.report(RuleLatestVersion, w.key, "the version %s is deleted, and the latest item names it", quoteKey(w.version))
		default:
			f := l.report(RuleLatestVersion, w.key, "the version %s is deleted, and it cannot be seen from here whether the latest item names it", quoteKey(w.version))
			f.Remedy = "delete it in a TransactWriteItems, which the check of the latest item is added to"
		}
		return
	}
	if pointer != nil {
		return
	}
	stored := l.lookup(w.Table, l.sibling(w, rule.Pointer))
	if stored != "" && w.named(stored.Get(rule.ActualVersion).Str()) {
		l.report(RuleLatestVersion, w.key, "the version %s is deleted, and the latest item names it", quoteKey(w.version))
	}
}

// sibling is the key of another version of a write's document. version is a last segment, or all of
// a key attribute.
func (l *latestChecker) sibling(w *latestWrite, version string) item.Item {
	return l.table.latest.keyOf(&w.document, version)
}

// keyOf is the key of a version of a document.
func (l *latestRule) keyOf(d *document, version string) item.Item {
	if d.group != "" && !strings.HasPrefix(version, d.group+conventions.KeySeparator) {
		version = d.group + conventions.KeySeparator + version
	}
	attributes := []item.Attribute{{Name: l.Attribute, Value: item.String(version)}}
	if l.other != "" {
		attributes = append(attributes, item.Attribute{Name: l.other, Value: d.other})
	}
	return item.New(attributes...)
}

// image is an item after a write, as far as it is known.
type image struct {
	item  item.Item
	whole bool // all of it is known
	write *Write
}

func (w *latestWrite) image() image {
	switch {
	case w.New != "":
		return image{item: w.New, whole: true}
	case w.Kind == Put:
		return image{item: w.Item, whole: true}
	}
	return image{write: w.Write}
}

// value is what an attribute is after the write; "" if that is not known.
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

// checkContent compares a latest item with the version that it names.
func (l *latestChecker) checkContent(k checkedKey, pointer, version image) {
	if name := l.difference(&pointer, &version); name != "" {
		l.report(RuleLatestContent, k, "latest item and version differ in the attribute %s", name)
	}
}

// difference is an attribute in which a latest item and its version differ, "" if there is none.
func (l *latestChecker) difference(pointer, version *image) string {
	differs := func(name string) bool {
		a, b := pointer.get(name), version.get(name)
		return a != b && (a != "" || pointer.whole) && (b != "" || version.whole)
	}
	rule := l.table.latest
	if len(rule.Content) > 0 {
		if i := slices.IndexFunc(rule.Content, differs); i >= 0 {
			return rule.Content[i]
		}
		return ""
	}
	for _, it := range []item.Item{pointer.item, version.item} {
		for name := range it.All() {
			if name != rule.ActualVersion && name != rule.Attribute && name != rule.other && differs(name) {
				return name
			}
		}
	}
	return ""
}
