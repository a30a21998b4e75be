package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// ItemWrite is the write of one item: a PutItem, UpdateItem or DeleteItem, an entry of a batch, an
// action of a transaction, or a statement.
type ItemWrite struct {
	table     int // index in writeSet.tables
	Condition *expr.Condition
	// return the item if the condition fails: ReturnValuesOnConditionCheckFailure ALL_OLD
	FailedOld bool
	// succeed if the item does not exist, whatever the condition: DELETE of PartiQL
	UnlessAbsent bool
	left         bool      // the write is left unprocessed
	keyed        item.Item // an item with the key attributes
	Change       change
	put          Put // change, if it is a put

	// The results of writeSet.run.
	Key      storage.Key
	Old, New item.Item
}

// change is the effect of a write on its item. Its methods are called under the store's lock, key
// first.
type change interface {
	// Key checks the request against the table and returns the item's key.
	Key(c *serve.Call, tx *storage.Tx, t *storage.Table) (storage.Key, error)
	// admit makes the checks that come before the condition.
	admit(old item.Item) error
	// Next returns the item that replaces old. "" means no item.
	Next(tx *storage.Tx, t *storage.Table, old item.Item) (item.Item, error)
	// builds reports whether next builds its item in memory that the table may keep. Otherwise the
	// item may be part of the request.
	builds() bool
	// writes reports whether the item is written. Otherwise it is only checked.
	writes() bool
	// Answer returns what ReturnValues requests for a successful write, or "" for nothing.
	Answer(r api.ReturnValue, old, new item.Item) item.JSON
	// Propose describes the change to the policy. p already has the condition of the request.
	Propose(p *request.Write, t *storage.Table)
}

// plainChange has the methods of a change that puts or removes the item in the request.
type plainChange struct{}

func (plainChange) admit(item.Item) error { return nil }
func (plainChange) builds() bool          { return false }
func (plainChange) writes() bool          { return true }

func (plainChange) Answer(r api.ReturnValue, old, _ item.Item) item.JSON {
	if r != "ALL_OLD" || old == "" {
		return ""
	}
	return old.JSON()
}

// SetPut sets w to the write that puts an item.
func (w *ItemWrite) SetPut(c *serve.Call, it item.Item) {
	w.put = Put{Item: it, MaxBytes: c.Service.Limits.ItemBytes}
	w.Change, w.keyed = &w.put, it
}

// setDelete sets w to the write that removes the item with a key.
func (w *ItemWrite) setDelete(key item.Item) {
	w.Change, w.keyed = Deletion{KeyAttributes: key}, key
}

// build makes the new item if the condition holds.
func (w *ItemWrite) build(tx *storage.Tx, t *storage.Table) (err error) {
	if err := w.Change.admit(w.Old); err != nil {
		return err
	}
	if err := w.check(tx, t); err != nil {
		return err
	}
	w.New, err = w.Change.Next(tx, t, w.Old)
	return err
}

// check evaluates the condition on the old item.
func (w *ItemWrite) check(tx *storage.Tx, t *storage.Table) error {
	if w.Condition == nil || w.UnlessAbsent && w.Old == "" {
		return nil
	}
	if w.Condition.Match(w.Old) { // paths into keys are not there: service facts B.13
		return nil
	}
	return &apierr.Error{
		Type: apierr.ConditionFailed, Message: apierr.ConditionFailedMessage, Item: w.failedItem(),
	}
}

// RefusedByCondition reports whether a condition refused a write. The condition of INSERT is that
// the item does not exist.
func RefusedByCondition(err error) bool {
	e := apierr.As(err)
	return e != nil && (e.Type == apierr.ConditionFailed || e.Type == apierr.DuplicateItem)
}

// failedItem returns the item for the answer of a failed condition, or "" for none.
func (w *ItemWrite) failedItem() item.JSON {
	if !w.FailedOld || w.Old == "" {
		return ""
	}
	return w.Old.JSON()
}

