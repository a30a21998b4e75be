package migrate

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// Change says how much a migration changes of the table that is there.
type Change int

// The changes, those that a planner prefers first.
const (
	Nothing Change = iota
	Backfilled
	IndexAdded
	Rewritten
	Copied
)

// changes are the names of the changes.
var changes = [...]string{"nothing changes", "an attribute is backfilled", "an index is added",
	"items are written again with other keys of an index", "all items are copied to a new table"}

func (c Change) String() string { return changes[c] }

// Change says how much of the table a migration changes.
func (m *Migration) Change() Change {
	if m.NewTable {
		return Copied
	}
	is := func(kind StepKind) bool {
		return slices.ContainsFunc(m.Steps, func(s Step) bool { return s.Kind == kind })
	}
	moves := slices.ContainsFunc(m.common(), func(model string) bool {
		return slices.ContainsFunc(m.removed(model), m.isKey) && len(m.added(model, false)) > 0
	})
	switch {
	case moves:
		return Rewritten
	case is(MakeIndex):
		return IndexAdded
	case is(Backfill):
		return Backfilled
	}
	return Nothing
}

// isKey reports whether an attribute is in a key of the table that is there.
func (m *Migration) isKey(name string) bool {
	return slices.ContainsFunc(m.Old.Columns, func(c design.Column) bool { return c.Name == name })
}

// Price says what a migration costs once, besides what the table costs.
type Price struct {
	ReadUnits, WriteUnits float64
	Dollars               float64
	Time                  time.Duration // the time that the writes take at writesPerSecond
}

// writesPerSecond is how many write units a migration takes a second: what a new table on demand
// serves at once (Developer Guide, "Initial throughput and scaling properties").
const writesPerSecond = 4000

// Price returns what the steps of a migration cost: the reads and writes of the items that are
// backfilled or copied, and the writes of the indexes that are added.
func (m *Migration) Price(prices design.Prices) (p Price) {
	for _, s := range m.Steps {
		switch s.Kind {
		case Backfill:
			p.backfill(m, s)
		case StopWriting:
			if s.Attributes != nil {
				p.write(m, s.Model, s.Attributes)
			}
		case MakeIndex:
			index := m.New.Index(s.Index)
			for _, model := range index.Models {
				if m.Old.Entity(model) != nil {
					p.WriteUnits += items(m.New, model) * design.EntryUnits(m.New, index, model)
				}
			}
		}
	}
	p.Dollars = p.ReadUnits/1e6*prices.Read + p.WriteUnits/1e6*prices.Write
	p.Time = time.Duration(p.WriteUnits / writesPerSecond * float64(time.Second))
	return p
}

// items returns how many items a model has.
func items(p *design.Plan, model string) float64 { return float64(p.Design.Model(model).Items) }

// backfill adds a step that reads all items of a model, and writes them.
func (p *Price) backfill(m *Migration, s Step) {
	read, _ := design.ItemUnits(m.Old, s.Model)
	p.ReadUnits += items(m.New, s.Model) * read / 2
	p.write(m, s.Model, s.Attributes)
}

// write adds a write of all items of a model, and of their entries in the indexes that are there
// and that have one of some attributes, or in all indexes for a new table.
func (p *Price) write(m *Migration, model string, attributes []string) {
	n := items(m.New, model)
	_, units := design.ItemUnits(m.New, model)
	p.WriteUnits += n * units
	for i := range m.New.Indexes {
		index := &m.New.Indexes[i]
		there := m.NewTable || m.Old.Index(index.Name) != nil
		if there && slices.Contains(index.Models, model) && (attributes == nil ||
			slices.ContainsFunc(attributes,
				func(name string) bool { return design.Projects(m.New, index, name) })) {
			p.WriteUnits += n * design.EntryUnits(m.New, index, model)
		}
	}
}

// String says what a migration costs.
func (p Price) String() string {
	if p.WriteUnits == 0 {
		return "which costs nothing"
	}
	return fmt.Sprintf("%s write units once, %.2f USD, and %s at %d write units a second",
		design.Grouped(p.WriteUnits, 0), p.Dollars, took(p.Time), writesPerSecond)
}

