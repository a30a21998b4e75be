package emulator

import (
	"bytes"
	"cmp"
	"hash/crc32"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// anySignature is a signature like any other.
const anySignature = "AWS4-HMAC-SHA256 Credential=AKID/20260102/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=abc"

// rawRequest makes a complete request for an operation.
func rawRequest(operation, body string, edit ...func(*http.Request)) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Authorization", anySignature)
	r.Header.Set("X-Amz-Date", "20260102T030405Z")
	for _, e := range edit {
		e(r)
	}
	return r
}

// header sets or, for "", removes a header.
func header(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Set(name, value)
		if value == "" {
			r.Header.Del(name)
		}
	}
}

// inChunks takes the length of a request away.
func inChunks(r *http.Request) { r.ContentLength = -1 }

func answerOf(e *Emulator, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	e.Handler().ServeHTTP(w, r)
	return w
}

func TestProtocol(t *testing.T) {
	const (
		unknown  = `{"__type":"com.amazon.coral.service#UnknownOperationException"}`
		notFound = "<UnknownOperationException/>\n"
		noTables = `{"TableNames":[]}`
		noJSON   = `{"__type":"com.amazon.coral.service#SerializationException"}`
		noToken  = `{"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}`
	)
	for _, c := range []struct {
		name   string
		in     *http.Request
		status int
		want   string
	}{
		{"a call", rawRequest("ListTables", `{}`), 200, noTables},
		{"a content type with parameters",
			rawRequest("ListTables", `{}`,
				header("Content-Type", "application/x-amz-json-1.0; charset=utf-8")), 200,
			noTables},
		{"plain JSON", rawRequest("ListTables", `{}`, header("Content-Type", "application/json")),
			200, noTables},
		{"no content type", rawRequest("ListTables", `{}`, header("Content-Type", "")), 404,
			notFound},
		{"no content type and no body", rawRequest("ListTables", ``, header("Content-Type", "")),
			400, noJSON},
		{"no content type, body or target",
			rawRequest("ListTables", ``, header("Content-Type", ""), header("X-Amz-Target", "")),
			400, unknown},
		{"no content type, body or operation",
			rawRequest("ListChairs", ``, header("Content-Type", "")), 400, unknown},
		{"no content type, body or signature",
			rawRequest("ListTables", ``, header("Content-Type", ""), header("Authorization", "")),
			400, noToken},
		{"no content type, in chunks",
			rawRequest("ListTables", ``, header("Content-Type", ""), inChunks), 404, notFound},
		{"another content type and no body",
			rawRequest("ListTables", ``, header("Content-Type", "text/xml")), 404, notFound},
		{"another content type", rawRequest("ListTables", `{}`, header("Content-Type", "text/xml")),
			404, notFound},
		{"no target", rawRequest("ListTables", `{}`, header("X-Amz-Target", "")), 400, unknown},
		{"an unknown operation", rawRequest("ListChairs", `{}`), 400, unknown},
		{"another service's target",
			rawRequest("ListTables", `{}`, header("X-Amz-Target", "DynamoDB_20111205.ListTables")),
			400, unknown},
		{"an unknown operation, unsigned",
			rawRequest("ListChairs", `{}`, header("Authorization", "")), 400, unknown},
		{"unsigned", rawRequest("ListTables", `{"Limit":0}`, header("Authorization", "")), 400,
			noToken},
		{"unsigned, and no body", rawRequest("ListTables", ``, header("Authorization", "")), 400,
			noToken},
		{"unsigned, and no JSON", rawRequest("ListTables", `{`, header("Authorization", "")), 400,
			noJSON},
		{"no target, and no JSON", rawRequest("ListTables", `{`, header("X-Amz-Target", "")), 400,
			noJSON},
		{"no target, and no body", rawRequest("ListTables", ``, header("X-Amz-Target", "")), 400,
			unknown},
		{"no target, and no object", rawRequest("ListTables", `[]`, header("X-Amz-Target", "")),
			400, unknown},
		{"an unknown operation, and no JSON", rawRequest("ListChairs", `{} x`), 400, noJSON},
		{"no JSON", rawRequest("ListTables", `{`), 400, noJSON},
		{"no body", rawRequest("ListTables", ``), 400, noJSON},
		{"a wrong type", rawRequest("ListTables", `{"Limit":"1"}`), 400,
			`{"__type":"com.amazon.coral.service#SerializationException","Message":"STRING_VALUE cannot be converted to Integer"}`},
		{"a violated constraint", rawRequest("ListTables", `{"Limit":0}`), 400,
			`{"__type":"com.amazon.coral.validate#ValidationException",` +
				`"message":"1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"}`},
		{"an operation's error", rawRequest("DescribeTable", `{"TableName":"abc"}`), 400,
			`{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",` +
				`"message":"Requested resource not found: Table: abc not found"}`},
		{"health", httptest.NewRequest(http.MethodGet, "/", nil), 200,
			"healthy: dynamodb.us-east-1.amazonaws.com "},
		{"another path", httptest.NewRequest(http.MethodPost, "/x", nil), 404, notFound},
		{"another method", httptest.NewRequest(http.MethodPut, "/", nil), 404, notFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := answerOf(New(), c.in)
			assert.Equal(t, c.status, w.Code)
			assert.Equal(t, c.want, w.Body.String())
			assert.Equal(t, strconv.Itoa(len(c.want)), w.Header().Get("Content-Length"))
			assert.Equal(t, strconv.Itoa(int(crc32.ChecksumIEEE([]byte(c.want)))),
				w.Header().Get("X-Amz-Crc32"))
			assert.Regexp(t, "^[A-Z0-9]{52}$", w.Header().Get("X-Amzn-Requestid"))
			assert.Equal(t, "Server", w.Header().Get("Server"))
			if strings.HasPrefix(c.want, "{") {
				requested, _, _ := strings.Cut(c.in.Header.Get("Content-Type"), ";")
				assert.Equal(t, cmp.Or(requested, "application/json"),
					w.Header().Get("Content-Type"))
			}
		})
	}
}

