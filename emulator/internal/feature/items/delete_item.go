package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func DeleteItem(c *serve.Call, in *api.DeleteItemInput) (*api.DeleteItemOutput, error) {
	table, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	s, w := NewWrite(table, c.NewUsage(in.ReturnConsumedCapacity))
	defer s.Free()
	if err := orderOfItemDelete.Judge(deleteRequest{in, w}); err != nil {
		return nil, err
	}
	s.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	w.FailedOld = WantsOld(in.ReturnValuesOnConditionCheckFailure)
	w.setDelete(in.Key.Item)
	if err := s.Commit(c); err != nil {
		return nil, err
	}
	return &api.DeleteItemOutput{
		Attributes:            w.Change.Answer(returnValue(in.ReturnValues), w.Old, w.New),
		ConsumedCapacity:      s.Tables[0].Used.Report(in.TableName),
		ItemCollectionMetrics: s.collection(),
	}, nil
}

func DeleteItemTargets(in *api.DeleteItemInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName), Known: in.Key.Item})
}

// deleteRequest is a DeleteItem, and the write that it becomes.
type deleteRequest struct {
	*api.DeleteItemInput
	write *ItemWrite
}

func (r deleteRequest) condition() ConditionParams {
	return ConditionParams{r.Expected, r.ConditionalOperator, r.ConditionExpression,
		r.ExpressionAttributeNames, r.ExpressionAttributeValues}
}

// orderOfItemDelete orders the checks of DeleteItem that need no table.
var orderOfItemDelete = serve.ByLayers("DeleteItem",
	serve.Step("ReturnValues", "F.17", func(r deleteRequest) error {
		return checkReturnOld(r.ReturnValues)
	}).Of(judgement.Members),
	serve.Step("parameters that do not go together", "F.20", func(r deleteRequest) error {
		p := r.condition()
		return p.checkTogether()
	}).Of(judgement.Joins),
	serve.Step("the key", "F.8", func(r deleteRequest) error {
		return checkKey(r.Key)
	}).Of(judgement.Items),
	serve.Step("values of the condition", "", func(r deleteRequest) error {
		p := r.condition()
		return p.checkValues(nil)
	}).Of(judgement.Values),
	serve.Step("the condition", "", func(r deleteRequest) (err error) {
		p := r.condition()
		_, r.write.Condition, err = p.Read(nil)
		return err
	}).Of(judgement.Expressions),
)

// Deletion is the change that removes the item.
type Deletion struct {
	plainChange
	KeyAttributes item.Item
}

func (d Deletion) Key(c *serve.Call, _ *storage.Tx, t *storage.Table) (storage.Key, error) {
	return keys.OfTable(c.Memory.Items(), &t.Key, d.KeyAttributes)
}

func (d Deletion) keyAttributes() item.Item { return d.KeyAttributes }

func (d Deletion) Next(*storage.Tx, *storage.Table, item.Item) (item.Item, error) { return "", nil }

func (d Deletion) Propose(w *request.Write, _ *storage.Table) {
	w.Kind, w.Key = request.Delete, d.KeyAttributes
}
