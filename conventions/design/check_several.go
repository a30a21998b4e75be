package design

import (
	"fmt"
	"maps"
	"slices"
)

// maxIn is how many values of an attribute a request gives at most on average.
const maxIn = 100

// checkSeveral checks what a pattern asks for besides one value of each attribute: several values,
// and a filter.
func checkSeveral(c *checker, p *Pattern, m *Model, field string) {
	for _, name := range slices.Sorted(maps.Keys(p.In)) {
		checkIn(c, p, m, name, field+".in")
	}
	if len(p.In) > 1 {
		c.add(field+".in", "want one attribute with several values in a request")
	}
	for j, name := range p.Filter {
		checkFilter(c, p, m, j, fmt.Sprintf("%s.filter[%d]", field, j), name)
	}
	switch {
	case len(p.Filter) == 0:
	case p.One:
		c.add(field+".filter", "a result of one item needs none: look at the item after reading it")
	case len(p.Models) > 0 || p.Similar != "":
		c.add(field+".filter", "only a pattern that reads one model, and by no vector, has a filter")
	}
}

// checkIn checks an attribute with several values in a request.
func checkIn(c *checker, p *Pattern, m *Model, name, field string) {
	a := m.Attribute(name)
	switch t := c.design.Tenants; {
	case a == nil:
		c.noAttribute(field, m, name)
	case !slices.Contains(p.Equal, name):
		c.add(field, "%s has to be in equal, too: of those attributes a request gives values", name)
	case t != nil && t.Attribute == name:
		c.add(field, "%s has one value: a request reads the items of one tenant", name)
	case a.Constant != "":
		c.add(field, "%s has one value: it is constant", name)
	case a.Type == Binary:
		c.add(field, "%s is a binary; want a string or a number", name)
	case p.In[name] < 2 || p.In[name] > maxIn:
		c.add(field, "say how many values of %s a request gives on average, 2 to %d, as in "+
			"in: {%[1]s: 5}", name, maxIn)
	case len(p.Models) > 0 || p.Similar != "":
		c.add(field, "only a pattern that reads one model, and by no vector, has several values")
	case p.One && p.SortBy() != "":
		c.add(field, "with one, the result has an item for each value, in their order: leave "+
			"%s out", orderField(p))
	}
}

// orderField names the field of a pattern that orders its result.
func orderField(p *Pattern) string {
	switch {
	case p.Range != "":
		return "range"
	case p.Begins != "":
		return "begins"
	}
	return "order"
}

// checkFilter checks an attribute by which a pattern filters what it has read.
func checkFilter(c *checker, p *Pattern, m *Model, j int, field, name string) {
	a := m.Attribute(name)
	switch {
	case a == nil:
		c.noAttribute(field, m, name)
	case slices.Contains(p.Filter[:j], name):
		c.add(field, "%s is there twice", name)
	case slices.Contains(p.Equal, name) || p.Where[name] != "" || p.SortBy() == name:
		c.add(field, "%s is in the key by which the pattern reads: nothing is left to filter", name)
	case a.Type != String && a.Type != Number && a.Type != Boolean:
		c.add(field, "%s is a %s; want a string, a number or a boolean", name, a.Type)
	case m.filterValues(a) == 0 && a.Optional == 0:
		c.add(field, "say how many values %s has, as in values: 4 of the attribute: the plan counts "+
			"what the filter reads and drops", name)
	}
}
