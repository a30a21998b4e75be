package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// changingTest has a table "table" that is ACTIVE, and whose changes last 10 seconds.
type changingTest struct {
	*testing.T
	clock *emulator.Clock
	send  func(accessKey, op, body string) (map[string]any, error)
}

func newChangingTest(t *testing.T) *changingTest {
	clock := emulator.NewClock(time.Date(2025, 12, 31, 23, 59, 55, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second))
	x := &changingTest{t, clock, send}
	x.follow(step{
		name: "create", op: "CreateTable", body: `{"TableName":"table",` + keys("pk:S") + `}`,
	})
	clock.Advance(15 * time.Second) // the table can be backed up then
	return x
}

func (x *changingTest) follow(steps ...step) {
	x.Helper()
	follow(x.T, x.send, steps)
}

// changes is an UpdateTable that is taken, or refused as a resource that is in use with a text.
func changes(name, members, text string) step {
	s := step{name: name, op: "UpdateTable", body: `{"TableName":"table",` + members + `}`}
	if text != "" {
		s.err = resourceInUse + text
	}
	return s
}

func shows(name, members string) step {
	return step{name: name, op: "DescribeTable", body: ofTable, has: `{"Table":` + members + `}`}
}

const (
	resourceInUse = "ResourceInUseException: Attempt to change a resource which is still in use: "
	ofTable       = `{"TableName":"table"}`
	toUnits       = `"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`
	twoUnits      = `"ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}`
	toDemand      = `"BillingMode":"PAY_PER_REQUEST"`
	tenReads      = `"OnDemandThroughput":{"MaxReadRequestUnits":10}`
	aStream       = `"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`
	protect       = `"DeletionProtectionEnabled":true`
	infrequent    = `"TableClass":"STANDARD_INFREQUENT_ACCESS"`
)

// TestWhileBillingChanges: service facts S.1.
func TestWhileBillingChanges(t *testing.T) {
	t.Parallel()
	const iops = "Table IOPS are currently being updated. Table: table"
	x := newChangingTest(t)
	x.follow(changes("to provisioned", toUnits, ""), changes("throughput", twoUnits, iops),
		changes("maximum", tenReads,
			"OnDemandThroughput cannot be updated while BillingMode update is in progress"),
		changes("stream", aStream,
			"Can't enable or disable stream while table IOPS are being updated. Table: table"),
		changes("protection", protect, ""), changes("back on demand", toDemand, ""))
	x.clock.Advance(10 * time.Second)
	x.follow(shows("provisioned",
		`{"TableStatus":"ACTIVE","ProvisionedThroughput":{"ReadCapacityUnits":1}}`),
		changes("on demand", toDemand, ""), changes("on demand again", toDemand, iops))
}

// TestWhileStreamChanges: service facts S.2.
func TestWhileStreamChanges(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	const stream = "Table: table Stream: 2026-01-01T00:00:10.000 Operation: ENABLE"
	const noIOPS = "Can't change table IOPS when stream status is being updated. " + stream
	x.follow(changes("a stream", aStream, ""),
		changes("again", `"StreamSpecification":{"StreamEnabled":false}`,
			"A stream status change is currently in progress. "+stream),
		changes("billing", toUnits, noIOPS), changes("throughput", twoUnits, noIOPS),
		changes("class", infrequent, "Can't update table class when stream status is being updated. "+stream),
		step{name: "delete", op: "DeleteTable", body: ofTable,
			err: resourceInUse + "Cannot delete table while stream is being enabled/disabled."},
		changes("protection", protect, ""),
		step{name: "TTL", op: "UpdateTimeToLive",
			body: `{"TableName":"table","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}}`})
}

// TestWhileClassChanges: service facts S.3.
func TestWhileClassChanges(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	x.follow(changes("class", infrequent, ""),
		shows("no class", `{"TableStatus":"UPDATING","TableClassSummary":null}`),
		changes("again", infrequent,
			"Can't update table class when a table class update is in progress. "+
				"Table: table TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"),
		changes("maximum", tenReads,
			"OnDemandThroughput cannot be updated while TableClass update is in progress. "+
				"TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"),
		changes("protection", protect, ""))
	x.clock.Advance(10 * time.Second)
	x.follow(shows("the class",
		`{"TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"}}`))
}

// TestWhileEncryptionChanges: service facts S.4.
func TestWhileEncryptionChanges(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	x.follow(changes("encryption", `"SSESpecification":{"Enabled":true}`, ""),
		changes("again", `"SSESpecification":{"Enabled":false}`, // ack-api-quirks, DDB-TABLE-444
			"Server-Side Encryption is still being updated"),
		step{name: "delete", op: "DeleteTable", body: ofTable,
			err: resourceInUse + "Table: table is in the process of being updated."})
}

