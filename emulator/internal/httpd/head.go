package httpd

import (
	"bytes"
	"crypto/tls"
	"io"
	"net/http"
	"sync/atomic"
)

// MaxHead is the maximum number of bytes of a request's first line, and also of all its headers
// together (service facts 9.7).
const MaxHead = 16 << 10

// surelyShort is how many bytes the first line and the headers of a request may have for none of
// them to be too long. At most a buffer of them was read before.
const surelyShort = MaxHead - httpBuffer

// mayBeLong is set once a request of this process has a longer head, or its length is not known.
// Until then no request pays for finding its connection.
var mayBeLong atomic.Bool

// HeadTooLong reports whether the first line or the headers of a Server's request are longer than
// the service takes. Servers of others have their own limits.
func HeadTooLong(r *http.Request) bool {
	if !mayBeLong.Load() {
		return false
	}
	switch c := r.Context().Value(connKey{}).(type) {
	case *conn:
		if c.head <= surelyShort {
			return false
		}
	case *tls.Conn:
	default:
		return false
	}
	line := len(r.Method) + len(" ") + len(r.RequestURI) + len(" ") + len(r.Proto) + len("\r\n")
	headers := len("Host: \r\n") + len(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			headers += len(name) + len(": ") + len(v) + len("\r\n")
		}
	}
	return line > MaxHead || headers > MaxHead
}

// First returns the first value of a header, or "".
func First(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// ServeTooLong answers a request whose first line or headers are too long, and ends the connection.
func ServeTooLong(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Connection", "close")
	w.WriteHeader(http.StatusBadRequest)
	io.WriteString(w, "400 Bad Request") // the client is gone if this fails
}

// The beginning of http.Server's answer to a request beyond maxHeaderBytes, and the service's
// answer to it.
var (
	serversTooLong = []byte("HTTP/1.1 431 ")
	answerTooLong  = []byte(
		"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 15\r\nConnection: close\r\n\r\n400 Bad Request")
)

// asServed converts an answer of http.Server to that of the service.
func asServed(answer []byte) []byte {
	if bytes.HasPrefix(answer, serversTooLong) {
		return answerTooLong
	}
	return answer
}
