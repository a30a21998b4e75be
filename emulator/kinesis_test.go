package emulator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/kinesis"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	songsStream  = "arn:aws:kinesis:us-east-1:000000000000:stream/songs"
	toSongs      = `{"TableName":"plain","StreamArn":"` + songsStream + `"}`
	toSongsMicro = `{"TableName":"plain","StreamArn":"` + songsStream +
		`","UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}}`
)

// memorySink takes the records of the stream songs.
type memorySink struct {
	mu     sync.Mutex
	refuse func(records []KinesisRecord) (rejected []KinesisRecord, err error) // nil: takes all

	taken chan KinesisRecord
}

func newMemorySink() *memorySink { return &memorySink{taken: make(chan KinesisRecord, 10_000)} }

func (s *memorySink) CheckStream(_ context.Context, stream string) error {
	if stream != songsStream {
		return ErrNoKinesisStream
	}
	return nil
}

func (s *memorySink) PutRecords(_ context.Context, stream string,
	records []KinesisRecord) (rejected []KinesisRecord, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		if rejected, err = s.refuse(records); err != nil {
			return nil, err
		}
	}
	for _, r := range records[:len(records)-len(rejected)] { // the last ones are rejected
		s.taken <- r
	}
	return rejected, nil
}

// set changes what the sink refuses.
func (s *memorySink) set(refuse func([]KinesisRecord) ([]KinesisRecord, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = refuse
}

func refuseAll([]KinesisRecord) ([]KinesisRecord, error) { return nil, errors.New("down") }

// await returns the next n records.
func (s *memorySink) await(t testing.TB, n int) (records []KinesisRecord) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for len(records) < n {
		select {
		case r := <-s.taken:
			records = append(records, r)
		case <-ctx.Done():
			require.FailNow(t, "no record", "%d of %d", len(records), n)
		}
	}
	return records
}

// awaitSleeper waits until a sender waits for its next attempt.
func awaitSleeper(t testing.TB, clock *Clock) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	require.NoError(t, clock.AwaitSleepers(ctx, 1))
}

// changesIn returns "eventName key" of each record.
func changesIn(t testing.TB, records []KinesisRecord) (list []string) {
	for _, r := range records {
		var change struct {
			EventName string
			DynamoDB  struct{ Keys map[string]map[string]string }
		}
		require.NoError(t, json.Unmarshal(r.Data, &change))
		list = append(list, change.EventName+" "+change.DynamoDB.Keys["pk"]["S"])
	}
	return list
}

// newKinesisTest has the table plain, whose changes go to the stream songs.
func newKinesisTest(t *testing.T, opts ...Option) (*requestTest, *memorySink) {
	sink := newMemorySink()
	opts = append([]Option{WithKinesis(sink), WithLogger(slog.New(slog.DiscardHandler))}, opts...)
	x := &requestTest{T: t, emulator: New(opts...)}
	t.Cleanup(func() { assert.NoError(t, x.emulator.Close()) })
	x.do("CreateTable", itemTables[0])
	x.stream()
	return x, sink
}

func (x *requestTest) stream() {
	x.Helper()
	answer := x.do("EnableKinesisStreamingDestination", toSongs)
	require.True(x, strings.HasPrefix(answer, "{"), answer)
}

func (x *requestTest) putKey(pk string) { x.put("plain", `{"pk":{"S":"`+pk+`"}}`) }

