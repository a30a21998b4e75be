package proof

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// writeCases makes the races of one write.
type writeCases struct {
	plan    *design.Plan
	write   *design.Write
	planned *design.Write // what has to be true after it
	samples *design.Samples
	rows    int64 // how many rows with an attribute that is summed up there were
	// how many rows there were of models some of whose items are counted, by model
	turns map[string]int
}

// caseRows is how many rows of each model races choose from.
const caseRows = 30

func newWriteCases(plan, planned *design.Plan, w *design.Write, seed uint64) *writeCases {
	rows := map[string]int64{}
	for _, m := range plan.Design.Models {
		rows[m.Name] = caseRows
	}
	return &writeCases{plan: plan, turns: map[string]int{}, write: w,
		planned: planned.Write(w.Name),
		samples: design.NewSamples(ofOneTenant(&plan.Design), rows, seed)}
}

// ofOneTenant returns a design whose items are all of one tenant: what else a key has tells them
// apart then.
func ofOneTenant(d *design.Design) *design.Design {
	if d.Tenants == nil {
		return d
	}
	one := *d
	one.Models = slices.Clone(d.Models)
	for i := range one.Models {
		m := &one.Models[i]
		m.Attributes = slices.Clone(m.Attributes)
		if a := m.Attribute(d.Tenants.Attribute); a != nil && a.Constant == "" {
			a.Constant, a.Of = caseTenant, ""
		}
	}
	return &one
}

// races returns the races between the write and another one.
func (s *writeCases) races() []race {
	switch w := s.write; {
	case w.Model == "":
		return s.transactions()
	case w.Actions[0].Kind == design.PutItem:
		return s.puts()
	case w.Actions[0].Kind == design.DeleteItem:
		return s.deletes()
	case (moving{s}).moves():
		return moving{s}.moveRaces()
	case uniqueOf(s.plan, w) == nil:
		return s.copyChanges()
	default:
		return s.changes()
	}
}

// caseTenant is the tenant of all rows of a case: a key, and what is unique, is that of a tenant.
const caseTenant = "tenant"

// row returns the next row of a model without counters and last values.
func (s *writeCases) row(model string) design.Row {
	row := s.samples.Next(model)
	for _, a := range s.plan.Design.Model(model).Attributes {
		if counted(&a) != "" || a.Last != "" {
			delete(row, a.Name)
		}
		// a sum shows whether 0, or another row's value, was added
		if summed(&s.plan.Design, model, a.Name) {
			s.rows++
			row[a.Name] = s.rows * s.rows
		}
	}
	moving{s}.takeTurn(model, row)
	return numbering{s}.give(model, row, 1)
}

// summed reports whether a counter sums up an attribute.
func summed(d *design.Design, model, name string) bool {
	return slices.ContainsFunc(d.Models, func(m design.Model) bool {
		return slices.ContainsFunc(m.Attributes,
			func(a design.Attribute) bool { return a.Sums == model+"."+name })
	})
}

// with returns a row with the values that another one has of some attributes.
func with(row, other design.Row, names []string) design.Row {
	row = maps.Clone(row)
	for _, name := range names {
		row[name] = other[name]
	}
	return row
}

// adding returns the actions that count what a write puts or deletes.
func (s *writeCases) adding() []design.Action { return addingOf(s.planned) }

// addingOf returns the actions of a write that change counters.
func addingOf(w *design.Write) (all []design.Action) {
	for _, a := range slices.Concat(w.Actions, w.After, w.Later, w.Once) {
		if a.Kind == design.AddTo {
			all = append(all, a)
		}
	}
	return all
}

// parents returns the items that count some rows, with counters of as many rows as are there.
func (s *writeCases) parents(rows, there []design.Row) []modelRow {
	return parentsBy(s, s.adding(), rows, there)
}