// took writes a duration in the unit that a reader would choose.
func took(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 90*time.Second:
		return "a minute"
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f hours", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}

// Make plans a design whose table is there already, as another plan has it. It prefers the plan
// that changes least of that table: nothing, then an attribute that is backfilled, an index that is
// added, items that are written again, a copy of all items. Among those it takes the one that costs
// least with a year of the table. Notes say what changes, what it costs, what the other plans would
// take, and whether a table of their own for new models would do without a copy.
func Make(d *design.Design, old *design.Plan) (*Migration, error) {
	best, err := choose(d, old)
	if err == nil && best.NewTable {
		if text := ownTable(d, old); text != "" {
			best.New.Notes = append(best.New.Notes, design.Note{Step: 8, Text: text})
		}
	}
	return best, err
}

// choose is Make without what new models would take apart.
func choose(d *design.Design, old *design.Plan) (*Migration, error) {
	var all []*Migration
	var why []error
	for _, keep := range []design.Keep{design.KeepKeys, design.KeepIndexes, design.KeepPrimary,
		design.KeepNothing} {
		switch {
		case keep == design.KeepPrimary && len(all) > 0 && all[0].Change() < Rewritten:
			continue // it changes at least as much
		case keep == design.KeepIndexes && (len(all) == 0 || all[0].Change() != IndexAdded):
			continue // it keeps no more
		}
		p, err := design.MakeFrom(d, old, keep)
		var m *Migration
		if err == nil {
			m, err = Diff(old, p)
		}
		if err != nil {
			why = append(why, err)
			continue
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, why[len(why)-1]
	}
	best := slices.MinFunc(all, compare)
	explain(best, all, why)
	return best, nil
}

// indexWorth is the least saving in dollars, with a year of the table, for a further index.
const indexWorth = 12

// compare orders migrations: by how much they change, and then by what they cost together with a
// year of the new table, where half a cent makes no difference.
func compare(a, b *Migration) int {
	if a.Change() != b.Change() {
		return int(a.Change() - b.Change())
	}
	prices := design.ListPrices()
	year := func(m *Migration) float64 {
		return 12*month(m) + m.Price(prices).Dollars + indexWorth*float64(len(m.New.Indexes))
	}
	one, other := year(a), year(b)
	switch {
	case one < other-0.005:
		return -1
	case other < one-0.005:
		return 1
	}
	return 0
}

// month returns what the table costs in a month.
func month(m *Migration) float64 { return m.New.Cost(design.ListPrices()).Total() }

// explain notes how a plan comes from the table that is there, and what others would take.
func explain(best *Migration, all []*Migration, why []error) {
	prices := design.ListPrices()
	add := func(format string, args ...any) {
		best.New.Notes = append(best.New.Notes,
			design.Note{Step: 8, Text: fmt.Sprintf(format, args...)})
	}
	text := fmt.Sprintf("from the table that is there: %s, %s", best.Change(), best.Price(prices))
	if best.NewTable {
		text += ", because " + best.Because
	}
	add("%s", text)
	if best.NewTable && len(why) > 0 {
		add("no plan keeps the table that is there: %s", why[0])
	}
	seen := []*Migration{best}
	for _, m := range all {
		if slices.ContainsFunc(seen, func(o *Migration) bool {
			return o.Change() == m.Change() && math.Abs(month(o)-month(m)) < 0.005
		}) {
			continue
		}
		seen = append(seen, m)
		add("another plan would cost %s a month, where %s, %s%s",
			difference(month(m)-month(best)), m.Change(), m.Price(prices), paid(best, m))
	}
}

// difference writes how much more or less a month costs.
func difference(dollars float64) string {
	switch {
	case dollars >= 0.005:
		return fmt.Sprintf("%.2f USD more", dollars)
	case dollars <= -0.005:
		return fmt.Sprintf("%.2f USD less", -dollars)
	}
	return "as much"
}

// paid says after how long a migration pays for itself.
func paid(best, m *Migration) string {
	saved := month(best) - month(m)
	more := m.Price(design.ListPrices()).Dollars - best.Price(design.ListPrices()).Dollars
	if saved < 0.005 || more <= 0 {
		return ""
	}
	return fmt.Sprintf(": it pays for itself after %.1f months", more/saved)
}