func TestKinesisRecords(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 123_456_000, time.UTC)
	clock := NewClock(at)
	x, sink := newKinesisTest(t, WithHeldClock(clock))
	x.do("UpdateTimeToLive",
		`{"TableName":"plain","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`)
	x.put("plain", `{"pk":{"S":"a"},"v":{"S":"<1>"},"ttl":{"N":"1767225602"}}`)
	x.put("plain", `{"pk":{"S":"a"},"v":{"S":"<1>"},"ttl":{"N":"1767225602"}}`)
	x.want(`{}`, "UpdateItem",
		`{"TableName":"plain","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"2"}}}`)
	x.putKey("b")
	x.want(`{}`, "DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"b"}}}`)
	clock.Advance(3 * time.Second)

	const a1, a2 = `{"pk":{"S":"a"},"v":{"S":"<1>"},"ttl":{"N":"1767225602"}}`, `{"pk":{"S":"a"},"v":{"S":"2"},"ttl":{"N":"1767225602"}}`
	const keyA, keyB = `"Keys":{"pk":{"S":"a"}}`, `"Keys":{"pk":{"S":"b"}}`
	record := func(name, identity, change string) string {
		return `{"awsRegion":"us-east-1","eventName":"` + name + `","userIdentity":` + identity +
			`,"recordFormat":"application/json","tableName":"plain",` +
			`"dynamodb":{` + change + `},"eventSource":"aws:dynamodb"}`
	}
	records := sink.await(t, 5)
	ids := map[string]bool{}
	for i, want := range []string{
		record("INSERT", "null",
			`"ApproximateCreationDateTime":1767225600123,`+
				keyA+`,"NewImage":`+a1+`,"SizeBytes":19`),
		record("MODIFY", "null",
			`"ApproximateCreationDateTime":1767225600123,`+
				keyA+`,"NewImage":`+a2+`,"OldImage":`+a1+`,"SizeBytes":33`),
		record("INSERT", "null",
			`"ApproximateCreationDateTime":1767225600123,`+keyB+
				`,"NewImage":{"pk":{"S":"b"}},"SizeBytes":6`),
		record("REMOVE", "null",
			`"ApproximateCreationDateTime":1767225600123,`+keyB+
				`,"OldImage":{"pk":{"S":"b"}},"SizeBytes":6`),
		record("REMOVE", `{"principalId":"dynamodb.amazonaws.com","type":"Service"}`,
			`"ApproximateCreationDateTime":1767225603123,`+
				keyA+`,"OldImage":`+a2+`,"SizeBytes":17`),
	} {
		var got map[string]any
		require.NoError(t, json.Unmarshal(records[i].Data, &got))
		id := got["eventID"].(string)
		assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
			id)
		assert.False(t, ids[id], "each has an id of its own")
		ids[id] = true
		delete(got, "eventID")
		text, err := json.Marshal(got)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(text), i)
		assert.Regexp(t, `^[0-9A-F]{32}$`, records[i].PartitionKey)
	}
	assert.Contains(t, string(records[0].Data), `"<1>"`)
	assert.Equal(t, records[0].PartitionKey, records[4].PartitionKey)
	assert.NotEqual(t, records[0].PartitionKey, records[2].PartitionKey)
}

// TestKinesisTriesAgain: a stream that takes nothing or not everything gets each record in the end.
func TestKinesisTriesAgain(t *testing.T) {
	clock := NewClock(testTime)
	x, sink := newKinesisTest(t, WithHeldClock(clock))
	attempts := 0
	sink.set(func(records []KinesisRecord) ([]KinesisRecord, error) {
		attempts++
		switch attempts {
		case 1:
			return refuseAll(nil)
		case 2:
			return slices.Clone(records[1:]), nil
		}
		return nil, nil
	})
	put := func(pk string) string { return `{"PutRequest":{"Item":{"pk":{"S":"` + pk + `"}}}}` }
	x.do("BatchWriteItem", `{"RequestItems":{"plain":[`+put("a")+`,`+put("b")+`,`+put("c")+`]}}`)
	awaitSleeper(t, clock)
	require.Empty(t, sink.taken)
	x.want(`{"TableName":"plain","KinesisDataStreamDestinations":[{"StreamArn":"`+songsStream+
		`","DestinationStatus":"ACTIVE"}]}`,
		"DescribeKinesisStreamingDestination", `{"TableName":"plain"}`)
	clock.Advance(kinesis.FirstKinesisPause)
	assert.Equal(t, []string{"INSERT a"}, changesIn(t, sink.await(t, 1)))
	awaitSleeper(t, clock)
	clock.Advance(kinesis.LastKinesisPause)
	assert.Equal(t, []string{"INSERT b", "INSERT c"}, changesIn(t, sink.await(t, 2)))
}

