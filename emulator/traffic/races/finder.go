package races

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// finder goes through the requests of a recording.
type finder struct {
	tables   map[string][]keyPart
	template *template
	callers  map[string]*caller
	groups   map[string]*group
	found    []*group // sorted as in the recording
	full     bool     // no further group is kept
}

// group is the places of a recording with the same kind and shape of requests.
type group struct {
	count, tries int
	finding      *Finding // nil: a condition guards it
	again        bool     // the program has written the same again, after it had read that
}

// caller holds what the requests of one caller, so far, have shown.
type caller struct {
	read    map[string]lastRead  // the last read of each item that the caller has not written since
	known   map[string]item.Item // each item as the caller saw it last
	unsure  map[string]*access   // requests without an answer, by operation and body
	pending map[string]*leftover // unprocessed requests by item
	order   []*leftover          // all that were unprocessed
	last    *access              // the last request
	wrote   *wrote               // the last write
	ranges  []rangeRead          // the last reads of ranges
	follows map[string]bool      // shapes of a request and of the write after it
	ignored []pair
}

// lastRead is the read of an item.
type lastRead struct {
	by   *access
	item item.Item // "" for none
	end  time.Time
}

// pair is two requests, one after the other.
type pair struct{ first, second *access }

// leftover is an item of a batch that was not processed.
type leftover struct {
	by      *access
	of      target
	settled bool
}

func (f *finder) callerOf(a *access) *caller {
	name := a.caller()
	c := f.callers[name]
	if c == nil {
		c = &caller{
			read: map[string]lastRead{}, known: map[string]item.Item{},
			unsure: map[string]*access{}, pending: map[string]*leftover{},
			follows: map[string]bool{},
		}
		f.callers[name] = c
	}
	return c
}

// take looks at a request.
func (f *finder) take(a *access) {
	c := f.callerOf(a)
	c.settle(a)
	f.repeated(c, a)
	if a.done() {
		f.split(c, a)
		f.written(c, a)
		f.afterRange(c, a)
		f.remember(c, a)
		f.leave(c, a)
	}
	c.goesOn(a)
	c.last = a
}

// remember keeps what a request has read.
func (f *finder) remember(c *caller, a *access) {
	end := a.Time.Add(a.Took)
	for _, t := range a.reads {
		c.read[t.id()], c.known[t.id()] = lastRead{a, "", end}, ""
	}
	found := answered(a)
	f.keepRanges(c, a, found)
	for table, items := range found {
		for _, it := range items {
			if key := f.keyOf(table, it); key != "" {
				t := target{table, key, nil}
				c.read[t.id()], c.known[t.id()] = lastRead{a, it, end}, it
			}
		}
	}
}

// answered returns the items of an answer by their tables.
func answered(a *access) map[string][]item.Item {
	var answer struct {
		Item      json.RawMessage
		Items     []json.RawMessage
		Responses json.RawMessage
	}
	if len(a.does.Reads) == 0 || json.Unmarshal(a.Answer, &answer) != nil {
		return nil
	}
	found := map[string][]item.Item{}
	add := func(table string, list ...json.RawMessage) {
		for _, raw := range list {
			if it := itemOf(raw); it != "" {
				found[table] = append(found[table], it)
			}
		}
	}
	add(a.does.Reads[0].Table, answer.Item)
	add(a.does.Reads[0].Table, answer.Items...)
	var batch map[string][]json.RawMessage
	var gets []struct{ Item json.RawMessage }
	if json.Unmarshal(answer.Responses, &batch) == nil {
		for table, list := range batch {
			add(table, list...)
		}
	} else if json.Unmarshal(answer.Responses, &gets) == nil {
		for i := range min(len(gets), len(a.does.Reads)) {
			add(a.does.Reads[i].Table, gets[i].Item)
		}
	}
	return found
}

