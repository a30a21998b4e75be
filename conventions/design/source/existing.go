package source

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// Existing returns the table that a draft was made from as a plan from which the draft's design is
// planned: its keys and indexes, and what these hold of each model. It has no patterns, because how
// a table is read is not known from it. Its error says what the items do not show. It adds a
// warning to the draft if items have an attribute that the design has not: the name of their model.
func (d *Draft) Existing() (*design.Plan, error) {
	if d.table == nil {
		return nil, errors.New("the source is no table")
	}
	x := existing{d.table}
	if len(x.Vectors) > 0 {
		return nil, errors.New("the table has vector indexes, which only their own plan keeps")
	}
	plan := &design.Plan{Design: d.Design, Columns: x.columns(), Key: x.Key, TTL: x.TTL}
	plan.Design.From, plan.Design.Patterns = "", nil
	var errs []error
	for _, g := range x.groups {
		e, err := x.entity(g, d.Design.Model(g.model.Name))
		plan.Entities = append(plan.Entities, e)
		errs = append(errs, err)
	}
	if typed := x.groups[0].typed; typed != "" {
		d.Warnings = append(d.Warnings, "the design does not have "+typed+
			", which names the model of each item: write it in new items as before")
	}
	for _, k := range x.Indexes {
		plan.Indexes = append(plan.Indexes, x.index(k))
	}
	return plan, errors.Join(errs...)
}

// existing writes the table of a reader as a plan.
type existing struct{ *tableReader }

// columns returns the attributes of all keys.
func (x existing) columns() (all []design.Column) {
	add := func(name, position string) {
		i := slices.IndexFunc(all, func(c design.Column) bool { return c.Name == name })
		switch {
		case name == "":
		case i >= 0:
			all[i].Positions = append(all[i].Positions, position)
		default:
			all = append(all, design.Column{Name: name, Type: x.Types[name],
				Positions: []string{position}})
		}
	}
	add(x.Key.Partition, "PK")
	add(x.Key.Sort, "SK")
	counts := map[bool]int{}
	for _, k := range x.Indexes {
		counts[k.Local]++
		name := fmt.Sprintf("GSI%d", counts[false])
		if k.Local {
			name = fmt.Sprintf("LSI%d", counts[true])
		}
		for _, attribute := range k.Key.Partitions() {
			add(attribute, name+"PK")
		}
		for _, attribute := range k.Key.Sorts() {
			add(attribute, name+"SK")
		}
	}
	return all
}

// index returns an index with the models whose items are in it.
func (x existing) index(k TableIndex) design.Index {
	index := design.Index{Name: k.Name, Local: k.Local, Key: k.Key, Projection: k.Projection,
		Natural: k.Key.Several()}
	for _, g := range x.groups {
		if !g.in(k.Key) {
			continue
		}
		index.Models = append(index.Models, g.model.Name)
		index.Sparse = index.Sparse || slices.ContainsFunc(g.items, func(it Item) bool {
			return slices.ContainsFunc(k.Key.Names(), func(name string) bool {
				_, ok := it.Attributes[name]
				return !ok
			})
		})
	}
	return index
}

// entity returns how a group's model is stored.
func (x existing) entity(g *group, m *design.Model) (design.Entity, error) {
	e := design.Entity{Model: m.Name}
	var errs []error
	for _, name := range x.keyAttributes() {
		values := valuesOf(g.items, name)
		if len(values) == 0 {
			continue
		}
		v, err := x.value(g, m, name, values)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s of %s: %w", name, m.Name, err))
		}
		e.Keys = append(e.Keys, design.Stored{Name: name, Value: v,
			Partly: len(v) > 1 && len(values) < len(g.items)})
	}
	for _, a := range m.Attributes {
		if !g.isNamed(a.Name) && len(valuesOf(g.items, a.Name)) > 0 {
			e.Others = append(e.Others,
				design.Stored{Name: a.Name, Value: design.Value{{Attribute: a.Name}}})
		}
	}
	return e, errors.Join(errs...)
}

// value returns what a key attribute holds of a group's model: the template of its values.
func (x existing) value(g *group, m *design.Model, name string,
	values []Value) (v design.Value, err error) {
	p := g.keys[name]
	if p == nil {
		return nil, errors.New("too few items have it to show its template")
	}
	texts, text := x.split(values), ""
	for i, s := range p {
		if i > 0 {
			text += x.separator
		}
		if s.attribute == "" {
			text += s.text
			continue
		}
		part, err := x.part(g, m.Attribute(s.attribute), name, texts[i])
		if err != nil {
			return nil, err
		}
		if text != "" {
			v, text = append(v, design.Part{Text: text}), ""
		}
		v = append(v, part)
	}
	if text != "" {
		v = append(v, design.Part{Text: text})
	}
	return v, nil
}

// part returns the part of a key that holds an attribute in all items that have the key. Its error
// says that the key holds other texts, such as the attribute's in lower case.
func (x existing) part(g *group, a *design.Attribute, key string,
	texts []string) (design.Part, error) {
	part, i := design.Part{Attribute: a.Name}, 0
	for _, it := range g.items {
		if _, ok := it.Attributes[key]; !ok {
			continue
		}
		is := it.Attributes[a.Name].Text
		if a.Type == design.Number && len(is) < len(texts[i]) {
			part.Digits = len(texts[i])
		}
		if zeros := part.Digits - len(is); zeros > 0 {
			is = strings.Repeat("0", zeros) + is
		}
		if is != texts[i] {
			return part, fmt.Errorf("it holds %q where %s is %q", texts[i], a.Name,
				it.Attributes[a.Name].Text)
		}
		i++
	}
	return part, nil
}
