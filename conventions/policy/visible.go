package policy

import (
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Lists reports whether a caller may learn that a table exists.
func (e *Engine) Lists(by request.Caller, table string) bool {
	return len(Enforced(e.CheckTable(by, table))) == 0
}

// CheckTable returns why a caller is not to learn that a table exists.
func (e *Engine) CheckTable(by request.Caller, table string) []Finding {
	in := inspection{engine: e, caller: e.resolve(by)}
	if in.admits(table, 0) {
		in.checkCaller(checkedKey{set: &in.table.primary})
	}
	return in.findings
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

// Sees reports whether a caller may see what happened to the item with a key, for example in a
// stream: it is privileged, or the item is one that a GetItem, a Query of its partition or a Scan
// may show it. A table that holds no tenant's items may be scanned.
func (e *Engine) Sees(by request.Caller, table string, attributes item.Item) bool {
	in := inspection{engine: e, caller: e.resolve(by)}
	if !in.admits(table, 0) {
		return len(Enforced(in.findings)) == 0
	}
	if in.caller.reachable {
		return true
	}
	key := in.table.primary.key
	partition := expr.KeyTerm{Name: key.Partition, Op: expr.KeyEqual,
		Value: attributes.Get(key.Partition)}
	ways := [...]request.Read{{Table: table, Key: attributes},
		{Table: table, Terms: []expr.KeyTerm{partition}}, {Table: table}}
	for i := range ways {
		in.findings = nil
		reads{&in}.checkRead(&ways[i])
		if len(Enforced(in.findings)) == 0 {
			return true
		}
	}
	return false
}
