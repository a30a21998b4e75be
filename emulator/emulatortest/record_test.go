package emulatortest_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// judged is a test that keeps its errors and logs.
type judged struct {
	exampleTest
	errors, logs []string
}

func (j *judged) Errorf(format string, args ...any) {
	j.errors = append(j.errors, fmt.Sprintf(format, args...))
}
func (j *judged) Logf(format string, args ...any) {
	j.logs = append(j.logs, fmt.Sprintf(format, args...))
}
func (j *judged) Failed() bool { return len(j.errors) > 0 }

// scanUsers scans all users with a filter on their name.
func scanUsers(client *dynamodb.Client) {
	must(client.Scan(ctx, &dynamodb.ScanInput{
		TableName: aws.String("users"), FilterExpression: aws.String("#n = :n"),
		ExpressionAttributeNames: map[string]string{"#n": "name"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":n": &types.AttributeValueMemberS{Value: "Ada"},
		},
	}))
}

func TestBudgets(t *testing.T) {
	get := traffic.Pattern{Name: "a user", Table: "users", Operation: "GetItem"}
	for _, c := range []struct {
		name   string
		budget emulatortest.Budget
		want   []string
	}{
		{"read units that suffice", emulatortest.MaxReadUnits(2), nil},
		{"read units that do not", emulatortest.MaxReadUnits(1.5),
			[]string{"traffic: 2 read units were used, at most 1.5 may be"}},
		{"write units that suffice", emulatortest.MaxWriteUnits(2), nil},
		{"write units that do not", emulatortest.MaxWriteUnits(1),
			[]string{"traffic: 2 write units were used, at most 1 may be"}},
		{"read units of the table", emulatortest.MaxReadUnits(1.5, "orders", "users"),
			[]string{"traffic: 2 read units of orders, users were used, at most 1.5 may be"}},
		{"read units of another table", emulatortest.MaxReadUnits(0, "orders"), nil},
		{"write units of the table", emulatortest.MaxWriteUnits(1, "users"),
			[]string{"traffic: 2 write units of users were used, at most 1 may be"}},
		{"write units of another table", emulatortest.MaxWriteUnits(0, "orders"), nil},
		{"requests that suffice", emulatortest.MaxRequests(3), nil},
		{"requests that do not", emulatortest.MaxRequests(2),
			[]string{"traffic: 3 requests were used, at most 2 may be"}},
		{"no scan of the table", emulatortest.NoScan("users"),
			[]string{"traffic: Scan reads all of users, pages: 1"}},
		{"no scan of another", emulatortest.NoScan("orders"), nil},
		{"no scan at all", emulatortest.NoScan(),
			[]string{"traffic: Scan reads all of users, pages: 1"}},
		{"no scan of a table that does not exist", emulatortest.NoScan("usres"),
			[]string{`traffic: a budget is of the table "usres", which does not exist; there are orders, users`}},
		{"read units of a table that does not exist",
			emulatortest.MaxReadUnits(9, "users", "usres"),
			[]string{`traffic: a budget is of the table "usres", which does not exist; there are orders, users`}},
		{"write units of a table that does not exist", emulatortest.MaxWriteUnits(9, "usres"),
			[]string{`traffic: a budget is of the table "usres", which does not exist; there are orders, users`}},
		{"waste that may be", emulatortest.NoFilterWaste(1), nil},
		{"waste that may not", emulatortest.NoFilterWaste(0.5),
			[]string{"traffic: Scan of users drops 100 % of the 2 items it reads by its filter on name, at most 50 % may be"}},
		{"accesses that nobody declared", emulatortest.OnlyDeclared(),
			[]string{"traffic: PutItem of users is no declared access pattern",
				"traffic: Scan of users is no declared access pattern"}},
		{"a pattern that nobody uses", emulatortest.AllUsed(),
			[]string{`traffic: the access pattern "a user" is not used`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := new(judged)
			s := emulatortest.Start(t)
			createUsers(t, s.Client())
			s.SeedTables(t,
				seed.Table{Name: "orders", PartitionKey: seed.Attribute{Name: "id", Type: "S"}})
			emulatortest.RecordPatterns(j, s, []traffic.Pattern{get}, c.budget)
			for _, id := range []string{"1", "2"} {
				putExample(s.Client(), attributes{"id": &types.AttributeValueMemberS{Value: id}})
			}
			scanUsers(s.Client())
			j.end()
			assert.Equal(t, c.want, j.errors)
			if c.want == nil {
				assert.Empty(t, j.logs)
			} else if assert.Len(t, j.logs, 1) {
				assert.Contains(t, j.logs[0], "3 requests, 2 read units, 2 write units")
			}
		})
	}
}

