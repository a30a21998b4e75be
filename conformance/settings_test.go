package conformance

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// The tests in this file need a server with settings of their own, so they start Kugiri whatever
// the server under test.

// private starts a server for one test. It returns a function that calls the server with an access
// key.
func private(t *testing.T, options ...emulator.Option) func(accessKey, op,
	body string) (map[string]any, error) {
	server, err := emulator.New(options...).Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	return func(accessKey, op, body string) (map[string]any, error) {
		signer := credentials.NewStaticCredentialsProvider(accessKey, "secret", "")
		if op == "DescribeStream" || op == "ListStreams" {
			return invoke(context.Background(), dynamodbstreams.New(dynamodbstreams.Options{
				BaseEndpoint: aws.String(server.URL), Region: "eu-west-3", RetryMaxAttempts: 1,
				Credentials: signer}), op, body)
		}
		client := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(server.URL),
			Region: "eu-west-3", RetryMaxAttempts: 1, Credentials: signer})
		return invoke(context.Background(), client, op, body)
	}
}

// step is one request in a sequence of requests.
type step struct {
	name, op, body string
	has            string // members that the answer must have
	err            string
}

func follow(t *testing.T, send func(accessKey, op, body string) (map[string]any, error),
	steps []step) {
	t.Helper()
	for _, s := range steps {
		answer, err := send("KEY", s.op, s.body)
		if s.err != "" {
			assertError(t, s.err, err, s.name)
			continue
		}
		require.NoError(t, err, s.name)
		if s.has != "" {
			assertHas(t, s.has, answer)
		}
	}
}

// TestCollectionLimit: Developer Guide, Local secondary indexes, Item collection size limit.
func TestCollectionLimit(t *testing.T) {
	t.Parallel()
	send := private(t, emulator.WithLimits(emulator.Limits{CollectionBytes: 10_000}))
	item := func(pk, sk string, n int) string {
		return `{"TableName":"collections","Item":{"pk":{"S":"` +
			pk + `"},"sk":{"S":"` + sk + `"},"a":{"S":"` + strings.Repeat("x", n) + `"}}}`
	}
	const exceeded = "ItemCollectionSizeLimitExceededException: *"
	follow(t, send, []step{
		{name: "create", op: "CreateTable",
			body: `{"TableName":"collections",` + keys("pk:S", "sk:S", "lk:S") +
				`,"LocalSecondaryIndexes":[` + index("byl", "ALL", "pk", "lk") + `]}`},
		{name: "below the limit", op: "PutItem", body: item("a", "1", 6000)},
		{name: "above the limit", op: "PutItem", body: item("a", "2", 6000), err: exceeded},
		{name: "nothing was put", op: "GetItem",
			body: `{"TableName":"collections","Key":{"pk":{"S":"a"},"sk":{"S":"2"}}}`,
			has:  `{"Item":null}`},
		{name: "another collection", op: "PutItem", body: item("b", "1", 6000)},
		{name: "growth by an update", op: "UpdateItem",
			body: `{"TableName":"collections","Key":{"pk":{"S":"a"},"sk":{"S":"1"}},"UpdateExpression":"SET b = :b","ExpressionAttributeValues":{":b":{"S":"` + strings.Repeat("x", 6000) + `"}}}`, err: exceeded},
		{name: "growth by an index entry", op: "UpdateItem",
			body: `{"TableName":"collections","Key":{"pk":{"S":"a"},"sk":{"S":"1"}},"UpdateExpression":"SET lk = :b","ExpressionAttributeValues":{":b":{"S":"x"}}}`, err: exceeded},
		{name: "in a batch", op: "BatchWriteItem",
			body: `{"RequestItems":{"collections":[{"PutRequest":` +
				strings.Replace(item("a", "2", 6000), `"TableName":"collections",`, "", 1) + `}]}}`,
			err: exceeded},
		{name: "shrinking", op: "UpdateItem",
			body: `{"TableName":"collections","Key":{"pk":{"S":"a"},"sk":{"S":"1"}},"UpdateExpression":"REMOVE a"}`},
		{name: "room again", op: "PutItem", body: item("a", "2", 6000)},
	})
}

