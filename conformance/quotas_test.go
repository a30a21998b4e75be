package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// newQuotaTest has a table "table" in a server with options, and no delays.
func newQuotaTest(t *testing.T, options ...emulator.Option) *changingTest {
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	x := &changingTest{t, clock, private(t, append(options, emulator.WithHeldClock(clock))...)}
	x.create()
	return x
}

func (x *changingTest) create() {
	x.Helper()
	x.follow(step{
		name: "create", op: "CreateTable", body: `{"TableName":"table",` + keys("pk:S") + `}`,
	})
}

// refused is a change that a quota refuses.
func refused(name, members, err string) step {
	s := changes(name, members, "")
	s.err = err
	return s
}

const (
	standard     = `"TableClass":"STANDARD"`
	classLimit   = "LimitExceededException: Subscriber limit exceeded: Updates to TableClass are limited to 2 times in 30 day(s)."
	encrypted    = `"SSESpecification":{"Enabled":true}`
	notEncrypted = `"SSESpecification":{"Enabled":false}`
	exposed      = `"DeletionProtectionEnabled":false`
)

// TestQuotaOfClasses: service facts T.7.
func TestQuotaOfClasses(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t, emulator.WithQuotas())
	x.follow(changes("the class that it has", standard, ""), changes("first", infrequent, ""))
	x.clock.Advance(24 * time.Hour)
	x.follow(changes("second", standard, ""), changes("the class that it has by now", standard, ""),
		refused("third", infrequent, classLimit))
	x.clock.Advance(29*24*time.Hour - 1)
	x.follow(refused("30 days less a moment", infrequent, classLimit))
	x.clock.Advance(1)
	x.follow(changes("30 days after the first", infrequent, ""),
		refused("the second counts still", standard, classLimit),
		step{name: "delete", op: "DeleteTable", body: ofTable})
	x.create()
	x.follow(changes("another table of that name", infrequent, ""))
}

// TestQuotaOfEncryption: service facts T.8.
func TestQuotaOfEncryption(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t, emulator.WithQuotas())
	limit := func(made, last, next string) string {
		return strings.NewReplacer("$made", made, "$last", last, "$next", next).Replace(
			"LimitExceededException: Subscriber limit exceeded: Encryption mode changes are limited in the 24h window ending at 2026-01-02T00:00:00.000Z. " +
				"After the first 4 change, each subsequent change in the same window can be performed at most once every 21600 seconds. " +
				"Number of updates today: $made. Last change at $last. Next changes can be made at $next.")
	}
	x.follow(changes("on", encrypted, ""), changes("off", notEncrypted, ""),
		changes("on again", encrypted, ""))
	x.clock.Advance(time.Hour)
	const one, seven = "2026-01-01T01:00:00.000Z", "2026-01-01T07:00:00.000Z"
	x.follow(changes("off again", notEncrypted, ""),
		refused("a fifth", encrypted, limit("4", one, seven)),
		refused("what changes nothing", notEncrypted, limit("4", one, seven)))
	x.clock.Advance(6*time.Hour - 1)
	x.follow(refused("six hours less a moment", encrypted, limit("4", one, seven)))
	x.clock.Advance(1)
	x.follow(changes("six hours later", encrypted, ""),
		refused("at once", notEncrypted, limit("5", seven, "2026-01-01T13:00:00.000Z")))
	x.clock.Advance(12 * time.Hour)
	x.follow(changes("in the evening", notEncrypted, ""),
		refused("the window ends first", encrypted,
			limit("6", "2026-01-01T19:00:00.000Z", "2026-01-02T00:00:00.000Z")))
	x.clock.Advance(5 * time.Hour)
	x.follow(changes("another window", encrypted, ""), changes("and on", notEncrypted, ""))
}

