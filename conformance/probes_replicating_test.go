package conformance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

const (
	replicaInUse = "ResourceInUseException: The resource which you are attempting to change is in use."
	addIreland   = `{"Create":{"RegionName":"eu-west-1"}}`
	addWest      = `{"Create":{"RegionName":"us-west-2"}}`
	dropWest     = `{"Delete":{"RegionName":"us-west-2"}}`
	ofSongs      = "arn:aws:dynamodb:us-east-1:000000000000:table/songs"
)

// replicating is a regional server in which the replication of songs has just begun, and changes
// last 10 seconds.
func replicating(t *testing.T) (func(region, op, body string) (map[string]any, error),
	*emulator.Clock) {
	clock := emulator.NewClock(time.Date(2026, 10, 9, 0, 0, 0, 0, time.UTC))
	send := regional(t, emulator.WithHeldClock(clock), emulator.WithTableDelays(0, 10*time.Second,
		10*time.Second))
	followIn(t, send, []regionalStep{
		in(east, "create", "CreateTable", createSongs, ""),
		in(east, "replicate", "UpdateTable", replicate, `{"TableDescription":{"TableStatus":"UPDATING","Replicas":[]}}`),
	})
	return send, clock
}

// TestProbesOfCreatingReplicas: ack-api-quirks, DDB-TABLE-227, 298 and 306, probes of the service.
func TestProbesOfCreatingReplicas(t *testing.T) {
	t.Parallel()
	send, clock := replicating(t)
	const update = "UpdateTable"
	followIn(t, send, []regionalStep{
		not(east, "another", update, replicas(addIreland), replicaInUse),
		not(east, "the same", update, replicas(addWest),
			"ResourceInUseException: Global table with name: songs already exists with replicas in regions: us-east-1, us-west-2."),
		not(east, "cancel", update, replicas(dropWest), replicaInUse),
		not(east, "TTL", "UpdateTimeToLive", songs(`"TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}`),
			"ValidationException: Create/Update/Delete of replica is not allowed while the replica is being added to table with name: ‘songs’ in region: ‘us-west-2’."),
		not(east, "an override", update, replicas(`{"Update":{"RegionName":"us-west-2","TableClassOverride":"STANDARD"}}`), replicaInUse),
		not(east, "protection", update, songs(protect), replicaInUse),
		not(east, "a class", update, songs(infrequent), replicaInUse),
		not(east, "no stream", update, songs(`"StreamSpecification":{"StreamEnabled":false}`),
			"ValidationException: One or more parameter values were invalid: Disabling Stream is not allowed for a Global Table replica."),
		in(east, "tag", "TagResource", `{"ResourceArn":"`+ofSongs+`","Tags":[{"Key":"a","Value":"1"}]}`, ""),
		in(east, "recovery", "UpdateContinuousBackups", songs(`"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}`), ""),
		in(east, "policy", "PutResourcePolicy", policyInput(ofSongs,
			statementFor(`"Effect":"Deny","Principal":"*","Action":"dynamodb:GetItem","Resource":"*"`)), ""),
		in(east, "insights", "UpdateContributorInsights", songs(`"ContributorInsightsAction":"ENABLE"`), ""),
		in(east, "back up", "CreateBackup", songs(`"BackupName":"backup"`), ""),
		in(east, "scaling", "DescribeTableReplicaAutoScaling", describeSong, ""),
		in(east, "put", "PutItem", putSong, ""),
		not(east, "delete", "DeleteTable", describeSong, replicaInUse),
	})
	const noSongs = "ResourceNotFoundException: Requested resource not found: Table: songs not found"
	followIn(t, send, []regionalStep{
		in(west, "there", "DescribeTable", describeSong, `{"Table":{"TableStatus":"CREATING","Replicas":[{"RegionName":"us-east-1","ReplicaStatus":"ACTIVE"}]}}`),
		not(west, "protection there", update, songs(protect), noSongs),
		not(west, "TTL there", "UpdateTimeToLive", songs(`"TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}`), noSongs),
		not(west, "get there", "GetItem", getSong, noSuchTable),
		not(west, "put there", "PutItem", putSong, noSuchTable),
		not(west, "tags there", "ListTagsOfResource", `{"ResourceArn":"arn:aws:dynamodb:us-west-2:000000000000:table/songs"}`, "ResourceNotFoundException: *"),
		not(west, "recovery there", "DescribeContinuousBackups", describeSong, "TableNotFoundException: Table not found: songs"),
		in(west, "scaling there", "DescribeTableReplicaAutoScaling", describeSong, ""),
		not(west, "a replica from there", update, replicas(addIreland),
			"ValidationException: Create/Update/Delete of replica is not allowed while the replica is being added to table with name: ‘songs’ in region: ‘us-west-2’."),
		not(west, "delete the source", update, replicas(`{"Delete":{"RegionName":"us-east-1"}}`),
			"ValidationException: Replica cannot be deleted because it has acted as a source region for new replica(s) being added to the table in the last 24 hours."),
		not(west, "delete there", "DeleteTable", describeSong,
			resourceInUse+"Table: songs is being used."),
	})
	clock.Advance(10 * time.Second)
	followIn(t, send, []regionalStep{
		in(east, "active", "DescribeTable", describeSong, `{"Table":{"TableStatus":"ACTIVE","Replicas":[{"ReplicaStatus":"ACTIVE"}]}}`),
		in(west, "the item is there", "GetItem", getSong, `{"Item":{"v":{"S":"1"}}}`),
	})
}

