package conformance

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// typeOf returns the __type of an error answer.
func typeOf(t *testing.T, r reply) string {
	require.NoError(t, r.err)
	members, ok := parseJSON(string(r.body)).(map[string]any)
	require.True(t, ok, "%s", r.body)
	kind, _ := members["__type"].(string)
	return kind
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Del(name)
		if value != "" {
			r.Header.Set(name, value)
		}
	}
}

// TestErrorShapes: Developer Guide, DynamoDB low-level API, Error responses.
func TestErrorShapes(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, op, body, want string
	}{
		{"validation", "ListTables", `{"Limit":0}`,
			`{"__type":"com.amazon.coral.validate#ValidationException","message":"1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"}`},
		{"not found", "DescribeTable", `{"TableName":"no-such-table"}`,
			`{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found: Table: no-such-table not found"}`},
		{"serialization", "ListTables", `{"Limit":"x"}`,
			`{"__type":"com.amazon.coral.service#SerializationException","Message":"STRING_VALUE cannot be converted to Integer"}`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			assertBody(t, post(row.op, row.body), 400, row.want)
		})
	}
}

func TestAnswerHeaders(t *testing.T) { // Developer Guide, DynamoDB low-level API, Response format
	t.Parallel()
	first, second := post("ListTables", `{}`), post("ListTables", `{}`)
	for _, r := range []reply{first, second} {
		require.NoError(t, r.err)
		require.NoError(t, r.wellFormed())
		assert.Equal(t, fmt.Sprint(len(r.body)), r.header.Get("Content-Length"))
		assert.NotEmpty(t, r.header.Get("Date"))
	}
	assert.NotEqual(t, first.header.Get("X-Amzn-Requestid"), second.header.Get("X-Amzn-Requestid"))
}

func TestTargets(t *testing.T) { // Developer Guide, DynamoDB low-level API, Request format
	t.Parallel()
	const unknown = "com.amazon.coral.service#UnknownOperationException"
	for name, value := range map[string]string{
		"unknown operation": "DynamoDB_20120810.Nope",
		"unknown version":   "DynamoDB_20000101.ListTables", "no version": "ListTables",
		"operation in lower case": "DynamoDB_20120810.listtables",
		"no operation":            "DynamoDB_20120810.", "only a dot": ".",
		"blank behind": "DynamoDB_20120810.ListTables x",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := post("ListTables", `{}`, header("X-Amz-Target", value))
			assert.Equal(t, unknown, typeOf(t, r))
			assert.Equal(t, 400, r.status)
		})
	}
	t.Run("no target", func(t *testing.T) {
		t.Parallel()
		r := post("ListTables", `{}`, header("X-Amz-Target", ""))
		assert.Contains(t, []int{400, 404}, r.status)
		assert.Contains(t, string(r.body), "UnknownOperationException")
	})
	t.Run("no content type", func(t *testing.T) {
		t.Parallel()
		r := post("ListTables", `{}`, header("Content-Type", ""))
		assert.Contains(t, []int{400, 404}, r.status)
		assert.Contains(t, string(r.body), "UnknownOperationException")
	})
	t.Run("another content type", func(t *testing.T) {
		t.Parallel()
		r := post("ListTables", `{}`, header("Content-Type", "text/plain"))
		assert.Contains(t, []int{400, 404}, r.status)
		assert.Contains(t, string(r.body), "UnknownOperationException")
	})
	t.Run("content type with a charset", func(t *testing.T) {
		t.Parallel()
		r := post("ListTables", `{}`,
			header("Content-Type", "application/x-amz-json-1.0; charset=utf-8"))
		assert.Equal(t, 200, r.status, "%s", r.body)
	})
	t.Run("other methods and paths", func(t *testing.T) {
		t.Parallel()
		for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch} {
			req := request("ListTables", `{}`)
			req.Method = method
			assert.GreaterOrEqual(t, do(req).status, 400, method)
		}
	})
}

