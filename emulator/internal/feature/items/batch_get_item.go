package items

import (
	"iter"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func BatchGetItem(c *serve.Call, in *api.BatchGetItemInput) (*api.BatchGetItemOutput, error) {
	reads, err := checkBatchGet(c, in)
	if err != nil {
		return nil, err
	}
	if err := readBatch(c, reads); err != nil {
		return nil, err
	}
	out := &api.BatchGetItemOutput{
		Responses:       make(api.Map[[]item.JSON], len(reads)),
		UnprocessedKeys: api.BatchGetRequestMap{},
	}
	for i := range reads {
		r := &reads[i]
		out.Responses[i] = api.Entry[[]item.JSON]{Key: r.requested, Value: r.answer()}
		if rest, some := r.unprocessed(); some {
			out.UnprocessedKeys = append(out.UnprocessedKeys,
				api.Entry[api.KeysAndAttributes]{Key: r.requested, Value: rest})
		}
		if u := r.used.Report((*api.TableArn)(&r.requested)); u != nil && r.done > len(r.left) {
			out.ConsumedCapacity = append(out.ConsumedCapacity, *u)
		}
	}
	return out, nil
}

func BatchGetItemTargets(in *api.BatchGetItemInput, ts *serve.Targets) {
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		t := serve.Target{
			Table: arn.TableCalled(&e.Key), Eventual: !api.IsTrue(e.Value.ConsistentRead),
		}
		if ts.NamesOnly() {
			ts.Add(t)
			continue
		}
		for _, key := range e.Value.Keys {
			t.Known = key.Item
			ts.Add(t)
		}
	}
}

// batchRead lists the keys that a batch reads from one table.
type batchRead struct {
	requested  string // what the request calls the table
	table      string
	in         *api.KeysAndAttributes
	projection *expr.Projection // nil: whole items
	used       metering.Usage
	done       int         // how many of the keys have been read or left
	left       api.KeyList // those of them that are left unprocessed for lack of throughput
	found      []item.Item // the items, in the order of the keys
}

// checkBatchGet applies the rules that need no table.
func checkBatchGet(c *serve.Call, in *api.BatchGetItemInput) ([]batchRead, error) {
	total := 0
	reads := make([]batchRead, len(in.RequestItems))
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		total += len(e.Value.Keys)
		reads[i] = batchRead{
			requested: e.Key, in: &e.Value, used: c.NewUsage(in.ReturnConsumedCapacity),
		}
	}
	if total > c.Service.Limits.BatchGetItems {
		return nil, apierr.Invalid("Too many items requested for the BatchGetItem call")
	}
	if err := checkSameKind(reads); err != nil {
		return nil, err
	}
	for i := range reads {
		if err := reads[i].check(c); err != nil {
			return nil, err
		}
	}
	return reads, nil
}

// checkSameKind checks that all tables say by expressions what they want, or none (service
// facts 4.7).
func checkSameKind(reads []batchRead) error {
	var params expressionParams
	for i := range reads {
		in := reads[i].in
		if in.AttributesToGet != nil {
			params.legacy = []Parameter{{"AttributesToGet", true}}
		}
		if in.ProjectionExpression != nil {
			params.valueless = []Parameter{{"ProjectionExpression", true}}
		}
	}
	return params.Check()
}

func (r *batchRead) check(c *serve.Call) (err error) {
	if r.table, err = c.TableName(api.TableArn(r.requested)); err != nil {
		return err
	}
	if err := orderOfBatchRead.Judge(r); err != nil {
		return err
	}
	seen := make(map[item.Item]struct{}, len(r.in.Keys))
	for _, key := range r.in.Keys {
		seen[key.Item] = struct{}{}
	}
	if len(seen) == len(r.in.Keys) {
		return nil
	}
	if repeatsKey(c.Body, r.requested) { // the last of all faults: service facts 4.8
		return errDuplicateKeys
	}
	r.dropRepeats(seen)
	return nil
}

func (r *batchRead) wanted() projectionParams {
	return projectionParams{r.in.AttributesToGet, r.in.ProjectionExpression,
		r.in.ExpressionAttributeNames}
}

// orderOfBatchRead orders the checks of BatchGetItem on its reads from one table that need no
// table.
var orderOfBatchRead = serve.ByLayers("BatchGetItem",
	serve.Step("parameters that do not go together", "", func(r *batchRead) error {
		p := r.wanted()
		return p.check()
	}).Of(judgement.Joins),
	serve.Step("the keys", "F.8", func(r *batchRead) error {
		for _, key := range r.in.Keys {
			if err := checkKey(key); err != nil {
				return err
			}
		}
		return nil
	}).Of(judgement.Items),
	serve.Step("the projection", "4.8", func(r *batchRead) (err error) {
		p := r.wanted()
		r.projection, err = p.projection()
		return err
	}).Of(judgement.Expressions),
)

// dropRepeats keeps one of the keys that differ only in how their numbers are written: the item
// comes once (service facts H.1).
func (r *batchRead) dropRepeats(seen map[item.Item]struct{}) {
	var once api.KeyList
	for _, key := range r.in.Keys {
		if _, first := seen[key.Item]; first {
			once = append(once, key)
			delete(seen, key.Item)
		}
	}
	r.in.Keys = once
}

// errDuplicateKeys: a batch names the same item twice.
var errDuplicateKeys = apierr.Invalid("Provided list of item keys contains duplicates")

