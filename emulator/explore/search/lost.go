package search

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// lost is an update that is lost, perhaps: a worker read an item, another one changed it, and the
// first one overwrote the change.
type lost struct {
	read, change, write int // steps
	item                touch
	seen                item.Item // the item when the worker read it
	attributes          []string  // the attributes that were overwritten
	guarded             bool      // the write had a condition, which did not notice
	old                 bool      // the change came before the read, which did not show it
}

// lostUpdate returns the lost update of a run, or nil.
func (s *Search) lostUpdate(o *Outcome) *Failure {
	for k, st := range o.steps {
		if st.request == nil || st.status != http.StatusOK {
			continue
		}
		for i := range st.request.Writes {
			w := &st.request.Writes[i]
			t := st.print.touchOf(w.Table, keyOf(s.schemas[w.Table], w.Attributes()))
			if w.Kind == request.Check || t == nil {
				continue
			}
			l := s.overwritten(o.steps, k, t, w)
			if l == nil || !s.computed(o, l) {
				continue
			}
			if _, allowed := s.Allowed[t.table]; allowed {
				if !s.shortening {
					s.report.allow(t.table)
				}
				continue
			}
			return &Failure{Kind: LostUpdate, Text: l.text(o), lost: l}
		}
	}
	return nil
}

// overwritten returns the update that a write at step k overwrites, or nil.
func (s *Search) overwritten(steps []*step, k int, t *touch, w *request.Write) *lost {
	l := &lost{read: -1, change: -1, write: k, item: *t}
	l.guarded = w.Condition != nil || w.Insert
	if w.Kind == request.Delete && t.old == "" {
		return nil // it deletes nothing
	}
	me, replaced := steps[k].proc.worker, t.old
	for i := k - 1; i >= 0 && l.read < 0; i-- {
		x := steps[i].print.touchOf(t.table, t.key)
		switch {
		case steps[i].proc.worker == me && w.Kind == request.Put && steps[i].deletes(x):
			replaced = x.old // a delete and a put replace the item together
		case steps[i].proc.worker == me:
			if x != nil || steps[i].print.reach(t) {
				l.read = i
			}
		case x != nil && x.changed():
			l.seen, l.change = x.old, max(l.change, i)
		}
	}
	if l.read < 0 || !steps[l.read].shows() {
		return nil
	}
	first := s.lookBack(steps, l, t)
	if l.change < first {
		return nil
	}
	// Changes that others have taken back are not lost.
	if l.attributes = differences(l.seen, replaced, w); len(l.attributes) == 0 {
		return nil
	}
	for ; l.change >= first; l.change-- {
		if steps[l.change].print.touchOf(t.table, t.key).changes(l.attributes) {
			return l
		}
	}
	return nil // the item has expired
}

// lookBack adds the changes that an old read did not show, and returns the step from which on
// changes count.
func (s *Search) lookBack(steps []*step, l *lost, t *touch) (first int) {
	read := steps[l.read]
	shows := read.old
	x := read.print.touchOf(t.table, t.key)
	if x != nil {
		shows = x.shows
	}
	if shows == nil {
		return l.read + 1
	}
	l.seen = s.itemIn(shows.fork, t)
	for i := shows.index; i < l.read; i++ {
		x := steps[i].print.touchOf(t.table, t.key)
		if x == nil || !x.changed() {
			continue
		}
		if steps[i].proc.worker == read.proc.worker {
			return l.read + 1 // it has not read what it wrote itself
		}
		if l.change < l.read {
			l.change, l.old = i, true
		}
	}
	if l.old {
		return shows.index
	}
	return l.read + 1
}

// changes reports whether a step changed one of some attributes of an item.
func (t *touch) changes(names []string) bool {
	return t != nil && slices.ContainsFunc(names, func(name string) bool {
		return valueOf(t.old, name) != valueOf(t.new, name)
	})
}

// reach reports whether a read of a range has read an item.
func (f *footprint) reach(t *touch) bool {
	return slices.ContainsFunc(f.ranges, func(r reach) bool {
		return r.table == t.table && (r.has(t.old) || r.has(t.new))
	})
}

