package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// testTime is when the clock of newTableTest begins.
var testTime = time.Date(2026, 1, 2, 23, 0, 0, 0, time.UTC)

// requestTest sends wire JSON to an emulator, without a network.
type requestTest struct {
	*testing.T
	emulator *Emulator
	now      time.Time // what the clock of newTableTest says
	region   string    // us-east-1, if it is empty
}

// The tables of newItemTest: plain has a partition key, ranged also a sort key, and binary has
// binary keys. indexed has the global indexes gsi1 (all attributes) and gsi2 (keys only), and the
// local index lsi1 (keys and a).
var itemTables = []string{
	`{"TableName":"plain","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`,
	`{"TableName":"ranged","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`,
	`{"TableName":"binary","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"B"},{"AttributeName":"sk","AttributeType":"B"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`,
	`{"TableName":"indexed","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},
			{"AttributeName":"gh","AttributeType":"S"},{"AttributeName":"gr","AttributeType":"N"},{"AttributeName":"lr","AttributeType":"B"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[
			{"IndexName":"gsi1","KeySchema":[{"AttributeName":"gh","KeyType":"HASH"},{"AttributeName":"gr","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}},
			{"IndexName":"gsi2","KeySchema":[{"AttributeName":"gr","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
		"LocalSecondaryIndexes":[
			{"IndexName":"lsi1","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"lr","KeyType":"RANGE"}],
				"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a"]}}]}`,
}

// newItemTest has an emulator with itemTables and the clock of this machine.
func newItemTest(t *testing.T) *requestTest {
	t.Helper()
	x := &requestTest{T: t, emulator: New()}
	for _, table := range itemTables {
		x.ok("CreateTable", table)
	}
	return x
}

// newTableTest has an emulator without tables, whose clock says x.now.
func newTableTest(t *testing.T, options ...Option) *requestTest {
	x := &requestTest{T: t, now: testTime}
	x.emulator = New(append(options, WithClock(func() time.Time { return x.now }))...)
	return x
}

// within is x in a subtest.
func (x *requestTest) within(t *testing.T) *requestTest {
	sub := *x
	sub.T = t
	return &sub
}

// account returns the data of the requests' account and region.
func (x *requestTest) account() *serve.Account {
	a := x.emulator.service.Namespaces.BorrowOf("AKIDEXAMPLE", x.inRegion())
	a.GiveBack()
	return a
}

func (x *requestTest) inRegion() string {
	if x.region == "" {
		return "us-east-1"
	}
	return x.region
}

// do sends a request and returns the JSON of the answer. For an error it returns type and message
// ("ValidationException: ...") and, if there is one, the Item.
func (x *requestTest) do(operation, body string) string {
	x.Helper()
	text, err := x.answer(operation, body)
	if err != nil {
		return err.Error()
	}
	return text
}

// answer sends a request and returns the answer, or the error as do returns it.
func (x *requestTest) answer(operation, body string) (string, error) {
	x.Helper()
	about, _ := catalog.Named(operation)
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", about.Target())
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/"+x.inRegion()+"/dynamodb/aws4_request, "+
			"SignedHeaders=host;x-amz-date, Signature="+strings.Repeat("0", 64))
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	w := httptest.NewRecorder()
	x.emulator.Handler().ServeHTTP(w, r)
	if w.Code == 200 {
		return w.Body.String(), nil
	}
	var e struct {
		Type    string          `json:"__type"`
		Message string          `json:"message"`
		Item    json.RawMessage `json:"Item"`
	}
	assert.NoError(x, json.Unmarshal(w.Body.Bytes(), &e), w.Body.String())
	text := e.Type[strings.LastIndex(e.Type, "#")+1:] + ": " + e.Message
	if e.Item != nil {
		text += " " + string(e.Item)
	}
	return "", errors.New(text)
}

// want sends a request and compares the answer, as JSON if want is an object.
func (x *requestTest) want(want, operation, body string) {
	x.Helper()
	got := x.do(operation, body)
	if strings.HasPrefix(want, "{") && strings.HasPrefix(got, "{") {
		assert.JSONEq(x, want, got)
	} else {
		assert.Equal(x, want, got)
	}
}

// ok sends a request that must succeed.
func (x *requestTest) ok(op, request string) string {
	x.Helper()
	answer, err := x.answer(op, request)
	require.NoError(x, err, "%s %s", op, request)
	return answer
}

// fails sends a request that must fail with "Code: message".
func (x *requestTest) fails(op, request, want string) {
	x.Helper()
	_, err := x.answer(op, request)
	assert.EqualError(x, err, want, "%s %s", op, request)
}

// member sends a request that must succeed and returns the JSON of one member of the answer, "" if
// it is absent.
func (x *requestTest) member(op, request string, path ...any) string {
	x.Helper()
	var v any
	require.NoError(x, json.Unmarshal([]byte(x.ok(op, request)), &v))
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(map[string]any)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	if v == nil {
		return ""
	}
	text, err := json.Marshal(v)
	require.NoError(x, err)
	return string(text)
}

