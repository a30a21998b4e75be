package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
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
	r := getRequest{in: in}
	if in.AttributesToGet != nil || in.ProjectionExpression != nil {
		r.chosen = new(chosenAttributes)
	}
	if err := orderOfGet.Judge(r); err != nil {
		return nil, err
	}
	projection := r.projection()
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
		reading, err := c.Policy.Get(t, in.Key.Item)
		if err != nil {
			return err
		}
		if err := checkGetThroughput(c, tx, t, k); err != nil {
			return err
		}
		consistent := api.IsTrue(in.ConsistentRead)
		found.item = reading.Get(tx, readable(c, tx, t, consistent, 0), k)
		found.table = t
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

// getRequest is a GetItem, and what it chooses of the item. chosen is nil, and takes no memory, if
// that is all of it.
type getRequest struct {
	in     *api.GetItemInput
	chosen *chosenAttributes
}

type chosenAttributes struct{ *expr.Projection }

// projection returns what the request chooses, or nil for the whole item.
func (r getRequest) projection() *expr.Projection {
	if r.chosen == nil {
		return nil
	}
	return r.chosen.Projection
}

func (r getRequest) wanted() projectionParams {
	return projectionParams{r.in.AttributesToGet, r.in.ProjectionExpression,
		r.in.ExpressionAttributeNames}
}

// orderOfGet orders the checks of GetItem that need no table.
var orderOfGet = serve.ByLayers("GetItem",
	serve.Step("parameters that do not go together", "", func(r getRequest) error {
		p := r.wanted()
		return p.check()
	}).Of(judgement.Joins),
	serve.Step("the key", "F.8", func(r getRequest) error {
		return checkKey(r.in.Key)
	}).Of(judgement.Items),
	serve.Step("the projection", "", func(r getRequest) (err error) {
		if r.chosen != nil {
			p := r.wanted()
			r.chosen.Projection, err = p.projection()
		}
		return err
	}).Of(judgement.Expressions),
)

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
