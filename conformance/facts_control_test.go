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

// TestUpdatesOfSettings: requests of UpdateTable that no table takes.
func TestUpdatesOfSettings(t *testing.T) {
	t.Parallel()
	demand := newTable(t, keys("pk:S")).name
	of := func(members string) string { return `{"TableName":"` + demand + `",` + members + `}` }
	const (
		noIndexes = invalidParameters + "List of GlobalSecondaryIndexUpdates is empty"
		nothing   = "ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, " +
			"GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, " +
			"DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
		alone = " modification must be the only operation in the request"
		class = `"TableClass":"STANDARD_INFREQUENT_ACCESS"`
	)
	run(t, defaults{src: "service facts T.1", op: "UpdateTable"}, []kase{
		{name: "no index updates beside deletion protection", raw: true,
			in:  of(`"GlobalSecondaryIndexUpdates":[],"DeletionProtectionEnabled":true`),
			err: noIndexes},
		{name: "no index updates beside a billing mode", raw: true,
			in:  of(`"GlobalSecondaryIndexUpdates":[],"BillingMode":"PAY_PER_REQUEST"`),
			err: noIndexes},
		{name: "no index updates beside a maximum", raw: true,
			in: of(`"GlobalSecondaryIndexUpdates":[],"OnDemandThroughput":{"MaxReadRequestUnits":10}`), err: noIndexes},
		{name: "no updates of vector indexes beside deletion protection", raw: true,
			in:  of(`"VectorIndexUpdates":[],"DeletionProtectionEnabled":true`),
			err: invalidParameters + "List of VectorIndexUpdates is empty*"},
		{name: "consistency alone", src: "service facts T.2",
			in: of(`"MultiRegionConsistency":"EVENTUAL"`), err: nothing},
		{name: "a class and deletion protection", src: "service facts T.3",
			in:  of(class + `,"DeletionProtectionEnabled":true`),
			err: invalidParameters + "TableClass" + alone},
		{name: "encryption and a class", src: "service facts T.3",
			in:  of(class + `,"SSESpecification":{"Enabled":true}`),
			err: invalidParameters + "Server-Side Encryption" + alone},
		{name: "deletion protection and warm throughput", src: "service facts T.3",
			in:  of(`"DeletionProtectionEnabled":true,"WarmThroughput":{"ReadUnitsPerSecond":13000}`),
			err: invalidParameters + "DeletionProtection" + alone},
		{name: "a class that is unknown", src: "service facts T.4",
			in: of(`"TableClass":"GLACIER"`),
			err: "ValidationException: Invalid table-class parameter provided. " +
				"Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS]."},
		{name: "a replica that is not there", src: "service facts T.13",
			in: of(`"ReplicaUpdates":[{"Delete":{"RegionName":"ca-central-1"}}]`),
			err: "ValidationException: Update global table operation failed because one or more replicas were not part of the " +
				"global table. Please retry the request without these replicas: [ca-central-1]."},
	})
	assert.Equal(t, false, at(t, describe(t, demand), "DeletionProtectionEnabled"),
		"nothing was applied")
}

// TestThroughputOverTheQuota: service facts T.9.
func TestThroughputOverTheQuota(t *testing.T) {
	t.Parallel()
	send := private(t)
	units := func(read, write int) string {
		return fmt.Sprintf(
			`"ProvisionedThroughput":{"ReadCapacityUnits":%d,"WriteCapacityUnits":%d}`, read, write)
	}
	over := func(name string) string {
		return "LimitExceededException: The requested " + name +
			", 40001, is above the per table maximum for the account in eu-west-3. " +
			"Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
	}
	const table = `{"TableName":"table",`
	key := strings.TrimPrefix(keys("pk:S"), `"BillingMode":"PAY_PER_REQUEST",`) + `}`
	follow(t, send, []step{
		{name: "reads of a new table", op: "CreateTable", body: table + units(40001, 1) + `,` + key,
			err: over("ReadCapacityUnits")},
		{name: "create", op: "CreateTable", body: table + units(1, 1) + `,` + key},
		{name: "reads", op: "UpdateTable", body: table + units(40001, 1) + `}`,
			err: over("ReadCapacityUnits")},
		{name: "writes", op: "UpdateTable", body: table + units(2, 40001) + `}`,
			err: over("WriteCapacityUnits")},
	})
}

