package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
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
	w := itemWrite{
		table:     table,
		condition: cond,
		failedOld: wantsOld(in.ReturnValuesOnConditionCheckFailure),
		usage:     c.newUsage(in.ReturnConsumedCapacity),
		metrics:   wantsMetrics(in.ReturnItemCollectionMetrics),
		keyed:     in.Key.Item,
		change:    deletion{in.Key.Item},
	}
	if err := w.run(c); err != nil {
		return nil, err
	}
	out := &api.DeleteItemOutput{ConsumedCapacity: w.usage.report(in.TableName), ItemCollectionMetrics: w.collection}
	if returnValue(in.ReturnValues) == "ALL_OLD" && w.old != "" {
		out.Attributes = w.old.JSON()
	}
	return out, nil
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
type deletion struct{ keyAttributes item.Item }

func (d deletion) key(c *call, _ *storage.Tx, t *storage.Table) (storage.Key, error) {
	return c.tableKey(&t.Key, d.keyAttributes)
}

func (d deletion) next(*storage.Tx, *storage.Table, item.Item) (item.Item, error) { return "", nil }
