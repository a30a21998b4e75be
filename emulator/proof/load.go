package proof

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/emulator"
)

// LoadOptions say how Load sends requests.
type LoadOptions struct {
	Options
	Seconds int // seconds on the emulator's clock; 0 is DefaultSeconds
	// the exponent by which some keys are more frequent than others; 0 is no difference
	Zipf float64
}

// DefaultSeconds is how long Load sends requests. A partition serves a second's worth more than its
// limit at first, so that a short load throttles only what is far above it.
const DefaultSeconds = 10

// MaxLoadRequests is how many requests Load sends at most.
const MaxLoadRequests = 2_000_000

// MaxLoadBytes is how many bytes of items Load puts at most, in the table and its indexes.
const MaxLoadBytes = 1 << 30

// LoadReport says what was throttled, and which partition keys were used most.
type LoadReport struct {
	Seconds  int
	Zipf     float64
	Patterns []LoadResult // sorted as in the design
	Writes   []LoadResult // sorted by model
	Hot      []HotKey     // the most used first
}

// LoadResult is the result for the reads of a pattern or the writes of a model.
type LoadResult struct {
	Name        string
	Requests    int64
	Throttled   int64
	ThrottledBy map[string]int64 // requests by index, or by the name of the table
}

// HotKey is a partition key that takes many units.
type HotKey struct {
	Where string // the index, or the name of the table
	Key   string
	Write bool
	Units float64 // units in its busiest second
	Limit float64 // the limit of a partition
}

// OK reports whether nothing was throttled.
func (r *LoadReport) OK() bool {
	throttled := func(l LoadResult) bool { return l.Throttled > 0 }
	return !slices.ContainsFunc(r.Patterns, throttled) && !slices.ContainsFunc(r.Writes, throttled)
}

// The units that a partition serves in a second, which emulator.Throughput has by default.
const (
	partitionReads  = 3000
	partitionWrites = 1000
)

// Load sends the requests of all patterns, and writes items of all models, at the design's rates,
// to a table with the limits of partitions. It goes by the emulator's clock, so it does not take
// that long. Frequent keys are so by Zipf's law among as many values as the design says.
func Load(plan *design.Plan, o LoadOptions) (*LoadReport, error) {
	if o.Zipf != 0 && !(o.Zipf > 1) {
		return nil, errors.New(
			"the exponent of Zipf's law is above 1, or 0 for keys that are all as frequent")
	}
	o.Seconds = cmp.Or(o.Seconds, DefaultSeconds)
	if n := rates(&plan.Design) * float64(o.Seconds); n > MaxLoadRequests {
		return nil, fmt.Errorf("the rates and the time make %.0f requests, and at most %d are sent",
			n, MaxLoadRequests)
	}
	if n := putBytes(plan) * float64(o.Seconds); n > MaxLoadBytes {
		return nil, fmt.Errorf("the rates and the time put %.0f MB, and at most %d are stored",
			n/(1<<20), MaxLoadBytes>>20)
	}
	e := emulator.New()
	v := newVerification(plan, o.Options, o.until(own{e}))
	v.spread()
	if err := v.db.createTable(); err != nil {
		return nil, err
	}
	if err := v.load(); err != nil {
		return nil, err
	}
	return newLoad(v, e, o).run()
}

// loadRows is how many rows of a model Load puts, if the design has as many items.
const loadRows = 1000

// spread has as many rows of each model as the design has items, or as many as share the load about
// as evenly: fewer partition keys would be hot, and more would not.
func (v *verification) spread() {
	v.allTenants = true
	for _, m := range v.plan.Design.Models {
		if m.Items > 0 {
			v.rows[m.Name] = min(max(v.rows[m.Name], loadRows), m.Items)
		}
	}
	v.elsewhere = map[string]int64{}
	for _, m := range v.plan.Design.Elsewhere {
		if m.Items > 0 {
			v.elsewhere[m.Name] = min(loadRows, m.Items)
		}
	}
	v.fit()
}

// rates returns how many requests a second has.
func rates(d *design.Design) (n float64) {
	for _, p := range d.Patterns {
		n += p.Rate * d.Peak(p.Model, p.Models)
	}
	for _, m := range d.Models {
		n += (m.Puts + m.AllUpdates() + m.Deletes) * d.Peak(m.Name, nil)
	}
	return n
}

// putBytes returns how many bytes of new items a second has.
func putBytes(plan *design.Plan) (n float64) {
	for _, m := range plan.Design.Models {
		n += m.Puts * design.StoredBytes(plan, m.Name)
	}
	return n
}

