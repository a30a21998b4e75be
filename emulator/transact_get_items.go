package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func transactGetItems(c *call, in *api.TransactGetItemsInput) (*api.TransactGetItemsOutput, error) {
	x, err := c.checkTransactGet(in)
	if err != nil {
		return nil, err
	}
	if err := c.store.View(func(tx *storage.Tx) error { return x.run(c, tx) }); err != nil {
		return nil, err
	}
	out := &api.TransactGetItemsOutput{Responses: x.answers()}
	out.ConsumedCapacity, _ = reportTables(x.tables)
	return out, nil
}

func transactGetItemsTargets(in *api.TransactGetItemsInput, ts *targets) {
	for i := range in.TransactItems {
		t := target{}
		if get := in.TransactItems[i].Get; get != nil {
			t = target{table: arn.TableCalled(get.TableName), known: get.Key.Item}
		}
		ts.add(t)
	}
}

// readTransaction is a checked transaction that reads.
type readTransaction struct {
	gets       []transactGet
	tables     []batchTable // in the order in which the gets name them
	statements bool         // it is an ExecuteTransaction
}

// transactGet is one read of a transaction.
type transactGet struct {
	table         int // in readTransaction.tables
	keyAttributes item.Item
	projection    *expr.Projection // nil: the whole item
	statement     keyedStatement   // of PartiQL; nil: none
	key           storage.Key
	found         item.Item
}

// keyedStatement is a statement that reads an item by its key.
type keyedStatement interface {
	// onlyKey returns the key in a table if the statement names the key and nothing else.
	onlyKey(t *storage.Table) (key item.Item, ok bool)
	// answer returns what the statement selects of the item.
	answer(found item.Item) item.JSON
}

// checkTransactGet applies the rules that need no table.
func (c *call) checkTransactGet(in *api.TransactGetItemsInput) (*readTransaction, error) {
	x := &readTransaction{gets: make([]transactGet, len(in.TransactItems))}
	for i := range in.TransactItems {
		get, g := in.TransactItems[i].Get, &x.gets[i]
		var err error
		if g.table, err = namedTable(c, &x.tables, string(*get.TableName)); err != nil {
			return nil, err
		}
		p := projectionParams{source: get.ProjectionExpression, names: get.ExpressionAttributeNames}
		if err := p.check(); err != nil {
			return nil, err
		}
		if err := checkAttributes(get.Key); err != nil {
			return nil, err
		}
		if g.projection, err = p.projection(); err != nil {
			return nil, err
		}
		g.keyAttributes = get.Key.Item
	}
	for i := range x.tables {
		x.tables[i].used = c.newTransactUsage(in.ReturnConsumedCapacity, metering.ReadUsage)
	}
	return x, nil
}

// run reads all items from one snapshot.
func (x *readTransaction) run(c *call, tx *storage.Tx) error {
	if err := resolveTables(c, tx, x.tables); err != nil {
		return err
	}
	if err := checkNotStrong(tx, x.tables); err != nil {
		return err
	}
	reasons := &apierr.Cancellation{Actions: len(x.gets), Each: x.statements}
	for i := range x.gets {
		if err := reasons.Add(i, x.read(c, tx, &x.gets[i])); err != nil {
			return err
		}
		if !reasons.Failed(i) && x.again(i, reasons) {
			return errSameItem
		}
	}
	reasons.OnlyInvalid()
	if err := reasons.Canceled(); err != nil {
		return err
	}
	size := 0
	for i := range x.gets {
		size += x.gets[i].found.Size()
	}
	if most := c.service.limits.TransactBytes; size > most {
		return errTransactionSize(most)
	}
	for i := range x.gets {
		g := &x.gets[i]
		c.chargeGet(tx, x.tables[g.table].table, g.key, metering.TransactTimes*metering.ReadUnits(g.found.Size(), true))
	}
	return nil
}

// read reads one item, unless a transaction is about to write it.
func (x *readTransaction) read(c *call, tx *storage.Tx, g *transactGet) (err error) {
	t := &x.tables[g.table]
	if g.statement != nil {
		g.keyAttributes, _ = g.statement.onlyKey(t.table)
	}
	if g.key, err = keys.OfTable(c.memory.Items(), &t.table.Key, g.keyAttributes); err != nil {
		return err
	}
	if err := keys.CheckScalars(tx, t.table, g.projection); err != nil {
		return err
	}
	if err := c.account.transactions().conflict(t.table, g.key); err != nil {
		return err
	}
	if err := c.watch.get(t.table, g.keyAttributes); err != nil {
		return err
	}
	if err := c.checkGet(tx, t.table, g.key); err != nil {
		return err
	}
	g.found = tx.Get(t.table, g.key)
	t.used.AddGet(t.table, g.keyAttributes, g.found, true)
	return nil
}

// again reports whether an earlier get is for the same item as get i.
func (x *readTransaction) again(i int, reasons *apierr.Cancellation) bool {
	g := &x.gets[i]
	for j := range i {
		if other := &x.gets[j]; g.key == other.key && g.table == other.table && !reasons.Failed(j) {
			return true
		}
	}
	return false
}

// answers are those of all gets.
func (x *readTransaction) answers() api.ItemResponseList {
	list := make(api.ItemResponseList, len(x.gets))
	for i := range x.gets {
		list[i].Item = x.gets[i].answer()
	}
	return list
}

// answer is what was asked for of the item, "" if there is none: of a projection that matches
// nothing there is none, other than in GetItem (service facts 3.11).
func (g *transactGet) answer() item.JSON {
	var asked item.JSON
	switch {
	case g.found == "":
		return ""
	case g.statement != nil:
		asked = g.statement.answer(g.found)
	case g.projection == nil:
		return g.found.JSON()
	default:
		asked = item.JSON(g.projection.AppendJSON(nil, g.found))
	}
	if asked == "{}" {
		return ""
	}
	return asked
}
