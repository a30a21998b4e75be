package emulator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/backups"
	"github.com/kugiri-db/kugiri/storage"
)

const backupInUse = "BackupInUseException: There is another ongoing conflicting backup control plane operation on the table. " +
	"The backup is either being created, deleted or restored to a table."

// backUp makes a backup of a table and returns its ARN.
func (x *requestTest) backUp(table, name string) (arn string) {
	x.Helper()
	arn = x.member("CreateBackup", tableRequest(table, `"BackupName":"`+name+`"`), "BackupDetails",
		"BackupArn")
	return strings.Trim(arn, `"`)
}

func backupOf(arn string) string { return `{"BackupArn":"` + arn + `"}` }

func restoreOf(arn, target string, members ...string) string {
	return `{"BackupArn":"` + arn + `","TargetTableName":"` +
		target + `"` + strings.Join(append([]string{""}, members...), ",") + `}`
}

// putValue puts an item with a partition key and a value.
func (x *requestTest) putValue(table, pk, v string) {
	x.Helper()
	x.ok("PutItem",
		tableRequest(table,
			`"Item":{"pk":{"S":"`+pk+`"},"sk":{"S":"1"},"a":{"S":"`+v+`"},"b":{"S":"`+v+`"}}`))
}

// values returns the values of a table's or index's items, by partition key.
func (x *requestTest) values(source string) string {
	x.Helper()
	table, index, indexed := strings.Cut(source, ".")
	scan := `{"TableName":"` + table + `"}`
	if indexed {
		scan = tableRequest(table, `"IndexName":"`+index+`"`)
	}
	var answer struct {
		Items []map[string]map[string]string
	}
	require.NoError(x, json.Unmarshal([]byte(x.ok("Scan", scan)), &answer))
	var list []string
	for _, it := range answer.Items {
		list = append(list, it["pk"]["S"]+"="+it["a"]["S"])
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// indexedTable has an index of either kind, time to live, a stream, a tag and protection.
func (x *requestTest) indexedTable() {
	x.create("table", defs("pk", "sk", "a", "b"), keySchema("pk", "sk"), fiveUnits,
		globals(index("by-g", keySchema("a"), projectAll, throughput(6, 7)),
			index("by-h", keySchema("b"), projectAll, throughput(8, 9))),
		locals(index("by-l", keySchema("pk", "b"), projectAll)),
		`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"Tags":[{"Key":"k","Value":"v"}],"DeletionProtectionEnabled":true,
		"TableClass":"STANDARD_INFREQUENT_ACCESS","SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key"}`)
	x.ok("UpdateTimeToLive",
		tableRequest("table", `"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}`))
}

func TestBackupIsRestored(t *testing.T) {
	x := newTableTest(t)
	x.indexedTable()
	x.putValue("table", "1", "old")
	x.putValue("table", "2", "old")
	arn := x.backUp("table", "first")
	x.putValue("table", "1", "new")
	x.ok("DeleteItem", `{"TableName":"table","Key":{"pk":{"S":"2"},"sk":{"S":"1"}}}`)
	x.putValue("table", "3", "new")
	x.ok("UpdateTable", tableRequest("table", `"DeletionProtectionEnabled":false`))
	x.ok("UpdateTable", tableRequest("table", updates(`{"Delete":{"IndexName":"by-h"}}`)))
	x.ok("DeleteTable", `{"TableName":"table"}`)
	x.now = x.now.Add(time.Minute)

	assert.Contains(t, x.ok("RestoreTableFromBackup", restoreOf(arn, "table")),
		`"RestoreSummary":{"SourceBackupArn":"`+arn+
			`","SourceTableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table","RestoreDateTime":1.7673948E9,"RestoreInProgress":true}`)
	for _, source := range []string{"table", "table.by-g", "table.by-h", "table.by-l"} {
		assert.Equal(t, "1=old 2=old", x.values(source), source)
	}
	assert.Empty(t, x.table("table", "RestoreSummary"))
	assert.Equal(t, `8`,
		x.table("table", "GlobalSecondaryIndexes", 1, "ProvisionedThroughput", "ReadCapacityUnits"))
	assert.Equal(t, `5`, x.table("table", "ProvisionedThroughput", "ReadCapacityUnits"))
	assert.Equal(t, `"arn:aws:kms:us-east-1:000000000000:key/key"`,
		x.table("table", "SSEDescription", "KMSMasterKeyArn"))
	for _, member := range []string{"StreamSpecification", "LatestStreamArn", "TableClassSummary"} {
		assert.Empty(t, x.table("table", member), member)
	}
	assert.Equal(t, `false`, x.table("table", "DeletionProtectionEnabled"))
	assert.Equal(t, `"DISABLED"`,
		x.member("DescribeTimeToLive", `{"TableName":"table"}`, "TimeToLiveDescription",
			"TimeToLiveStatus"))
	assert.Equal(t, `[]`,
		x.member("ListTagsOfResource",
			`{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table"}`, "Tags"))

	x.putValue("table", "1", "changed")
	x.ok("RestoreTableFromBackup", restoreOf(arn, "again"))
	assert.Equal(t, "1=old 2=old", x.values("again.by-g"))
	assert.Equal(t, "1=changed 2=old", x.values("table.by-g"))
	require.NoError(t, x.account().Store.Check())
}

func TestBackupIsDescribed(t *testing.T) {
	x := newTableTest(t)
	x.indexedTable()
	x.putValue("table", "1", "v")
	x.now = x.now.Add(time.Minute)
	arn := x.backUp("table", "first")
	x.putValue("table", "2", "v")
	x.ok("UpdateTable", tableRequest("table", throughput(20, 20)))
	assert.Regexp(t,
		`^arn:aws:dynamodb:us-east-1:000000000000:table/table/backup/01767394860000-[0-9a-f]{8}$`,
		arn)
	describe := func(path ...any) string {
		return x.member("DescribeBackup", backupOf(arn),
			append([]any{"BackupDescription"}, path...)...)
	}
	assert.Equal(t,
		`{"BackupArn":"`+arn+
			`","BackupCreationDateTime":1767394860,"BackupName":"first","BackupSizeBytes":10,"BackupStatus":"AVAILABLE","BackupType":"USER"}`,
		describe("BackupDetails"))
	id := x.table("table", "TableId")
	assert.Equal(t,
		`{"BillingMode":"PROVISIONED","ItemCount":1,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],`+
			`"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table",`+
			`"TableCreationDateTime":1767394800,"TableId":`+id+
			`,"TableName":"table","TableSizeBytes":10}`, describe("SourceTableDetails"))
	assert.Equal(t, `{"GlobalSecondaryIndexes":[`+
		`{"IndexName":"by-g","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":6,"WriteCapacityUnits":7}},`+
		`{"IndexName":"by-h","KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":8,"WriteCapacityUnits":9}}],`+
		`"LocalSecondaryIndexes":[{"IndexName":"by-l","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],`+
		`"SSEDescription":{"KMSMasterKeyArn":"arn:aws:kms:us-east-1:000000000000:key/key","SSEType":"KMS","Status":"ENABLED"},`+
		`"StreamDescription":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},`+
		`"TimeToLiveDescription":{"AttributeName":"ttl","TimeToLiveStatus":"ENABLED"}}`,
		describe("SourceTableFeatureDetails"))

	deleted := x.ok("DeleteBackup", backupOf(arn))
	assert.Contains(t, deleted, `"BackupStatus":"DELETED"`)
	assert.Contains(t, deleted, `"ItemCount":1`)
	for _, op := range []string{"DescribeBackup", "DeleteBackup"} {
		x.fails(op, backupOf(arn), "BackupNotFoundException: Backup not found: "+arn)
	}
	x.fails("RestoreTableFromBackup", restoreOf(arn, "again"),
		"BackupNotFoundException: Backup not found: "+arn)
}

func TestBackupStates(t *testing.T) {
	x := slowTableTest(t)
	x.create("table", defs("pk", "sk"), keySchema("pk", "sk"), onDemandBilling)
	x.fails("CreateBackup", `{"TableName":"table","BackupName":"early"}`,
		"TableNotFoundException: Table not found: table")
	x.now = x.now.Add(time.Minute)
	assert.Equal(t, `"CREATING"`,
		x.member("CreateBackup", `{"TableName":"table","BackupName":"first"}`, "BackupDetails",
			"BackupStatus"))
	arn := strings.Trim(x.member("ListBackups", `{}`, "BackupSummaries", 0, "BackupArn"), `"`)
	x.now = x.now.Add(10*time.Second - 1)
	assert.Equal(t, `"CREATING"`,
		x.member("ListBackups", `{}`, "BackupSummaries", 0, "BackupStatus"))
	x.fails("CreateBackup", `{"TableName":"table","BackupName":"second"}`, backupInUse)
	x.fails("DeleteBackup", backupOf(arn), backupInUse)
	x.fails("RestoreTableFromBackup", restoreOf(arn, "restored"), backupInUse)
	x.fails("DeleteTable", `{"TableName":"table"}`,
		inUse+"Table: table is in the process of being backed up.")
	x.now = x.now.Add(1)
	assert.Equal(t, `"AVAILABLE"`,
		x.member("DescribeBackup", backupOf(arn), "BackupDescription", "BackupDetails",
			"BackupStatus"))

	answer := x.ok("RestoreTableFromBackup", restoreOf(arn, "restored"))
	assert.Contains(t, answer, `"TableStatus":"CREATING"`)
	assert.Contains(t, answer, `"RestoreInProgress":true`)
	x.now = x.now.Add(10*time.Second - 1)
	assert.Equal(t, `true`, x.table("restored", "RestoreSummary", "RestoreInProgress"))
	x.fails("GetItem", strings.Replace(getItem1, "table", "restored", 1), notFound)
	x.fails("DeleteBackup", backupOf(arn),
		"BackupInUseException: Backup is being used to restore table: "+arn)
	x.fails("RestoreTableFromBackup", restoreOf(arn, "second"),
		"BackupInUseException: Backup is being used to restore another table: "+arn)
	x.fails("RestoreTableFromBackup", restoreOf(arn, "restored"),
		"TableInUseException: Table: restored is already being restored from backup: "+arn)
	x.now = x.now.Add(1)
	assert.Empty(t, x.table("restored", "RestoreSummary"))
	x.fails("RestoreTableFromBackup", restoreOf(arn, "restored"),
		"TableAlreadyExistsException: Table already exists: restored")
	x.ok("DeleteBackup", backupOf(arn))
	x.ok("DeleteTable", `{"TableName":"restored"}`)
	x.now = x.now.Add(8 * time.Second) // the first quarter of its deletion is over
	x.fails("CreateBackup", `{"TableName":"restored","BackupName":"late"}`,
		"TableNotFoundException: Table not found: restored")
	second := x.backUp("table", "second")
	x.now = x.now.Add(10 * time.Second)
	x.fails("RestoreTableFromBackup", restoreOf(second, "restored"),
		"TableAlreadyExistsException: Table already exists: restored")
}

func TestRestoresAtATime(t *testing.T) {
	x := slowTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	x.now = x.now.Add(time.Minute)
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	restore := func(target string) string {
		return `{"SourceTableName":"table","TargetTableName":"` + target +
			`","UseLatestRestorableTime":true}`
	}
	for i := range 50 {
		x.ok("RestoreTableToPointInTime", restore(fmt.Sprint("restored", i)))
	}
	_, err := x.answer("RestoreTableToPointInTime", restore("another"))
	require.ErrorContains(t, err, "LimitExceededException: ")
	x.now = x.now.Add(10 * time.Second)
	x.ok("RestoreTableToPointInTime", restore("another"))
}

func TestRestoreOverrides(t *testing.T) {
	x := newTableTest(t)
	x.indexedTable()
	x.putValue("table", "1", "v")
	arn := x.backUp("table", "first")
	g, h := index("by-g", keySchema("a"), projectAll, throughput(1, 2)), index("by-h",
		keySchema("b"), projectAll, throughput(3, 4))
	over := func(indexes ...string) string {
		return strings.Replace(globals(indexes...), "Indexes", "IndexOverride", 1)
	}
	localOver := func(indexes ...string) string {
		return strings.Replace(locals(indexes...), "Indexes", "IndexOverride", 1)
	}
	onDemand := `"BillingModeOverride":"PAY_PER_REQUEST"`
	for name, tc := range map[string]struct {
		members []string
		path    []any
		want    string
	}{
		"throughput": {
			[]string{`"ProvisionedThroughputOverride":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}`}, []any{"ProvisionedThroughput", "WriteCapacityUnits"}, `2`,
		},
		"of an index it stays": {
			[]string{`"ProvisionedThroughputOverride":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}`}, []any{"GlobalSecondaryIndexes", 0, "ProvisionedThroughput", "WriteCapacityUnits"}, `7`,
		},
		"of an index": {[]string{over(g, h)},
			[]any{"GlobalSecondaryIndexes", 1, "ProvisionedThroughput", "WriteCapacityUnits"}, `4`},
		"billing mode": {[]string{onDemand}, []any{"BillingModeSummary", "BillingMode"},
			`"PAY_PER_REQUEST"`},
		"no units of an index": {[]string{onDemand},
			[]any{"GlobalSecondaryIndexes", 0, "ProvisionedThroughput", "WriteCapacityUnits"}, `0`},
		"maximum on demand": {
			[]string{onDemand, `"OnDemandThroughputOverride":{"MaxReadRequestUnits":9}`},
			[]any{"OnDemandThroughput"}, `{"MaxReadRequestUnits":9}`,
		},
		"an index less": {[]string{over(h)},
			[]any{"GlobalSecondaryIndexes", 0, "IndexName"}, `"by-h"`},
		"no global index": {[]string{over()}, []any{"GlobalSecondaryIndexes"}, ``},
		"its attributes": {[]string{over(), localOver()},
			[]any{"AttributeDefinitions", 1, "AttributeName"}, `"sk"`},
		"no local index": {[]string{localOver()}, []any{"LocalSecondaryIndexes"}, ``},
		"a local index": {
			[]string{localOver(index("by-l", keySchema("pk", "b"), projectAll))},
			[]any{"LocalSecondaryIndexes", 0, "IndexName"}, `"by-l"`,
		},
		"another key": {
			[]string{`"SSESpecificationOverride":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"other"}`}, []any{"SSEDescription", "KMSMasterKeyArn"}, `"arn:aws:kms:us-east-1:000000000000:key/other"`,
		},
		"a key of DynamoDB's own": {[]string{`"SSESpecificationOverride":{"Enabled":false}`},
			[]any{"SSEDescription"}, ``},
	} {
		t.Run(name, func(t *testing.T) {
			x.ok("RestoreTableFromBackup", restoreOf(arn, "restored", tc.members...))
			assert.Equal(t, tc.want, x.table("restored", tc.path...))
			assert.Equal(t, "1=v", x.values("restored"))
			require.NoError(t, x.account().Store.Check())
			x.ok("DeleteTable", `{"TableName":"restored"}`)
		})
	}
	const invalid = "ValidationException: One or more parameter values were invalid: "
	notOfSource := func(index string) string {
		return "ValidationException: Invalid Request: Index " + index +
			" does not match a secondary index that existed in the source table " +
			"and cannot be created during the restore operation"
	}
	for name, tc := range map[string]struct{ members, want string }{
		"an index with another key": {
			over(index("by-g", keySchema("pk"), projectAll, fiveUnits)), notOfSource("by-g"),
		},
		"an index with other attributes": {
			over(index("by-g", keySchema("a"), `"Projection":{"ProjectionType":"KEYS_ONLY"}`,
				fiveUnits)), notOfSource("by-g"),
		},
		"an index that projects nothing": {
			over(index("by-g", keySchema("a"), `"Projection":{}`, fiveUnits)), notOfSource("by-g"),
		},
		"a local index that is global": {localOver(index("by-g", keySchema("a"), projectAll)),
			notOfSource("by-g")},
		"units on demand": {onDemand +
			`,"ProvisionedThroughputOverride":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}`,
			"ValidationException: Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST"},
		"units of an index on demand": {onDemand + "," + over(g, h),
			"ValidationException: Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST for index by-g"},
		"a maximum of units": {`"OnDemandThroughputOverride":{"MaxReadRequestUnits":9}`,
			"ValidationException: Invalid Request: Cannot override MaxReadRequestUnits for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST"},
		"warm throughput": {
			over(index("by-g", keySchema("a"), projectAll, fiveUnits,
				`"WarmThroughput":{"ReadUnitsPerSecond":1}`)),
			invalid + "WarmThroughput is not supported in GlobalSecondaryIndexOverride",
		},
		"a vector index": {`"VectorIndexOverride":[{"IndexName":"vec","VectorAttribute":{"AttributeName":"v"},"Dimensions":1,"DistanceFunction":"COSINE","Projection":{}}]`,
			invalid + "VectorIndexOverride: index does not match an index of the source table: vec"},
	} {
		t.Run(name, func(t *testing.T) {
			x.fails("RestoreTableFromBackup", restoreOf(arn, "restored", tc.members), tc.want)
			x.fails("DescribeTable", `{"TableName":"restored"}`,
				notFound+": Table: restored not found")
		})
	}
}

func TestRestoreOfATableOnDemand(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk", "a"), keySchema("pk"), onDemandBilling,
		globals(index("by-g", keySchema("a"), projectAll)),
		`"OnDemandThroughput":{"MaxReadRequestUnits":9}`)
	arn := x.backUp("table", "first")
	x.ok("RestoreTableFromBackup", restoreOf(arn, "same"))
	assert.Equal(t, `{"MaxReadRequestUnits":9}`, x.table("same", "OnDemandThroughput"))
	assert.Equal(t, `"PAY_PER_REQUEST"`, x.table("same", "BillingModeSummary", "BillingMode"))
	provisioned := `"BillingModeOverride":"PROVISIONED"`
	const invalid = "ValidationException: One or more parameter values were invalid: "
	x.fails("RestoreTableFromBackup", restoreOf(arn, "other", provisioned),
		"ValidationException: Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED")
	provisioned += `,"ProvisionedThroughputOverride":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}`
	x.fails("RestoreTableFromBackup", restoreOf(arn, "other", provisioned),
		invalid+"ProvisionedThroughput is not specified for index: by-g")
	x.ok("RestoreTableFromBackup",
		restoreOf(arn, "other", provisioned,
			`"GlobalSecondaryIndexOverride":[`+
				index("by-g", keySchema("a"), projectAll, fiveUnits)+`]`))
	assert.Empty(t, x.table("other", "OnDemandThroughput"))
}

func TestListBackups(t *testing.T) {
	x := newTableTest(t)
	for _, name := range []string{"one", "two"} {
		x.create(name, defs("pk"), keySchema("pk"), onDemandBilling)
		x.ok("UpdateContinuousBackups",
			tableRequest(name,
				`"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}`))
	}
	arns := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d"} {
		x.now = x.now.Add(time.Second)
		arns[name] = x.backUp(map[string]string{"a": "one", "c": "one"}[name]+map[string]string{
			"b": "two", "d": "two",
		}[name], "backup-"+name)
	}
	x.now = x.now.Add(time.Second)
	x.ok("DeleteTable", `{"TableName":"two"}`)
	names := func(body string) string {
		var names []string
		for _, part := range strings.Split(x.ok("ListBackups", body), `"BackupName":"`)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			names = append(names, strings.TrimPrefix(name, "backup-"))
		}
		return strings.Join(names, " ")
	}
	start := testTime.Unix()
	for name, tc := range map[string]struct{ body, want string }{
		"those of users": {`{}`, "a b c d"},
		"of a table":     {`{"TableName":"one"}`, "a c"},
		"of a table's ARN": {
			`{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/one"}`, "a c",
		},
		"of a table that is gone": {`{"TableName":"two"}`, "b d"},
		"of no table":             {`{"TableName":"nothing"}`, ""},
		"USER":                    {`{"BackupType":"USER"}`, "a b c d"},
		"SYSTEM":                  {`{"BackupType":"SYSTEM"}`, "two$DeletedTableBackup"},
		"ALL": {`{"BackupType":"ALL"}`,
			"a b c d two$DeletedTableBackup"},
		"AWS_BACKUP": {`{"BackupType":"AWS_BACKUP"}`, ""},
		"from a time, which counts": {fmt.Sprintf(`{"TimeRangeLowerBound":%d}`, start+2),
			"b c d"},
		"until a time, which does not count": {fmt.Sprintf(`{"TimeRangeUpperBound":%d}`, start+2),
			"a"},
		"between times": {
			fmt.Sprintf(`{"TimeRangeLowerBound":%d,"TimeRangeUpperBound":%d}`, start+2, start+4),
			"b c",
		},
		"after a backup": {`{"ExclusiveStartBackupArn":"` + arns["b"] + `"}`,
			"c d"},
		"of a table, after one of another": {`{"TableName":"one","ExclusiveStartBackupArn":"` +
			arns["b"] + `"}`, "c"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tc.want, names(tc.body)) })
	}
	t.Run("in pages", func(t *testing.T) {
		last := x.member("ListBackups", `{"Limit":3}`, "LastEvaluatedBackupArn")
		assert.Equal(t, `"`+arns["c"]+`"`, last)
		x.ok("DeleteBackup", backupOf(arns["c"]))
		assert.Equal(t, "d", names(`{"Limit":3,"ExclusiveStartBackupArn":`+last+`}`),
			"though the backup is gone")
		assert.Empty(t, x.member("ListBackups", `{"Limit":3}`, "LastEvaluatedBackupArn"),
			"no backup follows")
	})
}

