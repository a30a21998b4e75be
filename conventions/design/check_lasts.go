package design

import (
	"slices"
	"strings"
)

// last checks an attribute that has the value of the newest item of another model.
func (c keptChecker) last(m *Model, a *Attribute, field string) {
	at := field + ".last"
	model, name := a.lastOf()
	of := c.design.Model(model)
	if of == nil || of.Attribute(name) == nil {
		c.add(at, "no attribute is called %s; want MODEL.ATTRIBUTE, such as Message.text", a.Last)
		return
	}
	source := of.Attribute(name)
	unique := slices.ContainsFunc(m.Unique,
		func(u []string) bool { return slices.Contains(u, a.Name) })
	switch {
	case a.Of != "" || a.counted() != "":
		c.add(at, "%s has other values already: want one of of, counts, sums and last", a.Name)
	case a.Kept != "":
		c.add(field+".kept", "only a consumer of the stream keeps a last value: leave kept out")
	case of == m:
		c.add(at, "%s is the model itself: name one whose items are of this one", m.Name)
	case a.Type != source.Type || a.Format != source.Format:
		c.add(at, "%s is a %s: say the same type and format here", a.Last, typeText(source))
	case a.Decimals != source.Decimals || a.Negative != source.Negative:
		c.add(at, "%s has other decimals, or is negative, which this one has to say, too", a.Last)
	case a.Type == Vector:
		c.add(at, "%s is a vector, of which there are no last values", a.Last)
	case slices.Contains(m.Key, a.Name) || unique:
		c.add(at, "%s is in the key of %s, or unique, and changes with each newer item", a.Name,
			m.Name)
	case m.named(a.Name) || a.Mutable:
		c.add(at, "%s changes with %s: leave it out of updates, and mutable out", a.Name, a.Last)
	case a.Constant != "" || a.Begins != "" || m.TTL == a.Name ||
		c.design.Tenants != nil && c.design.Tenants.Attribute == a.Name:
		c.add(at, "%s is constant, the time to live, the tenant, or has a value to begin with", a.Name)
	case source.Mutable || of.named(name) || source.counted() != "" || source.Last != "" ||
		source.Begins != "" || source.Kept != "" && source.Kept != Never:
		c.add(at, "%s changes after its item was put, and the last value would be an old one: name "+
			"an attribute that never changes", a.Last)
	case m.Versions || of.Versions:
		c.add(at, "%s or %s keeps all versions of its items, which stay as they are", m.Name, of.Name)
	default:
		c.lastBelongs(m, of, field)
		c.newest(m, a, source, field)
		c.readsLast(m, a)
	}
}

// typeText names the type of an attribute, and its format.
func typeText(a *Attribute) string {
	if a.Format != Any {
		return string(a.Type) + " with the format " + string(a.Format)
	}
	return string(a.Type)
}

// lastBelongs checks the attributes by which an item is of another one.
func (c keptChecker) lastBelongs(m, of *Model, field string) {
	var all []string
	for _, key := range m.Key {
		var by []string
		root := rootOf(c.design.Models, m.Name, m.Attribute(key))
		for i := range of.Attributes {
			if b := &of.Attributes[i]; b.Of != "" && rootOf(c.design.Models, of.Name, b) == root {
				by = append(by, b.Name)
			}
		}
		switch {
		case len(by) == 0:
			c.add(field+".last", "%s has no attribute that is of %s.%s, so its items are of no %s",
				of.Name, m.Name, key, m.Name)
		case len(by) > 1:
			c.add(field+".last", "%s of %s are both of %s.%s, and one item of %[2]s would be the last "+
				"of two", strings.Join(by, " and "), of.Name, m.Name, key)
		case of.Attribute(by[0]).Mutable || of.named(by[0]):
			c.add(field+".last", "%s.%s changes, and the last value would have to change with it",
				of.Name, by[0])
		}
		all = append(all, by...)
	}
	if within(of.Key, all) {
		c.add(field+".last", "there is one item of %s for each of %s, so none is newer than another",
			of.Name, m.Name)
	}
}

// newest checks what says which item is the newest.
func (c keptChecker) newest(m *Model, a, source *Attribute, field string) {
	if a.By == "" {
		if source.Format != Timestamp && source.Format != ULID && source.Type != Number {
			c.add(field+".by", "%s is no timestamp, ULID or number: name the attribute that says which "+
				"item is the newest, such as lastAt with {name: lastAt, format: timestamp, last: "+
				"Message.sent}", a.Last)
		}
		if source.Optional > 0 {
			c.add(field+".last", "only some items have %s, and the others are neither new nor old",
				a.Last)
		}
		return
	}
	by := m.Attribute(a.By)
	model, _ := a.lastOf()
	switch {
	case by == nil:
		c.noAttribute(field+".by", m, a.By)
	case by == a:
		c.add(field+".by", "%s is this attribute itself: leave by out", a.By)
	case by.Last == "" || by.By != "":
		c.add(field+".by", "%s has to be a last value that itself says which item is the newest, such "+
			"as {name: %[1]s, format: timestamp, last: %s.sent}", a.By, model)
	default:
		if other, _ := by.lastOf(); other != model {
			c.add(field+".by", "%s is of the newest %s, and this one of the newest %s", a.By, other,
				model)
		}
	}
}

// readsLast checks the patterns, copies and counters that read a last value.
func (c keptChecker) readsLast(m *Model, a *Attribute) {
	for i := range c.design.Patterns {
		p := &c.design.Patterns[i]
		for _, model := range p.models() {
			if model != m.Name {
				continue
			}
			reads := func(name string) bool {
				return name != "" && c.design.AttributeOf(p, model, name) == a.Name
			}
			if _, is := p.Where[a.Name]; is && reads(a.Name) {
				c.add(patternField(i)+".where", "%s changes with each newer item, and an index of some "+
					"of its values would have to: name it in equal or filter", a.Name)
			}
			if p.Period != "" && reads(p.Range) {
				c.add(patternField(i)+".period", "%s changes with each newer item, and its partition "+
					"would have to: leave period out", a.Name)
			}
			if p.Through != "" && p.fanout() == OnWrite && reads(p.Order) {
				c.add(patternField(i)+".order", "%s changes, and the feed's items would with it: say "+
					"fanout: read", a.Name)
			}
		}
	}
}

// usesLast checks an attribute that has, counts or sums up the values of another one, which may be
// a last value.
func (c keptChecker) usesLast(a *Attribute, field string) {
	isLast := func(model, name string) bool {
		m := c.design.Model(model)
		return m != nil && m.Attribute(name) != nil && m.Attribute(name).Last != ""
	}
	model, name, _ := strings.Cut(a.Of+a.Sums, ".")
	if isLast(model, name) && a.Kept != Never {
		at := field + ".of"
		if a.Sums != "" {
			at = field + ".sums"
		}
		c.add(at, "%s is a last value, which changes with each newer item: read it from %s",
			a.Of+a.Sums, model)
	}
	for name := range a.Where {
		if isLast(a.counted(), name) {
			c.add(field+".where."+name, "%s is a last value, which changes with each newer item", name)
		}
	}
}
