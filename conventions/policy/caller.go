package policy

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
)

// Caller is who sends a request.
type Caller struct {
	AccessKey string // id of the access key that signed it
	Header    string // value of the policy's tenant header; see Engine.TenantHeader

	// Tenant is the tenant where whoever checks the request knows it and need not be told, as an application does that
	// checks its own. It goes before everything else, and holds in policies that say nothing of callers.
	Tenant string
}

// caller is a Caller as the policy sees it.
type caller struct {
	tenant    string // "" if it is not known
	reachable bool   // it may reach everything, or nothing is said of callers
	unknown   bool   // it should have a tenant and has none
	operator  bool   // it is of a privileged tenant
}

// resolve finds the tenant of a caller. A policy that names neither access keys nor a header says nothing of callers. Where there
// are access keys, privilege comes from them and never from a header, which anybody can send.
func (e *Engine) resolve(c Caller) caller {
	if c.Tenant != "" {
		privileged := e.privileged[c.Tenant]
		return caller{tenant: c.Tenant, reachable: privileged, operator: privileged}
	}
	if len(e.callers) == 0 && e.header == "" {
		return caller{reachable: true}
	}
	tenant, mapped := e.callers[c.AccessKey]
	if e.header != "" && c.Header != "" && (!mapped || e.privileged[tenant]) {
		privileged := len(e.callers) == 0 && e.privileged[c.Header]
		return caller{tenant: c.Header, reachable: privileged, operator: privileged}
	}
	if !mapped {
		return caller{unknown: true}
	}
	return caller{tenant: tenant, reachable: e.privileged[tenant], operator: e.privileged[tenant]}
}

// Tenant is the tenant of a caller: "" if the policy does not know it.
func (e *Engine) Tenant(c Caller) string { return e.resolve(c).tenant }

// isBound reports whether a caller may reach its own tenant's data only.
func (c *caller) isBound() bool { return !c.reachable && !c.unknown }

// hasTenants reports whether keys of a set name tenants.
func (s *keySet) hasTenants() bool {
	if len(s.entities) == 0 {
		return s.tenant != TenantNone
	}
	return slices.ContainsFunc(s.entities, func(e *entity) bool { return e.Tenant == TenantRequired })
}

// checkCaller reports a caller of whom no tenant is known, once for each action on a table with tenants.
func (c *checker) checkCaller(k key) {
	if c.caller.unknown && c.table.primary.hasTenants() {
		c.report(RuleTenantCaller, k, "the caller's tenant is not known")
	}
}

// checkReach reports a key that is another tenant's. write is whether the item is changed.
func (c *checker) checkReach(k key, write bool) {
	if !c.caller.isBound() {
		return
	}
	tenant := k.tenant()
	if c.engine.known != nil && !c.engine.known[tenant] && c.table.severities[RuleTenantMissing.index] == Enforce {
		return // what stands in the tenant's place is none, which is refused as that
	}
	if tenant != "" && tenant != conventions.TenantCommon && tenant != c.caller.tenant {
		c.report(RuleTenantCrossing, k, "a request of the tenant %s is for a key of the tenant %s", quoteKey(c.caller.tenant), quoteKey(tenant))
		return
	}
	if write && k.entity != nil {
		c.checkSortReach(k)
	}
}

// checkSortReach reports a write of a shared item whose sort key is another tenant's: an association of a user
// with a tenant (guide, pattern 4) is that tenant's to make.
func (c *checker) checkSortReach(k key) {
	rest := k.base
	for i := range k.entity.Sort {
		var text string
		text, rest, _ = nextSegment(rest)
		if k.entity.Sort[i].Type == Tenant && text != c.caller.tenant && text != conventions.TenantCommon {
			c.report(RuleTenantCrossing, k, "a request of the tenant %s writes an item of the tenant %s", quoteKey(c.caller.tenant), quoteKey(text))
		}
	}
}
