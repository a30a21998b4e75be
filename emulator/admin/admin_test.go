package admin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/fault"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// served is a server with the API on a port of its own.
type served struct {
	testing.TB
	url string
}

func serve(t testing.TB, opts ...emulator.Option) *served {
	return serveOnly(t, append(opts, Enable(Options{}))...)
}

// serveOnly serves an emulator whose options enable the API.
func serveOnly(t testing.TB, opts ...emulator.Option) *served {
	s, err := emulator.New(opts...).Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return &served{t, s.URL}
}

// do sends a request to a path of the API and returns the answer.
func (s *served) do(method, path, body string) (status int, answer string) {
	s.Helper()
	r, err := http.NewRequest(method, s.url+"/_kugiri/"+path, strings.NewReader(body))
	require.NoError(s, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(r)
	require.NoError(s, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(s, err)
	assert.Equal(s, "application/json", res.Header.Get("Content-Type"))
	s.wantDocumented(method, path, body, res.StatusCode, text)
	return res.StatusCode, strings.TrimSuffix(string(text), "\n")
}

// want sends a request and compares the answer.
func (s *served) want(status int, answer, method, path, body string) {
	s.Helper()
	gotStatus, got := s.do(method, path, body)
	assert.Equal(s, status, gotStatus, got)
	assert.JSONEq(s, answer, got)
}

// wantError sends a request that the API must refuse.
func (s *served) wantError(status int, says, method, path, body string) {
	s.Helper()
	gotStatus, got := s.do(method, path, body)
	assert.Equal(s, status, gotStatus, got)
	var fault struct{ Error string }
	require.NoError(s, json.Unmarshal([]byte(got), &fault))
	assert.Contains(s, fault.Error, says)
}

// client returns an SDK client with an access key.
func (s *served) client(accessKey string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(s.url), Region: "us-east-1",
		Credentials:      credentials.NewStaticCredentialsProvider(accessKey, "secret", ""),
		RetryMaxAttempts: 1,
	})
}

func (s *served) createTable(accessKey string) {
	_, err := s.client(accessKey).CreateTable(s.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("users"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash},
		},
	})
	require.NoError(s, err)
}

func (s *served) put(accessKey, id string, attributes ...string) error {
	it := map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}
	for i := 0; i < len(attributes); i += 2 {
		it[attributes[i]] = &types.AttributeValueMemberN{Value: attributes[i+1]}
	}
	_, err := s.client(accessKey).PutItem(s.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("users"), Item: it})
	return err
}

// ids returns the ids of the items that an access key sees, in the order of a scan, or "-" without
// a table.
func (s *served) ids(accessKey string) string {
	out, err := s.client(accessKey).Scan(s.Context(),
		&dynamodb.ScanInput{TableName: aws.String("users")})
	if err != nil {
		require.ErrorContains(s, err, "ResourceNotFoundException")
		return "-"
	}
	ids := map[string]bool{}
	for _, it := range out.Items {
		ids[it["id"].(*types.AttributeValueMemberS).Value] = true
	}
	return sorted(ids)
}

func sorted(ids map[string]bool) (text string) {
	for c := 'a'; c <= 'z'; c++ {
		if ids[string(c)] {
			text += string(c)
		}
	}
	return text
}

func TestForks(t *testing.T) {
	s := serve(t)
	s.createTable("seed")
	require.NoError(t, s.put("seed", "a"))
	s.want(200, `{"forks":[]}`, "GET", "forks", "")
	s.want(201, `{"accessKey":"test-42","from":"seed"}`, "POST", "forks",
		`{"accessKey":"test-42","from":"seed"}`)
	s.want(201, `{"accessKey":"test-43","from":"seed"}`, "POST", "forks",
		`{"accessKey":"test-43","from":"seed"}`)
	require.NoError(t, s.put("test-42", "b"))
	require.NoError(t, s.put("seed", "c"))
	assert.Equal(t, []string{"ac", "ab", "a", "-"},
		[]string{s.ids("seed"), s.ids("test-42"), s.ids("test-43"), s.ids("other")})

	s.want(201, `{"accessKey":"empty"}`, "POST", "forks", `{"accessKey":"empty"}`)
	assert.Equal(t, "-", s.ids("empty"))
	s.want(200,
		`{"forks":[{"accessKey":"empty"},{"accessKey":"test-42","from":"seed"},{"accessKey":"test-43","from":"seed"}]}`, "GET", "forks", "")

	s.want(200, `{}`, "POST", "forks/test-42/reset", "")
	assert.Equal(t, "-", s.ids("test-42"))
	s.want(200, `{}`, "DELETE", "forks/test-43", "")
	assert.Equal(t, []string{"ac", "-"}, []string{s.ids("seed"), s.ids("test-43")})

	s.wantError(404, `no fork for the access key "test-43"`, "DELETE", "forks/test-43", "")
	s.wantError(404, `no fork for the access key "test-43"`, "POST", "forks/test-43/reset", "")
	s.wantError(404, `no fork for the access key "test-43"`, "GET", "forks/test-43/", "")
	s.wantError(409, "already", "POST", "forks", `{"accessKey":"test-42","from":"seed"}`)
	s.wantError(404, `nothing of the access key "nobody"`, "POST", "forks",
		`{"accessKey":"x","from":"nobody"}`)
	s.wantError(404, `no snapshot "s"`, "POST", "forks",
		`{"accessKey":"x","from":"seed","snapshot":"s"}`)
	s.wantError(400, "accessKey", "POST", "forks", `{"from":"seed"}`)
	s.wantError(400, "accessKey", "POST", "forks", `{"accessKey":"a/b"}`)
	s.wantError(400, "no time", "POST", "forks", `{"accessKey":"x","clock":"noon"}`)
	s.wantError(404, "nothing at this path", "POST", "forks/test-42/forks", `{"accessKey":"x"}`)
}

