package traffic

import (
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/internal/topk"
)

// MaxRows is the largest number of rows in each list of a report. All further traffic is counted
// together, in rows of the table Other.
const MaxRows = 1000

// Other is the table of all traffic without rows of its own.
const Other = "(other)"

// Recorder counts events. Its methods are safe for concurrent use.
type Recorder struct {
	mu       sync.Mutex
	declared []Pattern

	requests   int64
	operations map[operationKey]*Operation
	capacity   map[capacityKey]*Capacity
	reads      map[readKey]*ReadReport
	accesses   map[accessKey]*access
	minutes    map[place]*minute
	keys       map[keysKey]*KeyReport
	writes     map[writesKey]*WriteReport
	partitions *topk.Keys[partitionKey]
}

type (
	operationKey struct{ operation, table string }
	capacityKey  struct{ operation, table, index string }
	readKey      struct {
		operation, table, index, condition, filter string
		scan, fetched                              bool
	}
	accessKey struct{ operation, table, index, condition string }
)

// NewRecorder returns an empty recorder for an application that declares access patterns. Without
// declared patterns, reports list no access as undeclared. NewRecorder panics if CheckPatterns
// refuses the patterns.
func NewRecorder(declared ...Pattern) *Recorder {
	if err := CheckPatterns(declared); err != nil {
		panic("traffic: " + err.Error())
	}
	r := &Recorder{declared: declared}
	r.Reset()
	return r
}

// Reset forgets what was recorded.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = 0
	r.operations = map[operationKey]*Operation{}
	r.capacity = map[capacityKey]*Capacity{}
	r.reads = map[readKey]*ReadReport{}
	r.accesses = map[accessKey]*access{}
	r.minutes = map[place]*minute{}
	r.keys = map[keysKey]*KeyReport{}
	r.writes = map[writesKey]*WriteReport{}
	r.partitions = newPartitions()
}

// Observe adds an event. Pass it to emulator.Emulator.Observe.
func (r *Recorder) Observe(e *emulator.Event) {
	partitions := e.Partitions()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests++
	r.countOperation(e)
	for i := range e.Capacity {
		c := &e.Capacity[i]
		row := rowOf(r.capacity, capacityKey{e.Operation, c.Table, c.Index},
			capacityKey{table: Other})
		row.Read += c.Read
		row.Write += c.Write
		row.ReadBytes += c.ReadBytes
		row.WriteBytes += c.WriteBytes
		rowOf(r.minutes, place{c.Table, c.Index}, place{table: Other}).add(e.Time, c)
	}
	for i := range e.Reads {
		r.countRead(e.Operation, &e.Reads[i])
	}
	r.countAccesses(e)
	r.countKeys(e)
	r.countWrites(e)
	for i := range partitions {
		p := &partitions[i]
		r.partitions.Add(partitionKey{p.Table, p.Index, p.Key}, p.Units)
	}
}

// rowOf returns the row of a key. If there are too many rows it returns that of other.
func rowOf[K comparable, Row any](rows map[K]*Row, key, other K) *Row {
	row := rows[key]
	if row == nil && len(rows) >= MaxRows-1 {
		key = other
		row = rows[key]
	}
	if row == nil {
		row = new(Row)
		rows[key] = row
	}
	return row
}

func (r *Recorder) countOperation(e *emulator.Event) {
	tables := e.Tables
	if len(tables) == 0 {
		tables = []string{""}
	}
	for _, table := range tables {
		row := rowOf(r.operations, operationKey{e.Operation, table}, operationKey{table: Other})
		row.Requests++
		if e.Error != "" {
			if row.Errors == nil {
				row.Errors = map[string]int64{}
			}
			row.Errors[e.Error]++
		}
	}
}

func (r *Recorder) countRead(operation string, page *emulator.EventRead) {
	key := readKey{operation, page.Table, page.Index, page.KeyCondition(),
		strings.Join(page.FilterAttributes(), ", "), page.Scan, page.Fetched}
	row := rowOf(r.reads, key, readKey{table: Other})
	row.Pages++
	row.Evaluated += int64(page.Evaluated)
	row.Returned += int64(page.Returned)
	row.Units += page.Units
	if page.Filtered {
		row.filtered = true
	}
}

// countAccesses counts the accesses to items of a request, with what each of them consumes. A
// request that fails is no access, but it may consume capacity.
func (r *Recorder) countAccesses(e *emulator.Event) {
	if catalog.SubjectOf(e.Operation) != catalog.Items {
		return
	}
	succeeded := int64(0)
	if e.Error == "" {
		succeeded = 1
	}
	for i := range e.Reads {
		page := &e.Reads[i]
		row := r.access(e.Operation, page.Table, page.Index, page.KeyCondition())
		row.requests += succeeded
		row.ReadUnits += page.Units
		row.ReadBytes += searchBytes(e, page)
	}
	if len(e.Reads) > 0 {
		return
	}
	if e.Error == "" {
		for _, table := range e.Tables {
			r.access(e.Operation, table, "", "").requests++
		}
	}
	for i := range e.Capacity {
		c := &e.Capacity[i]
		r.access(e.Operation, c.Table, "",
			"").add(Consumed{c.Read, c.Write, c.ReadBytes, c.WriteBytes})
	}
}

func (r *Recorder) access(operation, table, index, condition string) *access {
	return rowOf(r.accesses, accessKey{operation, table, index, condition}, accessKey{table: Other})
}

// searchBytes returns the bytes that a search reads of a vector index, which has no units.
func searchBytes(e *emulator.Event, page *emulator.EventRead) (bytes float64) {
	for i := range e.Capacity {
		if c := &e.Capacity[i]; c.Table == page.Table && c.Index == page.Index {
			bytes += c.ReadBytes
		}
	}
	return bytes
}