// TestTagFacts: service facts T.15 and T.17 to T.20.
func TestTagFacts(t *testing.T) {
	t.Parallel()
	table := newTable(t,
		keys("pk:S")+`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`)
	missing := strings.Replace(table.arn, table.name, "no-such-table", 1)
	stream := table.arn + "/stream/2026-01-01T00:00:00.000" // a stream of old
	backup := table.arn + "/backup/01489602797149-73d8d5bc"
	part := strings.Split(table.arn, ":")
	part[4] = "111122223333"
	foreign := strings.Join(part, ":")
	bodies := map[string]string{
		"TagResource":        `{"ResourceArn":"%s","Tags":[{"Key":"a","Value":"b"}]}`,
		"UntagResource":      `{"ResourceArn":"%s","TagKeys":["a"]}`,
		"ListTagsOfResource": `{"ResourceArn":"%s"}`,
	}
	for op, body := range bodies {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			on := func(arn string) string { return strings.Replace(body, "%s", arn, 1) }
			run(t, defaults{op: op}, []kase{
				{name: "no table", src: "service facts T.15", in: on(missing),
					err: "ResourceNotFoundException: Requested resource not found: ResourceArn: " +
						missing + " not found"},
				{name: "a backup", src: "service facts T.19", in: on(backup),
					err: invalidParameters + "Provided Arn is not a DynamoDB resource arn: " +
						backup},
				{name: "a stream", src: "service facts T.19", in: on(stream),
					err: "ResourceNotFoundException: Requested resource not found: ResourceArn: " +
						table.arn + "*"},
				{name: "a table of another account", src: "service facts T.20", in: on(foreign),
					err: accessDenied},
			})
		})
	}
	const reserved = "ValidationException: Tag Key cannot be prefixed with aws:, Key: "
	tag := func(key string) string {
		return `{"ResourceArn":"` + table.arn + `","Tags":[{"Key":"` + key + `","Value":"b"}]}`
	}
	untag := func(list string) string {
		return `{"ResourceArn":"` + table.arn + `","TagKeys":[` + list + `]}`
	}
	run(t, defaults{src: "service facts T.17", op: "TagResource"}, []kase{
		{name: "aws in capitals", in: tag("AWS:foo"), err: reserved + "AWS:foo"},
		{name: "aws in mixed case", in: tag("Aws:foo"), err: reserved + "Aws:foo"},
		{name: "aws elsewhere", in: tag("myaws:foo"), want: `{}`},
		{name: "a new table", op: "CreateTable",
			in: `{"TableName":"never",` + keys("pk:S") +
				`,"Tags":[{"Key":"AWS:foo","Value":"b"}]}`,
			err: reserved + "AWS:foo"},
		{name: "untag a key of aws", src: "service facts T.18", op: "UntagResource",
			in: untag(`"aws:foo"`), err: reserved + "aws:foo"},
		{name: "untag too many", src: "service facts T.18", op: "UntagResource",
			in:  untag(times(51, `"k%d"`)),
			err: "ValidationException: Number of Tags exceed the current limit for the provided ResourceArn"},
		{name: "describe a table of another account", src: "service facts T.20",
			op: "DescribeTable",
			in: `{"TableName":"` + foreign + `"}`, err: accessDenied},
	})
}

