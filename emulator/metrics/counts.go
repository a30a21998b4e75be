package metrics

import (
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// What there are series of.
const (
	MaxTables  = 100
	MaxIndexes = 400 // of all tables together
)

// Names in place of those of tables and indexes.
const (
	other   = "(other)"
	several = "(several)"
)

// Metrics adds up events. Its methods are safe for concurrent use. The zero value
// has counted nothing.
type Metrics struct {
	requests  rows[requestKey, atomic.Int64]
	durations rows[string, duration] // by operation
	capacity  rows[capacityKey, units]
	sources   rows[source, struct{}] // tables and indexes that have series of their own

	mu      sync.Mutex // of what follows
	tables  int
	indexes int
}

type (
	requestKey  struct{ operation, table, code string }
	capacityKey struct {
		operation string
		source
	}
	source struct{ table, index string } // index "": the table itself
)

// units are those of capacity, in halves, which is what capacity comes in.
type units struct{ read, write atomic.Int64 }

// Observe adds an event. It is made for emulator.Emulator.Observe.
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
	}
	m.requests.of(requestKey{e.Operation, m.tableOf(e), codeOf(e)}).Add(1) // by now the tables that were used are known
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

// tableOf is the table that a request is counted for.
func (m *Metrics) tableOf(e *emulator.Event) string {
	switch len(e.Tables) {
	case 0:
		return ""
	case 1:
		return m.known(source{table: e.Tables[0]}, e.Status == http.StatusOK && !perStatement(e)).table
	}
	return several
}

// perStatement reports whether the request succeeds whatever its statements are, for tables that are not there too.
func perStatement(e *emulator.Event) bool { return e.Operation == "BatchExecuteStatement" }

// known is a source itself if it has series of its own, which it may get if it is
// there for sure; names that clients make up use up none.
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

// admit gives a source series of its own if there are few enough.
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

// rows are found without a lock, which almost all events do only; a new one has
// the map copied.
type rows[K comparable, Row any] struct {
	byKey atomic.Pointer[map[K]*Row] // what it points to is never modified
	mu    sync.Mutex                 // of changes
}

// of returns the row of a key, a new one if there is none.
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

// bounds are the upper ends of the buckets of durations; there is one more, without an end.
var bounds = [...]time.Duration{
	10 * time.Microsecond, 25 * time.Microsecond, 50 * time.Microsecond, 100 * time.Microsecond, 250 * time.Microsecond,
	500 * time.Microsecond, time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond,
	25 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond, 2500 * time.Millisecond, 10 * time.Second,
}

// duration says how long calls of an operation took, and how many bytes they were.
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