// TestProbesOfDeletingReplicas: ack-api-quirks, DDB-TABLE-204, 228 and 308, probes of the service.
func TestProbesOfDeletingReplicas(t *testing.T) {
	t.Parallel()
	send, clock := replicating(t)
	clock.Advance(10 * time.Second)
	const update = "UpdateTable"
	followIn(t, send, []regionalStep{
		in(east, "delete", update, replicas(dropWest),
			`{"TableDescription":{"TableStatus":"UPDATING","Replicas":[{"RegionName":"us-west-2","ReplicaStatus":"ACTIVE"}]}}`),
		not(east, "another", update, replicas(addIreland), replicaInUse),
		not(east, "again", update, replicas(dropWest), replicaInUse),
		not(east, "protection", update, songs(protect), replicaInUse),
		not(east, "back", update, replicas(addWest), alreadyTables),
		in(east, "tag", "TagResource", `{"ResourceArn":"`+ofSongs+`","Tags":[{"Key":"a","Value":"1"}]}`, ""),
		in(east, "insights", "UpdateContributorInsights", songs(`"ContributorInsightsAction":"ENABLE"`), ""),
		not(west, "delete its table", "DeleteTable", describeSong,
			"ResourceInUseException: Attempt to change a resource which is still in use: Table is being deleted: songs"),
	})
	clock.Advance(20 * time.Second)
	followIn(t, send, []regionalStep{
		in(east, "a regional table", "DescribeTable", describeSong,
			`{"Table":{"TableStatus":"ACTIVE","Replicas":null,"GlobalTableVersion":null,"StreamSpecification":{"StreamEnabled":true}}}`),
		not(west, "gone", "DescribeTable", describeSong,
			"ResourceNotFoundException: Requested resource not found: Table: songs not found"),
		in(east, "back then", update, replicas(addWest), ""),
	})
}