// TestBackupFacts: service facts T.11, T.12, T.21, T.25, T.26 and T.28.
func TestBackupFacts(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock))
	const arn = "arn:aws:dynamodb:eu-west-3:000000000000:table/music"
	restore := func(members string) string {
		return `{"TargetTableName":"restored",` + members + `}`
	}
	const byName = `"SourceTableName":"music",`
	follow(t, send, []step{
		{name: "an export of no ARN", op: "ExportTableToPointInTime",
			body: `{"TableArn":"","S3Bucket":"bucket"}`,
			err:  "ValidationException: Invalid TableArn: Invalid Table ARN"},
		{name: "create", op: "CreateTable", body: `{"TableName":"music",` + keys("pk:S") + `}`},
		{name: "recovery", op: "UpdateContinuousBackups",
			body: `{"TableName":"music","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`},
		{name: "two times", op: "RestoreTableToPointInTime",
			body: restore(byName + `"UseLatestRestorableTime":true,"RestoreDateTime":1767225600`),
			err: "ValidationException: Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set " +
				"for point-in-time restore request."},
		{name: "before the window", op: "RestoreTableToPointInTime",
			body: restore(byName + `"RestoreDateTime":1700000000`),
			err:  "InvalidRestoreTimeException: RestoreDateTime '2023-11-14T22:13:20Z' must be within EarliestRestorableDateTime '*"},
		{name: "a missing table by ARN", op: "RestoreTableToPointInTime",
			body: restore(`"SourceTableArn":"` + arn + `x","UseLatestRestorableTime":true`),
			err:  "TableNotFoundException: Table not found"},
		{name: "a missing table by name", op: "RestoreTableToPointInTime",
			body: restore(`"SourceTableName":"musicx","UseLatestRestorableTime":true`),
			err:  "TableNotFoundException: Table not found: musicx"},
		{name: "a table of another account", op: "RestoreTableToPointInTime",
			body: restore(`"SourceTableArn":"` +
				strings.Replace(arn, "000000000000", "111122223333", 1) +
				`","UseLatestRestorableTime":true`),
			err: "ValidationException: This action is only supported by accounts that match the resource owner’s account."},
		{name: "a table of no account", op: "RestoreTableToPointInTime",
			body: restore(`"SourceTableArn":"` + strings.Replace(arn, "000000000000", "1111", 1) +
				`","UseLatestRestorableTime":true`),
			err: "ValidationException: Invalid TableArn: Invalid ResourceArn provided as input *"},
		{name: "a backup of another account", op: "RestoreTableFromBackup",
			body: restore(`"BackupArn":"` +
				strings.Replace(arn, "000000000000", "111122223333", 1) +
				`/backup/01489602797149-73d8d5bc"`), err: accessDenied},
	})
	made, err := send("KEY", "CreateBackup", `{"TableName":"music","BackupName":"name"}`)
	require.NoError(t, err)
	backup := at(t, made, "BackupDetails", "BackupArn").(string)
	abroad := strings.Replace(backup, "eu-west-3", "us-west-2", 1)
	echoes := `{"BackupDescription":{"BackupDetails":{"BackupArn":"` + abroad + `"}}}`
	follow(t, send, []step{
		{name: "describe by another region's ARN", op: "DescribeBackup",
			body: `{"BackupArn":"` + abroad + `"}`, has: echoes},
		{name: "delete by another region's ARN", op: "DeleteBackup",
			body: `{"BackupArn":"` + abroad + `"}`, has: echoes},
		{name: "delete the table", op: "DeleteTable", body: `{"TableName":"music"}`},
	})
	listed, err := send("KEY", "ListBackups", `{"BackupType":"SYSTEM"}`)
	require.NoError(t, err)
	summaries := listed["BackupSummaries"].([]any)
	require.Len(t, summaries, 1)
	assert.Regexp(t, `/backup/\d{14}-00000000$`, at(t, summaries[0], "BackupArn"))
}

// TestScalingWithoutPolicy: service facts T.22.
func TestScalingWithoutPolicy(t *testing.T) {
	t.Parallel()
	const bounds = `{"MinimumUnits":1,"MaximumUnits":10}`
	const required = "ValidationException: Failed to update settings for global table with name: ‘no-such-table’: Parameters 'ScalingPolicyUpdate' are required unless auto scaling is being disabled."
	of := func(members string) string { return `{"TableName":"no-such-table",` + members + `}` }
	run(t, defaults{src: "service facts T.22", op: "UpdateTableReplicaAutoScaling"}, []kase{
		{name: "writes", in: of(`"ProvisionedWriteCapacityAutoScalingUpdate":` + bounds),
			err: required},
		{name: "reads of a replica",
			in:  of(`"ReplicaUpdates":[{"RegionName":"us-west-2","ReplicaProvisionedReadCapacityAutoScalingUpdate":` + bounds + `}]`),
			err: required},
		{name: "switched off",
			in:  of(`"ProvisionedWriteCapacityAutoScalingUpdate":{"AutoScalingDisabled":true}`),
			err: "ResourceNotFoundException: Global table with name: 'no-such-table' does not exist."},
	})
}

// TestAnswerToNewReplica: service facts T.14.
func TestAnswerToNewReplica(t *testing.T) {
	t.Parallel()
	send := regional(t)
	followIn(t, send, []regionalStep{
		{"us-east-1", step{name: "create", op: "CreateTable", body: createSongs}},
		{"us-east-1",
			step{name: "replicate", op: "UpdateTable", body: replicate,
				has: `{"TableDescription":{"Replicas":[]}}`}},
		{"us-east-1",
			step{name: "described", op: "DescribeTable", body: describeSong,
				has: `{"Table":{"Replicas":[{"RegionName":"us-west-2"}]}}`}},
	})
}

