package conformance

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// regional serves an emulator of its own and returns a function that sends a request to a region.
func regional(t *testing.T, options ...emulator.Option) func(region, op,
	body string) (map[string]any, error) {
	server, err := emulator.New(options...).Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	return func(region, op, body string) (map[string]any, error) {
		client := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(server.URL),
			Region: region, RetryMaxAttempts: 1,
			Credentials: credentials.NewStaticCredentialsProvider("KEY", "secret", "")})
		return invoke(context.Background(), client, op, body)
	}
}

// regionalStep is a step in a region.
type regionalStep struct {
	region string
	step
}

func followIn(t *testing.T, send func(region, op, body string) (map[string]any, error),
	steps []regionalStep) {
	t.Helper()
	for _, s := range steps {
		follow(t, func(_, op, body string) (map[string]any, error) {
			return send(s.region, op, body)
		}, []step{s.step})
	}
}

// TestGlobalTableRequests: what the operations on global tables say of requests that cannot
// succeed.
func TestGlobalTableRequests(t *testing.T) {
	t.Parallel()
	x := newTable(t, keys("pk:S"))
	update := func(replicas string) string {
		return `{"TableName":"` + x.name + `","ReplicaUpdates":[` + replicas + `]}`
	}
	run(t, defaults{src: "API Reference"}, []kase{
		{name: "a replica without an action", src: "ack-api-quirks, DDB-TABLE-223",
			op: "UpdateTable", in: update(`{}`),
			err: "ValidationException: There are no actions specified in the Replica Update Action of the request."},
		{name: "a replica with two actions", op: "UpdateTable",
			in: update(
				`{"Create":{"RegionName":"us-west-2"},"Delete":{"RegionName":"us-west-2"}}`),
			src: "ack-api-quirks, DDB-TABLE-223",
			err: "ValidationException: Update table operation with more than one type of replica actions not allowed."},
		{name: "a replica to delete that is not there", op: "UpdateTable",
			in: update(`{"Delete":{"RegionName":"us-west-2"}}`), err: "ValidationException: *"},
		{name: "a replica to update that is not there", op: "UpdateTable",
			in:  update(`{"Update":{"RegionName":"us-west-2","TableClassOverride":"STANDARD"}}`),
			err: "ValidationException: *"},
		{name: "no replica", op: "UpdateTable", in: update(``),
			err: "ValidationException: 1 validation error detected: Value '[]' at 'replicaUpdates' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "strong consistency without replicas", op: "UpdateTable",
			in:  `{"TableName":"` + x.name + `","MultiRegionConsistency":"STRONG"}`,
			err: "ValidationException: *"},
		{name: "a witness of no global table", op: "UpdateTable",
			in: `{"TableName":"` + x.name +
				`","GlobalTableWitnessUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`,
			err: "ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"},
		{name: "a global table that is not there", op: "DescribeGlobalTable",
			in: `{"GlobalTableName":"` + x.name + `"}`, err: "GlobalTableNotFoundException: *"},
		{name: "settings of a global table that is not there", op: "DescribeGlobalTableSettings",
			in: `{"GlobalTableName":"` + x.name + `"}`, err: "GlobalTableNotFoundException: *"},
		{name: "an update of a global table that is not there", op: "UpdateGlobalTable",
			in:  `{"GlobalTableName":"` + x.name + `","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`,
			err: "GlobalTableNotFoundException: *"},
		{name: "a global table of no tables", op: "CreateGlobalTable",
			in: `{"GlobalTableName":"no-such-table","ReplicationGroup":[{"RegionName":"us-west-2"}]}`, err: "TableNotFoundException: *"},
		{name: "auto scaling of no table", op: "DescribeTableReplicaAutoScaling",
			in:  `{"TableName":"no-such-table"}`,
			src: "ack-api-quirks, DDB-TABLE-187",
			err: "ResourceNotFoundException: Global table with name: 'no-such-table' does not exist."},
	})
}

const (
	createSongs  = `{"TableName":"songs","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`
	replicate    = `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}}]}`
	putSong      = `{"TableName":"songs","Item":{"pk":{"S":"a"},"v":{"S":"1"}}}`
	getSong      = `{"TableName":"songs","Key":{"pk":{"S":"a"}}}`
	describeSong = `{"TableName":"songs"}`
)