// Developer Guide, Error handling with DynamoDB, SerializationException
func TestSerialization(t *testing.T) {
	t.Parallel()
	const any = "SerializationException*"
	run(t, defaults{
		src: "Developer Guide, DynamoDB low-level API, Data type descriptors", op: "PutItem",
	}, serializationCases([][4]string{
		{"empty body", "ListTables", ``, any},
		{"no JSON", "ListTables", `hello`, any},
		{"truncated", "ListTables", `{"Limit":1`, any},
		{"trailing text", "ListTables", `{} x`, any},
		{"two values", "ListTables", `{}{}`, any},
		{"an array", "ListTables", `[]`, any},
		{"a string", "ListTables", `"x"`, "SerializationException: Unexpected value type in payload"},
		{"a number", "ListTables", `1`, "SerializationException: Unexpected value type in payload"},
		{"null", "ListTables", `null`, "SerializationException: Unexpected value type in payload"},
		{"a comma too many", "ListTables", `{"Limit":1,}`, any},
		{"single quotes", "ListTables", `{'Limit':1}`, any},
		{"a comment", "ListTables", `{/*x*/}`, any},
		{"a leading zero", "ListTables", `{"Limit":01}`, any},
		{"a line break in a string", "ListTables", "{\"ExclusiveStartTableName\":\"a\nb\"}", any},
		{"invalid UTF-8", "GetItem",
			"{\"TableName\":\"no-such-table\",\"Key\":{\"pk\":{\"S\":\"\xff\xfe\"}}}", any},
		{"number for a string", "DescribeTable", `{"TableName":1}`,
			"SerializationException: NUMBER_VALUE cannot be converted to String"},
		{"true for a string", "DescribeTable", `{"TableName":true}`,
			"SerializationException: TRUE_VALUE cannot be converted to String"},
		{"false for a string", "DescribeTable", `{"TableName":false}`,
			"SerializationException: FALSE_VALUE cannot be converted to String"},
		{"decimal for a string", "DescribeTable", `{"TableName":1.5}`,
			"SerializationException: DECIMAL_VALUE cannot be converted to String || SerializationException: NUMBER_VALUE cannot be converted to String"},
		{"list for a string", "DescribeTable", `{"TableName":["x"]}`, any},
		{"object for a string", "DescribeTable", `{"TableName":{}}`,
			"SerializationException: Start of structure or map found where not expected"},
		{"string for an integer", "ListTables", `{"Limit":"1"}`,
			"SerializationException: STRING_VALUE cannot be converted to Integer"},
		{"true for an integer", "ListTables", `{"Limit":true}`,
			"SerializationException: TRUE_VALUE cannot be converted to Integer"},
		{"list for an integer", "ListTables", `{"Limit":[]}`, any},
		{"integer out of range", "ListTables", `{"Limit":99999999999999999999}`, any},
		{"string for a long", "CreateTable",
			`{"TableName":"abc","ProvisionedThroughput":{"ReadCapacityUnits":"1","WriteCapacityUnits":1}}`, "SerializationException: STRING_VALUE cannot be converted to Long"},
		{"string for a boolean", "GetItem", `{"TableName":"abc","Key":{},"ConsistentRead":"on"}`,
			"SerializationException: Unexpected token received from parser"},
		{"number for a boolean", "GetItem", `{"TableName":"abc","Key":{},"ConsistentRead":1}`, "SerializationException: NUMBER_VALUE cannot be converted to Boolean"},
		{"string for a map", "GetItem", `{"TableName":"abc","Key":"x"}`,
			"SerializationException: Unexpected field type"},
		{"list for a map", "GetItem", `{"TableName":"abc","Key":[]}`,
			"SerializationException: Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{"string for a list", "GetItem", `{"TableName":"abc","Key":{},"AttributesToGet":"x"}`, "SerializationException: Unexpected field type"},
		{"string for a structure", "CreateTable", `{"TableName":"abc","ProvisionedThroughput":"x"}`,
			"SerializationException: Unexpected field type"},
		{"string for an attribute value", "GetItem", `{"TableName":"abc","Key":{"pk":"x"}}`, "SerializationException: Unexpected value type in payload"},
		{"list for an attribute value", "GetItem", `{"TableName":"abc","Key":{"pk":["x"]}}`, any},
		{"number in S", "GetItem", `{"TableName":"abc","Key":{"pk":{"S":1}}}`,
			"SerializationException: NUMBER_VALUE cannot be converted to String"},
		{"number in N", "GetItem", `{"TableName":"abc","Key":{"pk":{"N":1}}}`,
			"SerializationException: NUMBER_VALUE cannot be converted to String"},
		{"string in BOOL", "GetItem", `{"TableName":"abc","Key":{"pk":{"BOOL":"on"}}}`, "SerializationException: Unexpected token received from parser"},
		{"string in NULL", "GetItem", `{"TableName":"abc","Key":{"pk":{"NULL":"on"}}}`, "SerializationException: Unexpected token received from parser"},
		{"string in SS", "GetItem", `{"TableName":"abc","Key":{"pk":{"SS":"x"}}}`, "SerializationException: Unexpected field type"},
		{"number in SS", "GetItem", `{"TableName":"abc","Key":{"pk":{"SS":[1]}}}`, "SerializationException: NUMBER_VALUE cannot be converted to String"},
		{"object in L", "GetItem", `{"TableName":"abc","Key":{"pk":{"L":{}}}}`,
			"SerializationException: Start of structure or map found where not expected"},
		{"list in M", "GetItem", `{"TableName":"abc","Key":{"pk":{"M":[]}}}`,
			"SerializationException: Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{"string in M", "GetItem", `{"TableName":"abc","Key":{"pk":{"M":{"a":"x"}}}}`, "SerializationException: Unexpected value type in payload"},
		{"base64 that is too short", "GetItem", `{"TableName":"abc","Key":{"pk":{"B":"AAA"}}}`,
			any},
		{"base64 with other characters", "GetItem", `{"TableName":"abc","Key":{"pk":{"B":"A*=="}}}`,
			any},
		{"base64 in a set", "GetItem", `{"TableName":"abc","Key":{"pk":{"BS":["!"]}}}`, any},
		{"before model constraints", "ListTables", `{"Limit":0,"ExclusiveStartTableName":1}`,
			"SerializationException: NUMBER_VALUE cannot be converted to String"},
	}))
	run(t, defaults{src: "Developer Guide, DynamoDB low-level API", op: "ListTables"}, []kase{
		{name: "null is absence", raw: true,
			in:   `{"Limit":null,"ExclusiveStartTableName":"zzzzzzzzzzzz"}`,
			want: `{"TableNames":[]}`},
		{name: "unknown members are ignored", raw: true,
			in:   `{"Nope":{"a":[1,{"b":null}]},"ExclusiveStartTableName":"zzzzzzzzzzzz"}`,
			want: `{"TableNames":[]}`},
		{name: "white space", raw: true,
			in:   " \t\r\n{ \"ExclusiveStartTableName\" : \"zzzzzzzzzzzz\" } \n",
			want: `{"TableNames":[]}`},
		{name: "escaped member names", raw: true,
			in: `{"\u0045xclusiveStartTableName":"zzzzzzzzzzzz"}`, want: `{"TableNames":[]}`},
		{name: "member names have case", raw: true,
			in: `{"limit":0,"ExclusiveStartTableName":"zzzzzzzzzzzz"}`, want: `{"TableNames":[]}`},
	})
}

func serializationCases(rows [][4]string) []kase {
	cases := make([]kase, len(rows))
	for i, row := range rows {
		cases[i] = kase{name: row[0], op: row[1], in: row[2], raw: true, err: row[3]}
	}
	return cases
}

// API Reference, Common Errors; IAM User Guide, Signature Version 4
func TestAuthentication(t *testing.T) {
	t.Parallel()
	const missing = `{"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}`
	unsigned := func(change ...func(*http.Request)) reply {
		req := request("ListTables", `{}`)
		req.Header.Del("Authorization")
		for _, edit := range change {
			edit(req)
		}
		return do(req)
	}
	lower := func(r reply) any { // the public record has both cases of "message" here
		return normal(parseJSON(strings.Replace(string(r.body), `"Message"`, `"message"`, 1)))
	}
	t.Run("no authorization", func(t *testing.T) {
		t.Parallel()
		r := unsigned()
		assert.Equal(t, 400, r.status)
		assert.Equal(t, normal(parseJSON(missing)), lower(r))
	})
	for name, value := range map[string]string{
		"only the algorithm":         "AWS4-HMAC-SHA256",
		"no signature":               "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date",
		"no signed headers":          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, Signature=abc",
		"no credential":              "AWS4-HMAC-SHA256 SignedHeaders=host;x-amz-date, Signature=abc",
		"no algorithm":               "AWS4-",                          // service facts M.11
		"no algorithm and two parts": "AWS4- Signature=b Credential=a", // service facts M.11
		"credential of a key":        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE, SignedHeaders=host;x-amz-date, Signature=abc",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := unsigned(header("Authorization", value))
			assert.Equal(t, 400, r.status, "%s", r.body)
			assert.Equal(t, "com.amazon.coral.service#IncompleteSignatureException", typeOf(t, r))
		})
	}
	for name, c := range map[string][2]string{
		"no region": {"20260101//dynamodb/aws4_request",
			"Credential should be scoped to a valid region"},
		"another end of scope": {"20260101/us-east-1/dynamodb/aws9_request",
			"Credential should be scoped with a valid terminator: 'aws4_request', not 'aws9_request'."},
		"a date that is not it": {"19990101/us-east-1/dynamodb/aws4_request",
			"Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := unsigned(
				header("Authorization",
					"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"+c[0]+
						", SignedHeaders=host;x-amz-date, Signature=abc"),
				header("X-Amz-Date", "20260101T000000Z"))
			assert.Equal(t, 400, r.status, "%s", r.body)
			assert.Contains(t, string(r.body), c[1])
		})
	}
	t.Run("another service", func(t *testing.T) {
		t.Parallel()
		r := unsigned(
			header("Authorization",
				"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=abc"), header("X-Amz-Date", "20260101T000000Z"))
		// Kugiri does not verify signatures, and some clients derive the service from the host name
		if !target.aws {
			assert.Equal(t, 200, r.status, "%s", r.body)
			return
		}
		assert.Equal(t, 400, r.status, "%s", r.body)
		assert.Contains(t, string(r.body),
			"Credential should be scoped to correct service: 'dynamodb'.")
	})
	t.Run("all that is missing is listed", func(t *testing.T) {
		t.Parallel()
		r := unsigned(header("Authorization", "AWS4-HMAC-SHA256 Foo=bar"), header("X-Amz-Date", ""))
		assert.Contains(t, string(r.body),
			"Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.")
	})
	t.Run("another scheme", func(t *testing.T) {
		t.Parallel()
		r := unsigned(header("Authorization", "Basic dXNlcjpwYXNz"))
		assert.Equal(t, 400, r.status, "%s", r.body)
		assert.Contains(t, string(r.body), "Exception")
	})
}