// TestProbesOfReplicaIndexes: ack-api-quirks, DDB-TABLE-296, a probe of the service.
func TestProbesOfReplicaIndexes(t *testing.T) {
	t.Parallel()
	send, clock := replicating(t)
	clock.Advance(10 * time.Second)
	const update = "UpdateTable"
	named := func(names string) string { return `{"Table":{"GlobalSecondaryIndexes":` + names + `}}` }
	followIn(t, send, []regionalStep{
		in(east, "an index", update, songs(createsIndex("gsi1", "a")), ""),
		not(east, "a replica", update, replicas(addIreland), replicaInUse),
		not(east, "an override", update, replicas(`{"Update":{"RegionName":"us-west-2","TableClassOverride":"STANDARD"}}`), replicaInUse),
	})
	clock.Advance(time.Minute)
	followIn(t, send, []regionalStep{
		in(west, "there", "DescribeTable", describeSong, named(`[{"IndexName":"gsi1","IndexStatus":"ACTIVE"}]`)),
		in(east, "described", "DescribeTable", describeSong, `{"Table":{"Replicas":[{"GlobalSecondaryIndexes":[{"IndexName":"gsi1"}]}]}}`),
		in(west, "another, from there", update, songs(createsIndex("gsi2", "b")), ""),
	})
	clock.Advance(time.Minute)
	followIn(t, send, []regionalStep{
		in(east, "here", "DescribeTable", describeSong, named(`[{"IndexName":"gsi1"},{"IndexName":"gsi2"}]`)),
		in(east, "delete", update, songs(`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"gsi1"}}]`), ""),
	})
	clock.Advance(time.Minute)
	followIn(t, send, []regionalStep{
		in(west, "gone there", "DescribeTable", describeSong, named(`[{"IndexName":"gsi2"}]`)),
	})
}

// TestProbesOfReplicaKeys: ack-api-quirks, DDB-TABLE-295, 309 and 313, probes of the service.
func TestProbesOfReplicaKeys(t *testing.T) {
	t.Parallel()
	const update, p = "UpdateTable", "ValidationException: One or more parameter values were invalid: "
	const perReplica = p + "KMSMasterKeyId must be specified for each replica."
	const key = "1234abcd-12ab-34cd-56ef-1234567890ab"
	withKey := func(action, region, key string) string {
		return replicas(`{"` + action + `":{"RegionName":"` + region + `","KMSMasterKeyId":"` +
			key + `"}}`)
	}
	t.Run("keys of customers", func(t *testing.T) {
		followIn(t, regional(t), []regionalStep{
			in(east, "create", "CreateTable", songs(keys("pk:S")+`,"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"`+key+`"}`), ""),
			not(east, "no key", update, replicas(addWest), perReplica),
			not(east, "the key of AWS", update, withKey("Create", "us-west-2",
				"alias/aws/dynamodb"),
				p+"All replica keys must either be Customer Managed CMK or AWS Managed CMK."),
			not(east, "a key of another region", update, withKey("Create", "us-west-2", "arn:aws:kms:us-east-1:000000000000:key/"+key),
				"ValidationException: KMS validation error for region us-west-2: com.amazonaws.services.kms.model.NotFoundException: Invalid arn us-east-1*"),
			in(east, "a key of the region", update, withKey("Create", "us-west-2", key), ""),
			in(east, "its ARN", "DescribeTable", describeSong,
				`{"Table":{"Replicas":[{"KMSMasterKeyId":"arn:aws:kms:us-west-2:000000000000:key/`+key+`"}]}}`),
			in(west, "that of the replica", "DescribeTable", describeSong,
				`{"Table":{"SSEDescription":{"KMSMasterKeyArn":"arn:aws:kms:us-west-2:000000000000:key/`+key+`"},
					"Replicas":[{"KMSMasterKeyId":"arn:aws:kms:us-east-1:000000000000:key/`+key+`"}]}}`),
			not(east, "another key", update, withKey("Update", "us-west-2", key), perReplica),
			not(east, "the alias", update, withKey("Update", "us-west-2", "alias/aws/dynamodb"),
				perReplica),
		})
	})
	t.Run("keys of AWS", func(t *testing.T) {
		send := regional(t)
		followIn(t, send, []regionalStep{
			in(east, "create", "CreateTable", createSongs, ""),
			in(east, "replicate", update, replicate, ""),
			not(east, "a key", update, withKey("Update", "us-west-2", "alias/aws/dynamodb"),
				perReplica),
			in(east, "encrypt", update, songs(`"SSESpecification":{"Enabled":true,"SSEType":"KMS"}`), ""),
			in(west, "both", "DescribeTable", describeSong, `{"Table":{"SSEDescription":{"Status":"ENABLED","SSEType":"KMS"}}}`),
		})
		described, err := send(west, "DescribeTable", describeSong)
		require.NoError(t, err)
		sse := described["Table"].(map[string]any)["SSEDescription"].(map[string]any)
		arn := sse["KMSMasterKeyArn"].(string)
		assert.Contains(t, arn, ":us-west-2:")
		followIn(t, send, []regionalStep{in(east, "the key of each region", "DescribeTable",
			describeSong,
			`{"Table":{"Replicas":[{"KMSMasterKeyId":"`+arn+`"}]}}`)})
	})
}