func TestForkOfAFork(t *testing.T) {
	s := serve(t)
	s.want(201, `{"accessKey":"template"}`, "POST", "forks", `{"accessKey":"template"}`)
	s.want(201, `{"accessKey":"empty","from":"template","ofFork":true}`, "POST", "forks",
		`{"accessKey":"empty","from":"template"}`)
	s.createTable("template")
	require.NoError(t, s.put("template", "a"))
	s.do("POST", "forks/template/snapshots", `{"name":"one"}`)
	require.NoError(t, s.put("template", "b"))
	s.want(201, `{"accessKey":"now","from":"template","ofFork":true}`, "POST", "forks",
		`{"accessKey":"now","from":"template"}`)
	s.want(201, `{"accessKey":"then","from":"template","snapshot":"one","ofFork":true}`, "POST",
		"forks", `{"accessKey":"then","from":"template","snapshot":"one"}`)
	s.want(200, `{}`, "DELETE", "forks/template", "")
	require.NoError(t, s.put("now", "c"))
	assert.Equal(t, []string{"-", "-", "abc", "a"},
		[]string{s.ids("template"), s.ids("empty"), s.ids("now"), s.ids("then")})
}

func TestForksOfSharedData(t *testing.T) {
	s := serve(t, emulator.WithSharedData())
	s.createTable("anyone")
	require.NoError(t, s.put("anyone", "a"))
	s.wantError(400, `there is no "from"`, "POST", "forks", `{"accessKey":"x","from":"anyone"}`)
	s.want(201, `{"accessKey":"x"}`, "POST", "forks", `{"accessKey":"x"}`)
	require.NoError(t, s.put("x", "b"))
	assert.Equal(t, []string{"a", "ab"}, []string{s.ids("anyone"), s.ids("x")})
}

func TestSnapshots(t *testing.T) {
	s := serve(t, emulator.WithHeldClock(emulator.NewClock(time.Unix(0, 0).UTC())))
	s.createTable("me")
	require.NoError(t, s.put("me", "a"))
	const one = `{"name":"one","time":"1970-01-01T00:00:00Z"}`
	s.want(200, `{"snapshots":[]}`, "GET", "snapshots", "")
	s.want(201, one, "POST", "snapshots", `{"name":"one"}`)
	require.NoError(t, s.put("me", "b"))
	s.want(200, `{"snapshots":[`+one+`]}`, "GET", "snapshots", "")
	s.want(201, `{"accessKey":"then","from":"me","snapshot":"one"}`, "POST", "forks",
		`{"accessKey":"then","from":"me","snapshot":"one"}`)
	s.want(201, `{"accessKey":"now","from":"me"}`, "POST", "forks",
		`{"accessKey":"now","from":"me"}`)
	for range 2 {
		s.want(200, one, "POST", "snapshots/one/restore", "{}")
		assert.Equal(t, "a", s.ids("me"))
		require.NoError(t, s.put("me", "c"))
	}
	assert.Equal(t, []string{"a", "ab", "ac"}, []string{s.ids("then"), s.ids("now"), s.ids("me")})
	s.wantError(409, "already", "POST", "snapshots", `{"name":"one"}`)
	s.want(201, one, "POST", "forks/now/snapshots", `{"name":"one"}`)
	s.want(200, `{}`, "DELETE", "snapshots/one", "")
	s.wantError(404, `no snapshot "one"`, "DELETE", "snapshots/one", "")
	s.wantError(404, `no snapshot "one"`, "POST", "snapshots/one/restore", "")
	require.NoError(t, s.put("now", "d"))
	s.want(200, one, "POST", "forks/now/snapshots/one/restore", "")
	assert.Equal(t, "ab", s.ids("now"))
	s.want(200, `{}`, "POST", "reset", "")
	assert.Equal(t, []string{"-", "a"}, []string{s.ids("me"), s.ids("then")})
}

