package policy

import (
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Lists reports whether a caller may learn that a table exists.
func (e *Engine) Lists(by request.Caller, table string) bool {
	in := inspection{engine: e, caller: e.resolve(by)}
	if in.admits(table, 0) {
		in.checkCaller(checkedKey{set: &in.table.primary})
	}
	return len(Enforced(in.findings)) == 0
}

// ShowsCounts reports whether a caller may learn how many items a table has, and their size: those
// of all tenants together. A tenant may not, unless the table is open, or its keys name no tenant.
func (e *Engine) ShowsCounts(by request.Caller, table string) bool {
	c := e.resolve(by)
	if c.reachable {
		return true
	}
	t := e.declared(table)
	return t != nil && (t.open || t.primary.tenant == TenantNone && len(t.primary.entities) == 0)
}

// Sees reports whether a caller may see a change of the item with a key, for example in a stream.
func (e *Engine) Sees(by request.Caller, table string, attributes item.Item) bool {
	in := inspection{engine: e, caller: e.resolve(by)}
	if !in.admits(table, 0) {
		return len(Enforced(in.findings)) == 0
	}
	k := in.locate(attributes)
	in.checkCaller(k)
	switch {
	case !in.caller.isBound():
	case (schema{&in}).isStrange(&in.table.primary, attributes):
		schema{&in}.reportStrange(&in.table.primary, attributes)
	default:
		if tenant := (tenants{&in}).foreign(&k); tenant != "" {
			tenants{&in}.reportCrossing(k, tenant)
		}
	}
	return len(Enforced(in.findings)) == 0
}
