package policy

import (
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Document returns the document of a stored item in a table with latest items, and whether the item
// is the latest item. ok is false for items of no document. Items of the same document have the
// same id. The id has no other meaning.
func (e *Engine) Document(table string, it item.Item) (id string, latest, ok bool) {
	c := checker{engine: e}
	d, _, ok := c.documentOf(table, it)
	if !ok {
		return "", false, false
	}
	return string(d.other) + "\x00" + d.group, d.isPointer, true
}

func (c *checker) documentOf(table string, it item.Item) (d document, k checkedKey, ok bool) {
	if !c.at(table, 0) || c.table.latest == nil {
		return d, k, false
	}
	k = c.locate(it)
	return c.table.latest.document(it), k, c.table.latest.covers(&k)
}

// CheckLatest compares a stored latest item with the version that it names. lookup returns the item
// with a key, or "" if there is none. CheckLatest returns nil for all other items, and for latest
// items that name no version, which CheckItem reports.
func (e *Engine) CheckLatest(table string, it item.Item, lookup func(table string, key item.Item) item.Item) []Finding {
	c := checker{engine: e, caller: caller{reachable: true}}
	d, k, ok := c.documentOf(table, it)
	actual := ""
	if ok {
		actual = it.Get(c.table.latest.ActualVersion).Str()
	}
	if !d.isPointer || actual == "" {
		return nil
	}
	l := latestChecker{checker: &c, lookup: lookup}
	w := request.ImagedWrite{Write: &request.Write{Table: table, Kind: request.Put, Item: it}, Old: it, New: it}
	l.checkStored(&latestWrite{w, d, k}, actual)
	return c.findings
}

// CheckLatestMissing returns the findings for a version whose document has no latest item.
func (e *Engine) CheckLatestMissing(table string, version item.Item) []Finding {
	c := checker{engine: e, caller: caller{reachable: true}}
	if d, k, ok := c.documentOf(table, version); ok && !d.isPointer {
		c.report(RuleLatestMissing, k, "the version %s has no latest item", quoteKey(d.version))
	}
	return c.findings
}

// KeyAttributes returns the names of the key attributes of a declared table.
func (e *Engine) KeyAttributes(table string) []string {
	t := e.table(table)
	if t == nil {
		return nil
	}
	if t.primary.key.Sort == "" {
		return []string{t.primary.key.Partition}
	}
	return []string{t.primary.key.Partition, t.primary.key.Sort}
}
