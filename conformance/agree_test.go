package conformance

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/disk"
)

// outcome is an answer to a request, or the type and the text of its error.
type outcome struct {
	answer any
	err    string
}

// agreeing is a service whose requests are made in several ways that must agree. There is no
// oracle: a disagreement is a defect of one of them.
type agreeing struct {
	*testing.T
	dir      string
	service  *emulator.Emulator
	gen      *requestGen
	guarded  *guardedPair
	requests int
}

func newAgreeing(t *testing.T, seed uint64) *agreeing {
	x := &agreeing{T: t, dir: filepath.Join(t.TempDir(), "data"), gen: newRequestGen(seed)}
	x.guarded = newGuardedPair(t, x.gen)
	x.open()
	for name, key := range agreeingTables {
		_, err := x.raw(x.service, "CreateTable", `{"TableName":"`+name+`",`+key+`}`)
		require.NoError(t, err)
	}
	return x
}

var agreeingTables = map[string]string{
	"plain": keys("pk:S"),
	"both": `"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
		{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"a","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[{"IndexName":"by-a","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],
		"VectorIndexes":[` + vectorIndex("near", "EUCLIDEAN", 2, "ALL") + `]`,
}

func (x *agreeing) open() {
	db, err := disk.Open(x.dir, disk.Options{Logger: slog.New(slog.DiscardHandler)})
	require.NoError(x, err)
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	x.service, err = emulator.Open(db, emulator.WithHeldClock(clock),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	require.NoError(x, err)
}

// wireError is an error as it is on the wire.
type wireError struct{ kind, text string }

func (e *wireError) Error() string { return e.kind + ": " + e.text }

// raw sends a request to a service without a client.
func (x *agreeing) raw(to *emulator.Emulator, op, body string) (any, error) {
	x.requests++
	req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+op)
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=KEY/20260101/eu-west-3/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	req.Header.Set("X-Amz-Date", "20260101T000000Z")
	rec := httptest.NewRecorder()
	to.Handler().ServeHTTP(rec, req)
	require.NotEqual(x, http.StatusInternalServerError, rec.Code, "%s %s", op, body)
	answer := parseJSON(rec.Body.String())
	if rec.Code == http.StatusOK {
		return answer, nil
	}
	members := answer.(map[string]any)
	kind, _ := members["__type"].(string)
	text, _ := members["message"].(string)
	if text == "" {
		text, _ = members["Message"].(string)
	}
	return nil, &wireError{kind[strings.Index(kind, "#")+1:], text}
}

// outcomeOf returns an outcome, and whether it is one of the service and not of a client.
func outcomeOf(answer any, err error) (outcome, bool) {
	var wire *wireError
	var api smithy.APIError
	switch {
	case err == nil:
		return outcome{answer: normal(answer)}, true
	case errors.As(err, &wire):
		return outcome{err: wire.Error()}, true
	case errors.As(err, &api):
		return outcome{err: api.ErrorCode() + ": " + api.ErrorMessage()}, true
	}
	return outcome{}, false
}

// items returns all items of a table.
func (x *agreeing) items(of *emulator.Emulator, table string) any {
	answer, err := x.raw(of, "Scan", `{"TableName":"`+table+`"}`)
	require.NoError(x, err)
	return answer
}

// same compares what two ways of a request answered, and what they left behind.
func (x *agreeing) same(a, b outcome, left, right *emulator.Emulator, what string) {
	x.Helper()
	assert.Equal(x, a, b, what)
	for table := range agreeingTables {
		assert.Equal(x, x.items(left, table), x.items(right, table), "%s leaves %s", what, table)
	}
}

