package items

import (
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

func TransactGetItems(c *serve.Call, in *api.TransactGetItemsInput) (*api.TransactGetItemsOutput,
	error) {
	x, err := checkTransactGet(c, in)
	if err != nil {
		return nil, err
	}
	if err := c.Store.View(func(tx *storage.Tx) error { return x.Run(c, tx) }); err != nil {
		return nil, err
	}
	out := &api.TransactGetItemsOutput{Responses: x.Answers()}
	out.ConsumedCapacity, _ = ReportTables(x.Tables)
	return out, nil
}

func TransactGetItemsTargets(in *api.TransactGetItemsInput, ts *serve.Targets) {
	for i := range in.TransactItems {
		t := serve.Target{}
		if get := in.TransactItems[i].Get; get != nil {
			t = serve.Target{Table: arn.TableCalled(get.TableName), Known: get.Key.Item}
		}
		ts.Add(t)
	}
}

// ReadTransaction is a checked transaction that reads.
type ReadTransaction struct {
	Gets       []TransactGet
	Tables     []batchTable // sorted by the first get that names them
	Statements bool         // it is an ExecuteTransaction
}

// TransactGet is one read of a transaction.
type TransactGet struct {
	Table         int // the index of its table in ReadTransaction.Tables
	keyAttributes item.Item
	Projection    *expr.Projection // nil: the whole item
	Statement     keyedStatement   // a statement of PartiQL; nil: none
	key           storage.Key
	found         item.Item
}

// keyedStatement is a statement that reads an item by its key.
type keyedStatement interface {
	// OnlyKey returns the key in a table if the statement names the key and nothing else.
	OnlyKey(t *storage.Table) (key item.Item, ok bool)
	// Answer returns what the statement selects of the item.
	Answer(found item.Item) item.JSON
}

// checkTransactGet applies the rules that need no table.
func checkTransactGet(c *serve.Call, in *api.TransactGetItemsInput) (*ReadTransaction, error) {
	x := &ReadTransaction{Gets: make([]TransactGet, len(in.TransactItems))}
	for i := range in.TransactItems {
		get, g := in.TransactItems[i].Get, &x.Gets[i]
		var err error
		if g.Table, err = NamedTable(c, &x.Tables, string(*get.TableName)); err != nil {
			return nil, err
		}
		if err := orderOfTransactGet.Judge(transactedGet{get, g}); err != nil {
			return nil, err
		}
		g.keyAttributes = get.Key.Item
	}
	for i := range x.Tables {
		x.Tables[i].Used = c.NewTransactUsage(in.ReturnConsumedCapacity, metering.ReadUsage)
	}
	return x, nil
}

// transactedGet is a read of a transaction, and what it becomes.
type transactedGet struct {
	in  *api.Get
	get *TransactGet
}

// orderOfTransactGet orders the checks of TransactGetItems on each read that need no table.
var orderOfTransactGet = serve.ByLayers("TransactGetItems",
	serve.Step("the key", "F.8", func(r transactedGet) error {
		return checkKey(r.in.Key)
	}).Of(judgement.Items),
	serve.Step("the projection", "", func(r transactedGet) (err error) {
		p := projectionParams{
			source: r.in.ProjectionExpression, names: r.in.ExpressionAttributeNames,
		}
		r.get.Projection, err = p.projection()
		return err
	}).Of(judgement.Expressions),
)

// Run reads all items from one snapshot.
func (x *ReadTransaction) Run(c *serve.Call, tx *storage.Tx) error {
	if err := resolveTables(c, tx, x.Tables); err != nil {
		return err
	}
	if err := checkNotStrong(tx, x.Tables); err != nil {
		return err
	}
	reasons := &apierr.Cancellation{Actions: len(x.Gets), Each: x.Statements, Empty: true}
	for i := range x.Gets {
		if err := reasons.Add(i, x.read(c, tx, &x.Gets[i])); err != nil {
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
	for i := range x.Gets {
		size += x.Gets[i].found.Size()
	}
	if most := c.Service.Limits.TransactBytes; size > most {
		return errTransactionSize(most)
	}
	for i := range x.Gets {
		g := &x.Gets[i]
		chargeGet(c, tx, x.Tables[g.Table].Table, g.key,
			metering.TransactTimes*metering.ReadUnits(g.found.Size(), true))
	}
	return nil
}

// read reads one item, unless a transaction is about to write it.
func (x *ReadTransaction) read(c *serve.Call, tx *storage.Tx, g *TransactGet) (err error) {
	t := &x.Tables[g.Table]
	if g.Statement != nil {
		g.keyAttributes, _ = g.Statement.OnlyKey(t.Table)
	}
	if g.key, err = keys.OfTable(c.Memory.Items(), &t.Table.Key, g.keyAttributes); err != nil {
		return err
	}
	if err := keys.CheckScalars(tx, t.Table, g.Projection); err != nil {
		return err
	}
	if err := TransactionsOf(c.Data).conflict(t.Table, g.key); err != nil {
		return err
	}
	reading, err := c.Policy.Get(t.Table, g.keyAttributes)
	if err != nil {
		return err
	}
	if err := checkGetThroughput(c, tx, t.Table, g.key); err != nil {
		return err
	}
	g.found = reading.Get(tx, t.Table, g.key)
	t.Used.AddGet(t.Table, g.keyAttributes, g.found, true)
	return nil
}

// again reports whether an earlier get is for the same item as get i.
func (x *ReadTransaction) again(i int, reasons *apierr.Cancellation) bool {
	g := &x.Gets[i]
	for j := range i {
		if other := &x.Gets[j]; g.key == other.key && g.Table == other.Table && !reasons.Failed(j) {
			return true
		}
	}
	return false
}

// Answers are those of all gets.
func (x *ReadTransaction) Answers() api.ItemResponseList {
	list := make(api.ItemResponseList, len(x.Gets))
	for i := range x.Gets {
		list[i].Item = x.Gets[i].answer()
	}
	return list
}

// answer returns the part of the item that was asked for, or "". A projection that matches nothing
// answers "", unlike in GetItem (service facts 3.11).
func (g *TransactGet) answer() item.JSON {
	var asked item.JSON
	switch {
	case g.found == "":
		return ""
	case g.Statement != nil:
		asked = g.Statement.Answer(g.found)
	case g.Projection == nil:
		return g.found.JSON()
	default:
		asked = item.JSON(g.Projection.AppendJSON(nil, g.found))
	}
	if asked == "{}" {
		return ""
	}
	return asked
}
