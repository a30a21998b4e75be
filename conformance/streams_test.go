package conformance

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// streamTest has a server with a clock of its own, and clients of both services.
type streamTest struct {
	*testing.T
	emulator *emulator.Emulator
	seconds  atomic.Int64 // seconds on the clock
	data     *dynamodb.Client
	streams  *dynamodbstreams.Client
}

func newStreamTest(t *testing.T, options ...emulator.Option) *streamTest {
	x := &streamTest{T: t}
	x.seconds.Store(1_767_225_600)
	clock := func() time.Time { return time.Unix(x.seconds.Load(), 0).UTC() }
	x.emulator = emulator.New(append(options, emulator.WithClock(clock))...)
	server, err := x.emulator.Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	creds := credentials.NewStaticCredentialsProvider("STREAMS", "secret", "")
	x.data = dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(server.URL), Region: "eu-west-3", RetryMaxAttempts: 1,
		Credentials: creds,
	})
	x.streams = dynamodbstreams.New(dynamodbstreams.Options{
		BaseEndpoint: aws.String(server.URL), Region: "eu-west-3", RetryMaxAttempts: 1,
		Credentials: creds,
	})
	return x
}

func (x *streamTest) advance(d time.Duration) { x.seconds.Add(int64(d / time.Second)) }

// do sends a request to DynamoDB that must succeed.
func (x *streamTest) do(op, body string) map[string]any {
	x.Helper()
	answer, err := invoke(context.Background(), x.data, op, body)
	require.NoError(x, err, "%s %s", op, body)
	return answer
}

// table makes a table with a stream and returns its ARN.
func (x *streamTest) table(name, view string) (arn string) {
	x.Helper()
	created := x.do("CreateTable",
		`{"TableName":"`+name+`",`+keys("pk:S")+
			`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"`+view+`"}}`)
	return at(x, created, "TableDescription", "LatestStreamArn").(string)
}

func (x *streamTest) put(table, pk, value string) {
	x.Helper()
	x.do("PutItem", `{"TableName":"`+table+`","Item":{"pk":{"S":"`+pk+`"},"v":{"S":"`+value+`"}}}`)
}

func (x *streamTest) describe(arn string) *streamtypes.StreamDescription {
	x.Helper()
	out, err := x.streams.DescribeStream(context.Background(),
		&dynamodbstreams.DescribeStreamInput{StreamArn: &arn})
	require.NoError(x, err)
	return out.StreamDescription
}

func (x *streamTest) iterator(arn string, shard, kind string, sequence *string) (*string, error) {
	out, err := x.streams.GetShardIterator(
		context.Background(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: &arn, ShardId: &shard,
			ShardIteratorType: streamtypes.ShardIteratorType(kind),
			SequenceNumber:    sequence})
	if err != nil {
		return nil, err
	}
	return out.ShardIterator, nil
}

func (x *streamTest) records(iterator *string, limit int32) (*dynamodbstreams.GetRecordsOutput,
	error) {
	in := &dynamodbstreams.GetRecordsInput{ShardIterator: iterator}
	if limit > 0 {
		in.Limit = &limit
	}
	return x.streams.GetRecords(context.Background(), in)
}

// from reads the records that follow in the first shard of a stream.
func (x *streamTest) from(arn, kind string, sequence *string) *dynamodbstreams.GetRecordsOutput {
	x.Helper()
	it, err := x.iterator(arn, *x.describe(arn).Shards[0].ShardId, kind, sequence)
	require.NoError(x, err)
	out, err := x.records(it, 0)
	require.NoError(x, err)
	return out
}

