package emulator_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

// faultTest has an emulator behind a listener, with the table "users" (key id, global index by-name
// on name, a stream). Its SDK clients retry as usual, but without waiting.
type faultTest struct {
	*testing.T
	emulator *emulator.Emulator
	client   *dynamodb.Client
	streams  *dynamodbstreams.Client
}

// attempts is how often the clients of a faultTest send a request that fails.
const attempts = 3

// impatient returns the SDK's usual retryer without delays and without a retry quota.
func impatient() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = attempts
		o.RateLimiter = ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(
			func(int, error) (time.Duration, error) { return 0, nil })
	})
}

func newFaultTest(t *testing.T, opts ...emulator.Option) *faultTest {
	x := &faultTest{T: t, emulator: emulator.New(opts...)}
	server, err := x.emulator.Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { server.Close() })
	any := credentials.NewStaticCredentialsProvider("any", "any", "")
	x.client = dynamodb.New(dynamodb.Options{
		BaseEndpoint: &server.URL, Region: "us-east-1", Credentials: any, Retryer: impatient(),
		HTTPClient: throttlingReasons{awshttp.NewBuildableClient()},
	})
	x.streams = dynamodbstreams.New(dynamodbstreams.Options{
		BaseEndpoint: &server.URL, Region: "us-east-1", Credentials: any, Retryer: impatient(),
	})
	in := usersTable()
	in.AttributeDefinitions = append(in.AttributeDefinitions,
		types.AttributeDefinition{
			AttributeName: aws.String("name"), AttributeType: types.ScalarAttributeTypeS,
		})
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{
		IndexName: aws.String("by-name"),
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("name"), KeyType: types.KeyTypeHash},
		},
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
	}}
	in.StreamSpecification = &types.StreamSpecification{
		StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly,
	}
	_, err = x.client.CreateTable(t.Context(), in)
	require.NoError(t, err)
	return x
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func user(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": text(id)}
}

func named(id, name string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": text(id), "name": text(name)}
}

// put stores a user, with a condition if there is one.
func (x *faultTest) put(id, name string, condition ...string) error {
	in := &dynamodb.PutItemInput{TableName: aws.String("users"), Item: named(id, name)}
	for _, c := range condition {
		in.ConditionExpression = &c
	}
	_, err := x.client.PutItem(x.Context(), in)
	return err
}

// name returns the name of a user, by a consistent read or not, or "" without a name.
func (x *faultTest) name(id string, consistent bool) string {
	x.Helper()
	out, err := x.client.GetItem(x.Context(),
		&dynamodb.GetItemInput{
			TableName: aws.String("users"), Key: user(id), ConsistentRead: &consistent,
		})
	require.NoError(x, err)
	if v, ok := out.Item["name"].(*types.AttributeValueMemberS); ok {
		return v.Value
	}
	return ""
}

// indexed returns the ids of the users with a name, read from the index.
func (x *faultTest) indexed(name string) (ids []string) {
	x.Helper()
	out, err := x.client.Query(x.Context(), &dynamodb.QueryInput{
		TableName: aws.String("users"), IndexName: aws.String("by-name"),
		KeyConditionExpression:    aws.String("#n = :n"),
		ExpressionAttributeNames:  map[string]string{"#n": "name"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":n": text(name)},
	})
	require.NoError(x, err)
	for _, it := range out.Items {
		ids = append(ids, it["id"].(*types.AttributeValueMemberS).Value)
	}
	return ids
}

// onPut returns a fault of PutItem.
func onPut(when fault.Matcher, do fault.Effect) fault.Fault {
	return fault.Fault{When: fault.And(fault.Operation("PutItem"), when), Do: do}
}

const usersARN = "arn:aws:dynamodb:us-east-1:000000000000:table/users"

