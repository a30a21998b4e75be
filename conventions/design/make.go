package design

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Make plans a table. Its error is that of Design.Check, or a conventions.FieldError if there is no
// table that serves all patterns. MakeTables plans a design of several tables.
func Make(d *Design) (*Plan, error) {
	if err := cmp.Or(d.Check(), checkOneTable(d)); err != nil {
		return nil, err
	}
	plan, _, err := makeWithout(d, nil)
	return plan, err
}

// makeWithout is Make with primary keys that models must not have, by the names of the models. It
// returns the plan's arrangement as well.
func makeWithout(d *Design, avoided map[string]key) (*Plan, *arrangement, error) {
	if slices.ContainsFunc(d.Patterns, func(p Pattern) bool { return p.Latest != nil }) {
		return makeLatest(d, avoided)
	}
	return makeEach(d, avoided)
}

// makeEach is makeWithout of a design that says in how many requests each pattern is read.
func makeEach(d *Design, avoided map[string]key) (*Plan, *arrangement, error) {
	if d.Tenants == nil || d.Tenants.Children == Apart {
		plan, a, err := makeWith(d, avoided, true)
		if err == nil {
			plan, a = ownKeys(d, avoided, plan, a)
		}
		return plan, a, err
	}
	plan, a, err := makeWith(d, avoided, false)
	if d.Tenants.Children == WithParent || err == nil && a.noParents() {
		return plan, a, err
	}
	other, b, wrong := makeWith(d, avoided, true)
	if wrong != nil {
		return plan, a, err
	}
	if why := betterApart(other, plan, err); why != "" {
		other.Notes = slices.Insert(other.Notes, 0, Note{Step: 1, Text: why})
		slices.SortStableFunc(other.Notes, func(a, b Note) int { return a.Step - b.Step })
		return other, b, nil
	}
	return plan, a, nil
}

// makeLatest makes a plan of a design with patterns that read an item and its newest children. Each
// of them takes one request, unless two cost less in a month: see twoAreBetter.
func makeLatest(d *Design, avoided map[string]key) (*Plan, *arrangement, error) {
	split := *d
	split.Patterns = slices.Clone(d.Patterns)
	var all []int
	for i := range split.Patterns {
		if split.Patterns[i].Latest != nil {
			all = append(all, i)
			split.Patterns[i].split = true
		}
	}
	plan, a, err := makeEach(&split, avoided)
	if err != nil {
		return nil, nil, err
	}
	why := map[int]string{}
	for _, i := range all {
		p := &split.Patterns[i]
		was := d.kept.latest(p.Name)
		if was == inTwo {
			why[i] = "takes two requests, as the plan has it that is kept"
			continue
		}
		one := split
		one.Patterns = slices.Clone(split.Patterns)
		one.Patterns[i].split = false
		other, b, err := makeEach(&one, avoided)
		better, reason := twoAreBetter(plan, other, err)
		if better && (was != inOne || err != nil) {
			why[i] = "takes two requests, which can be sent at once: " + reason
			continue
		}
		plan, a, split = other, b, one
		why[i] = reason
	}
	for _, i := range all {
		explainLatest(plan, &split.Patterns[i], why[i])
	}
	return plan, a, nil
}

// twoAreBetter reports whether two requests in place of one take fewer indexes, or are so much
// cheaper that the plan may have more of them, and says why.
func twoAreBetter(two, one *Plan, err error) (better bool, why string) {
	if err != nil {
		return true, "no table serves one request beside the other patterns (" +
			strings.ReplaceAll(err.Error(), "\n", "; ") + ")"
	}
	prices := ListPrices()
	price, other := one.Cost(prices).Total(), two.Cost(prices).Total()
	cost := fmt.Sprintf("a month costs %s %s with two requests, and %s with one", dollars(other),
		prices.Currency, dollars(price))
	switch n := len(one.Indexes) - len(two.Indexes); {
	case n > 0:
		return true, "one takes " + count(n, "further index", "further indexes") + "; " + cost
	case warnings(one) > warnings(two):
		return true, "the plan with one has further warnings; " + cost
	}
	return price > other+two.Design.worth(layoutWorth, other), cost
}

// makeWith is makeWithout where children are apart from their parents, or with them.
func makeWith(d *Design, avoided map[string]key, apart bool) (*Plan, *arrangement, error) {
	p, all, err := newPlanner(d, avoided, apart)
	if err != nil {
		return nil, nil, err
	}
	return p.cheaper(all)
}

