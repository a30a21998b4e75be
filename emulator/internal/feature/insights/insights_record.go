package insights

import (
	"fmt"
	"hash/fnv"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// insightsCall is a request for a table with contributor insights.
type insightsCall struct {
	call *serve.Call
	own  *observe.Recording // a recording of its own; nil: observers have one
}

// Watch counts a request if one of its tables has rules. It never refuses one. The service
// does not count statements (Developer Guide, "CloudWatch contributor insights for DynamoDB: How it
// works").
func Watch(c *serve.Call, in any) error {
	if c.Data == nil || c.Operation.Subject != catalog.Items ||
		c.Operation.Access == catalog.Either {
		return nil
	}
	active := StateOf(c.Data).active.Load()
	if active == nil {
		return nil
	}
	if w := watchedBy(c, in, *active); w != nil {
		c.AtEnd = append(c.AtEnd, func(in, out any, err error) error {
			w.record(in, out, err)
			return err
		})
	}
	return nil
}

// watchedBy returns nil unless a table of the request is active: it has rules.
func watchedBy(c *serve.Call, in any, active map[string]bool) *insightsCall {
	w := &insightsCall{call: c}
	if c.Event == nil {
		w.own = observe.New()
		c.Event = w.own
		c.NameTables(in)
	}
	for _, table := range c.Event.Tables {
		if active[table] {
			return w
		}
	}
	w.end()
	return nil
}

// end gives the event back.
func (w *insightsCall) end() {
	if w.own != nil {
		w.call.Event = nil
		w.own.Free()
	}
}

// record counts a request that has been carried out. out is nil if it failed.
func (w *insightsCall) record(in, out any, err error) {
	defer w.end()
	throttled := w.throttled(in, out, err)
	c := w.call
	c.Store.View(func(tx *storage.Tx) error {
		now := c.Now()
		for _, name := range c.Event.Tables {
			t := tx.Table(name)
			if t == nil {
				continue
			}
			for _, o := range observedIn(c, tx, t, tables.SettingsOf(tx, t)) {
				if o.insights.Status(now) != tables.InsightsEnabled {
					continue
				}
				r := insightsRecorder{w, &o, func(index string) bool {
					ix := tx.Tables().Index(t, index)
					return index == o.index || o.index == "" && ix != nil && ix.Local
				}}
				if o.insights.Mode == tables.AllKeys {
					r.accessed()
				}
				r.throttled(throttled)
			}
		}
		return nil
	})
}

// insightsRecorder counts for the rules of a table or index.
type insightsRecorder struct {
	w  *insightsCall
	of *observed
	// whether the use of an index counts: a local one is part of its table
	uses func(index string) bool
}

// accessed counts units: three times those that are written, and those that are read (Developer
// Guide, "CloudWatch contributor insights for DynamoDB: How it works", "Most accessed items").
func (r *insightsRecorder) accessed() {
	ev := r.w.call.Event
	for i := range ev.Touches {
		if t := &ev.Touches[i]; t.Table == r.of.table.Name && r.uses(t.Index) {
			units := t.Units
			if t.Write {
				units *= 3
			}
			r.count("C", t.Keyed.Get, units)
		}
	}
	for i := range ev.Reads {
		if p := &ev.Reads[i]; p.Table == r.of.table.Name && r.uses(p.Index) && !p.Scan {
			r.count("C", func(name string) item.Value { return observe.EqualOf(p, name) }, p.Units)
		}
	}
}

// throttled counts the throttled requests and entries of batches.
func (r *insightsRecorder) throttled(list []serve.Target) {
	for i := range list {
		if t := &list[i]; t.Table == r.of.table.Name && r.uses(t.Index) {
			r.count("T", t.Known.Get, 1)
		}
	}
}

// count counts for the rules of a measure. A request without a sort key, such as a Query, counts
// for its partition key alone.
func (r *insightsRecorder) count(measure string, value func(name string) item.Value,
	units float64) {
	key := r.of.key
	partition, ok := observe.PartitionText(key, value)
	if !ok {
		return
	}
	found, now := StateOf(r.w.call.Data), r.w.call.Now()
	rule := insightsRule{r.of.table.ID, r.of.index, "PK" + measure}
	found.add(rule, contributorKey{partition: cutKey(partition)}, units, now)
	if len(key.Range) == 0 {
		return
	}
	if sort, ok := observe.PartitionText(&storage.KeySchema{Hash: key.Range}, value); ok {
		rule.kind = "SK" + measure
		found.add(rule, contributorKey{cutKey(partition), cutKey(sort)}, units, now)
	}
}

// cutKey shortens a long text. Texts that differ stay different.
func cutKey(text string) string {
	if len(text) <= insightsKeyBytes {
		return text
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%s… (%016x)", text[:insightsKeyBytes/2], h.Sum64())
}

// throttled returns the items of a request that were throttled. Writes that an index throttles do
// not count (Developer Guide, as above, "Most throttled items").
func (w *insightsCall) throttled(in, out any, err error) (list []serve.Target) {
	if e := apierr.As(err); e != nil {
		for i, t := range w.call.Targets(in) {
			if e.Throttles(i) {
				list = append(list, t)
			}
		}
		return list
	}
	if err != nil || w.call.Service.Throughput == nil &&
		(w.call.Faults == nil || w.call.Faults.Refused == nil) {
		return nil // what a batch leaves unprocessed was too much for its answer
	}
	switch out := out.(type) {
	case *api.BatchGetItemOutput:
		if out == nil {
			return nil
		}
		for i := range out.UnprocessedKeys {
			e := &out.UnprocessedKeys[i]
			for _, key := range e.Value.Keys {
				list = append(list, serve.Target{Table: arn.TableCalled(&e.Key), Known: key.Item})
			}
		}
	case *api.BatchWriteItemOutput:
		if out == nil {
			return nil
		}
		for i := range out.UnprocessedItems {
			e := &out.UnprocessedItems[i]
			for _, r := range e.Value {
				t := serve.Target{Table: arn.TableCalled(&e.Key)}
				if r.PutRequest != nil {
					t.Known = r.PutRequest.Item.Item
				} else {
					t.Known = r.DeleteRequest.Key.Item
				}
				list = append(list, t)
			}
		}
	}
	return list
}