// TestWhileIndexIsAllocated: service facts S.5.
func TestWhileIndexIsAllocated(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	x.follow(changes("an index",
		`"AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"}],`+
			`"GlobalSecondaryIndexUpdates":[{"Create":`+index("gs1", "ALL", "g")+`}]`, ""),
		changes("drop it", `"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"gs1"}}]`,
			"Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is active. Table: table Index: gs1"),
		step{name: "delete", op: "DeleteTable", body: ofTable,
			err: resourceInUse +
				"Cannot delete table while indexes are being created, updated, or deleted."},
		changes("billing", toUnits,
			"Can't change table IOPS when an index is being created. Table: table Indexes: [gs1]"),
		changes("stream", aStream,
			"Can't change stream status when an index is being created. Table: table Indexes: [gs1]"))
}

// TestWhileDeleting: service facts S.6 and S.9.
func TestWhileDeleting(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	x.follow(step{name: "delete", op: "DeleteTable", body: ofTable},
		step{name: "again", op: "DeleteTable", body: ofTable,
			err: resourceInUse + "Table is being deleted: table"},
		step{name: "backups", op: "DescribeContinuousBackups", body: ofTable},
		step{name: "TTL", op: "UpdateTimeToLive", body: withTTL},
		step{name: "TTL again", op: "UpdateTimeToLive", body: withTTL,
			err: "ValidationException: TimeToLive is already enabled"},
		step{name: "insights", op: "UpdateContributorInsights", body: withReports})
	x.clock.Advance(2500 * time.Millisecond) // the first quarter of the deletion
	x.follow(step{name: "backups then", op: "DescribeContinuousBackups", body: ofTable,
		err: "TableNotFoundException: Table not found: table"},
		step{name: "TTL then", op: "UpdateTimeToLive", body: withTTL,
			err: "ValidationException: TimeToLive is already enabled"})
}

// TestWhileCreating: service facts S.7 and S.11.
func TestWhileCreating(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	x := &changingTest{t, clock,
		private(t, emulator.WithHeldClock(clock), emulator.WithTableDelays(10*time.Second, 0, 0))}
	const arn = "arn:aws:dynamodb:eu-west-3:000000000000:table/table"
	x.follow(step{
		name: "create", op: "CreateTable", body: `{"TableName":"table",` + keys("pk:S") + `}`,
	},
		step{name: "backups", op: "DescribeContinuousBackups", body: ofTable,
			err: "TableNotFoundException: Table not found: table"},
		step{name: "tags", op: "ListTagsOfResource", body: `{"ResourceArn":"` + arn + `"}`,
			err: "ResourceNotFoundException: Requested resource not found: ResourceArn: " +
				arn + " not found"})
	for _, then := range []struct{ table, backups, err string }{
		{"CREATING", "DISABLED", enablingBackups}, {"ACTIVE", "DISABLED", enablingBackups},
		{"ACTIVE", "ENABLED", ""},
	} {
		clock.Advance(5 * time.Second)
		x.follow(shows(then.table, `{"TableStatus":"`+then.table+`"}`),
			step{name: then.backups, op: "DescribeContinuousBackups", body: ofTable,
				has: `{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"` + then.backups + `"}}`},
			step{name: "recovery", op: "UpdateContinuousBackups", body: withPITR, err: then.err},
			step{name: "back up", op: "CreateBackup", body: aBackup, err: then.err})
	}
}

// TestUpdatesOfNothing: service facts S.8.
func TestUpdatesOfNothing(t *testing.T) {
	t.Parallel()
	for _, same := range []string{`"TableClass":"STANDARD"`, toDemand} {
		x := newChangingTest(t)
		x.follow(step{
			name: "the same", op: "UpdateTable", body: `{"TableName":"table",` + same + `}`,
			has: `{"TableDescription":{"TableStatus":"UPDATING"}}`,
		},
			shows("active", `{"TableStatus":"ACTIVE"}`), changes("another", aStream, ""))
	}
}

// TestBusyReplica: service facts S.10.
func TestBusyReplica(t *testing.T) {
	t.Parallel()
	send := regional(t, emulator.WithTableDelays(0, time.Hour, 0))
	const busy = "ResourceInUseException: The resource which you are attempting to change is in use."
	followIn(t, send, []regionalStep{
		{"us-east-1", step{name: "create", op: "CreateTable", body: createSongs}},
		{"us-east-1", step{name: "replicate", op: "UpdateTable", body: replicate}},
		{"us-east-1",
			step{name: "update", op: "UpdateTable",
				body: strings.Replace(describeSong, "}", ","+protect+"}", 1), err: busy}},
		{"us-east-1", step{name: "delete", op: "DeleteTable", body: describeSong, err: busy}},
	})
}
