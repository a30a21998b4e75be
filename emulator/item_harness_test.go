package emulator

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// itemTest sends wire JSON to a new emulator, without a network.
type itemTest struct {
	*testing.T
	emulator *Emulator
}

// The tables of every itemTest: plain has a partition key, ranged also a sort key, and binary has
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

func newItemTest(t *testing.T) *itemTest {
	t.Helper()
	x := &itemTest{T: t, emulator: New()}
	for _, table := range itemTables {
		answer := x.do("CreateTable", table)
		require.True(t, strings.HasPrefix(answer, "{"), answer)
	}
	return x
}

// do sends a request and returns the JSON of the answer. For an error it returns type and message
// ("ValidationException: ...") and, if there is one, the Item.
func (x *itemTest) do(operation, body string) string {
	x.Helper()
	return x.target("DynamoDB_20120810."+operation, body)
}

// target is do for operations of either service.
func (x *itemTest) target(operation, body string) string {
	x.Helper()
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", operation)
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "+
			"SignedHeaders=host;x-amz-date, Signature="+strings.Repeat("0", 64))
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	w := httptest.NewRecorder()
	x.emulator.Handler().ServeHTTP(w, r)
	if w.Code == 200 {
		return w.Body.String()
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
	return text
}

// want sends a request and compares the answer, as JSON if want is an object.
func (x *itemTest) want(want, operation, body string) {
	x.Helper()
	got := x.do(operation, body)
	if strings.HasPrefix(want, "{") && strings.HasPrefix(got, "{") {
		assert.JSONEq(x, want, got)
	} else {
		assert.Equal(x, want, got)
	}
}

// put stores an item.
func (x *itemTest) put(table, item string) {
	x.Helper()
	x.want(`{}`, "PutItem", fmt.Sprintf(`{"TableName":%q,"Item":%s}`, table, item))
}

// wantItem checks the item with a key; "" means no item.
func (x *itemTest) wantItem(want, table, key string) {
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

// stored returns the content of all tables, to check that nothing changed.
func (x *itemTest) stored() string {
	x.Helper()
	var all strings.Builder
	for _, table := range []string{"plain", "ranged", "binary", "indexed"} {
		page := x.do("Scan", fmt.Sprintf(`{"TableName":%q}`, table))
		require.True(x, strings.HasPrefix(page, "{"), page)
		all.WriteString(page)
	}
	return all.String()
}

// itemCase is one request and its answer.
type itemCase struct {
	name, body, want string
}

// refused runs cases of one operation that must all fail and change nothing.
func (x *itemTest) refused(operation string, cases []itemCase) {
	x.Helper()
	before := x.stored()
	for _, tc := range cases {
		x.Run(tc.name, func(t *testing.T) {
			sub := &itemTest{T: t, emulator: x.emulator}
			sub.want(tc.want, operation, tc.body)
			assert.Equal(t, before, sub.stored())
		})
	}
}

const invalidValues = "ValidationException: One or more parameter values were invalid: "

const invalidParameterValues = "ValidationException: 1 validation error detected: One or more parameter values were invalid: "

// badName returns the error for a table name that breaks a rule.
func badName(name, rule string) string {
	return "ValidationException: 1 validation error detected: Value '" + name +
		"' at 'tableName' failed to satisfy constraint: " + rule
}

const (
	nameTooShort = "Member must have length greater than or equal to 3"
	nameTooLong  = "Member must have length less than or equal to 255"
	namePattern  = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
)
