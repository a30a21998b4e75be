package emulator

import (
	"io"
	"net/http"
	"net/url"

	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// HTTPClient sends requests to an Emulator in its own process: no port is opened,
// nothing is copied through the kernel, and the goroutine that sends a request also
// answers it. It fits where an AWS SDK for Go takes an HTTP client, and is an
// http.RoundTripper for everything else. It is safe for concurrent use, and works
// for as long as it is kept.
//
// A request may be unsigned, which saves what signing costs; it is then one of the
// access key and to the region of the client. A signed one speaks for itself.
type HTTPClient struct {
	emulator *Emulator
	caller   auth.Credential
}

// Do sends a request and returns the answer. The error is that of the request's
// context, if it has ended before, or an url.Error of io.EOF if the service ends
// the connection instead of answering.
func (c *HTTPClient) Do(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if r.Body != nil {
		defer r.Body.Close()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in := auth.WithCaller(r, &c.caller)
	switch {
	case in.Body == nil:
		in.Body = http.NoBody
	case in.ContentLength == 0 && in.Body != http.NoBody:
		in.ContentLength = -1 // it is not known: see http.Request
	}
	if in.URL.Path == "" {
		u := *in.URL
		u.Path = "/"
		in.URL = &u
	}
	x := httpd.NewExchange()
	if !x.Serve(c.emulator.handler, in) {
		return nil, &url.Error{Op: r.Method, URL: r.URL.String(), Err: io.EOF}
	}
	if r.Method == http.MethodHead {
		x.DropBody()
	}
	return x.Answer(r), nil
}

// RoundTrip is Do.
func (c *HTTPClient) RoundTrip(r *http.Request) (*http.Response, error) { return c.Do(r) }
