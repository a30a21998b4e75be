package design

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checkStays checks how long items stay in the states of an attribute.
func checkStays(c *checker, m *Model, a *Attribute, field string) {
	if len(a.Stays) == 0 {
		return
	}
	field += ".stays"
	switch {
	case a.Begins == "":
		c.add(field, "say in which state items begin, as in begins: SCHEDULED")
		return
	case a.Values == 0:
		c.add(field, "say how many states there are, as in values: 5")
		return
	case m.Items == 0:
		c.add(field, "say how many items %s has, as in items: 100_000", m.Name)
		return
	case slices.ContainsFunc(m.Attributes,
		func(o Attribute) bool { return len(o.Stays) > 0 && o.Name != a.Name }):
		c.add(field, "another attribute of %s says how long items stay, too: one can", m.Name)
		return
	case a.skewed():
		c.add(field, "there is a skew or a largest, too")
		return
	case int64(len(a.Stays)) >= a.Values:
		c.add(field, "%s has %d values, and each has a stay: leave the last state out, which keeps "+
			"the rest of the items", a.Name, a.Values)
		return
	}
	if named := statesNamed(c.design, m, a); int64(len(named)) > a.Values {
		c.add(field, "%s has %d values, and the design names %d: %s", a.Name, a.Values, len(named),
			listed(named))
		return
	}
	all, n := flow{withTransactions(c.design, m)}, len(c.errs)
	for _, state := range slices.Sorted(maps.Keys(a.Stays)) {
		at := field + "." + state
		switch stay := a.Stays[state]; {
		case state == "":
			c.add(field, "give the name of the state")
		case stay <= 0 || stay > maxStay:
			c.add(at, "want a time such as 30s, 10m, 2h or 3d, of at most %s", FormatStay(maxStay))
		case all.entering(a, state) > 0:
		case state == a.Begins:
			c.add(at, "no items are put: say how many a second, as in puts: 2 of %s", m.Name)
		default:
			c.add(at, "no items come into %s: say how often %s changes, as in updates: [{of: %[2]s, "+
				"rate: 2}] of %[3]s", state, a.Name, m.Name)
		}
	}
	if len(c.errs) > n {
		return
	}
	leave := 0.0
	for state := range a.Stays {
		leave += all.entering(a, state)
	}
	if changes := all.changing(a) + all.Deletes; m.TTL == "" && leave > changes*(1+1e-9) {
		c.add(field, "%.3g items a second leave these states, as many as come into them, and %s "+
			"changes %.3g times a second: say so in updates", leave, a.Name, all.changing(a))
		return
	}
	if items := all.stayingInAll(a); items > float64(m.Items) {
		c.add(field, "%s would be in these states at a time, and %s has %s: %s",
			countOf(items), m.Name, Grouped(float64(m.Items), 0),
			strings.Join(all.stays(a), ", "))
		return
	}
	for i := range c.design.Patterns {
		p := &c.design.Patterns[i]
		state := p.Where[a.Name]
		if p.Model == m.Name && state != "" && p.Returned > math.Ceil(all.staying(a, state)) {
			c.add(fmt.Sprintf("patterns[%d].returned", i),
				"want at most what stays gives: about %s at a time", are(all.staying(a, state), state))
		}
	}
}