// TestFaultsThatAreRetried: a retried request succeeds after the fault has ended. Until then it
// returns the typed error.
func TestFaultsThatAreRetried(t *testing.T) {
	wantThrottled := func(t *testing.T, err error, exception, reason string) {
		gotException, gotReason, resource := throttled(t, err)
		assert.Equal(t, exception, gotException)
		assert.Equal(t, reason, gotReason+" "+resource)
	}
	throughput := func(reason string) func(*testing.T, error) {
		return func(t *testing.T, err error) {
			wantError[*types.ProvisionedThroughputExceededException](t, err)
			wantThrottled(t, err, "ProvisionedThroughputExceededException", reason)
		}
	}
	throttling := func(reason, message string) func(*testing.T, error) {
		return func(t *testing.T, err error) {
			wantThrottled(t, err, "ThrottlingException", reason)
			assert.Contains(t, wantError[smithy.APIError](t, err).ErrorMessage(), message)
		}
	}
	for _, tc := range []struct {
		name string
		do   fault.Effect
		want func(*testing.T, error)
	}{
		{"the usual throttling of an on-demand table", fault.Throttle(""),
			throttling("TableWriteKeyRangeThroughputExceeded "+usersARN,
				"check if you have a hot key")},
		{"provisioned", fault.Throttle(fault.ProvisionedLimit),
			throughput("TableWriteProvisionedThroughputExceeded " + usersARN)},
		{"a whole reason", fault.Throttle("TableReadProvisionedThroughputExceeded"),
			throughput("TableReadProvisionedThroughputExceeded " + usersARN)},
		{"on-demand maximum", fault.Throttle(fault.OnDemandLimit),
			throttling("TableWriteMaxOnDemandThroughputExceeded "+usersARN,
				"Throughput exceeds the maximum OnDemandThroughput configured on table or index")},
		{"back-pressure of an index", fault.ThrottleIndex(fault.ProvisionedLimit, "by-name"),
			throughput("IndexWriteProvisionedThroughputExceeded " + usersARN + "/index/by-name")},
		{"account", fault.RequestLimitExceeded(), func(t *testing.T, err error) {
			wantError[*types.RequestLimitExceeded](t, err)
			wantThrottled(t, err, "RequestLimitExceeded",
				"TableWriteAccountLimitExceeded "+usersARN)
		}},
		{"500", fault.InternalServerError(),
			func(t *testing.T, err error) { wantError[*types.InternalServerError](t, err) }},
		{"503", fault.ServiceUnavailable(),
			func(t *testing.T, err error) { assert.ErrorContains(t, err, "StatusCode: 503") }},
		{"dropped connection", fault.DropConnection(),
			func(t *testing.T, err error) { assert.ErrorContains(t, err, "EOF") }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := newFaultTest(t)
			f := x.emulator.AddFault(onPut(fault.First(attempts-1), tc.do))
			require.NoError(t, x.put("a", "Ada"), "the last attempt succeeds")
			assert.EqualValues(t, attempts-1, f.Hits())
			f.Remove()

			f = x.emulator.AddFault(onPut(fault.Probability(1), tc.do))
			err := x.put("b", "Bob")
			require.ErrorContains(t, err, "exceeded maximum number of attempts, 3")
			tc.want(t, err)
			assert.EqualValues(t, attempts, f.Hits())
			f.Remove()
			assert.Empty(t, x.name("b", true), "nothing was written")
			require.NoError(t, x.put("b", "Bob"), "the fault is removed")
		})
	}
}

// wantError checks the type of an error.
func wantError[E error](t *testing.T, err error) E {
	t.Helper()
	var e E
	require.ErrorAs(t, err, &e)
	return e
}

func TestLostResponse(t *testing.T) {
	x := newFaultTest(t)
	lose := func(operation string) {
		x.emulator.SetFaults(fault.Fault{
			When: fault.And(fault.Operation(operation), fault.First(1)), Do: fault.LoseResponse(),
		})
	}
	lose("PutItem")
	require.NoError(t, x.put("a", "Ada"), "an unconditional write is repeated")
	assert.Equal(t, "Ada", x.name("a", true))

	lose("PutItem")
	err := x.put("b", "Bob", "attribute_not_exists(id)")
	wantError[*types.ConditionalCheckFailedException](t, err)
	assert.Equal(t, "Bob", x.name("b", true),
		"the first attempt was committed: the condition fails because of itself")

	require.NoError(t, x.put("n", "1"))
	count := func(token *string) error {
		_, err := x.client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			ClientRequestToken: token,
			TransactItems: []types.TransactWriteItem{{Update: &types.Update{
				TableName: aws.String("users"), Key: user("n"),
				UpdateExpression: aws.String("ADD hits :one"),
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":one": &types.AttributeValueMemberN{Value: "1"},
				},
			}}},
		})
		return err
	}
	lose("TransactWriteItems")
	require.NoError(t, count(nil), "the SDK's token makes the attempts one")
	lose("UpdateItem")
	_, err = x.client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("users"), Key: user("n"),
		UpdateExpression: aws.String("ADD hits :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":one": &types.AttributeValueMemberN{Value: "1"},
		},
	})
	require.NoError(t, err)
	x.emulator.SetFaults()
	out, err := x.client.GetItem(t.Context(),
		&dynamodb.GetItemInput{TableName: aws.String("users"), Key: user("n")})
	require.NoError(t, err)
	assert.Equal(t, &types.AttributeValueMemberN{Value: "3"}, out.Item["hits"],
		"one of the transaction, two of the update that has no token")
}