// TestStreamViews: API Reference, StreamRecord and StreamSpecification, StreamViewType; the sizes
// are those of the Developer Guide's example of an INSERT, a MODIFY and a REMOVE.
func TestStreamViews(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t)
	for _, c := range []struct {
		view     string
		new, old bool
		sizes    []int64
	}{
		{"KEYS_ONLY", false, false, []int64{3, 3, 3}},
		{"NEW_IMAGE", true, false, []int64{8, 9, 3}},
		{"OLD_IMAGE", false, true, []int64{3, 8, 9}},
		{"NEW_AND_OLD_IMAGES", true, true, []int64{8, 14, 9}},
	} {
		t.Run(c.view, func(t *testing.T) {
			arn := x.table(c.view, c.view)
			x.put(c.view, "a", "1")
			x.put(c.view, "a", "1") // changes nothing
			x.put(c.view, "a", "22")
			x.do("DeleteItem", `{"TableName":"`+c.view+`","Key":{"pk":{"S":"a"}}}`)
			x.do("DeleteItem", `{"TableName":"`+c.view+`","Key":{"pk":{"S":"a"}}}`)
			out := x.from(arn, "TRIM_HORIZON", nil)
			require.Len(t, out.Records, 3)
			ids := map[string]bool{}
			for i, name := range []streamtypes.OperationType{"INSERT", "MODIFY", "REMOVE"} {
				r := out.Records[i]
				ids[*r.EventID] = true
				assert.Equal(t, name, r.EventName)
				assert.Equal(t, "1.1 aws:dynamodb eu-west-3",
					*r.EventVersion+" "+*r.EventSource+" "+*r.AwsRegion)
				assert.Nil(t, r.UserIdentity)
				assert.Equal(t,
					map[string]streamtypes.AttributeValue{
						"pk": &streamtypes.AttributeValueMemberS{Value: "a"},
					}, r.Dynamodb.Keys)
				assert.Equal(t, c.new && name != "REMOVE", r.Dynamodb.NewImage != nil, name)
				assert.Equal(t, c.old && name != "INSERT", r.Dynamodb.OldImage != nil, name)
				assert.Equal(t, c.sizes[i], *r.Dynamodb.SizeBytes, name)
				assert.Equal(t, time.Unix(1_767_225_600, 0).UTC(),
					*r.Dynamodb.ApproximateCreationDateTime)
				assert.EqualValues(t, c.view, r.Dynamodb.StreamViewType)
			}
			assert.Len(t, ids, 3, "each record has an id of its own")
		})
	}
}

