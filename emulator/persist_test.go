package emulator

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/storage/disk"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// durableTest is a requestTest whose emulator can be opened again.
type durableTest struct {
	*requestTest
	dir  string
	opts []Option
}

func newDurableTest(t *testing.T, opts ...Option) *durableTest {
	x := &durableTest{&requestTest{T: t}, filepath.Join(t.TempDir(), "data"), opts}
	x.open()
	t.Cleanup(func() {
		x.emulator.check(t)
		require.NoError(t, x.emulator.Close())
	})
	return x
}

func (x *durableTest) open() {
	db, err := disk.Open(x.dir, disk.Options{Logger: slog.New(slog.DiscardHandler)})
	require.NoError(x, err)
	x.emulator, err = Open(db, x.opts...)
	require.NoError(x, err)
}

// reopen closes the emulator and opens it again: all requests are answered as before.
func (x *durableTest) reopen(requests ...string) {
	x.Helper()
	var before []string
	for _, r := range requests {
		operation, body, _ := strings.Cut(r, " ")
		before = append(before, x.do(operation, body))
	}
	x.emulator.check(x)
	require.NoError(x, x.emulator.Close())
	x.open()
	x.emulator.check(x)
	for i, r := range requests {
		operation, body, _ := strings.Cut(r, " ")
		assert.Equal(x, before[i], x.do(operation, body), r)
	}
}

func (x *durableTest) mustDo(operation, body string) string {
	x.Helper()
	answer := x.do(operation, body)
	require.True(x, answer == "" || strings.HasPrefix(answer, "{"), "%s: %s", operation, answer)
	return answer
}

func TestOpenAgain(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	x := newDurableTest(t, WithClock(func() time.Time { return now }),
		WithTableDelays(time.Hour, time.Hour, time.Hour))
	for _, table := range itemTables {
		x.mustDo("CreateTable", table)
	}
	describe := []string{"ListTables {}"}
	for _, name := range []string{"plain", "ranged", "binary", "indexed"} {
		describe = append(describe, `DescribeTable {"TableName":"`+name+`"}`,
			`DescribeTimeToLive {"TableName":"`+name+`"}`,
			`ListTagsOfResource {"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/`+
				name+`"}`)
	}
	x.reopen(describe...)
	now = now.Add(2 * time.Hour)
	x.reopen(describe...)

	x.mustDo("TagResource",
		`{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/plain","Tags":[{"Key":"k","Value":"v"}]}`)
	x.mustDo("UpdateTimeToLive",
		`{"TableName":"plain","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`)
	x.mustDo("UpdateTable", `{"TableName":"ranged","DeletionProtectionEnabled":true}`)
	x.mustDo("UpdateTable",
		`{"TableName":"binary","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}`)
	x.put("indexed",
		`{"pk":{"S":"a"},"sk":{"S":"1"},"gh":{"S":"g"},"gr":{"N":"1"},"lr":{"B":"AA=="},"a":{"L":[{"NULL":true},{"M":{"é":{"SS":["x"]}}}]}}`)
	x.put("indexed", `{"pk":{"S":"b"},"sk":{"S":"1"}}`)
	x.put("indexed", `{"pk":{"S":"c"},"sk":{"S":"1"}}`)
	x.mustDo("DeleteItem", `{"TableName":"indexed","Key":{"pk":{"S":"b"},"sk":{"S":"1"}}}`)
	x.mustDo("UpdateTable",
		`{"TableName":"indexed","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"gsi2"}}]}`)
	reads := append(describe, `Scan {"TableName":"indexed"}`,
		`Scan {"TableName":"indexed","IndexName":"gsi1"}`,
		`Scan {"TableName":"indexed","IndexName":"lsi1"}`)
	x.reopen(reads...)
	now = now.Add(2 * time.Hour)
	x.put("plain", fmt.Sprintf(`{"pk":{"S":"old"},"ttl":{"N":"%d"}}`, now.Unix()-1))
	x.mustDo("DeleteTable", `{"TableName":"binary"}`)
	x.reopen(reads...)
	require.Equal(t, 1, x.emulator.ExpireItems())
	now = now.Add(2 * time.Hour)
	x.reopen(append(reads, `Scan {"TableName":"plain"}`)...)
	assert.Contains(t, x.do("DeleteTable", `{"TableName":"ranged"}`), "ValidationException")
}