// TestQuotaOfProtection: service facts T.10.
func TestQuotaOfProtection(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t, emulator.WithQuotas())
	const limit = "ThrottlingException: Deletion protection setting for table table modified within the previous 15000 milliseconds. Please try again after 2026-01-01T00:00:15.250"
	x.clock.Advance(250 * time.Millisecond)
	x.follow(changes("what it is", exposed, ""), changes("on", protect, ""),
		refused("off", exposed, limit), refused("on again", protect, limit))
	x.clock.Advance(15*time.Second - 1)
	x.follow(refused("15 seconds less a moment", exposed, limit))
	x.clock.Advance(1)
	x.follow(changes("off at last", exposed, ""),
		step{name: "delete", op: "DeleteTable", body: ofTable})
	x.create()
	x.follow(changes("another table of that name", protect, ""))
}

// TestQuotaOfTags: which requests a change of tags refuses for a moment, and which tags are read
// meanwhile (service facts T.10; ack-api-quirks, DDB-TABLE-102, -103, -172, -406 to -409).
func TestQuotaOfTags(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t, emulator.WithQuotas())
	const arn = `"ResourceArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/table"`
	const limit = "LimitExceededException: Subscriber limit exceeded: Table tags are being updated: table"
	tag := func(name, tags, err string) step {
		return step{name: name, op: "TagResource", err: err,
			body: `{` + arn + `,"Tags":[` + tags + `]}`}
	}
	untag := func(name, key, err string) step {
		return step{name: name, op: "UntagResource", err: err,
			body: `{` + arn + `,"TagKeys":["` + key + `"]}`}
	}
	const a, b = `{"Key":"a","Value":"1"}`, `{"Key":"b","Value":"1"}`
	x.follow(untag("a key that is not there", "a", ""), tag("a tag", a, ""), tag("the same", a, ""),
		tag("another", b, limit), tag("another value", strings.Replace(a, "1", "2", 1), limit),
		untag("a key that is not there, meanwhile", "c", limit),
		step{name: "delete", op: "DeleteTable", body: ofTable,
			err: resourceInUse + "Table tags are being updated: table"},
		changes("another setting", protect, ""),
		step{name: "list", op: "ListTagsOfResource", body: `{` + arn + `}`,
			has: `{"Tags":[]}`}, // those of before: DDB-TABLE-102
		tag("one more, with the first", a+","+b, ""))
	x.clock.Advance(1800*time.Millisecond - 1)
	x.follow(untag("a moment too early", "a", limit))
	x.clock.Advance(1)
	x.follow(step{name: "list then", op: "ListTagsOfResource", body: `{` + arn + `}`,
		has: `{"Tags":[` + a + `,` + b + `]}`},
		tag("what is there", a, ""), untag("a key", "a", ""), untag("it again", "a", limit),
		tag("a tag while one is removed", a, limit))
}

// TestQuotaOfBackups: API Reference, CreateBackup, ListBackups and RestoreTableFromBackup. The text
// is inferred.
func TestQuotaOfBackups(t *testing.T) {
	t.Parallel()
	const tooMany = "ThrottlingException: Rate exceeded"
	for _, c := range []struct {
		name, op, body, err string // a request that is not one too many
		most                int
	}{
		{"backups", "CreateBackup", aBackup, "", 50},
		{"lists", "ListBackups", `{}`, "", 5},
		{"restores", "RestoreTableFromBackup",
			`{"TargetTableName":"other","BackupArn":"` + probedTable +
				`/backup/01767225600000-00000000"}`, "BackupNotFoundException: *", 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newQuotaTest(t, emulator.WithQuotas())
			for range 2 {
				for range c.most {
					x.follow(step{name: "in time", op: c.op, body: c.body, err: c.err})
				}
				x.follow(step{name: "one too many", op: c.op, body: c.body, err: tooMany})
				x.clock.Advance(time.Second)
			}
		})
	}
}

// TestNoQuotas: without the setting nothing is refused.
func TestNoQuotas(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t)
	const arn = `"ResourceArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/table"`
	x.follow(changes("on", protect, ""), changes("off", exposed, ""),
		step{name: "tag", op: "TagResource", body: `{` + arn + `,"Tags":[{"Key":"a","Value":"1"}]}`},
		step{name: "untag", op: "UntagResource", body: `{` + arn + `,"TagKeys":["a"]}`})
	for range 3 {
		x.follow(changes("class", infrequent, ""), changes("encryption", encrypted, ""),
			changes("class back", standard, ""), changes("encryption back", notEncrypted, ""))
	}
}
