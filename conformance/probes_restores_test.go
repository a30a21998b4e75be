package conformance

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// restored is a restore from a backup to a table.
func restored(name, backup, target, members, err string) step {
	return step{name: name, op: "RestoreTableFromBackup", err: err,
		body: `{"BackupArn":"` + backup + `","TargetTableName":"` + target + `"` + members + `}`}
}

// TestProbesOfRestoredIndexes: ack-api-quirks, DDB-TABLE-273, -279, -280, -281, -282 and -405.
func TestProbesOfRestoredIndexes(t *testing.T) {
	t.Parallel()
	x := newThroughputTest(t, units(1, 1))
	gsi := func(name, projection, attribute string, members ...string) string {
		s := `{"IndexName":"` + name + `","KeySchema":[{"AttributeName":"` + attribute + `","KeyType":"HASH"}],"Projection":{"ProjectionType":"` + projection + `"}`
		for _, m := range members {
			s += "," + m
		}
		return s + `}`
	}
	lsi := func(name, projection string) string { return index(name, projection, "pk", "lsk") }
	create := func(table, throughput, gsi string) step {
		return step{name: "create " + table, op: "CreateTable", body: `{"TableName":"` + table +
			`","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],` +
			defines("pk", "sk", "gk",
				"lsk") + `,` + throughput + `,"GlobalSecondaryIndexes":[` + gsi +
			`],"LocalSecondaryIndexes":[` + lsi("lsi1", "ALL") + `]}`}
	}
	x.follow(create("units", units(5, 5), gsi("gsi1", "ALL", "gk", units(5, 5))),
		create("demand", toDemand, gsi("gsi1", "ALL", "gk")))
	x.settle()
	x.settle() // they can be backed up
	backup := map[string]string{}
	for _, table := range []string{"units", "demand"} {
		x.follow(step{name: "put", op: "PutItem", body: `{"TableName":"` + table + `","Item":{"pk":{"S":"1"},"sk":{"S":"1"},"gk":{"S":"g"},"lsk":{"S":"l"}}}`})
		made, err := x.send("KEY", "CreateBackup", `{"TableName":"`+table+`","BackupName":"first"}`)
		require.NoError(t, err)
		backup[table] = at(t, made, "BackupDetails", "BackupArn").(string)
	}
	x.settle()
	from := func(name, table, target, members, err string) step {
		if err != "" {
			err = "ValidationException: Invalid Request: " + err
		}
		return restored(name, backup[table], target, members, err)
	}
	override := func(indexes string) string { return `,"GlobalSecondaryIndexOverride":[` + indexes + `]` }
	const onDemand, noMatch = `,"BillingModeOverride":"PAY_PER_REQUEST"`, " does not match a secondary index that existed in the source table and cannot be created during the restore operation"
	x.follow(
		from("units on demand", "demand", "res", `,"ProvisionedThroughputOverride":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`, "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED"),
		from("no units", "demand", "res", `,"BillingModeOverride":"PROVISIONED"`, "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED"),
		from("no maximum", "demand", "res", `,"OnDemandThroughputOverride":{"MaxReadRequestUnits":0,"MaxWriteRequestUnits":0}`, "Requested MaxReadRequestUnits for OnDemandThroughput is outside of valid range"),
		from("another index", "demand", "res", override(gsi("other", "ALL", "pk")),
			"Index other"+noMatch),
		from("another projection", "units", "res",
			override(gsi("gsi1", "KEYS_ONLY", "gk", units(1, 1))), "Index gsi1"+noMatch),
		from("another projection of a local index", "units", "res", `,"LocalSecondaryIndexOverride":[`+lsi("lsi1", "KEYS_ONLY")+`]`, "Index lsi1"+noMatch),
		from("no units of an index", "units", "res", override(gsi("gsi1", "ALL", "gk")), "Must specify provisioned throughput for index gsi1"),
		from("units of an index on demand", "units", "res", onDemand+override(gsi("gsi1", "ALL", "gk", units(1, 1))), "Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST for index gsi1"),
		from("maxima of units", "units", "res", `,"OnDemandThroughputOverride":{"MaxReadRequestUnits":10}`, "Cannot override MaxReadRequestUnits for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST"),
		step{name: "nothing was made", op: "ListTables", body: `{}`, has: `{"TableNames":["demand","table","units"]}`})
	is := func(target, has string) step {
		return step{name: target, op: "DescribeTable", body: `{"TableName":"` + target + `"}`,
			has: `{"Table":` + has + `}`}
	}
	for i, c := range []struct{ name, members, has string }{
		{"as it was", "", `{` + units(5, 5) + `,"GlobalSecondaryIndexes":[{"IndexName":"gsi1",` + units(5, 5) + `}],"LocalSecondaryIndexes":[{"IndexName":"lsi1"}]}`},
		{"units of the table", `,"ProvisionedThroughputOverride":{"ReadCapacityUnits":7,"WriteCapacityUnits":7}`, `{` + units(7, 7) + `,"GlobalSecondaryIndexes":[{` + units(5, 5) + `}]}`},
		{"units of the index", override(gsi("gsi1", "ALL", "gk", units(8, 8))), `{` + units(5, 5) +
			`,"GlobalSecondaryIndexes":[{` + units(8, 8) + `}]}`},
		{"on demand", onDemand + `,"OnDemandThroughputOverride":{"MaxReadRequestUnits":50,"MaxWriteRequestUnits":50}`, `{"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},` + units(0, 0) + `,"OnDemandThroughput":{"MaxReadRequestUnits":50},"GlobalSecondaryIndexes":[{` + units(0, 0) + `}]}`},
		{"other names", override(gsi("gsi-new", "ALL", "gk", units(5, 5))) + `,"LocalSecondaryIndexOverride":[` + lsi("lsi-new", "ALL") + `]`, `{"GlobalSecondaryIndexes":[{"IndexName":"gsi-new"}],"LocalSecondaryIndexes":[{"IndexName":"lsi-new"}]}`},
		{"no indexes", `,"GlobalSecondaryIndexOverride":[],"LocalSecondaryIndexOverride":[]`, `{"GlobalSecondaryIndexes":null,"LocalSecondaryIndexes":null,"AttributeDefinitions":[{"AttributeName":"pk"},{"AttributeName":"sk"}]}`},
	} {
		target := fmt.Sprintf("target%d", i)
		x.follow(from(c.name, "units", target, c.members, ""))
		if c.name != "no indexes" {
			x.follow(is(target, `{"GlobalSecondaryIndexes":[{"IndexStatus":null}]}`))
		}
		x.settle()
		x.follow(is(target, c.has),
			step{name: "the item", op: "Scan", body: `{"TableName":"` + target + `"}`,
				has: `{"Count":1}`})
	}
	query := func(index, key, value string) step {
		return step{name: index, op: "Query", has: `{"Count":1}`, body: `{"TableName":"target4","IndexName":"` + index + `","KeyConditionExpression":"` + key +
			`","ExpressionAttributeValues":{":v":{"S":"` + value + `"}}}`}
	}
	x.follow(query("gsi-new", "gk = :v", "g"), query("lsi-new", "pk = :v", "1"),
		step{name: "no longer the old name", op: "Scan", body: `{"TableName":"target4","IndexName":"gsi1"}`,
			err: "ValidationException: The table does not have the specified index: gsi1"})
}

