package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestBackupRequests: what the operations on backups say of requests that cannot succeed.
func TestBackupRequests(t *testing.T) {
	t.Parallel()
	x := newTable(t, keys("pk:S"))
	backup := x.arn + "/backup/01489602797149-73d8d5bc"
	const unknown = "TableNotFoundException: Table not found: no-such-table"
	const violated = "ValidationException: 1 validation error detected: "
	recovery := func(table, spec string) string {
		return `{"TableName":"` + table + `","PointInTimeRecoverySpecification":{` + spec + `}}`
	}
	run(t, defaults{src: "API Reference"}, []kase{
		{name: "a backup of no table", op: "CreateBackup",
			in: `{"TableName":"no-such-table","BackupName":"name"}`, err: unknown},
		{name: "the name of a backup with a space", op: "CreateBackup",
			in: `{"TableName":"` + x.name + `","BackupName":"a name"}`,
			err: violated +
				"Value 'a name' at 'backupName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{name: "the name of a backup that is too short", op: "CreateBackup",
			in: `{"TableName":"` + x.name + `","BackupName":"ab"}`,
			err: violated +
				"Value 'ab' at 'backupName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{name: "a backup that is not there", src: "turbot/steampipe-plugin-aws, issue 1913",
			op: "DescribeBackup", in: `{"BackupArn":"` + backup + `"}`,
			err: "BackupNotFoundException: Backup not found: " + backup},
		{name: "a backup to delete that is not there", op: "DeleteBackup",
			in:  `{"BackupArn":"` + backup + `"}`,
			err: "BackupNotFoundException: Backup not found: " + backup},
		{name: "a backup to restore that is not there", op: "RestoreTableFromBackup",
			in:  `{"BackupArn":"` + backup + `","TargetTableName":"restored"}`,
			err: "BackupNotFoundException: Backup not found: " + backup},
		{name: "no ARN of a backup", src: "ack-api-quirks, DDB-BACKUP-012", op: "DescribeBackup",
			in: `{"BackupArn":"arn"}`, err: "ValidationException: Invalid Backup ARN"},
		{name: "an ARN of a table as that of a backup", src: "ack-api-quirks, DDB-BACKUP-012",
			op: "DescribeBackup", in: `{"BackupArn":"` + x.arn + `"}`,
			err: "ValidationException: Invalid Backup ARN"},
		{name: "a backup in a region that does not exist", src: "ack-api-quirks, DDB-BACKUP-012",
			op:  "DescribeBackup",
			in:  `{"BackupArn":"` + strings.Replace(backup, "us-east-1", "xx-fake-1", 1) + `"}`,
			err: "ValidationException: Invalid Request: BackupArn is not valid"},
		{name: "too many backups at once", op: "ListBackups", in: `{"Limit":101}`,
			err: violated +
				"Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100"},
		{name: "backups of no type", op: "ListBackups", in: `{"BackupType":"NONE"}`,
			err: "ValidationException: 1 validation error detected: Value 'NONE' at 'backupType' failed to satisfy constraint: Member must satisfy enum value set: [ALL, AWS_BACKUP, USER, SYSTEM]"},
		{name: "recovery of no table", op: "UpdateContinuousBackups",
			in: recovery("no-such-table", `"PointInTimeRecoveryEnabled":true`), err: unknown},
		{name: "recovery for no day", op: "UpdateContinuousBackups",
			in: recovery(x.name, `"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":0`),
			err: violated +
				"Value '0' at 'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "recovery for too many days", op: "UpdateContinuousBackups",
			in: recovery(x.name, `"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":36`),
			err: violated +
				"Value '36' at 'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed to satisfy constraint: Member must have value less than or equal to 35"},
		{name: "a restore of no table", op: "RestoreTableToPointInTime",
			in: `{"SourceTableName":"no-such-table","TargetTableName":"restored","UseLatestRestorableTime":true}`, err: unknown},
		{name: "a restore without recovery", op: "RestoreTableToPointInTime",
			in: `{"SourceTableName":"` + x.name +
				`","TargetTableName":"restored","UseLatestRestorableTime":true}`,
			err: "PointInTimeRecoveryUnavailableException: *"},
		{name: "a restore of no source", op: "RestoreTableToPointInTime",
			in:  `{"TargetTableName":"restored","UseLatestRestorableTime":true}`,
			src: "ack-api-quirks, DDB-TABLE-272",
			err: "ValidationException: The parameter 'TableName' is required but was not present in the request"},
		{name: "a restore of two sources", op: "RestoreTableToPointInTime",
			src: "ack-api-quirks, DDB-TABLE-272",
			in: `{"SourceTableName":"` + x.name + `","SourceTableArn":"` + x.arn +
				`","TargetTableName":"restored","UseLatestRestorableTime":true}`,
			err: "ValidationException: Must provide exactly one of: sourceTableArn, sourceTableName"},
		{name: "recovery off for a number of days", op: "UpdateContinuousBackups",
			src: "ack-api-quirks, DDB-TABLE-084",
			in:  recovery(x.name, `"PointInTimeRecoveryEnabled":false,"RecoveryPeriodInDays":7`),
			err: "ValidationException: Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery."},
		{name: "backups of no time", op: "ListBackups", src: "ack-api-quirks, DDB-BACKUP-014",
			in:  `{"TimeRangeLowerBound":1767225602,"TimeRangeUpperBound":1767225601}`,
			err: "ValidationException: One or more parameter values were invalid: Time range lower bound must be less than or equal to upper bound"},
		{name: "a restore to no time", op: "RestoreTableToPointInTime",
			in:  `{"SourceTableName":"` + x.name + `","TargetTableName":"restored"}`,
			src: "ack-api-quirks, DDB-TABLE-442",
			err: "ValidationException: Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both"},
	})
}

