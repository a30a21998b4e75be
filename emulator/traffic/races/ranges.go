package races

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// maxRanges is how many of the last reads of ranges are kept of a caller.
const maxRanges = 16

// rangeRead is a read of a range or of an index, with what it has found.
type rangeRead struct {
	by    *access
	read  *request.Read
	items []item.Item
	end   time.Time
}

// keepRanges keeps the reads of ranges of a request.
func (f *finder) keepRanges(c *caller, a *access, found map[string][]item.Item) {
	for i := range a.does.Reads {
		r := &a.does.Reads[i]
		if r.Key == "" {
			c.ranges = append(c.ranges, rangeRead{a, r, found[r.Table], a.Time.Add(a.Took)})
		}
	}
	if n := len(c.ranges); n > maxRanges {
		c.ranges = slices.Delete(c.ranges, 0, n-maxRanges)
	}
}

// afterRange looks for puts that rely on what a range had, or did not have.
func (f *finder) afterRange(c *caller, a *access) {
	for i := range a.writes {
		t := &a.writes[i]
		if t.write.Kind == request.Put && len(a.writes) == 1 { // a transaction may have a guard
			for j := range slices.Backward(c.ranges) {
				r := &c.ranges[j]
				if r.read.Table != t.table || r.end.After(a.Time) {
					continue
				}
				if why := cmp.Or(f.taken(r, t), f.numbered(r, t)); why != "" {
					f.try(CheckThenPut, r.by.shape+a.shape,
						func() *Finding { return f.both(c, why, r, a, *t) })
					break
				}
			}
		}
		c.ranges = slices.DeleteFunc(c.ranges,
			func(r rangeRead) bool { return r.read.Table == t.table }) // the caller has changed it
	}
}

// inKey reports whether an attribute is part of a table's key.
func (f *finder) inKey(table, name string) bool {
	return slices.ContainsFunc(f.tables[table], func(p keyPart) bool { return p.name == name })
}

// taken says that a read by an attribute outside of the key has found nothing, and a put would have
// been found by it.
func (f *finder) taken(r *rangeRead, t *target) string {
	if len(r.items) > 0 || len(r.read.Terms) == 0 {
		return ""
	}
	name := ""
	for i := range r.read.Terms {
		term := &r.read.Terms[i]
		if !term.Holds(t.write.Item.Get(term.Name)) {
			return ""
		}
		if !f.inKey(t.table, term.Name) {
			name = term.Name
		}
	}
	if name == "" {
		return ""
	}
	return fmt.Sprintf("A query finds no item with this %s, and a put of one follows: a condition "+
		"on the put sees only its own key.", name)
}

// numbered says that a put has the number after the last one that a range had.
func (f *finder) numbered(r *rangeRead, t *target) string {
	if len(r.items) == 0 || slices.ContainsFunc(r.items, func(it item.Item) bool {
		return f.keyOf(t.table, it) == t.key
	}) {
		return ""
	}
	found := ""
	for name, v := range t.write.Item.All() {
		if !follows(v, name, r.items) {
			continue
		}
		if f.inKey(t.table, name) && (t.write.Insert || t.write.Condition != nil) {
			return "" // another put of the same number is refused
		}
		found = name
	}
	if found == "" {
		return ""
	}
	return fmt.Sprintf("A query finds the last %s, and a put of the next one follows, which no "+
		"condition guards.", found)
}

// follows reports whether the number in a value is the one after the last of an attribute.
func follows(v item.Value, name string, items []item.Item) bool {
	number, last := endOf(v), (*big.Rat)(nil)
	for _, it := range items {
		n := endOf(it.Get(name))
		if n != nil && (last == nil || n.Cmp(last) > 0) {
			last = n
		}
	}
	return number != nil && last != nil &&
		new(big.Rat).Sub(number, last).Cmp(big.NewRat(1, 1)) == 0
}

// endOf returns a number, or that at the end of a text, or nil.
func endOf(v item.Value) *big.Rat {
	if v == "" {
		return nil
	}
	text := ""
	switch v.Type() {
	case item.N:
		text = v.Num()
	case item.S:
		text = v.Str()[len(strings.TrimRight(v.Str(), "0123456789")):]
	}
	if text == "" || len(text) > 18 {
		return nil
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return n
}

// both has two workers read the range, and then put. Where the key is not what was read, the second
// one puts under another key.
func (f *finder) both(c *caller, why string, r *rangeRead, a *access, t target) *Finding {
	p, _ := f.seeded(c, a)
	found := &Finding{
		Kind: CheckThenPut, Why: why,
		Requests: []Step{{r.by.number, r.by.Operation, t.table, ""}, a.step(t)},
		Remedy: "Write an item whose key is the value or the number, with attribute_not_exists, in " +
			"the same TransactWriteItems, or count in one item by ADD.",
		Order: []string{
			fmt.Sprintf("worker A: request %d reads", r.by.number),
			fmt.Sprintf("worker B: request %d reads the same", r.by.number),
			fmt.Sprintf("worker A: request %d is accepted", a.number),
			"worker B: its put of the same is accepted too",
		},
	}
	if status, answer := p.send(a.Operation, a.Request); status != 200 {
		found.Reason = "the replay of the put was refused: " + answer
		return found
	}
	body := a.Request
	if t.write.Insert || t.write.Condition != nil {
		if body = f.underOtherKey(a, t); body == nil {
			found.Reason = "the replay has no other key for the second put"
			return found
		}
	}
	if second, _ := p.send(a.Operation, body); second != 200 {
		return nil
	}
	found.Confirmed = true
	return found
}

// underOtherKey returns a put with another partition key, nil if it has none that is a text.
func (f *finder) underOtherKey(a *access, t target) json.RawMessage {
	v := t.key.Get(f.tables[t.table][0].name)
	if v == "" || v.Type() != item.S || a.Operation != "PutItem" {
		return nil
	}
	old, err := json.Marshal(v.Str())
	other, err2 := json.Marshal(v.Str() + "~2")
	if err != nil || err2 != nil {
		return nil
	}
	return bytes.ReplaceAll(a.Request, old, other)
}
