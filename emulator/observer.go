package emulator

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// WithObserver makes the service call f for each call of an operation: see Emulator.Observe. Forks
// call f as well. Several observers may be given.
func WithObserver(f func(*Event)) Option {
	return func(s *settings) { s.observing = append(slices.Clip(s.observing), f) }
}

// Observe makes the service call f for each call of an operation, besides other observers, until
// stop is called. Forks do not call f. f runs in the goroutine that serves the request, before the
// client gets the answer. A client that has the answer can thus rely on f having returned. f must
// be safe for concurrent use. The service may or may not call f for requests in progress when
// Observe or stop is called.
//
// While there are observers, the service counts the capacity of all requests. Without observers a
// request loads one pointer.
func (e *Emulator) Observe(f func(*Event)) (stop func()) {
	o := &observer{f}
	e.observers.change(func(list []*observer) []*observer { return append(list, o) })
	return func() {
		e.observers.change(func(list []*observer) []*observer {
			return slices.DeleteFunc(list, func(other *observer) bool { return other == o })
		})
	}
}

// observer is a function with an identity.
type observer struct{ tell func(*Event) }

// observers holds the observers of an Emulator.
type observers struct {
	list atomic.Pointer[[]*observer] // nil: none; what it points to is never modified

	mu sync.Mutex // of changes
}

// change replaces the list with the result of f, which gets a copy of it.
func (o *observers) change(f func([]*observer) []*observer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var list []*observer
	if before := o.list.Load(); before != nil {
		list = slices.Clone(*before)
	}
	if list = f(list); len(list) == 0 {
		o.list.Store(nil)
		return
	}
	o.list.Store(&list)
}

// events pools Events for reuse.
var events = sync.Pool{New: func() any { return new(Event) }}

// newEvent returns an Event for a request, or nil if there are no observers.
func (e *Emulator) newEvent(r *http.Request) *Event {
	list := e.observers.list.Load()
	if list == nil {
		return nil
	}
	ev := events.Get().(*Event)
	ev.Time, ev.Remote, ev.observers = e.service.clock(), r.RemoteAddr, *list
	return ev
}

// tell calls the observers with the event of a request. h has the headers of the answer, if the
// request got one.
func (e *Emulator) tell(ev *Event, h http.Header) {
	if ev == nil {
		return
	}
	ev.Duration = e.service.clock().Sub(ev.Time)
	ev.RequestID = httpd.First(h["X-Amzn-Requestid"])
	for _, o := range ev.observers {
		o.tell(ev)
	}
	ev.reset()
	events.Put(ev)
}

// reset clears the event, but keeps the memory of its lists.
func (ev *Event) reset() {
	clear(ev.Reads)
	clear(ev.touches)
	clear(ev.first.touches)
	tables, capacity, reads, touches, first := ev.Tables[:0], ev.Capacity[:0], ev.Reads[:0], ev.touches[:0], ev.first.touches[:0]
	*ev = Event{}
	ev.Tables, ev.Capacity, ev.Reads, ev.touches, ev.first.touches = tables, capacity, reads, touches, first
}

func (ev *Event) calls(o *operation) {
	if ev != nil {
		ev.Operation = o.Name
	}
}

func (ev *Event) comesFrom(accessKey, region string) {
	if ev != nil {
		ev.AccessKey, ev.Region = accessKey, region
	}
}

// exchanged records how a request was answered.
func (ev *Event) exchanged(status int, err string, received, sent int) {
	if ev != nil {
		ev.Status, ev.Error, ev.RequestBytes, ev.ResponseBytes = status, err, received, sent
	}
}

// failed records the message of an error. It copies the text, which may lie in the request.
func (ev *Event) failed(answer *apierr.Error) {
	if ev != nil {
		ev.Message = strings.Clone(answer.Message)
	}
}

// decoded records the tables of a request, which may be invalid.
func (ev *Event) decoded(c *call, in any) {
	ev.names = targets{call: c, event: ev}
	c.operation.targets(in, &ev.names)
	slices.Sort(ev.Tables)
}

func (ev *Event) about(table string) {
	if table != "" && !slices.Contains(ev.Tables, table) {
		ev.Tables = append(ev.Tables, strings.Clone(table))
	}
}

// tableEvent collects what a usage counts for observers, besides the units.
type tableEvent struct {
	event   *Event
	writes  bool // the units are of writes
	found   int  // items read by their keys
	changed int  // items
	touches []touch
}

// ofTable returns a new tableEvent. The first one of an event uses the event's memory; most
// requests have only one.
func (ev *Event) ofTable() *tableEvent {
	if ev.first.event != nil {
		return &tableEvent{event: ev}
	}
	ev.first.event = ev
	return &ev.first
}

