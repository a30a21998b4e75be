package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
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

func TransactWriteItems(c *serve.Call,
	in *api.TransactWriteItemsInput) (*api.TransactWriteItemsOutput, error) {
	x := NewWriteTransaction(len(in.TransactItems))
	defer x.Free()
	if err := checkTransactWrite(c, x, in); err != nil {
		return nil, err
	}
	if err := RunTransaction(c, x); err != nil {
		return nil, err
	}
	out := new(api.TransactWriteItemsOutput)
	out.ConsumedCapacity, out.ItemCollectionMetrics = ReportTables(x.Tables)
	return out, nil
}

func TransactWriteItemsTargets(in *api.TransactWriteItemsInput, ts *serve.Targets) {
	for i := range in.TransactItems {
		switch a := &in.TransactItems[i]; {
		case a.Put != nil:
			ts.Add(serve.Target{Table: arn.TableCalled(a.Put.TableName), Known: a.Put.Item.Item})
		case a.Update != nil:
			ts.Add(serve.Target{
				Table: arn.TableCalled(a.Update.TableName), Known: a.Update.Key.Item,
			})
		case a.Delete != nil:
			ts.Add(serve.Target{
				Table: arn.TableCalled(a.Delete.TableName), Known: a.Delete.Key.Item,
			})
		case a.ConditionCheck != nil:
			t := serve.Target{
				Table: arn.TableCalled(a.ConditionCheck.TableName),
				Known: a.ConditionCheck.Key.Item,
			}
			ts.AddAs(t, false)
		default:
			ts.AddAs(serve.Target{}, false)
		}
	}
}

// writeTransaction is a checked transaction that writes.
type writeTransaction struct {
	*writeSet
	Token RequestToken
}

// NewWriteTransaction returns a transaction with n actions. It is the caller's until it frees it.
func NewWriteTransaction(n int) *writeTransaction {
	return &writeTransaction{writeSet: newWriteSet(n, cancelAll)}
}

// checkTransactWrite applies the rules that do not depend on tables. Their errors refuse the
// request as a whole, without cancellation reasons.
func checkTransactWrite(c *serve.Call, x *writeTransaction, in *api.TransactWriteItemsInput) error {
	x.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	for i := range in.TransactItems {
		requested, err := checkAction(c, &in.TransactItems[i], &x.Writes[i])
		if err != nil {
			return err
		}
		if err := x.Name(c, &x.Writes[i], requested); err != nil {
			return err
		}
	}
	x.Count(c, in.ReturnConsumedCapacity)
	if most := c.Service.Limits.TransactBytes; payloadSize(in.TransactItems) > most {
		return errPayloadSize(most)
	}
	if in.ClientRequestToken != nil {
		orderNames(in.TransactItems)
		for i := range in.TransactItems {
			dropDefault(&in.TransactItems[i])
		}
		without := *in
		without.ClientRequestToken = nil
		x.Token = NewRequestToken(c, in.ClientRequestToken, &without)
	}
	return nil
}

// Name finds the table of an action by what the request calls it.
func (x *writeTransaction) Name(c *serve.Call, w *ItemWrite, requested *api.TableArn) (err error) {
	w.table, err = NamedTable(c, &x.Tables, string(*requested))
	return err
}

// Count gives each table a usage. All tables have their names by then.
func (x *writeTransaction) Count(c *serve.Call, r *api.ReturnConsumedCapacity) {
	for i := range x.Tables {
		x.Tables[i].Used = c.NewTransactUsage(r, metering.WriteUsage)
	}
}

// NamedTable returns the place in tables of one that the request calls requested,
// which it adds if it is new.
func NamedTable(c *serve.Call, tables *[]batchTable, requested string) (int, error) {
	for i := range *tables {
		if (*tables)[i].requested == requested {
			return i, nil
		}
	}
	name, err := c.TableName(api.TableArn(requested))
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

// payloadSize returns the size of the items, keys and values in a transaction's request. Stored
// items do not count (service facts 5.8).
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
			n += a.ConditionCheck.Key.Item.Size() +
				a.ConditionCheck.ExpressionAttributeValues.Item.Size()
		}
	}
	return n
}

