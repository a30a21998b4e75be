package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
)

func query(c *call, in *api.QueryInput) (*api.QueryOutput, error) {
	q, err := newQuery(c, in)
	if err != nil {
		return nil, err
	}
	if err := c.store.View(func(tx *storage.Tx) error { return q.run(c, tx) }); err != nil {
		return nil, err
	}
	a := q.answer()
	if page := c.pageRead(&q.read, int(a.count)); page != nil {
		page.Scan, page.terms = false, q.terms
	}
	return &api.QueryOutput{
		Items:            a.items,
		Count:            &a.count,
		ScannedCount:     &a.scanned,
		LastEvaluatedKey: q.last,
		ConsumedCapacity: q.usage.report(in.TableName),
	}, nil
}

// queryRead is a Query on its way.
type queryRead struct {
	read
	terms []expr.KeyTerm
}

// newQuery applies the rules that need no table.
func newQuery(c *call, in *api.QueryInput) (*queryRead, error) {
	q := &queryRead{read: read{
		index:      in.IndexName,
		consistent: isTrue(in.ConsistentRead),
		reverse:    in.ScanIndexForward != nil && !*in.ScanIndexForward,
		limit:      int(deref(in.Limit)),
		wanted:     deref(in.Select),
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

// checkQuery checks which parameters there are.
func checkQuery(in *api.QueryInput, p *readParams) error {
	params := p.parameters()
	params.legacy = append(params.legacy, parameter{"KeyConditions", in.KeyConditions != nil})
	params.withValues = append(params.withValues, parameter{"KeyConditionExpression", in.KeyConditionExpression != nil})
	if err := params.check(); err != nil {
		return err
	}
	if in.KeyConditions == nil && in.KeyConditionExpression == nil {
		return invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	return p.check()
}

// parse reads the expressions or their legacy equivalents.
func (q *queryRead) parse(in *api.QueryInput, p *readParams) error {
	var scope expr.Scope
	err := p.expressions(&q.read, &scope, in.KeyConditionExpression != nil)
	if err != nil {
		return err
	}
	if in.KeyConditionExpression == nil {
		q.terms, err = legacyKeyTerms(in.KeyConditions)
	} else if q.terms, err = scope.KeyCondition(*in.KeyConditionExpression); err != nil {
		err = invalid(err.Error())
	}
	switch {
	case err != nil:
		return err
	case len(q.terms) == 0 || q.index == nil && len(q.terms) > maxPlainKeyTerms:
		return errKeyConditions
	}
	return checkUnused(&scope)
}

// run checks the query against its table and reads a page.
func (q *queryRead) run(c *call, tx *storage.Tx) error {
	if err := q.open(c, tx); err != nil {
		return err
	}
	condition, err := newKeyCondition(&q.source, q.terms)
	if err != nil {
		return err
	}
	if err := q.checkFilter(); err != nil {
		return err
	}
	if err := q.checkAttributes(); err != nil {
		return err
	}
	matching := condition.locate(&q.source)
	part := matching.Range
	if q.start != "" {
		k, err := startKey(&q.source, q.start, errStartKey)
		if err != nil {
			return err
		}
		if part, err = matching.resume(k, q.reverse); err != nil {
			return err
		}
	}
	if err := c.watch.read(&q.source, q.terms); err != nil {
		return err
	}
	if err := q.page(c, tx, part); err != nil {
		return err
	}
	q.dropFinalKey(&matching)
	return nil
}

// checkFilter keeps the filter off the key by which the query goes.
func (q *queryRead) checkFilter() error {
	if q.filter == nil {
		return nil
	}
	for _, name := range q.filter.Attributes() {
		if isKey(q.source.key(), name) {
			return invalid("%s can only contain non-primary key attributes: Primary key attribute: %s", q.filterName, name)
		}
	}
	return nil
}

// dropFinalKey takes back a LastEvaluatedKey which would be refused as an
// ExclusiveStartKey because nothing can follow it.
func (q *queryRead) dropFinalKey(r *keyRange) {
	if q.last == "" {
		return
	}
	k := q.source.encode(q.entries[q.scanned-1])
	if _, err := r.resume(k, q.reverse); err != nil {
		q.last = ""
	}
}
