package httpd

import (
	"io"
	"net/http"
	"strconv"
)

// Exchange is the answer to a request of an HTTPClient, all in one piece of memory. It serves as
// the http.ResponseWriter, then as the http.Response and its body.
type Exchange struct {
	header http.Header
	status int
	body   []byte
	read   int
	http.Response
}

// answerHeaderCount is how many headers an answer has.
const answerHeaderCount = 6

func NewExchange() *Exchange { return &Exchange{header: make(http.Header, answerHeaderCount)} }

// Serve calls h for r and reports whether h has answered.
func (x *Exchange) Serve(h http.Handler, r *http.Request) (answered bool) {
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			panic(p)
		}
	}()
	h.ServeHTTP(x, r)
	return true
}

// DropBody drops the body of an answer. Only its length is sent.
func (x *Exchange) DropBody() { x.read = len(x.body) }

// Answer returns the answer to r.
func (x *Exchange) Answer(r *http.Request) *http.Response {
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

// Header implements http.ResponseWriter, as WriteHeader and Write do.
func (x *Exchange) Header() http.Header { return x.header }

func (x *Exchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
	}
}

func (x *Exchange) Write(b []byte) (int, error) {
	x.WriteHeader(http.StatusOK)
	x.body = append(x.body, b...)
	return len(b), nil
}

// exchangeBody is an exchange as the body of its answer.
type exchangeBody Exchange

func (b *exchangeBody) Read(p []byte) (int, error) {
	if b.read == len(b.body) {
		return 0, io.EOF
	}
	n := copy(p, b.body[b.read:])
	b.read += n
	return n, nil
}

// Close does nothing: the memory of the body belongs to the answer.
func (b *exchangeBody) Close() error { return nil }
