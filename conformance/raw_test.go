package conformance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reply is an HTTP answer. Its body is as sent, without decompression.
type reply struct {
	err    error // the transport's error
	status int
	header http.Header
	body   []byte
}

// plain is a transport that neither requests nor decodes gzip.
var plain = &http.Client{Transport: &http.Transport{DisableCompression: true}}

// request makes a signed request for an operation. change edits it before it is signed.
func request(op, body string, change ...func(*http.Request)) *http.Request {
	req, err := http.NewRequest(http.MethodPost, target.url+"/", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+op)
	for _, edit := range change {
		edit(req)
	}
	sum := sha256.Sum256([]byte(body))
	creds, err := target.creds.Retrieve(context.Background())
	if err != nil {
		panic(err)
	}
	if err := v4.NewSigner().SignHTTP(context.Background(), creds, req, hex.EncodeToString(sum[:]),
		"dynamodb", target.region, time.Now()); err != nil {
		panic(err)
	}
	return req
}

// post sends a signed request for an operation with any body.
func post(op, body string, change ...func(*http.Request)) reply {
	return do(request(op, body, change...))
}

func do(req *http.Request) reply {
	res, err := plain.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return reply{err: err, status: res.StatusCode, header: res.Header, body: body}
}

// answer returns the answer or the error in the form of the SDK, after checking what every answer
// must have.
func (r reply) answer() (map[string]any, error) {
	if r.err != nil {
		return nil, r.err
	}
	if err := r.wellFormed(); err != nil {
		return nil, err
	}
	return r.read()
}

// read is answer without the checks.
func (r reply) read() (map[string]any, error) {
	members, _ := parseJSON(string(r.body)).(map[string]any)
	if r.status == http.StatusOK {
		return members, nil
	}
	kind, _ := members["__type"].(string)
	message, _ := members["message"].(string)
	if capital, ok := members["Message"].(string); ok {
		message = capital
	}
	_, code, _ := strings.Cut(kind, "#")
	return nil, &smithy.GenericAPIError{Code: code, Message: message}
}

// wellFormed checks an answer of an operation: API Reference, "DynamoDB low-level API" in the
// Developer Guide, Response format.
func (r reply) wellFormed() error {
	if err := r.marked(); err != nil {
		return err
	}
	if got := r.header.Get("Content-Type"); got != "application/x-amz-json-1.0" {
		return fmt.Errorf("content type is %q", got)
	}
	if !json.Valid(r.body) {
		return fmt.Errorf("not JSON: %q", r.body)
	}
	return nil
}

// marked checks the headers that every answer must have.
func (r reply) marked() error {
	if sum := fmt.Sprint(crc32.ChecksumIEEE(r.body)); r.header.Get("X-Amz-Crc32") != sum {
		return fmt.Errorf("x-amz-crc32 is %q, the body's %s", r.header.Get("X-Amz-Crc32"), sum)
	}
	if id := r.header.Get("X-Amzn-Requestid"); len(id) != 52 ||
		strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return fmt.Errorf("x-amzn-RequestId is %q", id)
	}
	return nil
}

// assertBody compares an answer's status and whole body.
func assertBody(t testing.TB, r reply, status int, want string) {
	t.Helper()
	require.NoError(t, r.err)
	assert.NoError(t, r.wellFormed())
	assert.Equal(t, status, r.status)
	assert.Equal(t, normal(parseJSON(want)), normal(parseJSON(string(r.body))))
}

// rawCase is one named case of HTTP as it is sent, below all SDKs: a signed request to ListTables
// unless it says otherwise, and the expected answer.
//
// Headers are given as lines "Name: value", which replace those with the name. "Name:" removes
// them, and in an answer means that the header is absent.
type rawCase struct {
	name     string
	src      string
	op, in   string
	method   string // POST
	path     string // "/"
	chunked  bool   // the body is sent without its length
	signed   string // headers that the signed request has
	sent     string // headers that are changed after signing
	status   int
	body     string // the whole body; "" if the other members are enough
	err      string // an error, as in a kase
	code     string // the code of an error with an unknown message
	header   string // expected headers
	inferred bool   // the source confirms only a part of the case
}

func runRaw(t *testing.T, d defaults, cases []rawCase) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range cases {
		require.False(t, c.name == "" || seen[c.name], "two cases are named %q", c.name)
		seen[c.name] = true
		c.src, c.op = or(c.src, d.src), or(c.op, or(d.op, "ListTables"))
		require.NotEmpty(t, c.src, "case %q has no source", c.name)
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

func (c rawCase) run(t *testing.T) {
	k := kase{src: c.src, err: c.err}
	if c.inferred {
		k.err = "*"
	}
	k.mark(t)
	r := do(c.request(t))
	require.NoError(t, r.err)
	assert.Equal(t, c.status, r.status, "%s", r.body)
	assert.NoError(t, r.marked())
	if c.body != "" {
		assert.Equal(t, c.body, string(r.body))
	}
	if c.code != "" || c.err != "" {
		_, err := r.read()
		assertError(t, or(c.err, c.code+"*"), err, string(r.body))
	}
	for _, line := range lines(c.header) {
		assert.Equal(t, line[1], strings.Join(r.header.Values(line[0]), ", "), line[0])
	}
}

func (c rawCase) request(t *testing.T) *http.Request {
	req := request(c.op, c.in, func(req *http.Request) {
		req.Method = or(c.method, http.MethodPost)
		changed, err := req.URL.Parse(or(c.path, "/"))
		require.NoError(t, err)
		req.URL = changed
		setHeaders(req, c.signed)
	})
	setHeaders(req, c.sent)
	if c.chunked {
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(c.in)), -1
	}
	return req
}

func setHeaders(req *http.Request, text string) {
	for _, line := range lines(text) {
		header(line[0], line[1])(req)
	}
}

// lines are the names and values of header lines.
func lines(text string) (pairs [][2]string) {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		pairs = append(pairs, [2]string{strings.TrimSpace(name), strings.TrimSpace(value)})
	}
	return pairs
}
