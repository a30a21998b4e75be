package design

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Report says what a plan costs, and what other choices would cost.
type Report struct {
	Table       string
	Cost        *Cost
	Total       float64 // dollars of a month on demand
	Provisioned float64 // dollars of a month with provisioned capacity
	// write units of the table and its indexes for each write unit of the table
	Amplification float64
	WithoutIndex  []Choice
	Projections   []Choice
	Layouts       []Choice
	Counters      []Choice
	Copies        []Choice
	Feeds         []Choice // put together when they are read, or when something is put
	Tables        []Choice // one or several, with the classes and billing modes that they may have
	OneOrSeveral  string   // which of Tables to take, and why
}

// Choice is a decision that the plan does not take.
type Choice struct {
	Name    string
	Dollars float64 // dollars of a month on demand, all together
	Because string
}

// Report returns what the plan costs, and what it would cost without each index, with the other
// projections, and with other layouts: other primary keys, and a table for each model.
func (p *Plan) Report(prices Prices) *Report {
	c := p.Cost(prices)
	r := &Report{
		Table: p.Design.Table, Cost: c, Total: c.Total(), Provisioned: c.totalProvisioned(),
		Amplification: c.amplification(),
	}
	others := comparison{p, c}
	for i := range p.Indexes {
		r.WithoutIndex = append(r.WithoutIndex, others.withoutIndexCost(i))
		r.Projections = append(r.Projections, others.otherProjections(i)...)
	}
	r.Layouts = slices.Concat(others.costOfSimplicity(), others.otherKeys(), others.tableEach())
	r.Counters, r.Copies = others.otherKeepings(), others.otherCopies()
	r.Feeds = others.otherFeeds()
	r.Tables, r.OneOrSeveral = others.oneOrSeveral()
	return r
}

// comparison finds what other choices than those of a plan would cost.
type comparison struct {
	*Plan
	cost *Cost // the cost of the plan
}

// withoutIndexCost returns what a month costs if the patterns that an index serves scan the table.
func (p *comparison) withoutIndexCost(i int) Choice {
	c := p.cost
	index := &p.Indexes[i]
	choice := Choice{Name: "without " + index.Name, Dollars: c.Total() - c.Indexes[i].Dollars}
	var scans []string
	for j := range p.Queries {
		if p.Queries[j].Index != index.Name {
			continue
		}
		scan := Share{
			ReadUnits: p.Design.Patterns[j].Rate * math.Ceil(tableBytes(p.Plan)/readUnit) / 2,
		}
		scan.priceBy(c.Prices)
		choice.Dollars += scan.Dollars - c.Patterns[j].Dollars
		scans = append(scans, p.Queries[j].Pattern)
	}
	choice.Because = "each request of these scans the table: " + strings.Join(scans, ", ")
	return choice
}

// otherProjections returns what a month costs with the projections that an index does not have.
func (p *comparison) otherProjections(i int) (choices []Choice) {
	c := p.cost
	changed := projector{p.Clone(), c.Prices}
	index := &p.Indexes[i]
	all := changed.costWith(i, Projection{})
	same := changed.costWith(i, index.Projection)
	for _, projection := range changed.projections(i) {
		if projection.name() == index.Projection.name() {
			continue
		}
		cost := changed.costWith(i, projection)
		choice := Choice{
			Name: index.Name + " with " + projection.name(), Dollars: c.Total() - same + cost,
		}
		if changed.fetching(i) > 0 {
			choice.Because = "patterns then read items by BatchGetItem"
		}
		if cost < same {
			choice.Because = changed.declined(i, cost, same, all)
		}
		choices = append(choices, choice)
	}
	return choices
}

// name writes a projection.
func (p Projection) name() string {
	switch p.Type {
	case "":
		return string(All)
	case Include:
		return fmt.Sprintf("%s %s", p.Type, strings.Join(p.Attributes, ", "))
	}
	return string(p.Type)
}

// otherKeepings returns what a month costs if a counter is kept in the other way, for each counter.
func (p *comparison) otherKeepings() (choices []Choice) {
	d := p.input()
	for i := range d.Models {
		m := d.Models[i]
		for j := range m.Attributes {
			a := &m.Attributes[j]
			if a.counted() == "" || a.Numbers != "" {
				continue
			}
			for _, other := range Keepings {
				if other == cmp.Or(a.Kept, ByTransaction) {
					continue
				}
				if total, ok := p.keptBy(d, i, other, j); ok {
					choices = append(choices, Choice{
						Name:    fmt.Sprintf("%s of %s kept by %s", a.Name, m.Name, other),
						Dollars: total, Because: keepingErrors[other]})
				}
			}
		}
	}
	return choices
}

// copyErrors says how old a copy can be that is kept in a way.
var copyErrors = map[Keeping]string{
	ByTransaction: "no copy is ever older, and a change writes all copies at once",
	ByStream:      "copies are older until the stream's consumer has changed them",
	Never:         "copies stay as they were when they were put",
}

