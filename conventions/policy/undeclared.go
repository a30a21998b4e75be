package policy

import (
	"fmt"

	"github.com/kugiri-db/kugiri/storage/item"
)

// What a policy with tenants does not describe nobody can tell the owner of, so that it is refused:
// a table, an index, a key by other attributes, a key of another type.

// admits turns to an action's table, and reports a table that is not declared. ok is false if there
// is nothing else to be checked.
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

// isStrange reports whether attributes are no key as the policy describes a table's, of which the
// owner could not be told.
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

// reportStrange reports what is strange about a key.
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

// String lists the attributes.
func (k KeySchema) String() string {
	if k.Sort == "" {
		return k.Partition
	}
	return k.Partition + ", " + k.Sort
}
