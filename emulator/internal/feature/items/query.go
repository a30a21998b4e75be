package items

import (
	"slices"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func Query(c *serve.Call, in *api.QueryInput) (*api.QueryOutput, error) {
	q, err := newQuery(c, in)
	if err != nil {
		return nil, err
	}
	if err := c.Store.View(func(tx *storage.Tx) error { return q.run(c, tx) }); err != nil {
		return nil, err
	}
	a, err := q.Answer(c)
	if err != nil {
		return nil, err
	}
	if page := q.Record(c, int(a.count)); page != nil {
		observe.Locate(page, q.terms, false)
	}
	return &api.QueryOutput{
		Items:            a.Items,
		Count:            &a.count,
		ScannedCount:     &a.scanned,
		LastEvaluatedKey: q.Last,
		ConsumedCapacity: q.Usage.Report(in.TableName),
	}, nil
}

func QueryTargets(in *api.QueryInput, ts *serve.Targets) {
	t := serve.Target{
		Table:    arn.TableCalled(in.TableName),
		Index:    string(api.Deref(in.IndexName)),
		Eventual: !api.IsTrue(in.ConsistentRead),
	}
	if !ts.NamesOnly() {
		t.Known = queryKey(in)
	}
	ts.Add(t)
}

// queryKey returns the attributes that the key condition of a Query compares for equality.
func queryKey(in *api.QueryInput) item.Item {
	var terms []expr.KeyTerm
	var scope expr.Scope
	if in.KeyConditionExpression == nil {
		terms, _ = legacyKeyTerms(in.KeyConditions)
	} else if err := openScope(&scope, in.ExpressionAttributeNames,
		in.ExpressionAttributeValues); err == nil {
		terms, _ = scope.KeyCondition(*in.KeyConditionExpression)
	}
	var equal []item.Attribute
	for _, t := range terms {
		if t.Op == expr.KeyEqual {
			equal = append(equal, item.Attribute{Name: t.Name, Value: t.Value})
		}
	}
	return serve.ItemOf(equal)
}

// QueryRead is a Query on its way.
type QueryRead struct {
	RangeRead
	terms     []expr.KeyTerm
	condition keys.Condition // once the table is known, as what follows
	matching  keys.Span
	part      storage.Range
}

// newQuery applies the rules that need no table.
func newQuery(c *serve.Call, in *api.QueryInput) (*QueryRead, error) {
	q := &QueryRead{RangeRead: RangeRead{
		Index:      in.IndexName,
		Consistent: api.IsTrue(in.ConsistentRead),
		Reverse:    in.ScanIndexForward != nil && !*in.ScanIndexForward,
		Limit:      int(api.Deref(in.Limit)),
		wanted:     api.Deref(in.Select),
		Start:      in.ExclusiveStartKey.Item,
		Usage:      c.NewUsage(in.ReturnConsumedCapacity),
	}}
	var err error
	if q.Table, err = c.TableName(*in.TableName); err != nil {
		return nil, err
	}
	x := queryParses.Get().(*queryParse)
	defer x.free()
	x.QueryRead, x.in = q, in
	x.read()
	return q, orderOfQuery.Judge(x)
}

// queryParse is a Query whose parameters are read.
type queryParse struct {
	*QueryRead
	ReadParams
	in    *api.QueryInput
	scope expr.Scope // the names and values of the expressions
}

// read takes the parameters from the request.
func (x *queryParse) read() {
	in := x.in
	x.ReadParams = ReadParams{
		index:           in.IndexName,
		selection:       in.Select,
		attributesToGet: in.AttributesToGet,
		Projection:      in.ProjectionExpression,
		Filter:          in.FilterExpression,
		legacyFilter:    legacyFilter{"QueryFilter", in.QueryFilter},
		operator:        in.ConditionalOperator,
		start:           in.ExclusiveStartKey,
		Names:           in.ExpressionAttributeNames,
		Values:          in.ExpressionAttributeValues,
	}
}

// queryParses are freed ones, for their memory.
var queryParses = sync.Pool{New: func() any { return new(queryParse) }}

func (x *queryParse) free() {
	*x = queryParse{}
	queryParses.Put(x)
}

// orderOfQuery orders the checks of Query that need no table. orderOfQueried has the rest.
var orderOfQuery = serve.ByLayers("Query",
	serve.Step("parameters that do not go together", "3.1, 3.2",
		(*queryParse).checkTogether).Of(judgement.Joins),
	serve.Step("AttributesToGet and the legacy filter", "12.3, C.1", func(x *queryParse) error {
		return x.legacy(&x.RangeRead)
	}).Of(judgement.Joins),
	serve.Step("names and values of ExclusiveStartKey", "12.3, F.8", func(x *queryParse) error {
		return x.checkStart()
	}).Of(judgement.Items),
	serve.Step("that there is a key condition", "12.3", func(x *queryParse) error {
		if x.in.KeyConditions == nil && x.in.KeyConditionExpression == nil {
			return apierr.InvalidParameter(
				"Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
		}
		return nil
	}).Of(judgement.Items),
	serve.Step("names and values of expressions", "", func(x *queryParse) error {
		return x.Open(&x.scope, x.in.KeyConditionExpression != nil)
	}).Of(judgement.Values),
	serve.Step("an empty filter or projection", "M.1", func(x *queryParse) error {
		return x.checkEmpty()
	}).Of(judgement.Expressions),
	serve.Step("the key condition", "12.4, M.2", func(x *queryParse) error {
		return x.parseKeyCondition(x.in, &x.scope)
	}).Of(judgement.Expressions),
	serve.Step("the filter, and then the projection", "12.4", func(x *queryParse) error {
		return x.Expressions(&x.RangeRead, &x.scope)
	}).Of(judgement.Expressions),
	serve.Step("Select", "C.1, C.2", func(x *queryParse) error {
		return x.checkSelect()
	}).Of(judgement.Expressions),
)

// checkTogether checks which parameters there are. KeyConditions go together with expressions
// other than a KeyConditionExpression (service facts 3.1 and 3.2).
func (x *queryParse) checkTogether() error {
	params := x.together()
	return params.Check()
}

func (x *queryParse) together() expressionParams {
	in, params := x.in, x.Parameters()
	params.legacy = append(params.legacy,
		Parameter{"KeyConditions", in.KeyConditions != nil && in.KeyConditionExpression != nil})
	params.WithValues = append(params.WithValues,
		Parameter{"KeyConditionExpression", in.KeyConditionExpression != nil})
	return params
}

// unusedFirst returns the error of names and values that no expression uses, or else bad, which is
// wrong with the key condition (service facts M.2).
func (q *QueryRead) unusedFirst(in *api.QueryInput, scope *expr.Scope, bad error) error {
	if f := in.FilterExpression; f != nil {
		if _, err := scope.Condition(expr.KindFilter, *f); err != nil {
			return apierr.InvalidParameter(bad.Error())
		}
	}
	if p := in.ProjectionExpression; p != nil {
		if _, err := scope.Projection(*p); err != nil {
			return apierr.InvalidParameter(bad.Error())
		}
	}
	if err := checkUnused(scope); err != nil {
		return err
	}
	return apierr.InvalidParameter(bad.Error())
}

func (q *QueryRead) parseKeyCondition(in *api.QueryInput, scope *expr.Scope) (err error) {
	if in.KeyConditionExpression != nil {
		if q.terms, err = scope.KeyCondition(*in.KeyConditionExpression); err != nil {
			if err == expr.ErrKeyNames {
				return q.unusedFirst(in, scope, err)
			}
			return apierr.InvalidParameter(err.Error())
		}
		return nil
	}
	if q.terms, err = legacyKeyTerms(in.KeyConditions); err != nil {
		return err
	}
	if len(q.terms) == 0 || q.Index == nil && len(q.terms) > keys.MaxLegacyKeyTerms {
		return keys.ErrConditions
	}
	return nil
}

// queryRun is a Query in a transaction.
type queryRun struct {
	*QueryRead
	call *serve.Call
	tx   *storage.Tx
}

// orderOfQueried orders the checks of Query that need the table. They follow those of orderOfQuery.
var orderOfQueried = serve.Order[queryRun]{
	serve.Step("the table, the index and the consistency", "12.1, 12.2",
		func(r queryRun) error { return r.open(r.call, r.tx) }),
	serve.Step("attributes of ExclusiveStartKey", "12.2, F.13", func(r queryRun) error {
		if r.Start == "" || keys.CheckStart(&r.Source, r.Start) == nil {
			return nil
		}
		return keys.ErrStart
	}),
	serve.Step("the key condition", "12.1, 12.2", func(r queryRun) (err error) {
		r.condition, err = keys.NewCondition(&r.Source, r.terms)
		return err
	}),
	serve.Step("attributes of the key in the filter", "B.4",
		func(r queryRun) error { return r.CheckFilter() }),
	serve.Step("the place of ExclusiveStartKey", "3.9, 3.13, 12.2", queryRun.locate),
	serve.Step("Select, and paths into keys", "8.8, 12.2",
		func(r queryRun) error { return r.CheckAttributes(r.tx) }),
	serve.Step("the policy of access patterns", "",
		func(r queryRun) (err error) {
			r.Reading, err = r.call.Policy.Read(&r.Source, r.terms)
			return err
		}),
}

// locate finds the entries that the query reads.
func (r queryRun) locate() error {
	if r.Filter != nil {
		r.Required = r.Filter.Attributes()
	}
	r.matching = r.condition.Locate(&r.Source)
	r.part = r.matching.Range
	if r.Start == "" {
		return nil
	}
	k, err := keys.Start(&r.Source, r.Start)
	if err != nil {
		return err
	}
	r.part, err = r.condition.Resume(&r.Source, &r.matching, r.Start, k, r.Reverse)
	return err
}

// run checks the query against its table and reads a page.
func (q *QueryRead) run(c *serve.Call, tx *storage.Tx) error {
	if err := orderOfQueried.Judge(queryRun{q, c, tx}); err != nil {
		return err
	}
	if err := q.page(c, tx, q.part); err != nil {
		return err
	}
	q.dropFinalKey(&q.condition, &q.matching)
	return nil
}

// CheckFilter keeps the filter off the key by which the query goes. The error names the first
// such attribute in the order of the key (service facts B.4).
func (q *QueryRead) CheckFilter() error {
	if q.Filter == nil {
		return nil
	}
	filtered := q.Filter.Attributes()
	ks := q.Source.Key()
	for i := range len(ks.Hash) + len(ks.Range) {
		if name := keys.Attribute(ks, i).Name; slices.Contains(filtered, name) {
			return apierr.Invalid(
				"%s can only contain non-primary key attributes: Primary key attribute: %s",
				q.FilterName, name)
		}
	}
	return nil
}

// dropFinalKey takes back a LastEvaluatedKey which would be refused as an
// ExclusiveStartKey because nothing can follow it.
func (q *QueryRead) dropFinalKey(kc *keys.Condition, r *keys.Span) {
	if q.Last == "" {
		return
	}
	last := q.Entries[q.Scanned-1]
	if _, err := kc.Resume(&q.Source, r, last, q.Source.Encode(last), q.Reverse); err != nil {
		q.Last = ""
	}
}