// TestKinesisOutlivesAPanic: a panic on the way to a stream ends neither the process nor the
// delivery.
func TestKinesisOutlivesAPanic(t *testing.T) {
	clock := NewClock(testTime)
	x, sink := newKinesisTest(t, WithHeldClock(clock))
	sink.set(func([]KinesisRecord) ([]KinesisRecord, error) { panic("nobody expected that") })
	x.putKey("a")
	awaitSleeper(t, clock)
	sink.set(nil)
	clock.Advance(kinesis.FirstKinesisPause)
	assert.Equal(t, []string{"INSERT a"}, changesIn(t, sink.await(t, 1)))
}

// TestKinesisNeverStopsWrites: while a stream neither takes nor refuses records, writes are
// answered.
func TestKinesisNeverStopsWrites(t *testing.T) {
	x, sink := newKinesisTest(t)
	held, entered := make(chan struct{}), make(chan struct{}, 100)
	sink.set(func([]KinesisRecord) ([]KinesisRecord, error) {
		entered <- struct{}{}
		<-held
		return nil, nil
	})
	want := []string{"INSERT first"}
	x.putKey("first")
	<-entered
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range 50 {
			x.putKey(fmt.Sprint(n))
			want = append(want, fmt.Sprint("INSERT ", n))
		}
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		assert.Fail(t, "writes wait for the stream")
	}
	close(held)
	<-done
	assert.Equal(t, want, changesIn(t, sink.await(t, len(want))))
}

// stuckSink takes no record of one stream, and does not refuse one either.
type stuckSink struct {
	*memorySink
	stuck, entered chan struct{}
}

const stuckStream = songsStream + "-stuck"

func (s *stuckSink) CheckStream(context.Context, string) error { return nil }

func (s *stuckSink) PutRecords(ctx context.Context, stream string,
	records []KinesisRecord) ([]KinesisRecord, error) {
	if stream == stuckStream {
		close(s.entered)
		<-s.stuck
	}
	return s.memorySink.PutRecords(ctx, stream, records)
}

// TestKinesisStreamsDoNotWaitForEachOther: the changes of a table are sent while the stream of
// another does not answer.
func TestKinesisStreamsDoNotWaitForEachOther(t *testing.T) {
	sink := &stuckSink{newMemorySink(), make(chan struct{}), make(chan struct{})}
	x, _ := newKinesisTest(t, WithKinesis(sink))
	x.do("CreateTable", itemTables[1])
	x.do("EnableKinesisStreamingDestination",
		`{"TableName":"ranged","StreamArn":"`+stuckStream+`"}`)
	x.put("ranged", `{"pk":{"S":"stuck"},"sk":{"N":"1"}}`)
	<-sink.entered
	x.putKey("a")
	assert.Equal(t, []string{"INSERT a"}, changesIn(t, sink.await(t, 1)))
	x.putKey("b")
	assert.Equal(t, []string{"INSERT b"}, changesIn(t, sink.await(t, 1)))
	close(sink.stuck)
	assert.Equal(t, []string{"INSERT stuck"}, changesIn(t, sink.await(t, 1)))
}

