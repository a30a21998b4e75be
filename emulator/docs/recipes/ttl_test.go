// Streams and time / Expire items, and test it today
//
// TTL deletes items whose time has passed, within days, and the stream tells who did it. Other
// emulators ignored TTL for years, or need a call to a path of their own
// ([localstack #236](https://github.com/localstack/localstack/issues/236),
// [localstack #10022](https://github.com/localstack/localstack/issues/10022),
// [serverless-dynamodb-local #238](https://github.com/99x/serverless-dynamodb-local/issues/238)).
//
// Two things are to be tested. Until the service deletes an item, reads return it: filter by the
// time if that matters. And what consumes the stream must tell expiry from deletion. The time is a
// number of *seconds*. `Advance` moves the clock and deletes. See [Time to
// Live](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html).

package recipes

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestTTL(t *testing.T) {
	server := emulatortest.Start(t, emulatortest.WithClockAt(noon))
	sessions := table("sessions", "id", "",
		seed.Item{"id": "short", "ends": noon.Add(time.Minute).Unix()},
		seed.Item{"id": "long", "ends": noon.Add(time.Hour).Unix()},
		seed.Item{"id": "for good"},
		// a mistake: the year 57978
		seed.Item{"id": "in milliseconds", "ends": noon.Add(time.Minute).UnixMilli()},
	)
	sessions.TTL, sessions.StreamView = "ends", "KEYS_ONLY"
	server.SeedTables(t, sessions)

	live := must(server.Client().Scan(t.Context(), &dynamodb.ScanInput{
		TableName:                 aws.String("sessions"),
		FilterExpression:          aws.String("attribute_not_exists(ends) OR ends > :now"),
		ExpressionAttributeValues: item{":now": num(noon.Add(2 * time.Minute).Unix())},
	}))
	if live.Count != 3 || live.ScannedCount != 4 {
		t.Errorf("%d of %d sessions are live in two minutes", live.Count, live.ScannedCount)
	}
	server.Clock().Advance(2 * time.Minute)
	if left := server.Items(t, "sessions"); len(left) != 3 {
		t.Errorf("two minutes later: %v", left)
	}

	records := streamRecords(t, server, "sessions")
	if by := records[len(records)-1].UserIdentity; by == nil ||
		*by.PrincipalId != "dynamodb.amazonaws.com" {
		t.Errorf("who deleted the session: %v", by)
	}
}