// TestProbesOfRestoring: a table that is being restored (ack-api-quirks, DDB-TABLE-186, -215 to
// -219, -275, -277, -282 and -350).
func TestProbesOfRestoring(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	const target, arn = `{"TableName":"target"`, "arn:aws:dynamodb:eu-west-3:000000000000:table/target"
	const missing = "ResourceNotFoundException: Requested resource not found: Table: target not found"
	const noBackups = "TableNotFoundException: Table not found: target"
	const noARN = "ResourceNotFoundException: Requested resource not found: ResourceArn: " + arn + " not found"
	x.follow(changes("a stream", aStream, ""))
	x.settle()
	x.follow(changes("encryption", `"SSESpecification":{"Enabled":true}`, ""),
		changes("a class", infrequent, ""))
	x.settle()
	x.follow(changes("maxima", `"OnDemandThroughput":{"MaxReadRequestUnits":100,"MaxWriteRequestUnits":50}`, ""),
		changes("protection", protect, ""), step{name: "tag", op: "TagResource", body: withTags},
		step{name: "TTL", op: "UpdateTimeToLive", body: withTTL},
		step{name: "recovery", op: "UpdateContinuousBackups", body: withPITR})
	backup := x.backUp("first")
	x.settle()
	x.follow(restored("restore", backup, "target", "", ""),
		step{name: "described", op: "DescribeTable", body: target + `}`,
			has: `{"Table":{"TableStatus":"CREATING","RestoreSummary":{"RestoreInProgress":true,"SourceBackupArn":"` + backup + `","SourceTableArn":"` + probedTable + `"}}}`})
	for _, half := range []string{" at first", " then"} {
		x.follow(step{name: "tag" + half, op: "TagResource", body: `{"ResourceArn":"` + arn + `","Tags":[{"Key":"a","Value":"1"}]}`, err: noARN},
			step{name: "tags" + half, op: "ListTagsOfResource", body: `{"ResourceArn":"` + arn +
				`"}`, err: noARN},
			step{name: "TTL" + half, op: "UpdateTimeToLive", body: target + `,"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}}`, err: missing},
			step{name: "TTL?" + half, op: "DescribeTimeToLive", body: target + `}`, err: missing},
			step{name: "protection" + half, op: "UpdateTable", body: target + `,` + protect + `}`,
				err: missing},
			step{name: "stream" + half, op: "UpdateTable", body: target + `,` + aStream + `}`,
				err: missing},
			step{name: "policy" + half, op: "GetResourcePolicy", body: `{"ResourceArn":"` + arn +
				`"}`, err: missing},
			step{name: "insights" + half, op: "DescribeContributorInsights", body: target + `}`,
				err: missing},
			step{name: "recovery" + half, op: "UpdateContinuousBackups", body: target + `,"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`, err: noBackups},
			step{name: "recovery?" + half, op: "DescribeContinuousBackups", body: target + `}`,
				err: noBackups},
			step{name: "back up" + half, op: "CreateBackup", body: target +
				`,"BackupName":"second"}`, err: noBackups},
			step{name: "create" + half, op: "CreateTable", body: target + `,` + keys("pk:S") + `}`,
				err: resourceInUse + "Table is being used: target"},
			restored("again"+half, backup, "target", "", "TableInUseException: Table: target is already being restored from backup: "+backup),
			step{name: "delete" + half, op: "DeleteTable", body: target + `}`,
				err: "ResourceInUseException: Attempt to change a resource which is still in use: Table is being created: target"},
			step{name: "delete the backup" + half, op: "DeleteBackup", body: `{"BackupArn":"` +
				backup + `"}`, err: "BackupInUseException: *"})
		x.clock.Advance(5 * time.Second)
	}
	x.follow(step{name: "active", op: "DescribeTable", body: target + `}`,
		has: `{"Table":{"TableStatus":"ACTIVE","RestoreSummary":null,"StreamSpecification":null,"LatestStreamArn":null,"TableClassSummary":null,"DeletionProtectionEnabled":false,"SSEDescription":{"Status":"ENABLED","SSEType":"KMS"},"OnDemandThroughput":{"MaxReadRequestUnits":100,"MaxWriteRequestUnits":50}}}`},
		step{name: "no TTL", op: "DescribeTimeToLive", body: target + `}`, has: `{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`},
		step{name: "no recovery", op: "DescribeContinuousBackups", body: target + `}`, has: `{"ContinuousBackupsDescription":{"PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED","EarliestRestorableDateTime":null}}}`},
		step{name: "no tags", op: "ListTagsOfResource", body: `{"ResourceArn":"` + arn + `"}`,
			has: `{"Tags":[]}`},
		step{name: "no policy", op: "GetResourcePolicy", body: `{"ResourceArn":"` + arn + `"}`,
			err: "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: arn:aws:dynamodb:eu-west-3:000000000000:table/target"},
		restored("to a table", backup, "target", "", "TableAlreadyExistsException: Table already exists: target"),
		restored("with DynamoDB's own key", backup, "own", `,"SSESpecificationOverride":{"Enabled":false}`, ""))
	x.settle()
	x.follow(step{name: "no description", op: "DescribeTable", body: `{"TableName":"own"}`, has: `{"Table":{"SSEDescription":null}}`},
		step{name: "delete the target", op: "DeleteTable", body: target + `}`},
		restored("to one that is being deleted", backup, "target", "", "TableAlreadyExistsException: Table already exists: target"))
}