// TestGlobalTable: Developer Guide, "How DynamoDB global tables work".
func TestGlobalTable(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := regional(t, emulator.WithHeldClock(clock))
	const source = "ValidationException: Replica cannot be deleted because it has acted as a source region for new replica(s) being added to the table in the last 24 hours."
	followIn(t, send, []regionalStep{
		{"us-east-1", step{name: "create", op: "CreateTable", body: createSongs}},
		{"us-east-1", step{name: "replicate to itself", op: "UpdateTable",
			body: `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"us-east-1"}}]}`,
			// ack-api-quirks, DDB-TABLE-223
			err: "ValidationException: Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as required."}},
		{"us-east-1", step{name: "replicate to no region", op: "UpdateTable",
			body: `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"us-wst-2"}}]}`,
			// ack-api-quirks, DDB-TABLE-223
			err: "ValidationException: Region us-wst-2 is not supported. The latest version of global tables are only supported in the following regions: *"}},
		{"us-east-1", step{name: "replicate to another partition", op: "UpdateTable",
			body: `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"cn-north-1"}}]}`,
			err:  "ValidationException: *"}},
		{"us-east-1", step{name: "replicate", op: "UpdateTable", body: replicate}},
		// ack-api-quirks, DDB-TABLE-223
		{"us-east-1", step{name: "replicate again", op: "UpdateTable", body: replicate,
			err: "ValidationException: Failed to create a the new replica of table with name: ‘songs’ because one or more replicas already existed as tables."}},
		{"us-east-1", step{name: "update no replica", op: "UpdateTable",
			body: `{"TableName":"songs","ReplicaUpdates":[{"Update":{"RegionName":"eu-west-1","TableClassOverride":"STANDARD"}}]}`,
			// ack-api-quirks, DDB-TABLE-223
			err: "ValidationException: Update global table operation failed because one or more replicas were not part of the global table. " +
				"Please retry the request without these replicas: [eu-west-1]."}},
		{"us-east-1", step{name: "update nothing", op: "UpdateTable",
			body: `{"TableName":"songs","ReplicaUpdates":[{"Update":{"RegionName":"us-west-2"}}]}`,
			// ack-api-quirks, DDB-TABLE-223
			err: "ValidationException: There are no actions specified in the Replica Update Action of the request."}},
		{"us-east-1", step{name: "two replicas at once", op: "UpdateTable",
			body: `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}},{"Create":{"RegionName":"eu-west-2"}}]}`,
			// ack-api-quirks, DDB-TABLE-265
			err: "ValidationException: Update table operation with more than one create or delete replica actions not allowed"}},
		{"us-east-1", step{name: "the replica is described", op: "DescribeTable",
			body: describeSong,
			has: `{"Table":{"GlobalTableVersion":"2019.11.21","MultiRegionConsistency":null,"Replicas":[{"RegionName":"us-west-2","ReplicaStatus":"ACTIVE"}],
				"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}}`}},
		{"us-west-2",
			step{name: "the first table is described", op: "DescribeTable", body: describeSong,
				has: `{"Table":{"Replicas":[{"RegionName":"us-east-1","ReplicaStatus":"ACTIVE"}]}}`}},
		{"us-west-2", step{name: "the stream stays", op: "UpdateTable",
			body: `{"TableName":"songs","StreamSpecification":{"StreamEnabled":false}}`,
			// ack-api-quirks, DDB-TABLE-442
			err: "ValidationException: One or more parameter values were invalid: Disabling Stream is not allowed for a Global Table replica."}},
		{"us-east-1", step{name: "put", op: "PutItem", body: putSong}},
		{"us-west-2",
			step{name: "get", op: "GetItem", body: getSong,
				has: `{"Item":{"pk":{"S":"a"},"v":{"S":"1"}}}`}},
		// go-to-k/cdkd, issue 1442
		{"us-east-1",
			step{name: "delete the source", op: "DeleteTable", body: describeSong, err: source}},
		{"us-east-1",
			step{name: "delete the replica", op: "UpdateTable",
				body: `{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`}},
		{"us-west-2",
			step{name: "the replica is gone", op: "GetItem", body: getSong,
				err: noSuchTable}},
		{"us-east-1", step{name: "delete", op: "DeleteTable", body: describeSong}},
	})
}