// maxKeys is how many values of a request Load remembers.
const maxKeys = 10_000

// load is a run of Load.
type load struct {
	*verification
	options LoadOptions
	report  *LoadReport
	clock   *emulator.Clock
	random  *rand.Rand
	samples *design.Samples
	some    map[string][]design.Row // rows by model
	waiting map[string][]design.Row // rows that were put and are in their first state, by model
	// whose turn it is to leave a state, and to come into it, by model
	left, come map[string]turns
	values     [][]design.Row // different values of a pattern's requests, by pattern
	ranks      map[ranks]*rand.Zipf
	second     map[HotKey]float64 // units of the current second
}

func newLoad(v *verification, e *emulator.Emulator, o LoadOptions) *load {
	l := &load{verification: v, options: o, clock: emulator.NewClock(e.Now()),
		random: rand.New(rand.NewPCG(o.Seed, 2)),
		some:   map[string][]design.Row{}, waiting: map[string][]design.Row{},
		left: map[string]turns{}, come: map[string]turns{},
		values: make([][]design.Row, len(v.plan.Queries)),
		ranks:  map[ranks]*rand.Zipf{}, second: map[HotKey]float64{}}
	fork := e.Fork(emulator.WithHeldClock(l.clock), emulator.WithThroughput(emulator.Throughput{}),
		emulator.WithObserver(l.observe))
	l.db = &client{o.until(own{fork}), v.plan}
	l.report = &LoadReport{Seconds: o.Seconds, Zipf: o.Zipf}
	l.samples = v.samples()
	for i := range v.plan.Design.Models {
		m := &v.plan.Design.Models[i]
		for n := range v.rows[m.Name] {
			if row := l.samples.Next(m.Name); n < maxKeys {
				l.some[m.Name] = append(l.some[m.Name], row)
			}
		}
		l.report.Writes = append(l.report.Writes, LoadResult{Name: m.Name})
	}
	for i := range v.plan.Queries {
		l.values[i] = l.valuesOf(i)
		l.report.Patterns = append(l.report.Patterns, LoadResult{Name: v.plan.Queries[i].Pattern})
	}
	return l
}

// valuesOf returns different values of requests of a pattern, taken from rows.
func (l *load) valuesOf(i int) []design.Row {
	v := *l.verification
	v.requests = make([][]*request, len(v.plan.Queries))
	p, model := &v.plan.Design.Patterns[i], v.plan.Queries[i].Models[0]
	seen := map[string]bool{}
	for n, row := range l.some[model] {
		if l.options.ended() != nil { // the first tick returns its error
			return nil
		}
		if !v.plan.Design.Has(p, model, row) {
			continue
		}
		if key := equalKey(p.Equal, row); !seen[key] {
			seen[key] = true
			// the last one bounds a range
			v.requests[i] = v.requests[i][max(len(v.requests[i])-1, 0):]
			before := len(v.requests[i])
			if v.request(i, n, p, row); len(v.requests[i]) > before {
				l.values[i] = append(l.values[i], v.requests[i][before].values)
			}
		}
	}
	return l.values[i]
}

// pick returns a number below n of values of attributes of a model, the lower the more frequent:
// as the design says of one of them, or else as the options do.
func (l *load) pick(m *design.Model, names []string, n int) int {
	zipf := l.options.Zipf
	for _, name := range names {
		switch a := m.Attribute(name); {
		case a.Largest > 0 && l.random.Float64() < m.Heaviest(name):
			return 0
		case a.Largest > 0:
			return l.random.IntN(n)
		case a.Zipf > 0:
			zipf = a.Zipf
		}
	}
	return l.rank(n, l.plan.Design.Different(m.Name, names), zipf)
}

// storedRow returns a row that is stored. It has a frequent value more often if the design says so
// of an attribute, and otherwise the frequent rows are those of the options.
func (l *load) storedRow(m *design.Model) design.Row {
	rows := l.some[m.Name]
	if name := staysOf(m); name != "" {
		return rows[l.pickState(m, rows, name)]
	}
	for _, a := range m.Attributes {
		if a.Zipf == 0 && a.Largest == 0 {
			continue
		}
		value := rows[l.pick(m, []string{a.Name}, len(rows))][a.Name]
		same := slices.Collect(func(yield func(design.Row) bool) {
			for _, row := range rows {
				if sameValue(row[a.Name], value) && !yield(row) {
					return
				}
			}
		})
		return same[l.random.IntN(len(same))]
	}
	return rows[l.rank(len(rows), m.Items, l.options.Zipf)]
}

