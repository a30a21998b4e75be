package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// backUp makes a backup of the table "table", and returns its ARN.
func (x *changingTest) backUp(name string) string {
	x.Helper()
	answer, err := x.send("KEY", "CreateBackup", `{"TableName":"table","BackupName":"`+name+`"}`)
	require.NoError(x, err)
	assertHas(x.T, `{"BackupDetails":{"BackupStatus":"CREATING","BackupType":"USER","BackupExpiryDateTime":null}}`, answer)
	return at(x.T, answer, "BackupDetails", "BackupArn").(string)
}

func (x *changingTest) backups(filter string) []any {
	x.Helper()
	answer, err := x.send("KEY", "ListBackups", `{"TableName":"table"`+filter+`}`)
	require.NoError(x, err, filter)
	return answer["BackupSummaries"].([]any)
}

// TestProbesOfBackups: ack-api-quirks, DDB-BACKUP-003 to -007, -011, -014 to -016, -019, -024, -027
// and -028.
func TestProbesOfBackups(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t)
	about := func(arn string) string { return `{"BackupArn":"` + arn + `"}` }
	first := x.backUp("same")
	x.follow(step{name: "at once", op: "DescribeBackup", body: about(first),
		has: `{"BackupDescription":{"BackupDetails":{"BackupStatus":"AVAILABLE","BackupCreationDateTime":1767225600,"BackupExpiryDateTime":null},"SourceTableFeatureDetails":{},"SourceTableDetails":{"TableName":"table","BillingMode":"PAY_PER_REQUEST"}}}`})
	x.clock.Advance(time.Second)
	second := x.backUp("same")
	x.clock.Advance(time.Second)
	third := x.backUp("same")
	assert.True(t, strings.Contains(second, "/backup/01767225601000-"), second)
	assert.Len(t, x.backups(""), 3)
	assert.Len(t, x.backups(`,"TimeRangeLowerBound":1767225601`), 2, "from the lower bound on")
	assert.Len(t, x.backups(`,"TimeRangeUpperBound":1767225601`), 1, "up to the upper bound")
	assert.Len(t, x.backups(`,"Limit":2`), 2)
	assert.Empty(t, x.backups(`,"BackupType":"SYSTEM"`))
	assert.Empty(t, x.backups(`,"BackupType":"AWS_BACKUP"`))
	x.follow(
		step{name: "a page of all", op: "ListBackups", body: `{"TableName":"table","Limit":3}`,
			has: `{"LastEvaluatedBackupArn":null}`},
		step{name: "of no table", op: "ListBackups", body: `{"TableName":"missing"}`,
			has: `{"BackupSummaries":[]}`},
		step{name: "delete", op: "DeleteBackup", body: about(third),
			has: `{"BackupDescription":{"BackupDetails":{"BackupStatus":"DELETED"},"SourceTableDetails":{"TableName":"table"}}}`},
		step{name: "describe what is deleted", op: "DescribeBackup", body: about(third),
			err: "BackupNotFoundException: Backup not found: " + third},
		step{name: "delete again", op: "DeleteBackup", body: about(third),
			err: "BackupNotFoundException: Backup not found: " + third},
		step{name: "delete the table", op: "DeleteTable", body: ofTable},
		step{name: "without its table", op: "DescribeBackup", body: about(first),
			has: `{"BackupDescription":{"BackupDetails":{"BackupStatus":"AVAILABLE"},"SourceTableDetails":{"TableName":"table"}}}`})
	x.create()
	x.backUp("another")
	ids := map[any]bool{}
	for _, b := range x.backups("") {
		ids[at(t, b, "TableId")] = true
	}
	assert.Len(t, ids, 2, "of two tables of that name")
}

// TestProbesOfBackupARNs: ack-api-quirks, DDB-BACKUP-012.
func TestProbesOfBackupARNs(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t)
	arn := x.backUp("first")
	describe := func(name, old, new, err string) step {
		return step{name: name, op: "DescribeBackup", err: err,
			body: `{"BackupArn":"` + strings.Replace(arn, old, new, 1) + `"}`}
	}
	const invalid = "ValidationException: Invalid Request: BackupArn is not valid"
	const denied = accessDenied
	elsewhere := strings.Replace(arn, "eu-west-3", "us-east-1", 1)
	echo := describe("another region", "eu-west-3", "us-east-1", "")
	echo.has = `{"BackupDescription":{"BackupDetails":{"BackupArn":"` + elsewhere + `"}}}`
	remove := describe("delete one of another account", "000000000000", "999988887777", denied)
	remove.op = "DeleteBackup"
	x.follow(echo, remove, describe("no region that exists", "eu-west-3", "xx-fake-1", invalid),
		describe("another account", "000000000000", "999988887777", denied),
		describe("no region", "eu-west-3", "", "AccessDeniedException: *"),
		describe("another partition", "arn:aws:", "arn:aws-cn:", invalid),
		describe("another service", "dynamodb", "s3", invalid),
		describe("a table", arn[strings.Index(arn, "/backup/"):], "", "ValidationException: Invalid Backup ARN"),
		step{name: "start in another region", op: "ListBackups",
			body: `{"ExclusiveStartBackupArn":"` + elsewhere + `"}`,
			err:  "ValidationException: Invalid Request: The supplied ExclusiveStartBackupArn does not match the region"},
		step{name: "delete", op: "DeleteBackup", body: `{"BackupArn":"` + elsewhere + `"}`},
		describe("deleted", "", "", "BackupNotFoundException: Backup not found: "+arn))
}

// TestProbesOfWhatIsBackedUp: ack-api-quirks, DDB-BACKUP-009, -017 and -021.
func TestProbesOfWhatIsBackedUp(t *testing.T) {
	t.Parallel()
	send := private(t)
	follow(t, send, []step{
		{name: "create", op: "CreateTable", body: aTable + keys("pk:S", "g:S") +
			`,"GlobalSecondaryIndexes":[` + index("gsi", "ALL", "g") + `],"TableClass":"STANDARD_INFREQUENT_ACCESS","DeletionProtectionEnabled":true,"OnDemandThroughput":{"MaxReadRequestUnits":100},"SSESpecification":{"Enabled":true},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"Tags":[{"Key":"a","Value":"b"}]}`},
		{name: "TTL", op: "UpdateTimeToLive", body: withTTL},
		{name: "recovery", op: "UpdateContinuousBackups", body: withPITR},
	})
	answer, err := send("KEY", "CreateBackup", aBackup)
	require.NoError(t, err)
	arn := at(t, answer, "BackupDetails", "BackupArn").(string)
	answer, err = send("KEY", "DescribeBackup", `{"BackupArn":"`+arn+`"}`)
	require.NoError(t, err)
	names := func(v any) (all []string) {
		for name := range v.(map[string]any) {
			all = append(all, name)
		}
		return all
	}
	features := at(t, answer, "BackupDescription", "SourceTableFeatureDetails")
	assert.ElementsMatch(t, []string{"StreamDescription", "TimeToLiveDescription", "SSEDescription",
		"GlobalSecondaryIndexes"}, names(features))
	assert.ElementsMatch(t, []string{"TableName", "TableId", "TableArn", "TableSizeBytes",
		"KeySchema", "TableCreationDateTime", "ProvisionedThroughput", "OnDemandThroughput",
		"ItemCount", "BillingMode"},
		names(at(t, answer, "BackupDescription", "SourceTableDetails")))
	assert.ElementsMatch(t,
		[]string{"IndexName", "KeySchema", "Projection", "ProvisionedThroughput"},
		names(at(t, features, "GlobalSecondaryIndexes").([]any)[0]))
}
