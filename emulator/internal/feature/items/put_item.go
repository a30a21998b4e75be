package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func PutItem(c *serve.Call, in *api.PutItemInput) (*api.PutItemOutput, error) {
	table, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	s, w := NewWrite(table, c.NewUsage(in.ReturnConsumedCapacity))
	defer s.Free()
	if err := orderOfPut.Judge(putRequest{c, in, w}); err != nil {
		return nil, err
	}
	s.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	w.FailedOld = WantsOld(in.ReturnValuesOnConditionCheckFailure)
	w.SetPut(c, in.Item.Item)
	if err := s.Commit(c); err != nil {
		return nil, err
	}
	return &api.PutItemOutput{
		Attributes:            w.Change.Answer(returnValue(in.ReturnValues), w.Old, w.New),
		ConsumedCapacity:      s.Tables[0].Used.Report(in.TableName),
		ItemCollectionMetrics: s.collection(),
	}, nil
}

func PutItemTargets(in *api.PutItemInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName), Known: in.Item.Item})
}

// putRequest is a PutItem, and the write that it becomes.
type putRequest struct {
	call  *serve.Call
	in    *api.PutItemInput
	write *ItemWrite
}

func (r putRequest) condition() ConditionParams {
	return ConditionParams{r.in.Expected, r.in.ConditionalOperator, r.in.ConditionExpression,
		r.in.ExpressionAttributeNames, r.in.ExpressionAttributeValues}
}

// orderOfPut orders the checks of PutItem that need no table.
var orderOfPut = serve.ByLayers("PutItem",
	serve.Step("ReturnValues", "F.17", func(r putRequest) error {
		return checkReturnOld(r.in.ReturnValues)
	}).Of(judgement.Members),
	serve.Step("parameters that do not go together", "F.20", func(r putRequest) error {
		p := r.condition()
		return p.checkTogether()
	}).Of(judgement.Joins),
	serve.Step("the item", "", func(r putRequest) error {
		return CheckNewItem(r.call, r.in.Item)
	}).Of(judgement.Items),
	serve.Step("values of the condition", "", func(r putRequest) error {
		p := r.condition()
		return p.checkValues(nil)
	}).Of(judgement.Values),
	serve.Step("the condition", "", func(r putRequest) (err error) {
		p := r.condition()
		_, r.write.Condition, err = p.Read(nil)
		return err
	}).Of(judgement.Expressions),
)

// CheckNewItem checks a whole item by itself.
func CheckNewItem(c *serve.Call, a item.Attributes) error {
	return orderOfNewItem.Judge(newItem{a, c.Service.Limits.ItemBytes})
}

// newItem is a whole item of a request, and how large it may be.
type newItem struct {
	item.Attributes
	bytes int
}

// orderOfNewItem orders the checks of each item for all operations that write whole items.
var orderOfNewItem = serve.Order[newItem]{
	serve.Step("names", "5.3, 5.4", func(n newItem) error { return checkNames(n.Attributes) }),
	serve.Step("values", "5.3", func(n newItem) error { return checkAttributes(n.Attributes) }),
	serve.Step("the size", "", func(n newItem) error {
		if n.Item.Size() > n.bytes {
			return errItemSize
		}
		return nil
	}),
}

var (
	errNoName   = apierr.InvalidParameter(item.InvalidNoName)
	errLongName = apierr.InvalidValue(&item.Invalid{Fault: item.LongName})
)

var errItemSize = apierr.Invalid("Item size has exceeded the maximum allowed size")

// Put is the change that replaces the whole item.
type Put struct {
	plainChange
	Item     item.Item
	MaxBytes int
}

func (p *Put) Key(c *serve.Call, tx *storage.Tx, t *storage.Table) (storage.Key, error) {
	k, err := keys.OfItem(c.Memory.Items(), &t.Key, p.Item)
	if err != nil {
		return k, err
	}
	if err := keys.CheckIndexes(tx.Tables().Indexes(t), p.Item); err != nil {
		return k, err
	}
	if err := keys.CheckVectors(c.Memory.Items(), tx, t, "", p.Item); err != nil {
		return k, err
	}
	if exceedsWithEntry(tx, t, p.Item, p.MaxBytes) {
		return k, errItemSize
	}
	return k, nil
}

func (p *Put) Next(*storage.Tx, *storage.Table, item.Item) (item.Item, error) { return p.Item, nil }

func (p *Put) Propose(w *request.Write, _ *storage.Table) { w.Kind, w.Item = request.Put, p.Item }