// errNotOneAction and errNoAction refuse an element of TransactItems with several actions, or with
// none (service facts 5.7).
var (
	errNotOneAction = apierr.InvalidParameter(
		"TransactItems can only contain one of Check, Put, Update or Delete")
	errNoAction = apierr.InvalidParameter(
		"Invalid Request: TransactWriteRequest should contain Delete or Put or Update request")
)

// checkOneAction checks that an element has exactly one action.
func checkOneAction(in *api.TransactWriteItem) error {
	given := 0
	for _, is := range [...]bool{in.ConditionCheck != nil, in.Put != nil, in.Delete != nil,
		in.Update != nil} {
		if is {
			given++
		}
	}
	switch given {
	case 0:
		return errNoAction
	case 1:
		return nil
	}
	return errNotOneAction
}

// checkAction checks the one action of an element and makes a write of it. It
// returns what the request calls the table.
func checkAction(c *serve.Call, in *api.TransactWriteItem, w *ItemWrite) (table *api.TableArn,
	err error) {
	if err := checkOneAction(in); err != nil {
		return nil, err
	}
	switch {
	case in.Put != nil:
		return in.Put.TableName, checkPutAction(c, in.Put, w)
	case in.Update != nil:
		return in.Update.TableName, checkUpdateAction(c, in.Update, w)
	case in.Delete != nil:
		return in.Delete.TableName, checkDeleteAction(in.Delete, w)
	}
	return in.ConditionCheck.TableName, checkConditionCheck(in.ConditionCheck, w)
}

func checkPutAction(c *serve.Call, in *api.Put, w *ItemWrite) error {
	p := ConditionParams{
		Source: in.ConditionExpression, Names: in.ExpressionAttributeNames,
		Values: compared(in.ExpressionAttributeValues),
	}
	w.SetPut(c, in.Item.Item)
	return w.conditional(&p, in.ReturnValuesOnConditionCheckFailure, CheckNewItem(c, in.Item))
}

func checkUpdateAction(c *serve.Call, in *api.Update, w *ItemWrite) (err error) {
	u := &Update{
		Memory: c.Memory.Items(), KeyAttributes: in.Key.Item, MaxBytes: c.Service.Limits.ItemBytes,
	}
	w.Change, w.keyed = u, in.Key.Item
	w.FailedOld = WantsOld(in.ReturnValuesOnConditionCheckFailure)
	p := ConditionParams{
		Source: in.ConditionExpression, Names: in.ExpressionAttributeNames,
		Values: compared(in.ExpressionAttributeValues),
	}
	if err = checkKey(in.Key); err == nil {
		u.Actions, w.Condition, err = p.Read(in.UpdateExpression)
	}
	return p.textsFirst(err, in.UpdateExpression)
}

func checkDeleteAction(in *api.Delete, w *ItemWrite) error {
	p := ConditionParams{
		Source: in.ConditionExpression, Names: in.ExpressionAttributeNames,
		Values: compared(in.ExpressionAttributeValues),
	}
	w.setDelete(in.Key.Item)
	return w.conditional(&p, in.ReturnValuesOnConditionCheckFailure, checkKey(in.Key))
}

func checkConditionCheck(in *api.ConditionCheck, w *ItemWrite) error {
	p := ConditionParams{
		Source: in.ConditionExpression, Names: in.ExpressionAttributeNames,
		Values: compared(in.ExpressionAttributeValues),
	}
	w.Change, w.keyed = NoChange{KeyAttributes: in.Key.Item}, in.Key.Item
	return w.conditional(&p, in.ReturnValuesOnConditionCheckFailure, checkKey(in.Key))
}

