package emulatortest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// The examples are functions, not tests, so they have an exampleTest in place of a *testing.T. In a
// test, t stops what the test started.
type exampleTest struct{ cleanups []func() }

func (t *exampleTest) Helper()                           {}
func (t *exampleTest) Cleanup(f func())                  { t.cleanups = append(t.cleanups, f) }
func (t *exampleTest) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (t *exampleTest) end() {
	for _, f := range t.cleanups {
		f()
	}
}

var ctx = context.Background()

// must keeps the examples short. A test would check err.
func must[T any](out T, err error) T {
	if err != nil {
		panic(err)
	}
	return out
}

func putExample(client *dynamodb.Client, item attributes) {
	must(client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("users"), Item: item}))
}

func countExample(client *dynamodb.Client) int32 {
	return must(client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("users")})).Count
}

// A test has an emulator of its own and an SDK client for it.
func ExampleStart() {
	t := new(exampleTest)
	defer t.end()

	client := emulatortest.Start(t).Client()
	must(client.CreateTable(ctx, usersTable()))
	putExample(client, attributes{"id": text("42"), "name": text("Ada")})
	fmt.Println(countExample(client))
	// Output: 1
}

// A suite makes its data once. Each test, in parallel, works on a fork.
func ExampleFork() {
	t := new(exampleTest)
	defer t.end()

	seed := emulator.New()
	client := emulatortest.NewClient(seed)
	must(client.CreateTable(ctx, usersTable()))
	putExample(client, attributes{"id": text("1")})

	one, other := emulatortest.Fork(t, seed), emulatortest.Fork(t, seed)
	putExample(one.Client(), attributes{"id": text("2")})
	fmt.Println(countExample(one.Client()), countExample(other.Client()))
	// Output: 2 1
}

// A test that holds the clock moves it a day ahead without waiting.
func ExampleServer_Clock() {
	t := new(exampleTest)
	defer t.end()

	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := emulatortest.Start(t, emulatortest.WithClockAt(now))
	client := s.Client()
	must(client.CreateTable(ctx, usersTable()))
	must(client.UpdateTimeToLive(
		ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("users"),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{
				AttributeName: aws.String("expires"), Enabled: aws.Bool(true),
			}}))
	tomorrow := now.Add(24 * time.Hour).Unix()
	putExample(client, attributes{"id": text("session"), "expires": number(fmt.Sprint(tomorrow))})

	fmt.Println(countExample(client))
	s.Clock().Advance(24*time.Hour + time.Second)
	fmt.Println(countExample(client))
	// Output:
	// 1
	// 0
}

// With small pages, four items are enough to test paging.
func ExampleWithEmulator() {
	t := new(exampleTest)
	defer t.end()

	small := emulator.WithLimits(emulator.Limits{PageBytes: 10})
	client := emulatortest.Start(t, emulatortest.WithEmulator(small)).Client()
	must(client.CreateTable(ctx, usersTable()))
	for _, id := range []string{"00000001", "00000002", "00000003", "00000004"} {
		putExample(client, attributes{"id": text(id)})
	}
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: aws.String("users")})
	for pages.HasMorePages() {
		fmt.Println(must(pages.NextPage(ctx)).Count, "items")
	}
	// Output:
	// 2 items
	// 2 items
	// 0 items
}

// A snapshot lets a test restore the same server.
func ExampleServer_snapshot() {
	t := new(exampleTest)
	defer t.end()

	s := emulatortest.Start(t)
	must(s.Client().CreateTable(ctx, usersTable()))
	before := s.Emulator.Snapshot()
	putExample(s.Client(), attributes{"id": text("1")})
	s.Emulator.Restore(before)
	fmt.Println(countExample(s.Client()))
	// Output: 0
}

// A test can print the content of a table, or compare it with a file (Golden).
func ExampleServer_Dump() {
	t := new(exampleTest)
	defer t.end()

	s := emulatortest.Start(t)
	must(s.Client().CreateTable(ctx, usersTable()))
	putExample(s.Client(), attributes{"id": text("42"), "name": text("Ada"), "age": number("36"),
		"tags": &types.AttributeValueMemberSS{Value: []string{"math", "engines"}}})
	fmt.Print(s.Dump(t, "users"))
	// Output:
	// id: "42"
	//   age: 36
	//   name: "Ada"
	//   tags: <<"engines", "math">>
}
