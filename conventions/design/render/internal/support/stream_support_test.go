package support

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// streamCase has writes of a sample. undo makes room for them.
type streamCase struct {
	undo  []makesWrite
	steps []streamStep
}

// streamStep is a write, and what is true once its record is consumed.
type streamStep struct {
	name     string
	write    makesWrite
	counters []tally // after says that one counts again when the record comes again
	copies   []streamCopy
	feeds    map[string]bool // whether an item is there, by its key
}

// streamCopy says that an item of a model has a copy of another item, and returns both.
type streamCopy struct {
	key, model, of string
	copied         func(i, of item) (own, their any)
}

// TestStream: what the consumer of the stream does for the record of a write is true once it is
// done, and after the record came again. It goes on where it has failed.
func TestStream(t *testing.T) {
	for n, name := range streamNames {
		t.Run(name, func(t *testing.T) {
			server := newTable(t)
			client := server.Client()
			c := streamCases(t, itemsOf(t, client))[n]
			if c.undo != nil {
				writeTrial{t, client}.must("there is no room for it", "undo", c.undo, 0)
				clearFeeds(t, client, c.steps[0].feeds)
			}
			for i := range c.steps {
				c.steps[i].run(writeTrial{t, client}, server.StreamsClient())
			}
		})
	}
}

// run sends the write, and consumes its record and those of what the consumer writes.
func (s *streamStep) run(t writeTrial, client *dynamodbstreams.Client) {
	stream := newStreamReader(t.T, client)
	before := itemsOf(t.T, t.client)
	t.must(s.name+": it is refused", s.name, []makesWrite{s.write}, 0)
	batch := stream.next(t.T)
	if len(batch) == 0 {
		t.Fatalf("%s: the stream has no record", s.name)
	}
	consume(t.T, t.client, batch, true)
	s.check(t.T, "once", before, itemsOf(t.T, t.client), 1)
	consume(t.T, t.client, batch, false)
	s.check(t.T, "a batch that comes again", before, itemsOf(t.T, t.client), 2)
	want := itemsOf(t.T, t.client)
	consume(t.T, t.client, stream.next(t.T), false)
	t.same(s.name+": the consumer's own records", want)
}

// check compares the table with what is true after so many tries.
func (s *streamStep) check(t *testing.T, what string, before, after map[string]item, tries int64) {
	t.Helper()
	for _, n := range s.counters {
		n.check(t, s.name+", "+what, before, after, tries)
	}
	for _, c := range s.copies {
		i := after[c.key]
		if i == nil {
			continue // it was deleted
		}
		if own, their := c.copied(i, after[c.of]); !reflect.DeepEqual(own, their) {
			t.Fatalf("%s, %s: the copy in %s is %v, want %v", s.name, what, c.key, own, their)
		}
		if again, err := rebuild[c.model](i); err != nil || !reflect.DeepEqual(again, i) {
			t.Fatalf("%s, %s: not all keys of %s have the copy: %v, want %v, %v", s.name, what,
				c.key, i, again, err)
		}
	}
	for key, there := range s.feeds {
		if after[key] != nil != there {
			t.Fatalf("%s, %s: whether a feed has the item %s: want %t", s.name, what, key, there)
		}
	}
}

// clearFeeds deletes items of feeds that are among the samples.
func clearFeeds(t *testing.T, client *dynamodb.Client, feeds map[string]bool) {
	t.Helper()
	for key, i := range itemsOf(t, client) {
		if _, ok := feeds[key]; !ok {
			continue
		}
		if _, err := client.DeleteItem(t.Context(),
			&dynamodb.DeleteItemInput{TableName: &TableName, Key: Key(i)}); err != nil {
			t.Fatal(err)
		}
	}
}

// consume gives a batch to a consumer until it has done all of it. If it fails, it fails at its
// first write.
func consume(t *testing.T, client *dynamodb.Client, batch []StreamRecord, fails bool) {
	t.Helper()
	slow := &slowClient{Client: client, fails: fails}
	consumer := &StreamConsumer{Client: slow}
	for try := 0; len(batch) > 0; try++ {
		out, err := consumer.Handle(t.Context(), StreamEvent{batch})
		if err != nil || try > 1 {
			t.Fatalf("the consumer fails: %v, %v", out, err)
		}
		if len(out.BatchItemFailures) == 0 {
			break
		}
		at := slices.IndexFunc(batch, func(r StreamRecord) bool {
			return r.SequenceNumber == out.BatchItemFailures[0].ItemIdentifier
		})
		if at < 0 || slow.fails {
			t.Fatalf("the consumer is to go on at %v", out.BatchItemFailures)
		}
		batch = batch[at:]
	}
}

// slowClient fails at its first write, if it is to, has the first transaction conflict with another
// one, leaves an item of the first batch unprocessed, and reads one item by one.
type slowClient struct {
	*dynamodb.Client
	fails, conflicted, left bool
}

