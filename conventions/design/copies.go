package design

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// copied is an attribute that has a copy of another model's attribute which changes.
type copied struct {
	model     *Model     // the model that has the copy
	attribute *Attribute // the copy
	of        *Model     // the model whose attribute is copied
	name      string     // the name of that attribute
	by        []string   // the attributes of model that have the key of of
}

// copies returns the copies of a design that say how they are kept.
func (d rules) copies() (all []copied) {
	for i := range d.Models {
		m := &d.Models[i]
		for j := range m.Attributes {
			a := &m.Attributes[j]
			model, name, _ := strings.Cut(a.Of, ".")
			of := d.Model(model)
			if of == nil || a.Kept == "" || a.counted() != "" {
				continue
			}
			c := copied{model: m, attribute: a, of: of, name: name}
			for _, key := range of.Key {
				c.by = append(c.by, d.with(m, of.Name+"."+key))
			}
			if a.By != "" {
				c.by = []string{a.By}
			}
			all = append(all, c)
		}
	}
	return all
}

// each returns how many copies an item has on average, and how many the one has that has the most.
func (c *copied) each() (mean, most float64) {
	items := float64(c.model.Items)
	mean = max(math.Ceil(items/max(float64(c.of.Items), 1)), 1)
	for _, name := range c.by {
		// a copy that nobody changes need not name its item
		if by := c.model.Attribute(name); by != nil && by.skewed() {
			return mean, max(math.Ceil(items*c.model.Heaviest(name)), mean)
		}
	}
	return mean, mean
}

// rate returns how often what is copied changes in a second.
func (c *copied) rate() (rate float64) {
	for _, change := range c.of.Changes {
		if slices.Contains(change.Of, c.name) {
			rate += change.Rate
		}
	}
	return rate
}

// finder returns the pattern that finds the copies of an item. Its name has that of the copy, too,
// if the model has several of one attribute, such as the names of who gives and of who takes.
func (d rules) finder(c copied) Pattern {
	mean, _ := c.each()
	name := fmt.Sprintf("copies of %s.%s in %s", c.of.Name, c.name, c.model.Name)
	for _, other := range d.copies() {
		if other.model == c.model && other.of == c.of && other.name == c.name &&
			other.attribute != c.attribute && other.attribute.Kept != Never {
			name += " as " + c.attribute.Name
			break
		}
	}
	return Pattern{Name: name, Model: c.model.Name, Equal: c.by, Rate: c.rate(), Returned: mean,
		Attributes: slices.Concat(c.model.Key, []string{c.attribute.Name})}
}

// copiesCounter is the name of the counter of an item's copies, without a prefix that makes it
// another attribute than those of the design.
const copiesCounter = "_copies"

// addCopies adds the changes of copies to those of their models, and the patterns that find them.
// Where a transaction keeps them, items get a counter of their copies: a change is refused if there
// are other copies than those that its writer has found.
func (d rules) addCopies() {
	for _, c := range d.copies() {
		if c.attribute.Kept == Never {
			continue
		}
		mean, _ := c.each()
		d.Patterns = append(slices.Clone(d.Patterns), d.finder(c))
		if c.attribute.Kept == ByStream {
			d.readForNew(c)
		}
		for _, change := range c.of.Changes {
			if !slices.Contains(change.Of, c.name) {
				continue
			}
			c.model.Changes = append(c.model.Changes,
				Change{Of: []string{c.attribute.Name}, Rate: change.Rate * mean})
			if c.attribute.Kept == ByTransaction {
				c.of.updatedTogether += change.Rate
				c.model.updatedTogether += change.Rate * mean
			}
		}
		c.of.strict, c.model.strict = true, true
		if c.attribute.Kept == ByTransaction {
			d.countCopies(c)
		}
	}
}

// readForNew adds the pattern by which the consumer of the stream reads what a new item copies: the
// item may have been put with an old value.
func (d rules) readForNew(c copied) {
	p := Pattern{Name: d.source(c), Model: c.of.Name, Equal: c.of.Key, One: true, Consistent: true,
		Rate: c.model.Puts, Attributes: []string{c.name}}
	if i := slices.IndexFunc(d.Patterns,
		func(o Pattern) bool { return o.Name == p.Name }); i < 0 {
		d.Patterns = append(d.Patterns, p)
	} else if names := &d.Patterns[i].Attributes; !slices.Contains(*names, c.name) {
		*names = append(*names, c.name)
	}
}

// source returns the name of the pattern by which the consumer of the stream reads what a new item
// copies.
func (d rules) source(c copied) string {
	name := fmt.Sprintf("what a new %s copies of %s", c.model.Name, c.of.Name)
	if len(c.by) == 1 && len(d.copiedFrom(c)) > 1 {
		name += " by " + c.by[0]
	}
	return name
}

// copiedFrom returns by which attributes a model copies of one other model.
func (d rules) copiedFrom(of copied) (all []string) {
	for _, c := range d.copies() {
		if by := strings.Join(c.by, " "); c.model == of.model && c.of == of.of &&
			!slices.Contains(all, by) {
			all = append(all, by)
		}
	}
	return all
}