func TestClock(t *testing.T) {
	s := serve(t, emulator.WithHeldClock(emulator.NewClock(time.Unix(1000, 0))))
	s.createTable("me")
	_, err := s.client("me").UpdateTimeToLive(
		t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("users"),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(
				"ttl"),
				Enabled: aws.Bool(true)}})
	require.NoError(t, err)
	require.NoError(t, s.put("me", "a", "ttl", "1060"))
	s.want(201, `{"accessKey":"x","from":"me"}`, "POST", "forks", `{"accessKey":"x","from":"me"}`)
	s.want(201, `{"accessKey":"y","from":"me","clock":"2026-01-02T03:04:05Z"}`, "POST", "forks",
		`{"accessKey":"y","from":"me","clock":"2026-01-02T03:04:05Z"}`)

	s.want(200, `{"now":"1970-01-01T00:16:40Z","held":true}`, "GET", "clock", "")
	s.want(200, `{"now":"1970-01-01T00:17:41Z","held":true}`, "POST", "clock/advance",
		`{"by":"1m1s"}`)
	assert.Equal(t, []string{"", "a"}, []string{s.ids("me"), s.ids("x")},
		"deleted, but not in the fork, which has a clock of its own")
	s.want(200, `{"now":"1970-01-01T00:16:40Z","held":true}`, "GET", "forks/x/clock", "")
	s.want(200, `{"now":"1970-01-02T00:00:00Z","held":true}`, "PUT", "forks/x/clock",
		`{"now":"1970-01-02T01:00:00+01:00"}`)
	assert.Equal(t, "", s.ids("x"))
	s.want(200, `{"now":"2026-01-02T03:04:05Z","held":true}`, "GET", "forks/y/clock", "")
	s.want(200, `{"deleted":0}`, "POST", "forks/y/expire", "")

	s.wantError(400, "no duration", "POST", "clock/advance", `{"by":"-1s"}`)
	s.wantError(400, "no duration", "POST", "clock/advance", `{"by":"soon"}`)
	s.wantError(400, "two days are 48h", "POST", "clock/advance", `{"by":"2d"}`)
	s.wantError(400, `such as {"by": "60s"}, not 60`, "POST", "clock/advance", `{"by":60}`)
	s.wantError(400, `such as {"by": "60s"}, not nothing`, "POST", "clock/advance", `{}`)
	s.wantError(400, "no time", "PUT", "clock", `{"now":"noon"}`)
	s.wantError(400, "the years", "PUT", "clock", `{"now":"9999-12-31T23:59:59-01:00"}`)
	s.want(200, `{"now":"9999-12-31T23:59:59Z","held":true}`, "PUT", "forks/y/clock",
		`{"now":"9999-12-31T23:59:59Z"}`)
	s.wantError(400, "the years", "POST", "forks/y/clock/advance", `{"by":"1s"}`)
}

func TestRealClock(t *testing.T) {
	now := time.Unix(1000, 0)
	s := serve(t, emulator.WithClock(func() time.Time { return now }))
	s.want(200, `{"now":"1970-01-01T00:16:40Z","held":false}`, "GET", "clock", "")
	s.wantError(409, "the clock goes by itself", "POST", "clock/advance", `{"by":"1s"}`)
	s.wantError(409, "the clock goes by itself", "PUT", "clock", `{"now":"2026-01-02T03:04:05Z"}`)
	s.want(201, `{"accessKey":"x","clock":"held"}`, "POST", "forks",
		`{"accessKey":"x","clock":"held"}`)
	s.want(200, `{"now":"1970-01-01T00:16:41Z","held":true}`, "POST", "forks/x/clock/advance",
		`{"by":"1s"}`)
}

func TestFaults(t *testing.T) {
	const drop = `{"when":{"and":[{"operation":"PutItem"},{"first":1}]},"do":{"throttle":{"reason":"AccountLimitExceeded"}}}`
	const conflict = `{"when":{"operation":"PutItem"},"do":"transactionConflict"}`
	s := serve(t)
	s.createTable("me")
	s.want(201, `{"accessKey":"x","from":"me"}`, "POST", "forks", `{"accessKey":"x","from":"me"}`)
	s.want(201, `{"faults":[{"id":"1","hits":0,"fault":`+drop+`}]}`, "POST", "faults", drop)
	assert.ErrorContains(t, s.put("me", "a"), "RequestLimitExceeded")
	assert.NoError(t, s.put("me", "a"))
	assert.NoError(t, s.put("x", "a"), "a fork has its own faults")
	s.want(200,
		`{"faults":[{"id":"1","hits":1,"places":[{"operation":"PutItem","table":"users","hits":1}],"fault":`+drop+`}]}`, "GET", "faults", "")
	s.want(201, `{"faults":[{"id":"1","hits":0,"fault":`+conflict+`}]}`, "POST", "forks/x/faults",
		`[`+conflict+`]`)
	assert.ErrorContains(t, s.put("x", "a"), "TransactionConflictException")

	s.want(201, `{"faults":[{"id":"2","hits":0,"fault":`+conflict+`}]}`, "POST", "faults", conflict)
	s.want(200, `{"id":"2","hits":0,"fault":`+conflict+`}`, "DELETE", "faults/2", "")
	s.wantError(404, `no fault "2"`, "DELETE", "faults/2", "")
	s.want(200,
		`{"faults":[{"id":"3","hits":0,"fault":`+drop+`},{"id":"4","hits":0,"fault":`+drop+`}]}`,
		"PUT", "faults", `[`+drop+`,`+drop+`]`)
	s.want(200,
		`{"faults":[{"id":"3","hits":0,"fault":`+drop+`},{"id":"4","hits":0,"fault":`+drop+`}]}`,
		"DELETE", "faults", "")
	s.want(200, `{"faults":[]}`, "GET", "faults", "")
	assert.NoError(t, s.put("me", "a"))
	s.wantError(400, "fault: ", "POST", "faults", `{"do":"explode"}`)
	s.wantError(400, "fault: ", "PUT", "faults", "")
	s.wantError(409, "more than 1000 faults", "POST", "forks/x/faults",
		"["+strings.Repeat(conflict+",", 999)+conflict+"]")
}

func TestFaultsThatMustHit(t *testing.T) {
	const lost = `{"do":"loseResponse","mustHit":true}`
	s := serve(t)
	s.createTable("me")
	s.want(201, `{"faults":[{"id":"1","hits":0,"missed":true,"fault":`+lost+`}]}`, "POST", "faults",
		lost)
	s.want(200, `{"id":"1","hits":0,"missed":true,"fault":`+lost+`}`, "DELETE", "faults/1", "")
	s.do("POST", "faults", lost)
	assert.Error(t, s.put("me", "a"))
	s.want(200,
		`{"faults":[{"id":"2","hits":1,"places":[{"operation":"PutItem","table":"users","hits":1}],"fault":`+lost+`}]}`, "DELETE", "faults", "")
	s.wantError(400, `there is no operation "PutItems"`, "POST", "faults",
		`{"when":{"operation":"PutItems"},"do":"loseResponse"}`)
}

