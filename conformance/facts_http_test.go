package conformance

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	unroutable      = "<UnknownOperationException/>\n"
	unknownTarget   = `{"__type":"com.amazon.coral.service#UnknownOperationException"}`
	notReadable     = `{"__type":"com.amazon.coral.service#SerializationException"}`
	noLengthNoType  = "Content-Type:"
	serverFault     = "InternalServerError"
	noToken         = "MissingAuthenticationTokenException: Request is missing Authentication Token"
	noSigningHeader = "Authorization:"
)

// coded returns a text in a content coding.
func coded(text string, by func(io.Writer) io.WriteCloser) string {
	var b bytes.Buffer
	w := by(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func asGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func asZlib(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
func asFlate(w io.Writer) io.WriteCloser {
	z, _ := flate.NewWriter(w, flate.DefaultCompression)
	return z
}

func TestRequestCodings(t *testing.T) {
	t.Parallel()
	const codings, broken = "service facts 9.1", "service facts 9.2"
	newPut := func() (key, put string) {
		key = newKey()
		return key, `{"TableName":"` + fixture(t, "hash").name + `","Item":{"pk":{"S":"` +
			key + `"},"a":{"S":"` + strings.Repeat("text ", 20) + `"}}}`
	}
	part := func(n int) func(string) string { return func(s string) string { return s[:n] } }
	less := func(n int) func(string) string { return func(s string) string { return s[:len(s)-n] } }
	more := func(tail string) func(string) string {
		return func(s string) string { return s + tail }
	}
	plain := func(w io.Writer) io.WriteCloser { return unchanged{w} }
	flip := func(s string) string { return s[:len(s)-1] + string([]byte{s[len(s)-1] ^ 1}) }
	for _, c := range []struct {
		name, coding string
		by           func(io.Writer) io.WriteCloser
		change       func(string) string
		ok           bool
		src          string
	}{
		{"gzip", "gzip", asGzip, nil, true, codings},
		{"deflate", "deflate", asZlib, nil, true, codings},
		{"garbage behind gzip", "gzip", asGzip, more("garbage"), true, broken},
		{"more garbage behind gzip", "gzip", asGzip, more(strings.Repeat("garbage", 100)), true,
			broken},
		{"an unknown coding", "garbage", plain, nil, false, broken},
		{"a coding of others", "br", plain, nil, false, broken},
		{"another one of others", "zstd", plain, nil, false, broken},
		{"plain, called gzip", "gzip", plain, nil, false, broken},
		{"plain, called deflate", "deflate", plain, nil, false, broken},
		{"gzip, called deflate", "deflate", asGzip, nil, false, broken},
		{"deflate, called gzip", "gzip", asZlib, nil, false, broken},
		{"deflate without zlib's header", "deflate", asFlate, nil, false, broken},
		{"gzip of an unknown coding", "garbage", asGzip, nil, false, broken},
		{"nothing, called gzip", "gzip", plain, part(0), false, broken},
		{"nothing, called deflate", "deflate", plain, part(0), false, broken},
		{"nothing, called garbage", "garbage", plain, part(0), false, broken},
		{"gzip's header", "gzip", asGzip, part(10), false, broken},
		{"gzip cut short", "gzip", asGzip, less(20), false, broken},
		{"gzip without its length", "gzip", asGzip, less(4), false, broken},
		{"gzip with another length", "gzip", asGzip, flip, false, broken},
		{"deflate cut short", "deflate", asZlib, less(20), false, broken},
		{"deflate without its checksum", "deflate", asZlib, less(4), false, broken},
		{"deflate with another checksum", "deflate", asZlib, flip, false, broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kase{src: c.src}
			k.mark(t)
			key, put := newPut()
			body := coded(put, c.by)
			if c.change != nil {
				body = c.change(body)
			}
			r := post("PutItem", body, header("Content-Encoding", c.coding))
			require.NoError(t, r.err)
			require.NoError(t, r.wellFormed())
			stored := call(t, "GetItem",
				`{"TableName":"@hash","ConsistentRead":true,"Key":{"pk":{"S":"`+key+`"}}}`)
			if c.ok {
				assert.Equal(t, 200, r.status, "%s", r.body)
				assert.Contains(t, stored, "Item")
				return
			}
			assert.Equal(t, 500, r.status, "%s", r.body)
			_, err := r.answer()
			assertError(t, serverFault+"*", err, c.name)
			assert.NotContains(t, stored, "Item", "nothing is written")
		})
	}
}

// unchanged writes its input without a coding.
type unchanged struct{ io.Writer }

func (unchanged) Close() error { return nil }

// TestAnswerCodings: service facts 9.3 and 9.4.
func TestAnswerCodings(t *testing.T) {
	t.Parallel()
	const large, preferred = "service facts 9.3", "service facts 9.4"
	// returns an item whose GetItem answer has length bytes
	item := func(length int) (key, plain string) {
		key = newKey()
		n := length - len(`{"Item":{"pk":{"S":"`+key+`"},"a":{"S":""}}}`)
		call(t, "PutItem",
			`{"TableName":"@hash","Item":{"pk":{"S":"`+
				key+`"},"a":{"S":"`+strings.Repeat("x", n)+`"}}}`)
		body := string(post("GetItem", getItem(t, key)).body)
		require.Len(t, body, length)
		return key, body
	}
	short, _ := item(4096)
	long, plain := item(4097)
	longer, longerPlain := item(100_000)
	rows := []struct{ src, key, plain, accept, want string }{
		{large, short, "", "gzip", ""}, {large, short, "", "deflate", ""},
		{large, short, "", "*", ""},
		{large, long, plain, "gzip", "gzip"}, {large, long, plain, "deflate", "deflate"},
		{large, longer, longerPlain, "gzip", "gzip"},
		{large, longer, longerPlain, "deflate", "deflate"},
	}
	for accept, want := range map[string]string{
		"identity": "", "br": "", "zstd": "", "br, zstd": "", "x-gzip": "", `"gzip"`: "",
		"gzip br": "", "gzip:q=1": "", "x-deflate": "",
		"gzip, deflate": "gzip", "deflate, gzip": "deflate", "gzip;q=0.5, deflate": "deflate",
		"deflate;q=0.1, gzip;q=0.2": "gzip",
		"gzip;q=0.5, deflate;q=0.5": "gzip", "deflate;q=0.5, gzip;q=0.5": "deflate",
		"br, deflate, gzip": "deflate",
		"*":                 "gzip", "gzip;q=0, *": "deflate", "deflate;q=0, *": "gzip",
		"*;q=0":          "",
		"*;q=0, deflate": "deflate", "gzip;q=0.1, *": "deflate",
		"gzip;q=0, deflate;q=0, *": "", "identity, gzip;q=0.1": "gzip",
		"identity;q=1, *;q=0.5": "gzip", "identity;q=1, deflate;q=0.001": "deflate",
		"GZIP": "gzip", "Deflate": "deflate", "gzip;q=0": "", "gzip;q=0.0, deflate;q=0": "",
		"gzip;q=0, deflate": "deflate",
		"gzip;q=2, deflate": "gzip", "deflate, gzip;q=2": "deflate",
		"gzip;q=many, deflate;q=0.9": "gzip", "deflate, gzip;q=many": "deflate",
		"gzip;q=-1": "", "gzip;q=-1, deflate;q=0.1": "deflate", "gzip;q=1;q=0": "gzip",
		"gzip;q=0;q=1": "", "x-gzip, deflate": "deflate",
	} {
		rows = append(rows,
			struct{ src, key, plain, accept, want string }{preferred, long, plain, accept, want})
	}
	for _, c := range rows {
		t.Run(fmt.Sprintf("%d bytes for %s", max(len(c.plain), 4096),
			c.accept), func(t *testing.T) {
			t.Parallel()
			(&kase{src: c.src}).mark(t)
			r := post("GetItem", getItem(t, c.key), header("Accept-Encoding", c.accept))
			require.NoError(t, r.err)
			require.NoError(t, r.marked())
			assert.Equal(t, 200, r.status)
			assert.Equal(t, c.want, r.header.Get("Content-Encoding"))
			assert.Equal(t, fmt.Sprint(len(r.body)), r.header.Get("Content-Length"))
			if c.want != "" {
				assert.Equal(t, parseJSON(c.plain), parseJSON(decodedBody(t, r)))
			}
		})
	}
	t.Run("only the first header counts", func(t *testing.T) {
		t.Parallel()
		(&kase{src: "service facts 9.4"}).mark(t)
		for first, want := range map[string]string{"br": "", "deflate;q=0.1": "deflate"} {
			r := post("GetItem", getItem(t, long), header("Accept-Encoding", first),
				func(req *http.Request) { req.Header.Add("Accept-Encoding", "gzip") })
			assert.Equal(t, want, r.header.Get("Content-Encoding"), first)
		}
	})
	t.Run("errors", func(t *testing.T) {
		t.Parallel()
		(&kase{src: "service facts 9.3", err: "*"}).mark(t)
		long := `{"TableName":"` + strings.Repeat("/", 5000) + `"}`
		assert.Equal(t, "gzip",
			post("DescribeTable", long,
				header("Accept-Encoding", "gzip")).header.Get("Content-Encoding"))
		assert.Empty(t,
			post("DescribeTable", `{}`,
				header("Accept-Encoding", "gzip")).header.Get("Content-Encoding"))
	})
}

func getItem(t *testing.T, key string) string {
	return expand(t, `{"TableName":"@hash","ConsistentRead":true,"Key":{"pk":{"S":"`+key+`"}}}`, "")
}

// decodedBody returns the body of an answer after undoing its Content-Encoding.
func decodedBody(t *testing.T, r reply) string {
	var z io.Reader
	var err error
	switch r.header.Get("Content-Encoding") {
	case "gzip":
		z, err = gzip.NewReader(bytes.NewReader(r.body))
	case "deflate":
		z, err = zlib.NewReader(bytes.NewReader(r.body))
	}
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(text)
}

func TestCORS(t *testing.T) {
	t.Parallel()
	const (
		origin  = "Origin: https://example.com\n"
		asking  = "Access-Control-Request-Method: POST\nAccess-Control-Request-Headers: authorization,x-amz-target\n"
		none    = "Access-Control-Allow-Origin:\nAccess-Control-Expose-Headers:\nAccess-Control-Max-Age:\nAccess-Control-Allow-Methods:\nAccess-Control-Allow-Headers:"
		allowed = "Access-Control-Allow-Origin: *\nAccess-Control-Max-Age:\nAccess-Control-Allow-Methods:\nAccess-Control-Allow-Headers:"
		granted = "Access-Control-Allow-Origin: *\nAccess-Control-Max-Age: 172800\nAccess-Control-Allow-Methods: POST\n" +
			"Access-Control-Allow-Headers: authorization,x-amz-target"
	)
	runRaw(t, defaults{src: "service facts 9.5"}, []rawCase{
		{name: "OPTIONS without an origin", method: "OPTIONS", sent: noSigningHeader, status: 404,
			body: unroutable, header: none},
		{name: "OPTIONS without an origin that asks", method: "OPTIONS",
			sent: noSigningHeader + "\n" + asking, status: 404, body: unroutable, header: none},
		{name: "OPTIONS", method: "OPTIONS", sent: noSigningHeader + "\n" + origin + asking,
			status: 200, header: granted},
		{name: "OPTIONS for another method", method: "OPTIONS",
			sent: origin + "Access-Control-Request-Method: GET", status: 200,
			header: "Access-Control-Allow-Origin: *\nAccess-Control-Max-Age: 172800\nAccess-Control-Allow-Methods: GET\nAccess-Control-Allow-Headers:"},
		{name: "GET", method: "GET", sent: origin, status: 200, header: allowed},
		{name: "GET without an origin", method: "GET", status: 200, header: none},
		{name: "POST", in: `{}`, sent: origin, status: 200, header: allowed},
		{name: "POST without an origin", in: `{}`, status: 200, header: none},
		{name: "POST that fails", in: `{"Limit":0}`, sent: origin, status: 400,
			code: "ValidationException", header: allowed},
		{name: "POST of no operation", in: `{}`, signed: "X-Amz-Target: x", sent: origin,
			status: 400, body: unknownTarget, header: allowed},
		{name: "POST that is not routed", in: `{}`, signed: "Content-Type: text/xml", sent: origin,
			status: 404, body: unroutable, header: allowed},
		{name: "POST that is not routed, without an origin", in: `{}`,
			signed: "Content-Type: text/xml", status: 404, body: unroutable, header: none},
	})
	t.Run("exposed headers", func(t *testing.T) {
		t.Parallel()
		(&kase{src: "service facts 9.5"}).mark(t)
		for _, method := range []string{"OPTIONS", "GET", "POST"} {
			c := rawCase{op: "ListTables", in: `{}`, method: method, sent: origin + asking}
			assert.NotEmpty(t, do(c.request(t)).header.Get("Access-Control-Expose-Headers"), method)
		}
	})
}

func TestSigningForms(t *testing.T) {
	t.Parallel()
	runRaw(t, defaults{src: "service facts 9.8"}, []rawCase{
		{name: "no Authorization", in: `{}`, sent: noSigningHeader, status: 400, err: noToken},
		{name: "no Authorization and wrong parameters", in: `{"Limit":0}`, sent: noSigningHeader,
			status: 400, err: noToken},
		{name: "no Authorization, of another operation", op: "PutItem", in: `{}`,
			sent: noSigningHeader, status: 400, err: noToken},
	})
	const partner = "AWS query-string parameters must include 'X-Amz-"
	const again = "'. Re-examine the query-string parameters."
	const algorithm, credential = "X-Amz-Algorithm=AWS4-HMAC-SHA256", "&X-Amz-Credential=K%2F20260101%2Fus-east-1%2Fdynamodb%2Faws4_request"
	runRaw(t, defaults{src: "service facts 9.11"}, []rawCase{
		{name: "signed in the header and the query", in: `{}`, path: "/?" + algorithm, status: 400,
			err: "InvalidSignatureException: Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."},
		{name: "no partner", in: `{}`, path: "/?" + algorithm, sent: noSigningHeader, status: 400,
			err: "IncompleteSignatureException: " +
				partner + "Credential'. " + partner + "Signature'. " + partner +
				"SignedHeaders'. " +
				partner + "Date" + again},
		{name: "some partners", in: `{}`,
			path: "/?" + algorithm + credential + "&X-Amz-Date=20260101T000000Z",
			sent: noSigningHeader, status: 400,
			err: "IncompleteSignatureException: " +
				partner + "Signature'. " + partner + "SignedHeaders" + again},
	})
	runRaw(t, defaults{src: "API Reference, Common Errors, IncompleteSignature"}, []rawCase{
		{name: "a date in another form", in: `{}`, sent: "X-Amz-Date: 2026-01-02T03:04:05Z",
			status: 400, code: "IncompleteSignatureException", inferred: true},
		{name: "no date at all", in: `{}`, sent: "X-Amz-Date: yesterday", status: 400,
			code: "IncompleteSignatureException", inferred: true},
	})
	t.Run("blanks between parameters", func(t *testing.T) {
		t.Parallel()
		(&kase{src: "service facts 9.6"}).mark(t)
		req := request("ListTables", `{}`)
		header("Authorization", strings.ReplaceAll(req.Header.Get("Authorization"), ", ", " "))(req)
		r := do(req)
		require.NoError(t, r.err)
		assert.Equal(t, 200, r.status, "%s", r.body)
	})
}

// TestLongHeads: service facts 9.7.
func TestLongHeads(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return "X-Long: " + strings.Repeat("x", n) }
	several := strings.Repeat("x", 6000)
	for _, c := range []struct {
		name   string
		c      rawCase
		status int
	}{
		{"headers that are long", rawCase{sent: long(12_000)}, 200},
		{"headers that are too long", rawCase{sent: long(17_000)}, 400},
		{"headers that are much too long", rawCase{sent: long(60_000)}, 400},
		{"headers that are too long together",
			rawCase{sent: "X-A: " + several + "\nX-B: " + several + "\nX-C: " + several}, 400},
		{"a long line", rawCase{path: "/?" + strings.Repeat("x", 12_000)}, 200},
		{"a line that is too long", rawCase{path: "/?" + strings.Repeat("x", 17_000)}, 400},
		{"a path that is too long", rawCase{path: "/" + strings.Repeat("x", 17_000)}, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			(&kase{src: "service facts 9.7"}).mark(t)
			c.c.op, c.c.in = "ListTables", `{}`
			r := do(c.c.request(t))
			require.NoError(t, r.err)
			assert.Equal(t, c.status, r.status)
		})
	}
}

