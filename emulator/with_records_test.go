package emulator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/trigger"
	"github.com/kugiri-db/kugiri/storage/disk"
)

// lambdaEvent is the event that a function gets.
type lambdaEvent struct{ Records []lambdaRecord }

type lambdaRecord struct {
	EventID        string `json:"eventID"`
	EventName      string `json:"eventName"`
	EventSource    string `json:"eventSource"`
	EventSourceARN string `json:"eventSourceARN"`
	AWSRegion      string `json:"awsRegion"`
	DynamoDB       struct {
		Created        float64 `json:"ApproximateCreationDateTime"`
		SequenceNumber string
		StreamViewType string
		Keys, NewImage map[string]map[string]string
	} `json:"dynamodb"`
}

func (r *lambdaRecord) id() string { return r.DynamoDB.Keys["id"]["S"] }

// quiet drops what is logged: functions that fail.
var quiet = emulator.WithLogger(slog.New(slog.DiscardHandler))

// calls records the calls of a function: the values of the attribute n, "a 1" for item a.
type calls struct {
	mu      sync.Mutex
	batches []string
	came    chan string // gets each batch as well; nil: does not
}

func (c *calls) function(_ context.Context, event []byte) ([]byte, error) {
	var e lambdaEvent
	if err := json.Unmarshal(event, &e); err != nil {
		return nil, err
	}
	var items []string
	for _, r := range e.Records {
		items = append(items, r.id()+" "+r.DynamoDB.NewImage["n"]["N"])
	}
	batch := strings.Join(items, ", ")
	c.mu.Lock()
	c.batches = append(c.batches, batch)
	c.mu.Unlock()
	if c.came != nil {
		c.came <- batch
	}
	return nil, nil
}

func (c *calls) taken() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.batches
	c.batches = nil
	return all
}

// newOrders makes the table orders, with a stream.
func newOrders(t *testing.T, e *emulator.Emulator) *dynamodb.Client {
	client := emulatortest.NewClient(e)
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: "S"},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: "HASH"},
		},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: "NEW_AND_OLD_IMAGES"},
	})
	require.NoError(t, err)
	return client
}

// putOrder writes an item of the table orders: "a 1" has the id a and the number 1.
func putOrder(t *testing.T, client *dynamodb.Client, text string) {
	id, n, _ := strings.Cut(text, " ")
	_, err := client.PutItem(
		t.Context(), &dynamodb.PutItemInput{TableName: aws.String(
			"orders"), Item: map[string]types.AttributeValue{
			"id": &types.AttributeValueMemberS{Value: id},
			"n":  &types.AttributeValueMemberN{Value: n}}})
	require.NoError(t, err)
}

func awaitRecords(t *testing.T, e *emulator.Emulator) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	require.NoError(t, e.AwaitRecords(ctx))
}

// TestWithRecords checks which calls writes lead to. The writes come in one transaction if they are
// to be in one batch.
func TestWithRecords(t *testing.T) {
	for _, c := range []struct {
		name    string
		mapping trigger.Mapping
		want    []string
	}{
		{"all at once", trigger.Mapping{}, []string{"a 1, b 2, c 3, d 4"}},
		{"batches of two", trigger.Mapping{BatchSize: 2}, []string{"a 1, b 2", "c 3, d 4"}},
		{"a filter",
			trigger.Mapping{Filters: []string{`{"dynamodb":{"NewImage":{"n":{"N":["2","4"]}}}}`}},
			[]string{"b 2, d 4"}},
		{"a filter that none matches",
			trigger.Mapping{Filters: []string{`{"eventName":["REMOVE"]}`}}, nil},
		{"another table", trigger.Mapping{Table: "others"}, nil},
		{"by ARN", trigger.Mapping{Table: "arn:aws:dynamodb:us-east-1:000000000000:table/orders"},
			[]string{"a 1, b 2, c 3, d 4"}},
		{"by the ARN of another region",
			trigger.Mapping{Table: "arn:aws:dynamodb:us-east-2:000000000000:table/orders"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := new(calls)
			if c.mapping.Table == "" {
				c.mapping.Table = "orders"
			}
			e := emulator.New(quiet, emulator.WithRecords(c.mapping, f.function))
			client := newOrders(t, e)
			var puts []types.TransactWriteItem
			for i, id := range []string{"a", "b", "c", "d"} {
				puts = append(puts,
					types.TransactWriteItem{Put: &types.Put{TableName: aws.String(
						"orders"), Item: map[string]types.AttributeValue{
						"id": &types.AttributeValueMemberS{Value: id},
						"n":  &types.AttributeValueMemberN{Value: fmt.Sprint(i + 1)}}}})
			}
			_, err := client.TransactWriteItems(t.Context(),
				&dynamodb.TransactWriteItemsInput{TransactItems: puts})
			require.NoError(t, err)
			awaitRecords(t, e)
			assert.Equal(t, c.want, f.taken())
		})
	}
}