// TestProbesOfReplicaMaxima: ack-api-quirks, DDB-TABLE-422, a probe of the service.
func TestProbesOfReplicaMaxima(t *testing.T) {
	t.Parallel()
	const update = "UpdateTable"
	reads := func(n string) string { return `"OnDemandThroughputOverride":{"MaxReadRequestUnits":` + n + `}` }
	of := func(action, n string) string {
		return replicas(`{"` + action + `":{"RegionName":"us-west-2",` + reads(n) + `}}`)
	}
	followIn(t, regional(t), []regionalStep{
		in(east, "create", "CreateTable", songs(keys("pk:S")+`,"OnDemandThroughput":{"MaxReadRequestUnits":100,"MaxWriteRequestUnits":100}`), ""),
		in(east, "replicate", update, of("Create", "50"), ""),
		in(east, "the override", "DescribeTable", describeSong, `{"Table":{"Replicas":[{`+reads(
			"50")+`}]}}`),
		in(west, "the maximum", "DescribeTable", describeSong, `{"Table":{"OnDemandThroughput":{"MaxReadRequestUnits":50,"MaxWriteRequestUnits":100}}}`),
		in(east, "that of the table", update, of("Update", "100"), ""),
		in(east, "no override", "DescribeTable", describeSong, `{"Table":{"Replicas":[{"OnDemandThroughputOverride":null}]}}`),
	})
}

// TestProbesOfReplicationMode: ack-api-quirks, DDB-TABLE-048, a probe of the service.
func TestProbesOfReplicationMode(t *testing.T) {
	t.Parallel()
	const update = "UpdateTable"
	mode := func(m string) string { return `"GlobalTableSettingsReplicationMode":"` + m + `"` }
	steps := []regionalStep{in(east, "create", "CreateTable", createSongs, "")}
	for _, m := range []string{"ENABLED", "ENABLED", "DISABLED", "DISABLED"} {
		steps = append(steps, in(east, m, update, songs(mode(m)), ""),
			in(east, m, "DescribeTable", describeSong, `{"Table":{`+mode(m)+`}}`))
	}
	followIn(t, regional(t), append(steps, not(east, "with overrides", update, songs(mode(
		"ENABLED_WITH_OVERRIDES")),
		"ValidationException: Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: Only ENABLED and DISABLED settings replication are supported for a Regional Table.")))
}

// TestProbesOfStrongProtection: ack-api-quirks, DDB-TABLE-263, a probe of the service.
func TestProbesOfStrongProtection(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 10, 9, 0, 0, 0, 0, time.UTC))
	send := regional(t, emulator.WithHeldClock(clock), emulator.WithQuotas(),
		emulator.WithTableDelays(0, 10*time.Second, 0))
	const update = "UpdateTable"
	followIn(t, send, []regionalStep{
		in(east, "create", "CreateTable", createSongs, ""),
		in(east, "strong", update, songs(`"MultiRegionConsistency":"STRONG","ReplicaUpdates":[`+addWest+`],"GlobalTableWitnessUpdates":[{"Create":{"RegionName":"us-east-2"}}]`), ""),
	})
	clock.Advance(10 * time.Second)
	followIn(t, send, []regionalStep{
		in(east, "protect", update, songs(protect), `{"TableDescription":{"TableStatus":"UPDATING"}}`),
		not(east, "expose", update, songs(exposed), replicaInUse),
	})
	clock.Advance(10 * time.Second)
	followIn(t, send, []regionalStep{
		in(west, "not there", "DescribeTable", describeSong, `{"Table":{"DeletionProtectionEnabled":false}}`),
		not(east, "expose within 15 s", update, songs(exposed),
			"ThrottlingException: Deletion protection setting for table songs modified within the previous 15000 milliseconds. Please try again after 2026-10-09T00:00:25.000"),
	})
}

