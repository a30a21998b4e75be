package main

import (
	"bytes"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// inOnePiece sends requests from memory, with headers and body in one write. The SDK's own body is a stream to net/http,
// which sends the headers first, then the body, and then looks for more of it. An answer that comes before that look, as
// from a server on the same machine, has the SDK close the body; smithy-go's safeReadCloser then tells net/http io.EOF
// instead of nothing, and the connection is closed while a long answer is read ("use of closed network connection").
type inOnePiece struct{ next aws.HTTPClient }

// Do sends a request.
func (c inOnePiece) Do(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return c.next.Do(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	own := r.WithContext(r.Context())
	own.Body = io.NopCloser(bytes.NewReader(body))
	return c.next.Do(own)
}
