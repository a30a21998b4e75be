package proof

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// consumer is the reader of the table's stream in a run: what writes leave to it, it does.
type consumer struct {
	*host

	worker *search.Worker
	run    *search.Run
}

// newConsumer returns a consumer, which gets the records as a Lambda function does.
func newConsumer(t *host) (*consumer, error) {
	c := &consumer{host: t}
	mapping := trigger.NewMapping(t.plan.Design.Table)
	tr, err := trigger.New(mapping, "consumer",
		func(ctx context.Context, event []byte) ([]byte, error) {
			search.Next(ctx)
			return nil, c.consume(event)
		})
	c.worker = &search.Worker{Name: "consumer", Trigger: tr}
	return c, err
}

// streamRecord is a record of a stream, as a Lambda function gets it.
type streamRecord struct {
	EventID   string `json:"eventID"`
	EventName string `json:"eventName"`
	Dynamodb  struct{ NewImage, OldImage found }
}

// consume does what the plan says for each record of a batch.
func (c *consumer) consume(event []byte) error {
	var batch struct{ Records []streamRecord }
	if err := json.Unmarshal(event, &batch); err != nil {
		return err
	}
	sender := c.run.Client(c.worker)
	sender.Next = c.run.Fork().HTTPClient(accessKey, region)
	db := &client{gated{own{c.run.Fork()}, sender}, c.plan}
	for i := range batch.Records {
		if err := c.record(db, &batch.Records[i]); err != nil {
			return err
		}
	}
	return nil
}

// record does what the plan says for a record.
func (c *consumer) record(db *client, r *streamRecord) error {
	writes, in, err := c.writing(db, r)
	if err != nil {
		return err
	}
	for _, w := range writes {
		requests, err := c.plan.Later(w, in, value)
		if err != nil {
			return err
		}
		for i := range requests {
			if err := db.persist(requests[i]); err != nil && !needless(err) {
				return err
			}
		}
	}
	return nil
}

// needless reports whether a request was refused because there is nothing to do: the record is
// counted already, or the item with the counter is not there. A conflict with another transaction
// says nothing of that.
func needless(err error) bool {
	refused := (*refusal)(nil)
	return errors.As(err, &refused) && !strings.Contains(refused.Message, "TransactionConflict")
}

// writing returns the writes that may have made a record, with their rows.
func (c *consumer) writing(db *client, r *streamRecord) (writes []*design.Write,
	in design.Writing, err error) {
	switch r.EventName {
	case "MODIFY":
		return c.changing(db, r)
	case "REMOVE":
		model, row := c.rowOf(r.Dynamodb.OldImage)
		writes, in = c.streamed("delete "+model), rowsOf(model, nil, row)
		in.After = map[string][]design.Row{}
		c.mark(model, r, &in)
		if row != nil && writes != nil {
			err = c.feed(db, model, row, in.Before)
		}
		return writes, in, err
	}
	model, row := c.rowOf(r.Dynamodb.NewImage)
	if writes = c.streamed("put " + model); writes == nil {
		return nil, in, nil
	}
	fresh, err := c.fresh(db, model, row)
	if err != nil {
		return nil, in, err
	}
	in = rowsOf(model, fresh, row)
	c.mark(model, r, &in)
	in.After = maps.Clone(in.After)
	err = c.feed(db, model, row, in.After)
	return writes, in, err
}

// streamed returns the write with a name, if there is one that leaves something to the consumer.
func (c *consumer) streamed(name string) []*design.Write {
	if w := c.plan.Write(name); w != nil && w.Streamed() {
		return []*design.Write{w}
	}
	return nil
}

// mark adds the row of the item that says that a record is counted.
func (c *consumer) mark(model string, r *streamRecord, in *design.Writing) {
	for i := range c.plan.Design.Models {
		if m := &c.plan.Design.Models[i]; m.Marks == model && model != "" {
			in.After[m.Name] = []design.Row{{m.Key[0]: r.EventID, m.TTL: int64(1 << 32)}}
		}
	}
}

// fresh returns a row with the copies that it has to have by now: those of the items that they
// copy.
func (c *consumer) fresh(db *client, model string, row design.Row) (design.Row, error) {
	fresh := maps.Clone(row)
	for _, copied := range design.Copies(&c.plan.Design) {
		if copied.Model != model || copied.Kept != design.ByStream {
			continue
		}
		of, key := c.plan.Design.Model(copied.Of), design.Row{}
		for i, name := range of.Key {
			key[name] = row[copied.By[i]]
		}
		there, err := c.get(db, copied.Of, key)
		if err != nil {
			return nil, err
		}
		if _, now := c.rowOf(there); now != nil {
			fresh[copied.Attribute] = now[copied.Name]
		}
	}
	return fresh, nil
}

