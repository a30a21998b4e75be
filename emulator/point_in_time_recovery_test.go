package emulator

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/backups"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outsideWindow returns the error of a restore to a time outside the window (service facts T.12).
func outsideWindow(at, earliest, latest time.Time) string {
	text := func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
	return "InvalidRestoreTimeException: RestoreDateTime '" + text(at) +
		"' must be within EarliestRestorableDateTime '" + text(earliest) +
		"' and LatestRestorableDateTime '" + text(latest) + "'"
}

const (
	recoveryOn  = `"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}`
	recoveryOff = `"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":false}`
)

// recovery returns a member of the description of a table's point-in-time recovery.
func (x *requestTest) recovery(table, member string) string {
	x.Helper()
	return x.member("DescribeContinuousBackups", `{"TableName":"`+table+`"}`,
		"ContinuousBackupsDescription", "PointInTimeRecoveryDescription", member)
}

// recoverOf is a request to restore the table "table" to a time, or the latest if that is zero.
func recoverOf(target string, to time.Time, members ...string) string {
	at := `"UseLatestRestorableTime":true`
	if !to.IsZero() {
		at = fmt.Sprintf(`"RestoreDateTime":%.3f`, float64(to.UnixMilli())/1000)
	}
	return `{"SourceTableName":"table","TargetTableName":"` +
		target + `",` + at + strings.Join(append([]string{""}, members...), ",") + `}`
}

// recovered are the values of "table" at a time.
func (x *requestTest) recovered(source string, to time.Time) string {
	x.Helper()
	x.ok("RestoreTableToPointInTime", recoverOf("past", to))
	values := x.values(strings.Replace(source, "table", "past", 1))
	require.NoError(x, x.account().Store.Check())
	x.ok("DeleteTable", `{"TableName":"past"}`)
	return values
}

func TestPointInTimeRecovery(t *testing.T) {
	x := newTableTest(t)
	x.indexedTable()
	x.putValue("table", "1", "before")
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	at := map[string]time.Time{}
	then := func(name string, wait time.Duration, change func()) {
		x.now = x.now.Add(wait)
		change()
		at[name] = x.now
	}
	then("enabled", 0, func() {})
	then("a put", time.Second, func() { x.putValue("table", "2", "one") })
	then("another", time.Second, func() { x.putValue("table", "2", "two") })
	then("a deletion", time.Hour,
		func() {
			x.ok("DeleteItem",
				`{"TableName":"table","Key":{"pk":{"S":"1"},"sk":{"S":"1"}}}`)
		})
	then("a transaction", backups.Day, func() {
		x.ok("TransactWriteItems", `{"TransactItems":[
			{"Put":{"TableName":"table","Item":{"pk":{"S":"1"},"sk":{"S":"1"},"a":{"S":"three"},"b":{"S":"three"}}}},
			{"Delete":{"TableName":"table","Key":{"pk":{"S":"2"},"sk":{"S":"1"}}}}]}`)
	})
	then("a new item", backups.Day, func() { x.putValue("table", "3", "four") })
	then("now", 10*time.Minute, func() {})
	for _, tc := range []struct {
		to   time.Time
		want string
	}{
		{at["enabled"], "1=before"},
		{at["a put"], "1=before 2=one"},
		{at["another"], "1=before 2=two"},
		{at["another"].Add(30 * time.Minute), "1=before 2=two"},
		{at["a deletion"].Add(-time.Second), "1=before 2=two"},
		{at["a deletion"], "2=two"},
		{at["a transaction"].Add(-time.Second), "2=two"},
		{at["a transaction"], "1=three"},
		{at["a new item"], "1=three 3=four"},
		{x.now.Add(-5 * time.Minute), "1=three 3=four"},
		{time.Time{}, "1=three 3=four"},
	} {
		for _, source := range []string{"table", "table.by-g"} {
			assert.Equal(t, tc.want, x.recovered(source, tc.to), "%s %s", source, tc.to)
		}
	}
	assert.Equal(t, "1=three 3=four", x.values("table"), "the table itself stays")

	assert.Contains(t, x.ok("RestoreTableToPointInTime", recoverOf("past", at["a put"])),
		`"RestoreSummary":{"SourceTableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table","RestoreDateTime":`+
			strings.Replace(strconv.FormatFloat(float64(at["a put"].Unix()), 'E', -1, 64), "E+09",
				"E9", 1)+`,"RestoreInProgress":true}`)
	assert.Empty(t, x.table("past", "RestoreSummary"))
	assert.Equal(t, `"DISABLED"`, x.recovery("past", "PointInTimeRecoveryStatus"))
	for _, member := range []string{"StreamSpecification", "TableClassSummary"} {
		assert.Empty(t, x.table("past", member), member)
	}
}

