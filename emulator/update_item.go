package emulator

import (
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func updateItem(c *call, in *api.UpdateItemInput) (*api.UpdateItemOutput, error) {
	table, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	u := &update{memory: c.memory.Items(), keyAttributes: in.Key.Item, maxBytes: c.service.limits.ItemBytes, charged: in.UpdateExpression != nil}
	cond, err := u.check(in)
	if err != nil {
		return nil, err
	}
	s, w := newWrite(table, c.newUsage(in.ReturnConsumedCapacity))
	defer s.free()
	s.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	w.condition, w.failedOld = cond, wantsOld(in.ReturnValuesOnConditionCheckFailure)
	w.change, w.keyed = u, in.Key.Item
	if err := s.commit(c); err != nil {
		return nil, err
	}
	return &api.UpdateItemOutput{
		Attributes:            u.answer(returnValue(in.ReturnValues), w.old, w.new),
		ConsumedCapacity:      s.tables[0].used.Report(in.TableName),
		ItemCollectionMetrics: s.collection(),
	}, nil
}

func updateItemTargets(in *api.UpdateItemInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName), known: in.Key.Item})
}

// update is the change that UpdateItem makes.
type update struct {
	memory        *item.Scratch // where the request's values are
	keyAttributes item.Item
	actions       *expr.Update // nil: there are none, the item is only to exist
	maxBytes      int
	charged       bool // the statement itself counts against maxBytes, too
}

// check applies the rules that need no table, and sets the actions; it returns
// the condition, if any.
func (u *update) check(in *api.UpdateItemInput) (*expr.Condition, error) {
	p := conditionParams{in.Expected, in.ConditionalOperator, in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues}
	params := expressionParams{
		legacy: []parameter{
			{"AttributeUpdates", in.AttributeUpdates != nil},
			{"Expected", in.Expected != nil},
			{"ConditionalOperator", in.ConditionalOperator != nil},
		},
		withValues: []parameter{
			{"UpdateExpression", in.UpdateExpression != nil},
			{"ConditionExpression", in.ConditionExpression != nil},
		},
		names:  in.ExpressionAttributeNames != nil,
		values: given(in.ExpressionAttributeValues),
	}
	if err := params.check(); err != nil {
		return nil, err
	}
	if err := checkAttributes(in.Key); err != nil {
		return nil, err
	}
	if len(in.AttributeUpdates) > 0 {
		var err error
		if u.actions, err = attributeUpdates(in.AttributeUpdates); err != nil {
			return nil, err
		}
	}
	cond, err := p.legacy()
	if err != nil || cond != nil || u.actions != nil {
		return cond, err
	}
	u.actions, cond, err = p.modern(in.UpdateExpression)
	return cond, err
}

func (u *update) key(c *call, tx *storage.Tx, t *storage.Table) (storage.Key, error) {
	k, err := keys.OfTable(c.memory.Items(), &t.Key, u.keyAttributes)
	if err != nil || u.actions == nil {
		return k, err
	}
	for _, name := range u.actions.Attributes() {
		if keys.IsAttribute(&t.Key, name) {
			return k, apierr.Invalid("One or more parameter values were invalid: Cannot update attribute %s. This attribute is part of the key", name)
		}
	}
	if err := keys.CheckScalars(tx, t, u.actions); err != nil {
		return k, err
	}
	return k, keys.CheckAssigned(tx.Indexes(t), u.actions)
}

var errUpdateSize = apierr.Invalid("Item size to update has exceeded the maximum allowed size")

// admit refuses an update whose statement is charged with more than an item may have:
// service facts 1.11.
func (u *update) admit(old item.Item) error {
	if u.charged && u.actions.ChargeExceeds(u.maxBytes, old) {
		return errUpdateSize
	}
	return nil
}

// next applies the actions. An item that does not exist is created with its key,
// except by actions that only remove (service facts 8.1).
func (u *update) next(tx *storage.Tx, t *storage.Table, old item.Item) (item.Item, error) {
	if old == "" {
		if u.actions != nil && u.actions.OnlyRemoves() {
			return "", nil
		}
		old = u.keyAttributes
	}
	if u.actions == nil {
		return old, nil
	}
	updated, err := u.actions.Apply(old)
	if err != nil {
		return "", apierr.Invalid(err.Error())
	}
	if updated.Size() > u.maxBytes || exceedsWithEntry(tx, t, updated, u.maxBytes) {
		return "", errUpdateSize
	}
	if err := keys.CheckUpdated(tx.Indexes(t), updated); err != nil {
		return "", err
	}
	return updated, keys.CheckVectors(u.memory, tx, t, old, updated)
}

// answer returns what ReturnValues asks for, or "" for nothing.
func (u *update) answer(r api.ReturnValue, old, new item.Item) item.JSON {
	from := old
	if r == "ALL_NEW" || r == "UPDATED_NEW" {
		from = new
	}
	switch {
	case r == "NONE" || from == "":
		return ""
	case r == "ALL_OLD" || r == "ALL_NEW":
		return from.JSON()
	case u.actions == nil:
		return ""
	}
	return u.actions.Touched(from)
}

// builds: an update without actions may make an item of nothing but the request's key.
func (u *update) builds() bool { return u.actions != nil }

func (u *update) writes() bool { return true }

func (u *update) propose(w *request.Write, _ *storage.Table) {
	w.Kind, w.Key, w.Update = request.Update, u.keyAttributes, u.actions
}
