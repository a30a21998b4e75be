package search

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
)

// entry is one thing that a cache holds: an item, or the answer of a request.
type entry struct {
	table string
	key   item.Item
	same  string    // the text of a request
	from  int       // the step before which it was so
	at    time.Time // the moment at which the cache got it
}

// asks returns what a step may get from the cache, or nil.
func (e *Run) asks(st *step, w *Worker) *asked {
	if !e.search.Cache.has(w.Name) || st.request == nil || st.operation == "GetRecords" {
		return nil
	}
	switch st.operation {
	case "GetItem":
		if eventual(st) && len(st.print.items) == 1 {
			return &asked{items: []int{0}}
		}
	case "BatchGetItem":
		return batchAsks(st)
	case "Query", "Scan":
		if eventual(st) && e.search.Cache.QueryTTL > 0 && len(st.print.ranges) > 0 {
			return &asked{same: st.operation + canonical(st.body)}
		}
	}
	return nil
}

// batchAsks leaves out the tables that a batch reads strongly consistently.
func batchAsks(st *step) *asked {
	var in struct {
		RequestItems map[string]struct{ ConsistentRead bool }
	}
	if json.Unmarshal(st.body, &in) != nil {
		return nil
	}
	a := &asked{}
	for i := range st.print.items {
		if !in.RequestItems[st.print.items[i].table].ConsistentRead {
			a.items = append(a.items, i)
		}
	}
	slices.SortStableFunc(a.items, func(i, j int) int {
		x, y := &st.print.items[i], &st.print.items[j]
		return strings.Compare(x.table+"\x00"+string(x.key), y.table+"\x00"+string(y.key))
	})
	if len(a.items) == 0 {
		return nil
	}
	return a
}

// canonical is the same for requests that differ only in the order of their members.
func canonical(body []byte) string {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return string(body)
	}
	return string(text)
}

// mark notes in the footprint of a step which entries of the cache it reads or writes. What one
// request has put there, others find.
func (e *Run) mark(st *step, w *Worker) {
	if !e.plan.cached() || !e.search.Cache.has(w.Name) {
		return
	}
	st.print.through = true
	if st.asks != nil {
		for _, i := range st.asks.items {
			st.print.items[i].cached = true
		}
		if st.asks.same != "" && e.search.Cache.Lag == 0 {
			st.print.query = st.asks.same
		}
		return
	}
	for i := range st.print.items {
		st.print.items[i].cached = !readOperation(st.operation)
	}
}

// keep puts what a step has read or written into the cache.
func (e *Run) keep(st *step, w *Worker) {
	if !e.plan.cached() || !e.search.Cache.has(w.Name) {
		return
	}
	now := len(e.steps) - 1
	add := func(x entry) {
		x.at = e.fork.Now()
		e.entries = append(e.entries, x)
	}
	if st.asks != nil && st.status == http.StatusOK {
		if st.asks.same != "" {
			add(entry{same: st.asks.same, from: st.since(now, nil)})
		}
		for _, i := range st.asks.items {
			t := &st.print.items[i]
			add(entry{table: t.table, key: t.key, from: st.since(now, t)})
		}
	}
	if readOperation(st.operation) {
		return
	}
	// Of several items those count that a request has changed: a batch may leave some unprocessed.
	alone := len(st.print.items) == 1 && st.status == http.StatusOK
	for i := range st.print.items {
		if t := &st.print.items[i]; alone || t.changed() {
			add(entry{table: t.table, key: t.key, from: now + 1})
		}
	}
}

// since is the step before which the data were as an answer shows them.
func (st *step) since(now int, t *touch) int {
	old := st.old
	if t != nil {
		old = t.shows
	}
	if old == nil {
		return now
	}
	return old.index
}

