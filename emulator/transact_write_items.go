package emulator

import (
	"slices"
	"sync"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func transactWriteItems(c *call, in *api.TransactWriteItemsInput) (*api.TransactWriteItemsOutput, error) {
	x := newWriteTransaction(len(in.TransactItems))
	defer x.free()
	if err := c.checkTransactWrite(x, in); err != nil {
		return nil, err
	}
	if err := c.runTransaction(x); err != nil {
		return nil, err
	}
	out := new(api.TransactWriteItemsOutput)
	out.ConsumedCapacity, out.ItemCollectionMetrics = reportTables(x.tables)
	return out, nil
}

// writeTransaction is a checked transaction that writes.
type writeTransaction struct {
	actions []transactAction
	tables  []batchTable // in the order in which the actions name them
	token   requestToken
	metrics bool

	statements bool // it is an ExecuteTransaction
	capacity   *api.ReturnConsumedCapacity
	prepared   bool // its items are held, by itself

	reads []storage.Read // of actions
}

// writeTransactions are those that were freed, for the memory of their actions.
var writeTransactions = sync.Pool{New: func() any { return new(writeTransaction) }}

// actionsKept is how many actions a freed transaction has at most.
const actionsKept = 128

// newWriteTransaction returns a transaction with n actions. It is the caller's until it frees it.
func newWriteTransaction(n int) *writeTransaction {
	x := writeTransactions.Get().(*writeTransaction)
	x.actions = slices.Grow(x.actions, n)[:n]
	return x
}

// free ends the use of x and its actions. Its tables are not used again: answers have parts of them.
func (x *writeTransaction) free() {
	if len(x.actions) > actionsKept {
		return
	}
	clear(x.actions)
	clear(x.reads)
	*x = writeTransaction{actions: x.actions[:0], reads: x.reads[:0]}
	writeTransactions.Put(x)
}

// transactAction is one action of a transaction.
type transactAction struct {
	itemWrite
	in  int // in writeTransaction.tables
	key storage.Key
	put put // change, if that is one
}

// checkTransactWrite applies the rules that need no table: what they refuse, the
// service refuses as a whole, without cancellation reasons.
func (c *call) checkTransactWrite(x *writeTransaction, in *api.TransactWriteItemsInput) error {
	x.metrics, x.capacity = wantsMetrics(in.ReturnItemCollectionMetrics), in.ReturnConsumedCapacity
	for i := range in.TransactItems {
		requested, err := c.checkAction(&in.TransactItems[i], &x.actions[i])
		if err != nil {
			return err
		}
		if err := x.name(c, &x.actions[i], requested); err != nil {
			return err
		}
	}
	if most := c.emulator.limits.TransactBytes; payloadSize(in.TransactItems) > most {
		return errPayloadSize(most)
	}
	if in.ClientRequestToken != nil {
		orderNames(in.TransactItems)
		without := *in
		without.ClientRequestToken = nil
		x.token = newRequestToken(in.ClientRequestToken, &without)
	}
	return nil
}

// name finds the table of an action by what the request calls it.
func (x *writeTransaction) name(c *call, a *transactAction, requested *api.TableArn) error {
	i, err := namedTable(c, &x.tables, string(*requested))
	if err != nil {
		return err
	}
	a.in, a.table = i, x.tables[i].name
	return nil
}

// namedTable returns the place in tables of one that the request calls requested,
// which it adds if it is new.
func namedTable(c *call, tables *[]batchTable, requested string) (int, error) {
	for i := range *tables {
		if (*tables)[i].requested == requested {
			return i, nil
		}
	}
	name, err := c.tableName(api.TableArn(requested))
	if err != nil {
		return 0, err
	}
	for i := range *tables {
		if (*tables)[i].name == name {
			return i, nil
		}
	}
	*tables = append(*tables, batchTable{requested: requested, name: name})
	return len(*tables) - 1, nil
}

// payloadSize is the size of the items, keys and values that a transaction sends. What is
// stored does not count (service facts 5.8).
func payloadSize(items []api.TransactWriteItem) int {
	n := 0
	for i := range items {
		switch a := &items[i]; {
		case a.Put != nil:
			n += a.Put.Item.Item.Size() + a.Put.ExpressionAttributeValues.Item.Size()
		case a.Update != nil:
			n += a.Update.Key.Item.Size() + a.Update.ExpressionAttributeValues.Item.Size()
		case a.Delete != nil:
			n += a.Delete.Key.Item.Size() + a.Delete.ExpressionAttributeValues.Item.Size()
		case a.ConditionCheck != nil:
			n += a.ConditionCheck.Key.Item.Size() + a.ConditionCheck.ExpressionAttributeValues.Item.Size()
		}
	}
	return n
}

// errNotOneAction and errNoAction: an element of TransactItems is more than one of the four, or
// none (service facts 5.7).
var (
	errNotOneAction = invalidParameter("TransactItems can only contain one of Check, Put, Update or Delete")
	errNoAction     = invalidParameter("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request")
)

// checkAction checks the one action of an element and makes a write of it. It
// returns what the request calls the table.
func (c *call) checkAction(in *api.TransactWriteItem, a *transactAction) (table *api.TableArn, err error) {
	given := 0
	for _, is := range [...]bool{in.ConditionCheck != nil, in.Put != nil, in.Delete != nil, in.Update != nil} {
		if is {
			given++
		}
	}
	switch {
	case given == 0:
		return nil, errNoAction
	case given > 1:
		return nil, errNotOneAction
	case in.Put != nil:
		return in.Put.TableName, c.checkPutAction(in.Put, a)
	case in.Update != nil:
		return in.Update.TableName, c.checkUpdateAction(in.Update, &a.itemWrite)
	case in.Delete != nil:
		return in.Delete.TableName, checkDeleteAction(in.Delete, &a.itemWrite)
	}
	return in.ConditionCheck.TableName, checkConditionCheck(in.ConditionCheck, &a.itemWrite)
}

func (c *call) checkPutAction(in *api.Put, a *transactAction) error {
	p := conditionParams{source: in.ConditionExpression, names: in.ExpressionAttributeNames, values: compared(in.ExpressionAttributeValues)}
	a.put = put{in.Item.Item, c.emulator.limits.ItemBytes}
	a.change, a.keyed = &a.put, in.Item.Item
	return a.conditional(&p, in.ReturnValuesOnConditionCheckFailure, c.checkNewItem(in.Item))
}

func (c *call) checkUpdateAction(in *api.Update, w *itemWrite) (err error) {
	u := &update{keyAttributes: in.Key.Item, maxBytes: c.emulator.limits.ItemBytes}
	w.condition, err = u.check(&api.UpdateItemInput{
		Key:                       in.Key,
		UpdateExpression:          in.UpdateExpression,
		ConditionExpression:       in.ConditionExpression,
		ExpressionAttributeNames:  in.ExpressionAttributeNames,
		ExpressionAttributeValues: compared(in.ExpressionAttributeValues),
	})
	w.change, w.keyed = u, in.Key.Item
	w.failedOld = wantsOld(in.ReturnValuesOnConditionCheckFailure)
	return textsFirst(err, in.UpdateExpression, in.ConditionExpression)
}

func checkDeleteAction(in *api.Delete, w *itemWrite) error {
	p := conditionParams{source: in.ConditionExpression, names: in.ExpressionAttributeNames, values: compared(in.ExpressionAttributeValues)}
	w.change, w.keyed = deletion{in.Key.Item}, in.Key.Item
	return w.conditional(&p, in.ReturnValuesOnConditionCheckFailure, checkAttributes(in.Key))
}

func checkConditionCheck(in *api.ConditionCheck, w *itemWrite) error {
	p := conditionParams{source: in.ConditionExpression, names: in.ExpressionAttributeNames, values: compared(in.ExpressionAttributeValues)}
	w.change, w.keyed = noChange{in.Key.Item}, in.Key.Item
	return w.conditional(&p, in.ReturnValuesOnConditionCheckFailure, checkAttributes(in.Key))
}

// conditional gives the write of an action its condition, if there is one. bad is what is
// wrong with its item or key. The service finds it after what is wrong with the choice of
// parameters and with the text of the expression (service facts 5.3).
func (w *itemWrite) conditional(p *conditionParams, failed *api.ReturnValuesOnConditionCheckFailure, bad error) error {
	params := p.parameters()
	if err := params.check(); err != nil {
		return err
	}
	w.failedOld = wantsOld(failed)
	if bad == nil {
		_, w.condition, bad = p.modern(nil)
	}
	return textsFirst(bad, nil, p.source)
}

// textsFirst returns what is wrong with the texts of an action's expressions in place of what
// else is wrong with the action (service facts 5.3). The texts of a good one are not looked at.
func textsFirst(bad error, update, condition *string) error {
	if bad == nil {
		return nil
	}
	if update != nil {
		if err := expr.Check(expr.KindUpdate, *update); err != nil {
			return invalidParameter(err.Error())
		}
	}
	if condition != nil {
		if err := expr.Check(expr.KindCondition, *condition); err != nil {
			return invalidParameter(err.Error())
		}
	}
	return bad
}

// compared are expression values as an action takes them: one level deeper than an item may
// have, as long as they are not written (service facts 1.9).
func compared(values item.Attributes) item.Attributes {
	if e := values.Invalid; e != nil && e.Fault == item.TooDeep && e.Depth <= item.MaxRead {
		values.Invalid = e.Also
	}
	return values
}

// noChange leaves the item as it is: what a ConditionCheck does.
type noChange struct{ keyAttributes item.Item }

func (n noChange) key(c *call, _ *storage.Tx, t *storage.Table) (storage.Key, error) {
	return c.tableKey(&t.Key, n.keyAttributes)
}

func (n noChange) next(_ *storage.Tx, _ *storage.Table, old item.Item) (item.Item, error) {
	return old, nil
}

// attempt does all of the transaction or, with an error, nothing. All actions are
// tried even if one has failed: each has its reason in the answer.
func (x *writeTransaction) attempt(c *call, tx *storage.Tx) error {
	reasons, err := x.resolve(c, tx)
	if err != nil {
		return err
	}
	if err := c.watch.proposeAll(x, reasons); err != nil {
		return err
	}
	x.readOld(tx, reasons)
	reads := x.reads
	for i := range x.actions {
		a := &x.actions[i]
		if reasons.failed(i) {
			continue
		}
		tx.Near(&reads[0])
		reads = reads[1:]
		t := x.tables[a.in].table
		err := c.transactions.conflict(t, a.key)
		if err == nil || x.prepared {
			if err = c.affordWrite(tx, t, a.key); err == nil {
				err = a.apply(c, tx, t, a.key)
			}
		}
		if err := reasons.add(i, err); err != nil {
			return err
		}
	}
	reasons.invalid()
	if err := reasons.canceled(); err != nil {
		return err
	}
	if err := c.watch.commitAll(tx, x, reasons); err != nil {
		return err
	}
	if err := x.pay(c, tx, reasons); err != nil {
		return err
	}
	x.account(c, tx)
	if c.emulator.transactionHook == nil || x.prepared {
		c.watch.record()
	}
	return nil
}

// resolve finds the tables and keys of the actions; the reasons are those that
// have bad ones.
func (x *writeTransaction) resolve(c *call, tx *storage.Tx) (*cancellation, error) {
	if err := resolveTables(c, tx, x.tables); err != nil {
		return nil, err
	}
	reasons := &cancellation{actions: len(x.actions), each: x.statements}
	for i := range x.actions {
		a := &x.actions[i]
		var err error
		a.key, err = a.change.key(c, tx, x.tables[a.in].table)
		if err := reasons.add(i, err); err != nil {
			return nil, err
		}
		if err != nil {
			continue
		}
		for j := range i {
			if b := &x.actions[j]; a.key == b.key && a.in == b.in && !reasons.failed(j) {
				return nil, errSameItem
			}
		}
	}
	if reasons.invalid() {
		return nil, reasons.canceled()
	}
	return reasons, nil
}

// readOld reads the items of the actions that have not failed, each of which is another one.
func (x *writeTransaction) readOld(tx *storage.Tx, reasons *cancellation) {
	clear(x.reads) // of an attempt before
	x.reads = slices.Grow(x.reads[:0], len(x.actions))
	for i := range x.actions {
		if a := &x.actions[i]; !reasons.failed(i) {
			x.reads = append(x.reads, storage.Read{Table: x.tables[a.in].table, Key: a.key})
		}
	}
	tx.GetAll(x.reads)
	reads := x.reads
	for i := range x.actions {
		if !reasons.failed(i) {
			x.actions[i].old, reads = reads[0].Item, reads[1:]
		}
	}
}

// resolveTables finds the tables.
func resolveTables(c *call, tx *storage.Tx, tables []batchTable) (err error) {
	for i := range tables {
		if tables[i].table, err = c.activeTable(tx, tables[i].name); err != nil {
			return err
		}
	}
	return nil
}

// account counts capacity and measures item collections, once the writes are made.
func (x *writeTransaction) account(c *call, tx *storage.Tx) {
	for i := range x.tables {
		x.tables[i].used, x.tables[i].collections = c.newTransactUsage(x.capacity, writeUsage), nil
	}
	for i := range x.actions {
		a := &x.actions[i]
		t := &x.tables[a.in]
		t.used.addWrite(tx, t.table, a.old, a.new)
		if _, checked := a.change.(noChange); x.metrics && !checked {
			t.measure(tx, a.keyed)
		}
	}
}