func TestUnprocessed(t *testing.T) {
	x := newFaultTest(t)
	var writes []types.WriteRequest
	var keys []map[string]types.AttributeValue
	for i := range 10 {
		writes = append(writes,
			types.WriteRequest{PutRequest: &types.PutRequest{Item: named(strconv.Itoa(i), "x")}})
		keys = append(keys, user(strconv.Itoa(i)))
	}
	run := func(seed uint64) (left []string) {
		x.emulator.SetFaults(fault.Fault{
			When: fault.First(1), Do: fault.Unprocessed(0.25), Seed: seed,
		},
			fault.Fault{
				When: fault.And(fault.Operation("BatchGetItem"), fault.Key("id", "7"),
					fault.First(2)), Do: fault.Throttle(""),
			})
		in := map[string][]types.WriteRequest{"users": writes}
		put, err := x.client.BatchWriteItem(t.Context(),
			&dynamodb.BatchWriteItemInput{RequestItems: in})
		require.NoError(t, err)
		require.Len(t, put.UnprocessedItems["users"], 3)
		for _, w := range put.UnprocessedItems["users"] {
			left = append(left, w.PutRequest.Item["id"].(*types.AttributeValueMemberS).Value)
		}
		got, err := x.client.BatchGetItem(t.Context(),
			&dynamodb.BatchGetItemInput{
				RequestItems: map[string]types.KeysAndAttributes{"users": {Keys: keys}},
			})
		require.NoError(t, err)
		assert.Equal(t,
			map[string]types.KeysAndAttributes{
				"users": {Keys: []map[string]types.AttributeValue{user("7")}},
			}, got.UnprocessedKeys)
		return left
	}
	first := run(1)
	x.emulator.Reset()
	x.createUsers()
	assert.Equal(t, first, run(1), "the seed chooses")
	x.emulator.SetFaults(fault.Fault{When: fault.First(1), Do: fault.Unprocessed(1)})
	_, err := x.client.BatchWriteItem(t.Context(),
		&dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{"users": writes},
		})
	require.NoError(t, err, "a batch of which nothing is processed is throttled, and so is retried")
	assert.EqualValues(t, 1, x.emulator.Faults()[0].Hits())
}

// createUsers makes a plain table of users.
func (x *faultTest) createUsers() {
	x.Helper()
	_, err := x.client.CreateTable(x.Context(), usersTable())
	require.NoError(x, err)
}

