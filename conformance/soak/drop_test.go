package soak

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"

	"github.com/stretchr/testify/assert"
)

// raw is a request as it is sent.
func raw(operation, body string) string {
	return head(operation) + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body
}

// rawChunks is raw with a chunked body.
func rawChunks(operation, body string) string {
	half := len(body) / 2
	return head(operation) + fmt.Sprintf(
		"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", half, body[:half],
		len(body)-half, body[half:])
}

func head(operation string) string {
	return "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + contentType + "\r\nX-Amz-Target: " +
		target(operation) +
		"\r\nAuthorization: " + authorization + "\r\nX-Amz-Date: " + date + "\r\n"
}

// droppers returns the actions of the goroutines that drop connections. Each goroutine repeats one.
func (l *load) droppers() []func(*rand.Rand) {
	return []func(*rand.Rand){l.cut, l.sendAway, l.readHalf}
}

// cut sends a part of a request, which must then have no effect. It sometimes sends a whole
// transfer, because its effect is right even if nobody reads the answer.
func (l *load) cut(r *rand.Rand) {
	text := ""
	switch r.IntN(3) {
	case 0:
		text = raw("UpdateItem", addition("cut"))
	case 1:
		text = rawChunks("UpdateItem", addition("cut"))
		text = strings.TrimSuffix(text, "0\r\n\r\n") // the request would be complete with it
	case 2:
		text = raw("TransactWriteItems", transferBody(r)) + " "
	}
	at := len(text) - 1
	if r.IntN(4) > 0 {
		at = r.IntN(len(text))
	}
	l.drop(r, text[:at], 0)
}

// sendAway sends a request and does not wait for the answer.
func (l *load) sendAway(r *rand.Rand) {
	l.whole.Add(1)
	l.drop(r, raw("UpdateItem", addition("whole")), 0)
}

// readHalf reads a part of a long answer.
func (l *load) readHalf(r *rand.Rand) {
	l.drop(r, raw("Scan", `{"TableName":"items"}`), 1+r.IntN(100_000))
}

// drop sends text on a new connection, reads up to read bytes of the answer and closes the
// connection.
func (l *load) drop(r *rand.Rand, text string, read int) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(l.url, "http://"))
	if !assert.NoError(l, err) {
		return
	}
	defer conn.Close()
	if r.IntN(32) > 0 {
		// close by a reset; otherwise the port stays in use for a minute
		conn.(*net.TCPConn).SetLinger(0)
	}
	_, err = io.WriteString(conn, text)
	assert.NoError(l, err)
	if read > 0 {
		_, err = io.ReadAtLeast(conn, make([]byte, read), min(read, 100)) // the table may have less
		assert.NoError(l, err)
	}
}
