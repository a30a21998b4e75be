package metrics

import (
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// The most tables and indexes that have series of their own.
const (
	MaxTables  = 100
	MaxIndexes = 400 // indexes of all tables together
)

// Names that stand for several tables, or for tables and indexes without series of their own.
const (
	other   = "(other)"
	several = "(several)"
)

// Metrics counts events. Its methods are safe for concurrent use. The zero value is ready to use.
type Metrics struct {
	requests  rows[requestKey, atomic.Int64]
	durations rows[string, duration] // durations by operation
	capacity  rows[capacityKey, units]
	sources   rows[source, struct{}] // tables and indexes with series of their own

	caches func() []CacheCount // nil without an accelerator

	mu      sync.Mutex // protects the fields below
	tables  int
	indexes int
}

type (
	requestKey  struct{ operation, table, code string }
	capacityKey struct {
		operation string
		source
	}
	source struct{ table, index string } // index is "" for the table itself
)

// units counts capacity units in halves, because DynamoDB consumes capacity in halves, and the
// bytes that vector indexes consume instead.
type units struct{ read, write, readBytes, writeBytes atomic.Int64 }

// Observe adds an event. Pass it to emulator.Emulator.Observe.
func (m *Metrics) Observe(e *emulator.Event) {
	d := m.durations.of(e.Operation)
	d.add(e.Duration)
	d.received.Add(int64(e.RequestBytes))
	d.sent.Add(int64(e.ResponseBytes))
	for i := range e.Capacity {
		c := &e.Capacity[i]
		u := m.capacity.of(capacityKey{e.Operation, m.known(source{c.Table, c.Index}, true)})
		u.read.Add(int64(2 * c.Read))
		u.write.Add(int64(2 * c.Write))
		if c.ReadBytes+c.WriteBytes > 0 {
			u.readBytes.Add(int64(c.ReadBytes))
			u.writeBytes.Add(int64(c.WriteBytes))
		}
	}
	// the tables of the event have been admitted by now
	m.requests.of(requestKey{e.Operation, m.tableOf(e), codeOf(e)}).Add(1)
}

func codeOf(e *emulator.Event) string {
	switch {
	case e.Error != "":
		return e.Error
	case e.Status == 0:
		return "NoAnswer"
	}
	return "OK"
}

// tableOf returns the table label for a request.
func (m *Metrics) tableOf(e *emulator.Event) string {
	switch len(e.Tables) {
	case 0:
		return ""
	case 1:
		return m.known(source{table: e.Tables[0]},
			e.Status == http.StatusOK && !perStatement(e)).table
	}
	return several
}

// perStatement reports whether each statement of the request has a result of its own. Such a
// request succeeds even if its tables do not exist.
func perStatement(e *emulator.Event) bool { return e.Operation == "BatchExecuteStatement" }

// known returns the source if it has series of its own, and a collective name otherwise. A source
// that exists may get series. Names of tables and indexes that do not exist use none.
func (m *Metrics) known(s source, there bool) source {
	if m.sources.has(s) {
		return s
	}
	if there {
		m.admit(s)
	}
	switch {
	case m.sources.has(s):
		return s
	case s.index == "":
		return source{table: other}
	case m.sources.has(source{table: s.table}):
		return source{s.table, other}
	}
	return source{other, other}
}

// admit gives a source series of its own, up to the limits.
func (m *Metrics) admit(s source) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if table := (source{table: s.table}); !m.sources.has(table) {
		if m.tables == MaxTables {
			return
		}
		m.tables++
		m.sources.of(table)
	}
	if s.index != "" && !m.sources.has(s) && m.indexes < MaxIndexes {
		m.indexes++
		m.sources.of(s)
	}
}

// rows finds a row without a lock. A new row replaces the map by a copy.
type rows[K comparable, Row any] struct {
	byKey atomic.Pointer[map[K]*Row] // the map is never modified
	mu    sync.Mutex                 // protects changes
}

// of returns the row of a key. It adds a missing row.
func (r *rows[K, Row]) of(key K) *Row {
	if row := r.all()[key]; row != nil {
		return row
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.all()
	if row := before[key]; row != nil {
		return row
	}
	next := maps.Clone(before)
	if next == nil {
		next = map[K]*Row{}
	}
	row := new(Row)
	next[key] = row
	r.byKey.Store(&next)
	return row
}

func (r *rows[K, Row]) has(key K) bool {
	_, ok := r.all()[key]
	return ok
}

func (r *rows[K, Row]) all() map[K]*Row {
	if m := r.byKey.Load(); m != nil {
		return *m
	}
	return nil
}

// bounds are the upper ends of the buckets of durations. One more bucket has no upper end.
var bounds = [...]time.Duration{
	10 * time.Microsecond, 25 * time.Microsecond, 50 * time.Microsecond, 100 * time.Microsecond,
	250 * time.Microsecond,
	500 * time.Microsecond, time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond,
	10 * time.Millisecond,
	25 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond, 2500 * time.Millisecond,
	10 * time.Second,
}

// duration holds the durations of the calls of an operation and their sizes.
type duration struct {
	buckets        [len(bounds) + 1]atomic.Int64
	sum            atomic.Int64 // nanoseconds
	received, sent atomic.Int64 // bytes
}

func (d *duration) add(took time.Duration) {
	i := 0
	for i < len(bounds) && took > bounds[i] {
		i++
	}
	d.buckets[i].Add(1)
	d.sum.Add(int64(took))
}
