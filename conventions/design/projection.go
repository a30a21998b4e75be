package design

import (
	"fmt"
	"math"
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
			p.priceFetches(i, p.costWith(i, was.Projection))
			continue
		}
		best, least, most := p.choose(i)
		if best.Type != "" {
			all.note(7, index.Name,
				"has the projection %s: the index and its reads cost %s %s a month, and %s with ALL", best.Type, dollars(least), p.prices.Currency, dollars(most))
			all.naming(index.Name)
		}
		p.priceFetches(i, least)
		for j := range p.Queries {
			if p.Queries[j].Fetch && p.Queries[j].Index == index.Name {
				all.note(7, p.Queries[j].Pattern,
					"reads keys from %s, then the items by BatchGetItem: copies of what it reads, for one request, would cost %s %s a month more", index.Name, dollars(p.fetches[j]), p.prices.Currency)
				all.naming(index.Name)
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
	var byFetches [][]Projection // the index is the number of second requests
	for _, projection := range p.combined(i) {
		p.costWith(i, projection)
		n := p.fetching(i)
		for len(byFetches) <= n {
			byFetches = append(byFetches, nil)
		}
		byFetches[n] = append(byFetches[n], projection)
	}
	for _, some := range byFetches {
		fewer := least // what it costs with fewer second requests
		for _, projection := range some {
			if cost := p.costWith(i, projection); cost < least &&
				p.declined(i, cost, least, fewer) == "" {
				best, least = projection, cost
			}
		}
	}
	p.costWith(i, best)
	return best, least, all
}

// declined says why an index does not get a projection, though it costs less than the best one so
// far, or "" if it gets it. The index has the projection; fewer is the cost with fewer second
// requests.
func (p *projector) declined(i int, cost, least, fewer float64) string {
	switch {
	case p.fetching(i) > 0 && p.Indexes[i].Local:
		return "patterns would read items by BatchGetItem, and a local index has all that its patterns read"
	case p.fetching(i) > 0 && cost*fetchWorth > fewer:
		return fmt.Sprintf(
			"patterns would read items by a second request, BatchGetItem: the plan does that below 1/%d of the cost without it", fetchWorth)
	case cost >= least-p.Design.worth(projectionWorth, least):
		return p.Design.tooLittle(least) + ", and later patterns may need what it leaves out"
	case cost >= least-0.005:
		return "this saves less than a cent"
	}
	return ""
}

// fetching returns how many patterns read the items of an index by BatchGetItem.
func (p *projector) fetching(i int) (n int) {
	for j := range p.Queries {
		if q := &p.Queries[j]; q.Fetch && q.Index == p.Indexes[i].Name {
			n++
		}
	}
	return n
}

// priceFetches notes, for each pattern that reads an index with a second request, how much more the
// index would cost if it had all that the pattern reads. cost is its present cost.
func (p *projector) priceFetches(i int, cost float64) {
	for j := range p.Queries {
		if q := &p.Queries[j]; q.Fetch && q.Index == p.Indexes[i].Name {
			if p.fetches == nil {
				p.fetches = map[int]float64{}
			}
			p.fetches[j] = p.covering(i, j) - cost
		}
	}
}

// covering returns what an index costs at least, with the reads of all patterns that use it, in the
// projections that have all that one of these patterns reads. The index keeps its own projection.
func (p *projector) covering(i, pattern int) float64 {
	was, least := p.Indexes[i].Projection, math.Inf(1)
	for _, projection := range p.combined(i) {
		if cost := p.costWith(i, projection); !p.Queries[pattern].Fetch {
			least = min(least, cost)
		}
	}
	p.costWith(i, was)
	return least
}

// maxCombined is how many patterns of an index are combined in all ways.
const maxCombined = 5

// combined returns the projections of projections and, for each set of the patterns that use the
// index, the one with all that these read: only the other patterns take a second request then. It
// adds none if more than maxCombined patterns use the index.
func (p *projector) combined(i int) []Projection {
	all := p.projections(i)
	var reading []int
	for j := range p.Queries {
		if p.Queries[j].Index == p.Indexes[i].Name {
			reading = append(reading, j)
		}
	}
	if len(reading) < 2 || len(reading) > maxCombined {
		return all
	}
	for set := 1; set < 1<<len(reading); set++ {
		var patterns []int
		for bit, j := range reading {
			if set&(1<<bit) != 0 {
				patterns = append(patterns, j)
			}
		}
		attributes := p.needed(i, patterns)
		known := slices.ContainsFunc(all,
			func(o Projection) bool { return slices.Equal(o.Attributes, attributes) })
		if n := len(attributes); n > 0 && n+p.included() <= maxIncluded && !known {
			all = append(all, Projection{Type: Include, Attributes: attributes})
		}
	}
	return all
}

// needed returns the attributes that some patterns read in an index, besides those of its key and
// of the table's.
func (p *projector) needed(i int, patterns []int) (needed []string) {
	keys := p.Indexes[i]
	keys.Projection = Projection{Type: KeysOnly}
	for _, j := range patterns {
		for _, model := range p.Queries[j].Models {
			for _, holders := range p.Needs(j, model) {
				if !p.projectsOneOf(&keys, holders) && len(holders) > 0 &&
					!slices.Contains(needed, holders[0]) {
					needed = append(needed, holders[0])
				}
			}
		}
	}
	for _, name := range p.filteredIn(&p.Indexes[i]) {
		if !p.projects(&keys, name) && !slices.Contains(needed, name) {
			needed = append(needed, name)
		}
	}
	return needed
}

// projections returns the projections that an index may have, the simplest first.
func (p *projector) projections(i int) []Projection {
	index := &p.Indexes[i]
	var patterns []int
	for j := range p.Queries {
		if p.Queries[j].Index == index.Name && len(p.Design.Patterns[j].Attributes) > 0 {
			patterns = append(patterns, j)
		}
	}
	needed := p.needed(i, patterns)
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
		share.priceBy(p.prices)
		cost += share.Dollars
	}
	return cost
}