// get reads the item with a key, or nil.
func (c *consumer) get(db *client, model string, key design.Row) (found, error) {
	item, err := c.plan.Item(model, key)
	if err != nil {
		return nil, err
	}
	primary := map[string]any{}
	for _, name := range []string{c.plan.Key.Partition, c.plan.Key.Sort} {
		if name != "" {
			primary[name] = item[name]
		}
	}
	var out struct{ Item found }
	err = db.do("GetItem", map[string]any{"TableName": c.plan.Design.Table,
		"Key": json.RawMessage(appendItem(nil, primary)), "ConsistentRead": true}, &out)
	return out.Item, err
}

// changing returns the writes that have changed what is copied, with the copies that there are.
func (c *consumer) changing(db *client, r *streamRecord) (writes []*design.Write,
	in design.Writing, err error) {
	model, now := c.rowOf(r.Dynamodb.NewImage)
	_, was := c.rowOf(r.Dynamodb.OldImage)
	in = rowsOf(model, now, was)
	for _, copied := range design.Copies(&c.plan.Design) {
		if copied.Of != model || copied.Kept != design.ByStream || now == nil || was == nil ||
			sameValue(now[copied.Name], was[copied.Name]) {
			continue
		}
		for i := range c.plan.Writes {
			if w := &c.plan.Writes[i]; changesCopied(w, copied) && !slices.Contains(writes, w) {
				writes = append(writes, w)
			}
		}
		rows, err := c.copiesOf(db, copied, now)
		if err != nil {
			return nil, in, err
		}
		for _, row := range rows {
			before := maps.Clone(row)
			delete(before, copied.Attribute)
			after := maps.Clone(row)
			after[copied.Attribute] = now[copied.Name]
			in.Before[copied.Model] = append(in.Before[copied.Model], before)
			in.After[copied.Model] = append(in.After[copied.Model], after)
		}
	}
	return writes, in, nil
}

// copiesOf reads the copies of an item by the pattern that the plan has for that.
func (c *consumer) copiesOf(db *client, copied design.Copy, of design.Row) (rows []design.Row,
	err error) {
	values := design.Row{}
	for i, name := range c.plan.Design.Model(copied.Of).Key {
		values[copied.By[i]] = of[name]
	}
	return c.find(db, copied.Model, copied.Pattern, values)
}

// find reads the rows of a model by a pattern.
func (c *consumer) find(db *client, model, pattern string, values design.Row) (rows []design.Row,
	err error) {
	i := slices.IndexFunc(c.plan.Queries,
		func(q design.Query) bool { return q.Pattern == pattern })
	bounds, err := c.plan.Queries[i].BindAll(values)
	for _, b := range bounds {
		operation, in := b.Request(c.plan.Design.Table, value)
		var out answer
		if err := db.do(operation, in, &out); err != nil {
			return nil, err
		}
		if operation == string(design.GetItem) && out.Item != nil {
			out.Items = append(out.Items, out.Item)
		}
		for _, item := range out.Items {
			if row := c.rowWithKey(model, db.primaryKeyOf(item)); row != nil {
				rows = append(rows, row)
			}
		}
	}
	return rows, err
}

// rowWithKey returns a row of the race with a primary key.
func (c *consumer) rowWithKey(model, key string) design.Row {
	db := &client{plan: c.plan}
	for _, r := range c.race.rows() {
		item, err := c.plan.Item(r.model, r.row)
		if err == nil && r.model == model && db.primaryKey(item) == key {
			return r.row
		}
	}
	return nil
}

// rowOf returns the row of the race that an image shows.
func (c *consumer) rowOf(image found) (model string, row design.Row) {
	a := &outcome{client: &client{plan: c.plan}, items: map[string]found{}}
	a.items[a.primaryKeyOf(image)] = image
	for _, r := range c.race.rows() {
		if a.has(r.model, r.row) {
			return r.model, r.row
		}
	}
	return "", nil
}

// rows returns the rows that a race begins with or writes.
func (s *race) rows() []modelRow {
	all := slices.Clone(s.there)
	for _, w := range s.writes {
		for _, in := range []map[string][]design.Row{w.in.After, w.in.Before} {
			for model, rows := range in {
				for _, row := range rows {
					all = append(all, modelRow{model, row})
				}
			}
		}
	}
	return all
}

// Deliver starts a goroutine that carries a batch to the consumer.
func (t *host) Deliver(_ *search.Run, d *search.Delivery) {
	d.Client.Exit = runtime.Goexit
	go d.Carry()
}