func TestOpenAgainStreams(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	x := newDurableTest(t, WithClock(func() time.Time { return now }))
	x.mustDo("CreateTable",
		strings.Replace(itemTables[0], `{"TableName"`,
			`{"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"TableName"`, 1))
	arn := strings.Split(x.mustDo("DescribeTable", `{"TableName":"plain"}`),
		`"LatestStreamArn":"`)[1]
	arn = arn[:strings.IndexByte(arn, '"')]
	describe := `DescribeStream {"StreamArn":"` + arn + `"}`
	x.put("plain", `{"pk":{"S":"a"},"v":{"N":"1"}}`)
	x.put("plain", `{"pk":{"S":"a"},"v":{"N":"2"}}`)
	now = now.Add(5 * time.Hour) // another shard
	x.put("plain", `{"pk":{"S":"b"}}`)
	shards := strings.Split(x.mustDo("DescribeStream", `{"StreamArn":"`+arn+`"}`),
		`"ShardId":"`)[1:]
	require.Len(t, shards, 2)
	var reads []string
	for _, sh := range shards {
		id := sh[:strings.IndexByte(sh, '"')]
		iterator := x.mustDo("GetShardIterator",
			`{"StreamArn":"`+arn+`","ShardId":"`+id+`","ShardIteratorType":"TRIM_HORIZON"}`)
		reads = append(reads, "GetRecords "+strings.Replace(iterator, "}", `,"Limit":1}`, 1))
		reads = append(reads, "GetRecords "+iterator)
	}
	x.reopen(append(reads, describe, "ListStreams {}")...)
	require.Contains(t, x.do("GetRecords", strings.TrimPrefix(reads[1], "GetRecords ")), `"N":"2"`)
	x.mustDo("UpdateTable", `{"TableName":"plain","StreamSpecification":{"StreamEnabled":false}}`)
	x.reopen(append(reads, describe, "ListStreams {}")...)
	now = now.Add(25 * time.Hour)
	x.reopen("ListStreams {}")
}

func TestOpenAgainTokens(t *testing.T) {
	const write = `{"ClientRequestToken":"%s","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"%s"}}}}]}`
	const mismatch = "IdempotentParameterMismatchException: "
	c := NewClock(clockStart)
	x := newDurableTest(t, WithHeldClock(c))
	x.mustDo("CreateTable", itemTables[0])
	x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, "one", "a"))
	c.Advance(6 * time.Minute)
	x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, "two", "a"))
	x.reopen()
	x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, "one", "a"))
	assert.Contains(t, x.do("TransactWriteItems", fmt.Sprintf(write, "one", "b")), mismatch)
	c.Advance(6 * time.Minute)
	x.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, "one", "b"))
	x.reopen()
	assert.Contains(t, x.do("TransactWriteItems", fmt.Sprintf(write, "one", "a")), mismatch)
	assert.Contains(t, x.do("TransactWriteItems", fmt.Sprintf(write, "two", "b")), mismatch)
	h := x.emulator.service.Namespaces.All()[0]
	require.Len(t, items.TransactionsOf(h).Kept.Order, 2, "the journal has forgotten what is over")
}

// TestOpenAgainRestored: the journal has the data that Restore and Reset bring.
func TestOpenAgainRestored(t *testing.T) {
	x := newDurableTest(t, WithHeldClock(NewClock(clockStart)))
	for _, table := range itemTables {
		x.mustDo("CreateTable", table)
	}
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"1"},"gh":{"S":"g"}}`)
	x.mustDo("TransactWriteItems",
		`{"ClientRequestToken":"token","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}}]}`)
	then := x.emulator.Snapshot()
	reads := []string{`Scan {"TableName":"indexed"}`, `Scan {"TableName":"plain"}`,
		`Scan {"TableName":"indexed","IndexName":"gsi1"}`, `DescribeTable {"TableName":"indexed"}`}
	var before []string
	for _, r := range reads {
		operation, body, _ := strings.Cut(r, " ")
		before = append(before, x.do(operation, body))
	}
	x.put("plain", `{"pk":{"S":"later"}}`)
	x.mustDo("DeleteTable", `{"TableName":"indexed"}`)
	x.emulator.Restore(then)
	x.reopen(reads...)
	for i, r := range reads {
		operation, body, _ := strings.Cut(r, " ")
		assert.Equal(t, before[i], x.do(operation, body))
	}
	assert.Contains(t,
		x.do("TransactWriteItems",
			`{"ClientRequestToken":"token","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"b"}}}}]}`),
		"IdempotentParameterMismatchException")
	x.emulator.Reset()
	x.reopen("ListTables {}")
	x.want(`{"TableNames":[]}`, "ListTables", `{}`)
	x.mustDo("CreateTable", itemTables[0])
	x.reopen("ListTables {}")
}