// TestStreamIterators: API Reference, GetShardIterator and GetRecords.
func TestStreamIterators(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t)
	arn := x.table("table", "NEW_IMAGE")
	x.put("table", "a", "1")
	x.put("table", "b", "2")
	shard := *x.describe(arn).Shards[0].ShardId
	all := x.from(arn, "TRIM_HORIZON", nil).Records
	require.Len(t, all, 2)
	second := all[1].Dynamodb.SequenceNumber
	assert.Less(t, *all[0].Dynamodb.SequenceNumber, *second)
	assert.Equal(t, all[1:], x.from(arn, "AT_SEQUENCE_NUMBER", second).Records)
	assert.Empty(t, x.from(arn, "AFTER_SEQUENCE_NUMBER", second).Records)
	latest, err := x.iterator(arn, shard, "LATEST", nil)
	require.NoError(t, err)
	x.put("table", "c", "3")
	out, err := x.records(latest, 0)
	require.NoError(t, err)
	require.Len(t, out.Records, 1)

	first, err := x.iterator(arn, shard, "TRIM_HORIZON", nil)
	require.NoError(t, err)
	for range 3 {
		out, err := x.records(first, 1)
		require.NoError(t, err)
		require.Len(t, out.Records, 1)
		first = out.NextShardIterator
	}
	out, err = x.records(first, 1)
	require.NoError(t, err)
	assert.Empty(t, out.Records)
	assert.NotNil(t, out.NextShardIterator, "an open shard goes on")
	x.advance(15 * time.Minute)
	_, err = x.records(first, 0)
	assertError(t, "ExpiredIteratorException: *", err, "15 minutes later")

	for _, c := range []struct{ name, stream, shard, kind, sequence, err string }{
		{"no such stream", arn[:len(arn)-1] + "9", shard, "LATEST", "",
			"ResourceNotFoundException: Requested resource not found: Stream: " +
				arn[:len(arn)-1] + "9 not found"},
		{"no such shard", arn, strings.Repeat("s", 30), "LATEST", "",
			"ResourceNotFoundException: Requested resource not found: Shard does not exist"},
		{"no ARN", strings.Repeat("x", 40), shard, "LATEST", "",
			"ValidationException: Invalid StreamArn*"},
		{"no such type", arn, shard, "NEWEST", "",
			"ValidationException: 1 validation error detected: Value 'NEWEST' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_TIMESTAMP, AT_SEQUENCE_NUMBER, TRIM_HORIZON]"},
		{"no number", arn, shard, "AT_SEQUENCE_NUMBER", "", "ValidationException: *"},
		{"a number too many", arn, shard, "LATEST", *second, "ValidationException: *"},
		{"a number of no shard", arn, shard, "AT_SEQUENCE_NUMBER", "100000000000999999999",
			"ValidationException: Invalid SequenceNumber"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sequence *string
			if c.sequence != "" {
				sequence = &c.sequence
			}
			_, err := x.iterator(c.stream, c.shard, c.kind, sequence)
			assertError(t, c.err, err, c.name)
		})
	}
	_, err = x.streams.DescribeStream(context.Background(),
		&dynamodbstreams.DescribeStreamInput{
			StreamArn: &arn, ShardFilter: &streamtypes.ShardFilter{Type: "CHILD_SHARDS"},
		})
	assertError(t, "ValidationException: *", err, "children of no shard")
	_, err = x.records(aws.String(*latest+"A"), 0)
	assertError(t, "ValidationException: Invalid ShardIterator", err, "a spoiled iterator")
	_, err = x.records(latest, 1001)
	assertError(t, "ValidationException: 1 validation error detected: Value '1001' at 'limit' "+
		"failed to satisfy constraint: Member must have value less than or equal to 1000", err,
		"a page too large")
}

// TestStreamIteratorsAtTimestamp: API model, GetShardIteratorInput, Timestamp. Records have their
// time in whole seconds.
func TestStreamIteratorsAtTimestamp(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t, emulator.WithStreamShards(1, 48*time.Hour))
	begin := x.seconds.Load()
	arn := x.table("table", "KEYS_ONLY")
	for _, pk := range []string{"a", "b", "c"} {
		x.put("table", pk, "")
		x.advance(10 * time.Hour)
	}
	shard := *x.describe(arn).Shards[0].ShardId
	at := func(kind string, after time.Duration) (keys []string, err error) {
		in := &dynamodbstreams.GetShardIteratorInput{
			StreamArn: &arn, ShardId: &shard,
			ShardIteratorType: streamtypes.ShardIteratorType(kind),
		}
		if after >= 0 {
			in.Timestamp = aws.Time(time.Unix(begin, 0).Add(after))
		}
		it, err := x.streams.GetShardIterator(context.Background(), in)
		if err != nil {
			return nil, err
		}
		out, err := x.records(it.ShardIterator, 0)
		require.NoError(t, err)
		for _, r := range out.Records {
			keys = append(keys, r.Dynamodb.Keys["pk"].(*streamtypes.AttributeValueMemberS).Value)
		}
		return keys, nil
	}
	for _, c := range []struct {
		name  string
		after time.Duration
		want  []string
	}{
		{"a trimmed record", 0, []string{"b", "c"}},
		{"between the records", 9 * time.Hour, []string{"b", "c"}},
		{"at a record", 10 * time.Hour, []string{"b", "c"}},
		{"a millisecond after it", 10*time.Hour + time.Millisecond, []string{"c"}},
		{"at the last record", 20 * time.Hour, []string{"c"}},
		{"after the last record", 21 * time.Hour, nil},
		{"now", 30 * time.Hour, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			keys, err := at("AT_TIMESTAMP", c.after)
			require.NoError(t, err)
			assert.Equal(t, c.want, keys)
		})
	}
	for _, c := range []struct {
		name, kind string
		after      time.Duration
		err        string
	}{
		{"a timestamp in the future", "AT_TIMESTAMP", 30*time.Hour + time.Millisecond,
			"ValidationException: *"},
		{"no timestamp", "AT_TIMESTAMP", -1, "ValidationException: *"},
		{"a timestamp too many", "LATEST", 0, "ValidationException: *"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := at(c.kind, c.after)
			assertError(t, c.err, err, c.name)
		})
	}
	_, err := x.iterator(arn, shard, "AT_TIMESTAMP", aws.String("100000000000999999999"))
	assertError(t, "ValidationException: *", err, "a sequence number too many")
}