func TestWhatIsNotRouted(t *testing.T) {
	t.Parallel()
	const noTarget = "X-Amz-Target:"
	runRaw(t, defaults{src: "service facts 9.9"}, []rawCase{
		{name: "no type and no body", signed: noLengthNoType, status: 400, body: notReadable},
		{name: "no type and no body, of another operation", op: "GetItem", signed: noLengthNoType,
			status: 400, body: notReadable},
		{name: "no type, body or target", signed: noLengthNoType + "\n" + noTarget, status: 400,
			body: unknownTarget},
		{name: "no type and no body, of no operation",
			signed: noLengthNoType + "\nX-Amz-Target: DynamoDB_20120810.Nothing", status: 400,
			body: unknownTarget},
		{name: "no type and no body, of an old version",
			signed: noLengthNoType + "\nX-Amz-Target: DynamoDB_20111205.ListTables", status: 400,
			body: unknownTarget},
		{name: "no type and no body, unsigned", signed: noLengthNoType, sent: noSigningHeader,
			status: 400, err: noToken, inferred: true},
		{name: "no type and no body, nothing else", signed: noLengthNoType + "\n" + noTarget,
			sent: noSigningHeader, status: 400, body: unknownTarget},
		{name: "no type", in: `{}`, signed: noLengthNoType, status: 404, body: unroutable},
		{name: "no type and no target", in: `{}`, signed: noLengthNoType + "\n" + noTarget,
			status: 404, body: unroutable},
		{name: "no type and no JSON", in: `x`, signed: noLengthNoType, status: 404,
			body: unroutable},
		{name: "another type", in: `{}`, signed: "Content-Type: text/xml", status: 404,
			body: unroutable},
		{name: "the type of forms", in: `a=b`,
			signed: "Content-Type: application/x-www-form-urlencoded", status: 404,
			body: unroutable},
		{name: "another type and no target", in: `{}`,
			signed: "Content-Type: text/plain\n" + noTarget, status: 404, body: unroutable},
		{name: "another type, unsigned", in: `{}`, signed: "Content-Type: text/plain",
			sent: noSigningHeader, status: 404, body: unroutable},
	})
	runRaw(t, defaults{src: "service facts 9.10"}, []rawCase{
		{name: "no JSON and no target", in: `hello`, signed: noTarget, status: 400,
			body: notReadable},
		{name: "half an object and no target", in: `{"Limit":1`, signed: noTarget, status: 400,
			body: notReadable},
		{name: "two objects and no target", in: `{}{}`, signed: noTarget, status: 400,
			body: notReadable},
		{name: "no JSON, no target, the other type", in: `hello`,
			signed: noTarget + "\nContent-Type: application/json", status: 400, body: notReadable},
		{name: "no JSON and no operation", in: `hello`, signed: "X-Amz-Target: x", status: 400,
			body: notReadable, inferred: true},
		{name: "no JSON and no signature", in: `hello`, sent: noSigningHeader, status: 400,
			body: notReadable, inferred: true},
		{name: "JSON and no target", in: `{}`, signed: noTarget, status: 400, body: unknownTarget},
		{name: "JSON that is no object and no target", in: `[1]`, signed: noTarget, status: 400,
			body: unknownTarget, inferred: true},
		{name: "no body and no target", signed: noTarget, status: 400, body: unknownTarget,
			inferred: true},
	})
	runRaw(t, defaults{src: "Developer Guide, DynamoDB low-level API, Request format"}, []rawCase{
		{name: "plain JSON", in: `{}`, signed: "Content-Type: application/json", status: 200,
			header: "Content-Type: application/json"},
		{name: "a type with a charset", in: `{}`,
			signed: "Content-Type: application/x-amz-json-1.0; charset=utf-8", status: 200,
			header: "Content-Type: application/x-amz-json-1.0"},
		{name: "a type in capitals", in: `{}`, signed: "Content-Type: APPLICATION/X-AMZ-JSON-1.0",
			status: 200, inferred: true},
		{name: "in chunks", in: `{"Limit":0}`, chunked: true, status: 400,
			code: "ValidationException", inferred: true},
		{name: "a client that waits to go on", in: `{"Limit":0}`, sent: "Expect: 100-continue",
			status: 400, code: "ValidationException", inferred: true},
		{name: "PUT", in: `{}`, method: "PUT", status: 404, body: unroutable, inferred: true},
		{name: "DELETE", method: "DELETE", status: 404, body: unroutable, inferred: true},
		{name: "PATCH", in: `{}`, method: "PATCH", status: 404, body: unroutable, inferred: true},
		{name: "another path", in: `{}`, path: "/ListTables", status: 404, body: unroutable,
			inferred: true},
		{name: "a query", in: `{}`, path: "/?Action=ListTables", status: 200, inferred: true},
	})
}

