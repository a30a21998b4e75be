package emulator

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
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
	caller   credential
}

// HTTPClient returns a client for the tables of an access key in a region. Both
// are names that do not contain a slash; anything else panics.
func (e *Emulator) HTTPClient(accessKey, region string) *HTTPClient {
	for _, name := range [...]string{accessKey, region} {
		if name == "" || strings.Contains(name, "/") {
			panic("emulator: no name of an access key or region: " + strconv.Quote(name))
		}
	}
	return &HTTPClient{e, credential{scope: accessKey + "/-/" + region, accessKey: accessKey, region: region}}
}

// callerKey is the key of the *credential that a request of an HTTPClient has if it is not signed.
type callerKey struct{}

// callerOf returns the credential of an unsigned request, or nil.
func callerOf(r *http.Request) *credential {
	c, _ := r.Context().Value(callerKey{}).(*credential)
	return c
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
	in := r.WithContext(context.WithValue(ctx, callerKey{}, &c.caller))
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
	x := newExchange()
	if !x.serve(c.emulator, in) {
		return nil, &url.Error{Op: r.Method, URL: r.URL.String(), Err: io.EOF}
	}
	if r.Method == http.MethodHead {
		x.read = len(x.body) // its length is all that there is of it
	}
	return x.answer(r), nil
}

// RoundTrip is Do.
func (c *HTTPClient) RoundTrip(r *http.Request) (*http.Response, error) { return c.Do(r) }

// exchange is the answer to a request of an HTTPClient, first as an
// http.ResponseWriter, then as an http.Response and its body, all in one piece of memory.
type exchange struct {
	header http.Header
	status int
	body   []byte
	read   int
	http.Response
}

// answerHeaderCount is how many headers an answer has.
const answerHeaderCount = 6

func newExchange() *exchange { return &exchange{header: make(http.Header, answerHeaderCount)} }

// serve reports whether there is an answer.
func (x *exchange) serve(e *Emulator, r *http.Request) (answered bool) {
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			panic(p)
		}
	}()
	e.handler.ServeHTTP(x, r)
	return true
}

// answer is the answer to r.
func (x *exchange) answer(r *http.Request) *http.Response {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	status := okStatus
	if x.status != http.StatusOK {
		status = strconv.Itoa(x.status) + " " + http.StatusText(x.status)
	}
	x.Response = http.Response{
		Status: status, StatusCode: x.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: x.header, ContentLength: int64(len(x.body)), Body: (*exchangeBody)(x), Request: r,
	}
	return &x.Response
}

const okStatus = "200 OK"

// Header is that of http.ResponseWriter, and so are WriteHeader and Write.
func (x *exchange) Header() http.Header { return x.header }

func (x *exchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
	}
}

func (x *exchange) Write(b []byte) (int, error) {
	x.WriteHeader(http.StatusOK)
	x.body = append(x.body, b...)
	return len(b), nil
}

// exchangeBody is an exchange as the body of its answer.
type exchangeBody exchange

func (b *exchangeBody) Read(p []byte) (int, error) {
	if b.read == len(b.body) {
		return 0, io.EOF
	}
	n := copy(p, b.body[b.read:])
	b.read += n
	return n, nil
}

// Close does nothing: what has not been read goes with the answer.
func (b *exchangeBody) Close() error { return nil }