// TestImportFacts: service facts M.4 and M.5.
func TestImportFacts(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	line := `{"Item":{"pk":{"S":"%d"}}}`
	var apart, together strings.Builder
	for i := range 5 {
		fmt.Fprintf(&apart, line+"\n", i)
		fmt.Fprintf(&together, line, 5+i)
	}
	x.put("objects.json", apart.String()+together.String())
	from := func(table, prefix string) string {
		return `{"S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":"` + prefix +
			`"},"InputFormat":"DYNAMODB_JSON","ClientToken":"` + table + `",` +
			`"TableCreationParameters":{"TableName":"` + table + `",` + keys("pk:S") + `}}`
	}
	assertHas(t,
		`{"ImportStatus":"COMPLETED","ErrorCount":0,"ProcessedItemCount":10,"ImportedItemCount":10}`,
		x.began("ImportTable", from("ten", "objects")))
	assertHas(t,
		`{"ImportStatus":"COMPLETED","ErrorCount":0,"ProcessedItemCount":0,"ImportedItemCount":0,"ProcessedSizeBytes":0}`,
		x.began("ImportTable", from("none", "nothing/")))
	follow(t, x.send, []step{
		{name: "ten items", op: "Scan", body: `{"TableName":"ten"}`, has: `{"Count":10}`},
		{name: "no items", op: "DescribeTable", body: `{"TableName":"none"}`,
			has: `{"Table":{"TableStatus":"ACTIVE"}}`},
	})
}

// TestExportFacts: service facts T.23 and T.24.
func TestExportFacts(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	const arn = `"arn:aws:dynamodb:eu-west-3:000000000000:table/music"`
	create := step{
		name: "create", op: "CreateTable", body: `{"TableName":"music",` + keys("pk:S") + `}`,
	}
	list := func(name, has string) step {
		return step{
			name: name, op: "ListExports", body: `{"TableArn":` + arn + `}`,
			has: `{"ExportSummaries":` + has + `}`,
		}
	}
	follow(t, x.send, []step{create, {name: "recovery", op: "UpdateContinuousBackups",
		body: `{"TableName":"music","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`}})
	done := x.began("ExportTableToPointInTime", `{"TableArn":`+arn+`,"S3Bucket":"bucket"}`)
	assert.NotContains(t, done, "ExportType")
	follow(t, x.send, []step{
		list("of the table", `[{"ExportType":"FULL_EXPORT"}]`),
		{name: "delete", op: "DeleteTable", body: `{"TableName":"music"}`},
		list("of a deleted table", `[]`),
		create,
		list("of another table by its name", `[]`),
		{name: "describe", op: "DescribeExport",
			body: `{"ExportArn":` + encode(done["ExportArn"]) + `}`,
			has:  `{"ExportDescription":{"ExportStatus":"COMPLETED"}}`},
		{name: "of all tables", op: "ListExports", body: `{}`,
			has: `{"ExportSummaries":[{"ExportStatus":"COMPLETED"}]}`},
	})
}

// TestPolicyRevisionFacts: service facts M.6 and M.7.
func TestPolicyRevisionFacts(t *testing.T) {
	t.Parallel()
	send := private(t)
	const arn = "arn:aws:dynamodb:eu-west-3:000000000000:table/policies"
	policy := statementFor(
		`"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:root"},"Action":"dynamodb:GetItem","Resource":"` + arn + `"`)
	expecting := func(id string) string {
		return strings.Replace(policyInput(arn, policy), "{", `{"ExpectedRevisionId":"`+id+`",`, 1)
	}
	follow(t, send,
		[]step{{name: "create", op: "CreateTable",
			body: `{"TableName":"policies",` + keys("pk:S") + `}`}})
	put, err := send("KEY", "PutResourcePolicy", policyInput(arn, policy))
	require.NoError(t, err)
	stored := put["RevisionId"].(string)
	const refused = "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: "
	other := refused +
		"Requested update for policy with revision id 1, but the policy associated to target table policies has revision id " + stored + "."
	follow(t, send, []step{
		{name: "put another revision", op: "PutResourcePolicy", body: expecting("1"), err: other},
		{name: "delete another revision", op: "DeleteResourcePolicy",
			body: `{"ResourceArn":"` + arn + `","ExpectedRevisionId":"1"}`, err: other},
		{name: "put the first policy", op: "PutResourcePolicy", body: expecting("NO_POLICY"),
			err: refused +
				"Requested policy update expecting none to be present for table policies, but a policy exists with revision id " + stored + "."},
	})
	deleted, err := send("KEY", "DeleteResourcePolicy", `{"ResourceArn":"`+arn+`"}`)
	require.NoError(t, err)
	// The revision of a deletion is that of no policy: ack-api-quirks, DDB-TABLE-205.
	for _, id := range []string{"1", stored, deleted["RevisionId"].(string)} {
		none := refused + "Requested update for policy with revision id " + id +
			", but table policies has no associated*"
		follow(t, send, []step{
			{name: "put after a deletion", op: "PutResourcePolicy", body: expecting(id), err: none},
			{name: "delete after a deletion", op: "DeleteResourcePolicy",
				body: `{"ResourceArn":"` + arn + `","ExpectedRevisionId":"` + id + `"}`, err: none},
		})
	}
	follow(t, send, []step{
		{name: "put the first policy after a deletion", op: "PutResourcePolicy",
			body: expecting("NO_POLICY")}})
}
