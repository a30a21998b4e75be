package conformance

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// ttl writes a request of UpdateTimeToLive.
func ttl(enabled bool, attribute string) string {
	return fmt.Sprintf(
		`{"TableName":"table","TimeToLiveSpecification":{"Enabled":%t,"AttributeName":%q}}`,
		enabled, attribute)
}

// TestTimeToLiveSettings: API Reference, UpdateTimeToLive and DescribeTimeToLive.
func TestTimeToLiveSettings(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t, emulator.WithTTLInterval(time.Hour),
		emulator.WithTableDelays(0, time.Minute, 0))
	send := func(_, op, body string) (map[string]any, error) {
		return invoke(context.Background(), x.data, op, body)
	}
	status := func(want string) step {
		return step{
			name: want, op: "DescribeTimeToLive", body: `{"TableName":"table"}`,
			has: `{"TimeToLiveDescription":{` + want + `}}`,
		}
	}
	const often = "ValidationException: Time to live has been modified multiple times within a fixed interval"
	follow(t, send, []step{
		{name: "no table", op: "UpdateTimeToLive", body: ttl(true, "at"),
			err: "ResourceNotFoundException: Requested resource not found: Table: table not found"},
		{name: "nothing to describe", op: "DescribeTimeToLive", body: `{"TableName":"table"}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: table not found"},
		{name: "create", op: "CreateTable", body: `{"TableName":"table",` + keys("pk:S") + `}`},
		status(`"TimeToLiveStatus":"DISABLED","AttributeName":null`),
		{name: "disabled already", op: "UpdateTimeToLive", body: ttl(false, "at"),
			err: "ValidationException: TimeToLive is already disabled"},
		{name: "no name", op: "UpdateTimeToLive", body: ttl(true, ""),
			err: "ValidationException: 1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "enable", op: "UpdateTimeToLive", body: ttl(true, "at"),
			has: `{"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"at"}}`},
		status(`"TimeToLiveStatus":"ENABLING","AttributeName":"at"`),
		{name: "enabled already", op: "UpdateTimeToLive", body: ttl(true, "at"),
			err: "ValidationException: TimeToLive is already enabled"},
		{name: "another attribute", op: "UpdateTimeToLive", body: ttl(true, "then"),
			err: "ValidationException: TimeToLive is active on a different AttributeName: current AttributeName is at"},
		{name: "too soon", op: "UpdateTimeToLive", body: ttl(false, "at"), err: often},
	})
	x.advance(time.Minute)
	follow(t, send, []step{
		status(`"TimeToLiveStatus":"ENABLED","AttributeName":"at"`),
		{name: "still too soon", op: "UpdateTimeToLive", body: ttl(false, "at"), err: often},
	})
	x.advance(59 * time.Minute)
	follow(t, send, []step{
		{name: "disable", op: "UpdateTimeToLive", body: ttl(false, "at"),
			has: `{"TimeToLiveSpecification":{"Enabled":false,"AttributeName":"at"}}`},
		status(`"TimeToLiveStatus":"DISABLING","AttributeName":"at"`),
	})
	x.advance(time.Minute)
	follow(t, send, []step{status(`"TimeToLiveStatus":"DISABLED","AttributeName":null`)})
}

// TestTimeToLiveDeletion: Developer Guide, "Using time to live (TTL) in DynamoDB" and "DynamoDB
// Streams and Time to Live".
func TestTimeToLiveDeletion(t *testing.T) {
	t.Parallel()
	const now = 1_767_225_600
	for _, c := range []struct {
		name, value string
		stays       bool
	}{
		{"past", `{"N":"` + fmt.Sprint(now-1) + `"}`, false},
		{"fraction in the past", `{"N":"` + fmt.Sprint(now-1) + `.5"}`, false},
		{"nearly five years ago", `{"N":"` + fmt.Sprint(now-5*365*86400) + `"}`, false},
		{"now", `{"N":"` + fmt.Sprint(now) + `"}`, true},
		{"future", `{"N":"` + fmt.Sprint(now+1) + `"}`, true},
		{"over five years ago", `{"N":"` + fmt.Sprint(now-6*365*86400) + `"}`, true},
		{"milliseconds", `{"N":"` + fmt.Sprint(now-1) + `000"}`, true},
		{"a huge number", `{"N":"1E100"}`, true},
		{"a string", `{"S":"` + fmt.Sprint(now-1) + `"}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newStreamTest(t)
			arn := x.table("table", "OLD_IMAGE")
			x.do("PutItem", `{"TableName":"table","Item":{"pk":{"S":"before"},"at":`+c.value+`}}`)
			x.do("UpdateTimeToLive", ttl(true, "at"))
			x.do("PutItem", `{"TableName":"table","Item":{"pk":{"S":"after"},"at":`+c.value+`}}`)
			x.do("PutItem", `{"TableName":"table","Item":{"pk":{"S":"never"}}}`)
			want := 2
			if c.stays {
				want = 0
			}
			deleted := x.emulator.ExpireItems()
			assert.LessOrEqual(t, deleted, want) // the server may have deleted some already
			assertHas(t, fmt.Sprintf(`{"Count":%d}`, 3-want), x.do("Scan", `{"TableName":"table"}`))
			records := x.from(arn, "TRIM_HORIZON", nil).Records
			require.Len(t, records, 3+want)
			for _, r := range records {
				if r.EventName == "INSERT" {
					continue
				}
				assert.NotNil(t, r.Dynamodb.OldImage)
				require.NotNil(t, r.UserIdentity)
				assert.Equal(t, "dynamodb.amazonaws.com Service",
					*r.UserIdentity.PrincipalId+" "+*r.UserIdentity.Type)
			}
		})
	}
}

// TestTimeToLiveMany deletes more items than a batch, also from indexes, and keeps items with a new
// time and those of a table whose TTL is disabled.
func TestTimeToLiveMany(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t)
	now := x.seconds.Load()
	x.do("CreateTable", `{"TableName":"table",`+keys("pk:S")+`}`)
	x.do("UpdateTimeToLive", ttl(true, "at"))
	for i := range 250 {
		x.do("PutItem",
			fmt.Sprintf(`{"TableName":"table","Item":{"pk":{"S":"%d"},"at":{"N":"%d"}}}`, i, now-1))
	}
	x.do("PutItem",
		fmt.Sprintf(`{"TableName":"table","Item":{"pk":{"S":"7"},"at":{"N":"%d"}}}`, now+1))
	x.emulator.ExpireItems()
	assertHas(t, `{"Count":1}`, x.do("Scan", `{"TableName":"table"}`))
	assert.Zero(t, x.emulator.ExpireItems())
}