// parentsBy is parents for some actions that change counters.
func parentsBy(s *writeCases, adding []design.Action, rows, there []design.Row) (
	all []modelRow) {
	at := map[string]int{}
	for _, a := range adding {
		for _, row := range rows {
			key := a.ParentKey(row)
			id := a.Model + fmt.Sprintf("%#v", key)
			if _, ok := at[id]; !ok {
				parent := s.row(a.Model)
				maps.Copy(parent, key)
				for _, same := range s.sames(a) {
					parent[same.Of] = row[same.As]
				}
				at[id], all = len(all), append(all, modelRow{a.Model, parent})
			}
			for _, same := range s.sames(a) { // a row is a copy of what there is
				row[same.As] = all[at[id]].row[same.Of]
			}
		}
		for _, row := range there {
			parent := all[at[a.Model+fmt.Sprintf("%#v", a.ParentKey(row))]].row
			for _, add := range a.Adds {
				n, _ := parent[add.Counter].(int64)
				parent[add.Counter] = n + int64(amount(row, &add))
			}
		}
	}
	return all
}

// before returns rows of the write's model that are there, with guards and what counts them.
func (s *writeCases) before(rows, there []design.Row) (all []modelRow) {
	all = s.parents(rows, there)
	for _, row := range there {
		all = append(all, modelRow{s.write.Model, row})
		for i := range s.plan.Design.Models {
			if g := &s.plan.Design.Models[i]; g.Reserves != nil && g.Reserves.Of == s.write.Model {
				all = append(all, modelRow{g.Name, g.Part(row)})
			}
		}
	}
	return all
}

// rowsOf returns what a write puts, or what it changes or deletes.
func rowsOf(model string, after, before design.Row) (in design.Writing) {
	if after != nil {
		in.After = map[string][]design.Row{model: {after}}
	}
	if before != nil {
		in.Before = map[string][]design.Row{model: {before}}
	}
	return in
}

// agree checks guards and counters of some rows, and how many of the rows are there.
func (s *writeCases) agree(rows []design.Row, least, most int) func(a *outcome) error {
	return s.agreeOn(s.planned, rows, least, most)
}

// agreeOn is agree for the counters that a write changes.
func (s *writeCases) agreeOn(w *design.Write, rows []design.Row,
	least, most int) func(a *outcome) error {
	return func(a *outcome) error {
		n, err := a.guarded(s.write.Model, rows)
		if err != nil {
			return err
		}
		if n < least || n > most {
			return fmt.Errorf("%d of %d items of %s are there", n, len(rows), s.write.Model)
		}
		return a.counted(w, rows)
	}
}

// faulted returns a race of some rows in which answers are lost and batches come twice. A counter
// that a request of its own changes may count twice then: it is judged in a race without that.
func (s *writeCases) faulted(one race, rows []design.Row, least, most int) (all []race) {
	exact := &design.Write{Actions: s.exactly()}
	loose := len(exact.Actions) < len(s.adding())
	if loose {
		one.check = s.agree(rows, least, most)
		all = append(all, one)
	}
	if len(exact.Actions) > 0 || !loose {
		one.check, one.faults = s.agreeOn(exact, rows, least, most), 1
		all = append(all, one)
	}
	return all
}

// exactly returns the actions of the write that count once whatever answers are lost.
func (s *writeCases) exactly() []design.Action {
	return slices.DeleteFunc(slices.Clone(s.adding()), s.mayCountTwice)
}

// mayCountTwice reports whether the counter of an action is kept in a way that may count a write
// twice.
func (s *writeCases) mayCountTwice(a design.Action) bool {
	kept := s.plan.Design.Model(a.Model).Attribute(a.Adds[0].Counter).Kept
	return kept == design.ByAdd || kept == design.ByStream
}

