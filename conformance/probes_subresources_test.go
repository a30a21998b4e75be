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

// TestProbesOfTimeToLive: ack-api-quirks, DDB-TABLE-143 to -147.
func TestProbesOfTimeToLive(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	x := &changingTest{t, clock, private(t, emulator.WithHeldClock(clock),
		emulator.WithTTLInterval(31*time.Minute))}
	x.create()
	set := func(name, attribute string, enabled bool, err string) step {
		spec := fmt.Sprintf(`{"Enabled":%t,"AttributeName":%q}`, enabled, attribute)
		s := step{name: name, op: "UpdateTimeToLive", err: err,
			body: aTable + `"TimeToLiveSpecification":` + spec + `}`}
		if err == "" {
			s.has = `{"TimeToLiveSpecification":` + spec + `}`
		}
		return s
	}
	is := func(description string) step {
		return step{name: description, op: "DescribeTimeToLive", body: ofTable,
			has: `{"TimeToLiveDescription":` + description + `}`}
	}
	const disabled, enabled = `{"TimeToLiveStatus":"DISABLED","AttributeName":null}`,
		`{"TimeToLiveStatus":"ENABLED","AttributeName":"a"}`
	const already, not = "ValidationException: TimeToLive is already enabled",
		"ValidationException: TimeToLive is already disabled"
	const different = "ValidationException: TimeToLive is active on a different AttributeName: current AttributeName is a"
	const often = "ValidationException: Time to live has been modified multiple times within a fixed interval"
	x.follow(is(disabled), set("disable none", "x", false, not),
		set("enable", "a", true, ""), is(enabled),
		set("again", "a", true, already), set("another", "b", true, different),
		set("disable another", "b", false, different), set("disable", "a", false, often))
	x.clock.Advance(31*time.Minute - 1)
	x.follow(set("a moment too early", "a", false, often))
	x.clock.Advance(1)
	x.follow(set("again then", "a", true, already), set("another then", "b", true, different),
		set("disable then", "a", false, ""), is(disabled),
		set("disable again", "a", false, not), set("enable again", "a", true, often))
	x.clock.Advance(31 * time.Minute)
	x.follow(set("the key", "pk", true, ""))
	update := func(name, spec, err string) kase {
		return kase{name: name, raw: true, err: "ValidationException: 1 validation error detected: Value " + err,
			in: `{"TableName":"kugiri-conformance-never","TimeToLiveSpecification":` + spec + `}`}
	}
	const null = " failed to satisfy constraint: Member must not be null"
	long := strings.Repeat("x", 256)
	run(t, defaults{src: "ack-api-quirks, DDB-TABLE-146", op: "UpdateTimeToLive"}, []kase{
		update("a long name", `{"Enabled":true,"AttributeName":"`+long+`"}`,
			`'`+long+`' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length less than or equal to 255`),
		update("no name to enable", `{"Enabled":true}`,
			`null at 'timeToLiveSpecification.attributeName'`+null),
		update("no name to disable", `{"Enabled":false}`,
			`null at 'timeToLiveSpecification.attributeName'`+null),
		update("nothing to do", `{"AttributeName":"a"}`,
			`null at 'timeToLiveSpecification.enabled'`+null),
	})
}

