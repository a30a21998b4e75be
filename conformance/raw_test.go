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

// reply is an HTTP answer, its body as sent (not decompressed).
type reply struct {
	err    error // of the transport
	status int
	header http.Header
	body   []byte
}

// plain is a transport that neither asks for gzip nor undoes it.
var plain = &http.Client{Transport: &http.Transport{DisableCompression: true}}

// request makes a signed request for an operation; change edits it before it is signed.
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
	if err := v4.NewSigner().SignHTTP(context.Background(), creds, req, hex.EncodeToString(sum[:]), "dynamodb", target.region, time.Now()); err != nil {
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

// answer gives the answer or the error as the SDK would, after checking what every answer must have.
func (r reply) answer() (map[string]any, error) {
	if r.err != nil {
		return nil, r.err
	}
	if err := r.wellFormed(); err != nil {
		return nil, err
	}
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

// wellFormed checks the headers of an answer: API Reference, "DynamoDB low-level API" in the Developer Guide, Response format.
func (r reply) wellFormed() error {
	if sum := fmt.Sprint(crc32.ChecksumIEEE(r.body)); r.header.Get("X-Amz-Crc32") != sum {
		return fmt.Errorf("x-amz-crc32 is %q, the body's %s", r.header.Get("X-Amz-Crc32"), sum)
	}
	if id := r.header.Get("X-Amzn-Requestid"); len(id) != 52 || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return fmt.Errorf("x-amzn-RequestId is %q", id)
	}
	if got := r.header.Get("Content-Type"); got != "application/x-amz-json-1.0" {
		return fmt.Errorf("content type is %q", got)
	}
	if !json.Valid(r.body) {
		return fmt.Errorf("not JSON: %q", r.body)
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