// TestForkOfDurable: it is in memory only.
func TestForkOfDurable(t *testing.T) {
	x := newDurableTest(t)
	x.mustDo("CreateTable", itemTables[0])
	f := x.of(x.emulator.Fork())
	f.put("plain", `{"pk":{"S":"fork"}}`)
	require.NoError(t, f.emulator.Close())
	x.reopen()
	x.want(`{"Items":[],"Count":0,"ScannedCount":0}`, "Scan", `{"TableName":"plain"}`)
}

// TestNamespacesOpenAgain: each access key and region has its own again.
func TestNamespacesOpenAgain(t *testing.T) {
	x := newDurableTest(t)
	scopes := []string{"A/20260102/us-east-1", "B/20260102/us-east-1", "A/20260102/eu-west-1"}
	for i, who := range scopes {
		w := answerOf(x.emulator,
			rawRequest("CreateTable",
				strings.Replace(itemTables[0], "plain", fmt.Sprint("table", i), 1), scoped(who)))
		require.Equal(t, 200, w.Code, w.Body.String())
	}
	for range 2 {
		x.reopen()
		for i, who := range scopes {
			assert.JSONEq(t, fmt.Sprintf(`{"TableNames":["table%d"]}`, i),
				answerOf(x.emulator, rawRequest("ListTables", `{}`, scoped(who))).Body.String())
		}
	}
}

// brokenJournal fails once it is told to.
type brokenJournal struct {
	journal.Journal
	err error
}

func (b *brokenJournal) Err() error { return b.err }
func (b *brokenJournal) Wait(ticket uint64) error {
	if b.err != nil {
		return b.err
	}
	return b.Journal.Wait(ticket)
}

func TestJournalBreaks(t *testing.T) {
	db, err := disk.Open(t.TempDir(), disk.Options{})
	require.NoError(t, err)
	j := &brokenJournal{Journal: db}
	var out strings.Builder
	e, err := Open(j, WithLogger(slog.New(slog.NewTextHandler(&out, nil))))
	require.NoError(t, err)
	x := &requestTest{T: t, emulator: e}
	require.Contains(t, x.do("CreateTable", itemTables[0]), "TableDescription")
	ready := func() int {
		w := httptest.NewRecorder()
		e.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
		return w.Code
	}
	assert.Equal(t, 200, ready())
	j.err = errors.New("no space left on device")
	assert.Equal(t, 503, ready())
	for _, r := range []string{`PutItem {"TableName":"plain","Item":{"pk":{"S":"a"}}}`,
		`GetItem {"TableName":"plain","Key":{"pk":{"S":"a"}}}`} {
		operation, body, _ := strings.Cut(r, " ")
		assert.Contains(t, x.do(operation, body), "InternalServerError: ")
	}
	assert.Contains(t, out.String(), "no space left on device")
	assert.Zero(t, e.ExpireItems())
	require.NoError(t, e.Close())
}

// TestInitialDataIsKept: what an access key began with is in the journal from then on.
func TestInitialDataIsKept(t *testing.T) {
	seed := newItemTest(t)
	seed.put("plain", `{"pk":{"S":"a"}}`)
	x := newDurableTest(t, WithInitialData(seed.emulator, "AKIDEXAMPLE", "us-east-1"))
	x.wantItem(`{"pk":{"S":"a"}}`, "plain", `{"pk":{"S":"a"}}`)
	x.do("DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`)
	x.put("plain", `{"pk":{"S":"b"}}`)
	x.reopen(`Scan {"TableName":"plain"}`, `DescribeTable {"TableName":"indexed"}`)
	x.wantItem("", "plain", `{"pk":{"S":"a"}}`)
	x.wantItem(`{"pk":{"S":"b"}}`, "plain", `{"pk":{"S":"b"}}`)
}
