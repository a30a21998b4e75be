package design

import (
	"fmt"
	"math"
	"strings"
)

// invariantNotes says how what is unique, counted or written together is kept, and what that costs.
func invariantNotes(p *Plan) (notes []Note) {
	for i := range p.Design.Models {
		m := &p.Design.Models[i]
		if m.Guard != nil {
			notes = append(notes, keeper{p}.guardNote(m))
		}
	}
	for _, c := range (rules{&p.Design}).counters() {
		notes = append(notes, keeper{p}.counterNote(&c))
	}
	for i := range p.Writes {
		if w := &p.Writes[i]; w.Model == "" {
			items, bytes := keeper{p}.written(w)
			if items == 1 {
				notes = append(notes, remark(w.Name,
					"writes one item, which needs no transaction and costs what a single write does"))
				continue
			}
			notes = append(notes, remark(w.Name,
				"writes %s, %.1f KB of at most 4 MB, in one transaction: %.0f write units, which are twice those of single writes",
				count(items, "item", "items"), bytes/1024, 2*keeper{p}.unitsOf(w)))
		}
	}
	return notes
}

// unitsOf returns the write units of a write's items in the table, each counted once.
func (p keeper) unitsOf(w *Write) (units float64) {
	for i := range w.Actions {
		a := &w.Actions[i]
		units += float64(a.Count) * math.Ceil(p.itemBytes(a.Model)/writeUnit)
	}
	return units
}

func (p keeper) guardNote(m *Model) Note {
	of, unique := m.Guard.Of, strings.Join(m.Guard.Unique, " and ")
	put := p.Write("put " + of)
	return remark(of,
		"%s of two items is never the same: an item of %s holds each value, and a transaction puts both, %.0f write units in the table in place of %.0f. An index alone would not tell",
		unique, m.Name, 2*p.unitsOf(put), math.Ceil(p.itemBytes(of)/writeUnit))
}

// counterNote says what a counter costs, and how far it can be wrong.
func (p keeper) counterNote(c *counter) Note {
	units := math.Ceil(p.itemBytes(c.model.Name) / writeUnit)
	about, rate := c.model.Name, c.of.Puts
	how := fmt.Sprintf(
		"%s is kept by the transaction that puts an item of %s: %.0f further write units each, %s a second. It is exact: a request that is sent again with its token counts once. Two puts at a time for one %s can cancel each other, and are sent again",
		c.attribute.Name, c.of.Name, 2*units+math.Ceil(p.itemBytes(c.of.Name)/writeUnit),
		Grouped(rate, 1), c.model.Name)
	if c.kept() == ByAdd {
		how = fmt.Sprintf(
			"%s is kept by an update with ADD after the put of an item of %s: %.0f write units each, %s a second. An update that is sent again after a lost answer counts twice, and one that is never sent, because the writer ends, not at all: compare it with the items from time to time",
			c.attribute.Name, c.of.Name, units, Grouped(rate, 1))
	}
	return remark(about, "%s", how)
}