// TestWithRecordsEvent checks the form of an event (Lambda Developer Guide, "Example DynamoDB
// Streams record event").
func TestWithRecordsEvent(t *testing.T) {
	var got lambdaEvent
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e := emulator.New(emulator.WithClock(func() time.Time { return now }),
		emulator.WithRecords(
			trigger.NewMapping("orders"), func(_ context.Context, event []byte) ([]byte, error) {
				return nil, json.Unmarshal(event, &got)
			}))
	client := newOrders(t, e)
	putOrder(t, client, "a 1")
	awaitRecords(t, e)
	stream, err := client.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	require.Len(t, got.Records, 1)
	r := got.Records[0]
	assert.Equal(t, "INSERT aws:dynamodb us-east-1", r.EventName+" "+r.EventSource+" "+r.AWSRegion)
	assert.Equal(t, aws.ToString(stream.Table.LatestStreamArn), r.EventSourceARN)
	assert.Equal(t, float64(now.Unix()), r.DynamoDB.Created)
	assert.Equal(t, "NEW_AND_OLD_IMAGES", r.DynamoDB.StreamViewType)
	assert.NotEmpty(t, r.DynamoDB.SequenceNumber)
	assert.NotEmpty(t, r.EventID)
}

// TestWithRecordsOfTTL: the filter of the documents for deletions by time to live matches those,
// and no other deletions (DynamoDB Developer Guide, "DynamoDB Streams and Time to Live"; service
// facts L.1).
func TestWithRecordsOfTTL(t *testing.T) {
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	var got []string
	m := trigger.NewMapping("orders")
	m.Filters = []string{`{"userIdentity":{"type":["Service"],` +
		`"principalId":["dynamodb.amazonaws.com"]}}`}
	e := emulator.New(emulator.WithHeldClock(clock), emulator.WithRecords(m,
		func(_ context.Context, event []byte) ([]byte, error) {
			var in struct {
				Records []struct {
					EventName    string `json:"eventName"`
					UserIdentity json.RawMessage
				}
			}
			err := json.Unmarshal(event, &in)
			for _, r := range in.Records {
				got = append(got, r.EventName+" "+string(r.UserIdentity))
			}
			return nil, err
		}))
	client := newOrders(t, e)
	_, err := client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String("orders"), TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String("n"), Enabled: aws.Bool(true)}})
	require.NoError(t, err)
	putOrder(t, client, fmt.Sprintf("a %d", clock.Now().Unix()+60))
	putOrder(t, client, fmt.Sprintf("b %d", clock.Now().Unix()+60))
	_, err = client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
		TableName: aws.String("orders"),
		Key:       map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "b"}}})
	require.NoError(t, err)
	clock.Advance(time.Hour)
	e.ExpireItems() // the clock may have had it done already
	awaitRecords(t, e)
	assert.Equal(t, []string{
		`REMOVE {"type":"Service","principalId":"dynamodb.amazonaws.com"}`}, got)
}

// TestWithRecordsInWindows: the batches of a tumbling window share a state, and its end comes when
// its time has passed, without records.
func TestWithRecordsInWindows(t *testing.T) {
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	came := make(chan string, 10)
	m := trigger.NewMapping("orders")
	m.TumblingWindow, m.BatchSize = time.Minute, 2
	m.Filters = []string{`{"dynamodb":{"NewImage":{"n":{"N":[{"anything-but":"0"}]}}}}`}
	e := emulator.New(emulator.WithHeldClock(clock), emulator.WithRecords(m,
		func(_ context.Context, event []byte) ([]byte, error) {
			var in struct {
				lambdaEvent
				State struct{ Seen string }
				Final bool `json:"isFinalInvokeForWindow"`
			}
			if err := json.Unmarshal(event, &in); err != nil {
				return nil, err
			}
			for _, r := range in.Records {
				in.State.Seen += r.id()
			}
			came <- fmt.Sprintf("%d %s %t", len(in.Records), in.State.Seen, in.Final)
			return json.Marshal(map[string]any{"state": in.State})
		}))
	client := newOrders(t, e)
	putOrder(t, client, "a 1")
	got := []string{<-came}
	putOrder(t, client, "b 0") // the filter passes over it
	putOrder(t, client, "c 1")
	got = append(got, <-came, afterSleeps(t, clock, came))
	putOrder(t, client, "d 1")
	got = append(got, <-came, afterSleeps(t, clock, came))
	putOrder(t, client, "e 0")
	awaitRecords(t, e)
	assert.Equal(t, []string{"1 a false", "1 ac false", "0 ac true", "1 d false", "0 d true"}, got)
}

