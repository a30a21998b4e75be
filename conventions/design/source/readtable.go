package source

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// MaxItems is how many items of a Table ReadTable looks at.
const MaxItems = 100_000

// ReadTable makes a design out of a table. Its models are groups of items that have a name in
// common, in an attribute such as type or at the beginning of their keys, or that are alike.
func ReadTable(t Table) (*Draft, error) {
	d, err := draftOf(t)
	if err != nil {
		return nil, err
	}
	return checked(d)
}

// draftOf makes the draft of ReadTable.
func draftOf(t Table) (*draft, error) {
	if len(t.Items) == 0 {
		return nil, &Error{Message: "the table " + t.Name + " has no items"}
	}
	t.Items = withoutNulls(t.Items[:min(len(t.Items), MaxItems)])
	t.Count = max(t.Count, int64(len(t.Items)))
	x := &tableReader{Table: t, draft: newDraft(t.Name), separator: separatorOf(&t)}
	if x.separator != design.DefaultSeparator {
		x.draft.Design.Separator = x.separator
	}
	if slices.ContainsFunc(t.Indexes, func(k TableIndex) bool { return k.Key.Several() }) {
		x.draft.Design.Keys = design.AttributeKeys
	}
	x.groups = x.group()
	if len(x.groups) > design.MaxModels {
		x.draft.warn("the items are of %d models; the design has the first %d", len(x.groups),
			design.MaxModels)
		x.groups = x.groups[:design.MaxModels]
	}
	x.tenants = x.ofTenants()
	names := map[string]bool{}
	for _, g := range x.groups {
		g.model.Name = free(camel(g.name), func(name string) bool { return names[name] })
		names[g.model.Name] = true
		x.describe(g)
	}
	x.relate()
	for _, g := range x.groups {
		x.model(g)
	}
	for _, g := range x.groups {
		x.searches(g)
	}
	if len(x.Requests) > 0 {
		x.recorded()
	}
	writesReader{x}.read()
	x.draft.table = x
	return x.draft, nil
}

// withoutNulls returns items without their attributes that are null.
func withoutNulls(items []Item) []Item {
	list := slices.Clone(items)
	for i, it := range list {
		list[i].Attributes = maps.Clone(it.Attributes)
		maps.DeleteFunc(list[i].Attributes,
			func(_ string, v Value) bool { return v.Type == "NULL" })
	}
	return list
}

// model adds the model of a group. Without recorded reads it adds the patterns that its keys serve.
func (x *tableReader) model(g *group) {
	x.missing(g)
	m := g.model
	m.Items = int64(len(g.items)) * x.Count / int64(len(x.Items))
	if a := m.Attribute(x.TTL); a != nil && a.Type == design.Number {
		m.TTL = x.TTL
	}
	for _, v := range x.Vectors {
		if a := m.Attribute(v.Attribute); a != nil {
			*a = design.Attribute{Name: a.Name, Type: design.Vector, Dimensions: v.Dimensions}
		}
	}
	keys := x.keysOf(g)
	if len(m.Key) == 0 { // the model has one item
		name := free("type", func(name string) bool { return m.Attribute(name) != nil })
		m.Attributes = append(m.Attributes,
			design.Attribute{Name: name, Type: design.String, Constant: m.Name})
		m.Key = []string{name}
	}
	path := x.draft.addModel(m, nil, keys...)
	x.draft.Comments[path+".key"] = fmt.Sprintf("unique in the %d items that were looked at",
		len(g.items))
	if g.guessed {
		x.draft.comment(path, "a group of items that are alike; no attribute names their model")
	}
	if len(x.Requests) == 0 {
		x.draft.addPatterns(path, keys...)
	}
}

// searches adds the patterns that search by the vectors of a group.
func (x *tableReader) searches(g *group) {
	m := x.draft.Design.Model(g.model.Name)
	for _, v := range x.Vectors {
		if a := m.Attribute(v.Attribute); a == nil || a.Type != design.Vector {
			continue
		}
		p := design.Pattern{
			Name: plural(words(m.Name)) + " similar by " + v.Attribute, Model: m.Name,
			Similar: v.Attribute,
		}
		switch held := g.keys[v.Partition].attributes(); {
		case m.Attribute(v.Partition) != nil:
			p.Equal = []string{v.Partition}
		case len(held) == 1:
			p.Equal = held
		}
		if path := x.draft.addPattern(p); path != "" {
			x.draft.comment(path, "of a vector index; how often it is searched is not known")
		}
	}
}