// TestStreamRecordsPage: API Reference, GetRecords: a page has at most 1 MB.
func TestStreamRecordsPage(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t)
	arn := x.table("table", "NEW_IMAGE")
	for i := range 4 {
		x.put("table", fmt.Sprint(i), strings.Repeat("x", 399_000))
	}
	out := x.from(arn, "TRIM_HORIZON", nil)
	require.Len(t, out.Records, 2)
	rest, err := x.records(out.NextShardIterator, 0)
	require.NoError(t, err)
	require.Len(t, rest.Records, 2)
}

// TestStreamShards: API Reference, DescribeStream; Developer Guide, "Data retention limit for
// DynamoDB Streams".
func TestStreamShards(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t, emulator.WithStreamShards(2, 4*time.Hour))
	arn := x.table("table", "NEW_IMAGE")
	for i := range 20 {
		x.put("table", fmt.Sprint(i), "old")
	}
	first := x.describe(arn)
	require.Len(t, first.Shards, 2)
	before := first.Shards[0]
	assert.Nil(t, before.SequenceNumberRange.EndingSequenceNumber)
	x.advance(4 * time.Hour)
	x.put("table", "0", "new")
	d := x.describe(arn)
	require.Len(t, d.Shards, 4)
	assert.NotNil(t, d.Shards[0].SequenceNumberRange.EndingSequenceNumber)
	parents := []string{*d.Shards[2].ParentShardId, *d.Shards[3].ParentShardId}
	assert.ElementsMatch(t, []string{*d.Shards[0].ShardId, *d.Shards[1].ShardId}, parents)
	assert.Nil(t, x.from(arn, "TRIM_HORIZON", nil).NextShardIterator, "an ended shard has an end")
	ctx := context.Background()

	page, err := x.streams.DescribeStream(ctx,
		&dynamodbstreams.DescribeStreamInput{StreamArn: &arn, Limit: aws.Int32(3)})
	require.NoError(t, err)
	assert.Equal(t, d.Shards[2].ShardId, page.StreamDescription.LastEvaluatedShardId)
	page, err = x.streams.DescribeStream(ctx,
		&dynamodbstreams.DescribeStreamInput{
			StreamArn: &arn, ExclusiveStartShardId: d.Shards[2].ShardId,
		})
	require.NoError(t, err)
	assert.Equal(t, d.Shards[3:], page.StreamDescription.Shards)
	nowhere := "shardId-00000000000000000000-00000000"
	page, err = x.streams.DescribeStream(ctx,
		&dynamodbstreams.DescribeStreamInput{StreamArn: &arn, ExclusiveStartShardId: &nowhere})
	require.NoError(t, err, "service facts 10.2")
	assert.Empty(t, page.StreamDescription.Shards)
	page, err = x.streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: &arn,
		ShardFilter: &streamtypes.ShardFilter{Type: streamtypes.ShardFilterTypeChildShards,
			ShardId: d.Shards[2].ParentShardId}})
	require.NoError(t, err)
	assert.Equal(t, d.Shards[2:3], page.StreamDescription.Shards)

	old, err := x.iterator(arn, *before.ShardId, "TRIM_HORIZON", nil)
	require.NoError(t, err)
	got, err := x.records(old, 1)
	require.NoError(t, err)
	x.advance(20*time.Hour - 5*time.Minute)
	old, err = x.iterator(arn, *before.ShardId, "AT_SEQUENCE_NUMBER",
		got.Records[0].Dynamodb.SequenceNumber)
	require.NoError(t, err)
	x.advance(5 * time.Minute)
	_, err = x.records(old, 0)
	assertError(t, "TrimmedDataAccessException: The data you are trying to access has been trimmed",
		err, "24 hours after the write")
	_, err = x.iterator(arn, *before.ShardId, "AT_SEQUENCE_NUMBER",
		got.Records[0].Dynamodb.SequenceNumber)
	assertError(t, "TrimmedDataAccessException: *", err, "the sequence number too")
	x.advance(4 * time.Hour)
	for _, sh := range x.describe(arn).Shards {
		assert.NotEqual(t, *before.ShardId, *sh.ShardId, "a shard without changes is gone")
	}
}

