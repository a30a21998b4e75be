package design

import (
	"fmt"
	"slices"
)

// fetchWorth is how many times as much an index has to cost with all attributes before patterns read
// its items by BatchGetItem, because that is a second request.
const fetchWorth = 2

// projectionWorth is which part of the cost a projection has to save. Patterns that come later may need
// what it leaves out.
const projectionWorth = 0.05

// maxIncluded is how many attributes all INCLUDE projections of a table have together (Developer
// Guide, "Quotas in Amazon DynamoDB").
const maxIncluded = 100

// index returns the index with a name, or nil.
func (p *Plan) Index(name string) *Index {
	for i := range p.Indexes {
		if p.Indexes[i].Name == name {
			return &p.Indexes[i]
		}
	}
	return nil
}

// Needs returns what a pattern's result needs of a model's items: of each attribute that it reads, the
// attributes of the table that hold it. One of them will do.
func (p *Plan) Needs(pattern int, model string) (needs [][]string) {
	read := p.Design.Patterns[pattern].Attributes
	for _, a := range p.Design.Model(model).Attributes {
		if a.Constant == "" && a.Derived == nil && (len(read) == 0 || slices.Contains(read, a.Name)) {
			needs = append(needs, p.Entity(model).Holding(a.Name))
		}
	}
	return needs
}

// holding returns the attributes of the table that hold one of the model.
func (e *Entity) Holding(attribute string) (names []string) {
	for _, s := range slices.Concat(e.Keys, e.Others) {
		holds := func(part Part) bool { return part.Attribute == attribute }
		if s.When == nil && slices.ContainsFunc(s.Value, holds) { // Others has what is there only sometimes
			names = append(names, s.Name)
		}
	}
	return names
}

// Projects reports whether an index has an attribute of the table.
func (p *Plan) Projects(index *Index, name string) bool {
	switch index.Projection.Type {
	case "", All:
		return true
	case Include:
		if slices.Contains(index.Projection.Attributes, name) {
			return true
		}
	}
	return slices.Contains([]string{p.Key.Partition, p.Key.Sort, index.Key.Partition, index.Key.Sort}, name)
}

func (p *Plan) projectsOneOf(index *Index, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return p.Projects(index, name) })
}

// covers reports whether an index has all that a pattern needs.
func (p *Plan) covers(index *Index, pattern int) bool {
	for _, model := range p.Queries[pattern].Models {
		for _, holders := range p.Needs(pattern, model) {
			if !p.projectsOneOf(index, holders) {
				return false
			}
		}
	}
	return true
}

// indexedBytes returns the size of an average item of a model in an index.
func (p *Plan) indexedBytes(index *Index, model string) float64 {
	e := p.Entity(model)
	left := slices.DeleteFunc(slices.Concat(e.Keys, e.Others), func(s Stored) bool { return !p.Projects(index, s.Name) })
	return p.sizeOf(model, left)
}

// copiesChanges reports whether an index has attributes of a model that change: the mutable ones in
// no key, or any in no key if the design does not say which are mutable.
func (p *Plan) copiesChanges(index *Index, m *Model) bool {
	said := slices.ContainsFunc(m.Attributes, func(a Attribute) bool { return a.Mutable })
	for _, s := range p.Entity(m.Name).Others {
		a := m.Attribute(s.Value[0].Attribute)
		if (a.Mutable || !said) && p.Projects(index, s.Name) {
			return true
		}
	}
	return false
}

// project chooses the projection of each index: the one that costs least, together with the reads of
// the patterns that use it.
func (p *Plan) project(note func(index, format string, args ...any)) {
	prices := ListPrices()
	for i := range p.Indexes {
		index := &p.Indexes[i]
		all := p.costWith(i, Projection{}, prices)
		best, least := Projection{}, all
		for _, projection := range p.projections(i) {
			if cost := p.costWith(i, projection, prices); cost < least && p.declined(i, cost, least, all) == "" {
				best, least = projection, cost
			}
		}
		p.costWith(i, best, prices)
		if best.Type != "" {
			note(index.Name, "has the projection %s: the index and its reads cost %s %s a month, and %s with ALL", best.Type, dollars(least), prices.Currency, dollars(all))
		}
		for j := range p.Queries {
			if p.Queries[j].Fetch && p.Queries[j].Index == index.Name {
				note(p.Queries[j].Pattern, "reads keys from %s, then the items by BatchGetItem: that costs less than copies of all attributes", index.Name)
			}
		}
	}
}

// declined says why an index does not get the projection that it has, at a lower cost than another one,
// or "" if it gets it. all is the cost with all attributes.
func (p *Plan) declined(i int, cost, least, all float64) string {
	switch {
	case p.fetches(i) && p.Indexes[i].Local:
		return "patterns would read items by BatchGetItem, and a local index has all that its patterns read"
	case p.fetches(i) && cost*fetchWorth > all:
		return fmt.Sprintf("patterns would read items by a second request, BatchGetItem: the plan does that below 1/%d of the cost with ALL", fetchWorth)
	case cost >= least*(1-projectionWorth):
		return fmt.Sprintf("this saves less than %.0f %% of the index and its reads, and later patterns may need what it leaves out", 100*projectionWorth)
	case cost >= least-0.005:
		return "this saves less than a cent"
	}
	return ""
}

// fetches reports whether a pattern reads the items of an index by BatchGetItem.
func (p *Plan) fetches(i int) bool {
	return slices.ContainsFunc(p.Queries, func(q Query) bool { return q.Fetch && q.Index == p.Indexes[i].Name })
}

// projections returns the projections that an index may have, the simplest first.
func (p *Plan) projections(i int) []Projection {
	index := &p.Indexes[i]
	keys := *index
	keys.Projection = Projection{Type: KeysOnly}
	var needed []string
	for j := range p.Queries {
		if p.Queries[j].Index != index.Name || len(p.Design.Patterns[j].Attributes) == 0 {
			continue
		}
		for _, model := range p.Queries[j].Models {
			for _, holders := range p.Needs(j, model) {
				if !p.projectsOneOf(&keys, holders) && !slices.Contains(needed, holders[0]) {
					needed = append(needed, holders[0])
				}
			}
		}
	}
	all := []Projection{{}, {Type: KeysOnly}}
	if len(needed) > 0 && len(needed)+p.included() <= maxIncluded {
		all = append(all, Projection{Type: Include, Attributes: needed})
	}
	return all
}

// included returns how many attributes the INCLUDE projections have.
func (p *Plan) included() (n int) {
	for _, index := range p.Indexes {
		n += len(index.Projection.Attributes)
	}
	for _, v := range p.VectorIndexes {
		n += 1 + len(v.Filters) // they count, too
	}
	return n
}

// costWith gives an index a projection, and returns what it and the reads that use it cost.
func (p *Plan) costWith(i int, projection Projection, prices Prices) float64 {
	p.Indexes[i].Projection = projection
	cost := p.indexShare(i, prices).Dollars
	for j := range p.Queries {
		q := &p.Queries[j]
		if q.Index != p.Indexes[i].Name {
			continue
		}
		q.Fetch = !p.covers(&p.Indexes[i], j)
		share := Share{ReadUnits: p.Design.Patterns[j].Rate * p.readUnits(j)}
		prices.apply(&share)
		cost += share.Dollars
	}
	return cost
}
