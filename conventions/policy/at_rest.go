package policy

import (
	"iter"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Document returns the document of a stored item in a table with latest items, and whether the item
// is the latest item. ok is false for items of no document. Items of the same document have the
// same id. The id has no other meaning.
func (e *Engine) Document(table string, it item.Item) (id string, latest, ok bool) {
	in := inspection{engine: e}
	d, _, ok := documentOf(&in, table, it)
	if !ok {
		return "", false, false
	}
	return string(d.other) + "\x00" + d.group, d.isPointer, true
}

// CheckLatest compares a stored latest item with the version that it names. lookup returns the item
// with a key, or "". CheckLatest returns nil for all other items, and for latest items that name no
// version, which CheckItem reports.
func (e *Engine) CheckLatest(table string, it item.Item,
	lookup func(table string, key item.Item) item.Item) []Finding {
	in := inspection{engine: e, caller: caller{reachable: true}}
	d, k, ok := documentOf(&in, table, it)
	actual := ""
	if ok {
		actual = it.Get(in.table.latest.ActualVersion).Str()
	}
	if !d.isPointer || actual == "" {
		return nil
	}
	l := latest{inspection: &in, lookup: lookup}
	w := request.ImagedWrite{
		Write: &request.Write{Table: table, Kind: request.Put, Item: it}, Old: it, New: it,
	}
	l.checkStored(&latestWrite{w, d, k}, actual)
	return in.findings
}

// IsNewer reports whether a stored version of a document is newer than another version of it, as
// far as their keys tell.
func (e *Engine) IsNewer(table string, version, than item.Item) bool {
	in := inspection{engine: e}
	v, _, ok := documentOf(&in, table, version)
	t, _, okThan := documentOf(&in, table, than)
	return ok && okThan && isNewer(v.version, t.version)
}

// CheckLatestBehind returns the findings for a latest item that names an older version of its
// document than newest. Of newest only the key is needed.
func (e *Engine) CheckLatestBehind(table string, latest, newest item.Item) []Finding {
	in := inspection{engine: e, caller: caller{reachable: true}}
	d, k, ok := documentOf(&in, table, latest)
	v, _, okNewest := documentOf(&in, table, newest)
	if !ok || !okNewest || !d.isPointer {
		return nil
	}
	actual := latest.Get(in.table.latest.ActualVersion).Str()
	if isNewer(v.version, lastSegment(actual)) {
		f := in.report(RuleLatestVersion, k,
			"the latest item names the version %s, and there is the newer version %s",
			quoteKey(actual), quoteKey(v.version))
		f.Remedy =
			"name the newest version in the latest item, with its content, or delete that version"
	}
	return in.findings
}

// LatestAttributes returns the names of the attributes that CheckLatestBehind needs of a latest
// item.
func (e *Engine) LatestAttributes(table string) []string {
	if t := e.table(table); t != nil && t.latest != nil {
		return append(e.KeyAttributes(table), t.latest.ActualVersion)
	}
	return nil
}

// CheckLatestMissing returns the findings for a version whose document has no latest item.
func (e *Engine) CheckLatestMissing(table string, version item.Item) []Finding {
	in := inspection{engine: e, caller: caller{reachable: true}}
	if d, k, ok := documentOf(&in, table, version); ok && !d.isPointer {
		in.report(RuleLatestMissing, k, "the version %s has no latest item", quoteKey(d.version))
	}
	return in.findings
}

// CheckSet returns the findings for the items of a table as a whole, in the order of their keys:
// versions of an item that are missing, latest items that hold another version than the newest, and
// documents without one. lookup returns the item with a key, or "". It returns nil for a table
// whose items need no others.
func (e *Engine) CheckSet(table string, items iter.Seq[item.Item],
	lookup func(table string, key item.Item) item.Item) (found []Finding) {
	t := e.table(table)
	if t == nil || t.latest == nil && t.role != Command && t.role != History {
		return nil
	}
	var v Versions
	type held struct{ newest, latest item.Item }
	documents := map[string]held{}
	for it := range items {
		found = append(found, e.Note(&v, table, it)...)
		id, isLatest, ok := e.Document(table, it)
		if !ok {
			continue
		}
		h := documents[id]
		switch {
		case isLatest:
			h.latest = it
			found = append(found, e.CheckLatest(table, it, lookup)...)
		case h.newest == "" || e.IsNewer(table, it, h.newest):
			h.newest = it
		}
		documents[id] = h
	}
	found = append(found, e.CheckVersions(&v, table)...)
	for _, id := range slices.Sorted(maps.Keys(documents)) {
		switch h := documents[id]; {
		case h.newest == "":
		case h.latest == "":
			found = append(found, e.CheckLatestMissing(table, h.newest)...)
		default:
			found = append(found, e.CheckLatestBehind(table, h.latest, h.newest)...)
		}
	}
	return found
}

// CheckCommand returns the findings for a stored item of a data table whose command lookup does not
// find, or that is behind its commands: lookup finds the next one. It returns nil for every other
// item.
func (e *Engine) CheckCommand(table string, it item.Item,
	lookup func(table string, key item.Item) item.Item) []Finding {
	in := inspection{engine: e, caller: caller{reachable: true}}
	if !in.at(table, 0) {
		return nil
	}
	commit := &Commit{Lookup: lookup}
	commands{&in}.checkCommand(&request.ImagedWrite{New: it}, commit)
	commands{&in}.checkBehind(it, commit)
	return in.findings
}

// CheckParent returns the findings for a stored item whose parent lookup does not find. It returns
// nil for items without a parent.
func (e *Engine) CheckParent(table string, it item.Item,
	lookup func(table string, key item.Item) item.Item) []Finding {
	in := inspection{engine: e, caller: caller{reachable: true}}
	if in.at(table, 0) {
		parents{&in}.checkParent(it, &Commit{Lookup: lookup})
	}
	return in.findings
}

// Versions records the versions of one item of a command or history table during a scan, which
// returns them one after another. It can be stored as JSON.
type Versions struct {
	PK    string `json:"pk,omitempty"`
	SK    string `json:"sk,omitempty"` // the sort key without the version
	Count int    `json:"count,omitempty"`
	Least int    `json:"least,omitempty"`
	Most  int    `json:"most,omitempty"`
}

// Note records the next item of a scan. When the item is of another sequence of versions, Note
// returns the findings for the sequence before.
func (e *Engine) Note(v *Versions, table string, it item.Item) []Finding {
	in := inspection{engine: e, caller: caller{reachable: true}}
	if !in.at(table, 0) || in.table.role != Command && in.table.role != History {
		return nil
	}
	k := in.locate(it)
	_, version, ok := splitVersion(k.sk)
	if !ok {
		return nil // another check reports it
	}
	if v.Count > 0 && v.PK == k.pk && v.SK == k.base {
		v.Count, v.Least, v.Most = v.Count+1, min(v.Least, version), max(v.Most, version)
		return nil
	}
	found := e.CheckVersions(v, table)
	*v = Versions{PK: k.pk, SK: k.base, Count: 1, Least: version, Most: version}
	return found
}

// CheckVersions returns the findings for the last recorded sequence of versions: it begins late or
// has gaps.
func (e *Engine) CheckVersions(v *Versions, table string) []Finding {
	in := inspection{engine: e, caller: caller{reachable: true}}
	if v.Count == 0 || !in.at(table, 0) {
		return nil
	}
	names := in.table.primary.key
	k := in.locate(
		item.New(item.Attribute{Name: names.Partition, Value: item.String(v.PK)},
			item.Attribute{Name: names.Sort, Value: item.String(v.SK)}))
	switch {
	case !isFirst(int64(v.Least)):
		in.report(RuleVersionSequence, k, "the versions begin with %d", v.Least)
	case v.Count <= v.Most-v.Least:
		in.report(RuleVersionSequence, k, "of the versions %d to %d there are only %d", v.Least,
			v.Most, v.Count)
	}
	return in.findings
}

// documentOf returns the document that an item belongs to, and the item's key. ok is false for
// items of no document. Otherwise the inspection is at the table.
func documentOf(in *inspection, table string, it item.Item) (d document, k checkedKey, ok bool) {
	if !in.at(table, 0) || in.table.latest == nil {
		return d, k, false
	}
	k = in.locate(it)
	return in.table.latest.document(it), k, in.table.latest.covers(&k)
}
