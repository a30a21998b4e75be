package design

import (
	"fmt"
	"slices"
	"strings"
)

// maxAsked is how many attributes a request asks for at most: its expression has at most 4 KB. With
// more it asks for all.
const maxAsked = 500

// ask fills in what each query asks for. Make and changes of names end with it.
func (p *Plan) Ask() {
	for i := range p.Queries {
		p.Queries[i].Attributes = p.asked(i)
	}
}

// asked returns what a query asks for. One whose items are read by BatchGetItem asks for all that its
// index has.
func (p *Plan) asked(i int) []string {
	if p.Queries[i].Fetch {
		return nil
	}
	return p.askedOf(i, p.Index(p.Queries[i].Index))
}

// Fetched returns the attributes for which a BatchGetItem asks that reads the items of a pattern, or nil
// for all.
func (p *Plan) Fetched(i int) []string { return p.askedOf(i, nil) }

// askedOf returns the attributes of the table, or of an index, that hold what a pattern's result needs,
// with the keys by which a reader goes on, or nil for all.
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
	if index != nil && len(q.Spread) > 0 { // a reader of several partitions merges by the index's key
		add(index.Key.Partition)
		add(index.Key.Sort)
	}
	for _, model := range q.Models {
		for _, name := range slices.Concat(p.Needs(i, model)...) {
			if index == nil || p.Projects(index, name) {
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

// ProjectionExpression returns the expression that asks for attributes. Number n has the placeholder
// AskedName(n).
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
