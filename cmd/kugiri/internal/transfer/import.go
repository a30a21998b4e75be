package transfer

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"regexp"
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
	Keys     KeyTypes    // the types of the table's key attributes
	Writers  int         // concurrent requests; at least 1
	Units    float64     // write capacity units a second; 0 for no limit
	Progress func(n int) // called with the number of further items; nil for none

	// Skip is the number of items at the beginning of the Reader that are in the table already.
	Skip int64

	// Reached, if set, is called from time to time with the number of items at the beginning of the
	// Reader that are in the table.
	Reached func(n int64) error

	limiter *rate.Limiter
	written atomic.Int64
	waiting waiting
}

// queued is an element of a queue: an item to put or, if settled is set, a request to put all items
// before it and then to say so.
type queued struct {
	Sourced
	settled chan<- struct{}
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
	whole := ctx
	group, ctx := errgroup.WithContext(ctx)
	queues := make([]chan queued, max(1, i.Writers))
	for q := range queues {
		queues[q] = make(chan queued, batchItems)
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
	if err = group.Wait(); err == nil {
		err = i.Finish(whole)
	}
	return i.written.Load(), err
}

// read distributes the items to queues by their keys, so that items with the same key stay in
// order.
func (i *Importer) read(ctx context.Context, in Reader, queues []chan queued) error {
	seed := maphash.MakeSeed()
	saves := newSchedule()
	for n := int64(1); ; n++ {
		next, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if n <= i.Skip {
			continue
		}
		key, err := i.key(next)
		if err != nil {
			return err
		}
		of := maphash.String(seed, unversioned(key)) % uint64(len(queues))
		select {
		case queues[of] <- queued{Sourced: next}:
		case <-ctx.Done():
			return ctx.Err()
		}
		if i.Reached != nil && saves.due(itemsBetweenSaves) {
			if err := i.settle(ctx, queues); err != nil {
				return err
			}
			if left, err := i.Settle(ctx); err != nil {
				return err
			} else if left > 0 { // the first n items are not all in the table
				continue
			}
			if err := i.Reached(n); err != nil {
				return err
			}
		}
	}
}

// unversioned is a text for an item's key that is the same for all of its versions.
func unversioned(key string) string { return versions.ReplaceAllString(key, `"`) }

var versions = regexp.MustCompile(`@[0-9]+"`)

// settle waits until all items in the queues are in the table.
func (i *Importer) settle(ctx context.Context, queues []chan queued) error {
	settled := make(chan struct{}, len(queues))
	for _, q := range queues {
		select {
		case q <- queued{settled: settled}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for range queues {
		select {
		case <-settled:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// key returns a text that identifies the item's key.
func (i *Importer) key(s Sourced) (string, error) {
	key := Item{}
	for name := range i.Keys {
		v := s.Item[name]
		if v == nil {
			return "", fmt.Errorf("%s: the item has no attribute %q, which is a key of table %s",
				s.Origin, name, i.Table)
		}
		key[name] = v
	}
	return string(MarshalItem(key)), nil
}

// write puts the items of a queue in batches.
func (i *Importer) write(ctx context.Context, queue <-chan queued) error {
	var batch []Sourced
	keys := map[string]bool{}
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := i.Put(ctx, batch)
		batch = batch[:0]
		clear(keys)
		return err
	}
	for s := range queue {
		if s.settled != nil {
			if err := flush(); err != nil {
				return err
			}
			s.settled <- struct{}{}
			continue
		}
		key, _ := i.key(s.Sourced) // read has checked the key
		if len(batch) == batchItems || keys[key] {
			if err := flush(); err != nil {
				return err
			}
		}
		batch = append(batch, s.Sourced)
		keys[key] = true
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return flush()
}

// Put writes a batch of at most 25 items with different keys, and repeats its unprocessed items
// until none are left.
func (i *Importer) Put(ctx context.Context, batch []Sourced) error {
	requests := make([]types.WriteRequest, len(batch))
	for n, s := range batch {
		requests[n] = types.WriteRequest{PutRequest: &types.PutRequest{Item: s.Item}}
	}
	wait := 50 * time.Millisecond
	for range batchAttempts {
		out, err := i.Client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems:           map[string][]types.WriteRequest{i.Table: requests},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		}, Patient)
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
	return fmt.Errorf(
		"table %s still leaves %d items unprocessed after %d attempts: it is throttled; limit the rate with --rate", i.Table, len(requests), batchAttempts)
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
	if !errors.As(err, &refused) ||
		refused.ErrorCode() != "ValidationException" && ruleOf(err) == "" {
		return fmt.Errorf("%s: writing: %w", batch[0].Origin, err)
	}
	for _, s := range batch {
		if _, err := i.Client.PutItem(ctx,
			&dynamodb.PutItemInput{TableName: &i.Table, Item: s.Item}, Patient); err != nil {
			if err := i.waiting.keep(s, err); err != nil {
				return err
			}
			continue
		}
		i.count(1)
	}
	return nil // one by one the service accepts them: the batch was too large
}