// differences returns the attributes that differ between two states of an item, and that a write
// overwrites.
func differences(before, after item.Item, w *request.Write) (list []string) {
	names := map[string]bool{}
	for _, it := range [...]item.Item{before, after} {
		if it == "" {
			continue
		}
		for name := range it.All() {
			if valueOf(before, name) != valueOf(after, name) &&
				(w.Kind != request.Update || w.Sets(name)) {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func valueOf(it item.Item, name string) item.Value {
	if it == "" {
		return ""
	}
	return it.Get(name)
}

// computed reports whether the worker computed what it wrote from what it read: it lets the worker
// read after the change, and looks whether the worker then sends another request. What differs from
// run to run in any case, such as an id, does not count.
func (s *Search) computed(o *Outcome, l *lost) bool {
	write := o.steps[l.write]
	sign := l.sign(o)
	if s.cleared[sign] {
		return false
	}
	me := write.proc
	var late []proc
	for i, st := range o.steps[:l.write] {
		if i < l.read || i <= l.change && st.proc.worker != me.worker {
			late = append(late, st.proc)
		}
	}
	if l.old {
		late = orderOf(o.steps[:l.read])
	}
	fresh, reader := o.plan, o.workers[me.worker].Name
	if f := o.plan.at(reader, o.steps[l.read].nth); f.behind() > 0 || f.agesOf() != nil {
		fresh = o.plan.without(reader, o.steps[l.read].nth)
	}
	other := s.bodyAfter(o, l, late, fresh)
	// after that one: what a clock has changed there has changed here, too
	again := s.bodyAfter(o, l, orderOf(o.steps[:l.write]), o.plan)
	changed := flatDifference(flat(write.body), flat(other))
	for path := range flatDifference(flat(write.body), flat(again)) {
		delete(changed, path)
	}
	if len(changed) > 0 && !s.endsAlike(o, l, late, fresh) {
		return true
	}
	if s.cleared == nil {
		s.cleared = map[string]bool{}
	}
	s.cleared[sign] = true
	return false
}

// endsAlike reports whether a run ends as it does, with the same tables and results of workers, if
// the worker reads after the change, and then does what it does. Then nothing is lost: both have
// written the same, or the worker leaves what it finds.
func (s *Search) endsAlike(o *Outcome, l *lost, late []proc, with plan) bool {
	me := o.steps[l.write].proc
	other := s.run(func(done []*step, waiting []*Pending) int {
		if len(done) < len(late) {
			return indexOf(waiting, late[len(done)])
		}
		return max(indexOf(waiting, me), 0)
	}, with)
	if !o.whole() || !other.whole() || o.state != other.state {
		return false
	}
	for i, w := range o.workers {
		if s.resultOf(w) != s.resultOf(other.workers[i]) {
			return false
		}
	}
	return true
}

// sign is equal for pairs of requests that need not be looked at again.
func (l *lost) sign(o *Outcome) string {
	read, change, write := o.steps[l.read], o.steps[l.change], o.steps[l.write]
	sign := fmt.Sprint(o.plan.key(), l.old, write.proc, read.nth, write.nth, change.proc,
		change.nth)
	for _, t := range change.print.items {
		sign += string(t.old) + "\x00" + string(t.new)
	}
	return sign
}

// bodyAfter runs an order and then the worker that wrote alone, until it sends a request with the
// number of the write. It returns the body of this request, or nil.
func (s *Search) bodyAfter(o *Outcome, l *lost, order []proc, with plan) []byte {
	write := o.steps[l.write]
	var body []byte
	s.run(func(done []*step, waiting []*Pending) int {
		p := write.proc
		if len(done) < len(order) {
			p = order[len(done)]
		}
		i := indexOf(waiting, p)
		if i >= 0 && p == write.proc && waiting[i].client.Worker.requests+1 == write.nth &&
			waiting[i].operation == write.operation {
			body = waiting[i].body
			return -1
		}
		return i
	}, with)
	return body
}

// flat returns the values of a JSON text by their paths.
func flat(body []byte) map[string]string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return nil
	}
	list := map[string]string{}
	flatten(list, "", value)
	return list
}

func flatten(into map[string]string, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, x := range v {
			flatten(into, path+"."+name, x)
		}
	case []any:
		for i, x := range v {
			flatten(into, fmt.Sprint(path, ".", i), x)
		}
	default:
		into[path] = fmt.Sprint(v)
	}
}

func flatDifference(a, b map[string]string) map[string]bool {
	paths := map[string]bool{}
	for path, v := range a {
		if w, ok := b[path]; !ok || v != w {
			paths[path] = true
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			paths[path] = true
		}
	}
	return paths
}

// text says what was lost, and which condition would have noticed.
func (l *lost) text(o *Outcome) string {
	name := func(i int) string { return o.workers[o.steps[i].proc.worker].Name }
	how := "without a condition"
	if l.guarded {
		how = "with a condition that does not notice"
	}
	since := "since " + name(l.write) + " read it"
	if l.old {
		since = "and what " + name(l.write) + " read does not show"
	}
	return fmt.Sprintf("%s overwrites, %s, what %s has changed %s:\n%s of %s in %s\n%s",
		name(l.write), how, name(l.change), since, strings.Join(l.attributes, ", "),
		itemText(l.item.key), l.item.table, l.remedy(o))
}

// remedy names the condition that would have refused the write.
func (l *lost) remedy(o *Outcome) string {
	operation := o.steps[l.write].operation
	if l.seen == "" {
		for name := range l.item.key.All() {
			return fmt.Sprintf("the condition attribute_not_exists(%s) on this %s would have refused it",
				name, operation)
		}
	}
	name := l.attributes[0]
	v := valueOf(l.seen, name)
	if v == "" {
		return fmt.Sprintf("the condition attribute_not_exists(%s) on this %s would have refused it",
			name, operation)
	}
	return fmt.Sprintf("the condition %s = :read on this %s would have refused it (:read was %s)",
		name, operation, valueText(v))
}
