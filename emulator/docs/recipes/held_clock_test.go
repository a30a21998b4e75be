// Streams and time / Test code that depends on the time
//
// Code that reads the clock of the machine cannot be tested without waiting. Give it a clock, and
// have the test hold it: the application and the database then show the same time, which moves when
// the test says so. Nothing sleeps, and no test is flaky around midnight.
//
// In tests in other languages `kugiri serve --admin --clock held` has the same, see
// [Tests in other languages](../admin.md).

package recipes

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// lease is the application: who holds a lease may work until it ends.
type lease struct {
	client *dynamodb.Client
	now    func() time.Time // time.Now in production
}

// take reports whether the worker has the lease for a minute from now on.
func (l *lease) take(ctx context.Context, worker string) bool {
	now := l.now()
	_, err := l.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("leases"),
		Item: item{"name": str("report"), "worker": str(worker),
			"ends": num(now.Add(time.Minute).Unix())},
		ConditionExpression: aws.String(
			"attribute_not_exists(#n) OR ends <= :now OR worker = :me"),
		ExpressionAttributeNames:  map[string]string{"#n": "name"},
		ExpressionAttributeValues: item{":now": num(now.Unix()), ":me": str(worker)},
	})
	return err == nil
}

func TestHeldClock(t *testing.T) {
	server := emulatortest.Start(t,
		emulatortest.WithClockAt(time.Date(2026, 12, 31, 23, 59, 30, 0, time.UTC)))
	server.SeedTables(t, table("leases", "name", ""))
	l := &lease{client: server.Client(), now: server.Clock().Now}
	for _, step := range []struct {
		after  time.Duration
		worker string
		want   bool
	}{
		{0, "a", true},
		{30 * time.Second, "b", false},
		{0, "a", true}, // renews
		{59 * time.Second, "b", false},
		{time.Second, "b", true},
	} {
		server.Clock().Advance(step.after)
		if got := l.take(t.Context(), step.worker); got != step.want {
			t.Errorf("at %v, %s gets the lease: %v", server.Clock().Now(), step.worker, got)
		}
	}
}
