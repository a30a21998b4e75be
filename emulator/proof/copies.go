package proof

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// copyChanges returns the races of a change of a copied attribute: two changes, one alone, and one
// beside a put and a delete of an item with a copy.
func (s *writeCases) copyChanges() []race {
	o := s.copiedItem(s.write)
	change := func(to design.Row) write { return o.change(s.write, to) }
	c := s.other(s.write.Model, o.item, o.names())
	d := s.other(s.write.Model, o.item, o.names())
	all := []race{
		{name: "two changes", there: o.there(), writes: []write{change(c), change(d)},
			check: o.agreeOnce(c, d), faults: s.copyFaults()},
		{name: "a change", there: o.there(), writes: []write{change(c)}, check: o.agree(c),
			faults: s.copyFaults()},
	}
	for _, copied := range o.copies {
		all = append(all, s.changeAndPut(s.write, copied.Model),
			changeAndDeleted(s, s.write, copied.Model),
			s.changeAndDelete(s.write, copied.Model))
	}
	return slices.DeleteFunc(all, func(s race) bool { return s.name == "" })
}

// copyFaults returns how many answers are lost: none where a change is a single write, which does
// not know itself again.
func (s *writeCases) copyFaults() int { return min(len(s.plan.Write(s.write.Name).Actions)-1, 1) }

// besideChanges returns the races in which a write is beside a change of the item that its own item
// has a copy of.
func (s *writeCases) besideChanges(make func(change *design.Write, model string) race) (
	all []race) {
	for i := range s.plan.Writes {
		change := &s.plan.Writes[i]
		for _, c := range design.Copies(&s.plan.Design) {
			if c.Model == s.write.Model && changesCopied(change, c) {
				all = append(all, make(change, c.Model))
			}
		}
	}
	return slices.DeleteFunc(all, func(s race) bool { return s.name == "" })
}

// changesCopied reports whether a write changes what is copied, with its copies.
func changesCopied(w *design.Write, c design.Copy) bool {
	return w.Model == c.Of && c.Kept != design.Never && len(w.Actions) > 0 &&
		w.Actions[0].Kind == design.UpdateItem && slices.Equal(w.Actions[0].Sets, []string{c.Name})
}

// changeAndPut returns the race of a change beside a put of an item with a copy, whose writer has
// read the old value.
func (s *writeCases) changeAndPut(change *design.Write, model string) race {
	o, name := s.copiedItem(change), "put "+model
	if s.plan.Write(name) == nil || len(o.rows[model]) < 2 {
		return race{}
	}
	to, row := s.other(change.Model, o.item, o.names()), o.rows[model][1]
	o.rows[model] = o.rows[model][:1]
	o.late = append(o.late, modelRow{model, row})
	r := race{name: "a change and a put of a copy", there: o.there(), check: o.agree(to)}
	put := rowsOf(model, row, nil)
	freshen(s, put, r.there) // it may have copies of other items, too
	r.writes = []write{o.change(change, to), {name: name, in: put}}
	return r
}

// changeAndDeleted is a change beside a put of a copy, which its writer deletes then: it must not
// come back.
func changeAndDeleted(s *writeCases, change *design.Write, model string) race {
	r, remove := s.changeAndPut(change, model), "delete "+model
	if r.name == "" || !change.Streamed() || s.plan.Write(remove) == nil {
		return race{}
	}
	check, row := r.check, r.writes[1].in.After[model][0]
	r.name = "a change, and a put and then a delete of a copy"
	r.writes[1].then = &write{name: remove, in: rowsOf(model, nil, row)}
	r.check = func(a *outcome) error {
		item, err := s.plan.Item(model, row)
		switch {
		case err != nil:
			return err
		case a.writes[1].err == nil && a.items[a.primaryKey(item)] != nil:
			return fmt.Errorf("an item of %s is there that was deleted", model)
		}
		return check(a)
	}
	return r
}

// changeAndDelete returns the race of a change beside a delete of an item with a copy.
func (s *writeCases) changeAndDelete(change *design.Write, model string) race {
	o, name := s.copiedItem(change), "delete "+model
	if s.plan.Write(name) == nil {
		return race{}
	}
	to := s.other(change.Model, o.item, o.names())
	return race{name: "a change and a delete of a copy", there: o.there(),
		writes: []write{o.change(change, to),
			{name: name, in: rowsOf(model, nil, o.rows[model][0])}},
		check: o.agree(to)}
}

// copiedItem is an item with its copies.
type copiedItem struct {
	*writeCases

	model  string
	item   design.Row
	copies []design.Copy
	rows   map[string][]design.Row // the rows that have copies of it, by model
	late   []modelRow              // the rows that come later
}

