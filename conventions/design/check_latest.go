package design

import (
	"slices"
	"strings"
)

// maxLatest is how many of the newest items a pattern reads at most.
const maxLatest = 100

// checkLatest checks a pattern that reads an item and its newest children.
func checkLatest(c *checker, p *Pattern, field string) {
	if p.Latest == nil {
		return
	}
	field += ".latest"
	if len(p.Latest) != 1 || len(p.Models) != 2 {
		c.add(field, "want two models and one attribute of the second, as in models: "+
			"[Order, Event], latest: {at: 10}: an Order with its 10 newest items of Event")
		return
	}
	for _, f := range []struct {
		name  string
		there bool
	}{
		{"range", p.Range != ""}, {"begins", p.Begins != ""}, {"order", p.Order != ""},
		{"where", len(p.Where) > 0}, {"in", len(p.In) > 0}, {"filter", len(p.Filter) > 0},
		{"similar", p.Similar != ""}, {"period", p.Period != ""}, {"shards", p.Shards != 0},
		{"one", p.One}, {"descending", p.Descending}, {"returned", p.Returned != 0},
	} {
		if f.there {
			c.add(strings.TrimSuffix(field, "latest")+f.name,
				"a pattern with latest has none: it reads an item and its newest children")
		}
	}
	by, n := p.Newest()
	if n < 1 || n > maxLatest {
		c.add(field, "say how many of %s a request reads, 1 to %d", p.Models[1], maxLatest)
	}
	checkFirst(c, p, field)
	checkChildren(c, p, by, n, field)
}

// checkFirst checks that a pattern reads one item of its first model.
func checkFirst(c *checker, p *Pattern, field string) {
	m := c.design.Model(p.Models[0])
	own := func(names []string) []string {
		tenant := rules{c.design}.tenantOf(m)
		return slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(names),
			func(name string) bool { return name == tenant })))
	}
	switch {
	case m.Versions:
		c.add(field, "%s has versions, so there are several items: read them in a pattern of "+
			"their own", m.Name)
	case !slices.Equal(own(p.Equal), own(m.Key)):
		c.add(field, "equal has to be the key of %s, [%s], so that there is one item with "+
			"children", m.Name, strings.Join(m.Key, ", "))
	}
}

// checkChildren checks that the newest items of a pattern's second model can be read backwards.
func checkChildren(c *checker, p *Pattern, by string, n int, field string) {
	m := c.design.Model(p.Models[1])
	a := m.Attribute(by)
	switch {
	case a == nil:
		c.noAttribute(field, m, by)
		return
	case a.Format != Timestamp && a.Format != ULID && a.Type != Number:
		c.add(field, "%s is no timestamp, ULID or number, by which items are new", by)
	case a.counted() != "":
		c.add(field, "%s is a counter, which a key holds as a number alone: choose an attribute "+
			"of %s by which items are new", by, m.Name)
	case a.Constant != "":
		c.add(field, "%s has one value: it is constant", by)
	case a.Optional > 0:
		c.add(field, "only some items of %s have %s", m.Name, by)
	case m.isVersion(by):
		c.add(field, "keys hold versions as text, where 10 comes before 2")
	}
	if most := childrenOfEach(c, p, m); most <= int64(n) {
		names := make([]string, len(p.Equal))
		for i, name := range p.Equal {
			names[i] = c.design.AttributeOf(p, m.Name, name)
		}
		c.add(field, "%s has at most %s for each of %s, by %s: leave latest out, or say of: %s.%s "+
			"at the attribute that refers to %[3]s", m.Name, count(int(most), "item", "items"),
			p.Models[0], listed(names), p.Models[0], p.Equal[0])
	}
}

// childrenOfEach returns how many items of a pattern's second model one of the first has at most,
// or more than any pattern reads.
func childrenOfEach(c *checker, p *Pattern, m *Model) int64 {
	most := int64(1)
	for _, name := range m.Key {
		a, refers := m.Attribute(name), func(e string) bool {
			return c.design.AttributeOf(p, m.Name, e) == name
		}
		if a == nil || slices.ContainsFunc(p.Equal, refers) {
			continue
		}
		values := int64(maxLatest + 1)
		if a.Values > 0 {
			values = min(a.Values, values)
		}
		most = min(most*values, maxLatest+1)
	}
	return most
}
