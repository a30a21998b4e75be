package emulator_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/emulator"
)

// byHeader is the shop, where all tenants are known by the header.
func byHeader() policy.Policy {
	p := policytest.Shop()
	p.Tenants.Callers = nil
	return p
}

// A header makes nobody privileged whose signature is not verified.
func TestPolicyHeaderIsBelievedOfTenantsOnly(t *testing.T) {
	engine, err := policy.Compile(byHeader())
	require.NoError(t, err)
	past := newPolicyTest(t, policytest.Shop())
	g := servesPolicy(t, past.emulator.Fork(emulator.WithPolicy(engine)))
	require.NoError(t,
		puts("data", itemOf("PRODUCT#tenant001", ulidA, "version", "=0"))(g,
			g.as("ANY", "tenant001")))
	refusedFor(t, policy.RuleTenantCaller,
		gets("data", itemOf("PRODUCT#tenant001", ulidA))(g, g.as("ANY", "admin")))
	refusedFor(t, policy.RuleTenantCaller,
		gets("data", itemOf("USER#common", "sso#abc"))(g, g.as("ANY", "tenant003")))
	refusedFor(t, policy.RuleTenantOperation, deletesTable("data")(g, g.as("ANY", "admin")))
}

// Where signatures are verified, the header counts if it is signed.
func TestPolicyHeaderOfAVerifiedCaller(t *testing.T) {
	engine, err := policy.Compile(byHeader())
	require.NoError(t, err)
	past := newPolicyTest(t, policytest.Shop())
	g := servesPolicy(t,
		past.emulator.Fork(emulator.WithPolicy(engine),
			emulator.WithCredentials(map[string]emulator.Secret{"AK": {Key: "secret"}})))
	verified := dynamodb.New(dynamodb.Options{Region: "us-east-1",
		BaseEndpoint: aws.String(g.server.URL), Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("AK", "secret", "")})
	_, err = verified.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("data")},
		dynamodb.WithAPIOptions(smithyhttp.AddHeaderValue("X-Tenant", "admin")))
	require.NoError(t, err)
	_, err = verified.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("data")},
		dynamodb.WithAPIOptions(smithyhttp.AddHeaderValue("X-Tenant", "tenant001")))
	refusedFor(t, policy.RuleTenantScan, err)
	require.ErrorContains(t, scans("data", "")(g, g.as("AK", "admin")),
		"'X-Tenant' must be a 'SignedHeader'", "it is put in when the request is signed already")
}

// A token is one tenant's: another's transaction is no repetition, and differs without being told
// so.
func TestPolicyTokensAreOfTheirTenants(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	write := func(c *dynamodb.Client, tenant, title string) error {
		_, err := c.TransactWriteItems(
			t.Context(), &dynamodb.TransactWriteItemsInput{ClientRequestToken: aws.String("token"),
				TransactItems: []types.TransactWriteItem{
					putAction("data",
						itemOf("PRODUCT#"+tenant, ulidA, "version", "=0", "title", title)),
				}})
		return err
	}
	require.NoError(t, write(g.Client, "tenant001", "a"))
	require.NoError(t, write(g.as("AK2", ""), "tenant002", "b"))
	require.NoError(t, write(g.Client, "tenant001", "a"), "sent again")
	require.ErrorContains(t, write(g.Client, "tenant001", "c"), "IdempotentParameterMismatch")
	assert.Len(t, g.items("data"), 2)
}

// streamsAs is a client of streams.
func (g *policyTest) streamsAs(accessKey string) *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{Region: "us-east-1",
		BaseEndpoint: aws.String(g.server.URL), Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider(accessKey, "secret", "")})
}

// A stream shows tenants what is theirs or shared, and the iterator goes on behind what is not.
func TestPolicyStreams(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	gate := g.as("ADMIN", "")
	for _, table := range []string{"data", "other"} {
		_, err := gate.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: &table,
			StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
				StreamViewType: types.StreamViewTypeNewAndOldImages}})
		require.NoError(t, err)
	}
	for _, key := range [][2]string{{"PRODUCT#tenant002", ulidA}, {"PRODUCT#tenant001", ulidA},
		{"USER#common", "sso#abc"},
		{"USER_TENANT#common", "tenant002#u"}, {"USER_TENANT#common", "tenant001#u"},
		{"PRODUCT#tenant002", ulidB}} {
		require.NoError(t, puts("data", itemOf(key[0], key[1], "version", "=0"))(g, gate))
	}
	listed, err := g.streamsAs("ADMIN").ListStreams(t.Context(),
		&dynamodbstreams.ListStreamsInput{})
	require.NoError(t, err)
	require.Len(t, listed.Streams, 2)
	arn := listed.Streams[0].StreamArn
	for _, c := range []struct {
		key     string
		streams int
		keys    []string
	}{
		{"AK1", 1, []string{"PRODUCT#tenant001", "USER#common", "USER_TENANT#common"}},
		{"AK2", 1,
			[]string{"PRODUCT#tenant002", "USER#common", "USER_TENANT#common",
				"PRODUCT#tenant002"}},
		{"ADMIN", 2,
			[]string{"PRODUCT#tenant002", "PRODUCT#tenant001", "USER#common", "USER_TENANT#common",
				"USER_TENANT#common", "PRODUCT#tenant002"}},
	} {
		t.Run(c.key, func(t *testing.T) {
			s := g.streamsAs(c.key)
			listed, err := s.ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{})
			require.NoError(t, err)
			assert.Len(t, listed.Streams, c.streams)
			tables, err := g.as(c.key, "").ListTables(t.Context(), &dynamodb.ListTablesInput{})
			require.NoError(t, err)
			assert.Equal(t, c.streams == 2, len(tables.TableNames) == 5, "%v", tables.TableNames)
			assert.Equal(t, c.keys, partitionsShown(t, s, s, arn))
			assert.Equal(t, c.keys, partitionsShown(t, g.streamsAs("ADMIN"), s, arn),
				"by an iterator of another caller")
		})
	}
	stranger := g.streamsAs("STRANGER")
	none, err := stranger.ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{})
	require.NoError(t, err)
	assert.Empty(t, none.Streams)
	_, err = stranger.DescribeStream(t.Context(),
		&dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	refusedFor(t, policy.RuleTenantCaller, err)
}

// partitionsShown are the partition keys of the records of a stream, which s reads one by one from
// iterators that maker gets.
func partitionsShown(t *testing.T, maker, s *dynamodbstreams.Client, arn *string) (keys []string) {
	described, err := s.DescribeStream(t.Context(),
		&dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	require.NoError(t, err)
	for _, shard := range described.StreamDescription.Shards {
		made, err := maker.GetShardIterator(
			t.Context(), &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
				ShardId:           shard.ShardId,
				ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
		require.NoError(t, err)
		for next := made.ShardIterator; next != nil; {
			page, err := s.GetRecords(t.Context(),
				&dynamodbstreams.GetRecordsInput{ShardIterator: next, Limit: aws.Int32(1)})
			require.NoError(t, err)
			for _, r := range page.Records {
				keys = append(keys,
					r.Dynamodb.Keys["pk"].(*streamtypes.AttributeValueMemberS).Value)
			}
			if next = page.NextShardIterator; len(page.Records) == 0 {
				break
			}
		}
	}
	return keys
}