// betterApart says why a plan whose children are apart is better than one where they are with their
// parents. err is why no such plan exists. It returns "" if p is not better.
func betterApart(p, with *Plan, err error) string {
	const children = "children are in partitions of their own: with their parents, "
	if err != nil {
		return children + err.Error()
	}
	if n := len(with.Indexes) - len(p.Indexes); n > 0 {
		return children + "as pattern 2 of the guide \"Key design patterns\" has it, the table needs " +
			count(n, "further index", "further indexes")
	}
	if warnings(with) > warnings(p) {
		return children + "the plan has further warnings"
	}
	prices := ListPrices()
	one, other := p.Cost(prices).Total(), with.Cost(prices).Total()
	if other-one > p.Design.worth(layoutWorth, one) {
		return children + fmt.Sprintf("a month costs %s %s and not %s", dollars(other),
			prices.Currency, dollars(one))
	}
	if _, _, mixed := with.Mixed(); mixed {
		return children + "queries would find items of other models"
	}
	return ""
}

// planner makes plans of arrangements of one problem.
type planner struct {
	notes []Note // notes on what was decided before there were arrangements
	found Search
}

// newPlanner finds arrangements of keys that serve all patterns: the simplest one and, if others
// cost less, the simplest of those.
func newPlanner(
	d *Design, avoided map[string]key, apart bool,
) (*planner, []*arrangement, error) {
	p := preparation{problem: newProblem(d), apart: apart}
	if err := p.prepare(); err != nil {
		return nil, nil, err
	}
	s := newSearcher(p.problem, avoided)
	all, err := s.search()
	return &planner{p.notes, s.found}, all, err
}

// cheaper returns the plan of the first arrangement, or that of the second one if it costs so much
// less that its keys may have more parts.
func (p *planner) cheaper(all []*arrangement) (*Plan, *arrangement, error) {
	plan, a, err := p.planOf(all[0])
	if err != nil || len(all) == 1 {
		return plan, a, err
	}
	other, b, err := p.planOf(all[1])
	if err != nil || !beats(other, plan, layoutWorth) {
		return plan, a, nil
	}
	explainMoney(other, plan)
	return other, b, nil
}

// planOf returns the plan of an arrangement, or a better one of the same layout.
func (p *planner) planOf(a *arrangement) (*Plan, *arrangement, error) {
	plan, err := p.complete(a)
	if err != nil {
		return nil, nil, err
	}
	plan, a = p.better(plan, a)
	return plan, a, nil
}

// better returns a plan of the same layout that costs less, because an index has the table's own
// keys, such as the sort key as its partition key: then it also has items of models that are not
// read from it. Without a better one it returns the plan.
func (p *planner) better(plan *Plan, a *arrangement) (*Plan, *arrangement) {
	for i := range a.count {
		open := append(slices.Clone(a.open), i)
		other := a.columnsWith(a.layout, open)
		if len(other.strangers(i)) == 0 {
			continue
		}
		cheaper, err := p.complete(other)
		if err == nil && other.conflicts() == 0 && beats(cheaper, plan, strangersWorth) {
			plan, a = cheaper, other
		}
	}
	return plan, a
}

// beats reports whether a plan saves enough of what another one costs: Design.worth of a part. It
// must not have more warnings, such as one of a hot partition key.
func beats(plan, other *Plan, part float64) bool {
	prices := ListPrices()
	cost := other.Cost(prices).Total()
	return plan.Cost(prices).Total() < cost-plan.Design.worth(part, cost) &&
		warnings(plan) <= warnings(other)
}

// warnings counts the warnings among a plan's notes.
func warnings(p *Plan) (n int) {
	for _, note := range p.Notes {
		if note.Warning {
			n++
		}
	}
	return n
}

// complete makes a plan of an arrangement. It gives the arrangement's columns their names and
// prefixes.
func (p *planner) complete(a *arrangement) (*Plan, error) {
	a.nameColumns()
	e := explanation{arrangement: a, found: p.found}
	e.explainKeys()
	s := separation{arrangement: a}
	s.separate()
	notes := slices.Concat(p.notes, e.notes, s.keepNeeded())
	if a.kept != nil && a.conflicts() > 0 {
		return nil, before{a}.mixesWithKept()
	}
	plan := draft{a}.plan()
	plan.source = a.source
	notes = draft{a}.naturalKeys(plan, notes)
	if err := checkBinaries(plan); err != nil {
		return nil, err
	}
	plan.Writes = keeper{plan}.writes()
	if err := cmp.Or(checkCounters(plan), checkCopies(plan), checkTaken(plan),
		checkLasts(plan), checkLimits(keeper{plan})); err != nil {
		return nil, err
	}
	plan.Notes, plan.Search = slices.Concat(notes, project(plan)), p.found
	plan.Ask()
	advise(plan)
	if err := checkNames(a, plan); err != nil {
		return nil, err
	}
	return plan, nil
}
