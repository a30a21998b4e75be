package support

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Results reads the result of a pattern that takes several requests, in the order of the pattern.
// It is for one goroutine.
type Results struct {
	client     dynamodb.QueryAPIClient
	requests   []*request
	merged     int    // how many requests in a row read the shards of one partition
	at         int    // the first request that has items left
	sort       string // the attribute by which shards are merged, or "" without a sort key
	descending bool
}

// request is a request with the items that are read, but not yet returned.
type request struct {
	in       *dynamodb.QueryInput
	keys     []string // the attributes of an ExclusiveStartKey
	items    []attributes
	from     attributes // where the next page begins
	position attributes // the last item that was returned
	ended    bool       // there are no more pages
}

// results returns the results of requests, which have all attributes of an index's key in keys.
func results(client dynamodb.QueryAPIClient, in []*dynamodb.QueryInput, merged int, sort string,
	keys ...string) *Results {
	r := &Results{client: client, merged: merged, sort: sort}
	for _, one := range in {
		r.requests = append(r.requests, &request{in: one, keys: keys})
		r.descending = one.ScanIndexForward != nil && !*one.ScanIndexForward
	}
	return r
}

// Next returns the next items, at most limit of them, or all that are left if limit is 0. It
// returns no items after the last ones. With an error it returns the items before it.
func (r *Results) Next(ctx context.Context,
	limit int) (items []map[string]types.AttributeValue, err error) {
	for limit <= 0 || len(items) < limit {
		next, err := r.next(ctx, limit)
		if err != nil || next == nil {
			return items, err
		}
		items = append(items, next.take())
	}
	return items, nil
}

// Position says where Next goes on: for each request the key of the last item that was returned,
// nil for none, and an empty map at the end. Continue takes it, also in another process.
func (r *Results) Position() []map[string]types.AttributeValue {
	all := make([]map[string]types.AttributeValue, len(r.requests))
	for i, q := range r.requests {
		all[i] = q.position
		if q.ended && len(q.items) == 0 {
			all[i] = map[string]types.AttributeValue{}
		}
	}
	return all
}

// Continue has Next go on at a position of the same pattern with the same values.
func (r *Results) Continue(position []map[string]types.AttributeValue) error {
	if len(position) != len(r.requests) {
		return fmt.Errorf("the position is one of %d requests, not of %d", len(position),
			len(r.requests))
	}
	r.at = 0
	for i, key := range position {
		q := r.requests[i]
		q.items, q.from, q.position, q.ended = nil, key, key, key != nil && len(key) == 0
	}
	return nil
}

// next returns the request that has the next item, or nil.
func (r *Results) next(ctx context.Context, limit int) (next *request, err error) {
	for ; r.at < len(r.requests); r.at += r.merged {
		shards := r.requests[r.at : r.at+r.merged]
		if err := r.fill(ctx, shards, limit); err != nil {
			return nil, err
		}
		for _, q := range shards {
			if len(q.items) > 0 && (next == nil || r.before(q.items[0], next.items[0])) {
				next = q
			}
		}
		if next != nil {
			return next, nil
		}
	}
	return nil, nil
}

// fill reads all shards that have no item left, at once.
func (r *Results) fill(ctx context.Context, shards []*request, limit int) error {
	var wait sync.WaitGroup
	errs := make([]error, len(shards))
	for i, q := range shards {
		if len(q.items) > 0 || q.ended {
			continue
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			errs[i] = q.read(ctx, r.client, limit)
		}()
	}
	wait.Wait()
	return errors.Join(errs...)
}

// before reports whether an item comes before another one.
func (r *Results) before(a, b attributes) bool {
	if r.descending {
		a, b = b, a
	}
	return order(a[r.sort], b[r.sort]) < 0
}

// order compares values of a sort key as DynamoDB does.
func order(a, b types.AttributeValue) int {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		if b, ok := b.(*types.AttributeValueMemberS); ok {
			return strings.Compare(a.Value, b.Value)
		}
	case *types.AttributeValueMemberB:
		if b, ok := b.(*types.AttributeValueMemberB); ok {
			return bytes.Compare(a.Value, b.Value)
		}
	case *types.AttributeValueMemberN:
		if b, ok := b.(*types.AttributeValueMemberN); ok {
			x, _ := new(big.Rat).SetString(a.Value)
			y, _ := new(big.Rat).SetString(b.Value)
			return x.Cmp(y)
		}
	}
	return 0
}

// read reads pages until there is an item, or no more page.
func (q *request) read(ctx context.Context, client dynamodb.QueryAPIClient, limit int) error {
	for len(q.items) == 0 && !q.ended {
		in := *q.in
		in.ExclusiveStartKey = q.from
		if limit > 0 && in.Limit == nil {
			in.Limit = aws.Int32(int32(min(limit, math.MaxInt32)))
		}
		out, err := client.Query(ctx, &in)
		if err != nil {
			return err
		}
		q.items, q.from, q.ended = out.Items, out.LastEvaluatedKey, out.LastEvaluatedKey == nil
		if len(q.items) == 0 {
			q.position = q.from
		}
	}
	return nil
}

// take returns the first item, and remembers its key.
func (q *request) take() attributes {
	item := q.items[0]
	q.items, q.position = q.items[1:], Key(item)
	for _, name := range q.keys {
		q.position[name] = item[name]
	}
	return item
}