// throughClient sends a request by an SDK to a fork, and raw to another.
func (x *agreeing) throughClient(op, body string) {
	f, g := x.service.Fork(), x.service.Fork()
	server, err := f.Start("127.0.0.1:0")
	require.NoError(x, err)
	defer server.Close()
	client := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(server.URL),
		Region: "eu-west-3", RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("KEY", "secret", "")})
	answer, err := invoke(x.Context(), client, op, body)
	x.requests++
	viaClient, ok := outcomeOf(answer, err)
	if !ok {
		return // the client does not send such a request
	}
	viaWire, _ := outcomeOf(x.raw(g, op, body))
	if kind, _, _ := strings.Cut(viaClient.err, ":"); kind != "" {
		// which of several faults is named goes by the order of members, which a client changes
		if strings.HasPrefix(viaWire.err, kind+":") {
			viaClient.err = viaWire.err
		}
	}
	if viaClient.err == "" && viaWire.err == "" {
		var missing []string // members that a client knows are all there is
		lacks("", viaWire.answer, viaClient.answer, &missing)
		assert.Empty(x, missing, "%s %s", op, body)
		viaClient.answer = viaWire.answer
	}
	x.same(viaClient, viaWire, f, g, "client and wire: "+op+" "+body)
}

// onFork sends a request to the service and to a fork of it.
func (x *agreeing) onFork(op, body string) {
	f := x.service.Fork()
	a, _ := outcomeOf(x.raw(f, op, body))
	b, _ := outcomeOf(x.raw(x.service, op, body))
	x.same(a, b, f, x.service, "fork and table: "+op+" "+body)
	if b.err != "" { // a rejected request changes nothing
		for table := range agreeingTables {
			assert.Equal(x, x.items(f, table), x.items(x.service, table), body)
		}
	}
}

// asBatch sends a statement by itself and as a batch of one.
func (x *agreeing) asBatch(statement string) {
	f, g := x.service.Fork(), x.service.Fork()
	single, _ := outcomeOf(x.raw(f, "ExecuteStatement", statement))
	answer, err := x.raw(g, "BatchExecuteStatement", `{"Statements":[`+statement+`]}`)
	if err != nil { // the batch as a whole has failed
		assert.NotEmpty(x, single.err, statement)
		return
	}
	first := answer.(map[string]any)["Responses"].([]any)[0].(map[string]any)
	var batch outcome
	if e, ok := first["Error"].(map[string]any); ok {
		code := strings.Replace(fmt.Sprint(e["Code"]), "ValidationError", "Validation", 1)
		batch.err = code + "Exception: " + fmt.Sprint(e["Message"])
	} else if item, ok := first["Item"]; ok {
		batch.answer = normal(map[string]any{"Items": []any{item}})
	} else {
		batch.answer = normal(map[string]any{"Items": []any{}})
	}
	if single.err == "" {
		single.answer = map[string]any{"Items": single.answer.(map[string]any)["Items"]}
	}
	x.same(single, batch, f, g, "statement and batch: "+statement)
}

// asFilter selects by a key condition, and by a filter of a Scan.
func (x *agreeing) asFilter() {
	condition, index, values := x.gen.keyCondition()
	more := ""
	if index != "" {
		more = `,"IndexName":"` + index + `"`
	}
	tail := `,"ExpressionAttributeValues":` + values + `}`
	query, err := x.raw(x.service, "Query",
		`{"TableName":"both"`+more+`,"KeyConditionExpression":`+quoted(condition)+tail)
	scan, err2 := x.raw(x.service, "Scan",
		`{"TableName":"both"`+more+`,"FilterExpression":`+quoted(condition)+tail)
	if err != nil || err2 != nil {
		return // their texts differ, and what a key may be compared with
	}
	of := func(answer any) any { return normal(answer.(map[string]any)["Items"]) }
	assert.ElementsMatch(x, of(query), of(scan), "%s %s", condition, values)
}

