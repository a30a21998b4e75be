package proof

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// beforeAll is the order of an item that comes before its newest children.
type beforeAll struct{}

// first orders such an item.
var first any = beforeAll{}

// newest compares what orders an item and its children: the item comes first, then the newest
// child.
func newest(a, b any) int {
	switch {
	case a == first && b == first:
		return 0
	case a == first:
		return -1
	case b == first:
		return 1
	}
	return compare(b, a)
}

// crowd is how many rows of children there are for each that a pattern reads. Every third one is of
// the first three parents.
const crowd = 12

// latest returns a request for so many of the rows that it has to find: for an item and its newest
// children, or any of those that are as old as the last of them.
func (r *request) latest(limit int) *request {
	if len(r.expected) <= limit {
		return &request{r.values, r.expected, limit}
	}
	last, left := r.sorted()[limit-1], maps.Clone(r.expected)
	maps.DeleteFunc(left,
		func(_ string, e expected) bool { return newest(e.order, last) > 0 })
	return &request{r.values, left, limit}
}

// sorted returns what orders the rows that a request has to find, in their order.
func (r *request) sorted() (orders []any) {
	for _, e := range r.expected {
		orders = append(orders, e.order)
	}
	slices.SortFunc(orders, newest)
	return orders
}

// most returns how many rows a request has to find.
func (r *request) most() int {
	if r.limit > 0 {
		return min(r.limit, len(r.expected))
	}
	return len(r.expected)
}

// checkLatest checks that an item comes first, and then its newest children.
func checkLatest(result *Pattern, pattern *design.Pattern, r *request, order []any) {
	if len(order) > r.limit {
		result.fail("%s finds %d items, and should find %d at most", show(r.values), len(order),
			r.limit)
		return
	}
	by, _ := pattern.Newest()
	want := r.sorted()
	for i, got := range order {
		switch {
		case newest(got, want[i]) == 0:
			continue
		case want[i] == first:
			result.fail("%s: the item of %s does not come first", show(r.values), pattern.Models[0])
		case got == first:
			result.fail("%s: the item of %s comes behind children", show(r.values),
				pattern.Models[0])
		default:
			result.fail("%s: item %d has %s %v, and %v comes first", show(r.values), i+1, by, got,
				want[i])
		}
		return
	}
}

// lasting makes the races of puts whose values are those of the newest item.
type lasting struct{ *writeCases }

// races are puts of items that are of one other item: the newest has to be the last, for
// each of the actions that say so: two at a time, whose records come in any order and twice, and
// one that is older than what is there. An item that is not there must not come by a last value.
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
		all = append(all,
			race{name: "two puts, the newest of which is the last", there: there(nil),
				writes: []write{put(older), put(newer)}, faults: 1,
				check: s.isLast(&a, parent, both, both, least)},
			race{name: "two puts that are older than the last", there: there(newest),
				writes: []write{put(older), put(newer)}, faults: 1,
				check: s.isLast(&a, parent, []design.Row{newest}, both, least)})
		if isNewer {
			one := []design.Row{alone}
			all = append(all, race{name: "a put that is newer than the last", there: there(older),
				writes: []write{put(alone)}, faults: 1, check: s.isLast(&a, parent, one, one, 1)})
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

// isLast checks that an item has the values of the newest of some rows in all of its keys, and that
// at least so many of the puts are there. A put that is not there is not the newest.
func (s lasting) isLast(a *design.Action, parent design.Row, rows, puts []design.Row,
	least int) func(x *outcome) error {
	return func(x *outcome) error {
		missing := slices.DeleteFunc(slices.Clone(puts),
			func(one design.Row) bool { return x.has(s.write.Model, one) })
		if len(puts)-len(missing) < least {
			return fmt.Errorf("an item of %s is not there", s.write.Model)
		}
		row := rows[len(rows)-1]
		if m := s.plan.Design.Model(s.write.Model); len(missing) > 0 &&
			sameKey(m, missing[0], row) {
			row = rows[0]
		}
		want, err := x.plan.Item(a.Model, withLast(a, parent, row))
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

// isNone checks that there is no item with nothing but the values of a row.
func (s lasting) isNone(a *design.Action, row design.Row) func(x *outcome) error {
	return func(x *outcome) error {
		item, err := x.plan.Item(a.Model, a.ParentKey(row))
		if err == nil && x.items[x.primaryKey(item)] != nil {
			err = fmt.Errorf("there is an item of %s with nothing but last values", a.Model)
		}
		return err
	}
}