func TestExplain(t *testing.T) {
	s := serve(t,
		emulator.WithFaults(fault.Fault{When: fault.Operation("Scan"), Do: fault.DropConnection()}))
	s.createTable("me")
	require.NoError(t, s.put("me", "a"))
	s.want(201, `{"accessKey":"x","from":"me"}`, "POST", "forks", `{"accessKey":"x","from":"me"}`)
	require.NoError(t, s.put("x", "b"))
	scan := func(key string) string {
		return `{"accessKey":"` + key +
			`","region":"us-east-1","operation":"Scan","request":{"TableName":"users"}}`
	}
	plan := func(items int) string {
		return fmt.Sprintf(
			`{"operation":"Scan","readUnits":2,"writeUnits":0,"evaluated":%d,"returned":%d,"written":0,"more":false,
			"capacity":[{"operation":"Scan","table":"users","read":2,"write":0}],
			"reads":[{"operation":"Scan","table":"users","scan":true,"pages":1,"evaluated":%d,"returned":%d,"units":2,"why":["no partition key is given: all items are read"]}],
			"partitions":[],"why":["users: no partition key is given: all items are read"]}`, items,
			items, items, items)
	}
	s.want(200, plan(1), "POST", "explain", scan("me"))
	s.want(200, plan(2), "POST", "forks/x/explain", scan("x"))
	s.want(200,
		`{"operation":"PutItem","readUnits":0,"writeUnits":1,"evaluated":0,"returned":0,"written":1,"more":false,"capacity":[{"operation":"PutItem","table":"users","read":0,"write":1}],
		"reads":[],"partitions":[{"table":"users","key":"\"c\"","units":1,"share":1}],"why":[]}`,
		"POST", "explain",
		`{"accessKey":"me","region":"us-east-1","operation":"PutItem","request":{"TableName":"users","Item":{"id":{"S":"c"}}}}`)
	s.want(200, plan(1), "POST", "explain", scan("me"))

	s.wantError(400, `there is no "request"`, "POST", "explain",
		`{"accessKey":"me","region":"us-east-1","operation":"Scan"}`)
	s.wantError(400, `"Scans" is no operation on items`, "POST", "explain",
		`{"accessKey":"me","region":"us-east-1","operation":"Scans","request":{}}`)
	s.wantError(400, `"" is no access key or region`, "POST", "explain",
		`{"region":"us-east-1","operation":"Scan","request":{}}`)
	s.wantError(400, "unknown field", "POST", "explain", `{"table":"users"}`)
}

// TestExplainForATenant: the header that tells the tenant is one of those of the request.
func TestExplainForATenant(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Header: "x-tenant", Callers: map[string]string{"admin": "ops"},
			Privileged: []string{"ops"}},
		Tables: []policy.Table{
			{Name: "users", Role: policy.Plain, Key: policy.KeySchema{Partition: "id"}},
		},
	})
	require.NoError(t, err)
	s := serve(t, emulator.WithSharedData(), emulator.WithPolicy(engine))
	s.createTable("admin")
	get := `{"accessKey":"me","region":"us-east-1","operation":"GetItem","request":{"TableName":"users","Key":{"id":{"S":"USER#t1"}}}`
	_, without := s.do("POST", "explain", get+`}`)
	_, with := s.do("POST", "explain", get+`,"headers":{"x-tenant":"t1"}}`)
	assert.Contains(t, without, "tenant-caller")
	assert.NotContains(t, with, "tenant-caller")
	s.want(200, `{"findings":[]}`, "GET", "findings", "")
}

func TestOverview(t *testing.T) {
	s := serve(t, emulator.WithHeldClock(emulator.NewClock(time.Unix(0, 0))))
	s.createTable("me")
	s.do("POST", "forks", `{"accessKey":"x","from":"me"}`)
	s.do("POST", "snapshots", `{"name":"one"}`)
	s.want(200,
		`{"clock":{"now":"1970-01-01T00:00:00Z","held":true},"accessKeys":["me"],"namespaces":[{"accessKey":"me","region":"us-east-1","tables":1}],"snapshots":[{"name":"one","time":"1970-01-01T00:00:00Z"}],
		"faults":[],"forks":[{"accessKey":"x","from":"me"}]}`, "GET", "", "")
	s.want(200,
		`{"clock":{"now":"1970-01-01T00:00:00Z","held":true},"accessKeys":["x"],"namespaces":[{"accessKey":"x","region":"us-east-1","tables":1}],"snapshots":[],"faults":[]}`, "GET", "forks/x/", "")
}

