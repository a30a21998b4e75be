package races

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// repeated looks for a request that was sent before, and whose answer was lost.
func (f *finder) repeated(c *caller, a *access) {
	if len(a.writes) == 0 {
		return
	}
	name := a.Operation + string(withoutToken(a.Request))
	before := c.unsure[name]
	delete(c.unsure, name)
	if a.unsure() {
		c.unsure[name] = a
	}
	if before != nil {
		f.try(UnsafeRetry, a.shape, func() *Finding { return f.retry(c, before, a) })
	}
}

// retry sends a request twice, and finds it if that changes an item twice.
func (f *finder) retry(c *caller, before, a *access) *Finding {
	p, unknown := f.seeded(c, a)
	t := a.writes[0]
	found := &Finding{
		Kind: UnsafeRetry, Requests: []Step{before.step(t), a.step(t)},
		Why: "The answer to a request was lost or an error of the server, and it was sent again.",
		Order: []string{
			fmt.Sprintf("request %d is executed, and its answer is lost", before.number),
			fmt.Sprintf("request %d is executed as well, and changes the item again", a.number),
		},
		Remedy: "Send it as TransactWriteItems with a ClientRequestToken, or give it a condition " +
			"that its own success makes false, such as a version.",
	}
	if first, answer := p.send(a.Operation, before.Request); first != 200 {
		if a.conditional() || !unknown {
			return nil
		}
		found.Reason = "no request has read the item, and without it the replay is refused: " +
			answer
		return found
	}
	once := state(p, a)
	if second, _ := p.send(a.Operation, a.Request); second != 200 ||
		slices.Equal(once, state(p, a)) {
		return nil
	}
	found.Confirmed = true
	return found
}

// state returns the items that a request writes.
func state(p play, a *access) (list []item.Item) {
	for _, t := range a.writes {
		list = append(list, p.item(t.table, t.key))
	}
	return list
}

// leave keeps what a batch has not processed.
func (f *finder) leave(c *caller, a *access) {
	var answer struct{ UnprocessedItems, UnprocessedKeys json.RawMessage }
	if json.Unmarshal(a.Answer, &answer) != nil {
		return
	}
	rest := answer.UnprocessedItems
	if a.Operation == "BatchGetItem" {
		rest = answer.UnprocessedKeys
	}
	if len(rest) == 0 || string(rest) == "{}" {
		return
	}
	does, err := request.FromJSON(a.Operation, fmt.Appendf(nil, `{"RequestItems":%s}`, rest))
	if err != nil {
		return
	}
	var left []target
	for i := range does.Writes {
		w := &does.Writes[i]
		left = append(left, target{w.Table, f.keyOf(w.Table, w.Attributes()), w})
	}
	for i := range does.Reads {
		r := &does.Reads[i]
		left = append(left, target{r.Table, f.keyOf(r.Table, r.Key), nil})
	}
	for _, t := range left {
		if t.key == "" {
			continue
		}
		l := &leftover{by: a, of: t}
		delete(c.read, t.id()) // it was not read
		delete(c.known, t.id())
		c.pending[t.id()] = l
		c.order = append(c.order, l)
	}
}

// settle takes what a request sends again off the unprocessed items.
func (c *caller) settle(a *access) {
	for _, list := range [...][]target{a.reads, a.writes} {
		for i := range list {
			if l := c.pending[list[i].id()]; l != nil {
				l.settled = true
				delete(c.pending, list[i].id())
			}
		}
	}
}

// goesOn keeps which write comes after a request with a condition.
func (c *caller) goesOn(a *access) {
	before := c.last
	if before == nil || len(a.writes) == 0 || len(before.writes) == 0 || !a.done() ||
		before.shape == a.shape || !linked(before, a) {
		return
	}
	switch {
	case before.done():
		c.follows[before.shape+a.shape] = true
	case before.conditional() && (before.Error == "ConditionalCheckFailedException" ||
		before.Error == "TransactionCanceledException"):
		c.ignored = append(c.ignored, pair{before, a})
	}
}

// linked reports that a request has a value of the other one's key.
func linked(before, a *access) bool {
	for _, t := range before.writes {
		for _, v := range t.key.All() {
			if bytes.Contains(a.Request, []byte(v)) || v.Type() == item.S && len(v.Str()) > 2 &&
				bytes.Contains(a.Request, []byte(v.Str())) {
				return true
			}
		}
	}
	return false
}

// end looks for what only the whole recording shows.
func (f *finder) end() {
	for _, name := range slices.Sorted(maps.Keys(f.callers)) {
		c := f.callers[name]
		for _, l := range c.order {
			if !l.settled {
				f.try(Unprocessed, l.by.shape, func() *Finding { return forgotten(c, l) })
			}
		}
		for _, p := range c.ignored {
			if c.follows[p.first.shape+p.second.shape] {
				f.try(IgnoredFailure, p.first.shape+p.second.shape,
					func() *Finding { return f.wentOn(p) })
			}
		}
	}
}

// forgotten is a finding of an item that was never sent again.
func forgotten(c *caller, l *leftover) *Finding {
	found := &Finding{
		Kind: Unprocessed, Requests: []Step{l.by.step(l.of)},
		Why: "The answer lists an item as unprocessed, and the caller never sends it again.",
		Order: []string{
			fmt.Sprintf("request %d is answered with status 200, without this item", l.by.number),
			"the program goes on, and the item is left out",
		},
		Remedy: "Send what UnprocessedItems or UnprocessedKeys lists again, after a pause, until " +
			"the list is empty.",
		Reason: "the recording itself shows it: no order of requests is needed",
	}
	if c.last == l.by {
		found.Reason = "the recording ends with this request"
	}
	return found
}

// wentOn has a condition fail, and then sends the request that the program sent after it.
func (f *finder) wentOn(p pair) *Finding {
	first, second := p.first, p.second
	found := &Finding{
		Kind:     IgnoredFailure,
		Requests: []Step{first.step(first.writes[0]), second.step(second.writes[0])},
		Why:      "A condition failed, and the program sent what it sends when the write succeeds.",
		Order: []string{
			"another worker makes the condition false",
			fmt.Sprintf("request %d is refused: %s", first.number, first.Error),
			fmt.Sprintf("request %d is accepted all the same", second.number),
		},
		Remedy: "Stop at the failure, or write both in one TransactWriteItems.",
	}
	s := f.template.fork()
	status, _ := s.send(first.Operation, withoutToken(first.Request))
	if status == 200 {
		status, _ = s.send(first.Operation, withoutToken(first.Request))
	}
	if status == 200 {
		found.Reason = "the condition holds in the replay"
		return found
	}
	if status, answer := s.send(second.Operation, withoutToken(second.Request)); status != 200 {
		found.Reason = "the second request is refused in the replay: " + answer
		return found
	}
	found.Confirmed = true
	return found
}
