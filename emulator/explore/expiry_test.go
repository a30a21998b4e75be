package explore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/explore"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// sessions has two sessions with TTL: "old" expired at eleven, "new" expires at one.
var sessions = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
	server.SeedTables(t, seed.Table{
		Name: "sessions", PartitionKey: seed.Attribute{Name: "id", Type: "S"}, TTL: "ttl",
		Items: []seed.Item{{"id": "old", "ttl": noon.Add(-time.Hour).Unix()},
			{"id": "new", "ttl": noon.Add(time.Hour).Unix()}},
	})
}, emulatortest.WithClockAt(noon))

// seen returns which of the two sessions there are.
func seen(ctx context.Context, db *dynamodb.Client) (string, error) {
	out, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("sessions"),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		return "", err
	}
	text := ""
	for _, id := range []string{"old", "new"} {
		for _, it := range out.Items {
			if it["id"].(*types.AttributeValueMemberS).Value == id {
				text += id + " "
			}
		}
	}
	return text, nil
}

// TestExpiry: TTL deletes what has expired at any time, or not yet.
func TestExpiry(t *testing.T) {
	for _, c := range []struct {
		name  string
		opts  []explore.Option
		sleep time.Duration
		never string // what a worker that looks twice must not see
		finds string // the schedule in which it does; "": none
	}{
		{"what had expired is there at first", nil, 0, "old new | old ", ""},
		{"it is deleted between two reads", []explore.Option{explore.Faults(1, explore.Expired)}, 0,
			"old new | new ", "alice,alice:expired"},
		{"the clock moves, and it is deleted", []explore.Option{explore.Faults(1),
			explore.ClockMoves(2 * time.Hour)}, 0, "old new | ", "alice,alice:later"},
		{"what expires is kept", []explore.Option{explore.Faults(1, explore.Later),
			explore.ClockMoves(2 * time.Hour)}, 0, "old new | new ", ""},
		{"and deleted later", []explore.Option{
			explore.Faults(2, explore.LaterKept, explore.Expired),
			explore.ClockMoves(2 * time.Hour)}, 0, "old new | ", "alice:later-kept,alice:expired"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := explore.Search(t, sessions, func(x *explore.X) {
				x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
					first, err := seen(ctx, db)
					second, more := seen(ctx, db)
					if both := first + "| " + second; both == c.never {
						panic(fmt.Sprintf("saw %q", both))
					}
					return errors.Join(err, more)
				})
			}, c.opts...)
			if c.finds == "" {
				assert.Empty(t, report.Failures)
				return
			}
			require.Len(t, report.Failures, 1)
			assert.Equal(t, c.finds, report.Failures[0].Schedule)
		})
	}
}
