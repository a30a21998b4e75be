package design

import (
	"fmt"
	"slices"
	"strings"
)

// setting is how a table is paid for.
type setting struct {
	infrequent, provisioned bool
}

// settings are all settings, the simplest first.
var settings = []setting{{}, {provisioned: true}, {infrequent: true},
	{infrequent: true, provisioned: true}}

func (s setting) String() string {
	class, billing := "Standard", "on demand"
	if s.infrequent {
		class = "Standard-IA"
	}
	if s.provisioned {
		billing = "provisioned"
	}
	return class + ", " + billing
}

// usage says what a table is used for.
type usage struct {
	reads, writes           float64 // units per second
	peakReads, peakWrites   float64 // those of the busiest hour
	bytes, recoverableBytes float64
}

// usageOf returns what the tables of some models are used for: the cost of a plan of them.
func usageOf(c *Cost, peak float64, recovered bool) (u usage) {
	for _, s := range c.parts() {
		u.reads += s.ReadUnits
		u.writes += s.WriteUnits
		u.bytes += s.Bytes
	}
	u.peakReads, u.peakWrites = u.reads*peak, u.writes*peak
	if recovered { // a table recovers without its global indexes
		u.recoverableBytes = c.Table.Bytes
	}
	return u
}

// month returns what a table costs in a month. ok is false without prices of the class.
func (u usage) month(s setting, p Prices) (dollars float64, ok bool) {
	class := p.ClassPrices
	if s.infrequent {
		if p.InfrequentAccess == nil {
			return 0, false
		}
		class = *p.InfrequentAccess
	}
	const gb = 1 << 30
	dollars = u.bytes/gb*class.Storage + u.recoverableBytes/gb*p.Recovery
	if s.provisioned {
		return dollars + (u.peakReads*class.ReadHour+u.peakWrites*class.WriteHour)*
			hoursPerMonth/p.Utilization, true
	}
	return dollars + (u.reads*class.Read+u.writes*class.Write)*secondsPerMonth/1e6, true
}

// least returns the setting in which a table costs least.
func (u usage) least(p Prices) (best setting, dollars float64) {
	dollars, _ = u.month(setting{}, p)
	for _, s := range settings {
		if month, ok := u.month(s, p); ok && month < dollars {
			best, dollars = s, month
		}
	}
	return best, dollars
}

// peakOf returns the peak of all models together, if their busiest hours are the same one.
func peakOf(d *Design) float64 {
	units, peaks := 0.0, 0.0
	for i := range d.Models {
		m := &d.Models[i]
		n := m.tableWrites()
		for j := range d.Patterns {
			if models := d.Patterns[j].models(); slices.Contains(models, m.Name) {
				n += d.Patterns[j].Rate / float64(len(models))
			}
		}
		units, peaks = units+n, peaks+n*m.peak()
	}
	return max(peaks/max(units, 1e-9), 1)
}

// tableOf is one of several tables: the models that it has, and how it is paid for.
type tableOf struct {
	models []string
	setting
	recovered bool
}

// oneOrSeveral compares one table with several: in both table classes and billing modes, by the
// models that are to be recovered, and by what the stream has to say. It says which costs less.
func (p *comparison) oneOrSeveral() (choices []Choice, verdict string) {
	d := &p.Design
	recovered := slices.ContainsFunc(d.Models, func(m Model) bool { return m.Recovery })
	whole := usageOf(p.cost, peakOf(d), recovered)
	for _, s := range settings {
		if month, ok := whole.month(s, p.cost.Prices); ok {
			choices = append(choices, Choice{Name: "one table: " + s.String(), Dollars: month,
				Because: p.whyOne(s, recovered)})
		}
	}
	best, least := whole.least(p.cost.Prices)
	tables, several := p.several()
	if len(tables) < 2 {
		return choices, fmt.Sprintf(
			"One table, %s: all models are best kept in the same way.", best)
	}
	choices = append(choices, Choice{
		Name: fmt.Sprintf("%d tables, each as it costs least", len(tables)), Dollars: several,
		Because: describeTables(tables)})
	saved := least - several
	if saved <= d.worth(layoutWorth, least) {
		return choices, fmt.Sprintf(
			"One table, %s: several save %s %s a month, which is less than simplicity is worth.",
			best, dollars(max(saved, 0)), p.cost.Prices.Currency)
	}
	return choices, fmt.Sprintf(
		"Several tables: they save %s %s a month against one (%s). Say \"table: NAME\" in %s.",
		dollars(saved), p.cost.Prices.Currency, best, p.inOthers(tables))
}