// song is a request to put an item, has what a Scan of a table then has.
func song(title, album string) string {
	return `{"TableName":"music","Item":{"pk":{"S":"` + title + `"},"album":{"S":"` + album + `"}}}`
}

func has(name, table, items string) step {
	return step{
		name: name, op: "Scan", body: `{"TableName":"` + table + `"}`,
		has: `{"Items":[` + items + `]}`,
	}
}

const (
	createMusic = `"TableName":"music","GlobalSecondaryIndexes":[{"IndexName":"by-album","KeySchema":[{"AttributeName":"album","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],` +
		`"Tags":[{"Key":"k","Value":"v"}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},`
	blue  = `{"pk":{"S":"a"},"album":{"S":"blue"}}`
	green = `{"pk":{"S":"a"},"album":{"S":"green"}}`
)

// TestBackups: Developer Guide, "Using on-demand backup and restore for DynamoDB"; API Reference of
// the operations.
func TestBackups(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 0, 0))
	follow(t, send, []step{
		{name: "create", op: "CreateTable",
			body: `{` + createMusic + keys("pk:S", "album:S") + `}`},
		{name: "too early", op: "CreateBackup", body: `{"TableName":"music","BackupName":"early"}`,
			// ack-api-quirks, DDB-BACKUP-001
			err: "TableNotFoundException: Table not found: music"},
	})
	clock.Advance(time.Minute)
	follow(t, send, []step{
		{name: "put", op: "PutItem", body: song("a", "blue")},
		{name: "back up", op: "CreateBackup", body: `{"TableName":"music","BackupName":"first"}`,
			has: `{"BackupDetails":{"BackupName":"first","BackupStatus":"CREATING","BackupType":"USER","BackupSizeBytes":12,"BackupExpiryDateTime":null}}`},
		{name: "overwrite", op: "PutItem", body: song("a", "green")},
		{name: "in progress", op: "CreateBackup",
			body: `{"TableName":"music","BackupName":"second"}`, err: "BackupInUseException: *"},
	})
	answer, err := send("KEY", "ListBackups", `{"TableName":"music"}`)
	require.NoError(t, err)
	arn := at(t, at(t, answer, "BackupSummaries").([]any)[0], "BackupArn").(string)
	assert.Regexp(t,
		`^arn:aws:dynamodb:eu-west-3:000000000000:table/music/backup/[0-9]{14}-[0-9a-f]{8}$`, arn)
	backup := `{"BackupArn":"` + arn + `"}`
	restore := strings.Replace(backup, "}", `,"TargetTableName":"restored"}`, 1)
	follow(t, send, []step{
		{name: "delete in progress", op: "DeleteBackup", body: backup,
			err: "BackupInUseException: *"},
		{name: "restore in progress", op: "RestoreTableFromBackup", body: restore,
			err: "BackupInUseException: *"},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		{name: "describe", op: "DescribeBackup",
			body: backup, has: `{"BackupDescription":{"BackupDetails":{"BackupStatus":"AVAILABLE"},
			"SourceTableDetails":{"TableName":"music","ItemCount":1,"BillingMode":"PAY_PER_REQUEST"},
			"SourceTableFeatureDetails":{"GlobalSecondaryIndexes":[{"IndexName":"by-album"}],"StreamDescription":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}}}`},
		{name: "restore", op: "RestoreTableFromBackup",
			body: restore,
			has: `{"TableDescription":{"TableStatus":"CREATING","RestoreSummary":{"SourceBackupArn":"` + arn + `",
			"SourceTableArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/music","RestoreInProgress":true}}}`},
		{name: "not yet there", op: "Scan", body: `{"TableName":"restored"}`,
			err: noSuchTable},
		{name: "restore twice", op: "RestoreTableFromBackup", body: restore,
			err: "TableInUseException: *"},
		// ack-api-quirks, DDB-BACKUP-010
		{name: "restore to a second table", op: "RestoreTableFromBackup",
			body: strings.Replace(restore, "restored", "second", 1),
			err:  "BackupInUseException: Backup is being used to restore another table: " + arn},
		{name: "delete what is being restored", op: "DeleteBackup", body: backup,
			err: "BackupInUseException: Backup is being used to restore table: " + arn},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		has("the item of then", "restored", blue),
		has("the item of now", "music", green),
		{name: "by the index", op: "Query",
			body: `{"TableName":"restored","IndexName":"by-album","KeyConditionExpression":"album = :a","ExpressionAttributeValues":{":a":{"S":"blue"}}}`, has: `{"Count":1}`},
		{name: "restored", op: "DescribeTable", body: `{"TableName":"restored"}`,
			has: `{"Table":{"TableStatus":"ACTIVE","StreamSpecification":null,"RestoreSummary":null}}`},
		{name: "no tags", op: "ListTagsOfResource",
			body: `{"ResourceArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/restored"}`,
			has:  `{"Tags":[]}`},
		{name: "restore to a table", op: "RestoreTableFromBackup", body: restore,
			err: "TableAlreadyExistsException: Table already exists: restored"},
		{name: "delete", op: "DeleteBackup", body: backup,
			has: `{"BackupDescription":{"BackupDetails":{"BackupStatus":"DELETED"}}}`},
		{name: "deleted", op: "DescribeBackup", body: backup,
			err: "BackupNotFoundException: Backup not found: " + arn},
	})
}

