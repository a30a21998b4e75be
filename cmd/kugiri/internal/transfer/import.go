package transfer

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

// Importer puts items into a table. Of several items with the same key the last one remains.
type Importer struct {
	Client   *dynamodb.Client
	Table    string
	Keys     KeyTypes    // of the table's key attributes
	Writers  int         // concurrent requests; at least 1
	Units    float64     // write capacity units a second; 0 for no limit
	Progress func(n int) // called with the number of further items; nil for none
	limiter  *rate.Limiter
	written  atomic.Int64
}

// The limits of BatchWriteItem (API Reference, BatchWriteItem), and how often a batch with
// unprocessed items is tried.
const (
	batchItems    = 25
	batchAttempts = 10
)

// Run puts all items of a Reader. It returns how many items are known to be in the table, which is
// all of them unless it fails.
func (i *Importer) Run(ctx context.Context, in Reader) (n int64, err error) {
	i.limiter = NewLimiter(i.Units)
	i.written.Store(0)
	group, ctx := errgroup.WithContext(ctx)
	queues := make([]chan Sourced, max(1, i.Writers))
	for q := range queues {
		queues[q] = make(chan Sourced, batchItems)
		group.Go(func() error { return i.write(ctx, queues[q]) })
	}
	group.Go(func() error {
		defer func() {
			for _, q := range queues {
				close(q)
			}
		}()
		return i.read(ctx, in, queues)
	})
	err = group.Wait()
	return i.written.Load(), err
}

// read distributes the items to queues by their keys, so that items with the same key stay in
// order.
func (i *Importer) read(ctx context.Context, in Reader, queues []chan Sourced) error {
	seed := maphash.MakeSeed()
	for {
		next, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		key, err := i.key(next)
		if err != nil {
			return err
		}
		select {
		case queues[maphash.String(seed, key)%uint64(len(queues))] <- next:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// key returns a text that identifies the item's key.
func (i *Importer) key(s Sourced) (string, error) {
	key := Item{}
	for name := range i.Keys {
		v := s.Item[name]
		if v == nil {
			return "", fmt.Errorf("%s: the item has no attribute %q, which is a key of table %s", s.Origin, name, i.Table)
		}
		key[name] = v
	}
	return string(MarshalItem(key)), nil
}

// write puts the items of a queue in batches.
func (i *Importer) write(ctx context.Context, queue <-chan Sourced) error {
	var batch []Sourced
	keys := map[string]bool{}
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := i.put(ctx, batch)
		batch = batch[:0]
		clear(keys)
		return err
	}
	for s := range queue {
		key, _ := i.key(s) // read has checked the key
		if len(batch) == batchItems || keys[key] {
			if err := flush(); err != nil {
				return err
			}
		}
		batch = append(batch, s)
		keys[key] = true
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return flush()
}

// put writes a batch and repeats its unprocessed items until there are none.
func (i *Importer) put(ctx context.Context, batch []Sourced) error {
	requests := make([]types.WriteRequest, len(batch))
	for n, s := range batch {
		requests[n] = types.WriteRequest{PutRequest: &types.PutRequest{Item: s.Item}}
	}
	wait := 50 * time.Millisecond
	for range batchAttempts {
		out, err := i.Client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems:           map[string][]types.WriteRequest{i.Table: requests},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			return i.explain(ctx, batch, err)
		}
		left := out.UnprocessedItems[i.Table]
		i.count(len(requests) - len(left))
		for c := range out.ConsumedCapacity {
			if err := Spend(ctx, i.limiter, &out.ConsumedCapacity[c]); err != nil {
				return err
			}
		}
		if len(left) == 0 {
			return nil
		}
		requests = left
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		wait *= 2
	}
	return fmt.Errorf("table %s still leaves %d items unprocessed after %d attempts: it is throttled; limit the rate with --rate", i.Table, len(requests), batchAttempts)
}

func (i *Importer) count(n int) {
	i.written.Add(int64(n))
	if i.Progress != nil {
		i.Progress(n)
	}
}

// explain finds the item of a batch that the service refuses, by putting the items one by one.
func (i *Importer) explain(ctx context.Context, batch []Sourced, err error) error {
	var refused smithy.APIError
	if !errors.As(err, &refused) || refused.ErrorCode() != "ValidationException" {
		return fmt.Errorf("%s: writing: %w", batch[0].Origin, err)
	}
	for _, s := range batch {
		if _, err := i.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &i.Table, Item: s.Item}); err != nil {
			return fmt.Errorf("%s: %w", s.Origin, err)
		}
		i.count(1)
	}
	return nil // one by one the service accepts them: the batch was too large
}