func TestTransactionFaults(t *testing.T) {
	x := newFaultTest(t)
	write := func() error {
		_, err := x.client.TransactWriteItems(
			t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: aws.String("users"), Item: user("a")}},
				{Put: &types.Put{TableName: aws.String("users"), Item: user("b")}}}})
		return err
	}
	codes := func(err error) (codes []string) {
		for _, r := range wantError[*types.TransactionCanceledException](t,
			err).CancellationReasons {
			codes = append(codes, *r.Code)
		}
		return codes
	}
	x.emulator.SetFaults(fault.Fault{When: fault.Key("id", "b"), Do: fault.TransactionConflict()})
	assert.Equal(t, []string{"None", "TransactionConflict"}, codes(write()))
	wantError[*types.TransactionConflictException](t, x.put("b", "Bob"))
	require.NoError(t, x.put("c", "Cem"))
	_, err := x.client.TransactGetItems(
		t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
			{Get: &types.Get{TableName: aws.String("users"), Key: user("b")}},
			{Get: &types.Get{TableName: aws.String("users"), Key: user("c")}}}})
	assert.Equal(t, []string{"TransactionConflict", "None"}, codes(err))
	batch, err := x.client.BatchWriteItem(
		t.Context(),
		&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"users": {
			{PutRequest: &types.PutRequest{Item: user("b")}}}}})
	require.NoError(t, err)
	assert.Len(t, batch.UnprocessedItems["users"], 1)
	statements, err := x.client.BatchExecuteStatement(
		t.Context(), &dynamodb.BatchExecuteStatementInput{Statements: []types.BatchStatementRequest{
			{Statement: aws.String(`INSERT INTO users VALUE {'id': 'b'}`)},
			{Statement: aws.String(`INSERT INTO users VALUE {'id': 'd'}`)}}})
	require.NoError(t, err)
	assert.Equal(t, types.BatchStatementErrorCodeEnumTransactionConflict,
		statements.Responses[0].Error.Code)
	assert.Nil(t, statements.Responses[1].Error)

	x.emulator.SetFaults(fault.Fault{
		When: fault.Key("id", "a"), Do: fault.Throttle(fault.ProvisionedLimit),
	})
	assert.Equal(t, []string{"ProvisionedThroughputExceeded", "None"}, codes(write()))
	x.emulator.SetFaults(fault.Fault{When: fault.Key("id", "a"), Do: fault.Throttle("")})
	assert.Equal(t, []string{"ThrottlingError", "None"}, codes(write()))

	f := x.emulator.SetFaults(fault.Fault{
		When: fault.First(attempts - 1), Do: fault.TransactionInProgress(),
	})
	require.NoError(t, write(), "the SDK retries it")
	assert.EqualValues(t, attempts-1, f[0].Hits())
	x.emulator.SetFaults(fault.Fault{Do: fault.TransactionInProgress()})
	wantError[*types.TransactionInProgressException](t, write())
	require.NoError(t, x.put("b", "Bob"), "it is no transaction")
}

func TestLatencyIsOnTheClock(t *testing.T) {
	clock := emulator.NewClock(time.Unix(0, 0))
	x := newFaultTest(t, emulator.WithHeldClock(clock),
		emulator.WithFaults(onPut(fault.First(1), fault.Latency(time.Hour))))
	done := make(chan error)
	go func() { done <- x.put("a", "Ada") }()
	require.NoError(t, clock.AwaitSleepers(t.Context(), 1))
	assert.Empty(t, x.name("a", true), "it has done nothing yet")
	clock.Advance(time.Hour)
	require.NoError(t, <-done)
	assert.Equal(t, "Ada", x.name("a", true))

	x.emulator.SetFaults(onPut(fault.First(1), fault.Latency(time.Hour)))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := x.client.PutItem(ctx,
			&dynamodb.PutItemInput{TableName: aws.String("users"), Item: user("b")})
		done <- err
	}()
	require.NoError(t, clock.AwaitSleepers(t.Context(), 1))
	cancel()
	assert.ErrorIs(t, <-done, context.Canceled, "a client that goes is not waited for")
}