// TestStrict: the API refuses wrong requests, and they change nothing.
func TestStrict(t *testing.T) {
	s := serve(t)
	for _, c := range []struct {
		status                   int
		says, method, path, body string
	}{
		{404, "nothing at this path; there is DELETE /_kugiri/", "GET", "nope", ""},
		{404, "POST /_kugiri/forks, ", "POST", "fork", `{"accessKey":"a"}`},
		{404, "nothing at this path", "GET", "snapshots/", ""},
		{405, "not by the method PATCH", "PATCH", "snapshots", ""},
		{405, "not by the method GET", "GET", "reset", ""},
		{400, "there is no body", "POST", "snapshots", ""},
		{400, "unknown field", "POST", "snapshots", `{"name":"a","names":"b"}`},
		{400, "after the object", "POST", "snapshots", `{"name":"a"}{}`},
		{400, "the body", "POST", "snapshots", `{"name":1}`},
		{400, "is not Unicode text", "POST", "snapshots", `{"name":"\ud800"}`},
		{400, "the body", "POST", "snapshots", `{"name":"a"`},
		{400, "make a name", "POST", "snapshots", `{"name":""}`},
		{400, "make a name", "POST", "snapshots", `{"name":"` + strings.Repeat("a", 129) + `"}`},
		{400, "unknown field", "POST", "reset", `{"all":true}`},
		{400, "unknown field", "POST", "expire", `{"all":true}`},
		{413, "more than", "POST", "snapshots", strings.Repeat(" ", maxBody+1)},
	} {
		t.Run(c.method+" "+c.path+" "+c.body[:min(len(c.body), 20)], func(t *testing.T) {
			(&served{t, s.url}).wantError(c.status, c.says, c.method, c.path, c.body)
		})
	}
	s.want(200, `{"snapshots":[]}`, "GET", "snapshots", "")
}

func TestContentTypes(t *testing.T) {
	s := serve(t)
	escaped := url.Values{`{"name":"form"`: {"}"}}.Encode() // the form of a page would send it so
	for _, c := range []struct {
		name, contentType, body string
		status                  int
	}{
		{"json", "application/json; charset=utf-8", `{"name":"a"}`, http.StatusCreated},
		{"curl -d", "application/x-www-form-urlencoded", `{"name":"b"}`, http.StatusCreated},
		{"form", "application/x-www-form-urlencoded", escaped, http.StatusBadRequest},
		{"form as text", "text/plain", `{"name":"c"}`, http.StatusUnsupportedMediaType},
		{"form as parts", "multipart/form-data; boundary=x", `{"name":"c"}`,
			http.StatusUnsupportedMediaType},
		{"none", "", `{"name":"c"}`, http.StatusUnsupportedMediaType},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := http.Post(s.url+"/_kugiri/snapshots", c.contentType,
				strings.NewReader(c.body))
			require.NoError(t, err)
			res.Body.Close()
			assert.Equal(t, c.status, res.StatusCode)
		})
	}
	status, answer := s.do("GET", "snapshots", "")
	assert.Equal(t, 200, status)
	assert.Equal(t, 2, strings.Count(answer, `"name"`), answer)
}