func TestRecoveryHasTheSettingsOfNow(t *testing.T) {
	x := newTableTest(t)
	x.indexedTable()
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	x.putValue("table", "1", "v")
	x.now = x.now.Add(time.Hour)
	x.ok("UpdateTable", tableRequest("table", throughput(2, 3)))
	x.ok("UpdateTable", tableRequest("table", updates(`{"Delete":{"IndexName":"by-h"}}`)))
	x.ok("RestoreTableToPointInTime", recoverOf("past", testTime))
	assert.Equal(t, `3`, x.table("past", "ProvisionedThroughput", "WriteCapacityUnits"))
	assert.Equal(t, `"by-g"`, x.table("past", "GlobalSecondaryIndexes", 0, "IndexName"))
	x.ok("RestoreTableToPointInTime",
		recoverOf("again", testTime,
			`"BillingModeOverride":"PAY_PER_REQUEST","GlobalSecondaryIndexOverride":[],"LocalSecondaryIndexOverride":[]`))
	assert.Equal(t, `"PAY_PER_REQUEST"`, x.table("again", "BillingModeSummary", "BillingMode"))
	assert.Equal(t, "1=v", x.values("again"), "a second has all of its changes")
	assert.Empty(t, x.table("again", "LocalSecondaryIndexes"))
	require.NoError(t, x.account().Store.Check())
}

func TestRecoveryWindow(t *testing.T) {
	x := newTableTest(t)
	x.now = testTime.Add(400 * time.Millisecond)
	x.create("table", defs("pk", "sk"), keySchema("pk", "sk"), onDemandBilling)
	describe := func() string {
		return x.recovery("table", "PointInTimeRecoveryStatus") + x.recovery("table",
			"RecoveryPeriodInDays") + " " +
			x.recovery("table", "EarliestRestorableDateTime") + "-" + x.recovery("table",
			"LatestRestorableDateTime")
	}
	window := func(from, to time.Time, days int) string {
		return fmt.Sprintf(`"ENABLED"%d %d-%d`, days, from.Unix(), to.Unix())
	}
	assert.Equal(t, `"DISABLED" -`, describe())
	x.fails("RestoreTableToPointInTime", recoverOf("past", testTime),
		"PointInTimeRecoveryUnavailableException: Point in time recovery is not enabled for table 'table'")

	x.putValue("table", "1", "old")
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	assert.Equal(t, window(testTime, testTime, 35), describe())
	x.now = x.now.Add(time.Second)
	x.putValue("table", "1", "new")
	x.now = x.now.Add(5*time.Minute - 2*time.Second)
	assert.Equal(t, window(testTime, testTime, 35), describe())
	assert.Equal(t, "1=old", x.recovered("table", time.Time{}),
		"the latest time is that of enabling")
	assert.Equal(t, "1=old", x.recovered("table", testTime))
	x.fails("RestoreTableToPointInTime", recoverOf("past", testTime.Add(-time.Second)),
		outsideWindow(testTime.Add(-time.Second), testTime, testTime))
	x.fails("RestoreTableToPointInTime", recoverOf("past", testTime.Add(time.Second)),
		outsideWindow(testTime.Add(time.Second), testTime, testTime))
	x.now = x.now.Add(10 * time.Second)
	assert.Equal(t, window(testTime, testTime.Add(9*time.Second), 35), describe())
	assert.Equal(t, "1=new", x.recovered("table", time.Time{}))

	x.ok("UpdateContinuousBackups",
		tableRequest("table",
			strings.Replace(recoveryOn, "true", `true,"RecoveryPeriodInDays":2`, 1)))
	x.now = x.now.Add(40 * backups.Day)
	assert.Equal(t, window(x.now.Add(-2*backups.Day), x.now.Add(-5*time.Minute), 2), describe())
	early := x.now.Add(-2*backups.Day - time.Second)
	x.fails("RestoreTableToPointInTime", recoverOf("past", early),
		outsideWindow(early, early.Add(time.Second), x.now.Add(-5*time.Minute)))
	assert.Equal(t, "1=new", x.recovered("table", x.now.Add(-2*backups.Day)))
	shortened := x.now.Add(-2 * backups.Day)
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	x.now = x.now.Add(backups.Day)
	assert.Equal(t, window(shortened, x.now.Add(-5*time.Minute), 35), describe(),
		"what is before a shorter period does not come back")

	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOff))
	assert.Equal(t, `"DISABLED" -`, describe())
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	assert.Equal(t, window(x.now, x.now, 35), describe(), "it begins anew")
}