// TestProbesOfRestoreTimes: the order of the checks of RestoreTableToPointInTime (ack-api-quirks,
// DDB-TABLE-086, -087, -100, -272 and -274).
func TestProbesOfRestoreTimes(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	restore := func(name, members, err string) step {
		return step{name: name, op: "RestoreTableToPointInTime", body: `{` + members + `}`,
			err: err}
	}
	const source, target = `"SourceTableName":"table",`, `"TargetTableName":"target",`
	const existing = `"TargetTableName":"table",`
	const latest, both = `"UseLatestRestorableTime":true`, `"UseLatestRestorableTime":true,"RestoreDateTime":1767225615`
	const bothTimes = "ValidationException: Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request."
	const noTime = "ValidationException: Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both"
	const off = "PointInTimeRecoveryUnavailableException: Point in time recovery is not enabled for table 'table'"
	x.follow(restore("off, to a table", source+existing+latest, off),
		restore("off, at no time", source+target+`"RestoreDateTime":1`, off),
		restore("off, at both times", source+target+both, bothTimes),
		restore("off, without a time", source+target+`"UseLatestRestorableTime":false`, noTime),
		restore("no table, at both times", `"SourceTableName":"missing",`+target+both, bothTimes),
		restore("no table, to a table", `"SourceTableName":"missing",`+existing+latest, "TableNotFoundException: Table not found: missing"),
		restore("no source", target+latest, "ValidationException: The parameter 'TableName' is required but was not present in the request"),
		restore("two sources", source+`"SourceTableArn":"`+probedTable+`",`+target+latest, "ValidationException: Must provide exactly one of: sourceTableArn, sourceTableName"),
		restore("no ARN", `"SourceTableArn":"table",`+target+latest, invalidParameters+"ARNs must start with 'arn:': table"),
		restore("half an ARN", `"SourceTableArn":"arn:aws:dynamodb:eu-west-3:1",`+target+latest, "ValidationException: sourceTableArn is not a valid ARN"),
		step{name: "enable", op: "UpdateContinuousBackups", body: withPITR},
		restore("to a table", source+existing+latest, "TableAlreadyExistsException: Table already exists: table"),
		restore("to a table, too early", source+existing+`"RestoreDateTime":1`, "InvalidRestoreTimeException: RestoreDateTime '1970-01-01T00:00:01Z' must be within EarliestRestorableDateTime '2026-01-01T00:00:10Z' and LatestRestor*"),
		restore("too late", source+target+`"RestoreDateTime":1800000000`, "InvalidRestoreTimeException: *"),
		restore("at once", source+target+latest, ""))
	x.clock.Advance(3 * time.Minute)
	x.follow(step{name: "the window is a moment", op: "DescribeContinuousBackups", body: ofTable,
		has: `{"ContinuousBackupsDescription":{"PointInTimeRecoveryDescription":{"EarliestRestorableDateTime":1767225610,"LatestRestorableDateTime":1767225610}}}`})
}

// TestProbesOfRestoresAtOnce: 50 tables are restored at a time (ack-api-quirks, DDB-TABLE-349 and
// -350).
func TestProbesOfRestoresAtOnce(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	var last string
	for i := range 51 {
		last = x.backUp(fmt.Sprintf("backup%d", i))
		x.settle()
	}
	answer, err := x.send("KEY", "ListBackups", `{}`)
	require.NoError(t, err)
	for i, b := range answer["BackupSummaries"].([]any) {
		arn := at(t, b, "BackupArn").(string)
		if arn != last {
			x.follow(restored("restore", arn, fmt.Sprintf("target%d", i), "", ""))
		}
	}
	x.follow(restored("one more", last, "more", "", "LimitExceededException: Subscriber limit exceeded: Only 50 restore operations can be done simultaneously"))
}
