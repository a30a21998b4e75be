package proof

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// What a case takes from a number, and how much there is: enough for both writers, and to spare.
const (
	takenAmount = 2
	takenFrom   = 7
)

// takings makes the races of what a write takes.
type takings struct{ *writeCases }

// row returns a row with the numbers from which an action takes, and, with the same key, the
// amounts that it takes.
func (s takings) row(a design.Action) (was, amount design.Row) {
	was, amount = s.writeCases.row(a.Model), design.Row{}
	for _, name := range s.plan.Design.Model(a.Model).Key {
		amount[name] = was[name]
	}
	if tenant := tenantOf(s.plan, a.Model); tenant != "" {
		amount[tenant] = was[tenant]
	}
	for _, name := range a.Takes {
		was[name], amount[name] = int64(takenFrom), int64(takenAmount)
	}
	return was, amount
}

// races returns two races for each number: two transactions where there is enough for one of
// them, and one transaction where there is too little.
func (s takings) races(one, two design.Writing, there []modelRow) (all []race) {
	name := s.write.Name
	for _, a := range s.planned.Actions {
		if a.Kind != design.TakeFrom || !a.Minus {
			continue
		}
		enough, short := left(there, a, takenAmount), left(there, a, takenAmount-1)
		all = append(all,
			race{name: "two where " + a.Model + " has as much as one takes", there: enough,
				writes: []write{{name: name, in: one}, {name: name, in: two}},
				check:  s.andTaken(enough, s.takenBy(1))},
			race{name: "one where " + a.Model + " has less", there: short,
				writes: []write{{name: name, in: one}},
				check:  s.andTaken(short, s.takenBy(0))})
	}
	return all
}

// left returns rows in which the numbers that an action takes from are n.
func left(there []modelRow, a design.Action, n int64) (rows []modelRow) {
	for _, r := range there {
		row := maps.Clone(r.row)
		for _, name := range a.Takes {
			if a.Model == r.model {
				row[name] = n
			}
		}
		rows = append(rows, modelRow{r.model, row})
	}
	return rows
}

// takenBy checks that n writers have succeeded.
func (s takings) takenBy(n int) func(a *outcome) error {
	return func(a *outcome) error {
		if done := a.done(); done != n {
			return fmt.Errorf("%d of %d have taken place, and %d can", done, len(a.writes), n)
		}
		return nil
	}
}

