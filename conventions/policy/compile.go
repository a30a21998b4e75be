package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
)

// Compile checks a policy and prepares it for use. It keeps no reference to p. The error joins a
// conventions.FieldError for each mistake.
func Compile(p Policy) (*Engine, error) {
	c := &compiler{
		engine:   &Engine{names: map[string]*table{}, tenancy: tenancy{header: p.Tenants.Header}},
		isolates: p.Tenants.ClaimsIsolation(),
	}
	c.compileTenants(&p.Tenants)
	c.compileStatusWords(p.StatusWords)
	base := make([]Severity, len(rules))
	for i, r := range rules {
		base[i] = r.Default
	}
	c.compileSeverities("severities", p.Severities, base)
	c.engine.undeclared.severities = base
	if len(p.Tables) == 0 {
		c.fail("tables", "no table is declared")
	}
	for i := range p.Tables {
		c.compileTable(fmt.Sprintf("tables[%d]", i), &p.Tables[i], base)
	}
	for i := range p.Tables {
		c.compileCommands(fmt.Sprintf("tables[%d].commands", i), &p.Tables[i])
	}
	c.checkIsolation(&p)
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	return c.engine, nil
}

func (c *compiler) compileTenants(t *Tenants) {
	e := &c.engine.tenancy
	e.byKey = maps.Clone(t.Callers)
	e.tenanted = t.isDeclared()
	if t.Isolation == IsolationSingle {
		e.known = map[string]bool{conventions.TenantCommon: true, conventions.DefaultTenant: true}
	}
	for i, name := range t.Known {
		c.checkListed(fmt.Sprintf("tenants.known[%d]", i), name)
		if e.known == nil {
			e.known = map[string]bool{conventions.TenantCommon: true}
		}
		e.known[name] = true
	}
	e.privileged = map[string]bool{}
	for i, name := range t.Privileged {
		c.checkListed(fmt.Sprintf("tenants.privileged[%d]", i), name)
		e.privileged[name] = true
	}
	for _, key := range slices.Sorted(maps.Keys(t.Callers)) {
		name := t.Callers[key]
		c.checkAccessKey("tenants.callers", key)
		c.checkTenantName("tenants.callers."+key, name)
		if e.known != nil && !e.known[name] && !e.privileged[name] {
			c.fail("tenants.callers."+key, "%.100q is none of the known tenants", name)
		}
	}
	c.checkLookalikes(t)
	c.checkHeader("tenants.header", t.Header)
}

func (c *compiler) compileStatusWords(words []string) {
	if words == nil {
		words = defaultStatusWords
	}
	c.engine.status.forms = map[string]bool{}
	for i, w := range words {
		if w == "" {
			c.fail(fmt.Sprintf("status-words[%d]", i), "it is empty")
			continue
		}
		c.engine.status.add(w)
	}
}