// otherCopies returns what a month costs if a copy is kept in another way, for each copy of what
// changes.
func (p *comparison) otherCopies() (choices []Choice) {
	d := p.input()
	for _, c := range Copies(d) {
		i := slices.IndexFunc(d.Models, func(m Model) bool { return m.Name == c.Model })
		j := slices.IndexFunc(d.Models[i].Attributes,
			func(a Attribute) bool { return a.Name == c.Attribute })
		for _, other := range CopyKeepings {
			changed, names := []int{j}, []string{c.Attribute}
			if other != Never && c.Kept != Never {
				changed, names = keptAlike(d, &d.Models[i], c)
			}
			if other == c.Kept || changed[0] != j {
				continue
			}
			if total, ok := p.keptBy(d, i, other, changed...); ok {
				choices = append(choices, Choice{
					Name: fmt.Sprintf("%s of %s kept: %s", strings.Join(names, " and "), c.Model,
						other),
					Dollars: total, Because: copyErrors[other]})
			}
		}
	}
	return choices
}

// keptAlike returns the attributes of a model that are copies of one attribute. All are kept in
// one way.
func keptAlike(d *Design, m *Model, of Copy) (at []int, names []string) {
	for _, c := range Copies(d) {
		if c.Model == of.Model && c.Of == of.Of && c.Name == of.Name && c.Kept == of.Kept {
			at = append(at, slices.IndexFunc(m.Attributes,
				func(a Attribute) bool { return a.Name == c.Attribute }))
			names = append(names, c.Attribute)
		}
	}
	return at, names
}

// otherFeeds returns what a month costs if a feed is put together at another time, for each feed.
func (p *comparison) otherFeeds() (choices []Choice) {
	d := p.input()
	for i := range d.Patterns {
		if d.Patterns[i].Through == "" {
			continue
		}
		other, because := OnWrite,
			"a read is one request for the feed's items, which are behind by a moment; each put writes an item for each reader"
		if d.Patterns[i].fanout() == OnWrite {
			other, because = OnRead, "a read takes a request for each whom the reader follows"
			choices = append(choices, p.otherDeletes(d, i)...)
		}
		changed := *d
		changed.Patterns = slices.Clone(d.Patterns)
		changed.Patterns[i].Fanout, changed.Patterns[i].Deletes = other, ""
		if changed.Check() != nil {
			continue
		}
		if plan, _, err := makeWithout(&changed, nil); err == nil {
			choices = append(choices, Choice{
				Name:    fmt.Sprintf("%s with fan-out on %s", d.Patterns[i].Name, other),
				Dollars: plan.Cost(p.cost.Prices).Total(), Because: because})
		}
	}
	return choices
}

// otherDeletes returns what a month costs if deletes do something else to a feed.
func (p *comparison) otherDeletes(d *Design, pattern int) []Choice {
	if d.Model(d.Patterns[pattern].Model).Deletes == 0 {
		return nil
	}
	other, because := Cleaned,
		"each delete finds the readers and deletes an item of each, and who has left keeps it"
	if d.Patterns[pattern].Deletes == Cleaned {
		other, because = Kept, "items of feeds stay, and reads of what they show find nothing"
	}
	changed := *d
	changed.Patterns = slices.Clone(d.Patterns)
	changed.Patterns[pattern].Deletes = other
	plan, _, err := makeWithout(&changed, nil)
	if err != nil {
		return nil
	}
	return []Choice{{Name: fmt.Sprintf("%s with deletes %s", d.Patterns[pattern].Name, other),
		Dollars: plan.Cost(p.cost.Prices).Total(), Because: because}}
}

// keepingErrors says how far a counter can be wrong that is kept in a way.
var keepingErrors = map[Keeping]string{
	ByTransaction: "the counter is then exact",
	ByAdd:         "an update that is sent again counts twice",
	ByStream:      "the counter is behind, and a batch that is delivered twice counts twice",
	ByStreamOnce:  "the counter is behind, and exact in the end",
}

// keptBy returns what a month costs if a counter is kept in a way, or the copies of one attribute,
// if they can be.
func (p *comparison) keptBy(d *Design, model int, k Keeping, attributes ...int) (total float64,
	ok bool) {
	changed := *d
	changed.Models = slices.Clone(d.Models)
	m := &changed.Models[model]
	m.Attributes = slices.Clone(m.Attributes)
	for _, i := range attributes {
		m.Attributes[i].Kept = k
	}
	if changed.Check() != nil {
		return 0, false
	}
	plan, _, err := makeWithout(&changed, nil)
	if err != nil {
		return 0, false
	}
	return plan.Cost(p.cost.Prices).Total(), true
}

// otherKeys returns what a month costs if a model does not have its primary key, for each model.
func (p *comparison) otherKeys() (choices []Choice) {
	d := p.input()
	_, a, err := makeWithout(d, nil)
	if err != nil {
		return nil
	}
	for m := range d.Models {
		name := d.Models[m].Name
		other, with, err := makeWithout(d, map[string]key{name: a.ways[m].primary})
		if err != nil {
			continue // the model can have no other primary key
		}
		choices = append(choices, Choice{
			Name:    fmt.Sprintf("%s with the primary key %s", name, with.ways[m].primary),
			Dollars: other.Cost(p.cost.Prices).Total(),
			Because: fmt.Sprintf("the table then has %s, and %s",
				count(len(other.Indexes), "index", "indexes"),
				count(len(other.Columns), "attribute of keys", "attributes of keys")),
		})
	}
	return choices
}