// TestPresigned signs in the query string: IAM User Guide, Signature Version 4, presigned requests.
func TestPresigned(t *testing.T) {
	t.Parallel()
	creds, err := target.creds.Retrieve(context.Background())
	require.NoError(t, err)
	req := request("ListTables", `{}`)
	for _, name := range []string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token"} {
		req.Header.Del(name)
	}
	signed, headers, err := v4.NewSigner().PresignHTTP(context.Background(), creds, req,
		"UNSIGNED-PAYLOAD", "dynamodb", target.region, time.Now())
	require.NoError(t, err)
	presigned, err := http.NewRequest(http.MethodPost, signed, strings.NewReader(`{}`))
	require.NoError(t, err)
	presigned.Header = headers
	for _, name := range []string{"Content-Type", "X-Amz-Target"} {
		presigned.Header.Set(name, req.Header.Get(name))
	}
	r := do(presigned)
	assert.NotContains(t, string(r.body), "MissingAuthenticationToken")
	if !target.aws { // AWS may require the payload's hash in the signature
		assert.Equal(t, 200, r.status, "%s", r.body)
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	pk := newKey()
	call(t, "PutItem",
		`{"TableName":"@hash","Item":{"pk":{"S":"`+
			pk+`"},"a":{"S":"`+strings.Repeat("compressible ", 5000)+`"}}}`)
	body := expand(t, `{"TableName":"@hash","ConsistentRead":true,"Key":{"pk":{"S":"`+pk+`"}}}`, "")
	whole := post("GetItem", body)
	require.Equal(t, 200, whole.status)
	assert.Empty(t, whole.header.Get("Content-Encoding"), "nothing was asked for")

	t.Run("answer", func(t *testing.T) {
		t.Parallel()
		r := post("GetItem", body, header("Accept-Encoding", "gzip"))
		require.NoError(t, r.err)
		require.Equal(t, "gzip", r.header.Get("Content-Encoding"))
		assert.Less(t, len(r.body), len(whole.body)/10)
		zip, err := gzip.NewReader(bytes.NewReader(r.body))
		require.NoError(t, err)
		text, err := io.ReadAll(zip)
		require.NoError(t, err)
		assert.Equal(t, parseJSON(string(whole.body)), parseJSON(string(text)))
	})
	t.Run("request", func(t *testing.T) {
		t.Parallel()
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		_, err := w.Write([]byte(body))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		r := post("GetItem", zipped.String(), header("Content-Encoding", "gzip"))
		assert.Equal(t, 200, r.status, "%s", r.body)
		assert.Equal(t, string(whole.body), string(r.body))
	})
	t.Run("a request that is not in its Content-Encoding", func(t *testing.T) {
		t.Parallel()
		r := post("GetItem", body, header("Content-Encoding", "gzip"))
		assert.Equal(t, 500, r.status, "%s", r.body) // service facts 9.2
	})
}

