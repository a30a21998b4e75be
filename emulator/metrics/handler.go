package metrics

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"

	process "github.com/VictoriaMetrics/metrics"

	"github.com/kugiri-db/kugiri/emulator"
)

// Path is the path at which Options serves the metrics.
const Path = "/metrics"

// Options returns options that make an emulator count its requests and serve the metrics at Path.
// Requests to forks are counted too, but the tables of forks are not.
// caches tells what caches in front of the emulator have done; nil is for none.
func Options(caches func() []CacheCount) []emulator.Option {
	m := &Metrics{caches: caches}
	return []emulator.Option{
		emulator.WithObserver(m.Observe),
		emulator.WithRoute(Path, m.Handler),
	}
}

// Handler serves the metrics, including the current size of the tables of e.
func (m *Metrics) Handler(e *emulator.Emulator) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != Path:
			http.NotFound(w, r)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "metrics are read by GET", http.StatusMethodNotAllowed)
			return
		}
		var t text
		m.write(&t)
		m.writeTables(&t, e.Inspect().TableSizesFor(r))
		writeRules(&t, e.Inspect().RuleCounts())
		m.writeCaches(&t)
		process.ExposeMetadata(true)
		process.WriteProcessMetrics(&t)
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Write(t.Bytes()) // an error means that the client is gone
	})
}

// write writes the counters.
func (m *Metrics) write(t *text) {
	requests := m.requests.all()
	t.family("kugiri_requests_total", "counter", "Calls of operations, by the type of their error.")
	for _, k := range sorted(requests,
		func(k requestKey) string { return k.operation + "\x00" + k.table + "\x00" + k.code }) {
		t.sample("kugiri_requests_total", float64(requests[k].Load()), "operation", k.operation,
			"table", k.table, "code", k.code)
	}
	m.writeDurations(t)
	m.writeCapacity(t)
}

// writeCapacity writes the consumed units, and the bytes that vector indexes consume.
func (m *Metrics) writeCapacity(t *text) {
	capacity := m.capacity.all()
	keys := sorted(capacity,
		func(k capacityKey) string { return k.operation + "\x00" + k.table + "\x00" + k.index })
	write := func(name, kind string, amount func(u *units) float64) {
		for _, k := range keys {
			if n := amount(capacity[k]); n > 0 {
				t.sample(name, n, "operation", k.operation, "table", k.table, "index", k.index,
					"kind", kind)
			}
		}
	}
	const consumed, bytes = "kugiri_capacity_units_total", "kugiri_vector_bytes_total"
	t.family(consumed, "counter", "Capacity units consumed.")
	write(consumed, "read", func(u *units) float64 { return float64(u.read.Load()) / 2 })
	write(consumed, "write", func(u *units) float64 { return float64(u.write.Load()) / 2 })
	t.family(bytes, "counter", "Bytes that vector indexes consumed.")
	write(bytes, "read", func(u *units) float64 { return float64(u.readBytes.Load()) })
	write(bytes, "write", func(u *units) float64 { return float64(u.writeBytes.Load()) })
}

func (m *Metrics) writeDurations(t *text) {
	durations := m.durations.all()
	operations := sorted(durations, func(operation string) string { return operation })
	const name = "kugiri_request_duration_seconds"
	t.family(name, "histogram", "How long calls of operations took, by the emulator's clock.")
	for _, operation := range operations {
		d, n := durations[operation], int64(0)
		for i := range bounds {
			n += d.buckets[i].Load()
			t.sample(name+"_bucket", float64(n), "operation", operation, "le",
				strconv.FormatFloat(bounds[i].Seconds(), 'g', -1, 64))
		}
		n += d.buckets[len(bounds)].Load()
		t.sample(name+"_bucket", float64(n), "operation", operation, "le", "+Inf")
		t.sample(name+"_sum", float64(d.sum.Load())/1e9, "operation", operation)
		t.sample(name+"_count", float64(n), "operation", operation)
	}
	t.family("kugiri_request_bytes_total", "counter", "Bytes of the bodies of requests.")
	for _, operation := range operations {
		t.sample("kugiri_request_bytes_total", float64(durations[operation].received.Load()),
			"operation", operation)
	}
	t.family("kugiri_response_bytes_total", "counter",
		"Bytes of the bodies of answers, before compression.")
	for _, operation := range operations {
		t.sample("kugiri_response_bytes_total", float64(durations[operation].sent.Load()),
			"operation", operation)
	}
}

// writeTables writes the sizes of tables. Tables without series of their own are added up.
func (m *Metrics) writeTables(t *text, sizes []emulator.TableSize) {
	sums := map[source]emulator.TableSize{}
	for _, s := range sizes {
		k := m.known(source{s.Table, s.Index}, true)
		sum := sums[k]
		sum.Items += s.Items
		sum.Bytes += s.Bytes
		sums[k] = sum
	}
	sources := sorted(sums, func(k source) string { return k.table + "\x00" + k.index })
	t.family("kugiri_table_items", "gauge", "Items of tables and indexes.")
	for _, k := range sources {
		t.sample("kugiri_table_items", float64(sums[k].Items), "table", k.table, "index", k.index)
	}
	t.family("kugiri_table_bytes", "gauge", "Bytes of tables and indexes, as DynamoDB counts them.")
	for _, k := range sources {
		t.sample("kugiri_table_bytes", float64(sums[k].Bytes), "table", k.table, "index", k.index)
	}
}

// CacheCount says how often a cache of the accelerator had something to do for a table: Cache is
// "item" or "query", and Result "hit", "miss" or "eviction".
type CacheCount struct {
	Table, Cache, Result string
	Count                int64
}

// writeCaches writes what caches did, if there are any.
func (m *Metrics) writeCaches(t *text) {
	if m.caches == nil {
		return
	}
	const name = "kugiri_dax_cache_total"
	t.family(name, "counter", "Hits, misses and evictions of the accelerator's caches.")
	sums := map[CacheCount]int64{}
	for _, c := range m.caches() {
		count := c.Count
		c.Table, c.Count = m.known(source{table: c.Table}, true).table, 0
		sums[c] += count
	}
	for _, c := range sorted(sums,
		func(c CacheCount) string { return c.Table + "\x00" + c.Cache + "\x00" + c.Result }) {
		t.sample(name, float64(sums[c]), "table", c.Table, "cache", c.Cache, "result", c.Result)
	}
}

func writeRules(t *text, counts []emulator.RuleCount) {
	t.family("kugiri_rule_findings_total", "counter",
		"How often requests have broken rules of the policy.")
	for _, c := range counts {
		t.sample("kugiri_rule_findings_total", float64(c.Count), "rule", c.Rule, "severity",
			c.Severity)
	}
}

// sorted returns the keys of a map, sorted by their texts.
func sorted[K comparable, V any](m map[K]V, text func(K) string) []K {
	return slices.SortedFunc(maps.Keys(m),
		func(a, b K) int { return cmp.Compare(text(a), text(b)) })
}