// TestPointInTimeRecovery: Developer Guide, "Point-in-time backups for DynamoDB"; API Reference of
// the operations.
func TestPointInTimeRecovery(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := emulator.NewClock(start)
	send := private(t, emulator.WithHeldClock(clock))
	window := func(earliest, latest time.Duration) step {
		return step{name: fmt.Sprint("from ", earliest, " to ", latest),
			op: "DescribeContinuousBackups", body: `{"TableName":"music"}`,
			has: `{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":35,` +
				fmt.Sprintf(`"EarliestRestorableDateTime":%d,"LatestRestorableDateTime":%d}}}`,
					start.Add(earliest).Unix(), start.Add(latest).Unix())}
	}
	restore := func(target string, to time.Duration) string {
		return fmt.Sprintf(`{"SourceTableName":"music","TargetTableName":%q,"RestoreDateTime":%d}`,
			target, start.Add(to).Unix())
	}
	follow(t, send, []step{
		{name: "create", op: "CreateTable",
			body: `{` + createMusic + keys("pk:S", "album:S") + `}`},
		{name: "put", op: "PutItem", body: song("a", "blue")},
		{name: "enable", op: "UpdateContinuousBackups",
			body: `{"TableName":"music","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`},
		window(0, 0),
	})
	clock.Advance(time.Hour)
	follow(t, send, []step{{name: "overwrite", op: "PutItem", body: song("a", "green")}})
	clock.Advance(time.Hour)
	const invalid = "InvalidRestoreTimeException: *"
	follow(t, send, []step{
		window(0, 2*time.Hour-5*time.Minute),
		{name: "before the overwrite", op: "RestoreTableToPointInTime",
			body: restore("before", time.Hour-time.Second),
			has:  `{"TableDescription":{"RestoreSummary":{"SourceTableArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/music","SourceBackupArn":null}}}`},
		has("the item of before", "before", blue),
		{name: "after the overwrite", op: "RestoreTableToPointInTime",
			body: restore("after", time.Hour)},
		has("the item of after", "after", green),
		{name: "too early", op: "RestoreTableToPointInTime", body: restore("early", -time.Second),
			err: invalid},
		{name: "too late", op: "RestoreTableToPointInTime",
			body: restore("late", 2*time.Hour-5*time.Minute+time.Second), err: invalid},
		{name: "the latest time", op: "RestoreTableToPointInTime",
			body: `{"SourceTableName":"music","TargetTableName":"latest","UseLatestRestorableTime":true}`},
		has("the latest item", "latest", green),
		{name: "to a table", op: "RestoreTableToPointInTime", body: restore("latest", 0),
			err: "TableAlreadyExistsException: Table already exists: latest"},
		{name: "delete the table", op: "DeleteTable", body: `{"TableName":"music"}`},
		{name: "its backup", op: "ListBackups", body: `{"BackupType":"SYSTEM"}`,
			has: `{"BackupSummaries":[{"BackupName":"music$DeletedTableBackup","BackupType":"SYSTEM"}]}`},
		{name: "not that of a user", op: "ListBackups", body: `{}`, has: `{"BackupSummaries":[]}`},
	})
	clock.Advance(35 * 24 * time.Hour)
	follow(t, send,
		[]step{{name: "its end", op: "ListBackups", body: `{"BackupType":"ALL"}`,
			has: `{"BackupSummaries":[]}`}})
}