// ConditionParams are the parameters of PutItem, UpdateItem and DeleteItem that make the write
// conditional.
type ConditionParams struct {
	expected api.Map[api.ExpectedAttributeValue]
	operator *api.ConditionalOperator
	Source   *string
	Names    api.Map[api.AttributeName]
	Values   item.Attributes
}

// checkTogether checks which of the parameters there are, and what ConditionalOperator joins.
func (p *ConditionParams) checkTogether() error {
	params := p.Parameters()
	if err := params.Check(); err != nil {
		return err
	}
	return checkConditionalOperator(p.operator, len(p.expected))
}

// checkValues judges the values of the expressions, if there are any.
func (p *ConditionParams) checkValues(update *string) error {
	if p.Values.Invalid == nil || update == nil && p.Source == nil {
		return nil
	}
	var scope expr.Scope
	return openScope(&scope, p.Names, p.Values)
}

// Read returns the condition of Expected and ConditionalOperator, or that of ConditionExpression.
// It parses UpdateExpression before that, if there is one: both expressions share their names and
// values, and must use all of them.
func (p *ConditionParams) Read(update *string) (u *expr.Update, cond *expr.Condition, err error) {
	if len(p.expected) > 0 {
		cond, err = expectedCondition(p.expected, p.operator)
		return nil, cond, err
	}
	if update == nil && p.Source == nil {
		return nil, nil, nil
	}
	var scope expr.Scope
	if err := openScope(&scope, p.Names, p.Values); err != nil {
		return nil, nil, err
	}
	if update != nil {
		if u, err = scope.Update(*update); err != nil {
			return nil, nil, apierr.InvalidParameter(err.Error())
		}
	}
	if p.Source != nil {
		if cond, err = scope.Condition(expr.KindCondition, *p.Source); err != nil {
			return nil, nil, apierr.InvalidParameter(err.Error())
		}
	}
	if err := scope.Unused(); err != nil {
		return nil, nil, apierr.InvalidParameter(err.Error())
	}
	return u, cond, nil
}

// Parameters reports which of the parameters the request has.
func (p *ConditionParams) Parameters() expressionParams {
	return expressionParams{
		legacy: []Parameter{{"Expected", p.expected != nil},
			{"ConditionalOperator", p.operator != nil}},
		WithValues: []Parameter{{"ConditionExpression", p.Source != nil}},
		names:      p.Names != nil,
		values:     Given(p.Values),
	}
}

// WantsOld reports whether ReturnValuesOnConditionCheckFailure is ALL_OLD.
func WantsOld(r *api.ReturnValuesOnConditionCheckFailure) bool {
	return r != nil && *r == "ALL_OLD"
}

// wantsMetrics reports whether ReturnItemCollectionMetrics is SIZE.
func wantsMetrics(r *api.ReturnItemCollectionMetrics) bool { return r != nil && *r == "SIZE" }

// returnValue returns a ReturnValues parameter. The default is NONE.
func returnValue(r *api.ReturnValue) api.ReturnValue {
	if r == nil {
		return "NONE"
	}
	return *r
}

// checkReturnOld refuses values other than NONE and ALL_OLD, because PutItem and DeleteItem can
// return nothing else (API Reference, PutItem, ReturnValues).
func checkReturnOld(r *api.ReturnValue) error {
	switch returnValue(r) {
	case "NONE", "ALL_OLD":
		return nil
	}
	return apierr.InvalidParameter(onlyOld)
}

const onlyOld = "ReturnValues can only be ALL_OLD or NONE"

// checkKey checks the names and the values of a key by themselves (service facts F.8).
func checkKey(key item.Attributes) error {
	if err := checkNames(key); err != nil {
		return err
	}
	return checkAttributes(key)
}

// checkNames refuses an attribute without a name in an item or a key.
func checkNames(a item.Attributes) error {
	if a.Invalid != nil && a.Invalid.Unnamed() || a.Invalid == nil && a.Item.Unnamed() {
		return errNoName
	}
	return nil
}

// checkAttributes returns an error for an invalid value in an item or key.
func checkAttributes(a item.Attributes) error {
	if a.Invalid != nil {
		return apierr.InvalidValue(a.Invalid)
	}
	return nil
}
