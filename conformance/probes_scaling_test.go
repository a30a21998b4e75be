package conformance

import (
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// tracks is a policy of auto scaling.
const tracks = `"ScalingPolicyUpdate":{"TargetTrackingScalingPolicyConfiguration":{"TargetValue":70}}`

// TestProbesOfScaling: ack-api-quirks, DDB-TABLE-187, 189, 232, 237, 238, 240–242, 253–256,
// 265, 288, 289, 291, 317, 322 and 323, probes of the service.
func TestProbesOfScaling(t *testing.T) {
	t.Parallel()
	send := regional(t)
	const east, west, update, describe = "us-east-1", "us-west-2", "UpdateTableReplicaAutoScaling", "DescribeTableReplicaAutoScaling"
	const failed = "ValidationException: Failed to update settings for global table with name"
	const off = `{"AutoScalingDisabled":true,"ScalingPolicies":[],"MinimumUnits":null}`
	const role = `"AutoScalingRoleArn":"arn:aws:iam::000000000000:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"`
	set := func(members string) string { return `{"TableName":"songs",` + members + `}` }
	writes := func(settings string) string {
		return set(`"ProvisionedWriteCapacityAutoScalingUpdate":{` + settings + `}`)
	}
	index := func(settings string) string {
		return set(`"GlobalSecondaryIndexUpdates":[{"IndexName":"idx","ProvisionedWriteCapacityAutoScalingUpdate":{` + settings + `}}]`)
	}
	reads := func(settings string) string {
		return set(`"ReplicaUpdates":[{"RegionName":"us-west-2","ReplicaProvisionedReadCapacityAutoScalingUpdate":{` + settings + `}}]`)
	}
	const bounds, name = `"MinimumUnits":1,"MaximumUnits":10,`, `{"TableName":"songs"}`
	const replica = `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}}]}`
	const throughput = `"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}`
	const second = `{"IndexName":"second","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},` + throughput + `}`
	addIndex := set(`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":` + second + `}]`)
	const scaled = `{"MinimumUnits":1,"MaximumUnits":10,"AutoScalingDisabled":null,` + role + `,"ScalingPolicies":[{"PolicyName":"`
	const to70 = `","TargetTrackingScalingPolicyConfiguration":{"TargetValue":70}}]}`
	followIn(t, send, []regionalStep{
		{east, step{name: "create", op: "CreateTable", body: `{"TableName":"songs","BillingMode":"PROVISIONED",` + throughput + `,
			"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
			"GlobalSecondaryIndexes":[{"IndexName":"idx","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},` + throughput + `}]}`}},
		{east, step{name: "replica of what is not scaled", op: "UpdateTable", body: replica,
			err: "ValidationException: Table write capacity should either be Pay-Per-Request or AutoScaled."}},
		{east, step{name: "scale the table", op: update, body: writes(bounds + tracks)}},
		{east, step{name: "replica of an index that is not scaled", op: "UpdateTable", body: replica,
			err: "ValidationException: GSI write capacity should either be Pay-Per-Request or AutoScaled."}},
		{east, step{name: "scale the index", op: update, body: index(bounds + tracks)}},
		{east, step{name: "replicate", op: "UpdateTable", body: replica}},
		{west, step{name: "all replicas, in alphabetical order", op: describe, body: name,
			has: `{"TableAutoScalingDescription":{"Replicas":[
				{"RegionName":"us-east-1","ReplicaProvisionedReadCapacityAutoScalingSettings":` + off + `,
					"ReplicaProvisionedWriteCapacityAutoScalingSettings":` + scaled + `DynamoDBWriteCapacityUtilization:table/songs` + to70 + `,
					"GlobalSecondaryIndexes":[{"IndexName":"idx","IndexStatus":"ACTIVE","ProvisionedReadCapacityAutoScalingSettings":` + off + `,
						"ProvisionedWriteCapacityAutoScalingSettings":` + scaled + `DynamoDBWriteCapacityUtilization:table/songs/index/idx` + to70 + `}]},
				{"RegionName":"us-west-2"}]}}`}},
		{east, step{name: "nothing", op: update, body: name,
			err: failed + ": ‘songs’ because at least one update parameter must be specified."}},
		{east, step{name: "nothing for a region", op: update,
			body: set(`"ReplicaUpdates":[{"RegionName":"us-west-2"}]`),
			err:  failed + ": ‘songs’ because at least one update parameter must be specified for region: ‘us-west-2’."}},
		{east, step{name: "a region twice", op: update,
			body: set(`"ReplicaUpdates":[{"RegionName":"us-west-2","ReplicaProvisionedReadCapacityAutoScalingUpdate":{"AutoScalingDisabled":true}},
				{"RegionName":"us-west-2","ReplicaProvisionedReadCapacityAutoScalingUpdate":{"AutoScalingDisabled":true}}]`),
			err: failed + ": ‘songs’ because the regions: ‘[us-west-2]’ were specified more than once."}},
		{east, step{name: "only a policy", op: update, body: reads(tracks),
			err: failed + ": ‘songs’: Parameters 'MaximumUnits', 'MinimumUnits' are required unless auto scaling is being disabled."}},
		{east, step{name: "only a minimum", op: update, body: reads(`"MinimumUnits":1`),
			err: failed + ": ‘songs’: Parameters 'MaximumUnits', 'ScalingPolicyUpdate' are required unless auto scaling is being disabled."}},
		{east, step{name: "empty", op: update, body: reads(""),
			err: failed + ": ‘songs’: Parameters 'MaximumUnits', 'ScalingPolicyUpdate', 'MinimumUnits' are required unless auto scaling is being disabled."}},
		{east, step{name: "not disabled", op: update, body: reads(`"AutoScalingDisabled":false`),
			err: failed + ": ‘songs’: Parameters 'MaximumUnits', 'ScalingPolicyUpdate', 'MinimumUnits' are required unless auto scaling is being disabled."}},
		{east, step{name: "disabled and bounds", op: update,
			body: reads(`"MinimumUnits":1,"MaximumUnits":10,"AutoScalingDisabled":true`),
			err:  failed + " ‘songs’: Parameters 'MaximumUnits', 'MinimumUnits' must be left blank when disabling auto scaling."}},
		{east, step{name: "disabled, though never enabled", op: update, body: reads(`"AutoScalingDisabled":true`)}},
		{east, step{name: "minimum above the maximum", op: update,
			body: reads(`"MinimumUnits":10,"MaximumUnits":5,` + tracks),
			err:  "ValidationException: Maximum capacity cannot be less than minimum capacity (Service: AWSApplicationAutoScaling; Status Code: 400; Error Code: ValidationException; Request ID: *"}},
		{east, step{name: "target too high", op: update,
			body: reads(bounds + `"ScalingPolicyUpdate":{"TargetTrackingScalingPolicyConfiguration":{"TargetValue":90.1}}`),
			err:  "ValidationException: For predefined metric type DynamoDBReadCapacityUtilization, target value must be between '10.0' and '90.0', but was '90.1'. (Service: AWSApplicationAutoScaling; *"}},
		{east, step{name: "target below the documented bound, and odd cooldowns", op: update,
			body: reads(bounds + `"ScalingPolicyUpdate":{"TargetTrackingScalingPolicyConfiguration":{"TargetValue":19.9,"ScaleInCooldown":0,"ScaleOutCooldown":1000000000}}`)}},
		{east, step{name: "another name; the answer has the former settings", op: update,
			body: reads(`"MinimumUnits":1,"MaximumUnits":10,"ScalingPolicyUpdate":{"PolicyName":"mine","TargetTrackingScalingPolicyConfiguration":{"TargetValue":50}}`),
			has: `{"TableAutoScalingDescription":{"Replicas":[{"RegionName":"us-east-1"},{"ReplicaProvisionedReadCapacityAutoScalingSettings":{
				"ScalingPolicies":[{"PolicyName":"DynamoDBReadCapacityUtilization:table/songs","TargetTrackingScalingPolicyConfiguration":{"TargetValue":19.9,"ScaleInCooldown":0,"ScaleOutCooldown":1000000000}}]}}]}}`}},
		{east, step{name: "one policy", op: describe, body: name,
			has: `{"TableAutoScalingDescription":{"Replicas":[{},{"ReplicaProvisionedReadCapacityAutoScalingSettings":{
				"ScalingPolicies":[{"PolicyName":"mine","TargetTrackingScalingPolicyConfiguration":{"TargetValue":50}}]}}]}}`}},
		{east, step{name: "disabled again", op: update, body: reads(`"AutoScalingDisabled":true`)}},
		{east, step{name: "off", op: describe, body: name,
			has: `{"TableAutoScalingDescription":{"Replicas":[{},{"ReplicaProvisionedReadCapacityAutoScalingSettings":` + off + `}]}}`}},
		{east, step{name: "add an index", op: "UpdateTable", body: addIndex}},
		{west, step{name: "its writes are scaled", op: describe, body: name,
			has: `{"TableAutoScalingDescription":{"Replicas":[{},{"GlobalSecondaryIndexes":[{},{"IndexName":"second","ProvisionedReadCapacityAutoScalingSettings":` + off + `,
				"ProvisionedWriteCapacityAutoScalingSettings":` + scaled + `DynamoDBWriteCapacityUtilization:table/songs/index/second` + to70 + `}]}]}}`}},
		{east, step{name: "scale an index no longer", op: update,
			body: index(`"AutoScalingDisabled":true`)}},
		{east, step{name: "no index changes then", op: "UpdateTable",
			body: set(`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"second"}}]`),
			err:  "ValidationException: GSI write capacity should either be Pay-Per-Request or AutoScaled."}},
		{east, step{name: "on demand", op: "UpdateTable", body: set(`"BillingMode":"PAY_PER_REQUEST"`)}},
		{east, step{name: "settings stay, and are off", op: describe, body: name,
			has: `{"TableAutoScalingDescription":{"Replicas":[{"ReplicaProvisionedWriteCapacityAutoScalingSettings":{"MinimumUnits":1,"MaximumUnits":10,"AutoScalingDisabled":true,` + role + `,
				"ScalingPolicies":[{"PolicyName":"DynamoDBWriteCapacityUtilization:table/songs"}]}},{}]}}`}},
	})
}

// TestProbesOfScalingNewIndex: ack-api-quirks, DDB-TABLE-323, a probe of the service.
func TestProbesOfScalingNewIndex(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 10, 9, 0, 0, 0, 0, time.UTC))
	send := regional(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(0, 10*time.Second, 0))
	const scale = `"GlobalSecondaryIndexUpdates":[{"IndexName":"new","ProvisionedWriteCapacityAutoScalingUpdate":{"AutoScalingDisabled":true}}]`
	followIn(t, send, []regionalStep{
		in(east, "create", "CreateTable", createSongs, ""),
		in(east, "add an index", "UpdateTable", songs(createsIndex("new", "pk")), ""),
	})
	clock.Advance(10 * time.Second)
	followIn(t, send, []regionalStep{
		in(east, "not there", "DescribeTableReplicaAutoScaling", describeSong,
			`{"TableAutoScalingDescription":{"Replicas":[{"GlobalSecondaryIndexes":[]}]}}`),
		not(east, "not scaled", "UpdateTableReplicaAutoScaling", songs(scale),
			"ResourceNotFoundException: Failed to update settings for global table with name: ‘songs’ because the global secondary indexes with names: ‘[new]’ do not exist."),
	})
	clock.Advance(20 * time.Second)
	followIn(t, send, []regionalStep{
		in(east, "scaled", "UpdateTableReplicaAutoScaling", songs(scale), ""),
	})
}

