package design

import (
	"maps"
	"slices"
)

// checkWhere checks which items a counter counts, and that whatever that depends on changes in
// writes that move the counter.
func checkWhere(c *checker, m *Model, a *Attribute, field string) {
	if a.counted() == "" {
		if len(a.Where) > 0 {
			c.add(field+".where", "%s counts nothing: say what in counts or sums", a.Name)
		}
		return
	}
	if len(a.Where) > 0 && a.Numbers != "" {
		c.add(field+".where", "%s numbers all items of a model: leave where out", a.Name)
		return
	}
	of := c.design.Model(a.counted())
	if of == nil || of == m {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(a.Where)) {
		at, b := field+".where."+name, of.Attribute(name)
		switch {
		case b == nil:
			c.noAttribute(at, of, name)
		case b.Type != String:
			c.add(at, "%s is a %s; only strings have a value here", name, b.Type)
		case a.Where[name] == "":
			c.add(at, "give the value of %s", name)
		case b.Constant != "":
			c.add(at, "%s has one value: it is constant", name)
		}
	}
	if len(a.Where) > MaxEqual {
		c.add(field+".where", "want at most %d attributes", MaxEqual)
	}
	counters := rules{c.design}.counters()
	this := slices.IndexFunc(counters, func(o counter) bool {
		return o.model == m && o.attribute == a
	})
	if this < 0 {
		return
	}
	depends := counters[this].depends()
	if (len(a.Where) > 0 || len(depends) > 0) && a.Kept != "" && a.Kept != ByTransaction {
		c.add(field+".kept", "%s counts by values that only a transaction knows before and after: "+
			"leave kept out", a.Name)
	}
	for _, name := range depends {
		at := field + ".where." + name
		if a.Where[name] == "" {
			at = field + ".sums"
		}
		checkMoved(c, &counters[this], name, at)
	}
}

// checkMoved checks that what a counter depends on changes in writes of its own, which say how
// often.
func checkMoved(c *checker, of *counter, name, field string) {
	m := of.of
	if !m.named(name) {
		c.add(field, "%s.%s changes, and %s with it: say how often, as in updates: [{of: %[2]s, "+
			"rate: 1}] of %[1]s", m.Name, name, of.attribute.Name)
		return
	}
	for _, change := range m.Changes {
		if !slices.Contains(change.Of, name) {
			continue
		}
		for _, other := range change.Of {
			unique := slices.ContainsFunc(m.Unique,
				func(u []string) bool { return slices.Contains(u, other) })
			copied := slices.ContainsFunc(rules{c.design}.copies(), func(o copied) bool {
				return o.of == m && o.name == other && o.attribute.Kept != Never
			})
			if unique || copied {
				c.add(field, "%s.%s is unique or copied, which a write of its own keeps: change %s "+
					"in another one", m.Name, other, name)
			}
		}
	}
}
