package design

import (
	"fmt"
	"slices"
)

// tenants checks what the keys of the guide need.
func (c *checker) tenants() {
	d := c.design
	prefixes := map[string]string{}
	for i := range d.Models {
		m, field := &d.Models[i], fmt.Sprintf("models[%d]", i)
		if d.Tenants == nil {
			if m.Versions {
				c.add(field+".versions",
					"versions are those of keys with tenants: add tenants to the design")
			}
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(m.Key),
			func(name string) bool { return name == d.Tenants.Attribute })
		if m.Versions && len(rest) < 2 {
			c.add(field+".key",
				"name what is unique besides the tenant and the version, such as [id, version]")
		}
		if other, ok := prefixes[tenantPrefix(m.Name)]; ok && other != m.Name {
			c.add(field+".name", "its prefix %s in keys is that of %s, too", tenantPrefix(m.Name),
				other)
		}
		prefixes[tenantPrefix(m.Name)] = m.Name
	}
	if d.Tenants == nil {
		return
	}
	if d.separator() != DefaultSeparator {
		c.add("separator", "keys with tenants have #")
	}
	if of := d.Tenants.Children; of != "" && !slices.Contains(AllChildren, of) {
		c.add("tenants.children", "%q is none of %s, %s", of, WithParent, Apart)
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
			c.add(field, "only one of %s and %s has a tenant, so they share no partition",
				p.Models[0], model)
			return
		}
	}
}
