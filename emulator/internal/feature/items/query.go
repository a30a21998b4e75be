package items

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
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
		if t.Op == "=" {
			equal = append(equal, item.Attribute{Name: t.Name, Value: t.Value})
		}
	}
	return serve.ItemOf(equal)
}

// QueryRead is a Query on its way.
type QueryRead struct {
	RangeRead
	terms []expr.KeyTerm
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
	p := ReadParams{
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
	if err := checkQuery(in, &p); err != nil {
		return nil, err
	}
	return q, q.parse(in, &p)
}

// checkQuery checks which parameters there are. KeyConditions go together with expressions
// other than a KeyConditionExpression (service facts 3.1 and 3.2).
func checkQuery(in *api.QueryInput, p *ReadParams) error {
	params := p.Parameters()
	params.legacy = append(params.legacy,
		Parameter{"KeyConditions", in.KeyConditions != nil && in.KeyConditionExpression != nil})
	params.WithValues = append(params.WithValues,
		Parameter{"KeyConditionExpression", in.KeyConditionExpression != nil})
	return params.Check()
}

// parse reads the expressions or their legacy equivalents, and checks the parameters that
// need no table in the order in which the service does (service facts 12.3, 12.4, C.1, C.2).
func (q *QueryRead) parse(in *api.QueryInput, p *ReadParams) error {
	if err := p.legacy(&q.RangeRead); err != nil {
		return err
	}
	if err := p.checkStart(); err != nil {
		return err
	}
	if in.KeyConditions == nil && in.KeyConditionExpression == nil {
		return apierr.InvalidParameter(
			"Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	var scope expr.Scope
	if err := p.Open(&scope, in.KeyConditionExpression != nil); err != nil {
		return err
	}
	if err := p.checkEmpty(); err != nil {
		return err
	}
	if err := q.parseKeyCondition(in, &scope); err != nil {
		return err
	}
	if err := p.Expressions(&q.RangeRead, &scope); err != nil {
		return err
	}
	return p.checkSelect()
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

// run checks the query against its table, in the service's order (service facts 12.2), and
// reads a page.
func (q *QueryRead) run(c *serve.Call, tx *storage.Tx) error {
	if err := q.open(c, tx); err != nil {
		return err
	}
	if q.Start != "" {
		if err := keys.CheckStart(&q.Source, q.Start); err != nil {
			return err
		}
	}
	condition, err := keys.NewCondition(&q.Source, q.terms)
	if err != nil {
		return err
	}
	if err := q.CheckFilter(); err != nil {
		return err
	}
	if q.Filter != nil {
		q.Required = q.Filter.Attributes()
	}
	matching := condition.Locate(&q.Source)
	part := matching.Range
	if q.Start != "" {
		k, err := keys.Start(&q.Source, q.Start)
		if err != nil {
			return err
		}
		if part, err = condition.Resume(&q.Source, &matching, q.Start, k, q.Reverse); err != nil {
			return err
		}
	}
	if err := q.CheckAttributes(tx); err != nil {
		return err
	}
	if err := c.Watch.Read(&q.Source, q.terms); err != nil {
		return err
	}
	if err := q.page(c, tx, part); err != nil {
		return err
	}
	q.dropFinalKey(&condition, &matching)
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