// andTaken checks, after another check, that numbers are less by the amounts of the writers that
// have succeeded.
func (s takings) andTaken(there []modelRow, check func(a *outcome) error) func(*outcome) error {
	return func(a *outcome) error {
		if err := check(a); err != nil {
			return err
		}
		for _, action := range s.planned.Actions {
			if action.Kind != design.TakeFrom {
				continue
			}
			for _, r := range there {
				if r.model != action.Model {
					continue
				}
				if err := s.check(a, action, r.row); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// check checks the numbers of one item.
func (s takings) check(a *outcome, action design.Action, was design.Row) error {
	item, err := a.plan.Item(action.Model, was)
	if err != nil {
		return err
	}
	m := s.plan.Design.Model(action.Model)
	for _, name := range action.Takes {
		wanted, _ := was[name].(int64)
		for _, w := range a.writes {
			for _, row := range w.in.After[action.Model] {
				n, _ := row[name].(int64)
				switch {
				case w.err != nil || !sameKey(m, row, was):
				case action.Minus:
					wanted -= n
				default:
					wanted += n
				}
			}
		}
		column := a.plan.Entity(action.Model).Holding(name)[0]
		text := string(a.items[a.primaryKey(item)][column])
		is := strings.Trim(strings.TrimPrefix(text, `{"N":`), `"}`)
		if is != strconv.FormatInt(wanted, 10) || strings.HasPrefix(is, "-") {
			return fmt.Errorf("%s of %s is %s, and has to be %d", name, action.Model, is, wanted)
		}
	}
	return nil
}

// numbering makes the races of items that get the next number.
type numbering struct{ *writeCases }

// give gives a row of a model a number, if it has one of a sequence.
func (s numbering) give(model string, row design.Row, n int64) design.Row {
	for _, m := range s.plan.Design.Models {
		for _, a := range m.Attributes {
			if of, name, _ := strings.Cut(a.Numbers, "."); of == model {
				row[name] = n
			}
		}
	}
	return row
}

// next returns the comparisons with the last number of an action.
func next(a design.Action) (all []design.Same) {
	for _, same := range a.Same {
		if same.Next {
			all = append(all, same)
		}
	}
	return all
}

// numbers reports whether the write gives numbers.
func (s numbering) numbers() bool {
	return slices.ContainsFunc(s.planned.Actions,
		func(a design.Action) bool { return len(next(a)) > 0 })
}

// second returns another row that gets the number after that of a row, from the same item.
func (s numbering) second(model string, a, other design.Row) design.Row {
	for _, add := range s.adding() {
		if len(next(add)) > 0 {
			other = with(other, a, s.shared(add))
		}
	}
	return s.after(model, a, other)
}

// after gives a row the numbers that follow those of a row that comes before it, where both get
// them from the same item, or else the first ones.
func (s numbering) after(model string, before, row design.Row) design.Row {
	row = maps.Clone(row)
	for i := range s.plan.Writes {
		for _, a := range addingOf(&s.plan.Writes[i]) {
			for _, add := range a.Adds {
				counter := s.plan.Design.Model(a.Model).Attribute(add.Counter)
				of, name, _ := strings.Cut(counter.Numbers, ".")
				if of != model {
					continue
				}
				row[name] = int64(1)
				if n, _ := before[name].(int64); fmt.Sprintf("%#v", a.ParentKey(before)) ==
					fmt.Sprintf("%#v", a.ParentKey(row)) {
					row[name] = n + 1
				}
			}
		}
	}
	return row
}

// races are, of a put, two items that get one number, one that leaves out a number, one that gets a
// number that an item had which is deleted, one that gets the number after that, and the first one
// after 0. put makes the write of a row, and there has what else is there.
func (s numbering) races(row design.Row, put func(design.Row) write,
	there []modelRow) (all []race) {
	for _, a := range s.planned.Actions {
		for _, same := range next(a) {
			all = append(all, s.racesOf(a, same, row, put, there)...)
		}
	}
	return all
}

// transactions returns the races for each model whose items a transaction puts with a number.
func (s numbering) transactions(one design.Writing, there []modelRow) (all []race) {
	for _, a := range s.planned.Actions {
		if len(next(a)) == 0 {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(there),
			func(r modelRow) bool { return r.model == a.Model })
		put := func(row design.Row) write {
			in := design.Writing{Before: one.Before, After: maps.Clone(one.After)}
			in.After[a.Of] = []design.Row{row}
			return write{name: s.write.Name, in: in}
		}
		for _, same := range next(a) {
			all = append(all, s.racesOf(a, same, one.After[a.Of][0], put, rest)...)
		}
	}
	return all
}

func (s numbering) racesOf(a design.Action, same design.Same, row design.Row,
	put func(design.Row) write, there []modelRow) (all []race) {
	m := s.plan.Design.Model(a.Of)
	at := func(n int64) design.Row {
		numbered := maps.Clone(row)
		numbered[same.As] = n
		return numbered
	}
	parents := func(rows []design.Row, last int64) (parents []modelRow) {
		for _, r := range s.parents(rows, nil) {
			if r.model == a.Model {
				r.row[same.Of] = last
			}
			parents = append(parents, r)
		}
		return s.distinct(append(parents, there...))
	}
	for _, o := range []struct {
		name    string
		last, n int64
		done    bool
	}{
		{"a put that leaves out a number", 0, 2, false},
		{"a put with a number that was given", 1, 1, false},
		{"a put with the number after the last", 1, 2, true},
		{"a put with the first number", 0, 1, true},
	} {
		one := at(o.n)
		all = append(all, race{name: o.name, there: parents([]design.Row{one}, o.last),
			writes: []write{put(one)}, check: func(x *outcome) error {
				last := o.last
				if done := x.writes[0].err == nil; done != o.done {
					if done {
						return errors.New("it takes place")
					}
					return fmt.Errorf("it is refused: %w", x.writes[0].err)
				}
				if o.done {
					last = o.n
				}
				if there := x.has(a.Of, one); there != o.done {
					return errors.New("it writes something else than it says")
				}
				return s.lastIs(x, a, same.Of, one, last)
			}})
	}
	// an item that was there before there were numbers
	all = append(all, race{name: "a put of an item that is there", writes: []write{put(at(1))},
		there: append(parents([]design.Row{row}, 0), modelRow{a.Of, s.rewritten(m, at(1))}),
		check: func(x *outcome) error {
			if x.writes[0].err == nil {
				return errors.New("it takes place")
			}
			return s.lastIs(x, a, same.Of, row, 0)
		}})
	other := with(s.row(m.Name), row, append(s.shared(a), same.As))
	if two := []design.Row{at(1), other}; !sameKey(m, two[0], two[1]) {
		all = append(all, race{name: "two items that get one number", there: parents(two, 0),
			writes: []write{put(two[0]), put(two[1])}, faults: 1, check: func(x *outcome) error {
				done := x.done()
				if n := has(x, m.Name, two); done != 1 || n != 1 {
					return fmt.Errorf("%d writers have put it, and %d items have it", done, n)
				}
				return s.lastIs(x, a, same.Of, row, 1)
			}})
	}
	return all
}

// has returns how many of some rows are there.
func has(x *outcome, model string, rows []design.Row) (n int) {
	for _, row := range rows {
		if x.has(model, row) {
			n++
		}
	}
	return n
}

// lastIs checks the last number that an item has given, which numbers a row.
func (s numbering) lastIs(x *outcome, a design.Action, counter string, row design.Row,
	want int64) error {
	parent, err := x.plan.Item(a.Model, a.ParentKey(row))
	if err != nil {
		return err
	}
	name := x.plan.Entity(a.Model).Holding(counter)[0]
	is := string(x.items[x.primaryKey(parent)][name])
	if is != fmt.Sprintf(`{"N":"%d"}`, want) && (is != "" || want != 0) {
		return fmt.Errorf("%s of %s is %s, and has to be %d", counter, a.Model, is, want)
	}
	return nil
}
