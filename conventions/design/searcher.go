package design

import (
	"fmt"
	"math"
	"slices"
)

// searcher searches for the best layouts of a problem.
type searcher struct {
	*problem
	avoided map[string]key // primary keys that models must not have, by model
	prices  Prices
	month   float64 // what a month costs in all layouts
	// the pattern over several models that alone reads an index, as in key.together, by index
	pins  []int
	found Search
	cuts  int  // how often the search has left layouts out, of those with a number of indexes
	few   bool // it is to give up then
	// the number of an index of the table that is there, plus 1, which no layout reads from
	left  int
	mixed error // what the simplest layout does not keep apart because items keep their keys
}

// Bounds of a search that keeps the table that is there: how many further indexes it tries, and how
// many layouts with each number of indexes.
const (
	maxBesideKept = 2
	maxKeeping    = 100
)

// cut notes a bound of the search that left layouts out.
func (s *searcher) cut(format string, args ...any) {
	s.cuts++
	if bound := fmt.Sprintf(format, args...); !slices.Contains(s.found.Cut, bound) {
		s.found.Cut = append(s.found.Cut, bound)
	}
}

func newSearcher(p *problem, avoided map[string]key) *searcher {
	s := &searcher{problem: p, avoided: avoided, prices: ListPrices()}
	s.estimate()
	return s
}

// estimate sets what a month costs in all layouts: the table's writes and storage, and the reads.
// Sizes are without keys, which are not known yet.
func (s *searcher) estimate() {
	s.month = 0
	for m := range s.models {
		s.month += s.copyDollars(m, s.models[m].Puts+s.models[m].AllUpdates(), 1)
	}
	for i := range s.design.Patterns {
		pattern := &s.design.Patterns[i]
		share := Share{}
		for _, name := range pattern.models() {
			bytes := s.design.Evaluated(pattern) * s.design.Model(name).bytes() / float64(
				len(pattern.models()))
			share.ReadUnits += pattern.Rate * math.Ceil(bytes/readUnit) / 2
		}
		share.priceBy(s.prices)
		s.month += share.Dollars
	}
}

// copyDollars returns what a month costs for a part of a model's items with so many writes per
// second, in the table or in an index.
func (s *searcher) copyDollars(m int, writes, part float64) float64 {
	some, share := s.models[m], Share{}
	some.Items = int64(float64(some.Items) * part)
	share.store(&some, some.bytes(), writes*part)
	share.priceBy(s.prices)
	return share.Dollars
}

// indexDollars returns what a month costs for a model's items in the indexes of a layout.
func (s *searcher) indexDollars(m int, l modelLayout) (dollars float64) {
	for _, k := range slices.Concat(l.indexed, l.local) {
		part := s.models[m].presence(slices.Concat(k.partition, k.sort))
		if k.where != "" {
			where := s.models[m].Attribute(k.where).Derived.Where
			part *= s.models[m].partOf(where)
			if a, state := (flow{&s.models[m]}).stateOf(where); a != nil && part > 0 {
				dollars += s.copyDollars(m, (flow{&s.models[m]}).writesOfState(a, state, k)/part,
					part)
				continue
			}
		}
		writes := s.models[m].Puts + s.models[m].Updates
		for _, c := range s.models[m].Changes {
			writes += c.Rate * s.models[m].entriesIn(k, c.Of)
		}
		dollars += s.copyDollars(m, writes, part)
	}
	return dollars
}

// frugal returns a function that reports whether a layout costs about as much as the cheapest one.
func (s *searcher) frugal(all []layout) func(l *layout) bool {
	least := math.Inf(1)
	for i := range all {
		least = min(least, all[i].dollars())
	}
	return func(l *layout) bool {
		return l.dollars() <= least+s.layoutWorth()
	}
}

// layoutWorth returns what a layout has to save in a month to be taken in place of a simpler one
// with as many indexes.
func (s *searcher) layoutWorth() float64 {
	if s.design.Simplicity > 0 {
		return s.design.Simplicity
	}
	return max(s.design.worth(layoutWorth, s.month), layoutDollars)
}

// apartFrom returns the number of the index from which on indexes without a key are alike.
func (s *searcher) apartFrom() int {
	if s.kept != nil {
		return len(s.kept.indexes)
	}
	return len(s.pins)
}

// mayPlace reports whether a key may be in an index: one that is pinned has the keys of its pattern
// only.
func (s *searcher) mayPlace(k key, index int) bool {
	if index >= len(s.pins) {
		return k.together == 0 || len(s.pins) == 0
	}
	return s.pins[index] == k.together
}

// writesOfState returns how many entries of a sparse index of a state with the key k and all
// attributes the writes of a model's items write a second.
func (m flow) writesOfState(a *Attribute, state string, k key) (writes float64) {
	part := m.share(a.Name, state)
	if state == a.Begins {
		writes = m.Puts
	}
	writes += m.Updates * part
	for _, c := range m.Changes {
		if slices.Contains(c.Of, a.Name) {
			writes += m.moved(a, state, c)
		} else {
			writes += c.Rate * m.entriesIn(k, c.Of) * part
		}
	}
	return writes
}
