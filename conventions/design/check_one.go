package design

import (
	"maps"
	"slices"
	"strings"
)

// one checks that at most one item has what a request of a pattern names: all of the model's key,
// or all of what is unique besides it.
func (c *checker) one(p *Pattern, field string) {
	field += ".one"
	switch m := c.design.Model(p.models()[0]); {
	case !p.One:
	case len(p.Models) > 0:
		c.add(field, "each model has items of its own: say returned, with how many a result has")
	case c.namesUnique(p, m):
	case len(p.Equal) == 0:
		c.add(field, "nothing in equal says which item of %s it is. Name its key, [%s]; or say "+
			"returned: 1 in place of one, if the first of many is meant", m.Name,
			strings.Join(m.Key, ", "))
	default:
		c.add(field, "several items of %s can have one %s, because its key is [%s]. Say unique: %s of "+
			"%[1]s if no two have; or returned: 1 in place of one, if the first of many is meant",
			m.Name, strings.Join(p.Equal, " and "), strings.Join(m.Key, ", "), uniqueOf(p.Equal))
	}
}

// uniqueOf writes attributes as the field unique has them.
func uniqueOf(names []string) string {
	text := "[" + strings.Join(names, ", ") + "]"
	if len(names) > 1 {
		return "[" + text + "]"
	}
	return text
}

// namesUnique reports whether a pattern names all attributes of a model's key, or of what is unique
// besides it. A request of a design with tenants names the tenant.
func (c *checker) namesUnique(p *Pattern, m *Model) bool {
	named := append(slices.Collect(maps.Keys(p.Where)), p.Equal...)
	if t := c.design.Tenants; t != nil {
		named = append(named, t.Attribute)
	}
	unnamed := func(name string) bool {
		a := m.Attribute(name)
		return !slices.Contains(named, name) && (a == nil || a.Constant == "")
	}
	return slices.ContainsFunc(append([][]string{m.Key}, m.Unique...),
		func(unique []string) bool { return !slices.ContainsFunc(unique, unnamed) })
}
