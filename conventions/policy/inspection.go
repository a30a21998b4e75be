package policy

import (
	"fmt"

	"github.com/kugiri-db/kugiri/storage/item"
)

// inspection is one look at a request, commit or item. The checks share it, and each is a type with
// an inspection. It knows who asks, where it is, and what it has found so far.
type inspection struct {
	engine   *Engine
	caller   caller
	findings []Finding

	// The table and action that are checked now.
	table  *table
	name   string // name of the table
	action int
}

// at moves the inspection to an action and its table. It reports whether the rules apply to the
// table: the policy declares it, and it is not open.
func (in *inspection) at(table string, action int) bool {
	if in.table == nil || in.name != table {
		in.table, in.name = in.engine.table(table), table
	}
	in.action = action
	return in.table != nil
}

// admits looks up the table of an action and reports an undeclared one. ok is false if nothing else
// has to be checked.
func (in *inspection) admits(table string, action int) (ok bool) {
	if in.at(table, action) {
		return true
	}
	if in.caller.strict && in.engine.declared(table) == nil {
		in.table = &in.engine.undeclared
		f := in.report(RuleTenantUndeclared, checkedKey{}, "the policy declares no table %s",
			quoteKey(table))
		f.Remedy =
			"declare the table in the policy, with its key and entities, or with open: true for all callers"
		in.table, in.name = nil, ""
	}
	return false
}

// off reports whether a rule is off for the table.
func (in *inspection) off(r *Rule) bool { return in.table.severities[r.index] == Off }

// enforces reports whether the table enforces a rule: a request that breaks it is rejected.
func (in *inspection) enforces(r *Rule) bool { return in.table.severities[r.index] == Enforce }

// report adds a finding, unless its rule is off. It returns the finding so that the caller can
// complete it. If the rule is off, the caller completes a finding that nobody sees.
func (in *inspection) report(r *Rule, k checkedKey, format string, args ...any) *Finding {
	f := Finding{
		Rule: r, Severity: in.table.severities[r.index], Table: in.name, Action: in.action,
		Key: joinKey(k.pk, k.sk), Message: fmt.Sprintf(format, args...), Remedy: r.Remedy,
	}
	if k.set != nil {
		f.Index, f.Tenant = k.set.index, k.tenant()
	}
	if k.entity != nil {
		f.Entity = k.entity.Name
	}
	if f.Severity == Off {
		return &f
	}
	in.findings = append(in.findings, f)
	return &in.findings[len(in.findings)-1]
}

// checkCaller reports a caller without a known tenant, once for each action.
func (in *inspection) checkCaller(k checkedKey) {
	if in.caller.unknown {
		in.report(RuleTenantCaller, k, "the caller's tenant is not known")
	}
}

// matcher returns what compares keys of the table, or of an index of it, with their declarations.
func (in *inspection) matcher(set *keySet) matcher {
	m := matcher{engine: in.engine, set: set}
	if in.table.latest != nil && set.index == "" {
		m.pointer = in.table.latest.Pointer
	}
	return m
}

// locate returns the key of an item with its entity. It reports no findings.
func (in *inspection) locate(it item.Item) checkedKey {
	k, _ := in.table.primary.keyOf(it)
	k.base = k.sk
	if in.table.role != Plain {
		k.base, _, _ = splitVersion(k.sk)
	}
	m := in.matcher(k.set)
	k.entity = m.match(k.pk, k.base)
	return k
}

// withoutVersion removes the version from a sort key, if the keys of the set can have one.
func (in *inspection) withoutVersion(set *keySet, sk string) string {
	if in.table.role != Plain && set.index == "" {
		sk, _, _ = splitVersion(sk)
	}
	return sk
}