func TestPatternsOfWhatDoesNotExist(t *testing.T) {
	for _, c := range []struct {
		name, table, index string
		want               []string
	}{
		{"a table", "events", "", nil},
		{"an index", "events", "kinds", nil},
		{"no such table", "evnets", "",
			[]string{`traffic: the access pattern "p" is of the table "evnets", which does not exist; there are events`}},
		{"no such index", "events", "knids",
			[]string{`traffic: the access pattern "p" is of the index "knids", which the table "events" does not have`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := new(judged)
			emulatortest.RecordPatterns(j, emulatortest.Fork(t, newSeed(0, "")),
				[]traffic.Pattern{{Name: "p", Table: c.table, Index: c.index}})
			j.end()
			assert.Equal(t, c.want, j.errors)
		})
	}
}

// TestTablesThatAreGone: budgets may be of tables that the test deletes, and of those of other
// recordings.
func TestTablesThatAreGone(t *testing.T) {
	j := new(judged)
	s := emulatortest.Start(t)
	pattern := traffic.Pattern{Name: "by name", Table: "users", Index: "names"}
	emulatortest.RecordPatterns(j, s, []traffic.Pattern{pattern}, emulatortest.NoScan("users"))
	createUsers(t, s.Client())
	must(s.Client().DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("users")}))
	j.end()
	assert.Empty(t, j.errors)
}

func TestPatternsThatAreNotValid(t *testing.T) {
	test := new(fakeTest)
	says := test.run(func() {
		emulatortest.RecordPatterns(&judgedFake{fakeTest: test}, emulatortest.Start(t),
			[]traffic.Pattern{{Name: "p", Table: "users", Operation: "Qeury"}})
	})
	assert.Equal(t, `emulatortest: access patterns: "p": "Qeury" is no operation on items`, says)
}

// judgedFake is a fakeTest for recordings.
type judgedFake struct {
	*fakeTest
	judged
}

func (j *judgedFake) Helper()                           {}
func (j *judgedFake) Cleanup(f func())                  { j.fakeTest.Cleanup(f) }
func (j *judgedFake) Fatalf(format string, args ...any) { j.fakeTest.Fatalf(format, args...) }

func TestRecordingEnds(t *testing.T) {
	j := new(judged)
	s := emulatortest.Start(t)
	createUsers(t, s.Client())
	r := emulatortest.Record(j, s, emulatortest.NoScan())
	fork := s.Fork(t)
	scanUsers(fork.Client())
	r.End()
	scanUsers(s.Client())
	j.end()
	require.Empty(t, j.errors, "neither what a fork is asked nor what comes after the end")
}

// A test checks its code against the declared access patterns.
func ExampleRecordPatterns() {
	t := new(judged)
	s := emulatortest.Start(t)
	must(s.Client().CreateTable(ctx, usersTable()))
	patterns := []traffic.Pattern{{Name: "a user by id", Table: "users", Operation: "GetItem"}}
	emulatortest.RecordPatterns(t, s, patterns, emulatortest.OnlyDeclared(), emulatortest.AllUsed())
	scanUsers(s.Client())

	t.end()
	for _, text := range t.errors {
		fmt.Println(text)
	}
	// Output:
	// traffic: Scan of users is no declared access pattern
	// traffic: the access pattern "a user by id" is not used
}

// A test limits the cost of its code. In a test, t is its *testing.T.
func ExampleRecord() {
	t := new(judged)
	s := emulatortest.Start(t)
	must(s.Client().CreateTable(ctx, usersTable()))
	emulatortest.Record(t, s, emulatortest.NoScan("users"), emulatortest.MaxReadUnits(10))
	scanUsers(s.Client())

	t.end()
	fmt.Println(t.errors)
	// Output: [traffic: Scan reads all of users, pages: 1]
}