// puts returns the races of puts: of two items that differ, that have one key, or that have one
// value of what is unique, and of a put beside other writes and without the item that counts.
func (s *writeCases) puts() (all []race) {
	w, m := s.write, s.plan.Design.Model(s.write.Model)
	put := func(row design.Row) write { return write{name: w.Name, in: rowsOf(m.Name, row, nil)} }
	a, b := moving{s}.countedRow(m.Name), s.row(m.Name)
	for _, add := range s.adding() {
		for _, by := range add.By { // a row with the same parent, unless that is all of its key
			if one := with(b, a, s.shared(add)); !sameKey(m, a, one) &&
				!slices.Contains(m.Key, by) {
				b = one
			}
		}
		if one := with(b, a, s.shared(add)); !sameKey(m, a, one) {
			b = one
		}
	}
	least := 2
	if n := (numbering{s}); n.numbers() { // the second one, if it comes first, has no number yet
		b, least = n.second(m.Name, a, b), 1
		all = append(all, n.races(a, put, nil)...)
	}
	two := []design.Row{a, b}
	all = append(all, s.faulted(race{name: "two puts", there: s.parents(two, nil),
		writes: []write{put(a), put(b)}}, two, least, 2)...)
	c := s.rewritten(m, a)
	if !sameRow(a, c) {
		same := []design.Row{a, c}
		all = append(all, race{name: "two puts of one item", there: s.parents(same, nil),
			writes: []write{put(a), put(c)}, check: s.agreeOnce(same)})
	} else {
		all = append(all, race{name: "two puts of one item", there: s.parents(two, nil),
			writes: []write{put(a), put(a)}, check: s.agree([]design.Row{a}, 1, 1)})
	}
	for _, unique := range m.Unique {
		c := numbering{s}.after(m.Name, a, with(s.row(m.Name), a, unique))
		same := []design.Row{a, c}
		all = append(all, race{name: "two puts with one value of what is unique",
			there: s.parents(same, nil), writes: []write{put(a), put(c)},
			check: s.agree(same, 1, 1)})
	}
	all = append(all, moving{s}.turnRaces(false)...)
	all = append(all, s.besideChanges(s.changeAndPut)...)
	all = append(all, s.besideChanges(func(change *design.Write, model string) race {
		return changeAndDeleted(s, change, model)
	})...)
	all = append(all, s.feedPuts()...)
	all = append(all, lasting{s}.races()...)
	if s.counts(slices.Concat(s.planned.Later, s.planned.Once)) {
		all = append(all, s.uncounted("a put", put(a), a, nil))
	}
	all = append(all, s.withoutParent("a put", put(a), s.parents([]design.Row{a}, nil),
		func(x *outcome) bool { return x.has(m.Name, a) })...)
	return all
}

// rewritten returns a row with the key of another one and the same items that count it, and with
// other values if it has more.
func (s *writeCases) rewritten(m *design.Model, a design.Row) (c design.Row) {
	for range caseRows {
		c = with(s.row(m.Name), a, m.Key)
		for _, add := range s.adding() {
			c = with(c, a, s.shared(add))
		}
		if !sameRow(a, c) {
			break
		}
	}
	return c
}

// sames returns what items that an action counts have copies of in the item that counts them.
func (s *writeCases) sames(a design.Action) (all []design.Same) {
	for _, c := range design.Copies(&s.plan.Design) {
		if c.Model == a.Of && c.Of == a.Model && c.Kept != design.Never &&
			slices.Equal(c.By, a.By) {
			all = append(all, design.Same{Of: c.Name, As: c.Attribute})
		}
	}
	return all
}

// shared returns the attributes that items of one parent have in common.
func (s *writeCases) shared(a design.Action) []string {
	names := slices.Clone(a.By)
	for _, same := range s.sames(a) {
		names = append(names, same.As)
	}
	return names
}

// withoutParent returns a race for each item that a write counts in: without the item the write
// must not take place.
func (s *writeCases) withoutParent(name string, w write, there []modelRow,
	written func(x *outcome) bool) (all []race) {
	for _, a := range s.planned.Actions {
		if a.Kind != design.AddTo || s.plan.Design.Model(a.Model).OnlyCounts() {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(there),
			func(r modelRow) bool { return r.model == a.Model })
		all = append(all, race{name: name + " without the item of " + a.Model + " that counts it",
			there: left, writes: []write{w}, check: func(x *outcome) error {
				if x.writes[0].err == nil || written(x) {
					return errors.New("it takes place")
				}
				return nil
			}})
	}
	return all
}

// uncounted returns the race of a write whose counters the stream keeps, where the item with the
// counters does not exist. The consumer must not make it.
func (s *writeCases) uncounted(name string, w write, row design.Row, there []modelRow) race {
	return race{name: name + " without the item that counts it", there: there,
		writes: []write{w},
		check: func(x *outcome) error {
			for _, add := range slices.Concat(s.planned.Later, s.planned.Once) {
				if add.Kind != design.AddTo || s.plan.Design.Model(add.Model).OnlyCounts() {
					continue
				}
				item, err := s.plan.Item(add.Model, add.ParentKey(row))
				if err != nil {
					return err
				}
				if x.items[x.primaryKey(item)] != nil {
					return fmt.Errorf("there is an item of %s with nothing but a counter",
						add.Model)
				}
			}
			return nil
		}}
}