// TestKinesisBatches: batches keep to the limits of Kinesis, which has no place for a record of
// more than a megabyte.
func TestKinesisBatches(t *testing.T) {
	x, sink := newKinesisTest(t)
	sink.set(func(records []KinesisRecord) ([]KinesisRecord, error) {
		bytes := 0
		for _, r := range records {
			bytes += len(r.Data) + len(r.PartitionKey)
		}
		assert.LessOrEqual(t, len(records), kinesis.MaxKinesisRecords)
		assert.LessOrEqual(t, bytes, kinesis.MaxKinesisBatch)
		return nil, nil
	})
	quotes := strings.Repeat(`\u0001`, 350<<10) // six bytes of JSON for one of the item
	x.put("plain", `{"pk":{"S":"large"},"v":{"S":"`+quotes+`"}}`)
	var want []string
	for i := range 30 {
		x.put("plain",
			fmt.Sprintf(`{"pk":{"S":"%d"},"v":{"S":"%s"}}`, i, strings.Repeat("x", 300<<10)))
		want = append(want, fmt.Sprint("INSERT ", i))
	}
	for i := range 1000 {
		x.putKey(fmt.Sprint("small", i))
		want = append(want, fmt.Sprint("INSERT small", i))
	}
	assert.Equal(t, want, changesIn(t, sink.await(t, len(want))))
}

// TestKinesisUpdateKeepsEarlierPrecision: the changes from before an update have the precision of
// then, and those from before a disablement are sent.
func TestKinesisUpdateKeepsEarlierPrecision(t *testing.T) {
	clock := NewClock(time.Date(2026, 1, 1, 0, 0, 0, 123_456_000, time.UTC))
	x, sink := newKinesisTest(t, WithHeldClock(clock))
	sink.set(refuseAll)
	x.putKey("a")
	x.do("UpdateKinesisStreamingDestination", toSongsMicro)
	x.putKey("b")
	x.do("DisableKinesisStreamingDestination", toSongs)
	x.putKey("c")
	x.stream()
	x.putKey("d")
	x.do("DeleteTable", `{"TableName":"plain"}`)
	awaitSleeper(t, clock)
	sink.set(nil)
	clock.Advance(kinesis.LastKinesisPause)
	records := sink.await(t, 3)
	assert.Equal(t, []string{"INSERT a", "INSERT b", "INSERT d"}, changesIn(t, records))
	for i, want := range []string{`"ApproximateCreationDateTime":1767225600123,"Keys"`,
		`"ApproximateCreationDateTime":1767225600123456,"ApproximateCreationDateTimePrecision":"MICROSECOND"`, `"ApproximateCreationDateTime":1767225600123,"Keys"`} {
		assert.Contains(t, string(records[i].Data), want)
	}
}

// TestKinesisSurvivesOpen: what was not sent is sent after the next Open, with the same ids.
func TestKinesisSurvivesOpen(t *testing.T) {
	sink := newMemorySink()
	quiet := WithLogger(slog.New(slog.DiscardHandler))
	x := newDurableTest(t, WithKinesis(sink), quiet)
	x.mustDo("CreateTable", itemTables[0])
	x.stream()
	x.putKey("a")
	first := sink.await(t, 1)
	sink.set(refuseAll)
	x.putKey("b")
	x.putKey("c")
	x.reopen(`DescribeKinesisStreamingDestination {"TableName":"plain"}`)
	sink.set(nil)
	x.putKey("d")
	records := sink.await(t, 3)
	assert.Equal(t, []string{"INSERT b", "INSERT c", "INSERT d"}, changesIn(t, records))
	assert.NotEqual(t, first[0].Data, records[0].Data)

	x.opts = []Option{quiet}
	x.reopen()
	x.putKey("e")
	x.opts = []Option{WithKinesis(sink), quiet}
	x.reopen()
	assert.Equal(t, []string{"INSERT e"}, changesIn(t, sink.await(t, 1)),
		"without a sink changes wait")
}

