package items

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func GetItem(c *serve.Call, in *api.GetItemInput) (*api.GetItemOutput, error) {
	table, err := c.TableName(*in.TableName)
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
	err = c.Store.View(func(tx *storage.Tx) error {
		t, err := c.ActiveTable(tx, table)
		if err != nil {
			return err
		}
		if err := checkStrongRead(c, tx, t, api.IsTrue(in.ConsistentRead)); err != nil {
			return err
		}
		k, err := keys.OfTable(c.Memory.Items(), &t.Key, in.Key.Item)
		if err != nil {
			return err
		}
		if err := keys.CheckScalars(tx, t, projection); err != nil {
			return err
		}
		if err := c.Watch.Get(t, in.Key.Item); err != nil {
			return err
		}
		if err := checkGetThroughput(c, tx, t, k); err != nil {
			return err
		}
		consistent := api.IsTrue(in.ConsistentRead)
		found.item, found.table = tx.Get(readable(c, tx, t, consistent, 0), k), t
		chargeGet(c, tx, t, k, metering.ReadUnits(found.item.Size(), consistent))
		return nil
	})
	if err != nil {
		return nil, err
	}
	used := c.NewUsage(in.ReturnConsumedCapacity)
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

func GetItemTargets(in *api.GetItemInput, ts *serve.Targets) {
	ts.Add(serve.Target{
		Table: arn.TableCalled(in.TableName), Known: in.Key.Item,
		Eventual: !api.IsTrue(in.ConsistentRead),
	})
}

// checkGet applies the rules that need no table and returns the projection, nil
// for the whole item.
func checkGet(in *api.GetItemInput) (*expr.Projection, error) {
	p := projectionParams{in.AttributesToGet, in.ProjectionExpression, in.ExpressionAttributeNames}
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := checkKey(in.Key); err != nil {
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
		legacy:    []Parameter{{"AttributesToGet", p.legacy != nil}},
		valueless: []Parameter{{"ProjectionExpression", p.source != nil}},
		names:     p.names != nil,
	}
	return params.Check()
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