// copiesIn returns the attributes of a model that are copies kept in a way.
func (d rules) copiesIn(m *Model, k Keeping) (names []string) {
	for _, c := range d.copies() {
		if c.model.Name == m.Name && c.attribute.Kept == k {
			names = append(names, c.attribute.Name)
		}
	}
	return names
}

// sameAs returns what must be true of the item that counts copies when one is put: it has the
// values that the copy has.
func (d rules) sameAs(of *counter, minus bool) (all []Same) {
	if minus || of.kept() != ByTransaction {
		return nil
	}
	for _, c := range d.copies() {
		if c.attribute.Kept == ByTransaction && c.model.Name == of.of.Name &&
			c.of.Name == of.model.Name && slices.Equal(c.by, of.by) &&
			d.copiesCounter(c) == of.attribute.Name {
			all = append(all, Same{Of: c.name, As: c.attribute.Name})
		}
	}
	return all
}

// countCopies adds the counter of the copies of an item, unless there is one that says as much.
func (d rules) countCopies(c copied) {
	if d.copiesCounter(c) != "" {
		return
	}
	name := strings.ToLower(c.model.Name) + copiesCounter
	for c.of.Attribute(name) != nil {
		name = "entity_" + name
	}
	a := Attribute{Name: name, Type: Number, Counts: c.model.Name, Kept: ByTransaction}
	if len(c.by) == 1 {
		a.Counts += "." + c.by[0]
	}
	c.of.Attributes = append(slices.Clone(c.of.Attributes), a)
}

// copiesCounter returns the counter of all copies of an item that transactions keep, or "".
func (d rules) copiesCounter(of copied) string {
	for _, c := range d.counters() {
		if c.model.Name == of.of.Name && c.of.Name == of.model.Name && c.attribute.Counts != "" &&
			len(c.attribute.Where) == 0 && c.kept() == ByTransaction && slices.Equal(c.by, of.by) {
			return c.attribute.Name
		}
	}
	return ""
}

// Copy is an attribute that has a copy of another model's attribute, which changes.
type Copy struct {
	Model, Attribute string // the copy
	Of, Name         string // the model and the attribute that it copies
	By               []string
	Counter          string // Of's count of the copies; "" unless a transaction keeps them
	Pattern          string // the pattern that finds them
	Source           string // reads the original for a new copy; "" unless a stream keeps them
	Kept             Keeping
}

// Copies returns the copies of a design that say how they are kept, as Plan.Design has them.
func Copies(d *Design) (all []Copy) {
	for _, c := range (rules{d}).copies() {
		one := Copy{Model: c.model.Name, Attribute: c.attribute.Name, Of: c.of.Name, Name: c.name,
			By: c.by, Pattern: rules{d}.finder(c).Name, Kept: c.attribute.Kept}
		if one.Kept == ByTransaction {
			one.Counter = rules{d}.copiesCounter(c)
		}
		if one.Kept == ByStream {
			one.Source = rules{d}.source(c)
		}
		all = append(all, one)
	}
	return all
}

// lastValues is the attributes of a model that have values of the newest item of another one. They
// change together: the first one says which item is the newest.
type lastValues struct {
	model      *Model
	attributes []*Attribute
	of         *Model
	by         []string // the attributes of that model that have the key of model
}

// lastsIn returns what has last values in a design.
func lastsIn(d rules) (all []lastValues) {
	for i := range d.Models {
		m := &d.Models[i]
		for j := range m.Attributes {
			a := &m.Attributes[j]
			model, _ := a.lastOf()
			of := d.Model(model)
			if of == nil || a.By != "" {
				continue
			}
			l := lastValues{model: m, attributes: []*Attribute{a}, of: of}
			for k := range m.Attributes {
				if b := &m.Attributes[k]; b.Last != "" && b.By == a.Name {
					l.attributes = append(l.attributes, b)
				}
			}
			for _, name := range m.Key {
				l.by = append(l.by, d.with(of, m.Name+"."+name))
			}
			all = append(all, l)
		}
	}
	return all
}

// names returns the attributes that have last values, that which orders items first.
func (l *lastValues) names() (names []string) {
	for _, a := range l.attributes {
		names = append(names, a.Name)
	}
	return names
}

// addLasts adds the changes of last values to those of their models: one for each put.
func addLasts(d rules) {
	for _, l := range lastsIn(d) {
		l.model.Changes = append(l.model.Changes, Change{Of: l.names(), Rate: l.of.Puts})
		l.model.strict, l.of.strict = true, true
	}
}

// setsLast returns what the consumer of the stream does with last values for a new item of a model.
func setsLast(d rules, m *Model) (all []Action) {
	for _, l := range lastsIn(d) {
		if l.of.Name != m.Name {
			continue
		}
		a := Action{Kind: SetLast, Model: l.model.Name, Count: 1, If: MustBeOld, Key: l.model.Key,
			Of: m.Name, By: l.by, Tenant: d.tenantOf(l.model)}
		for _, one := range l.attributes {
			_, of := one.lastOf()
			a.Lasts = append(a.Lasts, Latest{Attribute: one.Name, Of: of})
		}
		all = append(all, a)
	}
	return all
}