// written looks for reads of the items that a request writes.
func (f *finder) written(c *caller, a *access) {
	for _, t := range a.writes {
		r, read := c.read[t.id()]
		delete(c.read, t.id())
		if !read || t.write.Kind == request.Check || r.end.After(a.Time) {
			continue
		}
		kind, why := LostUpdate, ""
		switch {
		case r.item != "":
			if same(r.item, &t) {
				f.repeat(r.by.shape + a.shape)
			}
			why = overwrites(r, &t, a.Time)
		case t.write.Kind == request.Put && !t.write.Insert && !addressed(&t):
			kind, why = CheckThenPut, "A read finds no item, and a put without a condition follows."
		}
		if why != "" && !f.fenced(&t, r.item) {
			f.try(kind, r.by.shape+a.shape,
				func() *Finding { return f.twice(c, kind, why, r, a, t) })
		}
	}
	for _, t := range a.writes {
		delete(c.known, t.id())
	}
}

// fenced reports that the condition of a write demands a value of an attribute that was read: that
// of a version, a state, or an owner.
func (f *finder) fenced(t *target, read item.Item) bool {
	if t.write.Condition == nil || read == "" {
		return false
	}
	var keys [2]string
	for i, part := range f.tables[t.table] {
		keys[i] = part.name
	}
	for _, name := range t.write.Condition.Attributes() {
		d := t.write.Condition.Demands(name, keys)
		if !slices.Contains(keys[:], name) && d.Value != "" && d.Value == read.Get(name) {
			return true
		}
	}
	return false
}

// try counts a place of a kind, and replays it if no replay was conclusive.
func (f *finder) try(kind Kind, shape string, replay func() *Finding) {
	name := string(kind) + "\x00" + shape
	g := f.groups[name]
	if g == nil {
		if len(f.groups) >= 5*MaxFindings {
			f.full = true
			return
		}
		g = new(group)
		f.groups[name] = g
		f.found = append(f.found, g)
	}
	if g.finding == nil || !g.finding.Confirmed {
		if g.tries++; g.tries <= maxTries {
			if found := replay(); found != nil {
				g.finding = found
			}
		}
	}
	g.count++
}

// repeat notes that a place has written what it had read: it writes the same whatever that is.
func (f *finder) repeat(shape string) {
	for _, kind := range [...]Kind{LostUpdate, CheckThenPut} {
		if g := f.groups[string(kind)+"\x00"+shape]; g != nil {
			g.again = true
		}
	}
}

// seeded opens a replay with the items of a request as the caller knew them.
func (f *finder) seeded(c *caller, a *access) (p play, unknown bool) {
	p = f.template.fork()
	for _, t := range a.writes {
		it, known := c.known[t.id()]
		if it != "" {
			p.put(t.table, it)
		}
		unknown = unknown || !known
	}
	return p, unknown
}

// conditional reports that a request has a condition.
func (a *access) conditional() bool {
	return slices.ContainsFunc(a.does.Writes, func(w request.Write) bool {
		return w.Condition != nil || w.Insert || w.Exists
	})
}

// twice has two workers do the same: both read, then both write.
func (f *finder) twice(c *caller, kind Kind, why string, r lastRead, a *access, t target) *Finding {
	p, _ := f.seeded(c, a)
	body := withoutToken(a.Request)
	first, answer := p.send(a.Operation, body)
	found := &Finding{
		Kind: kind, Requests: []Step{r.by.step(t), a.step(t)}, Why: why,
		Remedy: "Give the write a condition on what was read, such as its version, or change the " +
			"attribute in place, with ADD or SET a = a + :n.",
		Order: []string{
			fmt.Sprintf("worker A: request %d reads the item", r.by.number),
			fmt.Sprintf("worker B: request %d reads the same", r.by.number),
			fmt.Sprintf("worker A: request %d is accepted", a.number),
			fmt.Sprintf("worker B: request %d is accepted too, and what A wrote is gone", a.number),
		},
	}
	if kind == CheckThenPut {
		found.Remedy = "Give the put the condition attribute_not_exists of the partition key."
	}
	if first != 200 {
		if a.conditional() {
			return nil
		}
		found.Reason = "the replay of the write was refused: " + answer
		return found
	}
	if second, _ := p.send(a.Operation, body); second != 200 {
		return nil
	}
	found.Confirmed = true
	return found
}
