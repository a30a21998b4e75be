package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kase is one named case: a request and its answer or its error.
//
// In all of its texts, "@hash" is the name of the table of shape hash, "@arn:hash" its ARN, "$k" a
// partition key of 12 characters that no other case uses, @pk the attribute `"pk":{"S":"$k"}` and
// @key the parameter `"Key":{@pk}`.
type kase struct {
	name  string
	src   string   // the document of the rule, if it is not the source of the suite of cases
	table string   // shape of the table; becomes TableName unless the request has one
	given []string // items to put first
	op    string
	in    string // the request
	raw   bool   // sent without the SDK, which would refuse the request
	want  string // the whole answer; "" if only success or then matters
	// "Code: message"; "Code: start*" if only the start is known; "a || b" if both are on public
	// record; "Invalid: message": see worded
	err  string
	then string // the item under @key afterwards; "none" if there must be none
}

// defaults apply to all cases of a suite.
type defaults struct {
	src, table, op string
}

// run checks each case in a parallel subtest.
func run(t *testing.T, d defaults, cases []kase) {
	t.Helper()
	seen := map[string]bool{}
	for _, k := range cases {
		require.NotEmpty(t, k.name)
		require.False(t, seen[k.name], "two cases are named %q", k.name)
		seen[k.name] = true
		k.src, k.table, k.op = or(k.src, d.src), or(k.table, d.table), or(k.op, d.op)
		require.NotEmpty(t, k.src, "case %q has no source", k.name)
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			k.run(t)
		})
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (k kase) run(t *testing.T) {
	k.mark(t)
	name, key := t.Name(), newKey()
	text := func(s string) string { return expand(t, s, key) }
	for _, item := range k.given {
		call(t, "PutItem", text(withTable(k.table, `{"Item":`+item+`}`)))
	}
	in := text(withTable(k.table, k.in))
	about := fmt.Sprintf("%s %s\nsource: %s", k.op, shorten(in), k.src)
	eventually(t, k.op, func(t assert.TestingT) {
		answer, err := send(k.op, in, k.raw)
		if k.see(t, name, in, key, answer, err) {
			return
		}
		if k.err != "" {
			assertError(t, worded(k.op, text(k.err)), err, about)
			return
		}
		if assert.NoError(t, err, about) && k.want != "" {
			assert.Equal(t, normal(parseJSON(text(k.want))), normal(answer), about)
		}
	})
	if k.then != "" {
		assert.Equal(t, wantedItem(text(k.then)), itemAt(t, k.table, key), "the item after %s",
			about)
	}
}

func wantedItem(text string) any {
	if text == "none" {
		return nil
	}
	return normal(parseJSON(text))
}

// itemAt reads the item under @key.
func itemAt(t *testing.T, table, key string) any {
	answer := call(t, "GetItem", expand(t, withTable(table, `{@key,"ConsistentRead":true}`), key))
	return normal(answer["Item"])
}

// eventually checks an answer. If the real service answers from a read that may lag, it sends the
// request again.
func eventually(t *testing.T, op string, check func(t assert.TestingT)) {
	lags := op == "Query" || op == "Scan" || op == "DescribeTable" || op == "ListTagsOfResource"
	if target.aws && lags {
		require.EventuallyWithT(t, func(c *assert.CollectT) { check(c) }, 20*time.Second,
			500*time.Millisecond)
		return
	}
	check(t)
}

// send sends a request through the SDK or raw.
func send(op, body string, raw bool) (map[string]any, error) {
	if raw {
		return post(op, body).answer()
	}
	return invoke(context.Background(), target.client, op, body)
}

// call sends a request that must succeed.
func call(t testing.TB, op, body string) map[string]any {
	t.Helper()
	body = expand(t, body, "")
	answer, err := send(op, body, false)
	require.NoError(t, err, "%s %s", op, shorten(body))
	return answer
}

// refuse sends a request that must fail with "Code: message".
func refuse(t testing.TB, op, body, want string) {
	t.Helper()
	body = expand(t, body, "")
	_, err := send(op, body, false)
	assertError(t, worded(op, expand(t, want, "")), err, op+" "+shorten(body))
}

// worded replaces "Invalid: " in an expected error. It marks faults in the parameters of the
// request that do not depend on its table. They are a ValidationException, which PutItem,
// UpdateItem and DeleteItem put in an envelope (service facts 0.2, 0.3). A fault that depends on
// the table is in no envelope (service facts 0.5).
func worded(op, want string) string {
	code := "ValidationException: "
	switch op {
	case "PutItem", "UpdateItem", "DeleteItem":
		code += "1 validation error detected: "
	}
	alternatives := strings.Split(want, " || ")
	for i, either := range alternatives {
		if message, ok := strings.CutPrefix(either, "Invalid: "); ok {
			alternatives[i] = code + message
		}
	}
	return strings.Join(alternatives, " || ")
}

