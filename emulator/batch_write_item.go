package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// batchWriteItem writes the whole batch in one commit. The service promises no
// atomicity across the items of a batch, only that each single write is atomic,
// so that it may as well be; what it does promise, that a call that is refused
// has written nothing, comes for free, and so does speed.
func batchWriteItem(c *call, in *api.BatchWriteItemInput) (*api.BatchWriteItemOutput, error) {
	b, err := c.checkBatchWrite(in)
	if err != nil {
		return nil, err
	}
	if err := c.store.Update(func(tx *storage.Tx) error { return b.run(c, tx) }); err != nil {
		return nil, err
	}
	out := &api.BatchWriteItemOutput{UnprocessedItems: api.BatchWriteItemRequestMap{}}
	out.ConsumedCapacity, out.ItemCollectionMetrics = reportTables(b.tables)
	for i := range b.tables {
		if t := &b.tables[i]; len(t.unprocessed) > 0 {
			out.UnprocessedItems = append(out.UnprocessedItems, api.Entry[api.WriteRequests]{Key: t.requested, Value: t.unprocessed})
		}
	}
	return out, nil
}

// batchWrite is a checked BatchWriteItem.
type batchWrite struct {
	tables  []batchTable
	writes  []batchItem // of all tables, in their order
	metrics bool

	throttled int // how many writes there was no throughput for
}

// batchTable is what a batch or a transaction does to one table.
type batchTable struct {
	requested   string // what the request calls the table
	name        string
	table       *storage.Table
	used        usage
	collections []api.ItemCollectionMetrics
	unprocessed api.WriteRequests // for items that an open transaction holds, or for lack of throughput
}

// reportTables is what the answer says of the tables.
func reportTables(tables []batchTable) (consumed []api.ConsumedCapacity, metrics api.Map[[]api.ItemCollectionMetrics]) {
	for i := range tables {
		t := &tables[i]
		if u := t.used.report((*api.TableArn)(&t.requested)); u != nil {
			consumed = append(consumed, *u)
		}
		if len(t.collections) > 0 {
			metrics = append(metrics, api.Entry[[]api.ItemCollectionMetrics]{Key: t.requested, Value: t.collections})
		}
	}
	return consumed, metrics
}

// batchItem is one write of a batch.
type batchItem struct {
	table  int // in batchWrite.tables
	change change
	keyed  item.Item // has the key attributes
	key    storage.Key
	old    item.Item
	in     *api.WriteRequest
}

// checkBatchWrite applies the rules that need no table.
func (c *call) checkBatchWrite(in *api.BatchWriteItemInput) (*batchWrite, error) {
	total := 0
	for i := range in.RequestItems {
		total += len(in.RequestItems[i].Value)
	}
	if total > c.emulator.limits.BatchWriteItems {
		return nil, invalid("Too many items requested for the BatchWriteItem call")
	}
	b := &batchWrite{
		tables:  make([]batchTable, len(in.RequestItems)),
		writes:  make([]batchItem, 0, total),
		metrics: wantsMetrics(in.ReturnItemCollectionMetrics),
	}
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		name, err := c.tableName(api.TableArn(e.Key))
		if err != nil {
			return nil, err
		}
		b.tables[i] = batchTable{requested: e.Key, name: name, used: c.newUsage(in.ReturnConsumedCapacity)}
		for j := range e.Value {
			ch, keyed, err := c.checkWriteRequest(&e.Value[j])
			if err != nil {
				return nil, err
			}
			b.writes = append(b.writes, batchItem{table: i, change: ch, keyed: keyed, in: &e.Value[j]})
		}
	}
	return b, nil
}

// checkWriteRequest: a request is a put or a delete. The service words other
// cases as those of an attribute value, a union as well.
func (c *call) checkWriteRequest(r *api.WriteRequest) (change, item.Item, error) {
	switch {
	case r.PutRequest != nil && r.DeleteRequest != nil:
		return nil, "", invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
	case r.PutRequest != nil:
		return put{r.PutRequest.Item.Item, c.emulator.limits.ItemBytes}, r.PutRequest.Item.Item, c.checkNewItem(r.PutRequest.Item)
	case r.DeleteRequest != nil:
		return deletion{r.DeleteRequest.Key.Item}, r.DeleteRequest.Key.Item, checkAttributes(r.DeleteRequest.Key)
	}
	return nil, "", invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
}

// run checks every write against its table before it makes the first.
func (b *batchWrite) run(c *call, tx *storage.Tx) (err error) {
	for i := range b.tables {
		if b.tables[i].table, err = c.activeTable(tx, b.tables[i].name); err != nil {
			return err
		}
	}
	for i := range b.writes {
		w := &b.writes[i]
		if w.key, err = w.change.key(tx, b.tables[w.table].table); err != nil {
			return err
		}
	}
	if b.duplicates() {
		return errDuplicateKeys
	}
	if err := c.watch.proposeBatch(b); err != nil {
		return err
	}
	b.readOld(tx)
	for i := range b.writes {
		if c.fate.refusal(i) != nil {
			b.leave(&b.writes[i])
			continue
		}
		if err := b.write(c, tx, i); err != nil {
			return err
		}
	}
	if b.metrics {
		for i := range b.writes {
			b.tables[b.writes[i].table].measure(tx, b.writes[i].keyed)
		}
	}
	return c.watch.commitBatch(tx)
}

func (b *batchWrite) duplicates() bool {
	for i := range b.writes {
		for j := range i {
			if b.writes[i].key == b.writes[j].key && b.tables[b.writes[i].table].table == b.tables[b.writes[j].table].table {
				return true
			}
		}
	}
	return false
}

// readOld reads the items that the writes, of different items, replace.
func (b *batchWrite) readOld(tx *storage.Tx) {
	reads := make([]storage.Read, len(b.writes))
	for i := range b.writes {
		w := &b.writes[i]
		reads[i] = storage.Read{Table: b.tables[w.table].table, Key: w.key}
	}
	tx.GetAll(reads)
	for i := range b.writes {
		b.writes[i].old = reads[i].Item
	}
}

// leave leaves a write unprocessed.
func (b *batchWrite) leave(w *batchItem) {
	t := &b.tables[w.table]
	t.unprocessed = append(t.unprocessed, *w.in)
}

func (b *batchWrite) write(c *call, tx *storage.Tx, i int) error {
	w := &b.writes[i]
	t := &b.tables[w.table]
	if c.transactions.conflict(t.table, w.key) != nil {
		b.leave(w)
		return nil
	}
	new, err := w.change.next(tx, t.table, w.old)
	if err != nil {
		return err
	}
	if err := b.pay(c, tx, w, new); err != nil {
		b.throttled++
		b.leave(w)
		if b.throttled == len(b.writes) {
			return err
		}
		return nil
	}
	t.used.addWrite(tx, t.table, w.old, new)
	c.watch.wrote(i, w.old, new)
	return c.replace(tx, t.table, w.key, w.old, new)
}

// measure adds the metrics of the item collection that was written to; each is
// there once.
func (t *batchTable) measure(tx *storage.Tx, keyed item.Item) {
	m := collectionMetrics(tx, t.table, keyed)
	if m == nil {
		return
	}
	for i := range t.collections {
		if t.collections[i].ItemCollectionKey == m.ItemCollectionKey {
			return
		}
	}
	t.collections = append(t.collections, *m)
}
