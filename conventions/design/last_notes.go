package design

import (
	"fmt"
	"math"
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
)

// checkLasts checks that one update of an item can set its last values, without reading it: no key
// has them beside values that the new item does not know, and one begins with what orders items.
func checkLasts(p *Plan) error {
	for _, l := range lastsIn(rules{&p.Design}) {
		e := p.Entity(l.model.Name)
		known := func(part Part, names []string) bool {
			a := l.model.Attribute(part.Attribute)
			return a == nil || slices.Contains(names, a.Name) ||
				slices.Contains(l.model.Key, a.Name) ||
				a.Constant != "" && a.Derived == nil || rules{&p.Design}.tenantOf(l.model) == a.Name
		}
		for _, s := range slices.Concat(e.Keys, e.Others) {
			for i, part := range s.Value {
				a := l.model.Attribute(part.Attribute)
				if a == nil || !slices.Contains(l.names(), a.Name) &&
					(a.Derived == nil || !slices.Contains(l.names(), a.Derived.Of)) {
					continue
				}
				unknown := slices.ContainsFunc(s.Value,
					func(part Part) bool { return !known(part, l.names()) })
				before := a.Name == l.attributes[0].Name && slices.ContainsFunc(s.Value[:i],
					func(part Part) bool { return !known(part, nil) })
				if unknown || before || s.When != nil || s.Partly {
					return conventions.FieldErrorf(fieldOfLast(p, &l),
						"%s holds %s of %s beside other values, %s, and no new item of %s knows these: "+
							"order by it with nothing else before or after it", s.Name, a.Name,
						l.model.Name, s.Value, l.of.Name)
				}
			}
		}
		if len(e.Holding(l.attributes[0].Name)) == 0 {
			return conventions.FieldErrorf(fieldOfLast(p, &l), "no attribute of the table holds %s",
				l.attributes[0].Name)
		}
	}
	return nil
}

// fieldOfLast returns the field of the attribute that orders items.
func fieldOfLast(p *Plan, l *lastValues) string {
	m := slices.IndexFunc(p.Design.Models, func(m Model) bool { return m.Name == l.model.Name })
	a := slices.IndexFunc(l.model.Attributes,
		func(a Attribute) bool { return a.Name == l.attributes[0].Name })
	return fmt.Sprintf("models[%d].attributes[%d].last", m, a)
}

// lastNotes says what last values cost, and what they promise.
func lastNotes(p *Plan) (all []Note) {
	var notes notes
	for _, l := range lastsIn(rules{&p.Design}) {
		names, m := listed(l.names()), l.model.Name
		units := int(math.Ceil(p.itemBytes(m) / writeUnit))
		notes.note(7, m, "%s %s of the newest item of %s: a consumer of the stream sends an update for "+
			"each put, if what is there is older: %s in the table each, %s a second, also where it "+
			"changes nothing. %s. Puts may come in any order, and a record that it gets twice changes "+
			"nothing a second time. Of two items that are equally new, either may be the last. When "+
			"the newest item is deleted or expires, its values stay until a newer one comes. An item "+
			"of %[3]s that comes before its item of %[7]s is left out", names,
			hasHave(len(l.attributes)), l.of.Name, count(units, "write unit", "write units"),
			Grouped(l.of.Puts, 1), keeper{p}.streamDelay(), m)
		var keys []string
		for _, s := range p.Entity(m).Keys {
			holds := func(part Part) bool { return slices.Contains(l.names(), part.Attribute) }
			if slices.ContainsFunc(s.Value, holds) {
				keys = append(keys, s.Name)
			}
		}
		if len(keys) > 0 {
			notes.note(7, m, "An item of %s that is put without these values is in no index by %s "+
				"until its first item of %s comes: give it ones to begin with, such as the time when "+
				"it is put", m, listed(keys), l.of.Name)
		}
	}
	return notes
}

// hasHave returns the verb of so many attributes.
func hasHave(n int) string {
	if n == 1 {
		return "has the value"
	}
	return "have the values"
}
