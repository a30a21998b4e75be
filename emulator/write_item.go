package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// itemWrite is the write of one item by PutItem, UpdateItem or DeleteItem, or by
// one action of a transaction, which does apply instead of run: everything about it that does not need the store is settled before run.
type itemWrite struct {
	table        string // the name, not the ARN
	condition    *expr.Condition
	failedOld    bool // a failed condition answers with the item: ReturnValuesOnConditionCheckFailure ALL_OLD
	usage        usage
	shared       bool      // usage is that of other writes, too, and is reported whatever becomes of this one
	metrics      bool      // ReturnItemCollectionMetrics SIZE
	unlessAbsent bool      // the condition need not hold of an item that is not there: DELETE of PartiQL
	keyed        item.Item // has the key attributes
	change       change

	// What became of it, once run has succeeded.
	old, new   item.Item
	collection *api.ItemCollectionMetrics
}

// change is what an operation does to its item. Both methods are called under
// the store's lock.
type change interface {
	// key checks the request against the table and returns the item's key.
	key(c *call, tx *storage.Tx, t *storage.Table) (storage.Key, error)
	// next returns what is to take the place of old; "" is no item.
	next(tx *storage.Tx, t *storage.Table, old item.Item) (item.Item, error)
}

// run writes the item if its condition holds. On an error nothing has changed.
func (w *itemWrite) run(c *call) error {
	return c.store.Update(func(tx *storage.Tx) error {
		t, err := c.activeTable(tx, w.table)
		if err != nil {
			return err
		}
		k, err := w.change.key(c, tx, t)
		if err != nil {
			return err
		}
		if err := c.transactions.conflict(t, k); err != nil {
			return err
		}
		if err := c.watch.propose(t, w); err != nil {
			return err
		}
		w.old = tx.Get(t, k)
		if c.emulator.throughput != nil {
			err = w.applyMetered(c, tx, t, k)
		} else {
			err = w.apply(c, tx, t, k)
		}
		if err != nil {
			w.chargeFailed(t, err)
			return err
		}
		if err := c.watch.commit(tx, w); err != nil {
			return err
		}
		w.usage.addWrite(tx, t, w.old, w.new)
		if w.metrics {
			w.collection = collectionMetrics(tx, t, w.keyed)
		}
		return nil
	})
}

// apply writes the item of key k, which is w.old, if its condition holds.
func (w *itemWrite) apply(c *call, tx *storage.Tx, t *storage.Table, k storage.Key) (err error) {
	if u, ok := w.change.(*update); ok {
		if err := u.checkCharge(w.old); err != nil {
			return err
		}
	}
	if err := w.check(tx, t); err != nil {
		return err
	}
	if w.new, err = w.change.next(tx, t, w.old); err != nil {
		return err
	}
	return c.replace(tx, t, k, w.old, w.new, builds(w.change))
}

// builds reports whether a change builds its item, which is then no part of the
// request. An update without actions may make one of nothing but the request's key.
func builds(ch change) bool {
	switch u := ch.(type) {
	case *update:
		return u.actions != nil
	case *statementUpdate:
		return u.actions != nil
	}
	return false
}

// check evaluates the condition on the old item.
func (w *itemWrite) check(tx *storage.Tx, t *storage.Table) error {
	if w.condition == nil || w.unlessAbsent && w.old == "" {
		return nil
	}
	if err := checkScalarKeys(tx, t, w.condition); err != nil || w.condition.Match(w.old) {
		return err
	}
	return &apiError{typ: errConditionFailed, message: conditionFailed, item: w.failedItem()}
}

const conditionFailed = "The conditional request failed"

// refusedByCondition reports whether a write was refused by its condition, which
// for INSERT is that there is no such item.
func refusedByCondition(err error) bool {
	e := asAPIError(err)
	return e != nil && (e.typ == errConditionFailed || e.typ == errDuplicateItem)
}

// failedItem is what a failed condition answers with, "" if that is nothing.
func (w *itemWrite) failedItem() item.JSON {
	if !w.failedOld || w.old == "" {
		return ""
	}
	return w.old.JSON()
}