func TestHealthAndCORS(t *testing.T) {
	t.Parallel()
	get, err := http.NewRequest(http.MethodGet, target.url+"/", nil)
	require.NoError(t, err)
	health := do(get)
	assert.Equal(t, 200, health.status)
	assert.Regexp(t, `^healthy: dynamodb\.[a-z0-9-]+\.amazonaws\.com ?$`, string(health.body))

	options, err := http.NewRequest(http.MethodOptions, target.url+"/", nil)
	require.NoError(t, err)
	options.Header.Set("Origin", "https://example.com")
	options.Header.Set("Access-Control-Request-Method", "POST")
	options.Header.Set("Access-Control-Request-Headers", "authorization,x-amz-date,x-amz-target")
	preflight := do(options)
	assert.Equal(t, 200, preflight.status)
	assert.Equal(t, "*", preflight.header.Get("Access-Control-Allow-Origin"))
	assert.NotEmpty(t, preflight.header.Get("Access-Control-Allow-Headers"))
	assert.NotEmpty(t, preflight.header.Get("Access-Control-Max-Age"))
	assert.NotEmpty(t, preflight.header.Get("Access-Control-Expose-Headers"))
	options.Header = http.Header{}
	unasked := do(options) // service facts 9.5
	assert.Equal(t, 404, unasked.status)
	assert.Equal(t, "<UnknownOperationException/>\n", string(unasked.body))
	assert.Empty(t, unasked.header.Get("Access-Control-Allow-Origin"))

	answer := post("ListTables", `{}`, header("Origin", "https://example.com"))
	assert.Equal(t, 200, answer.status)
	assert.Equal(t, "*", answer.header.Get("Access-Control-Allow-Origin"))
	assert.NotEmpty(t, answer.header.Get("Access-Control-Expose-Headers"))
	assert.Empty(t, answer.header.Get("Access-Control-Max-Age"))
}