// TestRestoresFromAnotherRegion: Developer Guide, "Restoring a DynamoDB table from a backup" and
// "Restoring a DynamoDB table to a point in time", the notes on cross-Region restores;
// ack-api-quirks, DDB-TABLE-274 and 442.
func TestRestoresFromAnotherRegion(t *testing.T) {
	t.Parallel()
	const here, there = "us-east-1", "us-west-2"
	const arn = "arn:aws:dynamodb:" + here + ":000000000000:table/music"
	const unencrypted = "ValidationException: Invalid Request: sseSpecificationOverride must be provided for cross-region restores"
	const encrypted = `,"SSESpecificationOverride":{"Enabled":true,"SSEType":"KMS"}`
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := regional(t, emulator.WithHeldClock(clock))
	followIn(t, send, []regionalStep{
		{here, step{name: "create", op: "CreateTable",
			body: `{` + createMusic + keys("pk:S", "album:S") + `}`}},
		{here, step{name: "enable", op: "UpdateContinuousBackups",
			body: `{"TableName":"music","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`}},
		{here, step{name: "put", op: "PutItem", body: song("a", "blue")}},
	})
	made, err := send(here, "CreateBackup", `{"TableName":"music","BackupName":"first"}`)
	require.NoError(t, err)
	backup := made["BackupDetails"].(map[string]any)["BackupArn"].(string)
	clock.Advance(time.Hour)
	past := func(source, target, more string) string {
		return `{"SourceTableArn":"` + source + `","TargetTableName":"` + target +
			`","UseLatestRestorableTime":true` + more + `}`
	}
	copyOf := func(arn, target, more string) string {
		return `{"BackupArn":"` + arn + `","TargetTableName":"` + target + `"` + more + `}`
	}
	china := strings.Replace(strings.Replace(arn, "arn:aws:", "arn:aws-cn:", 1), here, "cn-north-1",
		1)
	followIn(t, send, []regionalStep{
		{here, step{name: "overwrite", op: "PutItem", body: song("a", "green")}},
		{there, step{name: "a backup without encryption", op: "RestoreTableFromBackup",
			body: copyOf(backup, "copy", ""), err: unencrypted}},
		{there, step{name: "a backup", op: "RestoreTableFromBackup",
			body: copyOf(backup, "copy", encrypted),
			has: `{"TableDescription":{"TableArn":"arn:aws:dynamodb:us-west-2:000000000000:table/copy","SSEDescription":{"Status":"ENABLED"},` +
				`"RestoreSummary":{"SourceTableArn":"` + arn + `","SourceBackupArn":"` +
				backup + `"}}}`}},
		{there, has("the item of the backup", "copy", blue)},
		{there, step{name: "its index", op: "Scan",
			body: `{"TableName":"copy","IndexName":"by-album"}`, has: `{"Items":[` + blue + `]}`}},
		{there, step{name: "a write to it", op: "PutItem",
			body: `{"TableName":"copy","Item":` + green + `}`}},
		{there, step{name: "no backup", op: "RestoreTableFromBackup",
			body: copyOf(backup[:len(backup)-1]+"x", "none", encrypted),
			err:  "BackupNotFoundException: *"}},
		{there, step{name: "a time without encryption", op: "RestoreTableToPointInTime",
			body: past(arn, "past", ""), err: unencrypted}},
		{there, step{name: "a time", op: "RestoreTableToPointInTime",
			body: past(arn, "past", encrypted),
			has:  `{"TableDescription":{"RestoreSummary":{"SourceTableArn":"` + arn + `"}}}`}},
		{there, has("the item of then", "past", blue)},
		{there, step{name: "a table that is there", op: "RestoreTableToPointInTime",
			body: past(arn, "past", encrypted), err: "TableAlreadyExistsException: Table already exists: past"}},
		{there, step{name: "no table", op: "RestoreTableToPointInTime",
			body: past(arn+"s", "none", encrypted),
			err:  "TableNotFoundException: Table not found"}},
		{there, step{name: "a name is of the own region", op: "RestoreTableToPointInTime",
			body: `{"SourceTableName":"music","TargetTableName":"none","UseLatestRestorableTime":true}`, err: "TableNotFoundException: Table not found: music"}},
		{there, step{name: "another partition", op: "RestoreTableToPointInTime",
			body: past(china, "none", encrypted), err: "ValidationException: *"}},
		{there, step{name: "the tables", op: "ListTables", body: `{}`,
			has: `{"TableNames":["copy","past"]}`}},
		{here, has("the source stays", "music", green)},
	})
}