func TestStreamFaults(t *testing.T) {
	x := newFaultTest(t)
	want := []string{"a", "b", "c", "d", "e"}
	for _, id := range want {
		require.NoError(t, x.put(id, "x"))
	}
	list, err := x.streams.ListStreams(t.Context(),
		&dynamodbstreams.ListStreamsInput{TableName: aws.String("users")})
	require.NoError(t, err)
	stream, err := x.streams.DescribeStream(t.Context(),
		&dynamodbstreams.DescribeStreamInput{StreamArn: list.Streams[0].StreamArn})
	require.NoError(t, err)
	it, err := x.streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
		StreamArn: list.Streams[0].StreamArn, ShardId: stream.StreamDescription.Shards[0].ShardId,
		ShardIteratorType: streams.ShardIteratorTypeTrimHorizon})
	require.NoError(t, err)
	next := it.ShardIterator
	page := func() (ids []string, err error) {
		out, err := x.streams.GetRecords(t.Context(),
			&dynamodbstreams.GetRecordsInput{ShardIterator: next})
		if err != nil {
			return nil, err
		}
		for _, r := range out.Records {
			ids = append(ids, r.Dynamodb.Keys["id"].(*streams.AttributeValueMemberS).Value)
		}
		next = out.NextShardIterator
		return ids, nil
	}
	x.emulator.SetFaults(
		fault.Fault{When: fault.Every(2), Do: fault.ShortPages(0)},
		fault.Fault{When: fault.Table("users"), Do: fault.ShortPages(2)},
		fault.Fault{When: fault.Nth(2), Do: fault.LimitExceeded()},
	)
	var pages []int
	var got []string
	for range 6 {
		ids, err := page()
		require.NoError(t, err)
		pages, got = append(pages, len(ids)), append(got, ids...)
	}
	assert.Equal(t, want, got, "nothing is lost, nothing comes twice")
	assert.Equal(t, []int{2, 2, 0, 1, 0, 0}, pages,
		"the second attempt at the second page was the third request")

	x.emulator.SetFaults(fault.Fault{When: fault.First(1), Do: fault.ExpiredIterator()})
	_, err = page()
	wantError[*streams.ExpiredIteratorException](t, err)
	x.emulator.SetFaults(fault.Fault{Do: fault.LimitExceeded()})
	_, err = page()
	wantError[*streams.LimitExceededException](t, err)
	x.emulator.SetFaults()
	_, err = page()
	require.NoError(t, err)
}

// TestControlPlaneIsThrottled: a client tries requests on tables and settings again, and gives up
// when they never pass. Requests on items pass.
func TestControlPlaneIsThrottled(t *testing.T) {
	x := newFaultTest(t)
	describe := func() error {
		_, err := x.client.DescribeTable(t.Context(),
			&dynamodb.DescribeTableInput{TableName: aws.String("users")})
		return err
	}
	x.emulator.SetFaults(fault.Fault{When: fault.First(2), Do: fault.RateExceeded()})
	require.NoError(t, x.put("a", "x"))
	require.NoError(t, describe(), "the third attempt")
	assert.EqualValues(t, 2, x.emulator.Faults()[0].Hits())

	x.emulator.SetFaults(fault.Fault{
		When: fault.Operation("DescribeTable"), Do: fault.RateExceeded()})
	e := wantError[smithy.APIError](t, describe())
	assert.Equal(t, "ThrottlingException", e.ErrorCode())
	assert.Equal(t, "Rate exceeded", e.ErrorMessage())
	_, err := x.client.DescribeTimeToLive(t.Context(),
		&dynamodb.DescribeTimeToLiveInput{TableName: aws.String("users")})
	require.NoError(t, err)
}

func TestFaultsAreChecked(t *testing.T) {
	const message = "emulator: fault: do: latency: the duration must be positive"
	bad := fault.Fault{Do: fault.Latency(-1)}
	e := emulator.New()
	assert.PanicsWithValue(t, message, func() { emulator.New(emulator.WithFaults(bad)) })
	assert.PanicsWithValue(t, message, func() { e.AddFault(bad) })
	assert.PanicsWithValue(t, message,
		func() { e.SetFaults(fault.Fault{Do: fault.LoseResponse()}, bad) })
	assert.Empty(t, e.Faults())
	f := e.AddFault(fault.Fault{Do: fault.LoseResponse()})
	assert.Len(t, e.Faults(), 1)
	assert.Equal(t, `{"do":"loseResponse"}`, f.Fault().String())
	assert.Len(t, e.Fork().Faults(), 1)
	f.Remove()
	f.Remove()
	assert.Empty(t, e.Faults())
	assert.Empty(t, e.Fork().Faults())
}

func ExampleEmulator_SetFaults() {
	e := emulator.New()
	client := impatientClient(e)
	ctx := context.Background()
	if _, err := client.CreateTable(ctx, usersTable()); err != nil {
		panic(err)
	}
	faults := e.SetFaults(
		// Writes are committed, but the first answer is lost.
		fault.Fault{
			When: fault.And(fault.Operation("PutItem"), fault.First(1)), Do: fault.LoseResponse(),
		},
		// The user 42 is hot.
		fault.Fault{When: fault.And(fault.Reads(), fault.Key("id", "42")), Do: fault.Throttle("")},
	)
	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("users"), Item: user("42"),
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	fmt.Println(faults[0].Hits(), err != nil)
	_, err = client.GetItem(ctx,
		&dynamodb.GetItemInput{TableName: aws.String("users"), Key: user("42")})
	fmt.Println(faults[1].Hits(), err != nil)
	// Output:
	// 1 true
	// 3 true
}