func TestRecoveryRequests(t *testing.T) {
	x := slowTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	x.fails("UpdateContinuousBackups", tableRequest("table", recoveryOn),
		"TableNotFoundException: Table not found: table")
	x.now = x.now.Add(time.Minute)
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	x.now = x.now.Add(time.Minute)
	const invalid = "ValidationException: One or more parameter values were invalid: "
	const latest, at = `"UseLatestRestorableTime":true`, `"RestoreDateTime":1`
	const name, arn = `"SourceTableName":"table"`, `"SourceTableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table"`
	for title, tc := range map[string]struct{ body, want string }{
		"no source": {latest,
			"ValidationException: The parameter 'TableName' is required but was not present in the request"},
		"two sources": {name + "," + arn + "," + latest,
			"ValidationException: Must provide exactly one of: sourceTableArn, sourceTableName"},
		"no time": {name,
			"ValidationException: Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both"},
		"not the latest time": {name + `,"UseLatestRestorableTime":false`,
			"ValidationException: Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both"},
		"two times": {name + "," + at + "," + latest,
			"ValidationException: Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request."},
		"a time before": {name + "," + at,
			outsideWindow(time.Unix(1, 0), x.now.Add(-time.Minute), x.now.Add(-time.Minute))},
		"no ARN": {`"SourceTableArn":"table",` + latest,
			invalid + "ARNs must start with 'arn:': table"},
		"no table": {`"SourceTableName":"nothing",` + latest,
			"TableNotFoundException: Table not found: nothing"},
		"the table itself": {name + "," + latest,
			"TableAlreadyExistsException: Table already exists: table"},
	} {
		t.Run(title, func(t *testing.T) {
			target := "past"
			if title == "the table itself" {
				target = "table"
			}
			x.fails("RestoreTableToPointInTime", `{"TargetTableName":"`+target+`",`+tc.body+`}`,
				tc.want)
			x.fails("DescribeTable", `{"TableName":"past"}`, notFound+": Table: past not found")
		})
	}
	x.fails("UpdateContinuousBackups", tableRequest("nothing", recoveryOn),
		"TableNotFoundException: Table not found: nothing")
	x.fails("UpdateContinuousBackups",
		tableRequest("table",
			strings.Replace(recoveryOff, "false", `false,"RecoveryPeriodInDays":2`, 1)),
		"ValidationException: Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.")
	for _, days := range []int{0, 36} {
		_, err := x.answer("UpdateContinuousBackups",
			tableRequest("table",
				strings.Replace(recoveryOn, "true",
					fmt.Sprintf(`true,"RecoveryPeriodInDays":%d`, days), 1)))
		require.ErrorContains(t, err, "recoveryPeriodInDays")
	}
	x.ok("RestoreTableToPointInTime", `{"TargetTableName":"past",`+arn+`,`+latest+`}`)
	assert.Equal(t, `true`, x.table("past", "RestoreSummary", "RestoreInProgress"))
	x.now = x.now.Add(10 * time.Second)
	assert.Equal(t, `"ACTIVE"`, x.table("past", "TableStatus"))
	x.ok("DeleteTable", `{"TableName":"table"}`)
	x.ok("RestoreTableToPointInTime", recoverOf("late", time.Time{})) // DDB-TABLE-118
	x.now = x.now.Add(8 * time.Second)
	x.fails("RestoreTableToPointInTime", recoverOf("again", time.Time{}),
		"TableNotFoundException: Table not found: table")
}

