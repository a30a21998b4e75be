package policy

import (
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
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
	_, ok := set.keyOf(attributes)
	return !ok
}

// reportStrange reports how a key differs from the declared one.
func (c schema) reportStrange(set *keySet, attributes item.Item) {
	for _, name := range [...]string{set.key.Partition, set.key.Sort} {
		switch v := attributes.Get(name); {
		case name == "" || v != "" && (v.Type() == item.S || !set.isText(name)):
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

// checkDefinitions compares the keys of a table and its indexes with the declared ones. The rules
// look for keys in the declared attributes: items with other keys are refused to callers with
// tenants, and held to no rule otherwise.
func (c schema) checkDefinitions(keys []request.Definition) {
	for i := range keys {
		d := &keys[i]
		if !c.at(d.Table, 0) {
			continue
		}
		if set := c.table.keys(d.Index); set != nil {
			c.checkDefinition(set, d)
		}
	}
}

// checkDefinition compares one key with the declared one.
func (c schema) checkDefinition(set *keySet, d *request.Definition) {
	isOne := func(attributes []request.KeyAttribute, name string) bool {
		return name == "" && len(attributes) == 0 ||
			len(attributes) == 1 && attributes[0].Name == name
	}
	if !isOne(d.Partition, set.key.Partition) || !d.Vector && !isOne(d.Sort, set.key.Sort) {
		c.report(RuleKeySchema, checkedKey{set: set}, "%s has the key %s, and by the policy it is %s",
			set.title(), d.String(), set.key)
		return
	}
	for _, of := range [...][]request.KeyAttribute{d.Partition, d.Sort} {
		for _, a := range of {
			if a.Type != item.S && a.Type != item.NoType && set.isText(a.Name) {
				c.report(RuleKeySchema, checkedKey{set: set},
					"the key attribute %s of %s is of type %s, and the policy describes keys of type S",
					a.Name, set.title(), a.Type)
			}
		}
	}
}