func TestLimits(t *testing.T) {
	s := serve(t)
	for i := range maxSnapshots {
		s.do("POST", "snapshots", fmt.Sprintf(`{"name":"s%d"}`, i))
	}
	s.wantError(409, "256 snapshots already", "POST", "snapshots", `{"name":"one-more"}`)
	s.do("DELETE", "snapshots/s0", "")
	status, _ := s.do("POST", "snapshots", `{"name":"one-more"}`)
	assert.Equal(t, http.StatusCreated, status)

	a := &admin{base: newScope(emulator.New()), forks: map[string]*fork{}}
	for i := range maxForks {
		a.forks[fmt.Sprint(i)] = nil
	}
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"accessKey":"one-more"}`))
	r.Header.Set("Content-Type", "application/json")
	_, _, err := a.addFork(r)
	assert.ErrorContains(t, err, "4096 forks already")
}

func TestWhoMayAsk(t *testing.T) {
	const here, there = "127.0.0.1:1", "192.0.2.1:1"
	for _, c := range []struct {
		name   string
		remote string
		host   string
		header string
		local  bool // allowed without options
		far    bool // allowed with AllowRemote
	}{
		{"this machine", here, "127.0.0.1:8000", "", true, true},
		{"by IPv6", "[::1]:1", "[::1]:8000", "", true, true},
		{"by IPv4 in IPv6", "[::ffff:127.0.0.1]:1", "localhost:8000", "", true, true},
		{"by a name of localhost", here, "kugiri.LOCALHOST", "", true, true},
		{"in process", "", "kugiri", "", false, true},
		{"in process, at localhost", "", "localhost", "", true, true},
		{"another machine", there, "192.0.2.7:8000", "", false, true},
		{"another machine that says localhost", there, "localhost", "", false, true},
		{"no address", "@", "localhost", "", false, true},
		{"a name that leads here", here, "evil.example:8000", "", false, true},
		{"a page", here, "localhost:8000", "Origin: http://localhost:8000", false, false},
		{"a page without an origin", here, "localhost:8000", "Origin: null", false, false},
		{"a page of the same site", here, "localhost:8000", "Sec-Fetch-Site: same-origin", false,
			false},
		{"a proxy on this machine", here, "localhost:8000", "X-Forwarded-For: 192.0.2.1", false,
			true},
		{"a proxy on this machine, by the standard", here, "localhost:8000",
			"Forwarded: for=192.0.2.1", false, true},
		{"a person", here, "localhost:8000", "Sec-Fetch-Site: none", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for o, want := range map[Options]bool{{}: c.local, {AllowRemote: true}: c.far} {
				r := httptest.NewRequest(http.MethodGet, "/_kugiri/clock", nil)
				r.RemoteAddr, r.Host = c.remote, c.host
				if name, value, ok := strings.Cut(c.header, ": "); ok {
					r.Header.Set(name, value)
				}
				w := httptest.NewRecorder()
				newAdmin(emulator.New(), o, explorationIdle).ServeHTTP(w, r)
				if want {
					assert.Equal(t, http.StatusOK, w.Code, w.Body)
				} else {
					assert.Equal(t, http.StatusForbidden, w.Code, w.Body)
				}
			}
		})
	}
}

// TestToken: a request from a local proxy that adds no headers looks local, but has no token.
func TestToken(t *testing.T) {
	for _, c := range []struct {
		name, remote, header string
		local, far           int
	}{
		{"nothing", "127.0.0.1:1", "", 401, 401},
		{"the token", "127.0.0.1:1", "Bearer secret", 200, 200},
		{"the scheme in lower case", "127.0.0.1:1", "bearer secret", 200, 200},
		{"another token", "127.0.0.1:1", "Bearer secrets", 401, 401},
		{"no token", "127.0.0.1:1", "Bearer", 401, 401},
		{"another scheme", "127.0.0.1:1", "Basic secret", 401, 401},
		{"the token from another machine", "192.0.2.1:1", "Bearer secret", 403, 200},
		{"another machine", "192.0.2.1:1", "", 401, 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			for o, want := range map[Options]int{
				{Token: "secret"}: c.local, {Token: "secret", AllowRemote: true}: c.far,
			} {
				r := httptest.NewRequest(http.MethodGet, "http://localhost/_kugiri/clock", nil)
				r.RemoteAddr = c.remote
				if c.header != "" {
					r.Header.Set("Authorization", c.header)
				}
				w := httptest.NewRecorder()
				newAdmin(emulator.New(), o, explorationIdle).ServeHTTP(w, r)
				assert.Equal(t, want, w.Code, w.Body)
				assert.Equal(t, want == 401, w.Header().Get("WWW-Authenticate") == "Bearer")
			}
		})
	}
}

// TestOwnPages: with OwnPages the pages of the server's own origin may ask, and no others.
func TestOwnPages(t *testing.T) {
	for _, c := range []struct {
		name, host string
		headers    map[string]string
		want       int
	}{
		{"its own script", "localhost:8000",
			map[string]string{"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-origin"},
			200},
		{"its own script, over TLS", "localhost:8000",
			map[string]string{"Origin": "https://localhost:8000"}, 200},
		{"its own script that only reads", "localhost:8000",
			map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{"another port", "localhost:8000",
			map[string]string{"Origin": "http://localhost:3000", "Sec-Fetch-Site": "same-site"},
			403},
		{"another site", "localhost:8000",
			map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
			403},
		{"another site that only reads", "localhost:8000",
			map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a page without an origin", "localhost:8000", map[string]string{"Origin": "null"}, 403},
		{"a page whose name leads here", "evil.example:8000",
			map[string]string{"Origin": "http://evil.example:8000",
				"Sec-Fetch-Site": "same-origin"}, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/_kugiri/clock", nil)
			r.RemoteAddr, r.Host = "127.0.0.1:1", c.host
			for name, value := range c.headers {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			newAdmin(emulator.New(), Options{OwnPages: true}, explorationIdle).ServeHTTP(w, r)
			assert.Equal(t, c.want, w.Code, w.Body)
		})
	}
}

// TestRemoteToken: the token lets other machines in, and this one needs none.
func TestRemoteToken(t *testing.T) {
	for _, c := range []struct {
		name, remote, host, header string
		want                       int
	}{
		{"this machine", "127.0.0.1:1", "localhost", "", 200},
		{"another machine", "192.0.2.1:1", "localhost", "", 401},
		{"another machine with the token", "192.0.2.1:1", "192.0.2.7", "Bearer secret", 200},
		{"another machine with another token", "192.0.2.1:1", "192.0.2.7", "Bearer secrets", 401},
		{"a name that leads here", "127.0.0.1:1", "evil.example", "", 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/_kugiri/clock", nil)
			r.RemoteAddr, r.Host = c.remote, c.host
			if c.header != "" {
				r.Header.Set("Authorization", c.header)
			}
			w := httptest.NewRecorder()
			newAdmin(emulator.New(), Options{RemoteToken: "secret"}, explorationIdle).
				ServeHTTP(w, r)
			assert.Equal(t, c.want, w.Code, w.Body)
		})
	}
}

// TestRebindingOnceEnabled: the Host of requests is checked on all paths.
func TestRebindingOnceEnabled(t *testing.T) {
	for _, o := range []Options{{}, {AllowRemote: true}} {
		for _, path := range []string{"/", "/_kugiri/clock"} {
			w := httptest.NewRecorder()
			emulator.New(Enable(o)).Handler().ServeHTTP(w,
				httptest.NewRequest(http.MethodGet, "http://evil.example"+path, nil))
			assert.Equal(t, http.StatusForbidden, w.Code, path)
			assert.Contains(t, w.Body.String(), "evil.example")
		}
	}
}

func TestFindings(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{
		Tables: []policy.Table{{Name: "users", Tenant: policy.TenantNone,
			Key: policy.KeySchema{Partition: "id"}}},
	})
	require.NoError(t, err)
	s := serve(t, emulator.WithPolicy(engine), emulator.WithLogger(slog.New(slog.DiscardHandler)))
	s.want(200, `{"findings":[]}`, "GET", "findings", "")
	s.createTable("me")
	s.ids("me")
	_, answer := s.do("GET", "findings", "")
	assert.Contains(t, answer, `"rule":`)
	assert.Contains(t, answer, `"operation":"Scan"`)
	s.want(200, `{}`, "POST", "reset", "")
	s.want(200, `{"findings":[]}`, "GET", "findings", "")
	serve(t).want(200, `{"findings":[]}`, "GET", "findings", "")
}

// TestFindingsNeedTheToken: the findings of the policy have the access rules of the API.
func TestFindingsNeedTheToken(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{Tables: []policy.Table{{Name: "users"}}})
	require.NoError(t, err)
	h := emulator.New(emulator.WithPolicy(engine),
		Enable(Options{AllowRemote: true, Token: "secret"})).Handler()
	for _, c := range []struct {
		name, authorization, query string
		status                     int
	}{
		{"no token", "", "", http.StatusUnauthorized},
		{"another token", "Bearer other", "", http.StatusUnauthorized},
		{"the token", "Bearer secret", "", http.StatusOK},
		{"what findings have not", "Bearer secret", "?x=y", http.StatusBadRequest},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet,
				"http://127.0.0.1"+emulator.FindingsPath+c.query, nil)
			r.Header.Set("Authorization", c.authorization)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			assert.Equal(t, c.status, w.Code)
		})
	}
}

// TestForksUnderAPolicy: under a policy a fork's access key belongs to the tenant of the key that
// the fork is made from.
func TestForksUnderAPolicy(t *testing.T) {
	s := serve(t, emulator.WithPolicy(ofTwoTenants(t)), emulator.WithSharedData(),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	s.createTable("ADMIN")
	s.want(201, `{"accessKey":"fork","from":"AK1"}`, "POST", "forks",
		`{"accessKey":"fork","from":"AK1"}`)
	s.want(201, `{"accessKey":"nobody"}`, "POST", "forks", `{"accessKey":"nobody"}`)
	s.want(201, `{"accessKey":"AK2","from":"AK1"}`, "POST", "forks",
		`{"accessKey":"AK2","from":"AK1"}`)
	require.NoError(t, s.put("fork", "USER#one"))
	require.ErrorContains(t, s.put("fork", "USER#two"), "tenant-crossing: ")
	require.ErrorContains(t, s.put("nobody", "USER#one"), "tenant-caller: ")
	require.NoError(t, s.put("AK2", "USER#two"), "the policy knows this one")
	require.ErrorContains(t, s.put("AK2", "USER#one"), "tenant-crossing: ")

	s.want(400, `{"error":"a fork has the policy of its origin, or \"off\", not \"on\""}`, "POST",
		"forks", `{"accessKey":"free","from":"AK1","policy":"on"}`)
	s.want(201, `{"accessKey":"free","from":"AK1","policy":"off"}`, "POST", "forks",
		`{"accessKey":"free","from":"AK1","policy":"off"}`)
	require.NoError(t, s.put("free", "USER#two"), "a fork without the policy")

	s.want(201, `{"accessKey":"second","tenant":"two"}`, "POST", "forks",
		`{"accessKey":"second","tenant":"two"}`)
	require.NoError(t, s.put("second", "USER#two"), "a fork that names its tenant")
	require.ErrorContains(t, s.put("second", "USER#one"), "tenant-crossing: ")
	s.want(201, `{"accessKey":"third","from":"second","ofFork":true}`, "POST", "forks",
		`{"accessKey":"third","from":"second"}`)
	require.NoError(t, s.put("third", "USER#two"), "as what it was made from")
	require.ErrorContains(t, s.put("third", "USER#one"), "tenant-crossing: ")
	s.want(201, `{"accessKey":"fourth","from":"second","tenant":"one","ofFork":true}`, "POST",
		"forks", `{"accessKey":"fourth","from":"second","tenant":"one"}`)
	require.NoError(t, s.put("fourth", "USER#one"), "before that of what it was made from")
	require.ErrorContains(t, s.put("fourth", "USER#two"), "tenant-crossing: ")
	s.want(201, `{"accessKey":"boss","tenant":"admin"}`, "POST", "forks",
		`{"accessKey":"boss","tenant":"admin"}`)
	require.NoError(t, s.put("boss", "USER#one"), "a privileged tenant")
	require.NoError(t, s.put("boss", "USER#two"))
}

// TestForksOfNoTenant: a fork names a tenant that the policy knows, or is not made.
func TestForksOfNoTenant(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Callers: map[string]string{"AK1": "one"}, Known: []string{"one"}},
		Tables:  []policy.Table{{Name: "users", Role: policy.Plain}},
	})
	require.NoError(t, err)
	tenants := serve(t, emulator.WithPolicy(engine), emulator.WithSharedData())
	tenants.want(201, `{"accessKey":"free","policy":"off"}`, "POST", "forks",
		`{"accessKey":"free","policy":"off"}`)
	engine, err = policy.Compile(policy.Policy{Tables: []policy.Table{{Name: "users"}}})
	require.NoError(t, err)
	for _, c := range []struct {
		name, fork, err string
		of              *served
	}{
		{"a tenant that is not known", `"tenant":"two"`,
			`tenant: the policy knows no tenant \"two\"`, tenants},
		{"common", `"tenant":"common"`,
			"tenant: what tenants share (common) is no tenant", tenants},
		{"a key", `"tenant":"one#x"`, `tenant: the policy knows no tenant \"one#x\"`, tenants},
		{"no policy in the fork", `"tenant":"one","policy":"off"`,
			"a fork without a policy has no tenant", tenants},
		{"of a fork without a policy", `"tenant":"one","from":"free"`,
			"tenant: there is no policy", tenants},
		{"no policy", `"tenant":"one"`, "tenant: there is no policy", serve(t)},
		{"a policy without tenants", `"tenant":"one"`, "tenant: the policy has no tenants",
			serve(t, emulator.WithPolicy(engine))},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, before := c.of.do("GET", "forks", "")
			c.of.want(400, `{"error":"`+c.err+`"}`, "POST", "forks",
				`{"accessKey":"a",`+c.fork+`}`)
			_, after := c.of.do("GET", "forks", "")
			assert.Equal(t, before, after)
		})
	}
}

