package design

import (
	"slices"
	"strings"
)

// strangersWorth is which part of a month's cost an index with other models' items has to save. Without
// them a table is simpler to read.
const strangersWorth = 0.01

// better returns a plan of the same layout that costs less, because an index has the table's own keys,
// such as the sort key as its partition key: then it also has items of models that are not read from it.
// If there is none, it returns the plan.
func (p *planner) better(plan *Plan, a *arrangement) (*Plan, *arrangement) {
	for i := range a.count {
		open := append(slices.Clone(a.open), i)
		other := p.columnsWith(a.layout, open)
		if len(other.strangers(i)) == 0 {
			continue
		}
		q := *p
		q.notes = slices.Clone(p.notes)
		cheaper, err := q.complete(other)
		if err == nil && q.conflicts(other) == 0 && cheaper.beats(plan, strangersWorth) {
			plan, a = cheaper, other
		}
	}
	return plan, a
}

// beats reports whether a plan saves a part of what another one costs. It must not have more warnings,
// such as one of a hot partition key.
func (p *Plan) beats(other *Plan, part float64) bool {
	prices := ListPrices()
	return p.Cost(prices).Total() < other.Cost(prices).Total()*(1-part) && p.warnings() <= other.warnings()
}

func (p *Plan) warnings() (n int) {
	for _, note := range p.Notes {
		if note.Warning {
			n++
		}
	}
	return n
}

// strangers returns the models that have all attributes of an index's key without being read from it.
func (a *arrangement) strangers(index int) (models []int) {
	pk, sk := a.at[partitionOf(index)], a.at[sortOf(index)]
	for m := range a.models {
		if len(a.keyIn(m, index).partition) == 0 && pk != nil && a.holds(pk, m) && (sk == nil || a.holds(sk, m)) {
			models = append(models, m)
		}
	}
	return models
}

// strays reports whether a model is in an index without being read from it, apart from open indexes.
func (a *arrangement) strays() bool {
	for i := range a.count {
		if !slices.Contains(a.open, i) && len(a.strangers(i)) > 0 {
			return true
		}
	}
	return a.straysLocally()
}

// explainStrangers says which indexes have items of models that are not read from them.
func (p *planner) explainStrangers(a *arrangement) {
	for i := range a.count {
		var names []string
		for _, m := range a.strangers(i) {
			names = append(names, p.models[m].Name)
		}
		if names != nil {
			p.note(5, p.indexName(i), "also has the items of %s, which its queries do not find: that costs less than attributes of its own",
				strings.Join(names, " and "))
		}
	}
}
