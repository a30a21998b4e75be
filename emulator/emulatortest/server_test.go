package emulatortest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// text and number make attribute values.
func text(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

type attributes = map[string]types.AttributeValue

// createUsers makes a table of users with the key id.
func createUsers(t testing.TB, client *dynamodb.Client) {
	t.Helper()
	_, err := client.CreateTable(t.Context(), usersTable())
	require.NoError(t, err)
}

func usersTable() *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName: aws.String("users"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash},
		},
		BillingMode: types.BillingModePayPerRequest,
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewImage},
	}
}

func putUser(t testing.TB, client *dynamodb.Client, id string) {
	t.Helper()
	_, err := client.PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("users"), Item: attributes{"id": text(id)}})
	require.NoError(t, err)
}

func hasUser(t testing.TB, client *dynamodb.Client, id string) bool {
	t.Helper()
	out, err := client.GetItem(t.Context(),
		&dynamodb.GetItemInput{TableName: aws.String("users"), Key: attributes{"id": text(id)}})
	require.NoError(t, err)
	return out.Item != nil
}

// fakeTest is a test that the caller can end, and that keeps its failure.
type fakeTest struct {
	cleanups []func()
	failure  string
}

type failed struct{}

func (f *fakeTest) Helper()            {}
func (f *fakeTest) Cleanup(end func()) { f.cleanups = append(f.cleanups, end) }
func (f *fakeTest) Fatalf(format string, args ...any) {
	f.failure = fmt.Sprintf(format, args...)
	panic(failed{})
}

func (f *fakeTest) end() {
	for _, c := range f.cleanups {
		c()
	}
}

// run calls fn and returns the failure.
func (f *fakeTest) run(fn func()) (failure string) {
	defer func() {
		if p := recover(); p != nil && p != any(failed{}) {
			panic(p)
		}
		failure = f.failure
	}()
	fn()
	return
}

func TestClientReachesTheEmulator(t *testing.T) {
	s := emulatortest.Start(t)
	createUsers(t, s.Client())
	putUser(t, s.Client(), "a")
	assert.True(t, hasUser(t, s.Client(), "a"))
	assert.Same(t, s.Client(), s.Client())
	assert.True(t, hasUser(t, dynamodb.NewFromConfig(s.Config()), "a"))
	_, err := s.Client().PutItem(
		t.Context(), &dynamodb.PutItemInput{TableName: aws.String("users"),
			Item:                                attributes{"id": text("a")},
			ConditionExpression:                 aws.String("attribute_not_exists(id)"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
	var condition *types.ConditionalCheckFailedException
	require.ErrorAs(t, err, &condition)
	assert.Equal(t, attributes{"id": text("a")}, condition.Item)
}

func TestStreamsClientReachesTheEmulator(t *testing.T) {
	s := emulatortest.Start(t)
	createUsers(t, s.Client())
	putUser(t, s.Client(), "a")
	assert.Equal(t, []string{"a"}, streamed(t, s))
	f := s.Fork(t)
	putUser(t, f.Client(), "b")
	assert.Equal(t, []string{"a"}, streamed(t, s))
	assert.Equal(t, []string{"a", "b"}, streamed(t, f))
}

// streamed returns the ids in the only stream of a server.
func streamed(t testing.TB, s *emulatortest.Server) (ids []string) {
	t.Helper()
	client, ctx := s.StreamsClient(), t.Context()
	list, err := client.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{})
	require.NoError(t, err)
	require.Len(t, list.Streams, 1)
	stream, err := client.DescribeStream(ctx,
		&dynamodbstreams.DescribeStreamInput{StreamArn: list.Streams[0].StreamArn})
	require.NoError(t, err)
	it, err := client.GetShardIterator(
		ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: list.Streams[0].StreamArn,
			ShardId:           stream.StreamDescription.Shards[0].ShardId,
			ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
	require.NoError(t, err)
	out, err := client.GetRecords(ctx,
		&dynamodbstreams.GetRecordsInput{ShardIterator: it.ShardIterator})
	require.NoError(t, err)
	for _, r := range out.Records {
		ids = append(ids, r.Dynamodb.Keys["id"].(*streamtypes.AttributeValueMemberS).Value)
	}
	return ids
}

func TestURLShowsTheSameTables(t *testing.T) {
	s := emulatortest.Start(t, emulatortest.WithAccessKey("me"),
		emulatortest.WithRegion("eu-west-1"))
	createUsers(t, s.Client())
	putUser(t, s.Client(), "a")
	require.Equal(t, s.URL(), s.URL())
	client := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(s.URL()), Region: "eu-west-1",
		Credentials: credentials.NewStaticCredentialsProvider("me", "any", "")})
	assert.True(t, hasUser(t, client, "a"))
}

func TestEndOfTheTest(t *testing.T) {
	test := new(fakeTest)
	s := emulatortest.Start(test)
	createUsers(t, s.Client())
	url := s.URL()
	test.end()
	_, err := s.Client().ListTables(t.Context(), nil)
	assert.ErrorContains(t, err, "after the end of the test")
	_, err = http.Get(url)
	assert.Error(t, err)
	assert.Equal(t, "emulatortest: URL after the end of the test", test.run(func() { s.URL() }))
}

func TestForkKeepsOptions(t *testing.T) {
	s := emulatortest.Start(t, emulatortest.WithAccessKey("me"),
		emulatortest.WithRegion("eu-west-1"),
		emulatortest.WithEmulator(emulator.WithLimits(emulator.Limits{ItemBytes: 100})),
		emulatortest.WithClockAt(time.Unix(1000, 0)))
	createUsers(t, s.Client())
	f := s.Fork(t, emulatortest.WithEmulator(emulator.WithAccountID("123456789012")))
	out, err := f.Client().DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("users")})
	require.NoError(t, err)
	assert.Equal(t, "arn:aws:dynamodb:eu-west-1:123456789012:table/users", *out.Table.TableArn)
	_, err = f.Client().PutItem(t.Context(),
		&dynamodb.PutItemInput{
			TableName: aws.String("users"),
			Item:      attributes{"id": text("a"), "bio": text(string(make([]byte, 200)))},
		})
	assert.ErrorContains(t, err, "Item size has exceeded the maximum allowed size")
	s.Clock().Advance(time.Hour)
	assert.EqualValues(t, 1000, f.Clock().Now().Unix())
}