func TestOffUnlessEnabled(t *testing.T) {
	w := httptest.NewRecorder()
	emulator.New().Handler().ServeHTTP(w,
		httptest.NewRequest(http.MethodGet, "/_kugiri/clock", nil))
	assert.Equal(t, http.StatusNotFound, w.Code)
}

// TestForksProperty compares forks, snapshots and resets with copies of sets.
func TestForksProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := &served{TB: t}
		server := httptest.NewServer(
			emulator.New(emulator.WithSharedData(), Enable(Options{})).Handler())
		defer server.Close()
		s.url = server.URL
		s.createTable("base")
		copied := func(m map[string]bool) map[string]bool {
			c := map[string]bool{}
			for k := range m {
				c[k] = true
			}
			return c
		}
		type world struct {
			ids       map[string]bool
			snapshots map[string]map[string]bool
		}
		newWorld := func(ids map[string]bool) *world {
			return &world{copied(ids), map[string]map[string]bool{}}
		}
		worlds := map[string]*world{"base": newWorld(nil)}
		pick := func() (key, path string, w *world) {
			key = rapid.SampledFrom([]string{"base", "x", "y"}).Draw(rt, "key")
			if w = worlds[key]; w == nil {
				rt.Skip()
			}
			if key != "base" {
				path = "forks/" + key + "/"
			}
			return key, path, w
		}
		name := func() string { return rapid.SampledFrom([]string{"1", "2"}).Draw(rt, "name") }
		status := func(want int, method, path, body string) {
			if got, answer := s.do(method, path, body); got != want {
				rt.Fatalf("%s %s %s: %d %s, not %d", method, path, body, got, answer, want)
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"put": func(*rapid.T) {
				key, _, w := pick()
				id := rapid.StringMatching("[a-e]").Draw(rt, "id")
				require.NoError(rt, s.put(key, id))
				w.ids[id] = true
			},
			"snapshot": func(*rapid.T) {
				_, path, w := pick()
				n := name()
				if w.snapshots[n] != nil {
					status(409, "POST", path+"snapshots", `{"name":"`+n+`"}`)
					return
				}
				status(201, "POST", path+"snapshots", `{"name":"`+n+`"}`)
				w.snapshots[n] = copied(w.ids)
			},
			"restore": func(*rapid.T) {
				_, path, w := pick()
				n := name()
				if w.snapshots[n] == nil {
					status(404, "POST", path+"snapshots/"+n+"/restore", "")
					return
				}
				status(200, "POST", path+"snapshots/"+n+"/restore", "")
				w.ids = copied(w.snapshots[n])
			},
			"fork": func(*rapid.T) {
				key := rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "fork")
				if worlds[key] != nil {
					status(409, "POST", "forks", `{"accessKey":"`+key+`"}`)
					return
				}
				from, body := "base", `{"accessKey":"`+key+`"}`
				if other := map[string]string{"x": "y", "y": "x"}[key]; worlds[other] != nil &&
					rapid.Bool().Draw(rt, "of a fork") {
					from, body = other, `{"accessKey":"`+key+`","from":"`+other+`"}`
				}
				status(201, "POST", "forks", body)
				worlds[key] = newWorld(worlds[from].ids)
			},
			"remove": func(*rapid.T) {
				key := rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "fork")
				if worlds[key] == nil {
					status(404, "DELETE", "forks/"+key, "")
					return
				}
				status(200, "DELETE", "forks/"+key, "")
				delete(worlds, key)
			},
			"": func(*rapid.T) {
				for key, w := range worlds {
					if got, want := s.ids(key), sorted(w.ids); got != want {
						rt.Fatalf("%s sees %q, not %q", key, got, want)
					}
				}
			},
		})
	})
}