// touch records the use of an item's partition key.
type touch struct {
	table, index string
	key          *storage.KeySchema
	keyed        item.Item // has the attributes of the key
	write        bool
	units        float64
}

// Charge implements metering.Recorder.
func (s *tableEvent) Charge(u metering.Usage, requested *api.TableArn) {
	ev, table := s.event, tableCalled(requested)
	if i := slices.Index(ev.Tables, table); i >= 0 {
		table = ev.Tables[i]
	} else {
		table = strings.Clone(table)
	}
	if u.Table > 0 {
		ev.add(table, "", s.writes, u.Table)
	}
	for i := range u.Indexes {
		ev.add(table, u.Indexes[i].Index.Name, s.writes, u.Indexes[i].Units)
	}
	for _, v := range u.VectorBytes() {
		ev.Capacity = append(ev.Capacity, Capacity{Table: table, Index: v.Index.Name, WriteBytes: v.Bytes})
	}
	ev.Evaluated += s.found
	ev.Returned += s.found
	ev.Written += s.changed
	ev.touches = append(ev.touches, s.touches...)
}

func (ev *Event) add(table, index string, writes bool, units float64) {
	c := Capacity{Table: table, Index: index}
	if writes {
		c.Write = units
	} else {
		c.Read = units
	}
	ev.Capacity = append(ev.Capacity, c)
}

// pageRead records a page that was read and how many of its items were returned.
func (c *call) pageRead(r *rangeRead, returned int) *EventRead {
	if c.event == nil {
		return nil
	}
	page := EventRead{
		Table: r.source.Table.Name, Scan: true,
		Consistent: r.consistent, Reverse: r.reverse, Filtered: r.filter != nil, Fetched: r.fetches, More: r.last != "",
		Limit: r.limit, Evaluated: r.scanned, Returned: returned, Units: r.usage.Table,
		key: r.source.Key(), filter: r.filter,
	}
	if ix := r.source.Index; ix != nil {
		page.Index = ix.Name
	}
	if page.Fetched {
		page.fetched = r.usage.Table
	}
	for i := range r.usage.Indexes {
		page.Units += r.usage.Indexes[i].Units
	}
	c.event.Reads = append(c.event.Reads, page)
	c.event.Evaluated += page.Evaluated
	c.event.Returned += page.Returned
	return &c.event.Reads[len(c.event.Reads)-1]
}

// located records that a page came from one partition or from several.
func (r *EventRead) located(plan *selectPlan) {
	if r == nil || plan.ranges == nil {
		return
	}
	r.Scan, r.terms, r.many = false, plan.ranges[0].terms, len(plan.ranges) > 1
}

// Get records the read of an item by its key. found is "" if the item does not exist.
func (s *tableEvent) Get(t *storage.Table, keyed, found item.Item, units float64) {
	if found != "" {
		s.found++
	}
	s.touches = append(s.touches, touch{table: t.Name, key: &t.Key, keyed: keyed, units: units})
}

// Write records the write of an item of a table. A delete of a missing item has neither an old nor
// a new item, and so records no key.
func (s *tableEvent) Write(t *storage.Table, old, new item.Item, units float64) {
	s.writes = true
	if old != new {
		s.changed++
	}
	keyed := new
	if keyed == "" {
		keyed = old
	}
	s.touches = append(s.touches, touch{table: t.Name, key: &t.Key, keyed: keyed, write: true, units: units})
}

// WriteIndex records how the write of an item changes an index. An entry that moves from one key to
// another is deleted at the old key and put at the new one.
func (s *tableEvent) WriteIndex(t *storage.Table, e storage.Effect, old, new item.Item, units float64) {
	at := touch{table: t.Name, index: e.Index.Name, key: &e.Index.Key, keyed: new, write: true, units: units}
	switch {
	case e.Moved:
		at.units = metering.WriteUnits(e.New)
		s.touches = append(s.touches, at)
		at.keyed, at.units = old, metering.WriteUnits(e.Old)
	case e.New == 0:
		at.keyed = old
	}
	s.touches = append(s.touches, at)
}

// addRefused counts the capacity that a write consumes although its condition fails. Errors have no
// ConsumedCapacity, so only observers see these units, unless the usage is shared with writes that
// succeed.
func (c *call) addRefused(u *metering.Usage, t *storage.Table, w *itemWrite, shared bool) {
	if !shared {
		if c.event == nil {
			return
		}
		u = &metering.Usage{Recorder: &tableEvent{event: c.event}}
	}
	units := u.AddTable(metering.WriteUnits(w.old.Size()))
	if u.Recorder == nil {
		return
	}
	keyed := w.old
	if keyed == "" {
		keyed = w.keyed
	}
	u.Recorder.Write(t, keyed, keyed, units)
	if !shared {
		u.Recorder.Charge(*u, (*api.TableArn)(&t.Name))
	}
}