// afterSleeps returns what comes when those who sleep by the clock have slept enough.
func afterSleeps(t *testing.T, clock *emulator.Clock, came <-chan string) string {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	go func() {
		for clock.AwaitSleepers(ctx, 1) == nil {
			clock.Advance(time.Minute)
		}
	}()
	select {
	case text := <-came:
		return text
	case <-ctx.Done():
		t.Error("nothing came")
		return ""
	}
}

// TestWithRecordsInOrder checks that the changes of each item come in their order and once, in
// spite of parts, shards that end, and functions that fail.
func TestWithRecordsInOrder(t *testing.T) {
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	var mu sync.Mutex
	got, tries := map[string][]string{}, map[string]int{}
	m := trigger.NewMapping("orders")
	m.ParallelizationFactor, m.BatchSize = 3, 4
	e := emulator.New(quiet, emulator.WithHeldClock(clock),
		emulator.WithStreamShards(2,
			time.Minute), emulator.WithRecords(
			m, func(_ context.Context, event []byte) ([]byte, error) {
				var in lambdaEvent
				if err := json.Unmarshal(event, &in); err != nil {
					return nil, err
				}
				mu.Lock()
				defer mu.Unlock()
				first := in.Records[0].DynamoDB.SequenceNumber
				if tries[first]++; tries[first] == 1 && len(tries)%3 == 0 {
					return nil, errors.New("try again")
				}
				for _, r := range in.Records {
					id := r.id()
					got[id] = append(got[id], r.DynamoDB.NewImage["n"]["N"])
				}
				return nil, nil
			}))
	client := newOrders(t, e)
	want := map[string][]string{}
	for i := range 200 {
		id := string(rune('a' + i%7))
		putOrder(t, client, fmt.Sprintf("%s %d", id, i))
		want[id] = append(want[id], fmt.Sprint(i))
		if i%10 == 9 {
			clock.Advance(50 * time.Second) // shards end, and pauses
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	idle := make(chan error, 1)
	go func() { idle <- e.AwaitRecords(ctx); cancel() }()
	for clock.AwaitSleepers(ctx, 1) == nil {
		clock.Advance(10 * time.Second) // ends a pause
	}
	require.NoError(t, <-idle)
	assert.Equal(t, want, got)
}

// TestWithRecordsAfterRestart checks that another process goes on where one ended.
func TestWithRecordsAfterRestart(t *testing.T) {
	dir, f := t.TempDir(), new(calls)
	open := func(opts ...emulator.Option) *emulator.Emulator {
		db, err := disk.Open(dir, disk.Options{})
		require.NoError(t, err)
		e, err := emulator.Open(db, opts...)
		require.NoError(t, err)
		return e
	}
	e := open()
	client := newOrders(t, e)
	putOrder(t, client, "a 1")
	require.NoError(t, e.Close())

	late := trigger.NewMapping("orders")
	late.StartingPosition = trigger.Latest
	fromNow := new(calls)
	all := []emulator.Option{emulator.WithRecords(trigger.NewMapping("orders"), f.function),
		emulator.WithRecords(late, fromNow.function)}
	e = open(all...)
	awaitRecords(t, e)
	assert.Equal(t, []string{"a 1"}, f.taken(), "from the oldest record")
	putOrder(t, emulatortest.NewClient(e), "b 2")
	awaitRecords(t, e)
	assert.Equal(t, []string{"b 2"}, f.taken())
	assert.Equal(t, []string{"b 2"}, fromNow.taken(), "only what is new")
	require.NoError(t, e.Close())

	e = open()
	putOrder(t, emulatortest.NewClient(e), "c 3")
	require.NoError(t, e.Close())

	e = open(all...)
	awaitRecords(t, e)
	assert.Equal(t, []string{"c 3"}, f.taken(), "only what came since")
	assert.Equal(t, []string{"c 3"}, fromNow.taken())
	require.NoError(t, e.Close())
}

// TestWithRecordsOfForks checks that forks and snapshots leave the changes from before to the
// original.
func TestWithRecordsOfForks(t *testing.T) {
	f := new(calls)
	e := emulator.New(emulator.WithRecords(trigger.NewMapping("orders"), f.function))
	client := newOrders(t, e)
	putOrder(t, client, "a 1")
	awaitRecords(t, e)
	snapshot, fork := e.Snapshot(), e.Fork()
	f.taken()
	putOrder(t, emulatortest.NewClient(fork), "f 2")
	awaitRecords(t, fork)
	assert.Equal(t, []string{"f 2"}, f.taken())
	putOrder(t, client, "b 3")
	awaitRecords(t, e)
	assert.Equal(t, []string{"b 3"}, f.taken())
	e.Restore(snapshot)
	putOrder(t, client, "c 4")
	awaitRecords(t, e)
	assert.Equal(t, []string{"c 4"}, f.taken())
}

// TestWithRecordsByHTTP checks a definition against a listener: a record that always fails is given
// up without its neighbors.
func TestWithRecordsByHTTP(t *testing.T) {
	var mu sync.Mutex
	var handled []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var e lambdaEvent
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&e))
		if slices.ContainsFunc(e.Records, func(r lambdaRecord) bool { return r.id() == "bad" }) {
			fmt.Fprint(w, `{"errorMessage":"bad","errorType":"Error"}`)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for _, r := range e.Records {
			handled = append(handled, r.id())
		}
	}))
	defer server.Close()
	failures := filepath.Join(t.TempDir(), "failures")
	d, err := trigger.Parse("orders -> " + server.URL +
		` {"BisectBatchOnFunctionError": true, "MaximumRetryAttempts": 0,
		"DestinationConfig": {"OnFailure": {"Destination": "` + filepath.ToSlash(failures) + `"}}}`)
	require.NoError(t, err)
	function, err := d.Trigger(nil)
	require.NoError(t, err)
	e := emulator.New(quiet, emulator.WithTrigger(function))
	client := newOrders(t, e)
	for _, text := range []string{"a 1", "b 2", "bad 3", "c 4"} {
		putOrder(t, client, text)
	}
	awaitRecords(t, e)
	assert.Equal(t, []string{"a", "b", "c"}, handled)
	text, err := os.ReadFile(failures)
	require.NoError(t, err)
	var failure struct {
		RequestContext     struct{ Condition string }
		DDBStreamBatchInfo struct {
			BatchSize int
			StreamArn string
		}
	}
	require.NoError(t, json.Unmarshal(text, &failure), "one line")
	assert.Equal(t, "RetryAttemptsExhausted", failure.RequestContext.Condition)
	assert.Equal(t, 1, failure.DDBStreamBatchInfo.BatchSize)
	assert.Contains(t, failure.DDBStreamBatchInfo.StreamArn, "table/orders/stream/")
}

