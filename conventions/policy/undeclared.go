package policy

import (
	"fmt"

	"github.com/kugiri-db/kugiri/storage/item"
)

// A policy with tenants cannot tell who owns the items of a table or index that it does not
// describe, or whose key has other attributes or another type. It refuses them.

// admits looks up the table of an action and reports an undeclared one. ok is false if nothing else
// has to be checked.
func (c *checker) admits(table string, action int) (ok bool) {
	if c.at(table, action) {
		return true
	}
	if c.caller.strict && c.engine.declared(table) == nil {
		c.table = &c.engine.undeclared
		f := c.report(RuleTenantUndeclared, checkedKey{}, "the policy declares no table %s", quoteKey(table))
		f.Remedy = "declare the table in the policy, with its key and entities, or with open: true for all callers"
		c.table, c.name = nil, ""
	}
	return false
}

// isStrange reports whether attributes differ from the key that the policy declares for a table, so
// that their owner is unknown.
func (c *checker) isStrange(set *keySet, attributes item.Item) bool {
	if !c.caller.strict || set.index != "" {
		return false
	}
	if attributes.Get(set.key.Partition).Type() != item.S {
		return true
	}
	if set.key.Sort == "" {
		return false
	}
	sort := attributes.Get(set.key.Sort)
	return sort == "" || sort.Type() != item.S && len(set.entities) > 0
}

// reportStrange reports how a key differs from the declared one.
func (c *checker) reportStrange(set *keySet, attributes item.Item) {
	for _, name := range [...]string{set.key.Partition, set.key.Sort} {
		switch v := attributes.Get(name); {
		case name == "" || v != "" && v.Type() == item.S:
		case v == "":
			c.reportSchema(set, fmt.Sprintf("the key has no attribute %s", quoteKey(name)))
			return
		default:
			f := c.report(RuleTenantUndeclared, checkedKey{set: set}, "the key attribute %s is of type %s, and the policy describes keys of type S", quoteKey(name), v.Type())
			f.Remedy = "make the key a string that the policy describes, or declare the table with open: true for all callers"
			return
		}
	}
}

// reportSchema reports a table or index whose key is not the declared one.
func (c *checker) reportSchema(set *keySet, what string) {
	f := c.report(RuleTenantUndeclared, checkedKey{set: set}, "%s, and by the policy the key of %s is %s", what, setName(set), set.key)
	f.Remedy = "declare the key's attributes in the policy: key: {partition: ..., sort: ...}"
}
