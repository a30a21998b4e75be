package design

import (
	"fmt"
	"slices"
	"strings"
)

// maxAsked is how many attributes a request asks for at most: its expression has at most 4 KB. With
// more it asks for all.
const maxAsked = 500

// Ask fills in what each query asks for. Whoever changes the names, indexes or needs of a plan
// calls it last.
func (p *Plan) Ask() {
	for i := range p.Queries {
		p.Queries[i].Attributes = p.asked(i)
	}
}

// asked returns the attributes for which a query asks, or nil for all. It is nil, too, if
// BatchGetItem then reads the items: then the query asks for all that its index has.
func (p *Plan) asked(i int) []string {
	if p.Queries[i].Fetch {
		return nil
	}
	return p.askedOf(i, p.Index(p.Queries[i].Index))
}

// Fetched returns the attributes for which a BatchGetItem asks that reads the items of a pattern,
// or nil for all.
func (p *Plan) Fetched(i int) []string { return p.askedOf(i, nil) }

// askedOf returns the attributes of the table, or of an index, that hold what a pattern's result
// needs, with the keys by which a reader goes on, or nil for all.
func (p *Plan) askedOf(i int, index *Index) []string {
	q := &p.Queries[i]
	if len(p.Design.Patterns[i].Attributes) == 0 {
		return nil
	}
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(p.Key.Partition)
	add(p.Key.Sort)
	// a reader of several partitions merges by the index's key
	if index != nil && len(q.Spread) > 0 {
		for _, name := range index.Key.Names() {
			add(name)
		}
	}
	for _, model := range q.Models {
		for _, name := range slices.Concat(p.Needs(i, model)...) {
			if index == nil || p.projects(index, name) {
				add(name)
			}
		}
	}
	if len(names) > maxAsked {
		return nil
	}
	return names
}

// ProjectionExpression returns the expression of what a query asks for, "" for all.
func (q *Query) ProjectionExpression() string { return ProjectionExpression(q.Attributes) }

// ProjectionExpression returns the expression that asks for attributes. Number n has the
// placeholder AskedName(n).
func ProjectionExpression(attributes []string) string {
	placeholders := make([]string, len(attributes))
	for n := range attributes {
		placeholders[n] = AskedName(n)
	}
	return strings.Join(placeholders, ", ")
}

// AskedName returns the placeholder of an attribute in a ProjectionExpression.
func AskedName(n int) string { return fmt.Sprintf("#a%d", n) }

// askInto adds what a query asks for to a request with names.
func (q *Query) askInto(in map[string]any, names map[string]string) {
	if len(q.Attributes) > 0 {
		in["ProjectionExpression"] = q.ProjectionExpression()
	}
	for n, name := range q.Attributes {
		names[AskedName(n)] = name
	}
	if len(names) > 0 {
		in["ExpressionAttributeNames"] = names
	}
}

// Needs returns what a pattern's result needs of a model's items: of each attribute that it reads,
// the attributes of the table that hold it. One of them will do.
func (p *Plan) Needs(pattern int, model string) (needs [][]string) {
	read := p.Design.Patterns[pattern].Attributes
	for _, a := range p.Design.Model(model).Attributes {
		if a.Constant == "" && a.Derived == nil &&
			(len(read) == 0 || slices.Contains(read, a.Name)) {
			needs = append(needs, p.Entity(model).Holding(a.Name))
		}
	}
	return needs
}

// Holding returns the attributes of the table that hold an attribute of the model in all of its
// items.
func (e *Entity) Holding(attribute string) (names []string) {
	for _, s := range slices.Concat(e.Keys, e.Others) {
		holds := func(part Part) bool { return part.Attribute == attribute }
		// Others has what is there only sometimes
		if s.When == nil && !s.Partly && slices.ContainsFunc(s.Value, holds) {
			names = append(names, s.Name)
		}
	}
	return names
}

// projects reports whether an index has an attribute of the table.
func (p *Plan) projects(index *Index, name string) bool {
	switch index.Projection.Type {
	case "", All:
		return true
	case Include:
		if slices.Contains(index.Projection.Attributes, name) {
			return true
		}
	}
	return p.Key.Has(name) || index.Key.Has(name)
}
