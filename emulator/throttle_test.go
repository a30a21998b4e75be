package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// throttleTest is an emulator that enforces throughput by a held clock, with a
// table "users" whose items have the key id and may be in the index by-name.
type throttleTest struct {
	*testing.T
	emulator *emulator.Emulator
	clock    *emulator.Clock
	client   *dynamodb.Client
}

// units are read and write units a second; zero stands for on demand without a maximum.
type units struct{ read, write int64 }

// newThrottleTest makes a table, provisioned if burst says that its units are.
func newThrottleTest(t *testing.T, provisioned bool, table, index units,
	enforced emulator.Throughput) *throttleTest {
	x := &throttleTest{T: t, clock: emulator.NewClock(time.Unix(1000, 0))}
	x.emulator = emulator.New(emulator.WithHeldClock(x.clock), emulator.WithThroughput(enforced))
	x.client = impatientClient(x.emulator)
	in := usersTable()
	in.AttributeDefinitions = append(in.AttributeDefinitions,
		types.AttributeDefinition{
			AttributeName: aws.String("name"), AttributeType: types.ScalarAttributeTypeS,
		})
	gsi := types.GlobalSecondaryIndex{
		IndexName: aws.String("by-name"),
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("name"), KeyType: types.KeyTypeHash},
		},
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
	}
	if provisioned {
		in.BillingMode = types.BillingModeProvisioned
		in.ProvisionedThroughput = &types.ProvisionedThroughput{
			ReadCapacityUnits: &table.read, WriteCapacityUnits: &table.write,
		}
		gsi.ProvisionedThroughput = &types.ProvisionedThroughput{
			ReadCapacityUnits: &index.read, WriteCapacityUnits: &index.write,
		}
	}
	if !provisioned && table != (units{}) {
		in.OnDemandThroughput = &types.OnDemandThroughput{
			MaxReadRequestUnits: &table.read, MaxWriteRequestUnits: &table.write,
		}
	}
	if !provisioned && index != (units{}) {
		gsi.OnDemandThroughput = &types.OnDemandThroughput{
			MaxReadRequestUnits: &index.read, MaxWriteRequestUnits: &index.write,
		}
	}
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{gsi}
	_, err := x.client.CreateTable(t.Context(), in)
	require.NoError(t, err)
	return x
}

// noBurst keeps no capacity for later.
var noBurst = emulator.Throughput{Burst: -1}

func (x *throttleTest) put(it map[string]types.AttributeValue) error {
	_, err := x.client.PutItem(x.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("users"), Item: it})
	return err
}

func (x *throttleTest) get(id string, consistent bool) error {
	_, err := x.client.GetItem(x.Context(),
		&dynamodb.GetItemInput{
			TableName: aws.String("users"), Key: user(id), ConsistentRead: &consistent,
		})
	return err
}

func (x *throttleTest) query(name string) error {
	_, err := x.client.Query(x.Context(), &dynamodb.QueryInput{
		TableName: aws.String("users"), IndexName: aws.String("by-name"),
		KeyConditionExpression:    aws.String("#n = :n"),
		ExpressionAttributeNames:  map[string]string{"#n": "name"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":n": text(name)},
	})
	return err
}

func (x *throttleTest) scan() error {
	_, err := x.client.Scan(x.Context(),
		&dynamodb.ScanInput{TableName: aws.String("users"), ConsistentRead: aws.Bool(true)})
	return err
}

// sized is a user with an item of so many KB.
func sized(id string, kb int) map[string]types.AttributeValue {
	it := user(id)
	it["x"] = text(strings.Repeat("x", kb<<10-len("id"+id+"x")))
	return it
}

// until is how often f succeeds before it is throttled, and the reason.
func until(t *testing.T, most int, f func() error) (times int, reason string) {
	t.Helper()
	for ; times < most; times++ {
		if err := f(); err != nil {
			return times, reasonOf(t, err)
		}
	}
	return times, ""
}

// reasonOf is the exception, the reason and the end of the resource of a throttled request.
func reasonOf(t *testing.T, err error) string {
	t.Helper()
	exception, reason, resource := throttled(t, err)
	_, resource, _ = strings.Cut(resource, ":table/")
	return throttlingExceptions[exception] + " " + reason + " " + resource
}