// table returns a member of a table's description.
func (x *requestTest) table(name string, path ...any) string {
	x.Helper()
	return x.member("DescribeTable", `{"TableName":"`+name+`"}`, append([]any{"Table"}, path...)...)
}

// create makes a table of members, see tableRequest.
func (x *requestTest) create(name string, members ...string) {
	x.Helper()
	x.ok("CreateTable", tableRequest(name, members...))
}

// put stores an item.
func (x *requestTest) put(table, item string) {
	x.Helper()
	x.want(`{}`, "PutItem", fmt.Sprintf(`{"TableName":%q,"Item":%s}`, table, item))
}

// wantItem checks the item with a key; "" means no item.
func (x *requestTest) wantItem(want, table, key string) {
	x.Helper()
	if want == "" {
		want = `{}`
	} else {
		want = `{"Item":` + want + `}`
	}
	x.want(want, "GetItem",
		fmt.Sprintf(`{"TableName":%q,"Key":%s,"ConsistentRead":true}`, table, key))
}

// wantMember checks one member of an answer.
func wantMember(t *testing.T, want, answer, name string) {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(answer), &members), answer)
	require.Contains(t, members, name)
	assert.JSONEq(t, want, string(members[name]))
}

// attempt is a request that fails.
type attempt struct{ name, op, request, want string }

// refused runs requests that must all fail and change nothing.
func (x *requestTest) refused(attempts []attempt) {
	x.Helper()
	before := x.stored()
	for _, a := range attempts {
		x.Run(a.name, func(t *testing.T) {
			sub := x.within(t)
			sub.fails(a.op, a.request, a.want)
			assert.Equal(t, before, sub.stored())
		})
	}
}

// stored returns the content and the description of all tables.
func (x *requestTest) stored() string {
	x.Helper()
	names := x.ok("ListTables", `{}`)
	all := []string{names}
	var list struct{ TableNames []string }
	require.NoError(x, json.Unmarshal([]byte(names), &list))
	for _, name := range list.TableNames {
		table := fmt.Sprintf(`{"TableName":%q}`, name)
		all = append(all, x.ok("DescribeTable", table), x.ok("Scan", table))
	}
	return strings.Join(all, "\n")
}

// tableRequest is a request with a TableName and other members.
func tableRequest(table string, members ...string) string {
	return `{"TableName":"` + table + `",` + strings.Join(members, ",") + `}`
}

// defs is AttributeDefinitions, keys KeySchema; "sk:N" is an attribute of type N, "sk" one of type
// S.
func defs(attributes ...string) string {
	var out []string
	for _, a := range attributes {
		name, kind, _ := strings.Cut(a+":S", ":")
		out = append(out, fmt.Sprintf(`{"AttributeName":%q,"AttributeType":%q}`, name, kind[:1]))
	}
	return `"AttributeDefinitions":[` + strings.Join(out, ",") + `]`
}

// keySchema is a KeySchema: the first attribute is HASH, the others RANGE, unless they say
// otherwise: "b:HASH".
func keySchema(attributes ...string) string {
	var out []string
	for i, a := range attributes {
		name, kind, said := strings.Cut(a, ":")
		if !said {
			kind = "RANGE"
			if i == 0 {
				kind = "HASH"
			}
		}
		out = append(out, fmt.Sprintf(`{"AttributeName":%q,"KeyType":%q}`, name, kind))
	}
	return `"KeySchema":[` + strings.Join(out, ",") + `]`
}

const (
	onDemandBilling = `"BillingMode":"PAY_PER_REQUEST"`
	projectAll      = `"Projection":{"ProjectionType":"ALL"}`
	fiveUnits       = `"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}`
)

// throughput is ProvisionedThroughput.
func throughput(read, write int64) string {
	return fmt.Sprintf(`"ProvisionedThroughput":{"ReadCapacityUnits":%d,"WriteCapacityUnits":%d}`,
		read, write)
}

// index is the definition of one index.
func index(name string, members ...string) string {
	return `{"IndexName":"` + name + `",` + strings.Join(members, ",") + `}`
}

// locals and globals are the lists of indexes, creates one of GlobalSecondaryIndexUpdates.
func locals(indexes ...string) string {
	return `"LocalSecondaryIndexes":[` + strings.Join(indexes, ",") + `]`
}

func globals(indexes ...string) string {
	return `"GlobalSecondaryIndexes":[` + strings.Join(indexes, ",") + `]`
}

func updates(updates ...string) string {
	return `"GlobalSecondaryIndexUpdates":[` + strings.Join(updates, ",") + `]`
}

// numbered repeats a definition with %d in it.
func numbered(n int, format string) (out []string) {
	for i := range n {
		out = append(out, strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return out
}
