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

// liftingRules are the rules that no isolation can do without: if one is off, every tenant reaches
// the data of all others.
var liftingRules = []*Rule{RuleTenantCrossing, RuleTenantScan, RuleTenantCaller}

// isolationRules are the rules that keep tenants apart.
var isolationRules = slices.Concat(liftingRules,
	[]*Rule{RuleTenantUndeclared, RuleTenantOperation, RuleTenantShared, RuleTenantMissing,
		RuleTenantInSortKey})

// lifts says what a policy opens that does not enforce a rule.
var lifts = map[*Rule]string{
	RuleTenantCrossing:   "every tenant reaches the data of all",
	RuleTenantScan:       "every tenant reads all items by a scan",
	RuleTenantCaller:     "callers of no tenant reach the data of all",
	RuleTenantUndeclared: "every caller reaches tables, indexes and keys that the policy does not declare",
	RuleTenantOperation:  "every caller creates, changes, exports and deletes tables",
	RuleTenantShared:     "every tenant changes what all tenants share",
	RuleTenantMissing:    "every tenant writes, reads and deletes all items whose partition keys name no tenant",
	RuleTenantInSortKey:  "every tenant reaches all items that have their tenant in the sort key only",
}

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
	open := true
	for i := range p.Tables {
		t := &p.Tables[i]
		swallowed := !t.Open && isSwallowed(p.Tables[:i], t.Name, true)
		if !swallowed && t.keepsApart() {
			return
		}
		open = open && (t.Open || swallowed)
	}
	switch {
	case len(p.Tables) == 0:
	case open:
		c.fail("tables",
			"every table is open, so that everyone reaches everything: declare what tables hold"+
				unless)
	default:
		c.fail("tables",
			"no table keeps tenants apart, so that everyone reaches everything: each is open, has no tenant in its keys, or has a rule off without which every tenant reaches the data of all"+
				unless)
	}
}

// keepsApart reports whether tenants cannot reach all that a table holds.
func (t *Table) keepsApart() bool {
	for _, r := range liftingRules {
		if t.Severities[r.ID] == Off {
			return false
		}
	}
	if len(t.Entities) == 0 {
		return !t.Open && t.Tenant != TenantNone
	}
	return !t.Open && slices.ContainsFunc(t.Entities, func(e Entity) bool {
		ofTenant := func(s Segment) bool { return s.Type == Tenant }
		return e.Tenant != TenantNone || slices.ContainsFunc(e.Partition, ofTenant) ||
			slices.ContainsFunc(e.Sort, ofTenant)
	})
}

// isSwallowed reports whether an earlier pattern matches all names that a pattern matches. A table
// with an exact name goes before patterns. open asks for patterns of open tables only.
func isSwallowed(earlier []Table, pattern string, open bool) bool {
	return swallower(earlier, pattern, open) != ""
}

func swallower(earlier []Table, pattern string, open bool) string {
	if !isPattern(pattern) {
		return ""
	}
	names := namesOf(pattern)
	for i := range earlier {
		if name := earlier[i].Name; (earlier[i].Open || !open) &&
			isPattern(name) && matchesAll(name, names) {
			return name
		}
	}
	return ""
}

// namesOf returns names that a pattern matches. What matches all of them is taken for a pattern
// that matches what this one does, which may be wrong of patterns with [].
func namesOf(pattern string) (names []string) {
	for _, text := range [...][2]string{{"", "x"}, {"x", "7"}, {"0", "-"}, {"x-y.z_0", "y"}} {
		name := strings.NewReplacer("*", text[0], "?", text[1]).Replace(pattern)
		if i, j := strings.IndexByte(name, '['), strings.IndexByte(name, ']'); i >= 0 && j > i+1 {
			name = name[:i] + name[i+1:i+2] + name[j+1:]
		}
		names = append(names, name)
	}
	return names
}

