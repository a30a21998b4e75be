package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// keeper finds the writes that keep the rules of a plan's design.
type keeper struct{ *Plan }

// writes returns the writes that keep the invariants of a plan's design.
func (p keeper) writes() (all []Write) {
	d := rules{&p.Design}
	for i := range d.Models {
		m := &d.Models[i]
		guards, field := d.guards(m.Name), fmt.Sprintf("models[%d]", i)
		if len(guards) > 0 || d.adding(m, false).some() || len(d.copiesIn(m, ByStream)) > 0 ||
			len(d.feedsOf(m)) > 0 || len(setsLast(d, m)) > 0 {
			all = append(all, p.putAndDelete(m, guards, field)...)
		}
		for _, g := range guards {
			all = append(all, p.change(m, g, field))
		}
		all = append(all, p.changesOfCopied(m, field)...)
		all = append(all, p.changesOfCounted(m, field)...)
	}
	for i := range d.Transactions {
		all = append(all, p.transaction(i))
	}
	return all
}

// putAndDelete returns the writes that put and delete an item of a model, with its guards and what
// counts it.
func (p keeper) putAndDelete(m *Model, guards []*Model, field string) []Write {
	put := Write{Name: "put " + m.Name, Model: m.Name, Rate: m.Puts - m.putTogether, Field: field,
		Actions: []Action{{Kind: PutItem, Model: m.Name, Count: 1, If: MustNot}}}
	remove := Write{Name: "delete " + m.Name, Model: m.Name, Rate: m.Deletes, Field: field,
		Actions: []Action{{Kind: DeleteItem, Model: m.Name, Count: 1, If: MustBeSame,
			Sets: rules{&p.Design}.kept(m)}}}
	if len(remove.Actions[0].Sets) == 0 {
		remove.Actions[0].If = MustExist
	}
	for _, g := range guards {
		put.Actions = append(put.Actions,
			Action{Kind: PutItem, Model: g.Name, Count: 1, If: MustNot})
		remove.Actions = append(remove.Actions,
			Action{Kind: DeleteItem, Model: g.Name, Count: 1})
	}
	for _, w := range []*Write{&put, &remove} {
		rules{&p.Design}.adding(m, w == &remove).into(w)
	}
	for _, f := range (rules{&p.Design}).feedsOf(m) {
		count := max(int(f.Items/max(m.Items, 1)), 1)
		put.Later = append(put.Later,
			Action{Kind: PutItem, Model: f.Name, Any: true, Count: count})
		if f.Feed.Cleaned {
			remove.Later = append(remove.Later,
				Action{Kind: DeleteItem, Model: f.Name, Any: true, Count: count})
		}
	}
	if len(remove.Actions) == 1 && len(remove.After) == 0 {
		// the stream has a record of what was there, and of nothing else
		remove.Actions[0].If, remove.Actions[0].Sets = Always, nil
	}
	// one copy may change while another is brought up to date
	for _, name := range (rules{&p.Design}).copiesIn(m, ByStream) {
		put.Later = append(put.Later, Action{Kind: UpdateItem, Model: m.Name, Count: 1,
			If: MustBeSame, Sets: []string{name}, Any: true})
	}
	put.Later = append(put.Later, setsLast(rules{&p.Design}, m)...)
	return []Write{put, remove}
}

// kept returns the attributes of a model that its guards have, or by which it is counted: what a
// delete has to know.
func (d rules) kept(m *Model) (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) && !slices.Contains(m.Key, name) {
			names = append(names, name)
		}
	}
	for _, unique := range m.Unique {
		for _, name := range unique {
			add(name)
		}
	}
	for _, c := range d.counters() {
		if c.of.Name != m.Name || c.attribute.Numbers != "" {
			continue
		}
		for _, name := range append(slices.Clone(c.by), c.attribute.summed()) {
			add(name)
		}
		for _, name := range slices.Sorted(maps.Keys(c.attribute.Where)) {
			add(name)
		}
	}
	return names
}

// changeName returns the name of a write that changes what is unique.
func changeName(m *Model, unique []string) string {
	return "change " + strings.Join(unique, " and ") + " of " + m.Name
}