// TestProbesOfRecovery: ack-api-quirks, DDB-TABLE-083 to -085, -088, -111, -113, -167, -385, -453
// and -454.
func TestProbesOfRecovery(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	set := func(name, spec, has, err string) step {
		if has != "" {
			has = `{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","PointInTimeRecoveryDescription":` + has + `}}`
		}
		return step{name: name, op: "UpdateContinuousBackups", has: has, err: err,
			body: aTable + `"PointInTimeRecoverySpecification":{` + spec + `}}`}
	}
	const on, off = `"PointInTimeRecoveryEnabled":true`, `"PointInTimeRecoveryEnabled":false`
	is := func(days int, from, to time.Duration) string {
		zero := time.Date(2026, 1, 1, 0, 0, 10, 0, time.UTC)
		return fmt.Sprintf(`{"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":%d,"EarliestRestorableDateTime":%d,"LatestRestorableDateTime":%d}`,
			days, zero.Add(from).Unix(), zero.Add(to).Unix())
	}
	const none = `{"PointInTimeRecoveryStatus":"DISABLED","RecoveryPeriodInDays":null,"EarliestRestorableDateTime":null}`
	const noDays = "ValidationException: Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery."
	x.follow(set("off as it is", off, none, ""), set("on", on, is(35, 0, 0), ""))
	x.clock.Advance(10 * time.Second)
	x.follow(set("on as it is", on, is(35, 0, 0), ""),
		set("seven days", on+`,"RecoveryPeriodInDays":7`, is(7, 0, 0), ""),
		set("36 days", on+`,"RecoveryPeriodInDays":36`, "", "ValidationException: 1 validation error detected: Value '36' at 'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed to satisfy constraint: Member must have value less than or equal to 35"),
		set("off with days", off+`,"RecoveryPeriodInDays":7`, "", noDays),
		set("off with all days", off+`,"RecoveryPeriodInDays":35`, "", noDays),
		set("one day", on+`,"RecoveryPeriodInDays":1`, is(1, 0, 0), ""),
		set("off", off, none, ""), set("on again", on, is(35, 10*time.Second, 10*time.Second), ""))
	for _, c := range []struct{ since, to time.Duration }{
		{267 * time.Second, 0}, {300 * time.Second, 0}, {327 * time.Second, 27 * time.Second},
		{600 * time.Second, 300 * time.Second},
	} {
		x.clock.Set(time.Date(2026, 1, 1, 0, 0, 20, 0, time.UTC).Add(c.since))
		x.follow(set("the latest time", on, is(35, 10*time.Second, 10*time.Second+c.to), ""))
	}
	x.follow(step{name: "delete", op: "DeleteTable", body: ofTable})
	x.clock.Advance(2500 * time.Millisecond) // the first quarter of the deletion
	x.follow(set("off meanwhile", off, "", noBackupTable))
	answer, err := x.send("KEY", "ListBackups", `{"BackupType":"SYSTEM"}`)
	require.NoError(t, err)
	require.Len(t, answer["BackupSummaries"], 1)
	arn := at(t, answer["BackupSummaries"].([]any)[0], "BackupArn").(string)
	x.follow(step{name: "delete the system's", op: "DeleteBackup", body: `{"BackupArn":"` + arn +
		`"}`,
		err: "ValidationException: Invalid Request: User is not allowed to delete the system backup with arn " + arn + ". It will automatically expire on *"},
		restored("restore it", arn, "target", "", ""))
}