// inOthers lists the models of a design that are in other tables than the first one.
func (p *comparison) inOthers(tables []tableOf) string {
	var all []string
	for _, t := range tables[1:] {
		of := slices.DeleteFunc(slices.Clone(t.models),
			func(name string) bool { return p.source.Model(name) == nil })
		all = append(all, strings.Join(of, " and "))
	}
	return strings.Join(all, ", and another one in ")
}

// whyOne says what one table means for streams and backups.
func (p *comparison) whyOne(s setting, recovered bool) string {
	var why []string
	if s.provisioned {
		why = append(why, fmt.Sprintf("capacity for %.1f times the mean", peakOf(&p.Design)))
	}
	if recovered {
		why = append(why, "point-in-time recovery of all items")
	}
	if p.Streams() {
		all, wanted := p.records()
		why = append(why, fmt.Sprintf("its stream has %s records a second, and the consumer needs %s of them",
			Grouped(all, 1), Grouped(wanted, 1)))
	}
	return strings.Join(why, "; ")
}

// records returns how many records the stream has in a second, and how many of them are of items
// whose writes leave something to its consumer.
func (p *comparison) records() (all, wanted float64) {
	for i := range p.Design.Models {
		m := &p.Design.Models[i]
		n := m.Puts + m.AllUpdates() + m.Deletes
		all += n
		if slices.ContainsFunc(p.Writes,
			func(w Write) bool { return w.Model == m.Name && w.Streamed() }) {
			wanted += n
		}
	}
	return all, wanted
}

// several returns the tables of models that are best kept in different ways, and what they cost in
// a month. Models stay together if a pattern or a write is about both.
func (p *comparison) several() (tables []tableOf, month float64) {
	all := p.models()
	if all == nil {
		return nil, 0
	}
	for _, group := range p.groups() {
		var u usage
		t := tableOf{models: group}
		for _, name := range group {
			m := p.Design.Model(name)
			t.recovered = t.recovered || m.Recovery
		}
		for _, name := range group {
			u = u.and(usageOf(all[name], p.Design.Model(name).peak(), t.recovered))
		}
		best, dollars := u.least(p.cost.Prices)
		t.setting = best
		month += dollars
		same := func(o tableOf) bool {
			return o.setting == t.setting && o.recovered == t.recovered
		}
		if i := slices.IndexFunc(tables, same); i >= 0 {
			tables[i].models = append(tables[i].models, group...)
		} else {
			tables = append(tables, t)
		}
	}
	return tables, month
}

// and adds up what tables are used for.
func (u usage) and(o usage) usage {
	return usage{u.reads + o.reads, u.writes + o.writes, u.peakReads + o.peakReads,
		u.peakWrites + o.peakWrites, u.bytes + o.bytes, u.recoverableBytes + o.recoverableBytes}
}

// groups returns the models, those together that one table has to have.
func (p *comparison) groups() (all [][]string) {
	for i := range p.Design.Models {
		all = append(all, []string{p.Design.Models[i].Name})
	}
	at := func(model string) int {
		return slices.IndexFunc(all, func(g []string) bool { return slices.Contains(g, model) })
	}
	for _, models := range inOneTable(&p.Design) {
		for _, model := range models[1:] {
			if a, b := at(models[0]), at(model); a != b && a >= 0 && b >= 0 {
				all[a] = append(all[a], all[b]...)
				all = slices.Delete(all, b, b+1)
			}
		}
	}
	return all
}

// inOneTable returns models that a pattern or a write is about together: see tablesChecker.
func inOneTable(d *Design) (all [][]string) {
	for i := range d.Patterns {
		p := &d.Patterns[i]
		all = append(all, p.models())
		if p.Through != "" {
			all = append(all, []string{p.Model, p.Through})
		}
	}
	for i := range d.Transactions {
		var models []string
		for _, w := range slices.Concat(d.Transactions[i].Puts, d.Transactions[i].Updates) {
			models = append(models, w.Model)
		}
		all = append(all, models)
	}
	for i := range d.Models {
		m := &d.Models[i]
		for j := range m.Attributes {
			a := &m.Attributes[j]
			of := a.counted()
			switch {
			case a.Last != "":
				of, _ = a.lastOf()
			case a.Of != "" && a.Kept != "" && a.Kept != Never:
				of, _, _ = strings.Cut(a.Of, ".")
			}
			all = append(all, []string{m.Name, of})
		}
		all = append(all, []string{m.Name, m.Marks})
		if m.Reserves != nil {
			all = append(all, []string{m.Name, m.Reserves.Of})
		}
		if m.Feed != nil {
			all = append(all, []string{m.Name, m.Feed.Of, m.Feed.Through})
		}
	}
	return all
}

func describeTables(tables []tableOf) string {
	var all []string
	for _, t := range tables {
		text := fmt.Sprintf("%s: %s", strings.Join(t.models, ", "), t.setting)
		if t.recovered {
			text += ", with recovery"
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}