// TestKinesisOfForks: a fork sends its own changes, a rehearsal none.
func TestKinesisOfForks(t *testing.T) {
	clock := NewClock(testTime)
	x, sink := newKinesisTest(t, WithHeldClock(clock))
	sink.set(refuseAll)
	x.putKey("a")
	awaitSleeper(t, clock)
	fork := &requestTest{T: t, emulator: x.emulator.Fork()}
	defer fork.emulator.Close()
	rehearsal := &requestTest{T: t, emulator: x.emulator.Rehearsal()}
	sink.set(nil)
	rehearsal.putKey("r")
	fork.putKey("f")
	assert.Equal(t, []string{"INSERT f"}, changesIn(t, sink.await(t, 1)))
	clock.Advance(kinesis.LastKinesisPause)
	assert.Equal(t, []string{"INSERT a"}, changesIn(t, sink.await(t, 1)))

	s := x.emulator.Snapshot()
	sink.set(refuseAll)
	x.putKey("b")
	awaitSleeper(t, clock)
	x.emulator.Restore(s)
	sink.set(nil)
	x.putKey("c")
	clock.Advance(time.Minute)
	assert.Equal(t, []string{"INSERT c"}, changesIn(t, sink.await(t, 1)), "what waited is gone")
	assert.Empty(t, sink.taken)
}

// TestKinesisDestinationsAreLimited: the oldest of those that are no longer live are forgotten.
func TestKinesisDestinationsAreLimited(t *testing.T) {
	x, _ := newKinesisTest(t)
	x.do("DisableKinesisStreamingDestination", toSongs)
	for i := range 120 {
		x.do("EnableKinesisStreamingDestination",
			fmt.Sprintf(
				`{"TableName":"plain","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/%d"}`, i))
	}
	answer := x.do("DescribeKinesisStreamingDestination", `{"TableName":"plain"}`)
	assert.Equal(t, 100, strings.Count(answer, "ENABLE_FAILED"))
	assert.NotContains(t, answer, "songs")
	assert.Contains(t, answer, "stream/119")
}

// TestKinesisStreamsThatAreRefused: ack-api-quirks, DDB-TABLE-318, a probe of the service.
func TestKinesisStreamsThatAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ arn, why string }{
		"no such stream": {"arn:aws:kinesis:us-east-1:000000000000:stream/none",
			kinesis.NoPermission},
		"a table": {"arn:aws:dynamodb:us-east-1:000000000000:table/plain",
			kinesis.NoPermission},
		"a consumer": {songsStream + "/consumer/name:1", kinesis.NoPermission},
		"another region": {"arn:aws:kinesis:eu-west-1:000000000000:stream/songs",
			kinesis.OtherRegion},
		"another account": {"arn:aws:kinesis:us-east-1:123456789012:stream/songs",
			kinesis.NotActive},
		"a delivery stream": {"arn:aws:firehose:us-east-1:000000000000:deliverystream/songs",
			kinesis.NotActive},
		"no ARN": {"a text that is as long as an ARN but not one",
			kinesis.NoPermission},
		"an ARN of no stream": {"arn:aws:kinesis:us-east-1:000000000000:shard/songs",
			kinesis.NoPermission},
	} {
		t.Run(name, func(t *testing.T) {
			x, _ := newKinesisTest(t)
			x.do("DisableKinesisStreamingDestination", toSongs)
			x.want(`{"TableName":"plain","StreamArn":"`+test.arn+
				`","DestinationStatus":"ENABLING","EnableKinesisStreamingConfiguration":{}}`,
				"EnableKinesisStreamingDestination",
				`{"TableName":"plain","StreamArn":"`+test.arn+`"}`)
			x.want(`{"TableName":"plain","KinesisDataStreamDestinations":[
				{"StreamArn":"`+test.arn+
				`","DestinationStatus":"ENABLE_FAILED","DestinationStatusDescription":"`+test.why+
				`"},
				{"StreamArn":"`+songsStream+`","DestinationStatus":"DISABLED"}]}`,
				"DescribeKinesisStreamingDestination", `{"TableName":"plain"}`)
			x.want("ValidationException: Table is not in a valid state to enable Kinesis Streaming Destination: KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.",
				"DisableKinesisStreamingDestination",
				`{"TableName":"plain","StreamArn":"`+test.arn+`"}`)
		})
	}
}