// TestTooLargeComesFirst: service facts 9.10.
func TestTooLargeComesFirst(t *testing.T) {
	t.Parallel()
	body := `{"TableName":"` + strings.Repeat("x", 16<<20) + `"}`
	for name, sent := range map[string]string{
		"of no operation": "X-Amz-Target:", "unsigned": noSigningHeader,
		"of another type": "Content-Type: text/xml", "no JSON, of no type": noLengthNoType,
	} {
		t.Run(name, func(t *testing.T) {
			(&kase{src: "service facts 9.10"}).mark(t)
			c := rawCase{op: "GetItem", in: body, sent: sent}
			// the server may hang up while the body is still being sent
			if r := do(c.request(t)); r.err == nil {
				assert.Equal(t, 413, r.status, "%s", r.body)
			}
		})
	}
}

// The text of a SerializationException depends on the place of the value, but not on the name of
// its member.
func TestScalarsForStructures(t *testing.T) {
	t.Parallel()
	const (
		field   = "SerializationException: Unexpected field type"
		payload = "SerializationException: Unexpected value type in payload"
		class   = "SerializationException: class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
			"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
	)
	raw := func(cases []kase) []kase {
		for i := range cases {
			cases[i].raw = true
		}
		return cases
	}
	run(t, defaults{src: "service facts 11.1", op: "PutItem"}, raw([]kase{
		{name: "ProvisionedThroughput", op: "CreateTable",
			in: `{"TableName":"abc","ProvisionedThroughput":"x"}`, err: field},
		{name: "ProvisionedThroughput, of an update", op: "UpdateTable",
			in: `{"TableName":"abc","ProvisionedThroughput":1}`, err: field},
		{name: "StreamSpecification", op: "CreateTable",
			in: `{"TableName":"abc","StreamSpecification":true}`, err: field},
		{name: "Projection", op: "CreateTable",
			in: `{"TableName":"abc","GlobalSecondaryIndexes":[{"Projection":"ALL"}]}`, err: field},
		{name: "Projection of a local index", op: "CreateTable",
			in: `{"TableName":"abc","LocalSecondaryIndexes":[{"Projection":1}]}`, err: field},
		{name: "PutRequest", op: "BatchWriteItem",
			in: `{"RequestItems":{"abc":[{"PutRequest":"x"}]}}`, err: field},
		{name: "DeleteRequest", op: "BatchWriteItem",
			in: `{"RequestItems":{"abc":[{"DeleteRequest":false}]}}`, err: field},
		{name: "Put of a transaction", op: "TransactWriteItems",
			in: `{"TransactItems":[{"Put":"x"}]}`, err: field},
		{name: "Get of a transaction", op: "TransactGetItems", in: `{"TransactItems":[{"Get":1}]}`,
			err: field},
		{name: "Value of Expected", in: `{"TableName":"abc","Expected":{"a":{"Value":"x"}}}`,
			err: field},
		{name: "Value of Expected, of a deletion", op: "DeleteItem",
			in: `{"TableName":"abc","Expected":{"a":{"Value":1}}}`, err: field},
		{name: "Value of AttributeUpdates", op: "UpdateItem",
			in: `{"TableName":"abc","AttributeUpdates":{"a":{"Value":1}}}`, err: field},
		{name: "TimeToLiveSpecification", op: "UpdateTimeToLive",
			in: `{"TableName":"abc","TimeToLiveSpecification":"x"}`, err: field},
		{name: "an entry of Expected", in: `{"TableName":"abc","Expected":{"a":"x"}}`,
			err: payload},
		{name: "an entry of AttributeUpdates", op: "UpdateItem",
			in: `{"TableName":"abc","AttributeUpdates":{"a":1}}`, err: payload},
		{name: "an attribute", in: `{"TableName":"abc","Item":{"a":"x"}}`, err: payload},
		{name: "an attribute of a map", in: `{"TableName":"abc","Item":{"a":{"M":{"b":1}}}}`,
			err: payload},
		{name: "an element of a list", in: `{"TableName":"abc","Item":{"a":{"L":["x"]}}}`,
			err: payload},
		{name: "an expression value",
			in: `{"TableName":"abc","ExpressionAttributeValues":{":a":1}}`, err: payload},
		{name: "an element of AttributeValueList",
			in: `{"TableName":"abc","Expected":{"a":{"AttributeValueList":["x"]}}}`, err: payload},
		{name: "an index", op: "CreateTable",
			in: `{"TableName":"abc","GlobalSecondaryIndexes":["x"]}`, err: payload},
		{name: "an element of a key schema", op: "CreateTable",
			in: `{"TableName":"abc","KeySchema":["x"]}`, err: payload},
		{name: "a tag", op: "TagResource", in: `{"ResourceArn":"x","Tags":[1]}`, err: payload},
		{name: "an action of a transaction", op: "TransactWriteItems",
			in: `{"TransactItems":["x"]}`, err: payload},
		{name: "a write of a batch", op: "BatchWriteItem", in: `{"RequestItems":{"abc":["x"]}}`,
			err: payload},
		{name: "a table of BatchGetItem", op: "BatchGetItem", in: `{"RequestItems":{"abc":"x"}}`,
			err: payload},
		{name: "a condition of a query", op: "Query",
			in: `{"TableName":"abc","KeyConditions":{"a":1}}`, err: payload},
		{name: "a parameter of a statement", op: "ExecuteStatement",
			in: `{"Statement":"x","Parameters":["x"]}`, err: payload},
	}))
	run(t, defaults{src: "service facts 11.2"}, raw([]kase{
		{name: "a key of BatchGetItem", op: "BatchGetItem",
			in: `{"RequestItems":{"abc":{"Keys":["x"]}}}`, err: class},
		{name: "a key of BatchGetItem, a number", op: "BatchGetItem",
			in: `{"RequestItems":{"abc":{"Keys":[{"pk":{"S":"a"}},1]}}}`, err: class},
		{name: "a table of BatchWriteItem", op: "BatchWriteItem",
			in: `{"RequestItems":{"abc":"x"}}`, err: class},
		{name: "a table of BatchWriteItem, true", op: "BatchWriteItem",
			in: `{"RequestItems":{"abc":true}}`, err: class},
	}))
	const bits = "SerializationException: Invalid last non-pad Base64 character dectected"
	run(t, defaults{src: "service facts 11.3", op: "PutItem"}, raw([]kase{
		{name: "padding before stray bits", in: `{"TableName":"abc","Item":{"a":{"B":"=+/="}}}`,
			err: bits},
		{name: "padding before stray bits, in a set",
			in:  `{"TableName":"abc","Item":{"a":{"BS":["=A=/"," =+/="]}}}`,
			err: "SerializationException: Invalid Base64 character: '='"},
		{name: "padding before stray bits, in a key", op: "GetItem",
			in: `{"TableName":"abc","Key":{"a":{"B":"AAA==+/="}}}`, err: bits},
		{name: "stray bits", in: `{"TableName":"abc","Item":{"a":{"B":"AAB="}}}`, err: bits},
	}))
}
