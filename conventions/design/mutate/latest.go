package mutate

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// withoutLatest returns plans in which a pattern that reads an item and its newest children reads
// the oldest ones, one less, all of them, or has the item behind its children.
func withoutLatest(p *design.Plan) (all []Mutation) {
	for i := range p.Queries {
		q := &p.Queries[i]
		if p.Design.Patterns[i].Latest == nil {
			continue
		}
		oldest, fewer, every := p.Clone(), p.Clone(), p.Clone()
		oldest.Queries[i].Descending = false
		fewer.Queries[i].Limit--
		every.Queries[i].Limit = 0
		all = append(all,
			Mutation{fmt.Sprintf("%s reads the oldest items", q.Pattern), oldest},
			Mutation{fmt.Sprintf("%s reads one item less", q.Pattern), fewer},
			Mutation{fmt.Sprintf("%s reads all items", q.Pattern), every},
			Mutation{fmt.Sprintf("%s has %s behind its children", q.Pattern, q.Models[0]),
				behindChildren(p, i)})
	}
	return all
}

// behindChildren returns a plan in which the first model of a query sorts before its children.
func behindChildren(p *design.Plan, query int) *design.Plan {
	c, q := p.Clone(), &p.Queries[query]
	sort := p.Key.Sort
	if index := p.Index(q.Index); index != nil {
		sort = index.Key.Sort
	}
	keys := c.Entity(q.Models[0]).Keys
	at := slices.IndexFunc(keys, func(s design.Stored) bool { return s.Name == sort })
	was := keys[at].Value
	keys[at].Value = design.Value{{Text: " " + was.String()}}
	for i := range c.Queries {
		from := c.Queries[i].Sort.From
		if c.Queries[i].Sort.Name == sort && from.String() == was.String() {
			c.Queries[i].Sort.From = keys[at].Value
		}
	}
	return c
}

// sortOf returns the attribute of a model by which a pattern sorts its items, or "".
func sortOf(p *design.Plan, pattern int, model string) string {
	d := &p.Design.Patterns[pattern]
	if by, n := d.Newest(); n > 0 {
		if model != d.Models[1] {
			return ""
		}
		return by
	}
	return p.Design.AttributeOf(d, model, d.SortBy())
}
