package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// caller is a Caller after the policy resolved its tenant.
type caller struct {
	tenant    string // "" if unknown
	reachable bool   // it may reach everything, or the policy declares no callers
	unknown   bool   // it needs a tenant and has none
	operator  bool   // its tenant is privileged
	strict    bool   // it may use only what the policy describes
}

// resolve finds the tenant of a caller. A policy without access keys and a header does not
// distinguish callers. If the policy has access keys, only an access key makes a caller privileged,
// never a header. Otherwise a header makes a caller privileged only if its signature is verified.
func (e *Engine) resolve(c request.Caller) caller {
	if c.Tenant != "" {
		return e.callerOf(c.Tenant, true)
	}
	if len(e.callers) == 0 && e.header == "" {
		return caller{reachable: true, strict: e.tenanted}
	}
	tenant, mapped := e.callers[c.AccessKey]
	switch {
	case e.header != "" && c.Header != "" && (!mapped || e.privileged[tenant]):
		return e.callerOf(c.Header, mapped || len(e.callers) == 0 && c.Authenticated)
	case mapped:
		privileged := e.privileged[tenant]
		return caller{tenant: tenant, reachable: privileged, operator: privileged, strict: !privileged}
	}
	return caller{unknown: true, strict: true}
}

// callerOf returns a caller of a tenant. The caller is unknown if the tenant cannot exist. trusted
// reports whether the caller may be privileged.
func (e *Engine) callerOf(tenant string, trusted bool) caller {
	switch {
	case e.privileged[tenant] && trusted:
		return caller{tenant: tenant, reachable: true, operator: true}
	case e.privileged[tenant], e.known != nil && !e.known[tenant], strings.Contains(tenant, conventions.KeySeparator):
		return caller{unknown: true, strict: true}
	}
	return caller{tenant: tenant, strict: true}
}

// Tenant returns the tenant of a caller, or "" if the policy does not know it.
func (e *Engine) Tenant(c request.Caller) string { return e.resolve(c).tenant }

// isBound reports whether a caller may reach its own tenant's data only.
func (c *caller) isBound() bool { return !c.reachable && !c.unknown }

// checkCaller reports a caller without a known tenant, once for each action.
func (c *checker) checkCaller(k checkedKey) {
	if c.caller.unknown {
		c.report(RuleTenantCaller, k, "the caller's tenant is not known")
	}
}
