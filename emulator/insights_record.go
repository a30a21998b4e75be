package emulator

import (
	"fmt"
	"hash/fnv"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// insightsCall is a request for a table with contributor insights.
type insightsCall struct {
	call *call
	own  *observe.Recording // that nobody else observes; nil: observers have one
}

// watchInsights counts a request if one of its tables has rules. It never refuses one. The service
// does not count statements (Developer Guide, "CloudWatch contributor insights for DynamoDB: How it
// works").
func watchInsights(c *call, in any) error {
	if w := c.watchedBy(in); w != nil {
		c.atEnd = append(c.atEnd, func(in, out any, err error) error {
			w.record(in, out, err)
			return err
		})
	}
	return nil
}

// watchedBy returns nil unless a table of the request has rules.
func (c *call) watchedBy(in any) *insightsCall {
	if c.account == nil || c.operation.Subject != catalog.Items || c.operation.Access == catalog.Either {
		return nil
	}
	active := c.account.insights().active.Load()
	if active == nil {
		return nil
	}
	w := &insightsCall{call: c}
	if c.event == nil {
		w.own = observe.New()
		c.event = w.own
		c.nameTables(in)
	}
	for _, table := range c.event.Tables {
		if (*active)[table] {
			return w
		}
	}
	w.end()
	return nil
}

// end gives the event back.
func (w *insightsCall) end() {
	if w.own != nil {
		w.call.event = nil
		w.own.Free()
	}
}

// record counts a request that has been carried out. out is nil if it failed.
func (w *insightsCall) record(in, out any, err error) {
	defer w.end()
	throttled := w.throttled(in, out, err)
	c := w.call
	c.store.View(func(tx *storage.Tx) error {
		now := c.now()
		for _, name := range c.event.Tables {
			t := tx.Table(name)
			if t == nil {
				continue
			}
			for _, o := range c.observedIn(tx, t, tables.SettingsOf(tx, t)) {
				if o.insights.Status(now) != tables.InsightsEnabled {
					continue
				}
				r := insightsRecorder{w, &o, func(index string) bool {
					ix := tx.Index(t, index)
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
	w    *insightsCall
	of   *observed
	uses func(index string) bool // whether the use of an index counts: a local one is part of its table
}

// accessed counts units: three times those that are written, and those that are read (Developer
// Guide, "CloudWatch contributor insights for DynamoDB: How it works", "Most accessed items").
func (r *insightsRecorder) accessed() {
	ev := r.w.call.event
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
func (r *insightsRecorder) throttled(list []target) {
	for i := range list {
		if t := &list[i]; t.table == r.of.table.Name && r.uses(t.index) {
			r.count("T", t.known.Get, 1)
		}
	}
}

// count counts for the rules of a measure. A request without a sort key, such as a Query, counts for
// its partition key alone.
func (r *insightsRecorder) count(measure string, value func(name string) item.Value, units float64) {
	key := r.of.key
	partition, ok := observe.PartitionText(key, value)
	if !ok {
		return
	}
	found, now := r.w.call.account.insights(), r.w.call.now()
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
func (w *insightsCall) throttled(in, out any, err error) (list []target) {
	if e := apierr.As(err); e != nil {
		for i, t := range w.call.targets(in) {
			if e.Throttles(i) {
				list = append(list, t)
			}
		}
		return list
	}
	if err != nil || w.call.service.throughput == nil && (w.call.faults == nil || w.call.faults.refused == nil) {
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
				list = append(list, target{table: arn.TableCalled(&e.Key), known: key.Item})
			}
		}
	case *api.BatchWriteItemOutput:
		if out == nil {
			return nil
		}
		for i := range out.UnprocessedItems {
			e := &out.UnprocessedItems[i]
			for _, r := range e.Value {
				t := target{table: arn.TableCalled(&e.Key)}
				if r.PutRequest != nil {
					t.known = r.PutRequest.Item.Item
				} else {
					t.known = r.DeleteRequest.Key.Item
				}
				list = append(list, t)
			}
		}
	}
	return list
}