// conditional gives the write of an action its condition, if there is one. bad is the fault in its
// item or key, if any, which orderOfAction places. Names and values without an expression are
// accepted, other than in operations on single items (service facts H.2).
func (w *ItemWrite) conditional(p *ConditionParams, failed *api.ReturnValuesOnConditionCheckFailure,
	bad error) error {
	w.FailedOld = WantsOld(failed)
	if bad == nil {
		_, w.Condition, bad = p.Read(nil)
	}
	return p.textsFirst(bad, nil)
}

// textsFirst returns what is wrong with the texts of an action's expressions in place of what
// else is wrong with the action. The texts of a good one are not looked at.
func (p *ConditionParams) textsFirst(bad error, update *string) error {
	if bad == nil {
		return nil
	}
	own := *p // a copy, so that those of good actions are not on the heap
	return orderOfAction.Judge(badAction{&own, update, bad})
}

// badAction is an action of a transaction in which something is wrong.
type badAction struct {
	*ConditionParams
	update *string // UpdateExpression
	fault  error   // a fault of the key, the item, or what an expression means
}

// orderOfAction orders the faults of one action: TransactWriteItems reports the first. Of several
// actions with faults it reports the first one.
var orderOfAction = serve.ByLayers("TransactWriteItems",
	serve.Step("names and values of expressions", "M.3, F.29", func(a badAction) error {
		if a.update == nil && a.Source == nil {
			return nil
		}
		var scope expr.Scope
		return openScope(&scope, a.Names, a.Values)
	}).Of(judgement.Values),
	serve.Step("the text of the update", "5.3", func(a badAction) error {
		return checkText(expr.KindUpdate, a.update)
	}).Of(judgement.Expressions),
	serve.Step("the text of the condition", "5.3", func(a badAction) error {
		return checkText(expr.KindCondition, a.Source)
	}).Of(judgement.Expressions),
	serve.Step("the key, the item, and what expressions mean", "5.3, 5.4",
		func(a badAction) error { return a.fault }).Of(judgement.Items),
)

// checkText checks the syntax of an expression, if there is one.
func checkText(kind expr.Kind, text *string) error {
	if text == nil {
		return nil
	}
	if err := expr.Check(kind, *text); err != nil {
		return apierr.InvalidParameter(err.Error())
	}
	return nil
}

// compared are expression values as an action takes them: one level deeper than an item may
// have, as long as they are not written (service facts 1.9).
func compared(values item.Attributes) item.Attributes {
	if e := values.Invalid; e != nil && e.Fault == item.TooDeep && e.Depth <= item.MaxRead {
		values.Invalid = e.Also
	}
	return values
}

// NoChange is the change of a ConditionCheck: it leaves the item unchanged.
type NoChange struct {
	plainChange
	KeyAttributes item.Item
}

func (n NoChange) Key(c *serve.Call, _ *storage.Tx, t *storage.Table) (storage.Key, error) {
	return keys.OfTable(c.Memory.Items(), &t.Key, n.KeyAttributes)
}

func (n NoChange) Next(_ *storage.Tx, _ *storage.Table, old item.Item) (item.Item, error) {
	return old, nil
}

func (n NoChange) writes() bool { return false }

func (n NoChange) Propose(w *request.Write, _ *storage.Table) {
	w.Kind, w.Key = request.Check, n.KeyAttributes
}

// errSameItem is the error of a transaction with two actions on one item.
var errSameItem = apierr.Invalid(
	"Transaction request cannot include multiple operations on one item")

// errTransactionSize is the error of a transaction whose items are too large together.
func errTransactionSize(most int) error {
	return apierr.Invalid(
		"Aggregated size of the items in the transaction exceeds the limit of %d bytes", most)
}

// errPayloadSize is about what a transaction sends (service facts 5.8). The text is unconfirmed.
func errPayloadSize(most int) error {
	return apierr.Invalid("Transaction payload size cannot exceed %d bytes", most)
}