// TestHostileBodies sends bodies that no client sends. The server must refuse each and still answer
// other requests.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	deep := func(open, value, end string, n int) string {
		return strings.Repeat(open, n) + value + strings.Repeat(end, n)
	}
	bodies := map[string]string{
		"nested lists":            deep("[", "", "]", 1_000_000),
		"nested objects":          deep(`{"a":`, "1", "}", 1_000_000),
		"nested and never closed": strings.Repeat(`{"Item":`, 500_000),
		"nested unknown member":   `{"Nope":` + deep("[", "", "]", 1_000_000) + `}`,
		"nested attribute value": `{"TableName":"abc","Item":{"a":` +
			deep(`{"L":[`, `{"S":"x"}`, `]}`, 100_000) + `}}`,
		"nested map": `{"TableName":"abc","Item":{"a":` +
			deep(`{"M":{"a":`, `{"S":"x"}`, `}}`, 100_000) + `}}`,
		"number of a million digits": `{"TableName":"abc","Item":{"pk":{"N":"` +
			strings.Repeat("9", 1_000_000) + `"}}}`,
		"number with a large exponent": `{"TableName":"abc","Item":{"pk":{"N":"1e999999999999999999999"}}}`,
		"a member twice":               `{"TableName":"abc","TableName":"abd","Item":{"pk":{"S":"a"}}}`,
		"an attribute twice":           `{"TableName":"abc","Item":{"pk":{"S":"a"},"pk":{"S":"b"}}}`,
		"a type twice":                 `{"TableName":"abc","Item":{"pk":{"S":"a","S":"b"}}}`,
		"NUL bytes":                    strings.Repeat("\x00", 1000),
		"half a surrogate":             `{"TableName":"abc","Item":{"pk":{"S":"\ud800"}}}`,
		"a million attributes of nothing": `{"TableName":"abc","Item":{` +
			strings.TrimSuffix(strings.Repeat(`"a":{},`, 500_000), ",") + `}}`,
		"overlong UTF-8":              "{\"TableName\":\"abc\",\"Item\":{\"pk\":{\"S\":\"\xc0\xaf\"}}}",
		"an expression of a megabyte": `{"TableName":"abc","Item":{"pk":{"S":"a"}},"ConditionExpression":"` + deep("(", "a", ")", 500_000) + `"}`,
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			r := post("PutItem", body)
			require.NoError(t, r.err)
			assert.Equal(t, 400, r.status, "%s", r.body)
			assert.NoError(t, r.wellFormed())
			assert.Less(t, len(r.body), 5_000_000)
			assert.Equal(t, 200, post("ListTables", `{}`).status, "the server lives")
		})
	}
}

