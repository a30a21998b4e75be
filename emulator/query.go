package emulator

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func query(c *call, in *api.QueryInput) (*api.QueryOutput, error) {
	q, err := newQuery(c, in)
	if err != nil {
		return nil, err
	}
	if err := c.store.View(func(tx *storage.Tx) error { return q.run(c, tx) }); err != nil {
		return nil, err
	}
	a, err := q.answer(c)
	if err != nil {
		return nil, err
	}
	if page := q.record(c, int(a.count)); page != nil {
		observe.Locate(page, q.terms, false)
	}
	return &api.QueryOutput{
		Items:            a.items,
		Count:            &a.count,
		ScannedCount:     &a.scanned,
		LastEvaluatedKey: q.last,
		ConsumedCapacity: q.usage.Report(in.TableName),
	}, nil
}

func queryTargets(in *api.QueryInput, ts *targets) {
	t := target{
		table:    arn.TableCalled(in.TableName),
		index:    string(api.Deref(in.IndexName)),
		eventual: !api.IsTrue(in.ConsistentRead),
	}
	if !ts.namesOnly() {
		t.known = queryKey(in)
	}
	ts.add(t)
}

// queryKey returns the attributes that the key condition of a Query compares for equality.
func queryKey(in *api.QueryInput) item.Item {
	var terms []expr.KeyTerm
	var scope expr.Scope
	if in.KeyConditionExpression == nil {
		terms, _ = legacyKeyTerms(in.KeyConditions)
	} else if err := openScope(&scope, in.ExpressionAttributeNames, in.ExpressionAttributeValues); err == nil {
		terms, _ = scope.KeyCondition(*in.KeyConditionExpression)
	}
	var equal []item.Attribute
	for _, t := range terms {
		if t.Op == "=" {
			equal = append(equal, item.Attribute{Name: t.Name, Value: t.Value})
		}
	}
	return itemOf(equal)
}

// queryRead is a Query on its way.
type queryRead struct {
	rangeRead
	terms []expr.KeyTerm
}

// newQuery applies the rules that need no table.
func newQuery(c *call, in *api.QueryInput) (*queryRead, error) {
	q := &queryRead{rangeRead: rangeRead{
		index:      in.IndexName,
		consistent: api.IsTrue(in.ConsistentRead),
		reverse:    in.ScanIndexForward != nil && !*in.ScanIndexForward,
		limit:      int(api.Deref(in.Limit)),
		wanted:     api.Deref(in.Select),
		start:      in.ExclusiveStartKey.Item,
		usage:      c.newUsage(in.ReturnConsumedCapacity),
	}}
	var err error
	if q.table, err = c.tableName(*in.TableName); err != nil {
		return nil, err
	}
	p := readParams{
		index:           in.IndexName,
		selection:       in.Select,
		attributesToGet: in.AttributesToGet,
		projection:      in.ProjectionExpression,
		filter:          in.FilterExpression,
		legacyFilter:    legacyFilter{"QueryFilter", in.QueryFilter},
		operator:        in.ConditionalOperator,
		start:           in.ExclusiveStartKey,
		names:           in.ExpressionAttributeNames,
		values:          in.ExpressionAttributeValues,
	}
	if err := checkQuery(in, &p); err != nil {
		return nil, err
	}
	return q, q.parse(in, &p)
}

// checkQuery checks which parameters there are. KeyConditions go together with expressions
// other than a KeyConditionExpression (service facts 3.1 and 3.2).
func checkQuery(in *api.QueryInput, p *readParams) error {
	params := p.parameters()
	params.legacy = append(params.legacy, parameter{"KeyConditions", in.KeyConditions != nil && in.KeyConditionExpression != nil})
	params.withValues = append(params.withValues, parameter{"KeyConditionExpression", in.KeyConditionExpression != nil})
	return params.check()
}

// parse reads the expressions or their legacy equivalents, and checks the parameters that
// need no table in the order in which the service does (service facts 12.3, 12.4, C.1, C.2).
func (q *queryRead) parse(in *api.QueryInput, p *readParams) error {
	if err := p.legacy(&q.rangeRead); err != nil {
		return err
	}
	if err := p.checkStart(); err != nil {
		return err
	}
	if in.KeyConditions == nil && in.KeyConditionExpression == nil {
		return apierr.InvalidParameter("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	var scope expr.Scope
	if err := p.open(&scope, in.KeyConditionExpression != nil); err != nil {
		return err
	}
	if err := q.parseKeyCondition(in, &scope); err != nil {
		return err
	}
	if err := p.expressions(&q.rangeRead, &scope); err != nil {
		return err
	}
	return p.checkSelect()
}

func (q *queryRead) parseKeyCondition(in *api.QueryInput, scope *expr.Scope) (err error) {
	if in.KeyConditionExpression != nil {
		if q.terms, err = scope.KeyCondition(*in.KeyConditionExpression); err != nil {
			return apierr.InvalidParameter(err.Error())
		}
		return nil
	}
	if q.terms, err = legacyKeyTerms(in.KeyConditions); err != nil {
		return err
	}
	if len(q.terms) == 0 || q.index == nil && len(q.terms) > keys.MaxLegacyKeyTerms {
		return keys.ErrConditions
	}
	return nil
}

// run checks the query against its table, in the service's order (service facts 12.2), and
// reads a page.
func (q *queryRead) run(c *call, tx *storage.Tx) error {
	if err := q.open(c, tx); err != nil {
		return err
	}
	if q.start != "" {
		if err := keys.CheckStart(&q.source, q.start); err != nil {
			return err
		}
	}
	condition, err := keys.NewCondition(&q.source, q.terms)
	if err != nil {
		return err
	}
	if err := q.checkFilter(); err != nil {
		return err
	}
	if q.filter != nil {
		q.required = q.filter.Attributes()
	}
	matching := condition.Locate(&q.source)
	part := matching.Range
	if q.start != "" {
		k, err := keys.Start(&q.source, q.start)
		if err != nil {
			return err
		}
		if part, err = condition.Resume(&q.source, &matching, q.start, k, q.reverse); err != nil {
			return err
		}
	}
	if err := q.checkAttributes(tx); err != nil {
		return err
	}
	if err := c.watch.read(&q.source, q.terms); err != nil {
		return err
	}
	if err := q.page(c, tx, part); err != nil {
		return err
	}
	q.dropFinalKey(&condition, &matching)
	return nil
}

// checkFilter keeps the filter off the key by which the query goes. The error names the first
// such attribute in the order of the key (service facts B.4).
func (q *queryRead) checkFilter() error {
	if q.filter == nil {
		return nil
	}
	filtered := q.filter.Attributes()
	ks := q.source.Key()
	for i := range len(ks.Hash) + len(ks.Range) {
		if name := keys.Attribute(ks, i).Name; slices.Contains(filtered, name) {
			return apierr.Invalid("%s can only contain non-primary key attributes: Primary key attribute: %s", q.filterName, name)
		}
	}
	return nil
}

// dropFinalKey takes back a LastEvaluatedKey which would be refused as an
// ExclusiveStartKey because nothing can follow it.
func (q *queryRead) dropFinalKey(kc *keys.Condition, r *keys.Span) {
	if q.last == "" {
		return
	}
	last := q.entries[q.scanned-1]
	if _, err := kc.Resume(&q.source, r, last, q.source.Encode(last), q.reverse); err != nil {
		q.last = ""
	}
}
