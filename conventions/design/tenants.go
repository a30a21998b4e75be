package design

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Separators and the tenant of the guide "Key design patterns".
const (
	versionSeparator = "@"
	commonTenant     = "common"
)

// withTenants returns a design whose models all have a tenant, which all patterns name. Models without
// one belong to the common tenant.
func (d *Design) withTenants() *Design {
	t := d.Tenants
	if t == nil {
		return d
	}
	all := *d
	all.Models, all.Patterns = slices.Clone(d.Models), slices.Clone(d.Patterns)
	for i := range all.Models {
		m := &all.Models[i]
		if m.Attribute(t.Attribute) == nil {
			common := cmp.Or(t.Common, commonTenant)
			m.Attributes = append(slices.Clone(m.Attributes), Attribute{Name: t.Attribute, Type: String, Constant: common, Bytes: len(common), Values: 1})
		}
	}
	for i := range all.Patterns {
		p := &all.Patterns[i]
		if !slices.Contains(p.Equal, t.Attribute) && all.Model(p.models()[0]).Attribute(t.Attribute).Constant == "" {
			p.Equal = append([]string{t.Attribute}, p.Equal...)
		}
	}
	return &all
}

// ofTenant returns the keys that serve a pattern of one tenant: those that would serve it without
// tenants, below the tenant, or all in the tenant's partition.
func (p *planner) ofTenant(i, m int, equal, spread, sort []string) []key {
	tenant := p.design.Tenants.Attribute
	rest := slices.DeleteFunc(slices.Clone(equal), func(name string) bool { return name == tenant })
	below := func(names []string) []string { return append([]string{tenant}, names...) }
	switch {
	case len(p.design.Patterns[i].Models) > 0:
		return p.keysTogether(i, below(slices.Concat(rest, spread)), sort)
	case len(spread) > 0:
		return []key{{partition: below(slices.Concat(rest, spread)), sort: sort}}
	case len(rest) == 0:
		return []key{{partition: below(nil), sort: sort}}
	}
	keys := []key{{partition: below(rest), sort: sort}}
	if len(rest) > 1 {
		keys = p.severalEqual(m, rest, sort)
		for j := range keys {
			keys[j].partition = below(keys[j].partition)
		}
	}
	return append(keys, key{partition: below(nil), sort: slices.Concat(rest, sort)})
}

// primariesOfTenant returns the primary key of a model below its tenant.
func (p *planner) primariesOfTenant(m int) []key {
	tenant := p.design.Tenants.Attribute
	rest := slices.DeleteFunc(slices.Clone(p.models[m].Key), func(name string) bool { return name == tenant })
	return []key{{partition: []string{tenant}, sort: rest}}
}

// KeyPrefix returns what keys of a model begin with where its name keeps models apart. With tenants the
// name is written as in the guide, such as ORDER_ITEM.
func (d *Design) KeyPrefix(model string) string {
	if d.Tenants == nil {
		return model
	}
	return tenantPrefix(model)
}

// tenantPrefix writes OrderItem as ORDER_ITEM.
func tenantPrefix(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// prefixTenants lets all partition keys begin with the names of the models, if there are tenants.
func (p *planner) prefixTenants(a *arrangement) {
	if p.design.Tenants == nil {
		return
	}
	for at := tablePartition; int(at) < len(a.at); at += 2 {
		if a.at[at] == nil {
			continue
		}
		a.prefixColumn(a.at[at], a.at[at].name(), "begins with a prefix of the model and the tenant, as the guide \"Key design patterns\" has it")
	}
}

// isVersion reports whether an attribute is the version of a model.
func (m *Model) isVersion(name string) bool { return m.Versions && m.Key[len(m.Key)-1] == name }

// misplacesVersion reports whether a primary key of a model with versions does not end in the version.
func (p *planner) misplacesVersion(m int, k key) bool {
	return p.models[m].Versions && (len(k.sort) < 2 || !p.models[m].isVersion(k.sort[len(k.sort)-1]))
}

// separatorBefore is what stands before an attribute of a joined key: "@" before a version.
func (p *planner) separatorBefore(m int, attributes []string, i int) string {
	if p.models[m].isVersion(attributes[i]) && i == len(attributes)-1 {
		return versionSeparator
	}
	return p.design.separator()
}

// tenants checks what the keys of the guide need.
func (c *checker) tenants() {
	d := c.design
	prefixes := map[string]string{}
	for i := range d.Models {
		m, field := &d.Models[i], fmt.Sprintf("models[%d]", i)
		if d.Tenants == nil {
			if m.Versions {
				c.add(field+".versions", "versions are those of keys with tenants: add tenants to the design")
			}
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(m.Key), func(name string) bool { return name == d.Tenants.Attribute })
		if m.Versions && len(rest) < 2 {
			c.add(field+".key", "name what is unique besides the tenant and the version, such as [id, version]")
		}
		if other, ok := prefixes[tenantPrefix(m.Name)]; ok && other != m.Name {
			c.add(field+".name", "its prefix %s in keys is that of %s, too", tenantPrefix(m.Name), other)
		}
		prefixes[tenantPrefix(m.Name)] = m.Name
	}
	if d.Tenants == nil {
		return
	}
	if d.separator() != DefaultSeparator {
		c.add("separator", "keys with tenants have #")
	}
	for i := range d.Patterns {
		c.tenantsTogether(&d.Patterns[i], fmt.Sprintf("patterns[%d].models", i))
	}
}

// tenantsTogether checks that models that are read together have a tenant each, or none.
func (c *checker) tenantsTogether(p *Pattern, field string) {
	has := func(model string) bool {
		m := c.design.Model(model)
		return m != nil && m.Attribute(c.design.Tenants.Attribute) != nil
	}
	for _, model := range p.Models {
		if has(model) != has(p.Models[0]) {
			c.add(field, "only one of %s and %s has a tenant, so they share no partition", p.Models[0], model)
			return
		}
	}
}