// TestOversizedBodies sends more than the service accepts. The service may answer, or hang up while
// the body is still being sent.
func TestOversizedBodies(t *testing.T) {
	t.Parallel()
	// API Reference, Common Errors, RequestEntityTooLarge
	t.Run("more than the service takes", func(t *testing.T) {
		body := `{"TableName":"abc","Item":{"pk":{"S":"` + strings.Repeat("x", 17<<20) + `"}}}`
		r := post("PutItem", body)
		if r.err == nil {
			assert.Equal(t, 413, r.status, "%s", r.body)
		}
		assert.Equal(t, 200, post("ListTables", `{}`).status, "the server lives")
	})
	t.Run("more than the service takes, without a length", func(t *testing.T) {
		req := request("PutItem", "")
		req.Body = io.NopCloser(
			io.MultiReader(strings.NewReader(`{"TableName":"`), io.LimitReader(endless{}, 40<<20)))
		req.ContentLength = -1
		r := do(req)
		if r.err == nil {
			assert.GreaterOrEqual(t, r.status, 400)
		}
		assert.Equal(t, 200, post("ListTables", `{}`).status, "the server lives")
	})
	t.Run("gzip that unfolds to more", func(t *testing.T) {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		_, err := io.Copy(w, io.LimitReader(endless{}, 100<<20))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		r := post("PutItem", zipped.String(), header("Content-Encoding", "gzip"))
		if r.err == nil {
			assert.GreaterOrEqual(t, r.status, 400)
		}
		assert.Equal(t, 200, post("ListTables", `{}`).status, "the server lives")
	})
}

// endless reads as one letter, repeated without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestValidationMessages checks the texts for the model's constraints: API Reference, Common
// Errors, ValidationError.
func TestValidationMessages(t *testing.T) {
	t.Parallel()
	const one = "ValidationException: 1 validation error detected: "
	run(t, defaults{src: "API Reference, Common Errors", op: "GetItem"}, []kase{
		{name: "a missing member", raw: true, in: `{"TableName":"abc"}`,
			err: one + "Value null at 'key' failed to satisfy constraint: Member must not be null"},
		{name: "an enumeration", raw: true,
			in: `{"TableName":"abc","Key":{},"ReturnConsumedCapacity":"x"}`,
			err: one +
				"Value 'x' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"},
		{name: "an empty list", raw: true, in: `{"TableName":"abc","Key":{},"AttributesToGet":[]}`,
			err: one +
				"Value at 'AttributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "two violations", raw: true, in: `{"TableName":"abc","AttributesToGet":[]}`,
			err: "ValidationException: 1 validation error detected: Value at 'AttributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "a missing item", op: "PutItem", raw: true, in: `{"TableName":"abc"}`,
			err: one +
				"Value null at 'item' failed to satisfy constraint: Member must not be null"},
		{name: "beside a rule of the request", op: "PutItem", raw: true,
			in:  `{"TableName":"abc","Item":{},"ReturnValues":"ALL_NEW","ReturnConsumedCapacity":"X"}`,
			src: "service facts F.17", err: detectedOf(oldCapacity, onlyOld)},
		{name: "rules of the request before the table", op: "PutItem", raw: true,
			in:  `{"TableName":"no-such-table","Item":{},"ReturnValues":"ALL_NEW"}`,
			err: "Invalid: ReturnValues can only be ALL_OLD or NONE"},
		{name: "the table before the item", op: "PutItem", raw: true,
			in:  `{"TableName":"no-such-table","Item":{}}`,
			err: noSuchTable},
		{name: "values before the table", op: "PutItem", raw: true,
			in:  `{"TableName":"no-such-table","Item":{"a":{"N":"x"}}}`,
			err: notNumericFault},
	})
}

// TestBinaryValues sends all bytes and reads them back: Developer Guide, Naming rules and data
// types, Binary.
func TestBinaryValues(t *testing.T) {
	t.Parallel()
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	text := base64.StdEncoding.EncodeToString(every)
	run(t, defaults{
		src: "Developer Guide, Naming rules and data types, Binary", table: "hash", op: "PutItem",
	}, []kase{
		put("every byte", `"a":{"B":"`+text+`"},"b":{"BS":["`+text+`","AA=="]}`, "", ""),
		put("escaped base64", `"a":{"B":"\/w=="}`, `"a":{"B":"/w=="}`, ""),
	})
}
