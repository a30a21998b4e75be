package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func UpdateItem(c *serve.Call, in *api.UpdateItemInput) (*api.UpdateItemOutput, error) {
	table, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	u := &Update{
		Memory: c.Memory.Items(), KeyAttributes: in.Key.Item, MaxBytes: c.Service.Limits.ItemBytes,
		charged: in.UpdateExpression != nil,
	}
	s, w := NewWrite(table, c.NewUsage(in.ReturnConsumedCapacity))
	defer s.Free()
	if err := orderOfItemUpdate.Judge(updateRequest{in, u, w}); err != nil {
		return nil, err
	}
	s.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	w.FailedOld = WantsOld(in.ReturnValuesOnConditionCheckFailure)
	w.Change, w.keyed = u, in.Key.Item
	if err := s.Commit(c); err != nil {
		return nil, err
	}
	return &api.UpdateItemOutput{
		Attributes:            u.Answer(returnValue(in.ReturnValues), w.Old, w.New),
		ConsumedCapacity:      s.Tables[0].Used.Report(in.TableName),
		ItemCollectionMetrics: s.collection(),
	}, nil
}

func UpdateItemTargets(in *api.UpdateItemInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName), Known: in.Key.Item})
}

// Update is the change that UpdateItem makes.
type Update struct {
	Memory        *item.Scratch // memory with the request's values
	KeyAttributes item.Item
	Actions       *expr.Update // nil without actions: the item is only to exist
	MaxBytes      int
	charged       bool // the statement itself counts against maxBytes, too
}

// updateRequest is an UpdateItem, and what it becomes.
type updateRequest struct {
	*api.UpdateItemInput
	update *Update
	write  *ItemWrite
}

func (r updateRequest) condition() ConditionParams {
	return ConditionParams{r.Expected, r.ConditionalOperator, r.ConditionExpression,
		r.ExpressionAttributeNames, r.ExpressionAttributeValues}
}

// orderOfItemUpdate orders the checks of UpdateItem that need no table.
var orderOfItemUpdate = serve.ByLayers("UpdateItem",
	serve.Step("parameters that do not go together", "F.20",
		updateRequest.checkTogether).Of(judgement.Joins),
	serve.Step("the key", "F.8", func(r updateRequest) error {
		return checkKey(r.Key)
	}).Of(judgement.Items),
	serve.Step("values of the update and the condition", "", func(r updateRequest) error {
		p := r.condition()
		return p.checkValues(r.UpdateExpression)
	}).Of(judgement.Values),
	serve.Step("the update and the condition", "", updateRequest.read).Of(judgement.Expressions),
)

// checkTogether checks which parameters there are.
func (r updateRequest) checkTogether() error {
	params := updateParameters(r.UpdateItemInput)
	if err := params.Check(); err != nil {
		return err
	}
	return checkConditionalOperator(r.ConditionalOperator, len(r.Expected))
}

// read reads the update and the condition: legacy ones, or expressions.
func (r updateRequest) read() (err error) {
	u, p := r.update, r.condition()
	if len(r.AttributeUpdates) > 0 {
		if u.Actions, err = attributeUpdates(r.AttributeUpdates); err != nil {
			return err
		}
	}
	update, condition, err := p.Read(r.UpdateExpression)
	if update != nil {
		u.Actions = update
	}
	r.write.Condition = condition
	return err
}

// updateParameters says which parameters an update has.
func updateParameters(in *api.UpdateItemInput) expressionParams {
	return expressionParams{
		legacy: []Parameter{
			{"AttributeUpdates", in.AttributeUpdates != nil},
			{"Expected", in.Expected != nil},
			{"ConditionalOperator", in.ConditionalOperator != nil},
		},
		WithValues: []Parameter{
			{"UpdateExpression", in.UpdateExpression != nil},
			{"ConditionExpression", in.ConditionExpression != nil},
		},
		names:  in.ExpressionAttributeNames != nil,
		values: Given(in.ExpressionAttributeValues),
	}
}

func (u *Update) Key(c *serve.Call, tx *storage.Tx, t *storage.Table) (storage.Key, error) {
	k, err := keys.OfTable(c.Memory.Items(), &t.Key, u.KeyAttributes)
	if err != nil || u.Actions == nil {
		return k, err
	}
	for _, name := range u.Actions.Attributes() {
		if keys.IsAttribute(&t.Key, name) {
			return k, apierr.Invalid(
				"One or more parameter values were invalid: Cannot update attribute %s. This attribute is part of the key", name)
		}
	}
	if err := keys.CheckScalars(tx, t, u.Actions); err != nil {
		return k, err
	}
	return k, keys.CheckAssigned(tx.Tables().Indexes(t), u.Actions)
}

var errUpdateSize = apierr.Invalid("Item size to update has exceeded the maximum allowed size")

// admit refuses an update whose statement is charged with more than an item may have:
// service facts 1.11.
func (u *Update) admit(old item.Item) error {
	if u.charged && u.Actions.ChargeExceeds(u.MaxBytes, old) {
		return errUpdateSize
	}
	return nil
}

// Next applies the actions. An item that does not exist is created with its key,
// except by actions that only remove (service facts 8.1).
func (u *Update) Next(tx *storage.Tx, t *storage.Table, old item.Item) (item.Item, error) {
	if old == "" {
		if u.Actions != nil && u.Actions.OnlyRemoves() {
			return "", nil
		}
		old = u.KeyAttributes
	}
	if u.Actions == nil {
		return old, nil
	}
	updated, err := u.Actions.Apply(old)
	if err != nil {
		return "", apierr.Invalid(err.Error())
	}
	if updated.Size() > u.MaxBytes || exceedsWithEntry(tx, t, updated, u.MaxBytes) {
		return "", errUpdateSize
	}
	if err := keys.CheckUpdated(tx.Tables().Indexes(t), updated); err != nil {
		return "", err
	}
	return updated, keys.CheckVectors(u.Memory, tx, t, old, updated)
}

// Answer returns what ReturnValues asks for, or "" for nothing.
func (u *Update) Answer(r api.ReturnValue, old, new item.Item) item.JSON {
	from := old
	if r == "ALL_NEW" || r == "UPDATED_NEW" {
		from = new
	}
	switch {
	case r == "NONE" || from == "":
		return ""
	case r == "ALL_OLD" || r == "ALL_NEW":
		return from.JSON()
	case u.Actions == nil:
		return ""
	}
	return u.Actions.Touched(from)
}

// builds: an update without actions may make an item of nothing but the request's key.
func (u *Update) builds() bool { return u.Actions != nil }

func (u *Update) writes() bool { return true }

func (u *Update) Propose(w *request.Write, _ *storage.Table) {
	w.Kind, w.Key, w.Update = request.Update, u.KeyAttributes, u.Actions
}
