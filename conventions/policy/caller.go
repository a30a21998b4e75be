package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// tenancy holds the policy's tenants and their callers (see Tenants).
type tenancy struct {
	byKey      map[string]string // tenants by access key
	header     string            // "": none
	privileged map[string]bool
	known      map[string]bool // nil: any
	tenanted   bool            // the policy declares tenants
}

// caller is a request.Caller after the policy resolved its tenant.
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
func (t *tenancy) resolve(c request.Caller) caller {
	if c.Tenant != "" {
		return t.callerOf(c.Tenant, true)
	}
	if len(t.byKey) == 0 && t.header == "" {
		return caller{reachable: true, strict: t.tenanted}
	}
	tenant, mapped := t.byKey[c.AccessKey]
	switch {
	case t.header != "" && c.Header != "" && (!mapped || t.privileged[tenant]):
		return t.callerOf(c.Header, mapped || len(t.byKey) == 0 && c.Authenticated)
	case mapped:
		privileged := t.privileged[tenant]
		return caller{
			tenant: tenant, reachable: privileged, operator: privileged, strict: !privileged,
		}
	}
	return caller{unknown: true, strict: true}
}

// lists reports whether the policy lists a tenant, as known or of a caller.
func (t *tenancy) lists(tenant string) bool {
	if t.known[tenant] {
		return true
	}
	for _, of := range t.byKey {
		if of == tenant {
			return true
		}
	}
	return false
}

// callerOf returns a caller of a tenant. The caller is unknown if the tenant cannot exist. trusted
// reports whether the caller may be privileged.
func (t *tenancy) callerOf(tenant string, trusted bool) caller {
	switch {
	case tenant == conventions.TenantCommon: // what tenants share is no tenant
		return caller{unknown: true, strict: true}
	case t.privileged[tenant] && trusted:
		return caller{tenant: tenant, reachable: true, operator: true}
	case t.privileged[tenant], t.known != nil &&
		!t.known[tenant], strings.Contains(tenant, conventions.KeySeparator):
		return caller{unknown: true, strict: true}
	}
	return caller{tenant: tenant, strict: true}
}

// isBound reports whether a caller may reach its own tenant's data only.
func (c *caller) isBound() bool { return !c.reachable && !c.unknown }

// isMine reports whether the caller may reach the data of the tenant in a key.
func (c *caller) isMine(tenant string) bool {
	return tenant == "" || tenant == conventions.TenantCommon || tenant == c.tenant
}