// statesNamed returns the values of an attribute that a design names.
func statesNamed(d *Design, m *Model, a *Attribute) []string {
	named := map[string]bool{a.Begins: true}
	for state := range a.Stays {
		named[state] = true
	}
	for i := range d.Patterns {
		if state := d.Patterns[i].Where[a.Name]; d.Patterns[i].Model == m.Name && state != "" {
			named[state] = true
		}
	}
	for i := range d.Models {
		for j := range d.Models[i].Attributes {
			b := &d.Models[i].Attributes[j]
			if state := b.Where[a.Name]; b.counted() == m.Name && state != "" {
				named[state] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(named))
}

// withTransactions returns a model with the puts and changes of the design's transactions.
func withTransactions(d *Design, m *Model) *Model {
	all := *m
	if d.invariants {
		return &all
	}
	all.Changes = slices.Clone(m.Changes)
	for i := range d.Transactions {
		t := &d.Transactions[i]
		for j := range t.Puts {
			if t.Puts[j].Model == m.Name {
				all.Puts += t.Rate * float64(t.Puts[j].items())
			}
		}
		for j := range t.Updates {
			if u := &t.Updates[j]; u.Model == m.Name {
				all.Changes = append(all.Changes,
					Change{Of: u.Of, Rate: t.Rate * float64(u.items())})
			}
		}
	}
	return &all
}

// stays says how many items are in each state that has a stay, and why.
func (m flow) stays(a *Attribute) (all []string) {
	for _, state := range a.timed() {
		if _, ok := a.Stays[state]; !ok {
			continue
		}
		all = append(all, fmt.Sprintf("about %s at a time, because %.3g a second stay %s",
			are(m.staying(a, state), state), m.entering(a, state), spoken(a.Stays[state])))
	}
	return all
}

// countOf writes a number of items.
func countOf(items float64) string {
	if text := Grouped(items, 0); text != "1" {
		return text + " items"
	}
	return "1 item"
}

// are says that so many items are in a state.
func are(items float64, state string) string {
	verb := "are"
	if Grouped(items, 0) == "1" {
		verb = "is"
	}
	return countOf(items) + " " + verb + " " + state
}

// stayNotes says how many items are in each state.
func stayNotes(p *Plan) (all []Note) {
	var notes notes
	for i := range p.Design.Models {
		m := flow{&p.Design.Models[i]}
		for j := range m.Attributes {
			a := &m.Attributes[j]
			if len(a.Stays) == 0 {
				continue
			}
			for _, text := range m.stays(a) {
				notes.note(9, m.Name, "%s", text)
			}
			others, rest := int(a.Values)-len(a.Stays), countOf(m.staying(a, ""))
			if others == 1 {
				notes.note(9, m.Name, "the rest, about %s, in the other value of %s", rest, a.Name)
				continue
			}
			notes.note(9, m.Name, "the rest, about %s each, in the %d other values of %s", rest,
				others, a.Name)
		}
	}
	return notes
}

const (
	day     = 24 * time.Hour
	maxStay = 36_500 * day
)

// stayUnit is a unit of stays.
type stayUnit struct {
	of         time.Duration
	name, long string
}

// stayUnits are the units of a stay, the longest first.
var stayUnits = []stayUnit{{day, "d", "days"}, {time.Hour, "h", "h"},
	{time.Minute, "m", "min"}, {time.Second, "s", "s"}}

// ParseStay reads how long items stay in a state, such as 30s, 10m, 2h or 3d.
func ParseStay(text string) (time.Duration, error) {
	for _, unit := range stayUnits {
		number, ok := strings.CutSuffix(text, unit.name)
		n, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || strings.Trim(number, digits+".") != "" {
			continue
		}
		if n *= float64(unit.of); n >= float64(time.Millisecond) && n <= float64(maxStay) {
			return time.Duration(math.Round(n)), nil
		}
	}
	return 0, fmt.Errorf("want a time such as 30s, 10m, 2h or 3d")
}

// FormatStay writes a stay as ParseStay reads it.
func FormatStay(stay time.Duration) string {
	number, unit := inLongest(stay)
	return number + stayUnits[unit].name
}

// spoken writes a stay for a reader, such as 10 min.
func spoken(stay time.Duration) string {
	number, unit := inLongest(stay)
	if number == "1" && stayUnits[unit].of == day {
		return "1 day"
	}
	return number + " " + stayUnits[unit].long
}

// inLongest writes a stay in the longest unit that divides it, or in seconds.
func inLongest(stay time.Duration) (number string, unit int) {
	unit = slices.IndexFunc(stayUnits, func(u stayUnit) bool { return stay%u.of == 0 })
	if unit < 0 {
		unit = len(stayUnits) - 1
	}
	return strconv.FormatFloat(float64(stay)/float64(stayUnits[unit].of), 'f', -1, 64), unit
}