func TestRequestIDsDiffer(t *testing.T) {
	e := New()
	a, b := answerOf(e, rawRequest("ListTables", `{}`)), answerOf(e, rawRequest("ListTables", `{}`))
	assert.NotEqual(t, a.Header().Get("X-Amzn-Requestid"), b.Header().Get("X-Amzn-Requestid"))
}

func TestRandomnessIsInjected(t *testing.T) {
	id := func(seed byte) string {
		e := New(WithRandom(bytes.NewReader(bytes.Repeat([]byte{seed}, 32))))
		return answerOf(e, rawRequest("ListTables", `{}`)).Header().Get("X-Amzn-Requestid")
	}
	assert.Equal(t, id(1), id(1))
	assert.NotEqual(t, id(1), id(2))
}

// TestCORS: service facts 9.5.
func TestCORS(t *testing.T) {
	const preflight = "Access-Control-Max-Age: 172800, Access-Control-Allow-Methods: POST, Access-Control-Allow-Headers: authorization,x-amz-target"
	const answer = "Access-Control-Allow-Origin: *, Access-Control-Expose-Headers: x-amzn-RequestId,x-amzn-ErrorType,x-amz-crc32,Date"
	to := func(method, path string) *http.Request {
		r := rawRequest("ListTables", `{}`)
		r.Method, r.URL.Path = method, path
		return r
	}
	for _, c := range []struct {
		name            string
		in              *http.Request
		status          int // the status without an origin
		withOrigin      int
		alsoOfPreflight bool
	}{
		{"a preflight", to("OPTIONS", "/"), 404, 200, true},
		{"a call", to("POST", "/"), 200, 200, false},
		{"a call that fails", rawRequest("DescribeTable", `{"TableName":"abc"}`), 400, 400, false},
		{"a call of nothing", rawRequest("Nothing", `{}`), 400, 400, false},
		{"what is no call", rawRequest("ListTables", `{}`, header("Content-Type", "text/xml")), 404,
			404, false},
		{"health", to("GET", "/"), 200, 200, false},
		{"a path of nothing", to("POST", "/x"), 404, 404, false},
		{"a method of nothing", to("PUT", "/"), 404, 404, false},
	} {
		for _, origin := range []string{"", "http://example.com"} {
			t.Run(c.name+origin, func(t *testing.T) {
				want, status := map[string]string{}, c.status
				r := c.in.Clone(t.Context())
				r.Body = io.NopCloser(strings.NewReader(`{"TableName":"abc"}`))
				r.ContentLength = -1
				r.Header.Set("Access-Control-Request-Method", "POST")
				r.Header.Set("Access-Control-Request-Headers", "authorization,x-amz-target")
				if origin != "" {
					r.Header.Set("Origin", origin)
					status = c.withOrigin
					headers := answer
					if c.alsoOfPreflight {
						headers += ", " + preflight
					}
					for line := range strings.SplitSeq(headers, ", ") {
						name, value, _ := strings.Cut(line, ": ")
						want[name] = value
					}
				}
				w := answerOf(New(), r)
				assert.Equal(t, status, w.Code)
				got := map[string]string{}
				for name := range w.Header() {
					if strings.HasPrefix(name, "Access-Control-") {
						got[name] = w.Header().Get(name)
					}
				}
				assert.Equal(t, want, got)
			})
		}
	}
	assert.Equal(t, "<UnknownOperationException/>\n",
		answerOf(New(), httptest.NewRequest(http.MethodOptions, "/", nil)).Body.String())
}