// TestStrongGlobalTable: Developer Guide, "Multi-Region strong consistency (MRSC)".
func TestStrongGlobalTable(t *testing.T) {
	t.Parallel()
	send := regional(t)
	strong := func(replicas, witness string) string {
		return `{"TableName":"songs","MultiRegionConsistency":"STRONG","ReplicaUpdates":[` +
			replicas + `]` + witness + `}`
	}
	const west, witness = `{"Create":{"RegionName":"us-west-2"}}`, `,"GlobalTableWitnessUpdates":[{"Create":{"RegionName":"us-east-2"}}]`
	followIn(t, send, []regionalStep{
		{"us-east-1", step{name: "create", op: "CreateTable", body: createSongs}},
		{"us-east-1",
			step{name: "two regions", op: "UpdateTable", body: strong(west, ""),
				err: "ValidationException: *"}},
		{"us-east-1",
			step{name: "regions of two sets", op: "UpdateTable",
				body: strong(west+`,{"Create":{"RegionName":"eu-west-1"}}`, ""),
				err:  "ValidationException: *"}},
		{"us-east-1", step{name: "with a witness", op: "UpdateTable", body: strong(west, witness)}},
		{"us-west-2", step{name: "described", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"MultiRegionConsistency":"STRONG","GlobalTableWitnesses":[{"RegionName":"us-east-2","WitnessStatus":"ACTIVE"}]}}`}},
		{"us-west-2", step{name: "put", op: "PutItem", body: putSong}},
		{"us-east-1",
			step{name: "get", op: "GetItem",
				body: `{"TableName":"songs","Key":{"pk":{"S":"a"}},"ConsistentRead":true}`,
				has:  `{"Item":{"v":{"S":"1"}}}`}},
		{"us-east-1",
			step{name: "a transaction", op: "TransactWriteItems",
				body: `{"TransactItems":[{"Put":` + putSong + `}]}`,
				err:  "ValidationException: *"}},
		{"us-east-1", step{name: "the witness has no table", op: "UpdateTable",
			body: `{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`,
			// ack-api-quirks, DDB-TABLE-260
			err: "ValidationException: Update table delete operation does not include all witnesses."}},
		{"us-west-2", step{name: "another replica", op: "UpdateTable",
			body: `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`,
			// ack-api-quirks, DDB-TABLE-260
			err: "ValidationException: Cannot add replicas to a global table with strong MultiRegionConsistency"}},
		{"us-west-2", step{name: "another consistency", op: "UpdateTable",
			body: `{"TableName":"songs","MultiRegionConsistency":"EVENTUAL","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`,
			// ack-api-quirks, DDB-TABLE-260
			err: "ValidationException: MultiRegionConsistency parameter is unsupported on existing global table"}},
		{"us-west-2", step{name: "consistency beside a deletion", op: "UpdateTable",
			body: strong(`{"Delete":{"RegionName":"us-east-1"}}`, ""),
			// ack-api-quirks, DDB-TABLE-260
			err: "ValidationException: Only Replica Create actions are supported when MultiRegionConsistency parameter is provided."}},
		{"us-west-2", step{name: "delete one", op: "DeleteTable", body: `{"TableName":"songs"}`,
			// ack-api-quirks, DDB-TABLE-260
			err: "ValidationException: Deletion of only one table replica is not supported for global tables with MultiRegionConsistency set to STRONG."}},
	})
}