// change returns the write that changes what a guard reserves.
func (p keeper) change(m, g *Model, field string) Write {
	w := Write{Name: changeName(m, g.Reserves.Unique), Model: m.Name, Field: field}
	d := rules{&p.Design}
	changed := d.changes(m, g.Reserves.Unique)
	for _, c := range m.Changes {
		if slices.ContainsFunc(c.Of,
			func(name string) bool { return slices.Contains(changed, name) }) {
			w.Rate += c.Rate
		}
	}
	w.Actions = []Action{
		{Kind: UpdateItem, Model: m.Name, Count: 1, If: MustBeSame, Sets: changed}}
	guards := []*Model{g}
	for _, other := range d.guards(m.Name) { // those that have the old value, too
		if other != g && slices.ContainsFunc(other.Reserves.Unique,
			func(name string) bool { return slices.Contains(changed, name) }) {
			guards = append(guards, other)
		}
	}
	for _, g := range guards {
		w.Actions = append(w.Actions,
			Action{Kind: DeleteItem, Model: g.Name, Count: 1, Before: true},
			Action{Kind: PutItem, Model: g.Name, Count: 1, If: MustNot})
	}
	return w
}

// counting holds what a put or a delete adds to counters.
type counting struct {
	together []Action // actions in its transaction
	after    []Action // actions by requests of their own
	later    []Action // actions of the consumer of the stream
	once     []Action // a transaction of the consumer, with the item that marks the record
}

// some reports whether something is counted.
func (c counting) some() bool {
	return len(c.together)+len(c.after)+len(c.later)+len(c.once) > 0
}

// into adds what is counted to a write.
func (c counting) into(w *Write) {
	w.Actions, w.After = append(w.Actions, c.together...), append(w.After, c.after...)
	w.Later, w.Once = append(w.Later, c.later...), append(w.Once, c.once...)
}

// by returns the actions of a way to keep counters.
func (c *counting) by(k Keeping) *[]Action {
	switch k {
	case ByAdd:
		return &c.after
	case ByStream:
		return &c.later
	case ByStreamOnce:
		return &c.once
	}
	return &c.together
}

// adding returns what a put of items of a model, or a delete, adds to counters.
func (d rules) adding(m *Model, minus bool) (all counting) {
	for _, c := range d.counters() {
		if c.of.Name != m.Name || minus && c.attribute.Numbers != "" {
			continue // a number that was given is not given again
		}
		into := all.by(c.kept())
		added := c.added()
		same := func(a Action) bool {
			return a.Model == c.model.Name && slices.Equal(a.By, c.by)
		}
		if i := slices.IndexFunc(*into, same); i >= 0 {
			(*into)[i].Adds = append((*into)[i].Adds, added) // a transaction writes an item once
			(*into)[i].Same = append((*into)[i].Same, needed(d, &c, minus)...)
			continue
		}
		a := Action{Kind: AddTo, Model: c.model.Name, Count: 1, If: MustExist,
			Adds: []Added{added}, Key: c.model.Key, Of: m.Name, By: c.by,
			Tenant: d.tenantOf(c.model), Minus: minus}
		if c.model.OnlyCounts() {
			a.If = Always
		}
		a.Same = needed(d, &c, minus)
		*into = append(*into, a)
	}
	if i := slices.IndexFunc(d.Models,
		func(o Model) bool { return o.Marks == m.Name }); len(all.once) > 0 && i >= 0 {
		mark := Action{Kind: PutItem, Model: d.Models[i].Name, Count: 1, If: MustNot}
		all.once = append([]Action{mark}, all.once...)
	}
	return all
}

// transaction returns the write of a Transaction, with the guards and counters of what it puts.
func (p keeper) transaction(i int) Write {
	d := rules{&p.Design}
	t := &d.Transactions[i]
	w := Write{Name: t.Name, Rate: t.Rate, Field: fmt.Sprintf("transactions[%d]", i)}
	for j := range t.Puts {
		m, n := d.Model(t.Puts[j].Model), t.Puts[j].items()
		w.Actions = append(w.Actions, Action{Kind: PutItem, Model: m.Name, Count: n, If: MustNot})
		for _, g := range d.guards(m.Name) {
			w.Actions = append(w.Actions,
				Action{Kind: PutItem, Model: g.Name, Count: n, If: MustNot})
		}
		adds := d.adding(m, false)
		for k := range adds.together {
			adds.together[k].Count = n // an item each, at most
		}
		adds.into(&w)
	}
	for j := range t.Updates {
		u := &t.Updates[j]
		if u.amounts() {
			w.Actions = append(w.Actions, u.takes()...)
			continue
		}
		w.Actions = append(w.Actions, Action{Kind: UpdateItem, Model: u.Model, Count: u.items(),
			If: MustBeSame, Sets: d.changed(u)})
	}
	return w
}