// failingReader must not be read.
type failingReader struct{ t *testing.T }

func (r failingReader) Read([]byte) (int, error) {
	r.t.Error("the body was read")
	return 0, io.ErrUnexpectedEOF
}

func TestBodyLimit(t *testing.T) {
	const tooLarge = `{"__type":"com.amazon.coral.service#RequestEntityTooLargeException"}`
	small := func(s *settings) { s.Limits.BodyBytes = 100 }
	pad := func(n int) string { return `{"x":"` + strings.Repeat("x", n-8) + `"}` }
	for _, c := range []struct {
		name   string
		in     *http.Request
		status int
	}{
		{"as much as may be", rawRequest("ListTables", pad(100)), 200},
		{"more", rawRequest("ListTables", pad(101)), 413},
		{"as much as may be, in chunks", rawRequest("ListTables", pad(100), inChunks), 200},
		{"more, in chunks", rawRequest("ListTables", pad(101), inChunks), 413},
		{"more once decompressed",
			rawRequest("ListTables", zipped(pad(10000)), header("Content-Encoding", "gzip")), 413},
		{"more, of no operation", rawRequest("ListChairs", pad(101)), 413},
		{"more, of no operation, in chunks", rawRequest("ListChairs", pad(101), inChunks), 413},
		{"more, unsigned", rawRequest("ListTables", pad(101), header("Authorization", "")), 413},
		{"more, of another type",
			rawRequest("ListTables", pad(101), header("Content-Type", "text/xml")), 413},
		{"more, to another path",
			rawRequest("ListTables", pad(101), func(r *http.Request) { r.URL.Path = "/x" }), 413},
		{"more, by another method",
			rawRequest("ListTables", pad(101), func(r *http.Request) { r.Method = "PUT" }), 413},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := answerOf(New(small), c.in)
			assert.Equal(t, c.status, w.Code)
			if c.status == 413 {
				assert.Equal(t, tooLarge, w.Body.String())
			}
		})
	}
	t.Run("refused before it is read", func(t *testing.T) {
		r := rawRequest("ListTables", "")
		r.Body, r.ContentLength = io.NopCloser(failingReader{t}), 101
		assert.Equal(t, 413, answerOf(New(small), r).Code)
	})
}

// TestBodiesOfUnknownClients: with WithCredentials nothing is read of clients that are not known.
func TestBodiesOfUnknownClients(t *testing.T) {
	for name, edit := range map[string]func(*http.Request){
		"an unknown key": header("X", "y"), "unsigned": header("Authorization", ""),
		"no target": header("X-Amz-Target", ""),
	} {
		t.Run(name, func(t *testing.T) {
			r := rawRequest("ListTables", "", edit)
			r.Body, r.ContentLength = io.NopCloser(failingReader{t}), 10
			assert.Equal(t, 400, answerOf(New(WithCredentials(nil)), r).Code)
		})
	}
}