// TestTableStates: Developer Guide, Working with tables. The states change with the clock, which
// the test moves.
func TestTableStates(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 5*time.Second, 3*time.Second))
	status := func(status string) step {
		return step{
			name: "is " + status, op: "DescribeTable", body: `{"TableName":"states"}`,
			has: `{"Table":{"TableStatus":"` + status + `"}}`,
		}
	}
	const inUse = "ResourceInUseException: *"
	follow(t, send, []step{
		{name: "create", op: "CreateTable", body: `{"TableName":"states",` + keys("pk:S") + `}`,
			has: `{"TableDescription":{"TableStatus":"CREATING"}}`},
		status("CREATING"),
		{name: "put while creating", op: "PutItem",
			body: `{"TableName":"states","Item":{"pk":{"S":"a"}}}`,
			err:  noSuchTable},
		{name: "delete while creating", op: "DeleteTable", body: `{"TableName":"states"}`,
			err: inUse},
		{name: "create while creating", op: "CreateTable",
			body: `{"TableName":"states",` + keys("pk:S") + `}`, err: inUse},
	})
	clock.Advance(10 * time.Second)
	create := `{"TableName":"states","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":` + index("byg", "ALL", "g") + `}]}`
	query := `{"TableName":"states","IndexName":"byg","KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"x"}}}`
	follow(t, send, []step{
		status("ACTIVE"),
		{name: "put", op: "PutItem",
			body: `{"TableName":"states","Item":{"pk":{"S":"a"},"g":{"S":"x"}}}`},
		{name: "add an index", op: "UpdateTable", body: create,
			has: `{"TableDescription":{"GlobalSecondaryIndexes":[{"IndexStatus":"CREATING"}]}}`},
		{name: "another update", op: "UpdateTable",
			body: `{"TableName":"states","TableClass":"STANDARD_INFREQUENT_ACCESS"}`, err: inUse},
		{name: "put while updating", op: "PutItem",
			body: `{"TableName":"states","Item":{"pk":{"S":"b"},"g":{"S":"x"}}}`},
		{name: "query an index that is being created", op: "Query", body: query,
			err: "ValidationException: Cannot read from backfilling global secondary index: byg"},
	})
	clock.Advance(15 * time.Second)
	follow(t, send, []step{
		{name: "the index is there", op: "DescribeTable", body: `{"TableName":"states"}`,
			has: `{"Table":{"TableStatus":"ACTIVE","GlobalSecondaryIndexes":[{"IndexStatus":"ACTIVE"}]}}`},
		{name: "query it", op: "Query", body: query, has: `{"Count":2}`},
		{name: "delete", op: "DeleteTable", body: `{"TableName":"states"}`,
			has: `{"TableDescription":{"TableStatus":"DELETING"}}`},
		status("DELETING"),
		{name: "delete again: service facts S.6", op: "DeleteTable", body: `{"TableName":"states"}`,
			err: inUse},
	})
	clock.Advance(3 * time.Second)
	follow(t, send, []step{
		{name: "it is gone", op: "DescribeTable", body: `{"TableName":"states"}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: states not found"},
		{name: "its name is free", op: "CreateTable",
			body: `{"TableName":"states",` + keys("pk:S") + `}`},
	})
}

// TestSharedData: all access keys and regions share one set of tables, and ARNs have one account.
func TestSharedData(t *testing.T) {
	t.Parallel()
	send := private(t, emulator.WithSharedData(), emulator.WithAccountID("123456789012"))
	created, err := send("ONE", "CreateTable", `{"TableName":"shared",`+keys("pk:S")+`}`)
	require.NoError(t, err)
	assert.Equal(t, "arn:aws:dynamodb:eu-west-3:123456789012:table/shared",
		at(t, created, "TableDescription", "TableArn"))
	_, err = send("ONE", "PutItem", `{"TableName":"shared","Item":{"pk":{"S":"a"}}}`)
	require.NoError(t, err)
	answer, err := send("TWO", "GetItem", `{"TableName":"shared","Key":{"pk":{"S":"a"}}}`)
	require.NoError(t, err)
	assertHas(t, `{"Item":{"pk":{"S":"a"}}}`, answer)
}

// TestThrottling: Developer Guide, "Throttling error handling" and "Burst capacity"; API Reference,
// Common Errors, TransactWriteItems, TransactionCanceledException, and BatchWriteItem,
// UnprocessedItems.
func TestThrottling(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	send := private(t, emulator.WithClock(func() time.Time { return now }),
		emulator.WithThroughput(emulator.Throughput{Burst: -1}))
	const (
		exceeded = "ProvisionedThroughputExceededException: The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API."
		put      = `{"TableName":"slow","Item":{"pk":{"S":"a"}}}`
		get      = `{"TableName":"slow","Key":{"pk":{"S":"a"}},"ConsistentRead":true}`
	)
	follow(t, send, []step{
		{name: "create", op: "CreateTable",
			body: `{"TableName":"slow","ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":1},"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`},
		{name: "a unit of one", op: "PutItem", body: put},
		{name: "one too many", op: "PutItem", body: put, err: exceeded},
		{name: "reads have units of their own", op: "GetItem", body: get},
		{name: "the second of two", op: "GetItem", body: get},
		{name: "the third of two", op: "GetItem", body: get, err: exceeded},
		{name: "a batch of throttled writes only", op: "BatchWriteItem",
			body: `{"RequestItems":{"slow":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}}`,
			err:  exceeded},
		{name: "a transaction", op: "TransactWriteItems",
			body: `{"TransactItems":[{"Put":{"TableName":"slow","Item":{"pk":{"S":"b"}}}}]}`,
			err:  "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [ThrottlingError] || TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [ProvisionedThroughputExceeded]"},
	})
	now = now.Add(time.Second)
	follow(t, send, []step{
		{name: "a second later", op: "PutItem",
			body: `{"TableName":"slow","Item":{"pk":{"S":"a"},"x":{"S":"` +
				strings.Repeat("x", 3000) + `"}}}`},
		{name: "the throttled requests wrote nothing", op: "GetItem",
			body: `{"TableName":"slow","Key":{"pk":{"S":"b"}}}`, has: `{"Item":null}`},
	})
	now = now.Add(time.Second)
	follow(t, send,
		[]step{{name: "more was used than there was", op: "PutItem", body: put, err: exceeded}})
	now = now.Add(2 * time.Second)
	follow(t, send, []step{{name: "until it is paid", op: "PutItem", body: put}})
}

