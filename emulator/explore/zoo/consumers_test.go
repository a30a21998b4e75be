//go:build go1.25

package zoo

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/kugiri-db/kugiri/emulator/explore"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// Programs that read the stream of the table.
var consumers = []specimen{
	{
		name: "a consumer counts a record that is delivered twice", kind: explore.Checked,
		faults: 1, switches: 1,
		broken: orders(countEach, counts(visits, "n", 1)),
		mended: orders(countOnce, counts(visits, "n", 1)),
		options: []explore.Option{
			explore.Faults(1, explore.Redelivered, explore.DiesBefore, explore.DiesAfter)},
	},
	{
		name: "a consumer marks a record after its work", kind: explore.Checked,
		faults: 1, switches: 1,
		broken: orders(func(ctx context.Context, db client, r record) error {
			it, err := get(ctx, db, r.mark())
			if err != nil || it != nil {
				return err
			}
			if err := countEach(ctx, db, r); err != nil {
				return err
			}
			return put(ctx, db, r.mark())
		}, counts(visits, "n", 1)),
		mended: orders(countOnce, counts(visits, "n", 1)),
		options: []explore.Option{
			explore.Faults(1, explore.Redelivered, explore.DiesBefore, explore.DiesAfter)},
	},
	{
		name: "a consumer trusts the order across shards", kind: explore.Checked, switches: 1,
		broken: sales(func(ctx context.Context, db client, r record) error {
			view := key("VIEW", "ann")
			if r.pk() == "BUYER" {
				return put(ctx, db, view.with(item{"sales": 0}))
			}
			_, err := updateIf(ctx, db, view, "ADD sales :one", present, item{":one": 1})
			if refused(err) {
				return nil // a sale to nobody
			}
			return err
		}),
		mended: sales(func(ctx context.Context, db client, r record) error {
			sold := 1
			if r.pk() == "BUYER" {
				sold = 0
			}
			_, err := update(ctx, db, key("VIEW", "ann"), "ADD sales :n", item{":n": sold})
			return err
		}),
	},
	{
		name: "a reader of a stream dies before it notes how far it is", kind: explore.Checked,
		faults: 1,
		broken: reads(func(ctx context.Context, db client, number string) error {
			if _, err := update(ctx, db, visits, "ADD n :one", item{":one": 1}); err != nil {
				return err
			}
			return put(ctx, db, key("CHECKPOINT", "-").with(item{"at": number}))
		}),
		mended: reads(func(ctx context.Context, db client, number string) error {
			return transact(ctx, db, updates(visits, "ADD n :one", "", item{":one": 1}),
				puts(key("CHECKPOINT", "-").with(item{"at": number}), "", nil))
		}),
		options: []explore.Option{explore.Faults(1, explore.DiesBefore, explore.DiesAfter)},
	},
}

// record is a record of the stream, as Lambda passes it.
type record struct {
	EventID  string `json:"eventID"`
	Dynamodb struct {
		Keys map[string]struct{ S string }
	}
}

func (r record) pk() string { return r.Dynamodb.Keys["pk"].S }

// mark is the item that says that the record was handled.
func (r record) mark() item { return key("MARK", r.EventID) }

// consumer has a handler of single records get those of items with certain partition keys.
func consumer(x *explore.X, handle func(context.Context, client, record) error, pks ...string) {
	m := trigger.NewMapping(table)
	pattern, _ := json.Marshal(pks)
	m.Filters = []string{fmt.Sprintf(`{"dynamodb":{"Keys":{"pk":{"S":%s}}}}`, pattern)}
	x.Consume("consumer", m, func(ctx context.Context, db client, event []byte) ([]byte, error) {
		var e struct{ Records []record }
		if err := json.Unmarshal(event, &e); err != nil {
			return nil, err
		}
		for _, r := range e.Records {
			if err := handle(ctx, db, r); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
}

// orders has a worker put an order, which a consumer handles.
func orders(handle func(context.Context, client, record) error,
	check func(*explore.X)) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("shop", func(ctx context.Context, db client) error {
			return put(ctx, db, key("ORDERS", "1"))
		})
		consumer(x, handle, "ORDERS")
		check(x)
	}
}

func countEach(ctx context.Context, db client, _ record) error {
	_, err := update(ctx, db, visits, "ADD n :one", item{":one": 1})
	return err
}

// countOnce counts a record, and marks it in the same transaction.
func countOnce(ctx context.Context, db client, r record) error {
	err := transact(ctx, db, updates(visits, "ADD n :one", "", item{":one": 1}),
		puts(r.mark(), absent, nil))
	if refused(err) {
		return nil // it is done
	}
	return err
}

// sales has a worker put a buyer and then a sale to it, which have different shards.
func sales(handle func(context.Context, client, record) error) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("shop", func(ctx context.Context, db client) error {
			if err := put(ctx, db, key("BUYER", "ann")); err != nil {
				return err
			}
			return put(ctx, db, key("PURCHASE", "1").with(item{"to": "ann"}))
		})
		consumer(x, handle, "BUYER", "PURCHASE")
		counts(key("VIEW", "ann"), "sales", 1)(x)
	}
}

// reads has a worker read the stream from its checkpoint on, and count the tickets in it: there is
// one. The worker may die.
func reads(handle func(ctx context.Context, db client, number string) error) func(*explore.X) {
	return func(x *explore.X) {
		stream := x.Streams()
		work := func(ctx context.Context, db client) error {
			checkpoint, err := get(ctx, db, key("CHECKPOINT", "-"))
			if err != nil {
				return err
			}
			records, err := tickets(ctx, stream)
			for _, r := range records {
				number := aws.ToString(r.Dynamodb.SequenceNumber)
				if at, _ := checkpoint["at"].(string); err == nil && number > at {
					err = handle(ctx, db, number)
				}
			}
			return err
		}
		x.Go("reader", work)
		x.Restart("reader", work)
		counts(visits, "n", 1)(x)
	}
}

// tickets reads the records of tickets in all shards, from the beginning.
func tickets(ctx context.Context, c *dynamodbstreams.Client) (found []streams.Record, err error) {
	all, err := c.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: aws.String(table)})
	if err != nil {
		return nil, err
	}
	arn := all.Streams[0].StreamArn
	out, err := c.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		return nil, err
	}
	for _, shard := range out.StreamDescription.Shards {
		at, err := c.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
			ShardId: shard.ShardId, ShardIteratorType: streams.ShardIteratorTypeTrimHorizon})
		if err != nil {
			return nil, err
		}
		got, err := c.GetRecords(ctx,
			&dynamodbstreams.GetRecordsInput{ShardIterator: at.ShardIterator})
		if err != nil {
			return nil, err
		}
		for _, r := range got.Records {
			if r.Dynamodb.Keys["pk"].(*streams.AttributeValueMemberS).Value == "TICKET" {
				found = append(found, r)
			}
		}
	}
	return found, nil
}