// FuzzRequests: the API answers any request with JSON and without an internal error.
func FuzzRequests(f *testing.F) {
	for _, x := range scopeRoutes {
		f.Add(x.method, "/_kugiri"+x.path, []byte(`{"name":"a"}`))
	}
	f.Add("POST", "/_kugiri/forks",
		[]byte(`{"accessKey":"a","from":"b","snapshot":"c","clock":"held"}`))
	f.Add("POST", "/_kugiri/forks", []byte(`{"accessKey":"a","clock":"2026-01-02T03:04:05Z"}`))
	f.Add("POST", "/_kugiri/clock/advance", []byte(`{"by":"1s"}`))
	f.Add("PUT", "/_kugiri/clock", []byte(`{"now":"2026-01-02T03:04:05Z"}`))
	f.Add("POST", "/_kugiri/faults", []byte(`[{"do":"dropConnection"}]`))
	f.Fuzz(func(t *testing.T, method, path string, body []byte) {
		if !strings.HasPrefix(path, Prefix) {
			path = Prefix + path
		}
		r, err := http.NewRequest(method, "http://localhost", bytes.NewReader(body))
		if err != nil {
			return
		}
		r.URL.Path = path
		r.Header.Set("Content-Type", "application/json")
		h := emulator.New(emulator.WithHeldClock(emulator.NewClock(time.Unix(0, 0))),
			Enable(Options{})).Handler()
		for range 2 {
			r.Body = io.NopCloser(bytes.NewReader(body))
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			require.Less(t, w.Code, 500, w.Body)
			require.True(t, json.Valid(w.Body.Bytes()), w.Body)
		}
	})
}