func TestBackupARNs(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	arn := x.backUp("table", "first")
	for name, tc := range map[string]struct{ arn, want string }{
		"another table": {strings.Replace(arn, "table/table", "table/other", 1),
			"BackupNotFoundException: Backup not found: "},
		"another ID": {arn[:len(arn)-8] + "01234567",
			"BackupNotFoundException: Backup not found: "},
		"another account": {strings.Replace(arn, "000000000000", "111111111111", 1),
			"AccessDeniedException: "},
		"no region": {strings.Replace(arn, "us-east-1", "xx-fake-1", 1),
			"ValidationException: "},
		"another service": {strings.Replace(arn, ":dynamodb:", ":s3:", 1), "ValidationException: "},
		"a table": {"arn:aws:dynamodb:us-east-1:000000000000:table/table",
			"ValidationException: "},
		"more than an ID": {arn + "/x", "ValidationException: "},
		"no ARN": {"a-name-that-is-long-enough-to-be-an-arn-of-a-backup",
			"ValidationException: "},
	} {
		t.Run(name, func(t *testing.T) {
			for _, op := range []string{"DescribeBackup", "DeleteBackup"} {
				_, err := x.answer(op, backupOf(tc.arn))
				require.ErrorContains(t, err, tc.want)
			}
			_, err := x.answer("RestoreTableFromBackup", restoreOf(tc.arn, "restored"))
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// TestSystemBackups checks that the deletion of a table with point-in-time recovery leaves a backup
// for 35 days.
func TestSystemBackups(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk", "sk"), keySchema("pk", "sk"), onDemandBilling)
	x.putValue("table", "1", "v")
	x.ok("UpdateContinuousBackups",
		tableRequest("table",
			`"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}`))
	x.ok("DeleteTable", `{"TableName":"table"}`)
	list := `{"BackupType":"SYSTEM"}`
	assert.Equal(t, `"table$DeletedTableBackup"`,
		x.member("ListBackups", list, "BackupSummaries", 0, "BackupName"))
	assert.Equal(t, fmt.Sprint(testTime.Unix()+35*24*60*60),
		x.member("ListBackups", list, "BackupSummaries", 0, "BackupExpiryDateTime"))
	arn := strings.Trim(x.member("ListBackups", list, "BackupSummaries", 0, "BackupArn"), `"`)
	x.fails("DeleteBackup", backupOf(arn),
		"ValidationException: Invalid Request: User is not allowed to delete the system backup with arn "+arn+
			". It will automatically expire on "+
			testTime.Add(35*backups.Day).Format("2006-01-02T15:04:05.000Z"))
	x.now = testTime.Add(35*backups.Day - 1)
	x.ok("RestoreTableFromBackup", restoreOf(arn, "table"))
	assert.Equal(t, "1=v", x.values("table"))
	x.now = testTime.Add(35 * backups.Day)
	assert.Equal(t, `[]`, x.member("ListBackups", list, "BackupSummaries"))
	x.fails("DescribeBackup", backupOf(arn), "BackupNotFoundException: Backup not found: "+arn)
	x.backUp("table", "another") // the backup makes room
	_ = x.account().Store.View(func(tx *storage.Tx) error {
		assert.Len(t, tx.Backups().All(), 1)
		return nil
	})
}

// TestSystemBackupsAreBounded checks that backups of deleted tables are dropped early when they are
// too large together.
func TestSystemBackupsAreBounded(t *testing.T) {
	x := newTableTest(t, WithLimits(Limits{PITRMemory: 1000}))
	names := func() (names []string) {
		for _, part := range strings.Split(x.ok("ListBackups", `{"BackupType":"ALL"}`),
			`"BackupName":"`)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			names = append(names, strings.TrimSuffix(name, "$DeletedTableBackup"))
		}
		return names
	}
	for _, table := range []struct {
		name  string
		bytes int
		want  []string
	}{
		{"one", 400, []string{"user", "one"}},
		{"two", 400, []string{"user", "one", "two"}},
		{"three", 400, []string{"user", "two", "three"}},
		{"large", 2000, []string{"user", "large"}},
		{"last", 10, []string{"user", "last"}},
	} {
		x.now = x.now.Add(time.Second)
		x.create(table.name, defs("pk", "sk"), keySchema("pk", "sk"), onDemandBilling)
		x.putValue(table.name, "1", strings.Repeat("v", table.bytes/2))
		if table.name == "one" {
			x.backUp("one", "user")
			x.now = x.now.Add(time.Second)
		}
		x.ok("UpdateContinuousBackups",
			tableRequest(table.name,
				`"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}`))
		x.ok("DeleteTable", `{"TableName":"`+table.name+`"}`)
		assert.Equal(t, table.want, names())
	}
}