// throttlingExceptions shortens the names of exceptions.
var throttlingExceptions = map[string]string{
	"ProvisionedThroughputExceededException": "Provisioned", "ThrottlingException": "Throttling",
}

func TestProvisionedThroughput(t *testing.T) {
	x := newThrottleTest(t, true, units{2, 3}, units{1, 1}, noBurst)
	put := func() error { return x.put(user("a")) }
	const writes = "Provisioned TableWriteProvisionedThroughputExceeded users"
	for range 3 {
		n, reason := until(t, 10, put)
		assert.Equal(t, 3, n)
		assert.Equal(t, writes, reason)
		x.clock.Advance(time.Minute)
	}
	n, reason := until(t, 10, func() error { return x.get("a", true) })
	assert.Equal(t, 2, n)
	assert.Equal(t, "Provisioned TableReadProvisionedThroughputExceeded users", reason)
	x.clock.Advance(time.Minute)
	n, _ = until(t, 10, func() error { return x.get("a", false) })
	assert.Equal(t, 4, n, "eventually consistent reads are half a unit")
	assert.Equal(t, "Provisioned TableReadProvisionedThroughputExceeded users",
		reasonOf(t, x.scan()))
	x.clock.Advance(time.Minute)

	require.NoError(t, x.put(sized("big", 9)), "what is let through may use more than there is")
	assert.Equal(t, writes, reasonOf(t, put()))
	x.clock.Advance(2 * time.Second)
	assert.Equal(t, writes, reasonOf(t, put()), "6 of 9 units are paid")
	x.clock.Advance(time.Second / 2)
	require.NoError(t, put())
}

func TestBurst(t *testing.T) {
	x := newThrottleTest(t, true, units{1, 1}, units{1, 1}, emulator.Throughput{})
	get := func() error { return x.get("a", true) }
	n, _ := until(t, 1000, get)
	assert.Equal(t, 1, n, "a new table has no unused capacity yet")
	x.clock.Advance(10 * time.Second)
	n, _ = until(t, 1000, get)
	assert.Equal(t, 10, n)
	x.clock.Advance(time.Hour)
	n, reason := until(t, 1000, get)
	assert.Equal(t, 300, n)
	assert.Equal(t, "Provisioned TableReadProvisionedThroughputExceeded users", reason)

	_, err := x.client.UpdateTable(
		t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("users"),
			ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(5),
				WriteCapacityUnits: aws.Int64(1)}})
	require.NoError(t, err)
	x.clock.Advance(2 * time.Second)
	n, _ = until(t, 1000, get)
	assert.Equal(t, 10, n, "the bucket fills at the new rate")
	assert.NoError(t, impatientClientGet(x, x.emulator.Fork()), "a fork has buckets of its own")
}

// impatientClientGet reads once from another emulator.
func impatientClientGet(x *throttleTest, e *emulator.Emulator) error {
	other := *x
	other.client = impatientClient(e)
	return other.get("a", true)
}

func TestIndexThroughput(t *testing.T) {
	x := newThrottleTest(t, true, units{100, 100}, units{1, 1}, noBurst)
	require.NoError(t, x.put(named("a", "Ada")))
	const backPressure = "Provisioned IndexWriteProvisionedThroughputExceeded users/index/by-name"
	err := x.put(named("b", "Bob"))
	assert.Equal(t, backPressure, reasonOf(t, err))
	assert.ErrorContains(t, err, "one or more global secondary indexes of the table")
	require.NoError(t, x.put(user("b")), "what is not in the index does not use it")
	require.NoError(t, x.put(named("a", "Ada")), "nor what does not change it")
	x.clock.Advance(time.Second)
	require.NoError(t, x.put(named("a", "Ann")))
	x.clock.Advance(time.Second)
	assert.Equal(t, backPressure, reasonOf(t, x.put(named("b", "Bob"))),
		"an entry that moves is two writes")
	n, reason := until(t, 10, func() error { return x.query("Ann") })
	assert.Equal(t, 2, n)
	assert.Equal(t, "Provisioned IndexReadProvisionedThroughputExceeded users/index/by-name",
		reason)
}

