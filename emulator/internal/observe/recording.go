package observe

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// observer is a function with an identity.
type observer struct{ tell func(*Event) }

// Observers holds the Observers of an Emulator.
type Observers struct {
	list atomic.Pointer[[]*observer] // nil: none; what it points to is never modified

	mu sync.Mutex // guards changes
}

// Add makes f be told of requests until stop is called.
func (o *Observers) Add(f func(*Event)) (stop func()) {
	added := &observer{tell: f}
	o.change(func(list []*observer) []*observer { return append(list, added) })
	return func() {
		o.change(func(list []*observer) []*observer {
			return slices.DeleteFunc(list, func(other *observer) bool { return other == added })
		})
	}
}

// change replaces the list with the result of f, which gets a copy of it.
func (o *Observers) change(f func([]*observer) []*observer) {
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

// Any reports whether there are observers.
func (o *Observers) Any() bool { return o.list.Load() != nil }

// Recording is an Event in the making.
type Recording struct {
	Event
	Touches []Touch

	first     TableRecorder  // see OfTable
	places    map[string]int // places of the names in Tables; nil: they are few
	observers []*observer    // the observers to call
}

// recordings are those that nobody uses.
var recordings = sync.Pool{New: func() any { return new(Recording) }}

// New returns an empty Recording, which Free takes back.
func New() *Recording {
	ev := recordings.Get().(*Recording)
	ev.recorded = ev
	return ev
}

// Begin returns a Recording for a request, or nil if there are no observers.
func (o *Observers) Begin(r *http.Request, clock func() time.Time) *Recording {
	list := o.list.Load()
	if list == nil {
		return nil
	}
	ev := New()
	ev.observers = *list
	ev.Time, ev.Remote, ev.exchange.Header = clock(), r.RemoteAddr, r.Header
	return ev
}

// Tell calls the observers.
func (ev *Recording) Tell() {
	for _, o := range ev.observers {
		o.tell(&ev.Event)
	}
}

// Free clears the recording, but keeps the memory of its lists for another request.
func (ev *Recording) Free() {
	clear(ev.Reads)
	clear(ev.Touches)
	clear(ev.first.touches)
	tables, capacity, reads, touches, first :=
		ev.Tables[:0], ev.Capacity[:0], ev.Reads[:0], ev.Touches[:0], ev.first.touches[:0]
	shown := ev.Shown
	*ev = Recording{}
	ev.Shown = shown
	ev.Tables, ev.Capacity, ev.Reads, ev.Touches, ev.first.touches =
		tables, capacity, reads, touches, first
	recordings.Put(ev)
}

// Calls records which operation a request calls, and who sent it. Like the following methods it
// does nothing for nil.
func (ev *Recording) Calls(operation, accessKey, region string) {
	if ev != nil {
		ev.Operation, ev.AccessKey, ev.Region = operation, accessKey, region
	}
}

// Sends records the body of a request.
func (ev *Recording) Sends(body string) {
	if ev != nil {
		ev.exchange.Request = body
	}
}

// Answers records how many bytes were received of a request, and how it was answered.
func (ev *Recording) Answers(received, status int, err string, body []byte) {
	if ev != nil {
		ev.Status, ev.Error, ev.RequestBytes, ev.ResponseBytes = status, err, received, len(body)
		ev.exchange.Answer = body
	}
}

// Failed records the message of an error. It copies the text, which may lie in the request.
func (ev *Recording) Failed(answer *apierr.Error) {
	if ev != nil {
		ev.Message = strings.Clone(answer.Message)
	}
}

// About adds the name of a table.
func (ev *Recording) About(table string) {
	if table == "" || ev.place(table) >= 0 {
		return
	}
	table = strings.Clone(table)
	if len(ev.Tables) >= fewTables {
		if ev.places == nil {
			ev.places = make(map[string]int, 2*fewTables)
			for i, name := range ev.Tables {
				ev.places[name] = i
			}
		}
		ev.places[table] = len(ev.Tables)
	}
	ev.Tables = append(ev.Tables, table)
}

// fewTables is how many tables a list is searched for.
const fewTables = 16

// place returns the place of a table in Tables, or a negative number if it is not there.
func (ev *Recording) place(table string) int {
	if ev.places == nil {
		return slices.Index(ev.Tables, table)
	}
	if i, ok := ev.places[table]; ok {
		return i
	}
	return -1
}

// SortTables puts the names of the tables into the order of the alphabet.
func (ev *Recording) SortTables() {
	slices.Sort(ev.Tables)
	for i, name := range ev.Tables {
		if ev.places != nil {
			ev.places[name] = i
		}
	}
}

// TableRecorder collects what a usage counts for Observers, besides the units.
type TableRecorder struct {
	event   *Recording
	writes  bool // the units are of writes
	found   int  // items read by their keys
	changed int  // items
	touches []Touch
}

// OfTable returns a new TableRecorder. The first one of an event uses the event's memory; most
// requests have only one.
func (ev *Recording) OfTable() *TableRecorder {
	if ev.first.event != nil {
		return &TableRecorder{event: ev}
	}
	ev.first.event = ev
	return &ev.first
}

// Apart returns a TableRecorder that no other usage has.
func (ev *Recording) Apart() *TableRecorder { return &TableRecorder{event: ev} }

// Touch records the use of an item's partition key.
type Touch struct {
	Table, Index string
	Key          *storage.KeySchema
	Keyed        item.Item // an item with the attributes of the key
	Write        bool
	Units        float64
}

// Charge implements metering.Recorder.
func (s *TableRecorder) Charge(u metering.Usage, requested *api.TableArn) {
	ev, table := s.event, arn.TableCalled(requested)
	if i := ev.place(table); i >= 0 {
		table = ev.Tables[i]
	} else {
		table = strings.Clone(table)
	}
	if units := u.Table + u.Refused; units > 0 {
		ev.add(table, "", s.writes, units)
	}
	for i := range u.Indexes {
		ev.add(table, u.Indexes[i].Index.Name, s.writes, u.Indexes[i].Units)
	}
	for _, v := range u.Vectors {
		ev.Capacity = append(ev.Capacity,
			Capacity{Table: table, Index: v.Index.Name, WriteBytes: v.Bytes})
	}
	ev.Evaluated += s.found
	ev.Returned += s.found
	ev.Written += s.changed
	ev.Touches = append(ev.Touches, s.touches...)
}

func (ev *Recording) add(table, index string, writes bool, units float64) {
	c := Capacity{Table: table, Index: index}
	if writes {
		c.Write = units
	} else {
		c.Read = units
	}
	ev.Capacity = append(ev.Capacity, c)
}

// Get records the read of an item by its key. found is "" if the item does not exist.
func (s *TableRecorder) Get(t *storage.Table, keyed, found item.Item, units float64) {
	if found != "" {
		s.found++
	}
	s.touches = append(s.touches, Touch{Table: t.Name, Key: &t.Key, Keyed: keyed, Units: units})
}

// Write records the write of an item of a table. keyed has the attributes of its key.
func (s *TableRecorder) Write(t *storage.Table, keyed, old, new item.Item, units float64) {
	s.writes = true
	if old != new {
		s.changed++
	}
	s.touches = append(s.touches,
		Touch{Table: t.Name, Key: &t.Key, Keyed: keyed, Write: true, Units: units})
}

// WriteIndex records how the write of an item changes an index. An entry that moves from one key to
// another is deleted at the old key and put at the new one.
func (s *TableRecorder) WriteIndex(t *storage.Table, e storage.Effect, old, new item.Item,
	units float64) {
	at := Touch{
		Table: t.Name, Index: e.Index.Name, Key: &e.Index.Key, Keyed: new, Write: true,
		Units: units,
	}
	switch {
	case e.Moved:
		at.Units = metering.WriteUnits(e.New)
		s.touches = append(s.touches, at)
		at.Keyed, at.Units = old, metering.WriteUnits(e.Old)
	case e.New == 0:
		at.Keyed = old
	}
	s.touches = append(s.touches, at)
}

// AddRead records a page that was read. key is that of the source, filter that of the request,
// fetched the units of the table if items of a local index were completed from it.
func (ev *Recording) AddRead(page EventRead, key *storage.KeySchema, filter *expr.Condition,
	fetched float64) *EventRead {
	page.key, page.filter, page.fetched = key, filter, fetched
	ev.Reads = append(ev.Reads, page)
	ev.Evaluated += page.Evaluated
	ev.Returned += page.Returned
	return &ev.Reads[len(ev.Reads)-1]
}

// Locate records that a page came from one partition or from several.
func Locate(r *EventRead, terms []expr.KeyTerm, several bool) {
	r.Scan, r.terms, r.many = false, terms, several
}

// AddSearch records a search in a vector index with a partition key or none, the terms that it is
// equal to, and the names of the attributes of its filters.
func (ev *Recording) AddSearch(read EventRead, hash []storage.KeyAttribute, terms []expr.KeyTerm,
	filtered []string, bytes float64) {
	slices.Sort(filtered)
	read.key, read.terms, read.names = &storage.KeySchema{Hash: hash}, terms, filtered
	ev.Reads = append(ev.Reads, read)
	ev.Capacity = append(ev.Capacity,
		Capacity{Table: read.Table, Index: read.Index, ReadBytes: bytes})
	ev.Evaluated += read.Evaluated
	ev.Returned += read.Returned
}
