package policy

import "github.com/kugiri-db/kugiri/storage/item"

// CheckItem returns the findings in a stored item, or nil. It counts the item's partition key in
// state, which may be nil. The count is complete after one check of every item of a table.
func (e *Engine) CheckItem(table string, it item.Item, state *State) []Finding {
	in := inspection{engine: e, caller: caller{reachable: true}}
	if !in.at(table, 0) {
		return nil
	}
	k := items{&in}.checkItem(it)
	bounds{&in}.checkBound(k, state)
	if state != nil {
		state.record(table, in.table, k)
	}
	return in.findings
}

// items checks items at rest.
type items struct{ *inspection }

// checkItem checks one item and returns its key.
func (c items) checkItem(it item.Item) checkedKey {
	k := keys(c).checkAttributes(&c.table.primary, it, it)
	if c.engine.tenanted {
		tenants(c).checkNamed(k)
	}
	c.checkShape(&c.table.primary, it)
	for _, x := range c.table.indexes {
		of := keys(c).checkAttributes(x, it, it)
		tenants(c).checkOwners(k, of)
	}
	switch c.table.role {
	case Data:
		if _, ok := versionOf(it.Get(c.table.version)); !ok {
			c.report(RuleVersionFirst, k, "the item has, for %s, %s", c.table.version,
				versionText(it.Get(c.table.version)))
		}
	case Command, History:
		versions(c).checkVersionAttribute(k, it)
	}
	expiry(c).checkTime(k, it)
	if l := c.table.latest; l != nil && l.covers(&k) {
		if d := l.document(it); d.isPointer && it.Get(l.ActualVersion).Str() == "" {
			c.report(RuleLatestVersion, k, "the latest item names no version in %s",
				l.ActualVersion)
		}
	}
	return k
}

// checkShape checks that a stored item has the declared key attributes. The key of the real table
// may have others.
func (c items) checkShape(set *keySet, it item.Item) {
	for _, name := range [...]string{set.key.Partition, set.key.Sort} {
		if name != "" && it.Get(name) == "" {
			c.report(RuleUndeclaredPrefix, checkedKey{set: set},
				"the item has no attribute %s, which is declared to be of the key of the table",
				name)
		}
	}
}