// agreeOnce checks as agree does, for rows with one key: exactly one of them is there.
func (s *writeCases) agreeOnce(rows []design.Row) func(a *outcome) error {
	return func(a *outcome) error {
		if done := a.done(); done != 1 {
			return fmt.Errorf("%d writers have put it", done)
		}
		n, err := a.guarded(s.write.Model, rows)
		if err == nil && n != 1 {
			err = fmt.Errorf("%d of the items are there", n)
		}
		if err != nil {
			return err
		}
		for _, row := range rows {
			if a.has(s.write.Model, row) {
				return a.counted(s.planned, []design.Row{row})
			}
		}
		return nil
	}
}

func sameKey(m *design.Model, a, b design.Row) bool {
	return !slices.ContainsFunc(m.Key,
		func(name string) bool { return !sameValue(a[name], b[name]) })
}

func sameRow(a, b design.Row) bool {
	return maps.EqualFunc(a, b, func(x, y any) bool { return fmt.Sprint(x) == fmt.Sprint(y) })
}

// deletes returns the races of deletes: two of one item, those of two items that the same item
// counts, and a delete beside other writes and without the item that counts.
func (s *writeCases) deletes() []race {
	m := s.plan.Design.Model(s.write.Model)
	a, b := siblings(s, m)
	both := []design.Row{a, b}
	there := func() []modelRow { return s.before(both, both) }
	remove := func(row design.Row) write {
		return write{name: s.write.Name, in: rowsOf(m.Name, nil, row)}
	}
	all := []race{{name: "two deletes of one item", there: there(),
		writes: []write{remove(a), remove(a)}, check: s.agree(both, 1, 1)}}
	all = append(all, s.faulted(race{name: "two deletes", there: there(),
		writes: []write{remove(a), remove(b)}}, both, 0, 0)...)
	if s.counts(slices.Concat(s.planned.Later, s.planned.Once)) {
		alone := slices.DeleteFunc(there(),
			func(r modelRow) bool { return r.model != m.Name && !s.guards(r.model) })
		all = append(all, s.uncounted("a delete", remove(a), a, alone))
	}
	all = append(all, s.withoutParent("a delete", remove(a), there(),
		func(x *outcome) bool { return !x.has(m.Name, a) })...)
	all = append(all, moving{s}.turnRaces(true)...)
	all = append(all, s.besideChanges(s.changeAndDelete)...)
	all = append(all, feedDeletes(s)...)
	for i := range s.plan.Writes {
		change := &s.plan.Writes[i]
		if change.Model != m.Name || change.Actions[0].Kind != design.UpdateItem {
			continue
		}
		sets := change.Actions[0].Sets
		after := with(a, s.other(m.Name, a, sets), sets)
		all = append(all, race{name: "a delete and a change", there: there(),
			writes: []write{remove(a), {name: change.Name, in: rowsOf(m.Name, after, a)}},
			check:  s.agree([]design.Row{a, after, b}, 1, 2)})
	}
	return all
}

// siblings returns two rows that the same items count, as far as their keys can differ then.
func siblings(s *writeCases, m *design.Model) (a, b design.Row) {
	a, b = moving{s}.countedRow(m.Name), s.row(m.Name)
	for _, add := range s.adding() {
		if shared := with(b, a, s.shared(add)); !sameKey(m, a, shared) {
			b = shared
		}
	}
	return a, b
}

// counts reports whether some actions change counters of items that have to be there.
func (s *writeCases) counts(actions []design.Action) bool {
	return slices.ContainsFunc(actions, func(a design.Action) bool {
		return a.Kind == design.AddTo &&
			(a.If != design.Always || !s.plan.Design.Model(a.Model).OnlyCounts())
	})
}

// guards reports whether a model guards the items of the write.
func (s *writeCases) guards(model string) bool {
	g := s.plan.Design.Model(model).Reserves
	return g != nil && g.Of == s.write.Model
}

