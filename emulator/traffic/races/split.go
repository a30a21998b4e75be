package races

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// wrote is a request that wrote one item, with what its caller knew of it before.
type wrote struct {
	*access
	old   item.Item // "" for no item
	known bool
}

func (w *wrote) target() *target { return &w.writes[0] }

// split looks for two writes in a row of items that belong together.
func (f *finder) split(c *caller, a *access) {
	if len(a.writes) == 0 {
		return
	}
	before := c.wrote
	c.wrote = nil
	if len(a.writes) > 1 || a.writes[0].write.Kind == request.Check {
		return
	}
	old, known := c.known[a.writes[0].id()]
	c.wrote = &wrote{a, old, known}
	if before == nil || before.target().id() == c.wrote.target().id() ||
		!before.moves(c.wrote) && !before.counts(c.wrote) {
		return
	}
	second := c.wrote
	f.try(SplitChange, before.shape+a.shape, func() *Finding { return f.torn(before, second) })
}

// moves reports that two writes may change the same attribute of two items.
func (w *wrote) moves(other *wrote) bool {
	theirs := other.numbers()
	return slices.ContainsFunc(w.numbers(), func(name string) bool {
		return slices.Contains(theirs, name)
	})
}

// numbers returns the attributes that a write may give a number.
func (w *wrote) numbers() (names []string) {
	t := w.target()
	switch {
	case t.write.Update != nil:
		return t.write.Update.Attributes()
	case t.write.Kind == request.Put:
		for name, v := range t.write.Item.All() {
			if v.Type() == item.N && t.key.Get(name) == "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// counts reports that one of two writes may add or delete an item, and the other one count it.
func (w *wrote) counts(other *wrote) bool {
	return w.target().write.Update == nil != (other.target().write.Update == nil) &&
		(linked(w.access, other.access) || linked(other.access, w.access))
}

// change is an item before and after a request, as a replay shows it.
type change struct{ before, after item.Item }

// by returns by how much a request changed a number. It returns nil for what is no number.
func (c *change) by(name string) *big.Rat {
	before, after := rational(c.before, name), rational(c.after, name)
	if before == nil || after == nil {
		return nil
	}
	return after.Sub(after, before)
}

// rational returns the number of an attribute: 0 for a missing one, nil for one that is no number.
func rational(it item.Item, name string) *big.Rat {
	if it == "" || it.Get(name) == "" {
		return new(big.Rat)
	}
	if it.Get(name).Type() != item.N {
		return nil
	}
	r, ok := new(big.Rat).SetString(it.Get(name).Num())
	if !ok {
		return nil
	}
	return r
}

// torn is a finding if a replay shows that two writes belong together. Where the items are not
// known, it has the same to show whatever their numbers are.
func (f *finder) torn(first, second *wrote) *Finding {
	why := f.bond(first, second, "1000")
	if why == "" || (!first.known || !second.known) && f.bond(first, second, "2000") != why {
		return nil
	}
	return &Finding{
		Kind:     SplitChange,
		Requests: []Step{first.step(*first.target()), second.step(*second.target())},
		Why:      "Two requests change items that belong together: " + why + ".",
		Order: []string{
			fmt.Sprintf("request %d is executed", first.number),
			fmt.Sprintf("the program ends before request %d, or another one reads both items",
				second.number),
			"the items do not agree",
		},
		Remedy:    "Write both in one TransactWriteItems.",
		Confirmed: true,
	}
}

// bond replays two writes and says how they belong together, "" if they do not, or are refused. An
// item that is not known has a number in all attributes that are written.
func (f *finder) bond(first, second *wrote, number string) string {
	p := f.template.fork()
	for _, w := range [...]*wrote{first, second} {
		if it := w.standIn(number); it != "" {
			p.put(w.target().table, it)
		}
	}
	var changes [2]change
	for i, w := range [...]*wrote{first, second} {
		t := w.target()
		changes[i].before = p.item(t.table, t.key)
		if status, _ := p.send(w.Operation, withoutToken(w.Request)); status != 200 {
			return ""
		}
		changes[i].after = p.item(t.table, t.key)
	}
	if text := moved(first, &changes[0], &changes[1]); text != "" {
		return text
	}
	if text := tallied(second, &changes[0], &changes[1]); text != "" {
		return text
	}
	return tallied(first, &changes[1], &changes[0])
}

// standIn returns the item before a write.
func (w *wrote) standIn(number string) item.Item {
	t := w.target()
	if w.known || t.write.Kind == request.Put {
		return w.old
	}
	var list []item.Attribute
	for name, v := range t.key.All() {
		list = append(list, item.Attribute{Name: name, Value: v})
	}
	for _, name := range w.numbers() {
		if t.key.Get(name) == "" {
			list = append(list,
				item.Attribute{Name: name, Value: item.Value(`{"N":"` + number + `"}`)})
		}
	}
	return item.New(list...)
}

// moved says which attribute has less in one item by what it has more in the other.
func moved(w *wrote, first, second *change) string {
	for _, name := range w.numbers() {
		a, b := first.by(name), second.by(name)
		if a != nil && b != nil && a.Sign() != 0 && a.Cmp(new(big.Rat).Neg(b)) == 0 {
			return fmt.Sprintf("what one has less of %s, the other one has more", name)
		}
	}
	return ""
}

// tallied says which attribute counts an item that is added or deleted. w is the write of count.
func tallied(w *wrote, of, count *change) string {
	var step int64
	what := "added"
	switch {
	case of.before == "" && of.after != "":
		step = 1
	case of.before != "" && of.after == "":
		step, what = -1, "deleted"
	default:
		return ""
	}
	if w.target().write.Update == nil {
		return ""
	}
	for _, name := range w.numbers() {
		if by := count.by(name); by != nil && by.Cmp(big.NewRat(step, 1)) == 0 {
			return fmt.Sprintf("one is %s, and %s of the other one counts it", what, name)
		}
	}
	return ""
}