// TestRecoveryMemory: beyond it the earliest time moves forward.
func TestRecoveryMemory(t *testing.T) {
	x := newItemTest(t)
	now := testTime
	x = x.of(New(WithClock(func() time.Time { return now }),
		WithLimits(Limits{PITRMemory: 64 << 10})))
	x.do("CreateTable", itemTables[0])
	x.do("UpdateContinuousBackups", tableRequest("plain", recoveryOn))
	for i := range 1000 {
		now = now.Add(time.Second)
		x.put("plain",
			fmt.Sprintf(`{"pk":{"S":"a"},"v":{"S":"%d%s"}}`, i, strings.Repeat("x", 500)))
	}
	now = now.Add(5 * time.Minute)
	answer := x.do("DescribeContinuousBackups", `{"TableName":"plain"}`)
	_, after, _ := strings.Cut(answer, `"EarliestRestorableDateTime":`)
	var seconds float64
	_, err := fmt.Sscan(strings.SplitN(after, ",", 2)[0], &seconds)
	require.NoError(t, err)
	earliest := int64(seconds)
	assert.Greater(t, earliest, testTime.Unix()+800)
	assert.Less(t, earliest, testTime.Unix()+1000)
	restore := fmt.Sprintf(
		`{"SourceTableName":"plain","TargetTableName":"past","RestoreDateTime":%d}`, earliest)
	require.Contains(t, x.do("RestoreTableToPointInTime", restore), `"past"`)
	assert.Contains(t, x.do("Scan", `{"TableName":"past"}`),
		fmt.Sprintf(`"v":{"S":"%dx`, earliest-testTime.Unix()-1))
}