// TestWithRecordsWindow checks that a batch waits for more records, until it is full or its window
// ends.
func TestWithRecordsWindow(t *testing.T) {
	clock, f := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), &calls{
		came: make(chan string, 10),
	}
	m := trigger.NewMapping("orders")
	m.BatchSize, m.BatchWindow = 2, time.Minute
	e := emulator.New(quiet, emulator.WithHeldClock(clock), emulator.WithRecords(m, f.function))
	client := newOrders(t, e)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()

	putOrder(t, client, "a 1")
	require.NoError(t, clock.AwaitSleepers(ctx, 1))
	assert.Empty(t, f.taken())
	clock.Advance(time.Minute)
	awaitRecords(t, e)
	assert.Equal(t, []string{"a 1"}, f.taken(), "the window has ended")
	<-f.came

	putOrder(t, client, "b 2")
	require.NoError(t, clock.AwaitSleepers(ctx, 1))
	putOrder(t, client, "c 3")
	putOrder(t, client, "d 4")
	assert.Equal(t, "b 2, c 3", <-f.came)
	require.NoError(t, clock.AwaitSleepers(ctx, 1))
	clock.Advance(time.Minute)
	awaitRecords(t, e)
	assert.Equal(t, []string{"b 2, c 3", "d 4"}, f.taken(), "a full batch does not wait")
}

// TestWithRecordsCloses checks that Close ends calls that do not end themselves, and that Go
// functions get a context that ends.
func TestWithRecordsCloses(t *testing.T) {
	began := make(chan struct{})
	e := emulator.New(
		quiet, emulator.WithRecords(
			trigger.NewMapping("orders"), func(ctx context.Context, _ []byte) ([]byte, error) {
				close(began)
				<-ctx.Done()
				return nil, ctx.Err()
			}))
	putOrder(t, newOrders(t, e), "a 1")
	<-began
	require.NoError(t, e.Close())
	awaitRecords(t, e)
}

func TestWithRecordsPanics(t *testing.T) {
	none := func(context.Context, []byte) ([]byte, error) { return nil, nil }
	assert.PanicsWithValue(t, "emulator: WithRecords: BatchSize is 10001: want 1 to 10000", func() {
		emulator.New(
			emulator.WithRecords(trigger.Mapping{Table: "orders", BatchSize: 10_001}, none))
	})
	one, err := trigger.New(trigger.NewMapping("orders"), "one", none)
	require.NoError(t, err)
	assert.PanicsWithValue(t, "emulator: there are two triggers orders -> one", func() {
		emulator.New(emulator.WithTrigger(one), emulator.WithTrigger(one))
	})
}
