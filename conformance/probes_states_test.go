package conformance

import (
	"strings"
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
	x.clock.Advance(3 * time.Second) // the last second: DDB-TABLE-101
	x.follow(step{name: "tag in the last second", op: "TagResource", body: withTags,
		err: beingCreated},
		step{name: "list tags in the last second", op: "ListTagsOfResource", body: ofARN,
			has: `{"Tags":[]}`},
		step{name: "untag in the last second", op: "UntagResource",
			body: `{"ResourceArn":"` + probedTable + `","TagKeys":["z"]}`})
	x.clock.Advance(time.Second)
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

// TestProbesOfDying: the first part of a deletion, in which much is still taken (ack-api-quirks,
// DDB-BACKUP-001, DDB-TABLE-088, -104, -113, -118, -122, -236, -374, -453 and -455).
func TestProbesOfDying(t *testing.T) {
	t.Parallel()
	const beingDeleted = resourceInUse + "Table is being deleted: table"
	policy := func(action string) string {
		return `{"ResourceArn":"` + probedTable + `","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":{\"AWS\":\"arn:aws:iam::000000000000:root\"},\"Action\":\"dynamodb:` +
			action + `\",\"Resource\":\"` + probedTable + `\"}]}"}`
	}
	system := func(n int) step {
		return step{name: "system backups", op: "ListBackups", body: `{"BackupType":"SYSTEM"}`,
			has: `{"BackupSummaries":[` + strings.TrimSuffix(strings.Repeat(
				`{"BackupName":"table$DeletedTableBackup"},`, n), ",") + `]}`}
	}
	off := strings.Replace(withPITR, "true", "false", 1)
	for _, c := range []struct {
		name   string
		before string // UpdateContinuousBackups before the deletion
		then   string // what is stored after it
		made   int    // system backups
	}{
		{"recovery enabled too late", off, withPITR, 1},
		{"recovery disabled too late", withPITR, off, 0},
		{"recovery enabled all the time", withPITR, withPITR, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := newChangingTest(t)
			x.follow(step{name: "recovery", op: "UpdateContinuousBackups", body: c.before},
				step{name: "tag", op: "TagResource", body: withTags},
				step{name: "a policy", op: "PutResourcePolicy", body: policy("GetItem")})
			x.clock.Advance(10 * time.Second)
			x.follow(step{name: "delete", op: "DeleteTable", body: ofTable},
				step{name: "recovery then", op: "UpdateContinuousBackups", body: c.then},
				system(c.made),
				step{name: "the same tags", op: "TagResource", body: withTags},
				step{name: "other tags", op: "TagResource", err: beingDeleted,
					body: strings.Replace(withTags, `"1"`, `"2"`, 1)},
				step{name: "list tags", op: "ListTagsOfResource", body: ofARN,
					has: `{"Tags":[{"Key":"a","Value":"1"}]}`},
				step{name: "the same policy", op: "PutResourcePolicy", body: policy("GetItem")},
				step{name: "another policy", op: "PutResourcePolicy", body: policy("PutItem"),
					err: beingDeleted},
				step{name: "back up", op: "CreateBackup", body: aBackup},
				step{name: "insights", op: "UpdateContributorInsights", body: withReports,
					has: `{"ContributorInsightsStatus":"ENABLING"}`},
				refused("protection", protect, beingDeleted))
			x.clock.Advance(10 * time.Second)
			x.follow(system(c.made),
				step{name: "the backup is there", op: "ListBackups", body: `{}`,
					has: `{"BackupSummaries":[{"BackupName":"first","BackupStatus":"AVAILABLE"}]}`})
			x.create()
			x.clock.Advance(10 * time.Second)
			x.follow(step{name: "no insights of old", op: "DescribeContributorInsights",
				body: ofTable, has: `{"ContributorInsightsStatus":"DISABLED"}`})
		})
	}
}

// TestProbesOfDeleting: a table that is being deleted, after the first part of it (ack-api-quirks,
// DDB-TABLE-104, -118, -374 and -455).
func TestProbesOfDeleting(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	x.follow(step{name: "delete", op: "DeleteTable", body: ofTable})
	x.clock.Advance(2500 * time.Millisecond)
	x.follow(step{name: "tag", op: "TagResource", body: withTags, err: noTableARN},
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
			err: "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: arn:aws:dynamodb:eu-west-3:000000000000:table/table"},
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