// copiedItem returns the item that a write changes, with two items of each model that copies it.
func (s *writeCases) copiedItem(change *design.Write) *copiedItem {
	o := &copiedItem{writeCases: s, model: change.Model, item: s.row(change.Model),
		rows: map[string][]design.Row{}}
	of := s.plan.Design.Model(o.model)
	for _, c := range design.Copies(&s.plan.Design) {
		if changesCopied(change, c) {
			o.copies = append(o.copies, c)
		}
	}
	for _, c := range o.copies {
		if o.rows[c.Model] != nil {
			continue
		}
		m := s.plan.Design.Model(c.Model)
		first := o.copyOf(c, of, s.row(c.Model))
		o.rows[c.Model] = []design.Row{first}
		for range caseRows { // an item may have one copy only
			next := numbering{s}.after(c.Model, first, o.copyOf(c, of, s.row(c.Model)))
			if !sameKey(m, first, next) {
				o.rows[c.Model] = append(o.rows[c.Model], next)
				break
			}
		}
	}
	return o
}

// copyOf makes a row a copy of the item.
func (o *copiedItem) copyOf(c design.Copy, of *design.Model, row design.Row) design.Row {
	for _, all := range design.Copies(&o.plan.Design) {
		if all.Model == c.Model && all.Of == o.model && slices.Equal(all.By, c.By) {
			row[all.Attribute] = o.item[all.Name]
		}
	}
	for i, name := range of.Key {
		row[c.By[i]] = o.item[name]
	}
	return row
}

// isCopied reports whether a row copies an attribute of the item. A row that is of the item in one
// attribute may be of another one in a second.
func (o *copiedItem) isCopied(c design.Copy, row design.Row) bool {
	for i, name := range o.plan.Design.Model(c.Of).Key {
		if row[c.By[i]] != o.item[name] {
			return false
		}
	}
	return true
}

// copying returns a row of a model with the copies that it has of the item once that has the values
// of another row.
func (o *copiedItem) copying(model string, row, other design.Row) design.Row {
	now := maps.Clone(row)
	for _, c := range o.copies {
		if c.Model == model && o.isCopied(c, row) {
			now[c.Attribute] = other[c.Name]
		}
	}
	return now
}

