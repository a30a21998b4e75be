package design

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

var errRequests = errors.New("the range takes more than " + strconv.Itoa(maxRequests) + " requests")

// BindAll gives a query the values of a read, as Bind does, and returns the requests that it takes:
// one, unless the query has a Spread. Requests of different periods return items one after the
// other; those of different shards or values have to be merged in the pattern's order.
func (q *Query) BindAll(values Row) ([]Bound, error) {
	rows := []Row{values}
	for i := range q.Spread {
		spread, err := q.Spread[i].values(q, values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.Pattern, err)
		}
		if len(rows)*len(spread) > maxRequests {
			return nil, fmt.Errorf("%s: %w", q.Pattern, errRequests)
		}
		rows = spreadRows(rows, q.Spread[i].Attribute, spread)
	}
	var all []Bound
	for _, row := range rows {
		b, err := q.Bind(row)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return q.batched(all), nil
}

// spreadRows returns each row with each value of an attribute.
func spreadRows(rows []Row, attribute string, values []any) (all []Row) {
	for _, row := range rows {
		for _, value := range values {
			one := maps.Clone(row)
			one[attribute] = value
			all = append(all, one)
		}
	}
	return all
}

// values returns the values of a Spread in the order of a query's results.
func (s *Spread) values(q *Query, values Row) (all []any, err error) {
	if s.Values > 0 {
		return s.given(values)
	}
	if s.Shards > 0 {
		for i := range s.Shards {
			all = append(all, strconv.Itoa(i))
		}
		return all, nil
	}
	periods, err := s.Period.all(values[RangeFrom], values[RangeTo])
	for _, period := range periods {
		all = append(all, period)
	}
	if s.Most > 0 && len(all) > s.Most {
		all = all[:s.Most]
	}
	if q.Descending {
		slices.Reverse(all)
	}
	return all, err
}

// batchSize is how many items BatchGetItem reads at most.
const batchSize = 100

var errNoValues = errors.New("the request has no value")

// given returns the different values that a request gives of the attribute of a Spread.
func (s *Spread) given(values Row) (all []any, err error) {
	list, ok := values[s.Attribute].([]any)
	if !ok {
		list = []any{values[s.Attribute]}
	}
	seen := map[string]bool{}
	for _, v := range list {
		if text := fmt.Sprintf("%T %v", v, v); v != nil && !seen[text] {
			seen[text] = true
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: %w", s.Attribute, errNoValues)
	}
	if s.Most > 0 && len(all) > s.Most {
		all = all[:s.Most]
	}
	return all, nil
}

// batched returns the requests of BatchGetItem that read what single requests would.
func (q *Query) batched(single []Bound) (all []Bound) {
	if q.Operation != BatchGetItem {
		return single
	}
	for part := range slices.Chunk(single, batchSize) {
		all = append(all, Bound{Query: q, Batch: part})
	}
	return all
}