func TestReadAllLargeBody(t *testing.T) {
	text := strings.Repeat("0123456789", httpd.Trusted/5)
	for _, size := range []int64{-1, int64(len(text))} {
		got, err := httpd.ReadAll(nil, strings.NewReader(text), size, 16<<20)
		require.NoError(t, err)
		assert.True(t, text == string(got))
	}
}

func TestPanicIsOneRequests(t *testing.T) {
	var log bytes.Buffer
	e := New(WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	const target = "DynamoDB_20120810.Panic"
	operationsByTarget[target] = &serve.Operation{
		Operation: catalog.Operation{Name: "Panic"},
		Serve:     func(*serve.Call, string, []byte) ([]byte, error) { panic("oops") },
	}
	defer delete(operationsByTarget, target)
	w := answerOf(e, rawRequest("Panic", `{}`))
	assert.Equal(t, 500, w.Code)
	assert.Equal(t, `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",`+
		`"message":"The request processing has failed because of an unknown error, exception or failure."}`, w.Body.String())
	assert.Contains(t, log.String(), "oops")
	assert.Equal(t, 200, answerOf(e, rawRequest("ListTables", `{}`)).Code)
}

func TestErrorWithItem(t *testing.T) {
	e := &apierr.Error{
		Type: apierr.ConditionFailed, Message: "The conditional request failed",
		Item: `{"a":{"S":"b"}}`,
	}
	assert.Equal(t,
		`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":{"a":{"S":"b"}},"Message":"The conditional request failed"}`,
		string(e.Append(nil)))
}

func TestNamespaces(t *testing.T) {
	create := `{"TableName":"abc","AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],` +
		`"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`
	by := func(scope string) func(*http.Request) {
		return header("Authorization",
			strings.Replace(anySignature, "AKID/20260102/us-east-1", scope, 1))
	}
	for _, c := range []struct {
		name, scope string
		opts        []Option
		want        string
	}{
		{"the same", "AKID/20260102/us-east-1", nil, `{"TableNames":["abc"]}`},
		{"another access key", "OTHER/20260102/us-east-1", nil, `{"TableNames":[]}`},
		{"another region", "AKID/20260102/us-west-2", nil, `{"TableNames":[]}`},
		{"another access key, shared", "OTHER/20260102/us-east-1", []Option{WithSharedData()},
			`{"TableNames":["abc"]}`},
		{"another region, shared", "AKID/20260102/us-west-2", []Option{WithSharedData()},
			`{"TableNames":["abc"]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(c.opts...)
			require.Equal(t, 200, answerOf(e, rawRequest("CreateTable", create)).Code)
			assert.Equal(t, c.want,
				answerOf(e, rawRequest("ListTables", `{}`, by(c.scope))).Body.String())
		})
	}
	t.Run("another day", func(t *testing.T) {
		e := New()
		require.Equal(t, 200, answerOf(e, rawRequest("CreateTable", create)).Code)
		w := answerOf(e,
			rawRequest("ListTables", `{}`, by("AKID/20260103/us-east-1"),
				header("X-Amz-Date", "20260103T030405Z")))
		assert.Equal(t, `{"TableNames":["abc"]}`, w.Body.String())
	})
	t.Run("the account in ARNs", func(t *testing.T) {
		w := answerOf(New(WithAccountID("123456789012")),
			rawRequest("CreateTable", create, by("AKID/20260102/eu-west-1")))
		assert.Contains(t, w.Body.String(), `"arn:aws:dynamodb:eu-west-1:123456789012:table/abc"`)
	})
	t.Run("the cache is bounded", func(t *testing.T) {
		e := New()
		for i := range 2 * serve.MaxCached {
			key := strconv.Itoa(i)
			e.service.Namespaces.Borrow(auth.Credential{
				Scope: key + "/d/r", AccessKey: key, Region: "r",
			}).GiveBack()
		}
		assert.LessOrEqual(t, len(e.service.Namespaces.Cache), serve.MaxCached)
	})
}
