package policy

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// Engine checks against a policy. It is immutable and safe for concurrent use.
type Engine struct {
	names    map[string]*table
	patterns []*table
	tenancy
	status     statusWords
	entities   int   // number of entities, for State
	hasLatest  bool  // some table declares latest items
	undeclared table // a table without a name, for findings on undeclared tables
}

// table returns the compiled declaration of a table. It returns nil if no rule applies: the policy
// does not declare the table, or the table is open.
func (e *Engine) table(name string) *table {
	if t := e.declared(name); t != nil && !t.open {
		return t
	}
	return nil
}

// declared returns the compiled declaration of a table, or nil if the policy has none.
func (e *Engine) declared(name string) *table {
	if t := e.names[name]; t != nil {
		return t
	}
	for _, t := range e.patterns {
		if ok, _ := path.Match(t.name, name); ok {
			return t
		}
	}
	return nil
}

// Covers reports whether the policy's rules apply to a table: the policy declares it, and it is not
// open.
func (e *Engine) Covers(table string) bool { return e.table(table) != nil }

// KeyAttributes returns the names of the key attributes of a declared table.
func (e *Engine) KeyAttributes(table string) []string {
	t := e.table(table)
	if t == nil {
		return nil
	}
	if t.primary.key.Sort == "" {
		return []string{t.primary.key.Partition}
	}
	return []string{t.primary.key.Partition, t.primary.key.Sort}
}

// TenantHeader returns the name of the header that names the tenant of a request, or "" if the
// policy declares none.
func (e *Engine) TenantHeader() string { return e.header }

// AccessKeys returns the access keys that the policy assigns to tenants, sorted.
func (e *Engine) AccessKeys() []string { return slices.Sorted(maps.Keys(e.byKey)) }

// Tenant returns the tenant of a caller, or "" if the policy does not know it.
func (e *Engine) Tenant(c request.Caller) string { return e.resolve(c).tenant }

// IsPrivileged reports whether a tenant's callers may reach all data.
func (e *Engine) IsPrivileged(tenant string) bool { return e.privileged[tenant] }

// CheckTenant returns an error if a caller cannot be of a tenant.
func (e *Engine) CheckTenant(tenant string) error {
	switch {
	case !e.tenanted:
		return errors.New("the policy has no tenants")
	case tenant == conventions.TenantCommon:
		return errors.New("what tenants share (common) is no tenant")
	case tenant == "", e.callerOf(tenant, true).unknown:
		return fmt.Errorf("the policy knows no tenant %.100q", tenant)
	}
	return nil
}
