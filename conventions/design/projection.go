package design

import (
	"fmt"
	"slices"
)

// fetchWorth is how many times as much an index has to cost with all attributes before patterns
// read its items by BatchGetItem, because that is a second request.
const fetchWorth = 2

// maxIncluded is how many attributes all INCLUDE projections of a table have together (Developer
// Guide, "Quotas in Amazon DynamoDB").
const maxIncluded = 100

// projector gives the indexes of a plan their projections.
type projector struct {
	*Plan
	prices Prices
}

// project chooses the projection of each index of a plan, and says why.
func project(plan *Plan) []Note {
	p := projector{plan, ListPrices()}
	var all notes
	for i := range p.Indexes {
		index := &p.Indexes[i]
		if was := plan.Design.kept.index(index); was != nil {
			p.costWith(i, was.Projection)
			continue
		}
		best, least, most := p.choose(i)
		if best.Type != "" {
			all.note(7, index.Name,
				"has the projection %s: the index and its reads cost %s %s a month, and %s with ALL", best.Type, dollars(least), p.prices.Currency, dollars(most))
		}
		for j := range p.Queries {
			if p.Queries[j].Fetch && p.Queries[j].Index == index.Name {
				all.note(7, p.Queries[j].Pattern,
					"reads keys from %s, then the items by BatchGetItem: that costs less than copies of all attributes", index.Name)
			}
		}
	}
	return all
}

// choose gives an index the projection that costs least, together with the reads of the patterns
// that use it. It returns that cost, and the cost with all attributes.
func (p *projector) choose(i int) (best Projection, least, all float64) {
	all = p.costWith(i, Projection{})
	least = all
	for _, projection := range p.projections(i) {
		if cost := p.costWith(i, projection); cost < least &&
			p.declined(i, cost, least, all) == "" {
			best, least = projection, cost
		}
	}
	p.costWith(i, best)
	return best, least, all
}

// declined says why an index does not get a projection, though it costs less than the best one so
// far, or "" if it gets it. The index has the projection; all is the cost with all attributes.
func (p *projector) declined(i int, cost, least, all float64) string {
	switch {
	case p.fetches(i) && p.Indexes[i].Local:
		return "patterns would read items by BatchGetItem, and a local index has all that its patterns read"
	case p.fetches(i) && cost*fetchWorth > all:
		return fmt.Sprintf(
			"patterns would read items by a second request, BatchGetItem: the plan does that below 1/%d of the cost with ALL", fetchWorth)
	case cost >= least-p.Design.worth(projectionWorth, least):
		return p.Design.tooLittle(least) + ", and later patterns may need what it leaves out"
	case cost >= least-0.005:
		return "this saves less than a cent"
	}
	return ""
}

// fetches reports whether a pattern reads the items of an index by BatchGetItem.
func (p *projector) fetches(i int) bool {
	return slices.ContainsFunc(p.Queries,
		func(q Query) bool { return q.Fetch && q.Index == p.Indexes[i].Name })
}

// projections returns the projections that an index may have, the simplest first.
func (p *projector) projections(i int) []Projection {
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
	for _, name := range p.filteredIn(index) {
		if !p.projects(&keys, name) && !slices.Contains(needed, name) {
			needed = append(needed, name)
		}
	}
	all := []Projection{{}, {Type: KeysOnly}}
	if len(needed) > 0 && len(needed)+p.included() <= maxIncluded {
		all = append(all, Projection{Type: Include, Attributes: needed})
	}
	return slices.DeleteFunc(all, func(projection Projection) bool {
		with := Index{Key: index.Key, Projection: projection}
		return slices.ContainsFunc(p.filteredIn(index),
			func(name string) bool { return !p.projects(&with, name) })
	})
}

// filteredIn returns the attributes of the table by which patterns filter what they read of an
// index, which has to have them.
func (p *projector) filteredIn(index *Index) (names []string) {
	for j := range p.Queries {
		for _, f := range p.Queries[j].Filters {
			if p.Queries[j].Index == index.Name {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// included returns how many of the attributes that INCLUDE projections may have are taken.
func (p *projector) included() (n int) {
	for _, index := range p.Indexes {
		n += len(index.Projection.Attributes)
	}
	for _, v := range p.VectorIndexes {
		n += 1 + len(v.Filters) // they count, too
	}
	return n
}

// covers reports whether an index has all that a pattern needs.
func (p *projector) covers(index *Index, pattern int) bool {
	for _, model := range p.Queries[pattern].Models {
		for _, holders := range p.Needs(pattern, model) {
			if !p.projectsOneOf(index, holders) {
				return false
			}
		}
	}
	return true
}

// projectsOneOf reports whether an index has one of some attributes.
func (p *projector) projectsOneOf(index *Index, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return p.projects(index, name) })
}

// costWith gives an index a projection, and returns what it and the reads that use it cost.
func (p *projector) costWith(i int, projection Projection) float64 {
	p.Indexes[i].Projection = projection
	cost := p.indexShare(i, p.prices).Dollars
	for j := range p.Queries {
		q := &p.Queries[j]
		if q.Index != p.Indexes[i].Name {
			continue
		}
		q.Fetch = !p.covers(&p.Indexes[i], j)
		share := Share{ReadUnits: p.Design.Patterns[j].Rate * p.readUnits(j)}
		p.prices.apply(&share)
		cost += share.Dollars
	}
	return cost
}