// TestProbesOfIndexInsights: ack-api-quirks, DDB-TABLE-089 to -091, -093 to -097, -112, -116, -137,
// -161, -339, -342, -343 and -399.
func TestProbesOfIndexInsights(t *testing.T) {
	t.Parallel()
	x := newIndexTest(t, toDemand)
	of := func(index string) string {
		if index == "" {
			return ofTable
		}
		return aTable + `"IndexName":"` + index + `"}`
	}
	set := func(name, action, index, status, err string) step {
		s := step{name: name, op: "UpdateContributorInsights", err: err,
			body: strings.TrimSuffix(of(index), "}") + `,"ContributorInsightsAction":"` + action + `"}`}
		if err == "" {
			s.has = `{"ContributorInsightsStatus":"` + status + `"}`
		}
		return s
	}
	describe := func(name, index, has, err string) step {
		return step{name: name, op: "DescribeContributorInsights", body: of(index), has: has,
			err: err}
	}
	missing := func(index string) string {
		return "ResourceNotFoundException: Requested resource not found: Index: " + index + " not found for table: table"
	}
	list := func(members string) (summaries []any, next any) {
		answer, err := x.send("KEY", "ListContributorInsights", aTable+members+`}`)
		require.NoError(t, err)
		return answer["ContributorInsightsSummaries"].([]any), answer["NextToken"]
	}
	const never = `{"ContributorInsightsStatus":"DISABLED","LastUpdateDateTime":null,"ContributorInsightsMode":null,"ContributorInsightsRuleList":null}`
	x.follow(describe("never", "", never, ""), set("disable never", "DISABLE", "", "DISABLED", ""),
		set("enable", "ENABLE", "", "ENABLING", ""), set("of an index", "ENABLE", "gsi1",
			"ENABLING", ""),
		set("of no index", "ENABLE", "ghost", "", missing("ghost")),
		describe("no index", "ghost", "", missing("ghost")))
	x.settle()
	first, next := list(`"MaxResults":1`)
	assert.Len(t, first, 1)
	second, end := list(fmt.Sprintf(`"MaxResults":1,"NextToken":%q`, next))
	assert.Len(t, second, 1)
	assert.Nil(t, end)
	assertHas(t, `{"IndexName":"gsi1","ContributorInsightsStatus":"ENABLED"}`, second[0])
	x.follow(set("again", "ENABLE", "", "ENABLED", ""),
		set("disable", "DISABLE", "", "DISABLING", ""))
	both, _ := list(`"MaxResults":100`)
	assert.Len(t, both, 2, "one that is being disabled is listed")
	x.settle()
	one, _ := list(`"MaxResults":100`)
	assert.Len(t, one, 1)
	x.follow(describe("kept", "", `{"ContributorInsightsStatus":"DISABLED","ContributorInsightsMode":"ACCESSED_AND_THROTTLED_KEYS"}`, ""),
		set("disable again", "DISABLE", "", "DISABLED", ""),
		set("enable at once", "ENABLE", "", "ENABLING", ""),
		changes("delete the index", updatesOf(dropOf("gsi1")), ""),
		describe("meanwhile", "gsi1", `{"ContributorInsightsStatus":"ENABLED"}`, ""))
	x.settle()
	x.follow(describe("gone", "gsi1", "", missing("gsi1")),
		set("disable what is gone", "DISABLE", "gsi1", "", missing("gsi1")),
		changes("a new index", createsIndex("gsi3", "c"), ""),
		describe("not yet", "gsi3", "", missing("gsi3")),
		set("enable too early", "ENABLE", "gsi3", "", missing("gsi3")))
	x.settle()
	x.follow(describe("by now", "gsi3", never, ""),
		set("enable while it is filled", "ENABLE", "gsi3", "", "ValidationException: Table or Index is not in a valid state to update Key Access Insights: IndexStatus must be ACTIVE to enable ContributorInsights."))
	x.settle()
	x.follow(set("enable at last", "ENABLE", "gsi3", "ENABLING", ""),
		step{name: "delete", op: "DeleteTable", body: ofTable},
		describe("being deleted", "", `{"ContributorInsightsStatus":"ENABLED"}`, ""),
		set("disable then", "DISABLE", "", "DISABLING", ""))
	x.settle()
	x.follow(describe("deleted", "", "", noTable),
		set("of what is deleted", "DISABLE", "", "", noTable))

	local := newTable(t,
		keys("pk:S", "sk:S", "l:S")+`,"LocalSecondaryIndexes":[`+index("lsi", "ALL", "pk", "l")+`]`)
	const gsiOnly = "ValidationException: Cannot %s an index that is not a GlobalSecondaryIndex: lsi"
	run(t, defaults{src: "ack-api-quirks, DDB-TABLE-137", op: "UpdateTable"}, []kase{
		{name: "delete a local index", in: `{"TableName":"` + local.name + `",` +
			updatesOf(dropOf("lsi")) + `}`, err: fmt.Sprintf(gsiOnly, "delete")},
		{name: "update a local index", in: `{"TableName":"` + local.name + `",` +
			updatesOf(updateOf("lsi", maxima(1))) + `}`, err: fmt.Sprintf(gsiOnly, "update")},
		{name: "create another one", in: `{"TableName":"` + local.name + `",` + createsIndex("lsi", "z") + `}`, err: "ValidationException: Attempting to create an index which already exists"},
		{name: "insights of a local index", op: "UpdateContributorInsights",
			in:  `{"TableName":"` + local.name + `","IndexName":"lsi","ContributorInsightsAction":"ENABLE"}`,
			err: "ResourceNotFoundException: Requested resource not found: Index: lsi not found for table: " + local.name},
	})
}