// TestTablesBeingCreated: ack-api-quirks, DDB-TABLE-442, 444, 446 and 447, probes of the service.
func TestTablesBeingCreated(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 0, 0))
	const arn = "arn:aws:dynamodb:eu-west-3:000000000000:table/early"
	const inUse = "ResourceInUseException: Attempt to change a resource which is still in use: Table is being created: early"
	const ttl = `"TableName":"early","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}`
	create := `{"TableName":"early",` + keys("pk:S") + `}`
	follow(t, send, []step{
		{name: "create", op: "CreateTable", body: create},
		{name: "create again", op: "CreateTable", body: create, err: inUse},
		{name: "update", op: "UpdateTable",
			body: `{"TableName":"early","DeletionProtectionEnabled":true}`, err: inUse},
		{name: "tag", op: "TagResource",
			body: `{"ResourceArn":"` + arn + `","Tags":[{"Key":"a","Value":"b"}]}`,
			err:  "ResourceNotFoundException: Requested resource not found: ResourceArn: arn:aws:dynamodb:eu-west-3:000000000000:table/early not found"},
		{name: "update TTL", op: "UpdateTimeToLive", body: `{` + ttl + `}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: early not found"},
		{name: "describe TTL", op: "DescribeTimeToLive", body: `{"TableName":"early"}`,
			err: "ValidationException: Cannot describe time to live while table is in CREATING state: Current table state is CREATING"},
		{name: "recovery", op: "UpdateContinuousBackups",
			body: `{"TableName":"early","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`,
			err:  "TableNotFoundException: Table not found: early"},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		{name: "update TTL of an active table", op: "UpdateTimeToLive", body: `{` + ttl + `}`},
		{name: "describe its TTL", op: "DescribeTimeToLive", body: `{"TableName":"early"}`,
			has: `{"TimeToLiveDescription":{"AttributeName":"t"}}`},
	})
}