func TestClockThatIsNotHeld(t *testing.T) {
	test := new(fakeTest)
	s := emulatortest.Start(test)
	defer test.end()
	assert.Equal(t, "emulatortest: the clock goes by itself: hold it by WithClockAt",
		test.run(func() { s.Clock() }))
}

// brokenOnce fails the first attempt of every request.
type brokenOnce struct {
	aws.HTTPClient
	failures, attempts int
}

func (b *brokenOnce) Do(r *http.Request) (*http.Response, error) {
	b.attempts++
	if b.attempts <= b.failures {
		return nil, http.ErrServerClosed
	}
	return b.HTTPClient.Do(r)
}

// TestRetriesAreTheSDKs: a client makes as many attempts as the SDK, but without waiting.
func TestRetriesAreTheSDKs(t *testing.T) {
	for _, c := range []struct {
		name               string
		failures, attempts int
		fails              bool
	}{
		{"none", 0, 1, false},
		{"two", 2, 3, false},
		{"too many", 3, 3, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken := &brokenOnce{failures: c.failures}
			s := emulatortest.Start(t, emulatortest.WithClientOptions(func(o *dynamodb.Options) {
				broken.HTTPClient, o.HTTPClient = o.HTTPClient, broken
				delay, err := o.Retryer.RetryDelay(10, http.ErrServerClosed)
				assert.NoError(t, err)
				assert.Zero(t, delay)
			}))
			_, err := s.Client().ListTables(t.Context(), nil)
			assert.Equal(t, c.fails, err != nil, "%v", err)
			assert.Equal(t, c.attempts, broken.attempts)
		})
	}
}

func TestStreamsClientOptions(t *testing.T) {
	asked := 0
	s := emulatortest.Start(t,
		emulatortest.WithStreamsClientOptions(func(*dynamodbstreams.Options) { asked++ }))
	s.StreamsClient()
	s.StreamsClient()
	assert.Equal(t, 1, asked)
}
