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
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
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
	image, minus := r.Dynamodb.NewImage, r.EventName == "REMOVE"
	if minus {
		image = r.Dynamodb.OldImage
	}
	model, row := c.rowOf(image)
	if r.EventName == "MODIFY" {
		_, was := c.rowOf(r.Dynamodb.OldImage)
		return c.changing(db, model, row, was)
	}
	cause := c.does.Cause(model, minus)
	if cause == nil {
		return nil, in, nil
	}
	in = rowsOf(model, row, row)
	if rows := in.After; minus {
		delete(rows, model)
		err = c.feed(db, cause, row, in.Before)
	} else if rows[model][0], err = c.fresh(db, cause, row); err == nil {
		err = c.feed(db, cause, row, rows)
	}
	if m := cause.Mark; m != nil {
		in.After[m.Name] = []design.Row{{m.Key[0]: r.EventID, m.TTL: int64(1 << 32)}}
	}
	return []*design.Write{cause.Write}, in, err
}

// valuesOf returns the parameters of a query by the attributes of a row.
func valuesOf(by map[string]string, row design.Row) design.Row {
	values := design.Row{}
	for name, of := range by {
		values[name] = row[of]
	}
	return values
}

// fresh returns a row with the copies that it has to have by now: those of the items that they
// copy.
func (c *consumer) fresh(db *client, cause *consuming.Cause, row design.Row) (design.Row, error) {
	fresh := maps.Clone(row)
	for _, o := range cause.Fresh {
		there, err := c.get(db, o.Of, valuesOf(o.By, row))
		if err != nil {
			return nil, err
		}
		for _, copied := range o.Copies {
			if _, now := c.rowOf(there); now != nil {
				fresh[copied.Attribute] = now[copied.Name]
			}
		}
	}
	return fresh, nil
}

// feed adds the items of feeds that an item has: one for each of its readers by now.
func (c *consumer) feed(db *client, cause *consuming.Cause, item design.Row,
	rows map[string][]design.Row) error {
	for _, f := range cause.Feeds {
		readers, err := c.find(db, f.Feed.Feed.Through, f.Query, valuesOf(f.By, item))
		if err != nil {
			return err
		}
		for _, r := range readers {
			rows[f.Feed.Name] = append(rows[f.Feed.Name], consuming.FeedItem(f.Feed, item, r))
		}
	}
	return nil
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
func (c *consumer) changing(db *client, model string, now, was design.Row) (
	writes []*design.Write, in design.Writing, err error) {
	in = rowsOf(model, now, was)
	for _, f := range c.does.FollowsOf(model) {
		copied := f.Copied
		if now == nil || was == nil || sameValue(now[copied.Name], was[copied.Name]) {
			continue
		}
		for i := range c.plan.Writes {
			if w := &c.plan.Writes[i]; changesCopied(w, copied) && !slices.Contains(writes, w) {
				writes = append(writes, w)
			}
		}
		rows, err := c.find(db, copied.Model, f.Query, valuesOf(f.By, now))
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

// find reads the rows of a model by a query of the plan.
func (c *consumer) find(db *client, model string, query int, values design.Row) (
	rows []design.Row, err error) {
	bounds, err := c.plan.Queries[query].BindAll(values)
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
