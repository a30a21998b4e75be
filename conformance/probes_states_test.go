package conformance

import (
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

const (
	probedTable = "arn:aws:dynamodb:eu-west-3:000000000000:table/table"
	ofARN       = `{"ResourceArn":"` + probedTable + `"}`
	withTags    = `{"ResourceArn":"` + probedTable + `","Tags":[{"Key":"a","Value":"1"}]}`
	withTTL     = `{"TableName":"table","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}}`
	withPITR    = `{"TableName":"table","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`
	withReports = `{"TableName":"table","ContributorInsightsAction":"ENABLE"}`
	aBackup     = `{"TableName":"table","BackupName":"first"}`

	enablingBackups = "ContinuousBackupsUnavailableException: Backups are being enabled for the table: table. Please retry later"
	noTable         = "ResourceNotFoundException: Requested resource not found: Table: table not found"
	noTableARN      = "ResourceNotFoundException: Requested resource not found: ResourceArn: " +
		probedTable + " not found"
	noBackupTable = "TableNotFoundException: Table not found: table"
	aTable        = `{"TableName":"table",`
)

// newbornTest is a changingTest whose table is still being created, for 10 seconds.
func newbornTest(t *testing.T, members string) *changingTest {
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	x := &changingTest{t, clock, private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second))}
	x.follow(step{name: "create", op: "CreateTable", body: aTable + keys("pk:S") + members + `}`,
		has: `{"TableDescription":{"TableStatus":"CREATING","TableArn":"` + probedTable + `","Tags":null}}`})
	return x
}

// TestProbesOfNewborn: what a table that is being created answers, at first and then
// (ack-api-quirks, DDB-TABLE-001, -005, -101 and -115).
func TestProbesOfNewborn(t *testing.T) {
	t.Parallel()
	const beingCreated = resourceInUse + "Table is being created: table"
	const noInsights = "ValidationException: Table or Index is not in a valid state to update Key Access Insights: TableStatus must be ACTIVE to enable ContributorInsights."
	const noTTL = "ValidationException: Cannot describe time to live while table is in CREATING state: Current table state is CREATING"
	x := newbornTest(t, `,"Tags":[{"Key":"a","Value":"1"}]`)
	x.follow(shows("described", `{"TableStatus":"CREATING"}`),
		step{name: "listed", op: "ListTables", body: `{}`, has: `{"TableNames":["table"]}`},
		refused("protection", protect, beingCreated), refused("stream", aStream, beingCreated),
		step{name: "delete", op: "DeleteTable", body: ofTable, err: beingCreated},
		step{name: "create again", op: "CreateTable",
			body: aTable + keys("pk:S") + `}`, err: beingCreated},
		step{name: "with another key", op: "CreateTable", body: aTable + keys("pk:N") + `}`,
			err: beingCreated},
		step{name: "tag", op: "TagResource", body: withTags, err: noTableARN},
		step{name: "list tags", op: "ListTagsOfResource", body: ofARN, err: noTableARN},
		step{name: "TTL", op: "UpdateTimeToLive", body: withTTL, err: noTable},
		step{name: "describe TTL", op: "DescribeTimeToLive", body: ofTable, err: noTTL},
		step{name: "recovery", op: "UpdateContinuousBackups", body: withPITR, err: noBackupTable},
		step{name: "describe recovery", op: "DescribeContinuousBackups", body: ofTable,
			err: noBackupTable},
		step{name: "back up", op: "CreateBackup", body: aBackup, err: noBackupTable},
		step{name: "insights", op: "UpdateContributorInsights", body: withReports, err: noTable},
		step{name: "describe insights", op: "DescribeContributorInsights", body: ofTable,
			err: noTable},
		step{name: "list insights", op: "ListContributorInsights", body: ofTable, err: noTable},
		step{name: "policy", op: "GetResourcePolicy", body: ofARN, err: noTable},
		step{name: "destinations", op: "DescribeKinesisStreamingDestination", body: ofTable,
			err: noTable})
	x.clock.Advance(6 * time.Second)
	x.follow(
		step{name: "TTL then", op: "UpdateTimeToLive", body: withTTL,
			err: resourceInUse + "Table table is being created"},
		step{name: "describe TTL then", op: "DescribeTimeToLive", body: ofTable, err: noTTL},
		step{name: "recovery then", op: "UpdateContinuousBackups", body: withPITR,
			err: enablingBackups},
		step{name: "describe recovery then", op: "DescribeContinuousBackups", body: ofTable,
			has: `{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"DISABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}`},
		step{name: "back up then", op: "CreateBackup", body: aBackup, err: enablingBackups},
		step{name: "insights then", op: "UpdateContributorInsights", body: withReports,
			err: noInsights},
		step{name: "describe insights then", op: "DescribeContributorInsights", body: ofTable,
			has: `{"ContributorInsightsStatus":"DISABLED"}`},
		step{name: "list insights then", op: "ListContributorInsights", body: ofTable,
			has: `{"ContributorInsightsSummaries":[]}`},
		step{name: "destinations then", op: "DescribeKinesisStreamingDestination", body: ofTable,
			has: `{"KinesisDataStreamDestinations":[]}`})
	x.clock.Advance(4 * time.Second)
	x.follow(shows("active", `{"TableStatus":"ACTIVE"}`),
		step{name: "the tags of its creation", op: "ListTagsOfResource", body: ofARN,
			has: `{"Tags":[{"Key":"a","Value":"1"}]}`},
		step{name: "tag it", op: "TagResource", body: withTags},
		step{name: "set a TTL", op: "UpdateTimeToLive", body: withTTL},
		step{name: "enable insights", op: "UpdateContributorInsights", body: withReports},
		step{name: "back it up at once", op: "CreateBackup", body: aBackup, err: enablingBackups})
	x.clock.Advance(5 * time.Second)
	x.follow(step{name: "back it up", op: "CreateBackup", body: aBackup})
}

