package proof

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// moving makes the races of changes that move counters.
type moving struct{ *writeCases }

// countedValues returns the values of an attribute by which counters count items of a model, and
// one by which none does.
func countedValues(d *design.Design, model, name string) (values []any) {
	for _, m := range d.Models {
		for _, a := range m.Attributes {
			value := a.Where[name]
			if value != "" && counted(&a) == model && !slices.Contains(values, any(value)) {
				values = append(values, value)
			}
		}
	}
	if len(values) > 0 {
		values = append(values, "none of these")
	}
	return values
}

// takeTurn gives a row the values by which counters count: the next ones of all that there are
// together.
func (s moving) takeTurn(model string, row design.Row) {
	s.atTurn(model, row, s.turns[model])
	s.turns[model]++
}

// atTurn gives a row the values of a turn.
func (s moving) atTurn(model string, row design.Row, turn int) design.Row {
	for _, a := range s.plan.Design.Model(model).Attributes {
		if values := countedValues(&s.plan.Design, model, a.Name); len(values) > 0 {
			row[a.Name] = values[turn%len(values)]
			turn /= len(values)
		}
	}
	return row
}

// allTurns returns after how many rows their values come again, and at most some.
func (s moving) allTurns(model string) int {
	all := 1
	for _, a := range s.plan.Design.Model(model).Attributes {
		all *= max(len(countedValues(&s.plan.Design, model, a.Name)), 1)
	}
	return min(all, mostTurns)
}

// mostTurns bounds the races of a change for each of the values that are counted.
const mostTurns = 24

// countedRow returns a row that each action that counts it adds to some counter, if there is one.
func (s moving) countedRow(model string) (row design.Row) {
	for turn := range s.allTurns(model) {
		row = s.atTurn(model, s.row(model), turn)
		if !slices.ContainsFunc(s.adding(), func(a design.Action) bool {
			return a.Of == model && !slices.ContainsFunc(a.Adds,
				func(add design.Added) bool { return amount(row, &add) != 0 })
		}) {
			break
		}
	}
	return row
}

// counted returns the model whose items an attribute counts, sums up or numbers.
func counted(a *design.Attribute) string {
	return strings.SplitN(a.Counts+a.Sums+a.Numbers, ".", 2)[0]
}

// moves reports whether the write changes what counters depend on.
func (s moving) moves() bool {
	return slices.ContainsFunc(s.planned.Actions,
		func(a design.Action) bool { return a.Kind == design.AddTo && a.Moves })
}

// moveRaces returns the races of changes that move counters, for each value that is counted: two
// changes of one item, changes of two items with one counter, a change without the item that has
// the counter, and a change beside another one that moves the same counters.
func (s moving) moveRaces() (all []race) {
	w, m := s.write, s.plan.Design.Model(s.write.Model)
	sets := s.planned.Actions[0].Sets
	for turn := range max(s.allTurns(m.Name), 2) {
		a := s.atTurn(m.Name, s.row(m.Name), turn)
		b := s.other(m.Name, a, sets)
		for _, add := range s.adding() {
			if one := with(b, a, s.shared(add)); !sameKey(m, a, one) {
				b = one
			}
		}
		to := func(row design.Row) design.Row { return with(row, s.other(m.Name, row, sets), sets) }
		one, other, moved := to(a), to(a), to(b)
		change := func(before, after design.Row) write {
			return write{name: w.Name, in: rowsOf(m.Name, after, before)}
		}
		two := []design.Row{a, b}
		there := s.before(two, two)
		all = append(all,
			race{name: "two changes of one item", there: there,
				writes: []write{change(a, one), change(a, other)},
				check:  s.agree(distinctRows(a, one, other, b), 2, 2)},
			race{name: "changes of two items", there: there,
				writes: []write{change(a, one), change(b, moved)},
				check:  s.agree(distinctRows(one, moved, a, b), 2, 2), faults: 1})
		for _, without := range s.withoutParent("a change", change(a, one), there,
			func(x *outcome) bool { return x.has(m.Name, one) }) {
			if s.moved(without.there, a, one) {
				all = append(all, without)
			}
		}
		all = append(all, s.besideMoves(a, b, one)...)
	}
	return all
}

// besideMoves returns the races of a change, of the row a to the row one, beside each further
// change that moves the same counters. b is another item that they count.
func (s moving) besideMoves(a, b, one design.Row) (all []race) {
	two := []design.Row{a, b}
	items := s.before(two, two)[len(s.parents(two, two)):]
	m := s.plan.Design.Model(s.write.Model)
	for i := range s.plan.Writes {
		other := &s.plan.Writes[i]
		if other.Model != m.Name || other.Name == s.write.Name || !slices.ContainsFunc(
			other.Actions, func(a design.Action) bool { return a.Moves }) {
			continue
		}
		sets := other.Actions[0].Sets
		values := s.other(m.Name, a, sets)
		second, both := with(a, values, sets), with(one, values, sets)
		there := slices.Concat(items,
			parentsBy(s.writeCases, append(s.adding(), s.further(other)...), two, two))
		all = append(all, race{name: "a change beside another one", there: there,
			writes: []write{{name: s.write.Name, in: rowsOf(m.Name, one, a)},
				{name: other.Name, in: rowsOf(m.Name, second, a)}},
			check: s.agree(distinctRows(a, one, second, both, b), 2, 2)})
	}
	return all
}

// further returns the actions of another write, with the counters that the write does not change.
func (s moving) further(other *design.Write) (all []design.Action) {
	for _, a := range addingOf(other) {
		a.Adds = slices.DeleteFunc(slices.Clone(a.Adds), func(add design.Added) bool {
			return slices.ContainsFunc(s.adding(), func(own design.Action) bool {
				return own.Model == a.Model && slices.ContainsFunc(own.Adds,
					func(o design.Added) bool { return o.Counter == add.Counter })
			})
		})
		all = append(all, a)
	}
	return all
}

// moved reports whether a change moves a counter of an item that is not among some rows.
func (s moving) moved(there []modelRow, before, after design.Row) bool {
	return slices.ContainsFunc(s.planned.Actions, func(a design.Action) bool {
		lacks := !slices.ContainsFunc(there, func(r modelRow) bool { return r.model == a.Model })
		return a.Moves && lacks && slices.ContainsFunc(a.Adds, func(add design.Added) bool {
			return amount(before, &add) != amount(after, &add)
		})
	})
}

// turnRaces returns the races of a put, or of a delete, for each value by which counters count.
func (s moving) turnRaces(deletes bool) (all []race) {
	m := s.plan.Design.Model(s.write.Model)
	if s.allTurns(m.Name) == 1 {
		return nil
	}
	for turn := range s.allTurns(m.Name) {
		row := s.atTurn(m.Name, s.row(m.Name), turn)
		one := []design.Row{row}
		if deletes {
			all = append(all, s.faulted(race{name: "a delete by its values",
				there:  s.before(one, one),
				writes: []write{{name: s.write.Name, in: rowsOf(m.Name, nil, row)}}}, one, 0, 0)...)
			continue
		}
		all = append(all, s.faulted(race{name: "a put by its values", there: s.parents(one, nil),
			writes: []write{{name: s.write.Name, in: rowsOf(m.Name, row, nil)}}}, one, 1, 1)...)
	}
	return all
}

// distinctRows returns rows without those that are the same as one before.
func distinctRows(rows ...design.Row) (all []design.Row) {
	for _, row := range rows {
		if !slices.ContainsFunc(all, func(o design.Row) bool { return sameRow(o, row) }) {
			all = append(all, row)
		}
	}
	return all
}
