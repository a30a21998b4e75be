package design

import (
	"slices"
	"strings"
)

// keptChecker checks copies and feeds: what is stored more than once.
type keptChecker struct{ *checker }

// copy checks an attribute that has the values of another one: whether it says how it is kept.
func (c keptChecker) copy(m *Model, a *Attribute, field string) {
	if a.Kept == "" {
		if a.By != "" {
			c.add(field+".by", "say in kept how the copy is kept, too: transaction, stream or never")
		}
		return
	}
	model, name, _ := strings.Cut(a.Of, ".")
	of := c.design.anyModel(model)
	source := of.Attribute(name)
	at := field + ".kept"
	switch {
	case !slices.Contains(CopyKeepings, a.Kept):
		c.add(at, "want transaction, stream or never for a copy")
	case of == m:
		c.add(at, "%s is of the same model, whose items have no copies of each other", a.Of)
	case slices.Contains(of.Key, name):
		c.add(at, "%s is in the key of %s, and never changes", a.Of, of.Name)
	case !source.Mutable && !of.named(name) && source.counted() == "" && source.Last == "":
		c.add(at, "%s never changes: say that it is mutable, or name it in updates", a.Of)
	case source.Kept != "" && source.counted() == "":
		c.add(at, "%s is a copy of %s itself: say that this is one", a.Of, source.Of)
	case a.Kept != Never:
		c.keptCopy(m, of, a, field)
	}
}

// keptCopy checks a copy that changes with what it is a copy of.
func (c keptChecker) keptCopy(m, of *Model, a *Attribute, field string) {
	_, name, _ := strings.Cut(a.Of, ".")
	at, d := field+".kept", rules{c.design}
	unique := func(m *Model, name string) bool {
		return slices.ContainsFunc(m.Unique,
			func(u []string) bool { return slices.Contains(u, name) })
	}
	switch {
	case of.Attribute(name).counted() != "":
		c.add(at, "%s is a counter, and each change of it would change all copies: read it from %s",
			a.Of, of.Name)
	case unique(of, name):
		c.add(at, "%s is unique, and a write of its own changes it: say kept: never, or read it from %s",
			a.Of, of.Name)
	case slices.Contains(m.Key, a.Name):
		c.add(at, "%s is in the key of %s, and the key of an item never changes", a.Name, m.Name)
	case m.named(a.Name):
		c.add(at, "%s changes with %s: leave it out of updates", a.Name, a.Of)
	case unique(m, a.Name):
		c.add(at, "%s is unique in %s, and copies are not", a.Name, m.Name)
	case m.Versions || of.Versions:
		c.add(at, "versions of an item stay as they are: say kept: never")
	}
	for i := range of.Changes {
		if others := of.Changes[i].Of; slices.Contains(others, name) &&
			slices.ContainsFunc(others, func(name string) bool { return unique(of, name) }) {
			c.add(at, "%s changes in one update with what is unique: name updates of their own", a.Of)
		}
	}
	switch b := copyBefore(m, a); {
	case b == nil:
	case b.Kept != a.Kept:
		c.add(at, "%s is a copy of %s, too, with kept: %s: say one of the two for both", b.Name,
			a.Of, b.Kept)
	case a.Kept == ByTransaction && (a.By == b.By || a.By == "" || b.By == ""):
		c.add(at, "%s is the same copy of %s, and a transaction writes an item once: leave one of "+
			"the two out", b.Name, a.Of)
	}
	c.copiedBy(d, m, of, a, field)
	for i := range c.design.Transactions {
		for _, w := range c.design.Transactions[i].Updates {
			if changed := d.changed(&w); w.Model == of.Name && slices.Contains(changed, name) ||
				w.Model == m.Name && slices.Contains(changed, a.Name) {
				c.add(at, "the transaction %s changes %s, and a change with its copies is a write of its own",
					c.design.Transactions[i].Name, a.Of)
			}
		}
	}
}

// copyBefore returns the copy that a model has, before another one, of the same attribute, and that
// changes with it; or nil.
func copyBefore(m *Model, a *Attribute) *Attribute {
	for i := range m.Attributes {
		switch b := &m.Attributes[i]; {
		case b.Name == a.Name:
			return nil
		case b.Of == a.Of && b.Kept != "" && b.Kept != Never:
			return b
		}
	}
	return nil
}

// copiedBy checks the attributes by which a copy belongs to an item.
func (c keptChecker) copiedBy(d rules, m, of *Model, a *Attribute, field string) {
	if a.By != "" {
		b := m.Attribute(a.By)
		switch {
		case b == nil:
			c.noAttribute(field+".by", m, a.By)
		case len(of.Key) != 1 || rootOf(d.Models, m.Name, b) !=
			rootOf(d.Models, of.Name, of.Attribute(of.Key[0])):
			c.add(field+".by", "%s is not of the only attribute in the key of %s", a.By, of.Name)
		case b.Mutable || m.named(a.By):
			c.add(field+".by", "%s changes, and the copy would have to change with it", a.By)
		}
		return
	}
	for _, key := range of.Key {
		var by []string
		root := rootOf(d.Models, of.Name, of.Attribute(key))
		for i := range m.Attributes {
			if b := &m.Attributes[i]; b.Of != "" && rootOf(d.Models, m.Name, b) == root {
				by = append(by, b.Name)
			}
		}
		switch {
		case len(by) == 0:
			c.add(field+".kept", "%s has no attribute that is of %s.%s, so it is of no %s", m.Name,
				of.Name, key, of.Name)
		case len(by) > 1:
			c.add(field+".by", "name the one of %s that has the key of what this is a copy of",
				strings.Join(by, " and "))
		case m.Attribute(by[0]).Mutable || m.named(by[0]):
			c.add(field+".kept", "%s.%s changes, and the copy would have to change with it", m.Name,
				by[0])
		}
	}
}