func assertError(t assert.TestingT, want string, err error, about string) {
	if !assert.Error(t, err, about) {
		return
	}
	got := errorText(err)
	for _, either := range strings.Split(want, " || ") {
		start, partial := strings.CutSuffix(either, "*")
		if got == either || partial && strings.HasPrefix(got+": ", start) {
			return
		}
	}
	assert.Fail(t, "the wrong error", "got:  %s\nwant: %s\nfor %s", got, want, about)
}

// errorText returns the service's error as "Code: message", or "Code" if it has no message.
func errorText(err error) string {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return "not an error of the service: " + err.Error()
	}
	if api.ErrorMessage() == "" {
		return api.ErrorCode()
	}
	return api.ErrorCode() + ": " + api.ErrorMessage()
}

var lastKey atomic.Int64

// newKey returns a partition key that no other case uses. All have the same length, so that
// capacity figures are equal.
func newKey() string { return fmt.Sprintf("k%011d", lastKey.Add(1)) }

// newToken returns a client token that no other test and no other run uses: an endpoint remembers
// tokens for ten minutes.
func newToken() string { return runID[len(runID)-10:] + newKey() }

// withTable adds the TableName to a request without one.
func withTable(shape, body string) string {
	if shape == "" || strings.Contains(body, `"TableName"`) ||
		strings.Contains(body, `"RequestItems"`) || strings.Contains(body, `"Statement`) ||
		strings.Contains(body, `"TransactStatements"`) {
		return body
	}
	rest := strings.TrimPrefix(body, "{")
	if strings.TrimSpace(rest) != "}" {
		rest = "," + rest
	}
	return `{"TableName":"@` + shape + `"` + rest
}

// expand replaces the placeholders of a case.
func expand(t testing.TB, text, key string) string {
	text = strings.NewReplacer("@key", `"Key":{"pk":{"S":"`+key+`"}}`, "@pk",
		`"pk":{"S":"`+key+`"}`, "$k", key).Replace(text)
	for shape := range shapes {
		text = replaceWord(text, "@arn:"+shape, func() string { return fixture(t, shape).arn })
		text = replaceWord(text, "@"+shape, func() string { return fixture(t, shape).name })
	}
	return text
}

// replaceWord replaces a placeholder where no letter follows.
func replaceWord(text, word string, with func() string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return text
		}
		i += from
		end := i + len(word)
		if end < len(text) &&
			(text[end] >= 'a' && text[end] <= 'z' || text[end] >= 'A' && text[end] <= 'Z') {
			from = end
			continue
		}
		name := with()
		text = text[:i] + name + text[end:]
		from = i + len(name)
	}
}

// normal returns a JSON tree with sorted sets and with equal numbers in the same form.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, member := range v {
			if elements, ok := member.([]any); ok &&
				(name == "SS" || name == "NS" || name == "BS") {
				member = sorted(elements)
			}
			// BatchGetItem returns items in any order
			if lists, ok := member.(map[string]any); ok && name == "Responses" {
				member = sortedLists(lists)
			}
			members[name] = normal(member)
		}
		return members
	case []any:
		elements := make([]any, len(v))
		for i := range v {
			elements[i] = normal(v[i])
		}
		return elements
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return v
		}
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
	}
	return v
}

func sorted(elements []any) []any {
	out := append([]any(nil), elements...)
	sort.Slice(out, func(i, j int) bool { return encode(out[i]) < encode(out[j]) })
	return out
}

func sortedLists(lists map[string]any) any {
	out := map[string]any{}
	for name, list := range lists {
		elements, _ := normal(list).([]any)
		out[name] = sorted(elements)
	}
	return out
}

// encode writes a JSON tree.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// at returns the value at a path of member names. The path must exist.
func at(t testing.TB, v any, path ...string) any {
	t.Helper()
	for _, name := range path {
		members, ok := v.(map[string]any)
		require.True(t, ok, "no member %s in %v", name, v)
		require.Contains(t, members, name)
		v = members[name]
	}
	return v
}

// textAt returns the text of an item's string or number.
func textAt(t testing.TB, item any, name string) string {
	t.Helper()
	for _, kind := range []string{"S", "N", "B"} {
		if text, ok := at(t, item, name).(map[string]any)[kind].(string); ok {
			return text
		}
	}
	require.Fail(t, "no text", "%s of %v", name, item)
	return ""
}

// shorten makes a large request readable in a failure.
func shorten(body string) string {
	if len(body) <= 1000 {
		return body
	}
	return fmt.Sprintf("%s ...(%d bytes)... %s", body[:600], len(body), body[len(body)-200:])
}