// models returns what a table of its own costs for each model, or nil if a model can have none. A
// pattern over several models then sends a request to each table.
func (p *comparison) models() map[string]*Cost {
	all, d := map[string]*Cost{}, rules{p.input()}.withInvariants()
	for _, m := range d.Models {
		single := *d
		// the writes that keep invariants are the models' own already
		m.Unique, m.Reserves, single.Transactions = nil, nil, nil
		m.Attributes = slices.Clone(m.Attributes)
		single.Models, single.Patterns = []Model{m}, d.patternsOf(m.Name)
		for i := range single.Models[0].Attributes {
			a := &single.Models[0].Attributes[i]
			a.Of, a.Counts, a.Sums, a.Numbers, a.Last = "", "", "", "", ""
		}
		plan, _, err := makeWithout(&single, nil)
		if err != nil {
			return nil
		}
		all[m.Name] = plan.Cost(p.cost.Prices)
	}
	return all
}

// tableEach returns what a month costs if each model has a table of its own.
func (p *comparison) tableEach() []Choice {
	all, total, indexes := p.models(), 0.0, 0
	if len(all) < 2 {
		return nil
	}
	for _, m := range p.Design.Models {
		total += all[m.Name].Total()
		indexes += len(all[m.Name].Indexes)
	}
	return []Choice{
		{Name: "a table for each model", Dollars: total,
			Because: fmt.Sprintf("%d tables with %s together", len(all),
				count(indexes, "index", "indexes"))},
	}
}

// patternsOf returns the patterns of one model. Of a pattern over several models it has the part
// that reads this one.
func (d *Design) patternsOf(model string) (all []Pattern) {
	for i := range d.Patterns {
		pattern := d.Patterns[i]
		models := pattern.models()
		if !slices.Contains(models, model) {
			continue
		}
		of := func(name string) string { return d.AttributeOf(&d.Patterns[i], model, name) }
		pattern.Model, pattern.Models, pattern.Equal = model, nil, nil
		for _, name := range d.Patterns[i].Equal {
			pattern.Equal = append(pattern.Equal, of(name))
		}
		pattern.Range, pattern.Begins, pattern.Order = of(pattern.Range), of(pattern.Begins), of(
			pattern.Order)
		if len(models) > 1 {
			pattern.Returned = pattern.returned() / float64(len(models))
		}
		all = append(all, pattern)
	}
	return all
}

// input returns the plan's design as Make got it: without the attributes that it added. The models
// are copies.
func (p *comparison) input() *Design {
	d := *p.source
	d.Models = slices.Clone(d.Models)
	for i := range d.Models {
		d.Models[i].Attributes = slices.Clone(d.Models[i].Attributes)
	}
	return &d
}

// Markdown returns the report as a page.
func (r *Report) Markdown() string {
	w := &page{}
	currency := r.Cost.Prices.Currency
	w.line("# What %s costs\n", r.Table)
	w.row("Part", "RCU/s", "WCU/s", "GB", currency+" on demand", currency+" provisioned")
	w.row("---", "---:", "---:", "---:", "---:", "---:")
	for _, s := range r.Cost.parts() {
		w.row(append(s.cells(), dollars(s.Dollars), dollars(s.Provisioned))...)
	}
	w.row("**all**", "", "", "", dollars(r.Total), dollars(r.Provisioned))
	prices := r.Cost.Prices
	w.line("\nA month of 730 hours in %s, table class Standard, prices since %s (%s). The table and indexes pay for writes and storage, patterns for reads. "+
		"Provisioned capacity is used to %.0f %%.", prices.Region, prices.Date, prices.Source,
		100*prices.Utilization)
	w.line("\nEach write unit of the table takes %.2f with its indexes.", r.Amplification)
	w.choices("Without an index", r.WithoutIndex, r.Total)
	w.choices("Other projections", r.Projections, r.Total)
	w.choices("Other layouts", r.Layouts, r.Total)
	w.choices("Counters kept otherwise", r.Counters, r.Total)
	w.choices("Copies kept otherwise", r.Copies, r.Total)
	w.choices("Feeds put together otherwise", r.Feeds, r.Total)
	w.choices("One table or several", r.Tables, r.Total)
	if r.OneOrSeveral != "" {
		w.line("\n%s", r.OneOrSeveral)
	}
	return w.text.String()
}

func (w *page) choices(title string, all []Choice, total float64) {
	if len(all) == 0 {
		return
	}
	w.line("\n## %s\n", title)
	w.row("Choice", "A month", "Difference", "")
	w.row("---", "---:", "---:", "---")
	for _, c := range all {
		w.row(c.Name, dollars(c.Dollars), difference(c.Dollars-total), c.Because)
	}
}