// changes returns the races of changes of what is unique: of two items that get one value, and of
// one item that gets two.
func (s *writeCases) changes() []race {
	w, m := s.write, s.plan.Design.Model(s.write.Model)
	a, b, c, d := s.row(m.Name), s.row(m.Name), s.row(m.Name), s.row(m.Name)
	unique := uniqueOf(s.plan, w)
	b = with(b, a, keyPart(m, unique))
	change := func(before, values design.Row) write {
		return write{name: w.Name,
			in: rowsOf(m.Name, with(before, values, w.Actions[0].Sets), before)}
	}
	after := func(row, values design.Row) design.Row { return with(row, values, w.Actions[0].Sets) }
	two := []design.Row{a, b}
	if sameKey(m, a, b) {
		return nil
	}
	all := []race{
		{name: "two items that get one value", there: s.before(two, two),
			writes: []write{change(a, c), change(b, c)},
			check:  s.agree([]design.Row{a, b, after(a, c), after(b, c)}, 2, 2), faults: 1},
		{name: "an item that gets two values", there: s.before(two, two),
			writes: []write{change(a, c), change(a, d)},
			check:  s.agree([]design.Row{a, b, after(a, c), after(a, d)}, 2, 2)},
	}
	for _, action := range w.Actions[min(3, len(w.Actions)):] { // changes of guards that overlap
		g := s.plan.Design.Model(action.Model)
		if g.Reserves == nil || action.Kind != design.PutItem {
			continue
		}
		b := with(s.row(m.Name), a, g.Reserves.Unique)
		for _, name := range w.Actions[0].Sets {
			b[name] = s.row(m.Name)[name]
		}
		one := with(d, c, g.Reserves.Unique)
		there := []design.Row{a, b}
		all = append(all, race{name: "two items that get one value of " + g.Name,
			there: s.before(there, there), writes: []write{change(a, c), change(b, one)},
			check: s.agree([]design.Row{a, b, after(a, c), after(b, one)}, 2, 2)})
	}
	return all
}

// uniqueOf returns the attributes that the guard of a change reserves.
func uniqueOf(p *design.Plan, w *design.Write) []string {
	for _, a := range w.Actions {
		if g := p.Design.Model(a.Model).Reserves; g != nil {
			return g.Unique
		}
	}
	return nil
}

// keyPart returns those of some attributes that are in the key of a model.
func keyPart(m *design.Model, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return !slices.Contains(m.Key, name) })
}

// transactions returns the races of two transactions that write the same items, and of one without
// what its conditions need.
func (s *writeCases) transactions() []race {
	one, two, there := s.twoTransactions()
	same := s.elsewhere(one, &there)
	twins := s.likeOne(one, two, &there)
	there = s.distinct(there)
	for _, in := range append([]design.Writing{one, two, same}, twins...) {
		freshen(s, in, there)
	}
	write1, write2 := write{name: s.write.Name, in: one}, write{name: s.write.Name, in: two}
	// a counter that a request of its own changes may count twice when an answer is lost
	all := []race{{name: "two at a time", there: there, writes: []write{write1, write2},
		check:  takings{s}.andTaken(there, s.whole(len(one.Before) > 0, s.exactly())),
		faults: lostAnswers(s.write)}}
	if len(s.exactly()) < len(s.adding()) {
		all = append(all, race{name: "two at a time, all answers", there: there,
			writes: []write{write1, write2}, check: s.whole(len(one.Before) > 0, s.adding())})
	}
	all = append(all, s.withoutParent("one", write1, there,
		func(x *outcome) bool { return x.hasAny(one.After) })...)
	if s.putsItems() {
		all = append(all, race{name: "one twice", there: there, writes: []write{write1, write1},
			check: takings{s}.andTaken(there, s.once())},
			race{name: "two that put the same", there: there,
				writes: []write{write1, {name: s.write.Name, in: same}},
				check:  takings{s}.andTaken(there, s.once())})
	}
	all = append(all, takings{s}.races(one, two, there)...)
	all = append(all, numbering{s}.transactions(one, there)...)
	all = append(all, oldCopies(s, one, there)...)
	for _, in := range twins {
		all = append(all, race{name: "two with one key, or one value of what is unique",
			there: there, writes: []write{write1, {name: s.write.Name, in: in}}, check: s.once()})
	}
	return all
}

