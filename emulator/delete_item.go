package emulator

import (
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func deleteItem(c *call, in *api.DeleteItemInput) (*api.DeleteItemOutput, error) {
	table, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	cond, err := checkDelete(in)
	if err != nil {
		return nil, err
	}
	s, w := newWrite(table, c.newUsage(in.ReturnConsumedCapacity))
	defer s.free()
	s.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	w.condition, w.failedOld = cond, wantsOld(in.ReturnValuesOnConditionCheckFailure)
	w.setDelete(in.Key.Item)
	if err := s.commit(c); err != nil {
		return nil, err
	}
	return &api.DeleteItemOutput{
		Attributes:            w.change.answer(returnValue(in.ReturnValues), w.old, w.new),
		ConsumedCapacity:      s.tables[0].used.Report(in.TableName),
		ItemCollectionMetrics: s.collection(),
	}, nil
}

func deleteItemTargets(in *api.DeleteItemInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName), known: in.Key.Item})
}

// checkDelete applies the rules that need no table and returns the condition, if any.
func checkDelete(in *api.DeleteItemInput) (*expr.Condition, error) {
	p := conditionParams{in.Expected, in.ConditionalOperator, in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues}
	params := p.parameters()
	if err := params.check(); err != nil {
		return nil, err
	}
	if err := checkReturnOld(in.ReturnValues); err != nil {
		return nil, err
	}
	if err := checkAttributes(in.Key); err != nil {
		return nil, err
	}
	return p.either()
}

// deletion is the change that removes the item.
type deletion struct {
	plainChange
	keyAttributes item.Item
}

func (d deletion) key(c *call, _ *storage.Tx, t *storage.Table) (storage.Key, error) {
	return keys.OfTable(c.memory.Items(), &t.Key, d.keyAttributes)
}

func (d deletion) next(*storage.Tx, *storage.Table, item.Item) (item.Item, error) { return "", nil }

func (d deletion) propose(w *request.Write, _ *storage.Table) {
	w.Kind, w.Key = request.Delete, d.keyAttributes
}