// checkCounters checks that ADD can change each counter: no key has it beside other values.
func checkCounters(p *Plan) error {
	for i := range p.Design.Models {
		m := &p.Design.Models[i]
		for j := range m.Attributes {
			a := &m.Attributes[j]
			if a.counted() == "" {
				continue
			}
			for _, s := range p.Entity(m.Name).Keys {
				has := func(part Part) bool { return part.Attribute == a.Name }
				if slices.ContainsFunc(s.Value, has) &&
					(len(s.Value) > 1 || s.Value[0].Digits > 0) {
					return conventions.FieldErrorf(
						fmt.Sprintf("models[%d].attributes[%d].%s", i, j, a.countedIn()),
						"%s holds %s as text, %s, and ADD changes numbers only: order by it in no pattern, or leave %s out and write the number yourself",
						s.Name, a.Name, s.Value, a.countedIn())
				}
			}
		}
	}
	return nil
}

// checkLimits checks that transactions are within the limits of TransactWriteItems.
func checkLimits(p keeper) error {
	for i := range p.Writes {
		w := &p.Writes[i]
		items, bytes := p.written(w)
		switch {
		case items > transactItems:
			return conventions.FieldErrorf(w.Field,
				"%s writes %d items, and a transaction has at most %d", w.Name, items, transactItems)
		case items > 1 && bytes > transactBytes:
			return conventions.FieldErrorf(w.Field,
				"%s writes %.1f MB, and a transaction has at most 4 MB", w.Name, bytes/(1<<20))
		}
	}
	return nil
}

// written returns how many items a write writes by one request, and their size.
func (p keeper) written(w *Write) (items int, bytes float64) {
	for i := range w.Actions {
		a := &w.Actions[i]
		items += a.Count
		bytes += float64(a.Count) * p.itemBytes(a.Model)
	}
	return items, bytes
}

// transactBytes is how much TransactWriteItems writes at most.
const transactBytes = 4 << 20

// checkCopies checks that a change fits into a transaction with its copies.
func checkCopies(p *Plan) error {
	d := rules{&p.Design}
	for _, c := range d.copies() {
		if c.attribute.Kept == ByTransaction && (rowStore{p}).Alone(c.of.Name, c.name) == "" {
			return conventions.FieldErrorf("models",
				"keys hold %s beside other values only, so that no put can compare it: say kept: stream of %s.%s",
				c.attribute.Of, c.model.Name, c.attribute.Name)
		}
	}
	for i := range p.Design.Models {
		for j := range p.Design.Models[i].Attributes {
			items, which := 1.0, ""
			for _, c := range d.copies() {
				a := &p.Design.Models[i].Attributes[j]
				if c.attribute.Kept == ByTransaction && c.attribute.Of == a.Of && a.Kept != "" {
					mean, most := c.each()
					items += most
					if most > mean {
						which = ", the one that has the most of them,"
					}
				}
			}
			if items > transactItems {
				a := &p.Design.Models[i].Attributes[j]
				return conventions.FieldErrorf(
					fmt.Sprintf("models[%d].attributes[%d].kept", i, j),
					"a change of %s%s writes %.0f items with its copies, and a transaction has at most %d: say kept: stream",
					a.Of, which, items, transactItems)
			}
		}
	}
	return nil
}

// changesOfCopied returns the writes that change what is copied of a model's items, with its
// copies.
func (p keeper) changesOfCopied(m *Model, field string) (all []Write) {
	d := rules{&p.Design}
	for i := range m.Attributes {
		name := m.Attributes[i].Name
		w := Write{Name: changeName(m, []string{name}), Model: m.Name, Field: field}
		update := Action{Kind: UpdateItem, Model: m.Name, Count: 1, If: MustBeSame,
			Sets: []string{name}}
		var copies []Action
		for _, c := range d.copies() {
			if c.of.Name != m.Name || c.name != name || c.attribute.Kept == Never {
				continue
			}
			mean, _ := c.each()
			w.Rate = c.rate()
			one := Action{Kind: UpdateItem, Model: c.model.Name, Count: int(mean), Any: true,
				Sets: []string{c.attribute.Name}}
			if c.attribute.Kept == ByStream {
				one.If = MustExist
				w.Later = append(w.Later, one)
				continue
			}
			copies = append(copies, one)
			if counter := d.copiesCounter(c); !slices.Contains(update.Checks, counter) {
				update.Checks = append(update.Checks, counter)
			}
		}
		if w.Actions = append([]Action{update}, copies...); len(copies)+len(w.Later) > 0 {
			all = append(all, w)
		}
	}
	return all
}

// takes returns the action of an update that takes from numbers, or gives. A transaction writes an
// item once, so there is one of the two: see checkAmounts.
func (w *Written) takes() []Action {
	if len(w.Takes) > 0 {
		return []Action{{Kind: TakeFrom, Model: w.Model, Count: w.items(), Takes: w.Takes,
			Minus: true, If: MustHave}}
	}
	return []Action{{Kind: TakeFrom, Model: w.Model, Count: w.items(), Takes: w.Gives,
		If: MustExist}}
}