// freshen gives the rows that a transaction puts the copies that the stream's consumer would give
// them: the values of the items that are there.
func freshen(s *writeCases, in design.Writing, there []modelRow) {
	for _, c := range design.Copies(&s.plan.Design) {
		if c.Kept != design.ByStream || in.Before[c.Model] != nil {
			continue
		}
		for _, r := range there {
			o := copiedItem{writeCases: s, item: r.row}
			for _, row := range in.After[c.Model] {
				if r.model == c.Of && o.isCopied(c, row) {
					row[c.Attribute] = r.row[c.Name]
				}
			}
		}
	}
}

// lostAnswers returns how many answers are lost: none of a single request, because that has no
// token, so its writer cannot tell whether it took place.
func lostAnswers(w *design.Write) int {
	if len(w.Actions) == 1 {
		return 0
	}
	return 1
}

// own reports whether an action writes items that the transaction names: no guards and no counters
// that come with them.
func (s *writeCases) own(a design.Action) bool {
	return s.plan.Design.Model(a.Model).Reserves == nil && a.Kind != design.AddTo
}

// putsItems reports whether a transaction puts items.
func (s *writeCases) putsItems() bool {
	return slices.ContainsFunc(s.write.Actions,
		func(a design.Action) bool { return s.own(a) && a.Kind == design.PutItem })
}

// twoTransactions returns two transactions that put different items and change the same ones, and
// what is there before.
func (s *writeCases) twoTransactions() (one, two design.Writing, there []modelRow) {
	one = design.Writing{After: map[string][]design.Row{}, Before: map[string][]design.Row{}}
	two = design.Writing{After: map[string][]design.Row{}, Before: map[string][]design.Row{}}
	for _, a := range s.planned.Actions {
		for range a.Count {
			switch {
			case !s.own(a):
			case a.Kind == design.TakeFrom:
				was, amount := takings{s}.row(a)
				there = append(there, modelRow{a.Model, was})
				one.After[a.Model] = append(one.After[a.Model], amount)
				two.After[a.Model] = append(two.After[a.Model], amount)
			case a.Kind == design.PutItem:
				one.After[a.Model] = append(one.After[a.Model], s.row(a.Model))
				two.After[a.Model] = append(two.After[a.Model], s.row(a.Model))
			default:
				was := s.row(a.Model)
				there = append(there, modelRow{a.Model, was})
				for _, in := range []*design.Writing{&one, &two} {
					in.Before[a.Model] = append(in.Before[a.Model], was)
					in.After[a.Model] = append(in.After[a.Model],
						with(was, s.other(a.Model, was, a.Sets), a.Sets))
				}
			}
		}
	}
	for _, in := range []design.Writing{one, two} {
		there = append(there, s.parentsOf(in)...)
	}
	return one, two, there
}

// parentsOf returns the items that count what a transaction puts.
func (s *writeCases) parentsOf(in design.Writing) (all []modelRow) {
	for _, a := range s.adding() {
		all = append(all, s.parents(in.After[a.Of], nil)...)
	}
	return all
}

// likeOne returns transactions like two, each with an item that has the key of an item of one, or
// one value of what is unique. They add to what is there.
func (s *writeCases) likeOne(one, two design.Writing, there *[]modelRow) (twins []design.Writing) {
	for _, a := range s.write.Actions {
		m := s.plan.Design.Model(a.Model)
		if a.Kind != design.PutItem || !s.own(a) {
			continue
		}
		for _, names := range append([][]string{m.Key}, m.Unique...) {
			in := s.elsewhere(two, there)
			first := with(s.row(m.Name), one.After[m.Name][0], names)
			first = with(numbering{s}.after(m.Name, one.After[m.Name][0], first),
				one.After[m.Name][0], names)
			in.After[m.Name] = append([]design.Row{first}, in.After[m.Name][1:]...)
			*there = append(*there, s.parentsOf(in)...)
			twins = append(twins, in)
		}
	}
	return twins
}