// TestStreamMemory: with a limit, the oldest changes are trimmed early, with the effects that the
// service documents for trimming.
func TestStreamMemory(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t, emulator.WithLimits(emulator.Limits{StreamMemory: 64 << 10}))
	arn := x.table("memory", "NEW_IMAGE")
	x.put("memory", "first", "")
	shard := *x.describe(arn).Shards[0].ShardId
	early, err := x.iterator(arn, shard, "TRIM_HORIZON", nil)
	require.NoError(t, err)
	first := x.from(arn, "TRIM_HORIZON", nil).Records[0].Dynamodb.SequenceNumber
	for i := range 100 {
		x.put("memory", fmt.Sprint(i), strings.Repeat("x", 1000))
	}
	_, err = x.records(early, 0)
	assertError(t, "TrimmedDataAccessException: The data you are trying to access has been trimmed",
		err, "the iterator")
	for _, kind := range []string{"AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"} {
		_, err = x.iterator(arn, shard, kind, first)
		assertError(t, "TrimmedDataAccessException: *", err, kind)
	}
	rest := x.from(arn, "TRIM_HORIZON", nil).Records
	assert.Greater(t, len(rest), 40)
	assert.Less(t, len(rest), 70)
	assert.Equal(t, &streamtypes.AttributeValueMemberS{Value: "99"},
		rest[len(rest)-1].Dynamodb.Keys["pk"])
}

