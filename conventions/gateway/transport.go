package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// signer signs forwarded requests with the gateway's credentials.
type signer struct {
	gateway *Gateway
	next    http.RoundTripper
}

var sigv4Signer = v4.NewSigner()

// RoundTrip signs and sends a request, which is the proxy's own copy.
func (s *signer) RoundTrip(r *http.Request) (*http.Response, error) {
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, errors.New("gateway: a request that was not judged")
	}
	for _, name := range [...]string{"Authorization", "X-Amz-Date", "Date", "X-Amz-Security-Token",
		"X-Amz-Content-Sha256"} {
		r.Header.Del(name)
	}
	credentials, err := s.gateway.config.Credentials.Retrieve(r.Context())
	if err != nil {
		return nil, fmt.Errorf("gateway: its credentials: %w", err)
	}
	hash := sha256.Sum256(x.body)
	now := s.gateway.config.Now()
	if err := sigv4Signer.SignHTTP(r.Context(), credentials, r, hex.EncodeToString(hash[:]),
		"dynamodb", x.region, now); err != nil {
		return nil, fmt.Errorf("gateway: signing: %w", err)
	}
	// GetBody lets net/http send the request again on a new connection if the upstream closed the
	// old one before any byte was sent.
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.body)), nil }
	return s.next.RoundTrip(r)
}

// buffers provides buffers to copy answers with.
type buffers struct{ pool sync.Pool }

const bufferBytes = 32 << 10

func (b *buffers) Get() []byte {
	if p, ok := b.pool.Get().(*[bufferBytes]byte); ok {
		return p[:]
	}
	return make([]byte, bufferBytes)
}

func (b *buffers) Put(p []byte) { b.pool.Put((*[bufferBytes]byte)(p)) }