// TestBackupsAreKept: backups, point-in-time recovery and what was restored are there again after a
// restart, and in forks.
func TestBackupsAreKept(t *testing.T) {
	now := testTime
	x := newDurableTest(t, WithClock(func() time.Time { return now }),
		WithTableDelays(time.Hour, time.Hour, 0))
	for _, table := range itemTables {
		x.mustDo("CreateTable", table)
	}
	now = now.Add(2 * time.Hour)
	x.mustDo("UpdateContinuousBackups",
		tableRequest("indexed",
			strings.Replace(recoveryOn, "true", `true,"RecoveryPeriodInDays":3`, 1)))
	x.mustDo("UpdateContinuousBackups", tableRequest("plain", recoveryOn))
	x.put("plain", `{"pk":{"S":"a"}}`)
	put := func(v string) {
		x.put("indexed",
			`{"pk":{"S":"a"},"sk":{"S":"1"},"gh":{"S":"`+v+`"},"gr":{"N":"1"},"lr":{"B":"AA=="}}`)
		now = now.Add(time.Minute)
	}
	put("one")
	x.mustDo("CreateBackup", `{"TableName":"indexed","BackupName":"first"}`)
	put("two")
	put("three")
	x.mustDo("DeleteTable", `{"TableName":"plain"}`)
	describe := []string{`ListBackups {"BackupType":"ALL"}`,
		`DescribeContinuousBackups {"TableName":"indexed"}`, `ListTables {}`}
	x.reopen(describe...)
	now = now.Add(2 * time.Hour)
	arn := strings.Split(x.mustDo("ListBackups", `{}`), `"BackupArn":"`)[1]
	arn = arn[:strings.IndexByte(arn, '"')]
	describe = append(describe, `DescribeBackup {"BackupArn":"`+arn+`"}`)
	x.reopen(describe...)
	x.mustDo("RestoreTableFromBackup", restoreOf(arn, "restored"))
	x.mustDo("RestoreTableToPointInTime",
		fmt.Sprintf(`{"SourceTableName":"indexed","TargetTableName":"past","RestoreDateTime":%d}`,
			testTime.Add(2*time.Hour+time.Minute).Unix()))
	describe = append(describe, `DescribeTable {"TableName":"restored"}`,
		`DescribeTable {"TableName":"past"}`)
	x.reopen(describe...)
	now = now.Add(2 * time.Hour)
	for table, want := range map[string]string{
		"restored": "one", "past": "two", "indexed": "three",
	} {
		for _, index := range []string{"gsi1", "lsi1"} {
			scan := `Scan {"TableName":"` + table + `","IndexName":"` + index +
				`","Select":"ALL_PROJECTED_ATTRIBUTES"}`
			describe = append(describe, scan)
			if index == "gsi1" {
				assert.Contains(t, x.mustDo("Scan", strings.TrimPrefix(scan, "Scan ")),
					`"gh":{"S":"`+want+`"}`)
			}
		}
	}
	x.reopen(describe...)
	fork := x.of(x.emulator.Fork())
	snapshot := x.emulator.Snapshot()
	x.mustDo("DeleteBackup", `{"BackupArn":"`+arn+`"}`)
	x.mustDo("UpdateContinuousBackups", tableRequest("indexed", recoveryOff))
	x.reopen(describe[:3]...)
	assert.Contains(t, x.do("DescribeBackup", `{"BackupArn":"`+arn+`"}`), "BackupNotFoundException")
	assert.Contains(t, fork.do("DescribeBackup", `{"BackupArn":"`+arn+`"}`), `"first"`)
	x.emulator.Restore(snapshot)
	x.reopen(describe...)
	assert.Contains(t, x.do("DescribeBackup", `{"BackupArn":"`+arn+`"}`), `"first"`)
	x.emulator.Reset()
	x.reopen(`ListBackups {"BackupType":"ALL"}`)
	assert.JSONEq(t, `{"BackupSummaries":[]}`, x.do("ListBackups", `{"BackupType":"ALL"}`))
	fork.emulator.check(t)
}

// BenchmarkPutWithRecovery puts items of 1 KB, without HTTP, with and without point-in-time
// recovery.
func BenchmarkPutWithRecovery(b *testing.B) {
	for _, on := range []bool{false, true} {
		b.Run(fmt.Sprint("on=", on), func(b *testing.B) {
			c := newBench(b, false)
			if on {
				benchServe(b, c, "UpdateContinuousBackups", tableRequest("bench", recoveryOn))
			}
			bodies := make([]string, 1000)
			for i := range bodies {
				bodies[i] = `{"TableName":"bench","Item":` +
					benchItem(i%500*7919%benchItems, 1+i/500) + `}`
			}
			c.Operation = operationsByTarget["DynamoDB_20120810.PutItem"]
			var dst []byte
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				var err error
				if dst, err = c.Operation.Serve(c, bodies[i%len(bodies)], dst[:0]); err != nil {
					b.Fatal(err)
				}
				c.Memory.Reset()
			}
		})
	}
}