func TestOnDemandThroughput(t *testing.T) {
	x := newThrottleTest(t, false, units{2, 3}, units{1, 2}, emulator.Throughput{})
	x.clock.Advance(time.Hour)
	n, reason := until(t, 10, func() error { return x.put(user("a")) })
	assert.Equal(t, 3, n, "there is no burst")
	assert.Equal(t, "Throttling TableWriteMaxOnDemandThroughputExceeded users", reason)
	n, reason = until(t, 10, x.scan)
	assert.Equal(t, 1, n, "each of the four partitions costs half a unit")
	assert.Equal(t, "Throttling TableReadMaxOnDemandThroughputExceeded users", reason)
	n, reason = until(t, 10, func() error { return x.query("Ada") })
	assert.Equal(t, 2, n)
	assert.Equal(t, "Throttling IndexReadMaxOnDemandThroughputExceeded users/index/by-name", reason)
	x.clock.Advance(time.Second)
	require.NoError(t, x.put(named("a", "Ada")))
	require.NoError(t, x.put(named("b", "Bob")))
	assert.Equal(t, "Throttling IndexWriteMaxOnDemandThroughputExceeded users/index/by-name",
		reasonOf(t, x.put(named("c", "Cem"))))
}

func TestPartitionThroughput(t *testing.T) {
	x := newThrottleTest(t, false, units{}, units{},
		emulator.Throughput{PartitionReads: 2, PartitionWrites: 3})
	n, reason := until(t, 10, func() error { return x.put(user("a")) })
	assert.Equal(t, 3, n)
	assert.Equal(t, "Throttling TableWriteKeyRangeThroughputExceeded users", reason)
	require.NoError(t, x.put(user("b")), "another key has units of its own")
	n, reason = until(t, 10, func() error { return x.get("a", true) })
	assert.Equal(t, 2, n)
	assert.Equal(t, "Provisioned TableReadKeyRangeThroughputExceeded users", reason)
	require.NoError(t, x.scan(), "a scan is of all keys")
	for _, id := range []string{"c", "d", "e"} {
		require.NoError(t, x.put(named(id, "Ada")))
	}
	assert.Equal(t, "Throttling IndexWriteKeyRangeThroughputExceeded users/index/by-name",
		reasonOf(t, x.put(named("f", "Ada"))))
	x = newThrottleTest(t, false, units{}, units{},
		emulator.Throughput{PartitionReads: -1, PartitionWrites: -1})
	n, _ = until(t, 1100, func() error { return x.put(user("a")) })
	assert.Equal(t, 1100, n)
	x = newThrottleTest(t, false, units{}, units{}, emulator.Throughput{})
	n, _ = until(t, 10, func() error { return x.put(sized("a", 200)) })
	assert.Equal(t, 5, n, "1000 units a second")
}

func TestThrottledBatches(t *testing.T) {
	x := newThrottleTest(t, true, units{2, 2}, units{1, 1}, noBurst)
	var writes []types.WriteRequest
	var keys []map[string]types.AttributeValue
	for _, id := range []string{"a", "b", "c"} {
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: user(id)}})
		keys = append(keys, user(id))
	}
	write := func() (*dynamodb.BatchWriteItemOutput, error) {
		return x.client.BatchWriteItem(t.Context(),
			&dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{"users": writes},
			})
	}
	put, err := write()
	require.NoError(t, err)
	assert.Equal(t, writes[2:], put.UnprocessedItems["users"])
	_, err = write()
	assert.Equal(t, "Provisioned TableWriteProvisionedThroughputExceeded users", reasonOf(t, err))
	read := func() (*dynamodb.BatchGetItemOutput, error) {
		return x.client.BatchGetItem(
			t.Context(),
			&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
				"users": {Keys: keys, ConsistentRead: aws.Bool(true)}}})
	}
	got, err := read()
	require.NoError(t, err)
	assert.Len(t, got.Responses["users"], 2)
	assert.Equal(t, keys[2:], got.UnprocessedKeys["users"].Keys)
	_, err = read()
	assert.Equal(t, "Provisioned TableReadProvisionedThroughputExceeded users", reasonOf(t, err))
	statements, err := x.client.BatchExecuteStatement(
		t.Context(), &dynamodb.BatchExecuteStatementInput{Statements: []types.BatchStatementRequest{
			{Statement: aws.String(`SELECT * FROM users WHERE id = 'a'`)}}})
	require.NoError(t, err)
	assert.Equal(t, types.BatchStatementErrorCodeEnumProvisionedThroughputExceeded,
		statements.Responses[0].Error.Code)
}

