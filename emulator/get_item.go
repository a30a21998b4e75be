package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func getItem(c *call, in *api.GetItemInput) (*api.GetItemOutput, error) {
	table, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	projection, err := checkGet(in)
	if err != nil {
		return nil, err
	}
	var found struct {
		item  item.Item
		table *storage.Table
	}
	err = c.store.View(func(tx *storage.Tx) error {
		t, err := c.activeTable(tx, table)
		if err != nil {
			return err
		}
		if err := c.checkStrongRead(tx, t, api.IsTrue(in.ConsistentRead)); err != nil {
			return err
		}
		k, err := keys.OfTable(c.memory.Items(), &t.Key, in.Key.Item)
		if err != nil {
			return err
		}
		if err := keys.CheckScalars(tx, t, projection); err != nil {
			return err
		}
		if err := c.watch.get(t, in.Key.Item); err != nil {
			return err
		}
		if err := c.checkGet(tx, t, k); err != nil {
			return err
		}
		consistent := api.IsTrue(in.ConsistentRead)
		found.item, found.table = tx.Get(c.readable(tx, t, consistent, 0), k), t
		c.chargeGet(tx, t, k, metering.ReadUnits(found.item.Size(), consistent))
		return nil
	})
	if err != nil {
		return nil, err
	}
	used := c.newUsage(in.ReturnConsumedCapacity)
	used.AddGet(found.table, in.Key.Item, found.item, api.IsTrue(in.ConsistentRead))
	out := &api.GetItemOutput{ConsumedCapacity: used.Report(in.TableName)}
	switch {
	case found.item == "":
	case projection == nil:
		out.Item = found.item.JSON()
	default:
		out.Item = item.JSON(projection.AppendJSON(nil, found.item))
	}
	return out, nil
}

func getItemTargets(in *api.GetItemInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName), known: in.Key.Item, eventual: !api.IsTrue(in.ConsistentRead)})
}

// checkGet applies the rules that need no table and returns the projection, nil
// for the whole item.
func checkGet(in *api.GetItemInput) (*expr.Projection, error) {
	p := projectionParams{in.AttributesToGet, in.ProjectionExpression, in.ExpressionAttributeNames}
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := checkAttributes(in.Key); err != nil {
		return nil, err
	}
	return p.projection()
}

// projectionParams are the parameters by which GetItem and BatchGetItem choose
// attributes.
type projectionParams struct {
	legacy api.AttributeNameList
	source *string
	names  api.Map[api.AttributeName]
}

func (p *projectionParams) check() error {
	params := expressionParams{
		legacy:    []parameter{{"AttributesToGet", p.legacy != nil}},
		valueless: []parameter{{"ProjectionExpression", p.source != nil}},
		names:     p.names != nil,
	}
	return params.check()
}

// projection is nil if all attributes are wanted.
func (p *projectionParams) projection() (*expr.Projection, error) {
	if p.source == nil {
		return attributesToGet(p.legacy)
	}
	var scope expr.Scope
	if err := openScope(&scope, p.names, item.Attributes{}); err != nil {
		return nil, err
	}
	projection, err := scope.Projection(*p.source)
	if err == nil {
		err = scope.Unused()
	}
	if err != nil {
		return nil, apierr.InvalidParameter(err.Error())
	}
	return projection, nil
}
