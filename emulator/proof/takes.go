package proof

import (
	"fmt"
	"maps"
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

// row returns a row with numbers from which an action takes, and the row with its key and how
// much it takes.
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

// races are, for each number, two transactions where there is as much as one of them takes, and
// one where there is less.
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

// left returns rows with so much of what an action takes.
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

// takenBy checks that so many writers have taken.
func (s takings) takenBy(n int) func(a *outcome) error {
	return func(a *outcome) error {
		if done := a.done(); done != n {
			return fmt.Errorf("%d of %d have taken place, and %d can", done, len(a.writes), n)
		}
		return nil
	}
}

// andTaken checks, after another check, that numbers have as much less as the writers have taken,
// who have succeeded.
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
