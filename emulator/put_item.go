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

func putItem(c *call, in *api.PutItemInput) (*api.PutItemOutput, error) {
	table, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	cond, err := c.checkPut(in)
	if err != nil {
		return nil, err
	}
	s, w := newWrite(table, c.newUsage(in.ReturnConsumedCapacity))
	defer s.free()
	s.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	w.condition, w.failedOld = cond, wantsOld(in.ReturnValuesOnConditionCheckFailure)
	w.setPut(c, in.Item.Item)
	if err := s.commit(c); err != nil {
		return nil, err
	}
	return &api.PutItemOutput{
		Attributes:            w.change.answer(returnValue(in.ReturnValues), w.old, w.new),
		ConsumedCapacity:      s.tables[0].used.Report(in.TableName),
		ItemCollectionMetrics: s.collection(),
	}, nil
}

func putItemTargets(in *api.PutItemInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName), known: in.Item.Item})
}

// checkPut applies the rules that need no table and returns the condition, if any.
func (c *call) checkPut(in *api.PutItemInput) (*expr.Condition, error) {
	p := conditionParams{in.Expected, in.ConditionalOperator, in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues}
	params := p.parameters()
	if err := params.check(); err != nil {
		return nil, err
	}
	if err := checkReturnOld(in.ReturnValues); err != nil {
		return nil, err
	}
	if err := c.checkNewItem(in.Item); err != nil {
		return nil, err
	}
	return p.either()
}

// checkNewItem checks a whole item by itself: the names of its attributes before their
// values (service facts 5.3).
func (c *call) checkNewItem(a item.Attributes) error {
	switch {
	case a.Invalid != nil && a.Invalid.Unnamed():
		return errNoName
	case a.Invalid != nil:
		return checkAttributes(a)
	case a.Item.Unnamed():
		return errNoName
	case a.Item.Size() > c.service.limits.ItemBytes:
		return errItemSize
	}
	return nil
}

var (
	errNoName   = apierr.InvalidParameter(item.InvalidNoName)
	errLongName = apierr.InvalidValue(&item.Invalid{Fault: item.LongName})
)

var errItemSize = apierr.Invalid("Item size has exceeded the maximum allowed size")

// put is the change that replaces the whole item.
type put struct {
	plainChange
	item     item.Item
	maxBytes int
}

func (p *put) key(c *call, tx *storage.Tx, t *storage.Table) (storage.Key, error) {
	k, err := keys.OfItem(c.memory.Items(), &t.Key, p.item)
	if err != nil {
		return k, err
	}
	if err := keys.CheckIndexes(tx.Indexes(t), p.item); err != nil {
		return k, err
	}
	if err := keys.CheckVectors(c.memory.Items(), tx, t, "", p.item); err != nil {
		return k, err
	}
	if exceedsWithEntry(tx, t, p.item, p.maxBytes) {
		return k, errItemSize
	}
	return k, nil
}

func (p *put) next(*storage.Tx, *storage.Table, item.Item) (item.Item, error) { return p.item, nil }

func (p *put) propose(w *request.Write, _ *storage.Table) { w.Kind, w.Item = request.Put, p.item }
