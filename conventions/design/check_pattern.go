package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// pattern checks a pattern.
func (c *checker) pattern(i int) {
	p, field := &c.design.Patterns[i], fmt.Sprintf("patterns[%d]", i)
	c.patternName(i, field)
	if !(tablesChecker{c}).pattern(p, field) {
		return
	}
	if p.Through != "" {
		keptChecker{c}.feed(p, field)
		return
	}
	if p.Fanout != "" {
		c.add(field+".fanout", "only a feed has one: say through which model")
	}
	if p.Deletes != "" {
		c.add(field+".deletes", "only a feed has that: say through which model")
	}
	if !c.patternModels(p, field) {
		return
	}
	m := c.design.Model(p.models()[0])
	c.equal(p, m, field)
	c.where(p, m, field)
	c.ordered(p, m, field)
	c.period(p, m, field)
	c.similar(p, m, field)
	c.together(p, m, field)
	checkOne(c, p, field)
	checkSeveral(c, p, m, field)
	checkLatest(c, p, field)
	c.attributes(p, field)
	if p.Shards < 0 || p.Shards > maxShards {
		c.add(field+".shards", "want 0 to %d", maxShards)
	}
	checkRate(c, field+".rate", p.Rate)
	checkMany(c, field+".returned", p.Returned)
}

func patternField(i int) string { return fmt.Sprintf("patterns[%d]", i) }

func (c *checker) patternName(i int, field string) {
	name := c.design.Patterns[i].Name
	if name == "" {
		c.add(field+".name", "give the pattern a name")
		return
	}
	for j := range c.design.Patterns[:i] {
		if c.design.Patterns[j].Name == name {
			c.add(field+".name", "patterns[%d] has the same name", j)
		}
	}
}

// patternModels reports whether the models of a pattern are there.
func (c *checker) patternModels(p *Pattern, field string) bool {
	n := len(c.errs)
	switch {
	case len(p.Models) == 0:
		if c.design.Model(p.Model) == nil {
			c.noModel(field+".model", p.Model)
		}
	case p.Model != "":
		c.add(field+".model", "there are models, too: leave one of the two out")
	case len(p.Models) == 1:
		c.add(field+".models", "want 2 to %d models, or model with one", MaxTogether)
	}
	for j, name := range p.Models {
		at := fmt.Sprintf("%s.models[%d]", field, j)
		if c.design.Model(name) == nil {
			c.noModel(at, name)
		}
		if slices.Contains(p.Models[:j], name) {
			c.add(at, "%s is there twice", name)
		}
	}
	return n == len(c.errs)
}

func (c *checker) equal(p *Pattern, m *Model, field string) {
	for j, name := range p.Equal {
		at := fmt.Sprintf("%s.equal[%d]", field, j)
		c.keyAttribute(at, m, name)
		if slices.Contains(p.Equal[:j], name) {
			c.add(at, "%s is there twice", name)
		}
	}
}

// where checks the values that attributes of a pattern's items have.
func (c *checker) where(p *Pattern, m *Model, field string) {
	for _, name := range slices.Sorted(maps.Keys(p.Where)) {
		at := field + ".where." + name
		a := m.Attribute(name)
		switch {
		case a == nil:
			c.noAttribute(at, m, name)
		case a.Type != String:
			c.add(at, "%s is a %s; only strings have a value here", name, a.Type)
		case p.Where[name] == "":
			c.add(at, "give the value of %s", name)
		case slices.Contains(p.Equal, name):
			c.add(at, "%s has one value of the request: it is in equal", name)
		}
	}
}

// ordered checks the attributes that the sort key begins with.
func (c *checker) ordered(p *Pattern, m *Model, field string) {
	for _, f := range []struct {
		name, attribute string
	}{{"range", p.Range}, {"begins", p.Begins}, {"order", p.Order}} {
		if f.attribute == "" {
			continue
		}
		c.keyAttribute(field+"."+f.name, m, f.attribute)
		if len(m.Key) > 0 && m.isVersion(f.attribute) {
			c.add(field+"."+f.name,
				"keys hold versions as text, where 10 comes before 2: read all versions, or one")
		}
		if slices.Contains(p.Equal, f.attribute) {
			c.add(field+"."+f.name, "%s has one value: it is in equal", f.attribute)
		}
		if t := c.design.Tenants; t != nil && t.Attribute == f.attribute {
			c.add(field+"."+f.name, "%s has one value: a request reads the items of one tenant",
				f.attribute)
		}
	}
	if p.Range != "" && p.Order != "" && p.Range != p.Order {
		c.add(field+".order",
			"a key orders by the attribute of its range, %s: sort the result by %s after reading "+
				"it, or leave the range out", p.Range, p.Order)
	}
	c.begins(p, m, field)
	checkDescending(c, p, field)
}

// checkDescending checks that a pattern which reverses an order says of what.
func checkDescending(c *checker, p *Pattern, field string) {
	switch {
	case !p.Descending || p.SortBy() != "" || p.Similar != "" || p.Latest != nil:
	case p.One:
		c.add(field+".descending", "with one, there is no order to reverse: leave descending out")
	default:
		c.add(field+".descending", "nothing says by which attribute: say it, as in order: at, or "+
			"leave descending out")
	}
}