// elsewhere returns a transaction that puts the same items as one does, and updates other items.
// It adds their rows to there, because they have to be stored before.
func (s *writeCases) elsewhere(one design.Writing, there *[]modelRow) design.Writing {
	in := design.Writing{After: maps.Clone(one.After), Before: map[string][]design.Row{}}
	for _, a := range s.write.Actions {
		if a.Kind != design.UpdateItem {
			continue
		}
		in.After[a.Model] = nil
		for range a.Count {
			was := s.row(a.Model)
			*there = append(*there, modelRow{a.Model, was})
			in.Before[a.Model] = append(in.Before[a.Model], was)
			in.After[a.Model] = append(in.After[a.Model],
				with(was, s.other(a.Model, was, a.Sets), a.Sets))
		}
	}
	return in
}

// other returns a row of a model with other values of some attributes.
func (s *writeCases) other(model string, row design.Row, names []string) design.Row {
	for range caseRows {
		next := s.row(model)
		if !slices.ContainsFunc(names,
			func(name string) bool { return fmt.Sprint(next[name]) == fmt.Sprint(row[name]) }) {
			return next
		}
	}
	next := maps.Clone(row)
	for _, name := range names {
		next[name] = otherValue(s, model, row, name)
	}
	return next
}

// otherValue returns another value of one attribute than a row has. Samples of a few rows have one
// timestamp, so that is a second later.
func otherValue(s *writeCases, model string, row design.Row, name string) any {
	for range caseRows {
		if v := s.row(model)[name]; fmt.Sprint(v) != fmt.Sprint(row[name]) {
			return v
		}
	}
	text, _ := row[name].(string)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.Add(time.Second).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return row[name]
}

// distinct leaves out rows whose items are there.
func (s *writeCases) distinct(rows []modelRow) (all []modelRow) {
	seen := map[string]bool{}
	c := &client{plan: s.plan}
	for _, r := range rows {
		item, err := s.plan.Item(r.model, r.row)
		if err != nil {
			all = append(all, r) // the write says why it has no key
			continue
		}
		if key := c.primaryKey(item); !seen[key] {
			seen[key] = true
			all = append(all, r)
		}
	}
	return all
}

// whole checks that each transaction has done all or nothing, and, if they change the same items,
// that one has not overwritten the other.
func (s *writeCases) whole(updates bool, adds []design.Action) func(a *outcome) error {
	return func(a *outcome) error {
		if done := a.done(); updates && done != 1 || done == 0 {
			return fmt.Errorf("%d of %d have taken place", done, len(a.writes))
		}
		for _, w := range a.writes {
			for _, action := range s.write.Actions {
				if action.Kind == design.TakeFrom { // takings look at these
					continue
				}
				for _, row := range w.in.After[action.Model] {
					put := action.Kind == design.PutItem
					if is := a.has(action.Model, row); w.err == nil && !is ||
						w.err != nil && put && is {
						return fmt.Errorf("a part of it has taken place, and others have not: %v",
							action.Model)
					}
				}
			}
		}
		return s.countedAll(a, adds)
	}
}

// once checks that of one transaction, sent by two writers, one has taken place.
func (s *writeCases) once() func(a *outcome) error {
	return func(a *outcome) error {
		if done := a.done(); done != 1 {
			return fmt.Errorf("%d of %d have taken place", done, len(a.writes))
		}
		return s.countedAll(a, s.adding())
	}
}

// countedAll checks the guards of what the transactions have put, and the counters of some actions.
func (s *writeCases) countedAll(a *outcome, adds []design.Action) error {
	rows := map[string][]design.Row{}
	seen := map[string]bool{}
	for _, w := range a.writes {
		for model, all := range w.in.After {
			for _, row := range all {
				if id := model + fmt.Sprintf("%#v", row); !seen[id] {
					seen[id] = true
					rows[model] = append(rows[model], row)
				}
			}
		}
	}
	for _, action := range s.write.Actions {
		if action.Kind != design.PutItem || s.plan.Design.Model(action.Model).Reserves != nil {
			continue
		}
		if _, err := a.guarded(action.Model, rows[action.Model]); err != nil {
			return err
		}
	}
	for _, add := range adds {
		w := design.Write{Actions: []design.Action{add}}
		if err := a.counted(&w, rows[add.Of]); err != nil {
			return err
		}
	}
	return nil
}
