package design

import (
	"fmt"
	"math"
	"slices"
)

// The table's key is best a model's own key: a put is refused by it, updates and deletes find their
// item by it, and other models refer to it. A layout may have another one there, because that saves
// an index. ownKeys takes the own keys where they cost little.

// rekeyed is a model that another key than its own has in the table.
type rekeyed struct {
	model   int
	primary key
	foreign bool // the partition key is neither of the model's key nor another model's
}

// ownKeys returns a plan in which models have their own keys in the table, as far as that costs
// less than simplicity may. Notes say what it costs, or would cost.
func ownKeys(d *Design, avoided map[string]key, plan *Plan, a *arrangement) (*Plan, *arrangement) {
	if d.Tenants != nil { // the keys of tenants are as the guide has them
		return plan, a
	}
	all := slices.DeleteFunc(a.rekeyedModels(),
		func(l rekeyed) bool {
			_, ok := avoided[a.models[l.model].Name]
			return ok || a.models[l.model].Primary != "" ||
				a.was(l.model, before{a}.column(tablePartition)) != nil
		})
	if len(all) == 0 {
		return plan, a
	}
	together := [][]rekeyed{all}
	if len(a.models) <= wideModels && len(all) > 1 {
		for _, l := range all {
			together = append(together, []rekeyed{l})
		}
	}
	best, own := plan, []rekeyed(nil)
	costs := map[int]float64{} // what a model's own key costs, beside those that are taken
	for i, some := range together {
		next := slices.Concat(own, some)
		other, with, cost := owning(d, avoided, plan, next)
		if other == nil {
			if len(some) == 1 {
				costs[some[0].model] = cost - best.Cost(ListPrices()).Total()
			}
			continue
		}
		best, a, own = other, with, next
		if i == 0 {
			break
		}
	}
	if own != nil {
		best = settled(best, plan, own)
	}
	for _, l := range all {
		if cost, known := costs[l.model]; known && !math.IsInf(cost, 1) &&
			!slices.ContainsFunc(own, func(o rekeyed) bool { return o.model == l.model }) {
			declined(best, l, cost)
		}
	}
	return best, a
}

// rekeyedModels returns the models that could have their own key in the table and have not, though
// they are used by it more than by the key that they have, or that one is foreign.
func (a *arrangement) rekeyedModels() (all []rekeyed) {
	for m, l := range a.ways {
		model := &a.models[m]
		outside := func(name string) bool {
			at := model.Attribute(name)
			return !slices.Contains(model.Key, name) && at.Constant == "" && at.Derived == nil
		}
		foreign := slices.ContainsFunc(l.primary.partition, func(name string) bool {
			return outside(name) && model.Attribute(name).Of == ""
		})
		loose := slices.ContainsFunc(slices.Concat(l.primary.partition, l.primary.sort), outside)
		if foreign || loose && a.usedByKey(m) > a.usedByPrimary(m) {
			all = append(all, rekeyed{m, l.primary, foreign})
		}
	}
	return all
}

// usedByKey returns how often a second items of a model are read, updated and deleted by its own
// key.
func (a *arrangement) usedByKey(m int) float64 {
	model := &a.models[m]
	rate := model.AllUpdates() + model.Deletes
	for _, w := range a.wants[m] {
		if pattern := &a.design.Patterns[w.pattern]; !w.together && pattern.One {
			rate += pattern.Rate
		}
	}
	return rate
}

// usedByPrimary returns how often a second the table's key serves a pattern of a model.
func (a *arrangement) usedByPrimary(m int) (rate float64) {
	for _, w := range a.wants[m] {
		if slices.ContainsFunc(w.alternatives, a.ways[m].primary.serves) {
			rate += a.design.Patterns[w.pattern].Rate
		}
	}
	return rate
}

// owning returns the plan in which some models have their own keys, nil if it is worse than the
// plan without, and what it costs.
func owning(d *Design, avoided map[string]key, plan *Plan, own []rekeyed) (
	*Plan, *arrangement, float64) {
	strict := *d
	strict.Models = slices.Clone(d.Models)
	foreign := true
	for _, l := range own {
		if l.model >= len(strict.Models) {
			return nil, nil, math.Inf(1) // the plan adds the model, with its key
		}
		strict.Models[l.model].strict = true
		foreign = foreign && l.foreign
	}
	other, a, err := makeWith(&strict, avoided, true)
	if err != nil {
		return nil, nil, math.Inf(1)
	}
	prices := ListPrices()
	cost, before := other.Cost(prices).Total(), plan.Cost(prices).Total()
	for _, l := range own {
		before += findDollars(&plan.Design.Models[l.model], l.primary, prices)
	}
	other.source = plan.source
	if more := len(other.Indexes) - len(plan.Indexes); more > 0 && !foreign ||
		cost > before+d.worth(layoutWorth, before) || warnings(other) > warnings(plan) {
		return nil, nil, cost
	}
	return other, a, cost
}

// settled returns a plan whose notes say why models have their own keys.
func settled(p, before *Plan, own []rekeyed) *Plan {
	prices := ListPrices()
	saved := p.Cost(prices).Total() - before.Cost(prices).Total()
	for _, l := range own {
		price := "cost as much"
		switch {
		case saved >= 0.005:
			price = fmt.Sprintf("cost %s %s a month less", dollars(saved), prices.Currency)
		case saved <= -0.005:
			price = fmt.Sprintf("cost %s %s a month more", dollars(-saved), prices.Currency)
		}
		if len(own) > 1 {
			price += " together with those of " + others(p, own, l)
		}
		explainPrimary(p, p.Design.Models[l.model].Name, fmt.Sprintf("it is its own key, by which "+
			"it is put, updated, deleted and referred to. %s would %s", l.primary, price))
	}
	return p
}

// others lists the models but one.
func others(p *Plan, own []rekeyed, one rekeyed) string {
	var names []string
	for _, l := range own {
		if l.model != one.model {
			names = append(names, p.Design.Models[l.model].Name)
		}
	}
	return listed(names)
}

// declined notes what a model's own key would cost.
func declined(p *Plan, l rekeyed, cost float64) {
	m := &p.Design.Models[l.model]
	price := fmt.Sprintf("%s %s a month more", dollars(cost), ListPrices().Currency)
	if cost < 0 {
		price = fmt.Sprintf("%s %s a month less, but the plan would have more indexes or warnings",
			dollars(-cost), ListPrices().Currency)
	}
	explainPrimary(p, m.Name, fmt.Sprintf("its own key, (%s), would cost %s. Whoever updates or "+
		"deletes an item names all of %s", listed(m.Key), price, l.primary))
}

// explainPrimary adds a reason to the note that says which primary key a model has.
func explainPrimary(p *Plan, model, why string) {
	at := slices.IndexFunc(p.Notes, func(n Note) bool { return n.Step == 3 && n.About == model })
	if at >= 0 {
		p.Notes = slices.Clone(p.Notes)
		p.Notes[at].Text += "; " + why
	}
}