// readBatch reads all tables from one snapshot, until the items come to
// limits.BatchGetBytes; the keys that are left are unprocessed (API Reference,
// BatchGetItem). The service also stops at 1 MB per partition, but which keys
// share a partition is its secret: here every table has room for the whole batch.
func readBatch(c *serve.Call, reads []batchRead) error {
	return c.Store.View(func(tx *storage.Tx) error {
		tables, err := tablesOf(c, tx, reads)
		if err != nil {
			return err
		}
		gets, err := lookupsOf(c, tx, reads, tables)
		if err != nil {
			return err
		}
		reading, err := c.Policy.BatchGet(keysOf(reads))
		if err != nil {
			return err
		}
		reading.GetAll(tx, gets)
		b := batchTaking{gets: gets}
		for i := range reads {
			if !reads[i].take(c, tx, &b) {
				break
			}
		}
		if b.throttled == len(gets) {
			return b.err
		}
		return nil
	})
}

// tablesOf returns the table of each read. All are looked up before any key is checked.
func tablesOf(c *serve.Call, tx *storage.Tx, reads []batchRead) ([]*storage.Table, error) {
	tables := make([]*storage.Table, len(reads))
	for i := range reads {
		t, err := c.ActiveTable(tx, reads[i].table)
		if err != nil {
			return nil, err
		}
		if err := checkStrongRead(c, tx, t, api.IsTrue(reads[i].in.ConsistentRead)); err != nil {
			return nil, err
		}
		tables[i] = t
	}
	return tables, nil
}

// lookupsOf returns a lookup for each key of the reads, whose tables are given.
func lookupsOf(c *serve.Call, tx *storage.Tx, reads []batchRead,
	tables []*storage.Table) ([]storage.Lookup, error) {
	total := 0
	for i := range reads {
		total += len(reads[i].in.Keys)
	}
	gets := make([]storage.Lookup, 0, total)
	for i := range reads {
		var err error
		if gets, err = reads[i].appendLookups(gets, c, tx, tables[i]); err != nil {
			return nil, err
		}
	}
	return gets, nil
}

// appendLookups checks the keys of a read and appends the lookup of each. Faults decide for each
// key which state of the table is read.
func (r *batchRead) appendLookups(gets []storage.Lookup, c *serve.Call, tx *storage.Tx,
	t *storage.Table) ([]storage.Lookup, error) {
	if err := keys.CheckScalars(tx, t, r.projection); err != nil {
		return nil, err
	}
	for _, key := range r.in.Keys {
		k, err := keys.OfTable(c.Memory.Items(), &t.Key, key.Item)
		if err != nil {
			return nil, err
		}
		read := t
		if c.Faults != nil {
			read = readable(c, tx, t, api.IsTrue(r.in.ConsistentRead), len(gets))
		}
		gets = append(gets, storage.Lookup{Table: read, Key: k})
	}
	return gets, nil
}

// keysOf returns the table and the key of each read.
func keysOf(reads []batchRead) iter.Seq2[string, item.Item] {
	return func(yield func(string, item.Item) bool) {
		for i := range reads {
			for _, key := range reads[i].in.Keys {
				if !yield(reads[i].table, key.Item) {
					return
				}
			}
		}
	}
}

// batchTaking is how far a batch has been taken from what was read.
type batchTaking struct {
	gets      []storage.Lookup // the look-ups of all keys
	next      int              // the next one in gets
	bytes     int              // the size of the items taken
	throttled int              // how many keys there was no throughput for
	err       error            // the error of the last of them
}

// take takes the items of one table and adds their sizes to b.bytes, until the next
// would take it above the limit. One item is always taken. It reports whether all were.
func (r *batchRead) take(c *serve.Call, tx *storage.Tx, b *batchTaking) bool {
	r.found = make([]item.Item, 0, len(r.in.Keys))
	for i := range r.in.Keys {
		get := &b.gets[b.next]
		refused := c.Faults.Refusal(b.next)
		if refused == nil {
			if refused = checkGetThroughput(c, tx, get.Table, get.Key); refused != nil {
				b.throttled, b.err = b.throttled+1, refused
			}
		}
		if refused != nil {
			r.left = append(r.left, r.in.Keys[i])
			r.done++
			b.next++
			continue
		}
		size := get.Size
		if b.bytes > 0 && b.bytes+size > c.Service.Limits.BatchGetBytes {
			return false
		}
		b.bytes += size
		consistent := api.IsTrue(r.in.ConsistentRead)
		r.used.AddGet(get.Table, r.in.Keys[i].Item, get.Item, consistent)
		chargeGet(c, tx, get.Table, get.Key, metering.ReadUnits(size, consistent))
		r.done++
		b.next++
		if get.Item != "" {
			r.found = append(r.found, get.Item)
		}
	}
	return true
}

// answer is the list of items found, never nil.
func (r *batchRead) answer() []item.JSON {
	if r.projection != nil {
		list, _ := project(nil, r.projection, r.found)
		return list
	}
	return wholeItems(r.found)
}

// unprocessed is the request for the keys that were not read.
func (r *batchRead) unprocessed() (api.KeysAndAttributes, bool) {
	rest := *r.in
	rest.Keys = append(r.left, rest.Keys[r.done:]...)
	return rest, len(rest.Keys) > 0
}
