package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// Caller is who sends a request.
type Caller struct {
	AccessKey string // id of the access key that signed it
	Header    string // value of the policy's tenant header; see Engine.TenantHeader

	// Authenticated says that the signature is verified, and covers the header. Without it no
	// header makes a caller privileged.
	Authenticated bool

	// Tenant is the tenant where whoever checks the request knows it and need not be told, as an
	// application does that checks its own. It goes before everything else, and holds in policies
	// that say nothing of callers.
	Tenant string
}

// caller is a Caller as the policy sees it.
type caller struct {
	tenant    string // "" if it is not known
	reachable bool   // it may reach everything, or nothing is said of callers
	unknown   bool   // it should have a tenant and has none
	operator  bool   // it is of a privileged tenant
	strict    bool   // it may use only what the policy describes
}

// resolve finds the tenant of a caller. A policy that names neither access keys nor a header says
// nothing of callers. Where there are access keys, privilege comes from them and never from a
// header. Elsewhere a header makes only those privileged whose signature is verified.
func (e *Engine) resolve(c Caller) caller {
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

// callerOf is a caller of a tenant, who is unknown if there can be no such tenant. trusted is
// whether it may be privileged.
func (e *Engine) callerOf(tenant string, trusted bool) caller {
	switch {
	case e.privileged[tenant] && trusted:
		return caller{tenant: tenant, reachable: true, operator: true}
	case e.privileged[tenant], e.known != nil && !e.known[tenant], strings.Contains(tenant, conventions.KeySeparator):
		return caller{unknown: true, strict: true}
	}
	return caller{tenant: tenant, strict: true}
}

// Tenant is the tenant of a caller: "" if the policy does not know it.
func (e *Engine) Tenant(c Caller) string { return e.resolve(c).tenant }

// isBound reports whether a caller may reach its own tenant's data only.
func (c *caller) isBound() bool { return !c.reachable && !c.unknown }

// checkCaller reports a caller of whom no tenant is known, once for each action.
func (c *checker) checkCaller(k checkedKey) {
	if c.caller.unknown {
		c.report(RuleTenantCaller, k, "the caller's tenant is not known")
	}
}