func matchesAll(pattern string, names []string) bool {
	for _, name := range names {
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
	a.adviseUnbound()
}

// adviseUnbound finds policies all of whose callers are privileged.
func (a *adviser) adviseUnbound() {
	t := &a.policy.Tenants
	for _, tenant := range t.Callers {
		if !slices.Contains(t.Privileged, tenant) {
			return
		}
	}
	if t.Header == "" && len(t.Callers) > 0 {
		a.say("tenants.privileged", RuleTenantCrossing, "list those only who work for all tenants",
			"every caller is privileged, so that each reaches the data of all tenants")
	}
}

func (a *adviser) adviseSwallowed(field string, i int, t *Table) {
	if a.pairs += i; a.pairs > maxPairs {
		return
	}
	by := swallower(a.policy.Tables[:i], t.Name, false)
	if by == "" {
		a.adviseOpened(field, i, t)
		return
	}
	rule := RuleUndeclaredPrefix
	if a.hasTenants() {
		rule = RuleTenantUndeclared
	}
	a.say(field, rule, "declare it before that pattern",
		"no table is declared by %s: the earlier pattern %s matches all of them", t.Name, by)
}

// adviseOpened finds patterns some of whose tables an earlier pattern opens.
func (a *adviser) adviseOpened(field string, i int, t *Table) {
	if t.Open || !isPattern(t.Name) || !a.hasTenants() {
		return
	}
	for j := range a.policy.Tables[:i] {
		by := &a.policy.Tables[j]
		if !by.Open || !isPattern(by.Name) {
			continue
		}
		if a.compared += len(by.Name) * len(t.Name); a.compared > maxCompared {
			return
		}
		if meet(by.Name, t.Name) {
			a.say(field, RuleTenantUndeclared, "declare it before that pattern",
				"the tables that the earlier pattern %s matches as well are open", by.Name)
			return
		}
	}
}

// maxPairs bounds how many pairs of tables are looked at for patterns that an earlier one swallows:
// those of 2,000 tables.
const maxPairs = 2_000_000

// maxCompared bounds the work for patterns that meet, as the product of their lengths. A hundred
// open patterns and as many others of 20 characters have a twelfth of it.
const maxCompared = 50_000_000

func isPattern(name string) bool { return strings.ContainsAny(name, `*?[\`) }

// meet reports whether there may be a name that two patterns match. It takes a class of characters
// for any character.
func meet(a, b string) bool {
	x, y := patternParts(a), patternParts(b)
	next := make([]bool, len(y)+1) // whether x[i+1:] and y[j:] meet
	for i := len(x); i >= 0; i-- {
		here := make([]bool, len(y)+1)
		for j := len(y); j >= 0; j-- {
			switch {
			case i == len(x) && j == len(y):
				here[j] = true
			case i < len(x) && x[i] == "*":
				here[j] = next[j] || j < len(y) && here[j+1]
			case j < len(y) && y[j] == "*":
				here[j] = here[j+1] || i < len(x) && next[j]
			case i < len(x) && j < len(y):
				here[j] = (x[i] == y[j] || x[i] == "?" || y[j] == "?") && next[j+1]
			}
		}
		next = here
	}
	return next[0]
}

// patternParts takes a pattern apart: "*", "?" for one character, or a character.
func patternParts(pattern string) (parts []string) {
	for i := 0; i < len(pattern); i++ {
		part := pattern[i : i+1]
		switch part {
		case "[":
			if end := strings.IndexByte(pattern[i:], ']'); end > 0 {
				part, i = "?", i+end
			}
		case `\`:
			if i+1 < len(pattern) {
				i++
				part = pattern[i : i+1]
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// adviseSeverities finds rules on tenants that refuse nothing.
func (a *adviser) adviseSeverities(field string, severities map[string]Severity) {
	for _, r := range isolationRules {
		s := severities[r.ID]
		if s != Off && s != Warn {
			continue
		}
		a.advice = append(a.advice, Advice{Field: field + "." + r.ID, Rule: r, Severity: s,
			Message: fmt.Sprintf("the rule is %s, so that it keeps no tenants apart: %s", s, lifts[r]),
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
