package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// Isolation says whether a policy keeps tenants apart.
type Isolation uint8

// The kinds of isolation.
const (
	// IsolationFull, the zero value, means that the policy keeps tenants apart. Compile refuses
	// policies with tenants that keep nobody apart.
	IsolationFull Isolation = iota

	// IsolationNone lets a policy with tenants declare what lifts their isolation. A caller whose
	// tenant a program names (request.Caller) is bound to it nonetheless.
	IsolationNone

	// IsolationSingle means that there is the one tenant conventions.DefaultTenant, whose every
	// caller is. Keys name it, or common. Nothing else of tenants is then declared.
	IsolationSingle
)

var isolationNames = [...]string{"full", "none", "single"}

func (i Isolation) String() string { return nameOf(isolationNames[:], int(i)) }

// isDeclared reports whether the policy declares tenants.
func (t *Tenants) isDeclared() bool {
	return t.Isolation == IsolationSingle || t.namesAny()
}

// namesAny reports whether the policy names callers, tenants or a header.
func (t *Tenants) namesAny() bool {
	return len(t.Callers) > 0 || t.Header != "" || len(t.Privileged) > 0 || len(t.Known) > 0
}

// ClaimsIsolation reports whether a policy is to keep tenants apart: it declares tenants, and does
// not say isolation: none.
func (t *Tenants) ClaimsIsolation() bool { return t.isDeclared() && t.Isolation == IsolationFull }

// liftingRules are the rules without one of which every tenant reaches the data of all others.
var liftingRules = []*Rule{RuleTenantCrossing, RuleTenantScan, RuleTenantCaller}

// isolationRules are the rules that keep tenants apart.
var isolationRules = slices.Concat(liftingRules,
	[]*Rule{RuleTenantUndeclared, RuleTenantOperation, RuleTenantShared})

// checkIsolation refuses what lifts the isolation of all tenants.
func (c *compiler) checkIsolation(p *Policy) {
	t := &p.Tenants
	switch {
	case t.Isolation > IsolationSingle:
		c.fail("tenants.isolation", "%d is no isolation", t.Isolation)
	case t.Isolation == IsolationSingle && t.namesAny():
		c.fail("tenants.isolation",
			"there is the one tenant %s: declare no callers, header or other tenants",
			conventions.DefaultTenant)
	}
	if !t.ClaimsIsolation() {
		return
	}
	const unless = ", or say isolation: none of tenants"
	if len(t.Callers) == 0 && t.Header == "" {
		c.fail("tenants.callers",
			"no caller has a tenant, so that everyone reaches everything: declare callers or a header"+unless)
	}
	for _, r := range liftingRules {
		if p.Severities[r.ID] == Off {
			c.fail("severities."+r.ID,
				"without this rule every tenant reaches the data of all: leave it on"+unless)
		}
	}
	for i := range p.Tables {
		if !p.Tables[i].Open && !isSwallowed(p.Tables[:i], p.Tables[i].Name, true) {
			return
		}
	}
	if len(p.Tables) > 0 {
		c.fail("tables",
			"every table is open, so that everyone reaches everything: declare what tables hold"+
				unless)
	}
}

// isSwallowed reports whether an earlier pattern matches all names that a pattern matches. A table
// with an exact name goes before patterns. open asks for patterns of open tables only.
func isSwallowed(earlier []Table, pattern string, open bool) bool {
	return swallower(earlier, pattern, open) != ""
}

func swallower(earlier []Table, pattern string, open bool) string {
	if !strings.ContainsAny(pattern, `*?[\`) {
		return ""
	}
	for i := range earlier {
		if name := earlier[i].Name; (earlier[i].Open || !open) &&
			strings.ContainsAny(name, `*?[\`) && covers(name, pattern) {
			return name
		}
	}
	return ""
}

// covers reports whether a pattern matches what another one matches. It tries names, so that it may
// take patterns with [] for covered that are not.
func covers(pattern, other string) bool {
	for _, text := range [...][2]string{{"", "x"}, {"x", "7"}, {"0", "-"}, {"x-y.z_0", "y"}} {
		name := strings.NewReplacer("*", text[0], "?", text[1]).Replace(other)
		if i, j := strings.IndexByte(name, '['), strings.IndexByte(name, ']'); i >= 0 && j > i+1 {
			name = name[:i] + name[i+1:i+2] + name[j+1:]
		}
		if ok, _ := path.Match(pattern, name); !ok {
			return false
		}
	}
	return true
}

// adviseIsolation finds what guards less than it seems to.
func (a *adviser) adviseIsolation() {
	for i := range a.policy.Tables {
		t := &a.policy.Tables[i]
		a.adviseSwallowed(fmt.Sprintf("tables[%d].name", i), i, t)
	}
	if !a.policy.Tenants.ClaimsIsolation() {
		return
	}
	a.adviseSeverities("severities", a.policy.Severities)
	for i := range a.policy.Tables {
		field, t := fmt.Sprintf("tables[%d]", i), &a.policy.Tables[i]
		a.adviseSeverities(field+".severities", t.Severities)
		if len(t.Entities) == 0 && t.Tenant == TenantNone && !t.Open {
			a.table = t
			a.say(field+".tenant", RuleTenantMissing,
				"make the tenant the second segment of its partition keys, or say tenant: common of data that all tenants share",
				"every tenant reads and writes all of %s", t.Name)
			a.table = nil
		}
	}
	a.advisePrivileged()
}

func (a *adviser) adviseSwallowed(field string, i int, t *Table) {
	by := swallower(a.policy.Tables[:i], t.Name, false)
	if by == "" {
		return
	}
	rule := RuleUndeclaredPrefix
	if a.hasTenants() {
		rule = RuleTenantUndeclared
	}
	a.say(field, rule, "declare it before that pattern",
		"no table is declared by %s: the earlier pattern %s matches all of them", t.Name, by)
}

// adviseSeverities finds rules on tenants that refuse nothing.
func (a *adviser) adviseSeverities(field string, severities map[string]Severity) {
	for _, r := range isolationRules {
		s := severities[r.ID]
		if s != Off && s != Warn {
			continue
		}
		a.advice = append(a.advice, Advice{Field: field + "." + r.ID, Rule: r, Severity: s,
			Message: fmt.Sprintf("the rule is %s, so that it keeps no tenants apart", s),
			Remedy:  "enforce it, once the findings of an application that exists are mended"})
	}
}

// advisePrivileged finds privileged tenants that nobody is of.
func (a *adviser) advisePrivileged() {
	t := &a.policy.Tenants
	for i, name := range t.Privileged {
		field := fmt.Sprintf("tenants.privileged[%d]", i)
		switch {
		case len(t.Callers) == 0:
			a.say(field, RuleTenantOperation,
				"name an access key of it in callers, or start the server with --verify-signatures",
				"the tenant %s is named by a header only, which makes nobody privileged unless signatures are verified", name)
		case !hasCaller(t, name):
			a.say(field, RuleTenantOperation, "give it to an access key in callers",
				"no caller is of the tenant %s", name)
		}
	}
}

func hasCaller(t *Tenants, tenant string) bool {
	for _, name := range t.Callers {
		if name == tenant {
			return true
		}
	}
	return false
}