// TestProbesOfTheName: a name that is taken, and one that is free again (ack-api-quirks,
// DDB-TABLE-005, -006, -008, -009 and -010).
func TestProbesOfTheName(t *testing.T) {
	t.Parallel()
	const taken = "ResourceInUseException: Table already exists: table"
	create := func(name, err, key string) step {
		return step{name: name, op: "CreateTable", body: aTable + keys(key) + `}`, err: err}
	}
	invalid := step{name: "an impossible key", op: "CreateTable", err: "ValidationException: *",
		body: aTable + `"KeySchema":[{"AttributeName":"zz","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}`}
	x := newChangingTest(t)
	x.follow(create("on an active table", taken, "pk:S"), create("with another key", taken, "pk:N"),
		invalid, step{name: "in capitals", op: "CreateTable",
			body: `{"TableName":"TABLE",` + keys("pk:S") + `}`},
		changes("a class", infrequent, ""), create("on an updating table", taken, "pk:S"), invalid)
	x.clock.Advance(10 * time.Second)
	const beingDeleted = resourceInUse + "Table is being deleted: table"
	x.follow(step{name: "delete", op: "DeleteTable", body: ofTable,
		has: `{"TableDescription":{"TableStatus":"DELETING"}}`},
		create("on a deleting table", taken, "pk:S"), invalid,
		step{name: "delete again", op: "DeleteTable", body: ofTable, err: beingDeleted},
		refused("update", protect, beingDeleted),
		step{name: "listed still", op: "ListTables", body: `{}`, has: `{"TableNames":["TABLE","table"]}`})
	x.clock.Advance(10 * time.Second)
	x.follow(step{name: "gone", op: "DescribeTable", body: ofTable, err: noTable},
		step{name: "no longer listed", op: "ListTables", body: `{}`,
			has: `{"TableNames":["TABLE"]}`},
		step{name: "delete what is gone", op: "DeleteTable", body: ofTable, err: noTable},
		create("at once", "", "pk:S"))
}

// TestProbesOfDeleting: a table that is being deleted, from the second second on; Kugiri has no
// first one (ack-api-quirks, DDB-TABLE-104, -118, -374 and -455).
func TestProbesOfDeleting(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	x.follow(step{name: "delete", op: "DeleteTable", body: ofTable},
		step{name: "tag", op: "TagResource", body: withTags, err: noTableARN},
		step{name: "untag", op: "UntagResource", err: noTableARN,
			body: `{"ResourceArn":"` + probedTable + `","TagKeys":["a"]}`},
		step{name: "list tags", op: "ListTagsOfResource", body: ofARN, err: noTableARN},
		step{name: "back up", op: "CreateBackup", body: aBackup, err: noBackupTable},
		step{name: "recovery", op: "DescribeContinuousBackups", body: ofTable, err: noBackupTable},
		step{name: "insights", op: "UpdateContributorInsights", body: withReports,
			err: "ValidationException: Table or Index is not in a valid state to update Key Access Insights: TableStatus must be ACTIVE to enable ContributorInsights."},
		step{name: "describe insights", op: "DescribeContributorInsights", body: ofTable,
			has: `{"ContributorInsightsStatus":"DISABLED"}`},
		step{name: "describe TTL", op: "DescribeTimeToLive", body: ofTable,
			err: "ValidationException: Cannot describe time to live while table is in DELETING state: Current table state is DELETING"},
		step{name: "a policy", op: "PutResourcePolicy",
			body: `{"ResourceArn":"` + probedTable + `","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":{\"AWS\":\"arn:aws:iam::000000000000:root\"},\"Action\":\"dynamodb:GetItem\",\"Resource\":\"` + probedTable + `\"}]}"}`,
			err:  resourceInUse + "Table is being deleted: table"})
	x.clock.Advance(10 * time.Second)
	x.follow(step{name: "TTL of nothing", op: "DescribeTimeToLive", body: ofTable, err: noTable},
		step{name: "insights of nothing", op: "ListContributorInsights", body: ofTable,
			err: noTable},
		step{name: "recovery of nothing", op: "UpdateContinuousBackups", body: withPITR,
			err: noBackupTable},
		step{name: "tags of nothing", op: "ListTagsOfResource", body: ofARN, err: noTableARN})
	x.create()
	x.clock.Advance(10 * time.Second)
	x.follow(
		step{name: "no policy of old", op: "GetResourcePolicy", body: ofARN,
			err: "PolicyNotFoundException: *"},
		step{name: "no TTL of old", op: "DescribeTimeToLive", body: ofTable,
			has: `{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`})
}

// TestProbesOfPendingPolicy: DeleteTable after a change of the policy (ack-api-quirks,
// DDB-TABLE-444).
func TestProbesOfPendingPolicy(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	x.follow(step{name: "a policy", op: "PutResourcePolicy",
		body: `{"ResourceArn":"` + probedTable + `","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":{\"AWS\":\"arn:aws:iam::000000000000:root\"},\"Action\":\"dynamodb:GetItem\",\"Resource\":\"` + probedTable + `\"}]}"}`},
		step{name: "delete", op: "DeleteTable", body: ofTable, err: resourceInUse +
			"Table: table has a pending resource-based policy update."})
	x.clock.Advance(10 * time.Second)
	x.follow(step{name: "delete then", op: "DeleteTable", body: ofTable})
}