// TestKeysOfReplicas: ack-api-quirks, DDB-TABLE-295, 309 and 313, probes of the service.
func TestKeysOfReplicas(t *testing.T) {
	t.Parallel()
	send := regional(t)
	const east, west, ohio = "us-east-1", "us-west-2", "us-east-2"
	key := func(region string) string { return "arn:aws:kms:" + region + ":000000000000:key/1a2b" }
	encrypted := func(region string) string {
		return `"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"` +
			key(region) + `"}`
	}
	add := func(table, region, more string) string {
		return `{"TableName":"` + table + `","ReplicaUpdates":[{"Create":{"RegionName":"` +
			region + `"` + more + `}}]}`
	}
	withKey := func(region string) string { return `,"KMSMasterKeyId":"` + key(region) + `"` }
	encryptedWith := func(region string) string {
		return `{"Table":{"SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"` + key(region) + `"}}}`
	}
	followIn(t, send, []regionalStep{
		{east, step{name: "create", op: "CreateTable",
			body: `{"TableName":"songs",` + encrypted(east) + `,` + keys("pk:S") + `}`}},
		{east, step{name: "a replica without a key", op: "UpdateTable",
			body: add("songs", west, ""),
			err:  "ValidationException: One or more parameter values were invalid: KMSMasterKeyId must be specified for each replica."}},
		{west, step{name: "is not there", op: "DescribeTable", body: `{"TableName":"songs"}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: songs not found"}},
		{east, step{name: "a replica with a key", op: "UpdateTable",
			body: add("songs", west, withKey(west))}},
		{west, step{name: "has it", op: "DescribeTable", body: `{"TableName":"songs"}`,
			has: encryptedWith(west)}},
		{east, step{name: "a second one without a key", op: "UpdateTable",
			body: add("songs", ohio, ""),
			err:  "ValidationException: One or more parameter values were invalid: KMSMasterKeyId must be specified for each replica."}},
		{east, step{name: "a replica with the key of AWS", op: "UpdateTable",
			body: add("songs", ohio, `,"KMSMasterKeyId":"alias/aws/dynamodb"`),
			err:  "ValidationException: One or more parameter values were invalid: All replica keys must either be Customer Managed CMK or AWS Managed CMK."}},
		{west, step{name: "another key", op: "UpdateTable",
			body: `{"TableName":"songs",` +
				strings.Replace(encrypted(west), "1a2b", "3c4d", 1) + `}`}},
		{west, step{name: "has that", op: "DescribeTable", body: `{"TableName":"songs"}`,
			has: `{"Table":{"SSEDescription":{"KMSMasterKeyArn":"` +
				strings.Replace(key(west), "1a2b", "3c4d", 1) + `"}}}`}},
		{east, step{name: "create with the key of AWS", op: "CreateTable",
			body: `{"TableName":"managed","SSESpecification":{"Enabled":true},` +
				keys("pk:S") + `}`}},
		{east, step{name: "a replica of it with another key", op: "UpdateTable",
			body: add("managed", west, withKey(west)),
			err:  "ValidationException: One or more parameter values were invalid: KMSMasterKeyId must be specified for each replica."}},
		{east, step{name: "its replica needs no key", op: "UpdateTable",
			body: add("managed", west, "")}},
	})
}

// TestScalingOfReplicas: ack-api-quirks, DDB-TABLE-187, 190 and 446, probes of the service.
func TestScalingOfReplicas(t *testing.T) {
	t.Parallel()
	send := regional(t)
	const east, west = "us-east-1", "us-west-2"
	update := func(members string) string { return `{"TableName":"songs",` + members + `}` }
	const settings = `{"MinimumUnits":1,"MaximumUnits":10,"ScalingPolicyUpdate":{"TargetTrackingScalingPolicyConfiguration":{"TargetValue":70}}}`
	const refused = "ValidationException: Failed to update global table with name ‘songs‘. Replicas 'US-EAST-1', 'US-WEST-2' BillingMode is PayPerRequest. " +
		"You must convert table's BillingMode to PROVISIONED to set parameters: "
	followIn(t, send, []regionalStep{
		{east, step{name: "create", op: "CreateTable",
			body: `{"TableName":"songs",` + keys("pk:S") + `}`}},
		{east, step{name: "add a replica", op: "UpdateTable",
			body: update(`"ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}}]`)}},
		{east, step{name: "writes on demand", op: "UpdateTableReplicaAutoScaling",
			body: update(`"ProvisionedWriteCapacityAutoScalingUpdate":` + settings),
			err:  refused + "'GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate'."}},
		{west, step{name: "reads on demand", op: "UpdateTableReplicaAutoScaling",
			body: update(
				`"ReplicaUpdates":[{"RegionName":"us-west-2","ReplicaProvisionedReadCapacityAutoScalingUpdate":` + settings + `}]`),
			err: refused + "'ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate'."}},
		{east, step{name: "no scaling on demand", op: "UpdateTableReplicaAutoScaling",
			body: update(
				`"ProvisionedWriteCapacityAutoScalingUpdate":{"AutoScalingDisabled":true}`)}},
		{east, step{name: "a region without a replica", op: "UpdateTableReplicaAutoScaling",
			body: update(`"ReplicaUpdates":[{"RegionName":"us-east-2"}]`),
			err:  "ResourceNotFoundException: Failed to update settings for global table with name: ‘songs’ because a replica does not exist in regions: ‘[us-east-2]’."}},
		{east, step{name: "no table", op: "UpdateTableReplicaAutoScaling",
			body: `{"TableName":"none1"}`,
			err:  "ResourceNotFoundException: Global table with name: 'none1' does not exist."}},
	})
}