// rank returns a number below n, the lower the more frequent, out of so many.
func (l *load) rank(n int, of int64, zipf float64) int {
	if zipf == 0 {
		return l.random.IntN(n)
	}
	key := ranks{zipf, uint64(max(of, int64(n))) - 1}
	if l.ranks[key] == nil {
		l.ranks[key] = rand.NewZipf(l.random, zipf, 1, key.most)
	}
	return int(l.ranks[key].Uint64() % uint64(n))
}

// ranks are numbers from 0 to most by Zipf's law.
type ranks struct {
	zipf float64
	most uint64
}

// ticks is how many times in a second requests are sent.
const ticks = 10

func (l *load) run() (*LoadReport, error) {
	for tick := range l.options.Seconds * ticks {
		if err := l.tick(tick); err != nil {
			return nil, err
		}
		l.clock.Advance(time.Second / ticks)
		if (tick+1)%ticks == 0 {
			l.endSecond()
		}
	}
	return l.report, nil
}

// due returns how many requests of a rate a tick has.
func due(rate float64, tick int) int {
	return int(math.Floor(rate*float64(tick+1)/ticks) - math.Floor(rate*float64(tick)/ticks))
}

func (l *load) tick(tick int) error {
	if err := l.options.ended(); err != nil {
		return err
	}
	for i := range l.plan.Design.Patterns {
		p := &l.plan.Design.Patterns[i]
		for range due(p.Rate*l.plan.Design.Peak(p.Model, p.Models), tick) {
			if err := l.read(i); err != nil {
				return err
			}
		}
	}
	for i := range l.plan.Design.Models {
		m := &l.plan.Design.Models[i]
		peak := l.plan.Design.Peak(m.Name, nil)
		for range due(m.Puts*peak, tick) {
			if err := l.put(i, l.begun(m)); err != nil {
				return err
			}
		}
		for range due(m.Deletes*peak, tick) {
			if err := l.remove(i, l.storedRow(m)); err != nil {
				return err
			}
		}
		for range due(m.Updates*peak, tick) {
			if err := l.put(i, l.changedRow(m)); err != nil {
				return err
			}
		}
		for _, c := range m.Changes {
			for range due(c.Rate*peak, tick) {
				if err := l.put(i, l.rowWith(m, c.Of)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// read sends the requests of a pattern once. They read as many items as the design says.
func (l *load) read(i int) error {
	p, result := &l.plan.Design.Patterns[i], &l.report.Patterns[i]
	if len(l.values[i]) == 0 { // no row has what its requests name
		return nil
	}
	m := l.plan.Design.Model(l.plan.Queries[i].Models[0])
	var at int
	if name := staysOf(m); slices.Contains(p.Equal, name) {
		at = l.pickState(m, l.values[i], name)
	} else {
		at = l.pick(m, p.Equal, len(l.values[i]))
	}
	values := l.values[i][at]
	bounds, err := l.plan.Queries[i].BindAll(values)
	if err != nil {
		return err
	}
	limit := max(1, int(math.Ceil(l.plan.Design.Evaluated(p)/float64(len(bounds)))))
	for _, b := range bounds {
		operation, in := b.Request(l.plan.Design.Table, value)
		if operation == string(design.QueryRequest) {
			in["Limit"] = limit
		}
		if err := l.count(result, l.send(b, operation, in)); err != nil {
			return err
		}
	}
	return nil
}

// send sends a request of a pattern, and that which reads the items of an index whole.
func (l *load) send(b design.Bound, operation string, in map[string]any) error {
	if operation == string(design.BatchGetItem) {
		_, err := l.db.readBatch(in, &Pattern{})
		return err
	}
	var out answer
	err := l.db.do(operation, in, &out)
	if err == nil && b.Fetch {
		_, err = l.db.fetch(out.Items, &Pattern{})
	}
	return err
}

// put writes an item of a model.
func (l *load) put(model int, row design.Row) error {
	item, err := l.plan.Item(l.plan.Design.Models[model].Name, row)
	if err != nil {
		return err
	}
	in := map[string]any{
		"TableName": l.plan.Design.Table, "Item": json.RawMessage(appendItem(nil, item)),
	}
	return l.count(&l.report.Writes[model], l.db.do("PutItem", in, &struct{}{}))
}

// remove deletes an item of a model.
func (l *load) remove(model int, row design.Row) error {
	item, err := l.plan.Item(l.plan.Design.Models[model].Name, row)
	if err != nil {
		return err
	}
	key := map[string]any{}
	for _, name := range []string{l.plan.Key.Partition, l.plan.Key.Sort} {
		if name != "" {
			key[name] = item[name]
		}
	}
	in := map[string]any{
		"TableName": l.plan.Design.Table, "Key": json.RawMessage(appendItem(nil, key)),
	}
	return l.count(&l.report.Writes[model], l.db.do("DeleteItem", in, &struct{}{}))
}

// begun returns a new row as it is put: with the values with which rows begin.
func (l *load) begun(m *design.Model) design.Row {
	row := l.newRow(m)
	for _, a := range m.Attributes {
		if a.Begins != "" {
			row[a.Name] = a.Begins
		}
	}
	if staysOf(m) != "" {
		l.waiting[m.Name] = append(l.waiting[m.Name], row)
	}
	return row
}

// newRow returns a new row. Values that other rows may have are the frequent ones.
func (l *load) newRow(m *design.Model) design.Row {
	row, rows := l.samples.Next(m.Name), l.some[m.Name]
	for _, a := range m.Attributes {
		if (a.Of != "" || a.Values > 0) && a.Name != m.Key[len(m.Key)-1] {
			take(row, rows[l.pick(m, []string{a.Name}, len(rows))], a.Name)
		}
	}
	return row
}

// take gives a row the value that another one has of an attribute, which may be none.
func take(row, other design.Row, name string) {
	if row[name] = other[name]; other[name] == nil {
		delete(row, name)
	}
}

// changedRow returns a row with another value of an attribute that is in no key.
func (l *load) changedRow(m *design.Model) design.Row {
	row := l.storedRow(m)
	for _, s := range l.plan.Entity(m.Name).Others {
		name := s.Value[0].Attribute
		if text, ok := row[name].(string); ok && text != "" {
			row[name] = text[:len(text)-1] + strconv.Itoa(l.random.IntN(10))
			return row
		}
	}
	return row
}

// rowWith returns a row with other values of attributes: those of a new row.
func (l *load) rowWith(m *design.Model, changed []string) design.Row {
	if name := staysOf(m); slices.Contains(changed, name) {
		return l.movedRow(m, name, changed)
	}
	return l.otherRow(l.storedRow(m), m, changed)
}

// otherRow gives a row other values of attributes: those of a new row.
func (l *load) otherRow(row design.Row, m *design.Model, changed []string) design.Row {
	next := l.newRow(m)
	for _, name := range changed {
		take(row, next, name)
	}
	return row
}

// count counts a request. Errors other than those of throttled requests are returned.
func (l *load) count(result *LoadResult, err error) error {
	result.Requests++
	var r *refusal
	if err == nil {
		return nil
	}
	if errors.Is(err, errUnprocessed) {
		r = &refusal{ThrottlingReasons: []throttlingReason{{}}}
	} else if !errors.As(err, &r) || len(r.ThrottlingReasons) == 0 {
		return err
	}
	result.Throttled++
	if result.ThrottledBy == nil {
		result.ThrottledBy = map[string]int64{}
	}
	for _, reason := range r.ThrottlingReasons {
		_, index, _ := strings.Cut(reason.Resource, "/index/")
		result.ThrottledBy[cmp.Or(index, l.plan.Design.Table)]++
	}
	return nil
}

// observe counts the units of partition keys.
func (l *load) observe(e *emulator.Event) {
	for _, p := range e.Partitions() {
		key := HotKey{
			Where: cmp.Or(p.Index, p.Table), Key: p.Key, Write: p.Write, Limit: partitionReads,
		}
		if p.Write {
			key.Limit = partitionWrites
		}
		l.second[key] += p.Units
	}
}

// maxHot is how many partition keys a LoadReport has.
const maxHot = 10

// endSecond keeps the partition keys with the most units in a second, of all seconds so far.
func (l *load) endSecond() {
	most := map[HotKey]float64{}
	for _, h := range l.report.Hot {
		units := h.Units
		h.Units = 0
		most[h] = units
	}
	for key, units := range l.second {
		most[key] = max(most[key], units)
	}
	l.second, l.report.Hot = map[HotKey]float64{}, nil
	for key, units := range most {
		key.Units = units
		l.report.Hot = append(l.report.Hot, key)
	}
	slices.SortFunc(l.report.Hot, func(a, b HotKey) int {
		return cmp.Or(cmp.Compare(b.Units/b.Limit, a.Units/a.Limit), cmp.Compare(a.Where, b.Where),
			cmp.Compare(a.Key, b.Key))
	})
	l.report.Hot = l.report.Hot[:min(len(l.report.Hot), maxHot)]
}
