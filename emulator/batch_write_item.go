package emulator

import (
	"slices"
	"sync"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// batchWriteItem writes the whole batch in one commit. The service promises no
// atomicity across the items of a batch, only that each single write is atomic,
// so that it may as well be; what it does promise, that a call that is refused
// has written nothing, comes for free, and so does speed.
func batchWriteItem(c *call, in *api.BatchWriteItemInput) (*api.BatchWriteItemOutput, error) {
	b := batchWrites.Get().(*batchWrite)
	defer b.free()
	if err := c.checkBatchWrite(b, in); err != nil {
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

	reads []storage.Read // of writes
}

// batchWrites are those that were freed, for the memory of their writes.
var batchWrites = sync.Pool{New: func() any { return new(batchWrite) }}

// free ends the use of b and its writes. Its tables are not used again: answers have parts of them.
func (b *batchWrite) free() {
	if len(b.writes) > actionsKept {
		return
	}
	clear(b.writes)
	clear(b.reads)
	*b = batchWrite{writes: b.writes[:0], reads: b.reads[:0]}
	batchWrites.Put(b)
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
	put    put       // change, if that is one
	keyed  item.Item // has the key attributes
	key    storage.Key
	old    item.Item
	in     *api.WriteRequest
}

// checkBatchWrite applies the rules that need no table.
func (c *call) checkBatchWrite(b *batchWrite, in *api.BatchWriteItemInput) error {
	total := 0
	for i := range in.RequestItems {
		total += len(in.RequestItems[i].Value)
	}
	if total > c.emulator.limits.BatchWriteItems {
		return invalid("Too many items requested for the BatchWriteItem call")
	}
	b.tables, b.writes = make([]batchTable, len(in.RequestItems)), slices.Grow(b.writes, total)
	b.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		name, err := c.tableName(api.TableArn(e.Key))
		if err != nil {
			return err
		}
		b.tables[i] = batchTable{requested: e.Key, name: name, used: c.newUsage(in.ReturnConsumedCapacity)}
		for j := range e.Value {
			b.writes = append(b.writes, batchItem{table: i, in: &e.Value[j]})
			if err := c.checkWriteRequest(&b.writes[len(b.writes)-1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkWriteRequest: a request is a put or a delete. The service words other cases as those of
// an attribute value, a union as well, and says of none that there are too many (service facts 1.13).
func (c *call) checkWriteRequest(w *batchItem) error {
	switch r := w.in; {
	case (r.PutRequest != nil) == (r.DeleteRequest != nil):
		return invalidValue(&item.Invalid{Fault: item.ManyDatatypes})
	case r.PutRequest != nil:
		w.put = put{r.PutRequest.Item.Item, c.emulator.limits.ItemBytes}
		w.change, w.keyed = &w.put, w.put.item
		return c.checkNewItem(r.PutRequest.Item)
	}
	w.change, w.keyed = deletion{w.in.DeleteRequest.Key.Item}, w.in.DeleteRequest.Key.Item
	return checkAttributes(w.in.DeleteRequest.Key)
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
		t := b.tables[w.table].table
		if w.key, err = w.change.key(c, tx, t); err != nil {
			if !hasKey(&t.Key, w.keyed) { // not in the words of PutItem (service facts 4.1)
				err = errKeySchema
			}
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
	b.reads = slices.Grow(b.reads[:0], len(b.writes))
	for i := range b.writes {
		w := &b.writes[i]
		b.reads = append(b.reads, storage.Read{Table: b.tables[w.table].table, Key: w.key})
	}
	tx.GetAll(b.reads)
	for i := range b.writes {
		b.writes[i].old = b.reads[i].Item
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
	tx.Near(&b.reads[i])
	return c.replace(tx, t.table, w.key, w.old, new, false)
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
