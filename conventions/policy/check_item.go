package policy

import (
	"github.com/kugiri-db/kugiri/storage/item"
)

// CheckItem returns what is wrong with a stored item, nil if nothing is, and counts it in state, which may be nil: a
// table whose items are all checked once is counted right.
func (e *Engine) CheckItem(table string, it item.Item, state *State) []Finding {
	c := checker{engine: e, caller: caller{reachable: true}, state: state}
	if !c.at(table, 0) {
		return nil
	}
	k := c.checkAttributes(&c.table.primary, it, it)
	for _, x := range c.table.indexes {
		c.checkAttributes(x, it, it)
	}
	switch c.table.role {
	case Data:
		if _, ok := versionOf(it.Get(c.table.version)); !ok {
			c.report(RuleVersionFirst, k, "the item has, for %s, %s", c.table.version, versionText(it.Get(c.table.version)))
		}
	case Command, History:
		c.checkVersionAttribute(k, it)
	}
	if l := c.table.latest; l != nil && l.covers(&k) {
		if d := l.document(it); d.isPointer && it.Get(l.ActualVersion).Str() == "" {
			c.report(RuleLatestVersion, k, "the latest item names no version in %s", l.ActualVersion)
		}
	}
	c.checkBound(k)
	if state != nil {
		state.record(&c, k)
	}
	return c.findings
}