func TestThrottledTransactions(t *testing.T) {
	x := newThrottleTest(t, true, units{2, 4}, units{1, 1}, noBurst)
	write := func(items ...map[string]types.AttributeValue) error {
		in := &dynamodb.TransactWriteItemsInput{}
		for _, it := range items {
			in.TransactItems = append(in.TransactItems,
				types.TransactWriteItem{Put: &types.Put{TableName: aws.String("users"), Item: it}})
		}
		_, err := x.client.TransactWriteItems(t.Context(), in)
		return err
	}
	codes := func(err error) (codes []string) {
		for _, r := range wantError[*types.TransactionCanceledException](t,
			err).CancellationReasons {
			codes = append(codes, *r.Code)
		}
		return codes
	}
	require.NoError(t, write(user("a"), user("b")), "which costs 4 units")
	assert.Equal(t, []string{"ProvisionedThroughputExceeded"}, codes(write(user("c"))))
	x.clock.Advance(time.Second)
	require.NoError(t, x.put(named("d", "Dee")))
	assert.Equal(t, []string{"None", "ProvisionedThroughputExceeded"},
		codes(write(user("e"), named("f", "Flo"))), "the index has no more")
	require.NoError(t, x.get("e", true))
	out, err := x.client.GetItem(t.Context(),
		&dynamodb.GetItemInput{
			TableName: aws.String("users"), Key: user("e"), ConsistentRead: aws.Bool(true),
		})
	require.NoError(t, err)
	assert.Empty(t, out.Item, "nothing was written")
	x.clock.Advance(time.Second)
	read := func() error {
		_, err := x.client.TransactGetItems(
			t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
				{Get: &types.Get{TableName: aws.String("users"), Key: user("a")}}}})
		return err
	}
	require.NoError(t, read(), "which costs 2 units")
	assert.Equal(t, []string{"ProvisionedThroughputExceeded"}, codes(read()))
}

func TestFailedConditionsUseThroughput(t *testing.T) {
	x := newThrottleTest(t, true, units{1, 6}, units{1, 1}, noBurst)
	require.NoError(t, x.put(sized("a", 3)))
	fail := func() error {
		_, err := x.client.PutItem(t.Context(),
			&dynamodb.PutItemInput{
				TableName: aws.String("users"), Item: user("a"),
				ConditionExpression: aws.String("attribute_not_exists(id)"),
			})
		return err
	}
	wantError[*types.ConditionalCheckFailedException](t, fail())
	assert.Equal(t, "Provisioned TableWriteProvisionedThroughputExceeded users",
		reasonOf(t, fail()), "3 units of the item, twice")
}

func ExampleWithThroughput() {
	clock := emulator.NewClock(time.Unix(0, 0))
	client := impatientClient(
		emulator.New(emulator.WithHeldClock(clock),
			emulator.WithThroughput(emulator.Throughput{PartitionWrites: 2})))
	ctx := context.Background()
	if _, err := client.CreateTable(ctx, usersTable()); err != nil {
		panic(err)
	}
	for second := range 2 {
		for range 3 { // three writes to a hot key
			_, err := client.PutItem(ctx,
				&dynamodb.PutItemInput{TableName: aws.String("users"), Item: user("42")})
			var refused smithy.APIError
			if errors.As(err, &refused) {
				fmt.Println("second", second, refused.ErrorCode())
			}
		}
		clock.Advance(time.Second)
	}
	// Output:
	// second 0 ThrottlingException
	// second 1 ThrottlingException
}