// oldest is the step before which no answer of the cache is: what it has had since is newer.
func (e *Run) oldest(is func(*entry) bool) (from int) {
	for i := range e.entries {
		x := &e.entries[i]
		if is(x) && (e.search.Cache.Lag == 0 || e.fork.Now().Sub(x.at) >= e.search.Cache.Lag) {
			from = max(from, x.from)
		}
	}
	return from
}

// kept returns the data as they were some changes ago, or nil if the cache cannot have them.
func (e *Run) kept(age, oldest int, life time.Duration, changes func(*step) bool) *past {
	for i := len(e.past) - 1; i >= 0; i-- {
		p := &e.past[i]
		if p.index >= len(e.steps)-1 || !changes(e.steps[p.index]) {
			continue
		}
		if p.index < oldest || life > 0 && e.fork.Now().Sub(p.until) >= life {
			return nil
		}
		if age--; age == 0 {
			return p
		}
	}
	return nil
}

// sendToCache has a read be answered by a cache. Without entries that are so old it is answered as
// without the fault.
func (e *Run) sendToCache(t *Pending, st *step) (*http.Response, error) {
	c, ages := e.search.Cache, st.fault.agesOf()
	if !e.findOld(c, st, ages) {
		st.fault, st.old = "", nil
		for i := range st.print.items {
			st.print.items[i].shows = nil
		}
		return t.next.Do(t.request)
	}
	e.look(st)
	switch {
	case st.old != nil:
		return e.sendTo(st.old, t.request)
	case st.operation == "GetItem":
		return e.sendTo(st.print.items[0].shows, t.request)
	}
	return e.sendBatch(t, st)
}

// look notes what the items were that a read shows.
func (e *Run) look(st *step) {
	for i := range st.print.items {
		if t := &st.print.items[i]; t.shows != nil {
			t.seen = e.search.itemIn(t.shows.fork, t)
		}
	}
}

func (e *Run) sendTo(p *past, r *http.Request) (*http.Response, error) {
	return p.fork.HTTPClient(e.search.AccessKey, e.search.Region).Do(r)
}

// findOld finds the data that an answer shows, and reports whether the cache can have all of them.
func (e *Run) findOld(c *Cache, st *step, ages []int) bool {
	switch {
	case st.asks == nil || len(ages) == 0:
		return false
	case st.asks.same != "":
		from := 0
		if c.Lag == 0 {
			from = e.oldest(func(x *entry) bool { return x.same == st.asks.same })
		}
		st.old = e.kept(ages[0], from, c.QueryTTL,
			func(w *step) bool { return w.print.writes || w.print.disturbs(st.print) })
		return st.old != nil
	case len(ages) != len(st.asks.items):
		return false
	}
	for n, i := range st.asks.items {
		t := &st.print.items[i]
		if ages[n] == 0 {
			continue
		}
		from := e.oldest(func(x *entry) bool { return x.table == t.table && x.key == t.key })
		if t.shows = e.kept(ages[n], from, c.ItemTTL, t.changedBy); t.shows == nil {
			return false
		}
	}
	return true
}

// sendBatch has each item of a BatchGetItem be as it is shown: some out of older data.
func (e *Run) sendBatch(t *Pending, st *step) (*http.Response, error) {
	var shown []*past // nil: what is there now
	for i := range st.print.items {
		if p := st.print.items[i].shows; !slices.Contains(shown, p) {
			shown = append(shown, p)
		}
	}
	var whole batch
	for _, p := range shown {
		body := narrowed(e.search.schemas, st, func(x *touch) bool { return x.shows == p })
		r := t.request.Clone(t.request.Context())
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		answer, err := e.sendPart(t, p, r)
		if err != nil || answer.StatusCode != http.StatusOK {
			return answer, err
		}
		if err := whole.add(answer, p != nil); err != nil {
			return nil, err
		}
	}
	return whole.response(), nil
}

func (e *Run) sendPart(t *Pending, p *past, r *http.Request) (*http.Response, error) {
	if p == nil {
		return t.next.Do(r)
	}
	return e.sendTo(p, r)
}
