package design

import (
	"math"
	"slices"
)

// What a layout has to save in a month to be taken in place of a simpler one with as many indexes: a
// part of the cost, and dollars.
const (
	layoutWorth   = 0.05
	layoutDollars = 1
)

// estimate sets what a month costs in all layouts: the table's writes and storage, and the reads. Keys
// are not in the sizes, because they are not known yet.
func (p *planner) estimate() {
	p.month = 0
	for m := range p.models {
		p.month += p.copyDollars(m, 1)
	}
	for i := range p.design.Patterns {
		pattern := &p.design.Patterns[i]
		share := Share{}
		for _, name := range pattern.models() {
			bytes := pattern.returned() * p.design.Model(name).bytes() / float64(len(pattern.models()))
			share.ReadUnits += pattern.Rate * math.Ceil(bytes/readUnit) / 2
		}
		ListPrices().apply(&share)
		p.month += share.Dollars
	}
}

// copyDollars returns what a month costs for a part of a model's items, in the table or in an index.
func (p *planner) copyDollars(m int, part float64) float64 {
	some, share := p.models[m], Share{}
	some.Items = int64(float64(some.Items) * part)
	share.store(&some, some.bytes(), (some.Puts+some.Updates)*part)
	ListPrices().apply(&share)
	return share.Dollars
}

// indexDollars returns what a month costs for a model's items in the indexes of a layout.
func (p *planner) indexDollars(m int, l modelLayout) (dollars float64) {
	for _, k := range slices.Concat(l.indexed, l.local) {
		part := 1.0
		if k.where != "" {
			part = p.models[m].partOf(p.models[m].Attribute(k.where).Derived.Where)
		}
		dollars += p.copyDollars(m, part)
	}
	return dollars
}

// bytes returns the size of a model's average item without the attributes that a plan adds.
func (m *Model) bytes() (bytes float64) {
	for i := range m.Attributes {
		if a := &m.Attributes[i]; a.Derived == nil {
			bytes += float64(len(a.Name) + a.bytes())
		}
	}
	return bytes
}

// partOf returns which part of a model's items has the values of a Where. Values count as equally
// frequent.
func (m *Model) partOf(where map[string]string) float64 {
	part := 1.0
	for name := range where {
		part = min(part, 1/float64(max(m.Attribute(name).Values, 1)))
	}
	return part
}

// dollars returns what a month costs for the items in indexes.
func (l *layout) dollars() (dollars float64) {
	for _, m := range l.models {
		dollars += m.dollars
	}
	return dollars
}

// frugal returns a function that reports whether a layout costs about as much as the cheapest one.
func (p *planner) frugal(all []layout) func(l *layout) bool {
	least := math.Inf(1)
	for i := range all {
		least = min(least, all[i].dollars())
	}
	return func(l *layout) bool { return l.dollars() <= least+max(layoutWorth*p.month, layoutDollars) }
}

// cheaper returns the plan of the first arrangement, or that of the second one if it costs so much less
// that its keys may have more parts.
func (p *planner) cheaper(all []*arrangement) (*Plan, *arrangement, error) {
	plan, a, err := p.planOf(all[0])
	if err != nil || len(all) == 1 {
		return plan, a, err
	}
	other, b, err := p.planOf(all[1])
	if err != nil || !other.beats(plan, layoutWorth) {
		return plan, a, nil
	}
	other.explainMoney(plan)
	return other, b, nil
}

// planOf completes an arrangement. It does not change the planner.
func (p *planner) planOf(a *arrangement) (*Plan, *arrangement, error) {
	q := *p
	q.notes = slices.Clone(p.notes)
	plan, err := q.complete(a)
	if err != nil {
		return nil, nil, err
	}
	plan, a = p.better(plan, a)
	return plan, a, nil
}

// explainMoney says what the plan saves against a simpler one.
func (p *Plan) explainMoney(simpler *Plan) {
	prices := ListPrices()
	at := slices.IndexFunc(p.Notes, func(n Note) bool { return n.Step > 4 })
	if at < 0 {
		at = len(p.Notes)
	}
	note := Note{Step: 4, Text: "as many indexes with simpler keys cost " + dollars(simpler.Cost(prices).Total()) + " " + prices.Currency +
		" a month, and these " + dollars(p.Cost(prices).Total()) + ": fewer items are in indexes"}
	p.Notes = slices.Insert(p.Notes, at, note)
}