// replace puts new in the place of old, or removes old if new is "". An item
// that stays as it is is not written: such a write has no change record either
// (Developer Guide, "Change data capture for DynamoDB Streams").
//
// owned says that new has memory of its own, which the table may keep.
func (c *call) replace(tx *storage.Tx, t *storage.Table, k storage.Key, old, new item.Item, owned bool) error {
	put := tx.Put
	if owned {
		put = tx.PutOwned
	}
	switch {
	case new == old:
		return nil
	case new == "":
		tx.Delete(t, k)
		return nil
	case !hasCollections(tx, t):
		put(t, k, new)
		return nil
	}
	before := tx.CollectionBytes(t, new)
	put(t, k, new)
	if after := tx.CollectionBytes(t, new); after > before && after > c.emulator.limits.CollectionBytes {
		return errCollectionSize
	}
	return nil
}

// conditionParams are the parameters that PutItem, UpdateItem and DeleteItem
// share to make their write conditional.
type conditionParams struct {
	expected api.Map[api.ExpectedAttributeValue]
	operator *api.ConditionalOperator
	source   *string
	names    api.Map[api.AttributeName]
	values   item.Attributes
}

// legacy is the condition of Expected and ConditionalOperator, nil if there is none.
func (p *conditionParams) legacy() (*expr.Condition, error) {
	if err := checkConditionalOperator(p.operator, len(p.expected)); err != nil {
		return nil, err
	}
	if len(p.expected) == 0 {
		return nil, nil
	}
	return expectedCondition(p.expected, p.operator)
}

// modern parses ConditionExpression and, before it, an UpdateExpression if there
// is one: they share their names and values, all of which must be used.
func (p *conditionParams) modern(update *string) (u *expr.Update, cond *expr.Condition, err error) {
	if update == nil && p.source == nil {
		return nil, nil, nil
	}
	var scope expr.Scope
	if err := openScope(&scope, p.names, p.values); err != nil {
		return nil, nil, err
	}
	if update != nil {
		if u, err = scope.Update(*update); err != nil {
			return nil, nil, invalidParameter(err.Error())
		}
	}
	if p.source != nil {
		if cond, err = scope.Condition(expr.KindCondition, *p.source); err != nil {
			return nil, nil, invalidParameter(err.Error())
		}
	}
	if err := scope.Unused(); err != nil {
		return nil, nil, invalidParameter(err.Error())
	}
	return u, cond, nil
}

// either is the condition of a request that has no update expression.
func (p *conditionParams) either() (*expr.Condition, error) {
	cond, err := p.legacy()
	if cond != nil || err != nil {
		return cond, err
	}
	_, cond, err = p.modern(nil)
	return cond, err
}

// parameters says which of the parameters were given.
func (p *conditionParams) parameters() expressionParams {
	return expressionParams{
		legacy:     []parameter{{"Expected", p.expected != nil}, {"ConditionalOperator", p.operator != nil}},
		withValues: []parameter{{"ConditionExpression", p.source != nil}},
		names:      p.names != nil,
		values:     given(p.values),
	}
}

// wantsOld reports whether ReturnValuesOnConditionCheckFailure is ALL_OLD.
func wantsOld(r *api.ReturnValuesOnConditionCheckFailure) bool { return r != nil && *r == "ALL_OLD" }

// wantsMetrics reports whether ReturnItemCollectionMetrics is SIZE.
func wantsMetrics(r *api.ReturnItemCollectionMetrics) bool { return r != nil && *r == "SIZE" }

// returnValue is a ReturnValues parameter, NONE by default.
func returnValue(r *api.ReturnValue) api.ReturnValue {
	if r == nil {
		return "NONE"
	}
	return *r
}

// checkReturnOld: PutItem and DeleteItem have nothing else to return (API
// Reference, PutItem, ReturnValues).
func checkReturnOld(r *api.ReturnValue) error {
	switch returnValue(r) {
	case "NONE", "ALL_OLD":
		return nil
	}
	return invalidParameter("ReturnValues can only be ALL_OLD or NONE")
}

// checkAttributes reports what is wrong with the values of an item or key by themselves.
func checkAttributes(a item.Attributes) error {
	if a.Invalid != nil {
		return invalidValue(a.Invalid)
	}
	return nil
}