// Faults can also come from a file or over HTTP.
func ExampleEmulator_AddFault_parsed() {
	faults, err := fault.Parse(
		[]byte(`[{"when":{"operation":"BatchWriteItem","every":2},"do":{"unprocessed":0.5},"seed":7}]`))
	if err != nil {
		panic(err)
	}
	injected := emulator.New().AddFault(faults[0])
	fmt.Println(injected.Fault(), injected.Hits())
	// Output: {"when":{"and":[{"operation":"BatchWriteItem"},{"every":2}]},"do":{"unprocessed":0.5},"seed":7} 0
}

func TestStaleReads(t *testing.T) {
	x := newFaultTest(t)
	require.NoError(t, x.put("a", "0"))
	stale := x.emulator.AddFault(fault.Fault{Do: fault.StaleReads(fault.Bound{Writes: 2}), Seed: 1})
	for i := 1; i <= 5; i++ {
		require.NoError(t, x.put("a", strconv.Itoa(i)))
	}
	seen, indexed := map[string]int{}, map[string]int{}
	see := func() {
		clear(seen)
		clear(indexed)
		for range 100 {
			seen[x.name("a", false)]++
			for i := range 6 {
				if len(x.indexed(strconv.Itoa(i))) > 0 {
					indexed[strconv.Itoa(i)]++
				}
			}
			require.Equal(t, "5", x.name("a", true), "a consistent read is current")
		}
	}
	see()
	assert.Equal(t, []string{"3", "4", "5"}, slices.Sorted(maps.Keys(seen)))
	assert.Equal(t, map[string]int{"5": 100}, indexed, "indexes do not lag for that")
	assert.Positive(t, stale.Hits())

	x.emulator.AddFault(fault.Fault{Do: fault.LaggingIndexes(fault.Bound{Writes: 3}), Seed: 1})
	stale.Remove()
	see()
	assert.Equal(t, map[string]int{"5": 100}, seen)
	assert.Equal(t, []string{"3", "4", "5"}, slices.Sorted(maps.Keys(indexed)),
		"what is remembered since")
	require.NoError(t, x.put("b", "b"))
	see()
	assert.Equal(t, []string{"3", "4", "5"}, slices.Sorted(maps.Keys(indexed)))
	x.emulator.SetFaults()
	see()
	assert.Equal(t, map[string]int{"5": 100}, indexed)
}

func TestStaleReadsAreBoundedByTime(t *testing.T) {
	clock := emulator.NewClock(time.Unix(1000, 0))
	x := newFaultTest(t, emulator.WithHeldClock(clock), emulator.WithFaults(
		fault.Fault{
			When: fault.Key("id", "a"), Do: fault.StaleReads(fault.Bound{Time: time.Second}),
		}))
	require.NoError(t, x.put("a", "1"))
	require.NoError(t, x.put("b", "1"))
	clock.Advance(time.Minute)
	require.NoError(t, x.put("a", "2"))
	require.NoError(t, x.put("b", "2"))
	seen := map[string]int{}
	for range 50 {
		seen["a"+x.name("a", false)]++
		seen["b"+x.name("b", false)]++
		out, err := x.client.BatchGetItem(
			t.Context(),
			&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
				"users": {Keys: []map[string]types.AttributeValue{user("b"), user("a")}}}})
		require.NoError(t, err)
		for _, it := range out.Responses["users"] {
			id := it["id"].(*types.AttributeValueMemberS).Value
			seen["batch "+id+it["name"].(*types.AttributeValueMemberS).Value]++
		}
	}
	assert.Equal(t, []string{"a1", "a2", "b2", "batch a1", "batch a2", "batch b2"},
		slices.Sorted(maps.Keys(seen)))
	clock.Advance(time.Second + 1)
	for range 20 {
		assert.Equal(t, "2", x.name("a", false))
	}
}