// TestProbesOfStrongGroups: ack-api-quirks, DDB-TABLE-254, 258, 262, 414 and 428, probes of the
// service.
func TestProbesOfStrongGroups(t *testing.T) {
	t.Parallel()
	const update, v = "UpdateTable", "ValidationException: "
	const two = `"ReplicaUpdates":[` + addWest + `,{"Create":{"RegionName":"us-east-2"}}]`
	witness := func(region string) string { return `{"Create":{"RegionName":"` + region + `"}}` }
	strong := func(members string) string { return songs(`"MultiRegionConsistency":"STRONG",` + members) }
	const none = "ResourceNotFoundException: Global table with name: 'nope' does not exist."
	followIn(t, regional(t), []regionalStep{
		not(east, "scaling of nothing", "DescribeTableReplicaAutoScaling", `{"TableName":"nope"}`, none),
		not(east, "scale nothing", "UpdateTableReplicaAutoScaling",
			`{"TableName":"nope","ProvisionedWriteCapacityAutoScalingUpdate":{"AutoScalingDisabled":true}}`, none),
		in(east, "create", "CreateTable", createSongs, ""),
		not(east, "two of eventual consistency", update, songs(two),
			v+"Update table operation with more than one create or delete replica actions not allowed"),
		not(east, "two witnesses", update, strong(`"ReplicaUpdates":[`+addWest+`],"GlobalTableWitnessUpdates":[`+witness("us-east-2")+`,`+witness("eu-west-1")+`]`),
			v+"1 validation error detected: Value '[GlobalTableWitnessGroupUpdate(create=*"),
		in(east, "two of strong consistency", update, strong(two),
			`{"TableDescription":{"TableStatus":"UPDATING","MultiRegionConsistency":"STRONG","GlobalTableVersion":"2019.11.21","Replicas":[]}}`),
		in(east, "both are there", "DescribeTable", describeSong,
			`{"Table":{"Replicas":[{"RegionName":"us-west-2","ReplicaStatus":"ACTIVE"},{"RegionName":"us-east-2","ReplicaStatus":"ACTIVE"}]}}`),
		in(east, "scaling by ARN", "DescribeTableReplicaAutoScaling", `{"TableName":"`+ofSongs+`"}`, ""),
		in(east, "scale by ARN", "UpdateTableReplicaAutoScaling",
			`{"TableName":"`+ofSongs+`","ProvisionedWriteCapacityAutoScalingUpdate":{"AutoScalingDisabled":true}}`, ""),
		not(east, "a witness beside them", update, strong(`"GlobalTableWitnessUpdates":[`+witness(
			"eu-west-1")+`]`), v+"At least one of *"),
		in(east, "both no longer", update, songs(`"ReplicaUpdates":[`+dropWest+`,{"Delete":{"RegionName":"us-east-2"}}]`), ""),
		in(east, "a witness", update, strong(`"ReplicaUpdates":[`+addWest+`],"GlobalTableWitnessUpdates":[`+witness("us-east-2")+`]`), ""),
		not(east, "a second one", update, strong(`"ReplicaUpdates":[{"Create":{"RegionName":"eu-west-2"}}],"GlobalTableWitnessUpdates":[`+witness("eu-west-1")+`]`), v+"*"),
		in(east, "all no longer", update, songs(`"ReplicaUpdates":[`+dropWest+`],"GlobalTableWitnessUpdates":[{"Delete":{"RegionName":"us-east-2"}}]`), ""),
		in(east, "an eventual replica", update, replicate, ""),
		not(east, "delete the source", "DeleteTable", describeSong,
			v+"Replica cannot be deleted because it has acted as a source region for new replica(s) being added to the table in the last 24 hours."),
	})
}
