package emulator_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// userItem is an item of the table of users.
func userItem(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}
}

func TestObserverOfRequests(t *testing.T) {
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/users"
	for _, c := range []struct {
		operation, body string
		status          int
		err             string
		tables          []string
	}{
		{"ListTables", `{}`, 200, "", nil},
		{"DescribeTable", `{"TableName":"users"}`, 400, "ResourceNotFoundException",
			[]string{"users"}},
		{"DescribeTable", `{"TableName":"` + arn + `"}`, 400, "ResourceNotFoundException",
			[]string{"users"}},
		{"ListTagsOfResource", `{"ResourceArn":"` + arn + `/index/x"}`, 400, "ValidationException",
			[]string{"users"}},
		{"BatchGetItem", `{"RequestItems":{"b":{},"a":{}}}`, 400, "ValidationException",
			[]string{"a", "b"}},
		{"TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"bbb","Item":{}}},{"Delete":{"TableName":"aaa","Key":{}}}]}`, 400, "ResourceNotFoundException", []string{"aaa", "bbb"}},
		{"ExecuteStatement", `{"Statement":"SELECT * FROM \"users\""}`, 400,
			"ResourceNotFoundException", []string{"users"}},
		{"BatchExecuteStatement",
			`{"Statements":[{"Statement":"SELECT * FROM users WHERE id='a'"},{"Statement":"?"}]}`,
			200, "", []string{"users"}},
		{"PutItem", `{"TableName":`, 400, "SerializationException", nil},
		{"PutItem", `[]`, 400, "SerializationException", nil},
		{"FlyItem", `{"TableName":"users"}`, 400, "UnknownOperationException", nil},
	} {
		t.Run(c.operation+" "+c.body, func(t *testing.T) {
			var got []*emulator.Event
			now := noon
			e := emulator.New(
				emulator.WithObserver(
					func(e *emulator.Event) {
						got = append(got, e.Clone())
					}), emulator.WithClock(func() time.Time {
					now = now.Add(time.Second)
					return now
				}))
			r := listTables(c.body)
			r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+c.operation)
			w := httptest.NewRecorder()
			e.Handler().ServeHTTP(w, sign(t, r, c.body, known, noon))
			if !assert.Len(t, got, 1) {
				return
			}
			i := got[0]
			assert.Equal(t, w.Header().Get("X-Amzn-Requestid"), i.RequestID)
			assert.Equal(t, w.Body.Len(), i.ResponseBytes)
			assert.Positive(t, i.Duration)
			assert.Equal(t, noon.Add(time.Second), i.Time)
			assert.Equal(t, r.RemoteAddr, i.Remote)
			assert.Equal(t, c.status, i.Status)
			assert.Equal(t, c.err, i.Error)
			var said struct{ Message string }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &said))
			assert.Equal(t, said.Message, i.Message)
			assert.Equal(t, c.tables, append([]string(nil), i.Tables...))
			if c.operation != "FlyItem" {
				assert.Equal(t, []any{c.operation, known.AccessKeyID, "us-east-1", len(c.body)},
					[]any{i.Operation, i.AccessKey, i.Region, i.RequestBytes})
			}
		})
	}
}

func TestProbes(t *testing.T) {
	for _, path := range []string{"/healthz", "/readyz"} {
		for method, want := range map[string]int{
			http.MethodGet: 200, http.MethodHead: 200, http.MethodPost: 404,
		} {
			w := httptest.NewRecorder()
			emulator.New().Handler().ServeHTTP(w, httptest.NewRequest(method, path, nil))
			assert.Equal(t, want, w.Code, "%s %s", method, path)
		}
	}
}

func TestCORSOrigins(t *testing.T) {
	const ours = "http://localhost:3000"
	for _, c := range []struct {
		name, allowed, origin, want string
		call, preflight             int
	}{
		{"an origin that may", ours + ",http://b", ours, ours, 200, 200},
		{"an origin that may not", ours, "http://evil", "", 403, 403},
		{"no origin", ours, "", "", 200, 404},
		{"any", ours + ",*", "http://evil", "*", 200, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := emulator.New(emulator.WithCORSOrigins(strings.Split(c.allowed, ",")...),
				emulator.WithAllowedHosts("dynamodb.us-east-1.amazonaws.com"))
			for method, status := range map[string]int{
				http.MethodPost: c.call, http.MethodOptions: c.preflight,
			} {
				r := sign(t, listTables(`{}`), `{}`, known, noon)
				r.Method = method
				if c.origin != "" {
					r.Header.Set("Origin", c.origin)
				}
				w := httptest.NewRecorder()
				e.Handler().ServeHTTP(w, r)
				assert.Equal(t, status, w.Code)
				assert.Equal(t, c.want, w.Header().Get("Access-Control-Allow-Origin"), method)
			}
		})
	}
}