// begins checks an attribute that a request gives the beginning of.
func (c *checker) begins(p *Pattern, m *Model, field string) {
	a := m.Attribute(p.Begins)
	if a == nil {
		return
	}
	switch {
	case a.Type != String:
		c.add(field+".begins", "%s is a %s; only strings begin with a text", a.Name, a.Type)
	case a.Constant != "":
		c.add(field+".begins", "%s has one value: it is constant", a.Name)
	}
	if p.Range != "" {
		c.add(field+".begins",
			"there is a range, too: a request has one condition on the sort key, so leave one of "+
				"the two out")
	}
	if p.Order != "" && p.Order != p.Begins {
		c.add(field+".order",
			"a key orders by the attribute of its begins, %s: sort the result by %s after "+
				"reading it, or leave begins out", p.Begins, p.Order)
	}
}

// period checks that a range has periods.
func (c *checker) period(p *Pattern, m *Model, field string) {
	if p.Period == "" {
		return
	}
	if !slices.Contains(Periods, p.Period) {
		c.add(field+".period", "want year, month, day or hour")
	}
	if a := m.Attribute(p.Range); a == nil || a.Format != Timestamp {
		c.add(field+".period", "periods are those of a range of timestamps")
	}
}

// similar checks a pattern that searches by a vector. A search of vectors has no order of its own,
// no range, and no strongly consistent reads.
func (c *checker) similar(p *Pattern, m *Model, field string) {
	if p.Similar == "" {
		return
	}
	if a := m.Attribute(p.Similar); a == nil || a.Type != Vector {
		c.add(field+".similar", "%s has no vector %s", m.Name, p.Similar)
	}
	for _, f := range []struct {
		name  string
		there bool
	}{
		{"models", len(p.Models) > 0}, {"where", len(p.Where) > 0}, {"range", p.Range != ""},
		{"begins", p.Begins != ""}, {"order", p.Order != ""},
		{"descending", p.Descending}, {"consistent", p.Consistent}, {"period", p.Period != ""},
		{"shards", p.Shards != 0},
	} {
		if f.there {
			c.add(field+"."+f.name, "a search of vectors has none: leave it out")
		}
	}
}

// together checks that each of several models has the attributes of the pattern.
func (c *checker) together(p *Pattern, first *Model, field string) {
	names := append(slices.Clone(p.Equal), slices.Sorted(maps.Keys(p.Where))...)
	if by := p.SortBy(); by != "" {
		names = append(names, by)
	}
	for j, model := range p.models()[1:] {
		for _, name := range names {
			of, m := first.Attribute(name), c.design.Model(model)
			a := m.Attribute(c.design.AttributeOf(p, model, name))
			if of != nil && (a == nil || a.Type != of.Type || a.Decimals != of.Decimals ||
				a.Negative != of.Negative) {
				c.add(fmt.Sprintf("%s.models[%d]", field, j+1),
					"%s has no %s of %s.%s: add an attribute with of: %[3]s.%[4]s", model, of.Type,
					first.Name, name)
			}
		}
	}
}

// attributes checks what is read of an item: attributes that one of the models has.
func (c *checker) attributes(p *Pattern, field string) {
	for j, name := range p.Attributes {
		has := func(model string) bool { return c.design.Model(model).Attribute(name) != nil }
		if !slices.ContainsFunc(p.models(), has) {
			c.noAttribute(fmt.Sprintf("%s.attributes[%d]", field, j), c.design.Model(p.models()[0]),
				name)
		}
		if p.Similar != "" && name == p.Similar {
			c.add(fmt.Sprintf("%s.attributes[%d]", field, j),
				"a search returns no vectors: leave %s out, and read the items that need it", name)
		}
	}
}

// checkOne checks that at most one item has what a request of a pattern names: all of the model's
// key, or all of what is unique besides it.
func checkOne(c *checker, p *Pattern, field string) {
	field += ".one"
	switch m := c.design.Model(p.models()[0]); {
	case !p.One:
	case len(p.Models) > 0:
		c.add(field, "each model has items of its own: say returned, with how many a result has")
	case namesUnique(p, m, c.design.Tenants):
	case len(p.Equal) == 0:
		c.add(field, "nothing in equal says which item of %s it is. Name its key, [%s]; or say "+
			"returned: 1 in place of one, if the first of many is meant", m.Name,
			strings.Join(m.Key, ", "))
	default:
		c.add(field, "several items of %s can have one %s, because its key is [%s]. Say unique: "+
			"%s of %[1]s if no two have; or returned: 1 in place of one, if the first of many is meant",
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
func namesUnique(p *Pattern, m *Model, t *Tenants) bool {
	named := append(slices.Collect(maps.Keys(p.Where)), p.Equal...)
	if t != nil {
		named = append(named, t.Attribute)
	}
	unnamed := func(name string) bool {
		a := m.Attribute(name)
		return !slices.Contains(named, name) && (a == nil || a.Constant == "")
	}
	return slices.ContainsFunc(append([][]string{m.Key}, m.Unique...),
		func(unique []string) bool { return !slices.ContainsFunc(unique, unnamed) })
}