// TestProbesOfScalingDimensions: each dimension is scaled by itself (ack-api-quirks, DDB-TABLE-193,
// 198, 256 and 290, probes of the service).
func TestProbesOfScalingDimensions(t *testing.T) {
	t.Parallel()
	const update, describe = "UpdateTableReplicaAutoScaling", "DescribeTableReplicaAutoScaling"
	const units = `"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}`
	const off, disabled = `{"AutoScalingDisabled":true,"ScalingPolicies":[],"MinimumUnits":null}`, `{"AutoScalingDisabled":true}`
	const on = `{"MinimumUnits":1,"MaximumUnits":10,"AutoScalingDisabled":null}`
	const settings = `{"MinimumUnits":1,"MaximumUnits":10,` + tracks + `}`
	writes := func(s string) string { return `"ProvisionedWriteCapacityAutoScalingUpdate":` + s }
	index := func(s string) string {
		return `"GlobalSecondaryIndexUpdates":[{"IndexName":"idx",` + writes(s) + `}]`
	}
	reads := func(s string) string {
		return `"ReplicaUpdates":[{"RegionName":"us-east-1","ReplicaProvisionedReadCapacityAutoScalingUpdate":` + s + `}]`
	}
	shows := func(name, tableReads, tableWrites, indexWrites string) regionalStep {
		of := `"ReplicaProvisionedWriteCapacityAutoScalingSettings":` + tableWrites +
			`,"GlobalSecondaryIndexes":[{"ProvisionedWriteCapacityAutoScalingSettings":` + indexWrites + `}]`
		return in(west, name, describe, describeSong, `{"TableAutoScalingDescription":{"Replicas":[
			{"ReplicaProvisionedReadCapacityAutoScalingSettings":`+tableReads+`,`+of+`},
			{"ReplicaProvisionedReadCapacityAutoScalingSettings":`+off+`,`+of+`}]}}`)
	}
	followIn(t, regional(t), []regionalStep{
		in(east, "create", "CreateTable", songs(`"BillingMode":"PROVISIONED",`+units+`,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
			"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"idx",
			"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},`+units+`}]`), ""),
		in(east, "scale", update, songs(writes(settings)+","+index(settings)), ""),
		in(east, "replicate", "UpdateTable", replicate, ""),
		in(east, "scale reads", update, songs(reads(settings)), ""),
		shows("all", on, on, on),
		in(east, "nothing of it in the table", "DescribeTable", describeSong,
			`{"Table":{"AutoScaling":null,`+units+`}}`),
		in(east, "writes no longer", update, songs(writes(disabled)), ""),
		shows("but for writes", on, off, on),
		in(east, "the index no longer", update, songs(index(disabled)), ""),
		shows("only reads", on, off, off),
		in(east, "writes again", update, songs(writes(settings)), ""),
		shows("reads and writes", on, on, off),
		in(east, "more than a table may have", update, songs(reads(`{"MinimumUnits":50000,"MaximumUnits":60000,`+tracks+`}`)), ""),
		shows("kept", `{"MinimumUnits":50000,"MaximumUnits":60000}`, on, off),
		in(east, "units as they were", "DescribeTable", describeSong, `{"Table":{`+units+`}}`),
	})
}
