package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// testTime is when tests of tables begin.
var testTime = time.Date(2026, 1, 2, 23, 0, 0, 0, time.UTC)

// tableTest serves operations on the tables of one account and region, by a clock of its own.
type tableTest struct {
	t    *testing.T
	call *serve.Call
	now  time.Time
}

// newTableTest begins with no tables.
func newTableTest(t *testing.T, options ...Option) *tableTest {
	x := &tableTest{t: t, now: testTime}
	clock := func() time.Time { return x.now }
	account := New().service.NewAccountData(storage.New(storage.Options{Now: clock}))
	x.call = &serve.Call{
		Service:   New(append(options, WithClock(clock))...).service,
		Store:     account.Store,
		Data:      account,
		Owner:     arn.Owner{Account: "000000000000", Region: "us-east-1"},
		AccessKey: "tester",
	}
	return x
}

// answer serves a request and returns the answer, or the error as "Code: message".
func (x *tableTest) answer(op, request string) (string, error) {
	for i := range operations {
		if operations[i].Name == op {
			c := *x.call
			c.Operation = &operations[i]
			out, err := operations[i].Serve(&c, request, nil)
			var e *apierr.Error
			if errors.As(err, &e) {
				return "", fmt.Errorf("%s: %s", e.Type.Name, e.Message)
			}
			return string(out), err
		}
	}
	require.Fail(x.t, "no such operation", op)
	return "", nil
}

// ok serves a request that must succeed.
func (x *tableTest) ok(op, request string) string {
	x.t.Helper()
	answer, err := x.answer(op, request)
	require.NoError(x.t, err, "%s %s", op, request)
	return answer
}

// fails serves a request that must fail with "Code: message".
func (x *tableTest) fails(op, request, want string) {
	x.t.Helper()
	_, err := x.answer(op, request)
	assert.EqualError(x.t, err, want, "%s %s", op, request)
}

// member serves a request that must succeed and returns the JSON of one member of the answer, "" if
// it is absent.
func (x *tableTest) member(op, request string, path ...any) string {
	x.t.Helper()
	var v any
	require.NoError(x.t, json.Unmarshal([]byte(x.ok(op, request)), &v))
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
	require.NoError(x.t, err)
	return string(text)
}

// table returns a member of a table's description.
func (x *tableTest) table(name string, path ...any) string {
	x.t.Helper()
	return x.member("DescribeTable", `{"TableName":"`+name+`"}`, append([]any{"Table"}, path...)...)
}

// create makes a table of members, see members.
func (x *tableTest) create(name string, members ...string) {
	x.t.Helper()
	x.ok("CreateTable", tableRequest(name, members...))
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

// attempt is a request that fails.
type attempt struct{ name, op, request, want string }

func (x *tableTest) run(attempts []attempt) {
	seen := map[string]bool{}
	for _, a := range attempts {
		require.False(x.t, seen[a.name], "two cases are named %q", a.name)
		seen[a.name] = true
		before := x.ok("ListTables", `{}`)
		x.t.Run(a.name, func(t *testing.T) {
			(&tableTest{t: t, call: x.call}).fails(a.op, a.request, a.want)
		})
		assert.Equal(x.t, before, x.ok("ListTables", `{}`), "%s has changed the tables", a.name)
	}
}