// names returns the attributes of the item that are copied.
func (o *copiedItem) names() (names []string) {
	for _, c := range o.copies {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// there returns the rows that are there before: the item, its copies, and the items that count the
// copies. Where the item itself counts them, it gets these counters.
func (o *copiedItem) there() (all []modelRow) {
	item := maps.Clone(o.item)
	for _, model := range slices.Sorted(maps.Keys(o.rows)) {
		put := o.plan.Write("put " + model)
		side := *o.writeCases
		if side.write = put; put == nil {
			side.write = &design.Write{Model: model}
		}
		side.planned = side.write
		for _, r := range side.before(slices.Concat(o.rows[model], o.lateOf(model)),
			o.rows[model]) {
			if r.model != o.model || !sameKey(o.plan.Design.Model(o.model), r.row, item) {
				all = append(all, r)
				continue
			}
			maps.Copy(item, countersIn(r, side.adding()))
		}
	}
	o.item = item
	return o.distinct(append([]modelRow{{o.model, item}}, all...))
}

// countersIn returns the counters of a row that some actions add to.
func countersIn(r modelRow, adding []design.Action) design.Row {
	counters := design.Row{}
	for _, a := range adding {
		for _, add := range a.Adds {
			if n, ok := r.row[add.Counter]; ok && a.Model == r.model {
				counters[add.Counter] = n
			}
		}
	}
	return counters
}

// lateOf returns the rows of a model that come later.
func (o *copiedItem) lateOf(model string) (all []design.Row) {
	for _, r := range o.late {
		if r.model == model {
			all = append(all, r.row)
		}
	}
	return all
}

// to returns the item with the values of another row in what is copied.
func (o *copiedItem) to(other design.Row) design.Row { return with(o.item, other, o.names()) }

// change returns the write that gives the item, and the copies that are there, other values.
func (o *copiedItem) change(w *design.Write, other design.Row) write {
	in := rowsOf(o.model, o.to(other), o.item)
	for model, rows := range o.rows {
		in.Before[model] = rows
		for _, row := range rows {
			in.After[model] = append(in.After[model], o.copying(model, row, other))
		}
	}
	return write{name: w.Name, in: in}
}

// agreeOnce checks as agree does, for changes of the same value: exactly one of them has taken
// place.
func (o *copiedItem) agreeOnce(others ...design.Row) func(a *outcome) error {
	return func(a *outcome) error {
		if done := a.done(); done != 1 {
			return fmt.Errorf("%d changes of one value have taken place", done)
		}
		return o.agree(others...)(a)
	}
}

// agree checks that all copies that are there have the value of their item, which is the old one or
// that of one of the others.
func (o *copiedItem) agree(others ...design.Row) func(a *outcome) error {
	return func(a *outcome) error {
		now := design.Row(nil)
		for _, other := range append([]design.Row{o.item}, others...) {
			if row := o.to(other); a.has(o.model, row) {
				now = row
			}
		}
		switch {
		case now == nil:
			return fmt.Errorf("the item of %s is not there", o.model)
		case a.done() == 0:
			return fmt.Errorf("nobody has written")
		}
		for _, c := range o.copies {
			for _, row := range slices.Concat(o.rows[c.Model], o.lateOf(c.Model)) {
				item, err := o.plan.Item(c.Model, row)
				if err != nil {
					return err
				}
				row = o.copying(c.Model, row, now)
				if a.items[a.primaryKey(item)] != nil && !a.has(c.Model, row) {
					return fmt.Errorf("%s of %s is not %s of %s", c.Attribute, c.Model, c.Name,
						c.Of)
				}
			}
		}
		return nil
	}
}

// oldCopies returns the cases of a transaction that puts an item with a copy of an old value: the
// plan must refuse it.
func oldCopies(s *writeCases, one design.Writing, there []modelRow) (all []race) {
	for _, a := range s.planned.Actions {
		for _, same := range a.Same {
			if same.Next {
				continue
			}
			row := maps.Clone(one.After[a.Of][0])
			row[same.As] = s.other(a.Of, row, []string{same.As})[same.As]
			in := design.Writing{Before: one.Before, After: maps.Clone(one.After)}
			in.After[a.Of] = append([]design.Row{row}, one.After[a.Of][1:]...)
			all = append(all, race{name: "one with an old copy of " + a.Model, there: there,
				writes: []write{{name: s.write.Name, in: in}}, check: func(x *outcome) error {
					if x.done() > 0 {
						return errors.New("it takes place")
					}
					return nil
				}})
		}
	}
	return all
}

// lasting makes the races of puts whose values are those of the newest item.
type lasting struct{ *writeCases }

// races returns the races of puts of items with one parent, for each action that keeps the values
// of the newest of them. Two are put at a time, and their records come in any order and twice;
// others are older than the last one. A parent that does not exist must not come by a last value.
func (s lasting) races() (all []race) {
	for _, a := range s.planned.Later {
		if a.Kind != design.SetLast {
			continue
		}
		older, newer, newest, ok := s.rows(&a)
		if !ok {
			continue
		}
		put := func(row design.Row) write {
			return write{name: s.write.Name, in: rowsOf(s.write.Model, row, nil)}
		}
		both := []design.Row{older, newer}
		others := s.parents([]design.Row{older, newer, newest}, nil) // what counts them
		of := slices.IndexFunc(others, func(r modelRow) bool { return r.model == a.Model })
		if of < 0 {
			parent := s.row(a.Model)
			maps.Copy(parent, a.ParentKey(older))
			of, others = len(others), append(others, modelRow{a.Model, parent})
		}
		there := func(row design.Row) []modelRow {
			rows := slices.Clone(others)
			rows[of].row = withLast(&a, rows[of].row, row)
			return rows
		}
		least := 2
		alone, isNewer := newer, true
		if n := numbering(s); n.numbers() { // the second one may be refused
			least, alone = 1, n.give(s.write.Model, maps.Clone(newer), 1)
			isNewer = alone[a.Lasts[0].Of] == newer[a.Lasts[0].Of]
		}
		parent := others[of].row
		s.copyOriginals([]design.Row{older, newer, newest, alone}, others)
		all = append(all,
			race{name: "two puts, the newest of which is the last", there: there(nil),
				writes: []write{put(older), put(newer)}, faults: 1,
				check: s.isLast(&a, parent, nil, both, least)},
			race{name: "two puts that are older than the last", there: there(newest),
				writes: []write{put(older), put(newer)}, faults: 1,
				check: s.isLast(&a, parent, newest, both, least)})
		if isNewer {
			all = append(all, race{name: "a put that is newer than the last", there: there(older),
				writes: []write{put(alone)}, faults: 1,
				check: s.isLast(&a, parent, nil, []design.Row{alone}, 1)})
		}
		if of == 0 && len(others) == 1 {
			all = append(all, race{name: "a put without the item that has its values",
				writes: []write{put(newer)}, check: s.isNone(&a, newer)})
		}
	}
	return all
}

// rows returns three rows that are of one item, each newer than the one before, with other values.
// It returns false if they cannot have different keys.
func (s lasting) rows(a *design.Action) (older, newer, newest design.Row, ok bool) {
	m := s.plan.Design.Model(a.Of)
	order := a.Lasts[0].Of
	shared := slices.Clone(a.By)
	for _, add := range s.adding() {
		shared = append(shared, s.shared(add)...)
	}
	first := s.row(m.Name)
	rows := []design.Row{first}
	for n := range 2 {
		row := s.other(m.Name, rows[n], lastValuesOf(a))
		for range caseRows { // another one than both
			if !slices.ContainsFunc(rows,
				func(o design.Row) bool { return sameKey(m, o, with(row, first, shared)) }) {
				break
			}
			row = s.row(m.Name)
		}
		rows = append(rows, with(row, first, shared))
	}
	for i, row := range rows {
		row[order] = ordered(m.Attribute(order), i)
		if n := numbering(s); n.numbers() {
			n.give(m.Name, row, int64(i+1))
		}
	}
	older, newer, newest = rows[0], rows[1], rows[2]
	return older, newer, newest, !sameKey(m, older, newer) && !sameKey(m, newer, newest) &&
		!slices.Contains(shared, order)
}

// copyOriginals gives rows the copies that the stream's consumer would give them of what is there.
func (s lasting) copyOriginals(rows []design.Row, there []modelRow) {
	for _, c := range design.Copies(&s.plan.Design) {
		if c.Model != s.write.Model || c.Kept != design.ByStream {
			continue
		}
		key := s.plan.Design.Model(c.Of).Key
		for _, r := range there {
			for _, row := range rows {
				same := r.model == c.Of
				for i, name := range key {
					same = same && row[c.By[i]] == r.row[name]
				}
				if same {
					row[c.Attribute] = r.row[c.Name]
				}
			}
		}
	}
}

// lastValuesOf returns the attributes of a new item whose values an action sets.
func lastValuesOf(a *design.Action) (names []string) {
	for _, last := range a.Lasts {
		names = append(names, last.Of)
	}
	return names
}

// ordered returns value number n of an attribute that says what is new. As text, the second number
// comes before the first.
func ordered(a *design.Attribute, n int) any {
	switch {
	case a.Type == design.Number:
		return []int64{9, 10, 110}[n]
	case a.Format == design.ULID:
		return fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ69G5FA%d", n)
	}
	return fmt.Sprintf("2026-01-0%dT10:00:00.000Z", n+1)
}

// withLast returns a row of an action's model with the values of a new item, or with none.
func withLast(a *design.Action, parent, row design.Row) design.Row {
	parent = maps.Clone(parent)
	for _, last := range a.Lasts {
		if delete(parent, last.Attribute); row != nil && row[last.Of] != nil {
			parent[last.Attribute] = row[last.Of]
		}
	}
	return parent
}

// isLast checks that at least so many of the puts are there, and that an item has the values of row
// in all of its keys; with nil, those of the newest of the puts that are there, the last of them.
func (s lasting) isLast(a *design.Action, parent, row design.Row, puts []design.Row,
	least int) func(x *outcome) error {
	return func(x *outcome) error {
		there := slices.DeleteFunc(slices.Clone(puts),
			func(one design.Row) bool { return !x.has(s.write.Model, one) })
		if len(there) < least {
			return fmt.Errorf("an item of %s is not there", s.write.Model)
		}
		last := row
		if last == nil {
			last = there[len(there)-1]
		}
		want, err := x.plan.Item(a.Model, withLast(a, parent, last))
		if err != nil {
			return err
		}
		is := x.items[x.primaryKey(want)]
		for _, last := range a.Lasts {
			for _, name := range x.plan.Entity(a.Model).Holding(last.Attribute) {
				var text string
				if v, ok := want[name]; ok {
					text = string(appendValue(nil, v))
				}
				if string(is[name]) != text {
					return fmt.Errorf("%s of %s is %s, and that of the newest %s is %s", name,
						a.Model, is[name], a.Of, text)
				}
			}
		}
		return nil
	}
}

// isNone checks that last values have made no item of a parent that was not there.
func (s lasting) isNone(a *design.Action, row design.Row) func(x *outcome) error {
	return func(x *outcome) error {
		item, err := x.plan.Item(a.Model, a.ParentKey(row))
		if err == nil && x.items[x.primaryKey(item)] != nil {
			err = fmt.Errorf("there is an item of %s with nothing but last values", a.Model)
		}
		return err
	}
}
