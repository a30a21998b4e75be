package emulatortest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// sessions is the application: it keeps sessions of users.
type sessions struct{ client *dynamodb.Client }

func (s *sessions) begin(ctx context.Context, user string, ends time.Time) error {
	_, err := s.client.PutItem(
		ctx, &dynamodb.PutItemInput{TableName: aws.String(
			"sessions"), Item: map[string]types.AttributeValue{
			"user": &types.AttributeValueMemberS{Value: user},
			"ends": &types.AttributeValueMemberN{Value: fmt.Sprint(ends.Unix())},
		}})
	return err
}

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// newSessions gives a test a fork of a server with the table and one session. In a package of
// tests, T is testing.TB.
var newSessions = emulatortest.Template(func(t emulatortest.TB, server *emulatortest.Server) {
	server.SeedTables(t, seed.Table{
		Name:         "sessions",
		PartitionKey: seed.Attribute{Name: "user", Type: "S"},
		TTL:          "ends",
		Items:        []seed.Item{{"user": "ada", "ends": noon.Add(time.Hour).Unix()}},
	})
}, emulatortest.WithClockAt(noon))

// testBegin is a test of what the application stores. In a package of tests it is
// TestBegin(t *testing.T), and so are those below.
func testBegin(t emulatortest.TB) {
	server := newSessions(t)
	app := &sessions{server.Client()}
	if err := app.begin(context.Background(), "grace", noon.Add(time.Minute)); err != nil {
		t.Fatalf("begin: %v", err)
	}
	fmt.Println(server.Item(t, "sessions", seed.Item{"user": "grace"})["ends"])
}

// testRetry is a test of an answer that is lost once.
func testRetry(t emulatortest.TB) {
	server := newSessions(t)
	server.AddFault(t, fault.MustHit(fault.Fault{When: fault.First(1), Do: fault.LoseResponse()}))
	app := &sessions{server.Client()}
	fmt.Println(app.begin(context.Background(), "grace", noon.Add(time.Minute)))
}

// testEnd is a test of time that passes.
func testEnd(t emulatortest.TB) {
	server := newSessions(t)
	server.Clock().Advance(2 * time.Hour)
	fmt.Println(len(server.Items(t, "sessions")))
}

// A suite makes its tables once. Each test has a fork of them, and may have them fail or move the
// clock, without any other test noticing.
func Example_suite() {
	t := new(exampleTest) // a test has its own t
	defer t.end()
	testBegin(t)
	testRetry(t)
	testEnd(t)
	// Output:
	// 1767268860
	// <nil>
	// 0
}