// singly writes or reads an item by itself, and as a batch of one.
func (x *agreeing) singly() {
	item := x.gen.item("both")
	f, g := x.service.Fork(), x.service.Fork()
	_, err := x.raw(f, "PutItem", `{"TableName":"both","Item":`+item+`}`)
	_, err2 := x.raw(g, "BatchWriteItem", `{"RequestItems":{"both":[{"PutRequest":{"Item":`+item+`}}]}}`)
	h := x.service.Fork()
	_, err3 := x.raw(h, "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"both","Item":`+item+`}}]}`)
	assert.Equal(x, err == nil, err2 == nil, "%v, %v: %s", err, err2, item)
	assert.Equal(x, err == nil, err3 == nil, "%v, %v: %s", err, err3, item)
	want := x.items(f, "both")
	assert.Equal(x, want, x.items(g, "both"), item)
	assert.Equal(x, want, x.items(h, "both"), item)
	key := x.gen.key("both")
	one, err := x.raw(x.service, "GetItem", `{"TableName":"both","Key":`+key+`}`)
	batch, err2 := x.raw(x.service, "BatchGetItem", `{"RequestItems":{"both":{"Keys":[`+key+`]}}}`)
	transact, err3 := x.raw(x.service, "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"both","Key":`+key+`}}]}`)
	assert.Equal(x, err == nil, err2 == nil, "%v, %v: %s", err, err2, key)
	assert.Equal(x, err == nil, err3 == nil, "%v, %v: %s", err, err3, key)
	if err != nil || err2 != nil || err3 != nil {
		return
	}
	found := []any{}
	if item, ok := one.(map[string]any)["Item"]; ok {
		found = append(found, item)
	}
	assert.Equal(x, found, batch.(map[string]any)["Responses"].(map[string]any)["both"], key)
	assert.Equal(x, one, transact.(map[string]any)["Responses"].([]any)[0], key)
}

// asCondition asks whether an item meets a condition: by the condition of a write and of a
// transaction, and by the filter of a Query.
func (x *agreeing) asCondition() {
	condition := x.gen.condition(2)
	names, key := x.gen.names(condition), x.gen.key("plain")
	query, err := x.raw(x.service, "Scan",
		`{"TableName":"plain","FilterExpression":`+quoted(condition)+names+`}`)
	f, g := x.service.Fork(), x.service.Fork()
	body := `"TableName":"plain","Key":` + key + `,"ConditionExpression":` + quoted(condition) +
		names
	_, err2 := x.raw(f, "DeleteItem", `{`+body+`}`)
	_, err3 := x.raw(g, "TransactWriteItems", `{"TransactItems":[{"Delete":{`+body+`}}]}`)
	assert.Equal(x, err2 == nil, err3 == nil, "%v, %v: %s", err2, err3, body)
	if err != nil {
		return // a filter may name what a condition may not, and the other way round
	}
	var of wireError
	if errors.As(err2, new(*wireError)) {
		of = *err2.(*wireError)
	}
	if of.kind == "ValidationException" {
		return // the error is about the key
	}
	there, _ := x.raw(x.service, "GetItem", `{"TableName":"plain","Key":`+key+`}`)
	item, ok := there.(map[string]any)["Item"]
	if !ok {
		return // a filter selects nothing that is not there
	}
	found := false
	for _, each := range query.(map[string]any)["Items"].([]any) {
		found = found || assert.ObjectsAreEqual(each, item)
	}
	assert.Equal(x, found, err2 == nil, "%v: %s", err2, body)
	assert.Equal(x, x.items(f, "plain"), x.items(g, "plain"), body)
}

// asTransaction updates an item by itself and in a transaction, and by pages and segments reads
// what is read at once.
func (x *agreeing) asTransaction() {
	update := x.gen.update()
	body := `"TableName":"both","Key":` + x.gen.key("both") + `,"UpdateExpression":` +
		quoted(update) + x.gen.names(update)
	f, g := x.service.Fork(), x.service.Fork()
	_, err := x.raw(f, "UpdateItem", `{`+body+`}`)
	_, err2 := x.raw(g, "TransactWriteItems", `{"TransactItems":[{"Update":{`+body+`}}]}`)
	assert.Equal(x, err == nil, err2 == nil, "%v, %v: %s", err, err2, body)
	assert.Equal(x, x.items(f, "both"), x.items(g, "both"), body)
}

// inPages compares pages and segments of a table or an index with all of it.
func (x *agreeing) inPages() {
	of := x.gen.one(`"TableName":"both"`, `"TableName":"plain"`, `"TableName":"both","IndexName":"by-a"`)
	read := func(more string) (items []any) {
		for from := ""; ; {
			page, err := x.raw(x.service, "Scan", `{`+of+more+from+`}`)
			require.NoError(x, err)
			items = append(items, page.(map[string]any)["Items"].([]any)...)
			last, ok := page.(map[string]any)["LastEvaluatedKey"]
			if !ok {
				return items
			}
			from = `,"ExclusiveStartKey":` + encode(last)
		}
	}
	all := read("")
	assert.Equal(x, all, read(`,"Limit":1`), of)
	assert.Equal(x, all, read(`,"Limit":3`), of)
	assert.ElementsMatch(x, all, append(read(`,"TotalSegments":2,"Segment":0`),
		read(`,"TotalSegments":2,"Segment":1,"Limit":2`)...), of)
}

// restart closes the service and opens its data again.
func (x *agreeing) restart() {
	before := map[string]outcome{}
	ask := func(compare bool) {
		for table := range agreeingTables {
			for _, op := range []string{"Scan", "DescribeTable", "DescribeTimeToLive"} {
				got, _ := outcomeOf(x.raw(x.service, op, `{"TableName":"`+table+`"}`))
				if compare {
					assert.Equal(x, before[op+table], got, "%s of %s after a restart", op, table)
				}
				before[op+table] = got
			}
		}
	}
	ask(false)
	require.NoError(x, x.service.Close())
	x.open()
	ask(true)
}

// TestWaysAgree sends random requests in ways that must agree. It takes as long as TEST_AGREE says,
// such as 10m, and is else short; TEST_SEED repeats a run, and TEST_PAIR names the only pair to
// try.
func TestWaysAgree(t *testing.T) {
	t.Parallel()
	seed, long := uint64(1), time.Duration(0)
	if text := os.Getenv("TEST_AGREE"); text != "" {
		var err error
		long, err = time.ParseDuration(text)
		require.NoError(t, err)
		seed = rand.Uint64()
	}
	if text := os.Getenv("TEST_SEED"); text != "" {
		_, err := fmt.Sscan(text, &seed)
		require.NoError(t, err)
	}
	requests, ends := 0, time.Now().Add(long)
	for first := true; first || time.Now().Before(ends); first, seed = false, seed+1 {
		x := newAgreeing(t, seed)
		for range 60 {
			x.round()
		}
		x.restart()
		requests += x.guarded.requests
		require.NoError(t, x.service.Close())
		requests += x.requests
		if t.Failed() {
			t.Fatalf("TEST_SEED=%d disagrees", seed)
		}
	}
	t.Logf("%d requests", requests)
}

// pairs are the ways that must agree, by name.
var pairs = []struct {
	name string
	try  func(*agreeing)
}{
	{"client and wire", func(x *agreeing) { x.throughClient(x.gen.request()) }},
	{"table and fork", func(x *agreeing) { x.onFork(x.gen.request()) }},
	{"statement and batch", func(x *agreeing) { x.asBatch(x.gen.statement()) }},
	{"key condition and filter", (*agreeing).asFilter},
	{"item and batch", (*agreeing).singly},
	{"condition and filter", (*agreeing).asCondition},
	{"update and transaction", (*agreeing).asTransaction},
	{"expression and its plain form", (*agreeing).asPrinted},
	{"server and guard", func(x *agreeing) { x.guarded.round() }},
	{"whole and pages", func(x *agreeing) {
		if x.gen.rarely(10) {
			x.inPages()
		}
	}},
}

// round makes one request in each way, or in that of TEST_PAIR alone.
func (x *agreeing) round() {
	only := os.Getenv("TEST_PAIR")
	for _, p := range pairs {
		if only == "" || only == p.name {
			p.try(x)
		}
	}
	if only != "" { // there is nothing else that writes
		x.onFork(x.gen.request())
	}
}