// TestStreamLife: Developer Guide, "Enabling a stream": a stream that was disabled, or whose table
// was deleted, stays for 24 hours.
func TestStreamLife(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t)
	one := x.table("table", "NEW_IMAGE")
	x.put("table", "a", "1")
	x.do("UpdateTable", `{"TableName":"table","StreamSpecification":{"StreamEnabled":false}}`)
	x.put("table", "a", "unseen")
	assert.Equal(t, streamtypes.StreamStatusDisabled, x.describe(one).StreamStatus)
	enabled := x.do("UpdateTable",
		`{"TableName":"table","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	two := at(t, enabled, "TableDescription", "LatestStreamArn").(string)
	assert.NotEqual(t, one, two)
	x.put("table", "a", "2")
	x.do("DeleteTable", `{"TableName":"table"}`)
	for arn, view := range map[string]streamtypes.StreamViewType{
		one: "NEW_IMAGE", two: "KEYS_ONLY",
	} {
		out := x.from(arn, "TRIM_HORIZON", nil)
		assert.Len(t, out.Records, 1, view)
		assert.Nil(t, out.NextShardIterator, view)
		assert.Equal(t, view, x.describe(arn).StreamViewType)
	}
	x.table("another", "NEW_IMAGE")
	list := func(in *dynamodbstreams.ListStreamsInput) *dynamodbstreams.ListStreamsOutput {
		out, err := x.streams.ListStreams(context.Background(), in)
		require.NoError(t, err)
		return out
	}
	require.Len(t, list(&dynamodbstreams.ListStreamsInput{}).Streams, 3)
	require.Len(t, list(&dynamodbstreams.ListStreamsInput{TableName: aws.String("table")}).Streams,
		2)
	page := list(&dynamodbstreams.ListStreamsInput{Limit: aws.Int32(2)})
	require.Equal(t, one, *page.LastEvaluatedStreamArn)
	page = list(&dynamodbstreams.ListStreamsInput{
		ExclusiveStartStreamArn: page.LastEvaluatedStreamArn,
	})
	require.Len(t, page.Streams, 1)
	assert.Equal(t, two, *page.Streams[0].StreamArn)
	x.advance(24 * time.Hour)
	require.Len(t, list(&dynamodbstreams.ListStreamsInput{}).Streams, 1)
}

// consumer reads a stream as libraries do: it describes the stream, and reads each shard to its end
// before its children.
type consumer struct {
	*streamTest
	arn      string
	finished map[string]bool
	place    map[string]*string  // the last sequence number seen, by shard
	seen     map[string][]string // the values in the order of their arrival, by partition key
}

// round reads one page of each readable shard, from its checkpoint. It reports whether there were
// new records.
func (c *consumer) round() (progress bool) {
	for _, sh := range c.describe(c.arn).Shards {
		if c.finished[*sh.ShardId] || sh.ParentShardId != nil && !c.finished[*sh.ParentShardId] {
			continue
		}
		kind := "TRIM_HORIZON"
		if c.place[*sh.ShardId] != nil {
			kind = "AFTER_SEQUENCE_NUMBER"
		}
		it, err := c.iterator(c.arn, *sh.ShardId, kind, c.place[*sh.ShardId])
		require.NoError(c, err)
		out, err := c.records(it, 100)
		require.NoError(c, err)
		for _, r := range out.Records {
			pk := r.Dynamodb.Keys["pk"].(*streamtypes.AttributeValueMemberS).Value
			c.seen[pk] = append(c.seen[pk],
				r.Dynamodb.NewImage["v"].(*streamtypes.AttributeValueMemberS).Value)
			c.place[*sh.ShardId] = r.Dynamodb.SequenceNumber
		}
		c.finished[*sh.ShardId] = out.NextShardIterator == nil
		progress = progress || len(out.Records) > 0 || out.NextShardIterator == nil
	}
	return progress
}

// TestStreamConsumer: with several writers and shards that roll over, no record is lost or
// repeated, and those of an item stay in order.
func TestStreamConsumer(t *testing.T) {
	t.Parallel()
	const writers, writes = 8, 400
	x := newStreamTest(t, emulator.WithStreamShards(3, time.Minute))
	c := &consumer{
		streamTest: x, arn: x.table("table", "NEW_IMAGE"), finished: map[string]bool{},
		place: map[string]*string{}, seen: map[string][]string{},
	}
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range writes {
				in := fmt.Sprintf(`{"TableName":"table","Item":{"pk":{"S":"%d"},"v":{"S":"%d"}}}`,
					w, i)
				_, err := invoke(context.Background(), x.data, "PutItem", in)
				assert.NoError(t, err)
				if i%20 == 0 {
					x.advance(10 * time.Second)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	for written := false; !written; {
		select {
		case <-done:
			written = true
		default:
		}
		c.round()
	}
	for c.round() { // the last round finds no new records
	}
	var want []string
	for i := range writes {
		want = append(want, fmt.Sprint(i))
	}
	require.Len(t, c.seen, writers)
	for pk, got := range c.seen {
		assert.Equal(t, want, got, "the item %s", pk)
	}
	assert.Greater(t, len(c.finished), 6, "the shards have rolled over")
}
