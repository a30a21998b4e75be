package endpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// mostAnswer is the most bytes of an answer that are read. Those of the service are far below it: a
// page of a Scan has 1 MB, whose JSON is at most 14 times as long.
const mostAnswer = 32 << 20

// InOnePiece returns a client that sends requests from memory, with headers and body in one write,
// and that reads no more of an answer than the service would send.
//
// The SDK's own body is a stream to net/http, which sends the headers first, then the body, and
// then looks for more of it. An answer that comes before that look, as from a server on the same
// machine, has the SDK close the body; smithy-go's safeReadCloser then tells net/http io.EOF
// instead of nothing, and the connection is closed while a long answer is read ("use of closed
// network connection").
func InOnePiece(next aws.HTTPClient) aws.HTTPClient { return onePieceClient{next} }

// onePieceClient is the client that InOnePiece returns.
type onePieceClient struct{ next aws.HTTPClient }

// Do sends a request.
func (c onePieceClient) Do(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return c.send(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	own := r.WithContext(r.Context())
	own.Body = io.NopCloser(bytes.NewReader(body))
	return c.send(own)
}

func (c onePieceClient) send(r *http.Request) (*http.Response, error) {
	res, err := c.next.Do(r)
	if failed, ok := errors.AsType[*net.OpError](err); ok && failed.Op == "dial" &&
		!failed.Temporary() {
		err = nothingListens{err}
	}
	if err == nil {
		res.Body = &boundedAnswer{res.Body, mostAnswer}
	}
	return res, err
}

// errLongAnswer is the error of an answer that no endpoint of DynamoDB gives.
var errLongAnswer = longAnswer{fmt.Errorf("the answer of the endpoint is larger than %d bytes",
	mostAnswer)}

// longAnswer is an error after which trying again is of no use.
type longAnswer struct{ error }

// RetryableError tells the SDK's retryer not to try again.
func (longAnswer) RetryableError() bool { return false }

// boundedAnswer is the body of an answer, which ends with an error where it is too long.
type boundedAnswer struct {
	io.ReadCloser
	left int64
}

// Read reads a part of the answer.
func (b *boundedAnswer) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLongAnswer
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// nothingListens is the error of a connection that was refused. The SDK would try again for
// seconds, in case a server starts meanwhile; somebody at a terminal wants to know at once.
type nothingListens struct{ error }

func (e nothingListens) Unwrap() error { return e.error }

// RetryableError tells the SDK's retryer not to try again.
func (nothingListens) RetryableError() bool { return false }
