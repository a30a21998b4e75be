package policy

import (
	"fmt"

	"github.com/kugiri-db/kugiri/storage/item"
)

// A policy with tenants cannot tell who owns the items of a table or index that it does not
// describe, or whose key has other attributes or another type. It refuses them.

// schema checks that keys have the declared attributes, with the declared types.
type schema struct{ *inspection }

// isStrange reports whether attributes differ from the key that the policy declares for a table, so
// that their owner is unknown.
func (c schema) isStrange(set *keySet, attributes item.Item) bool {
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
func (c schema) reportStrange(set *keySet, attributes item.Item) {
	for _, name := range [...]string{set.key.Partition, set.key.Sort} {
		switch v := attributes.Get(name); {
		case name == "" || v != "" && v.Type() == item.S:
		case v == "":
			c.reportSchema(set, fmt.Sprintf("the key has no attribute %s", quoteKey(name)))
			return
		default:
			f := c.report(RuleTenantUndeclared, checkedKey{set: set},
				"the key attribute %s is of type %s, and the policy describes keys of type S",
				quoteKey(name), v.Type())
			f.Remedy =
				"make the key a string that the policy describes, or declare the table with open: true for all callers"
			return
		}
	}
}

// reportSchema reports a table or index whose key is not the declared one.
func (c schema) reportSchema(set *keySet, what string) {
	f := c.report(RuleTenantUndeclared, checkedKey{set: set},
		"%s, and by the policy the key of %s is %s", what, set.title(), set.key)
	f.Remedy = "declare the key's attributes in the policy: key: {partition: ..., sort: ...}"
}