// failed fails once.
func (c *slowClient) failed() error {
	if !c.fails {
		return nil
	}
	c.fails = false
	return errors.New("a first write fails")
}

func (c *slowClient) Query(ctx context.Context, in *dynamodb.QueryInput,
	options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	page := *in
	page.Limit = aws.Int32(1)
	return c.Client.Query(ctx, &page, options...)
}

func (c *slowClient) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput,
	options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if err := c.failed(); err != nil {
		return nil, err
	}
	return c.Client.UpdateItem(ctx, in, options...)
}

func (c *slowClient) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput,
	options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if err := c.failed(); err != nil {
		return nil, err
	}
	if !c.conflicted {
		c.conflicted = true
		reasons := slices.Repeat([]types.CancellationReason{
			{Code: aws.String("TransactionConflict")},
		}, len(in.TransactItems))
		return nil, &types.TransactionCanceledException{CancellationReasons: reasons}
	}
	return c.Client.TransactWriteItems(ctx, in, options...)
}

func (c *slowClient) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput,
	options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	if err := c.failed(); err != nil {
		return nil, err
	}
	all := in.RequestItems[TableName]
	if c.left {
		return c.Client.BatchWriteItem(ctx, in, options...)
	}
	c.left = true
	left := map[string][]types.WriteRequest{TableName: all[:1]}
	if len(all) == 1 {
		return &dynamodb.BatchWriteItemOutput{UnprocessedItems: left}, nil
	}
	out, err := c.Client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{TableName: all[1:]}}, options...)
	if err == nil {
		out.UnprocessedItems = left
	}
	return out, err
}

// streamReader reads the stream of the table from now on.
type streamReader struct {
	client    *dynamodbstreams.Client
	iterators []*string // an iterator of each shard
}

func newStreamReader(t *testing.T, client *dynamodbstreams.Client) *streamReader {
	t.Helper()
	all, err := client.ListStreams(t.Context(),
		&dynamodbstreams.ListStreamsInput{TableName: &TableName})
	if err != nil || len(all.Streams) != 1 {
		t.Fatalf("the table has the streams %v, %v", all, err)
	}
	arn := all.Streams[0].StreamArn
	described, err := client.DescribeStream(t.Context(),
		&dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	r := &streamReader{client: client}
	for _, shard := range described.StreamDescription.Shards {
		out, err := client.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: shard.ShardId,
			ShardIteratorType: streams.ShardIteratorTypeLatest})
		if err != nil {
			t.Fatal(err)
		}
		r.iterators = append(r.iterators, out.ShardIterator)
	}
	return r
}

// next returns the records that have come since, as a Lambda function gets them.
func (r *streamReader) next(t *testing.T) []StreamRecord {
	t.Helper()
	records := []any{}
	for i := range r.iterators {
		for r.iterators[i] != nil {
			out, err := r.client.GetRecords(t.Context(),
				&dynamodbstreams.GetRecordsInput{ShardIterator: r.iterators[i]})
			if err != nil {
				t.Fatal(err)
			}
			r.iterators[i] = out.NextShardIterator
			if len(out.Records) == 0 {
				break
			}
			for _, record := range out.Records {
				records = append(records, recordJSON(record))
			}
		}
	}
	text, err := json.Marshal(map[string]any{"Records": records})
	if err != nil {
		t.Fatal(err)
	}
	var event StreamEvent
	if err := json.Unmarshal(text, &event); err != nil {
		t.Fatal(err)
	}
	return event.Records
}

// recordJSON writes a record as Lambda does.
func recordJSON(record streams.Record) any {
	of := record.Dynamodb
	return map[string]any{"eventID": record.EventID, "eventName": record.EventName,
		"dynamodb": map[string]any{"SequenceNumber": of.SequenceNumber,
			"NewImage": imageJSON(of.NewImage), "OldImage": imageJSON(of.OldImage)}}
}

// imageJSON writes an image as Lambda does.
func imageJSON(image map[string]streams.AttributeValue) any {
	if image == nil {
		return nil
	}
	out := map[string]any{}
	for name, v := range image {
		out[name] = valueJSON(v)
	}
	return out
}

func valueJSON(v streams.AttributeValue) any {
	switch v := v.(type) {
	case *streams.AttributeValueMemberS:
		return map[string]any{"S": v.Value}
	case *streams.AttributeValueMemberN:
		return map[string]any{"N": v.Value}
	case *streams.AttributeValueMemberB:
		return map[string]any{"B": v.Value}
	case *streams.AttributeValueMemberBOOL:
		return map[string]any{"BOOL": v.Value}
	case *streams.AttributeValueMemberM:
		return map[string]any{"M": imageJSON(v.Value)}
	case *streams.AttributeValueMemberL:
		list := make([]any, len(v.Value))
		for i := range v.Value {
			list[i] = valueJSON(v.Value[i])
		}
		return map[string]any{"L": list}
	}
	return nil
}
