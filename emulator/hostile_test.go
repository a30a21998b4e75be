package emulator

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// callHead are the header lines of a call that is answered with 200 and a list of tables if its
// body is {}.
const callHead = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n" +
	"Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0\r\n" +
	"X-Amz-Date: 20260101T000000Z\r\n"

const (
	goodCall    = callHead + "Content-Length: 2\r\n\r\n{}"
	chunkedCall = callHead + "Transfer-Encoding: chunked\r\n\r\n"
	goodAnswer  = `{"TableNames":[]}`
)

// spaces is a reader of that many spaces.
func spaces(n int64) io.Reader { return io.LimitReader(endless(' '), n) }

type endless byte

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

// bomb is that many MiB of spaces, compressed.
func bomb(t *testing.T, n int) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.Copy(z, spaces(1<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	// RFC 1952, 2.2: what is compressed in parts is the parts in a row
	return strings.Repeat(b.String(), n)
}

// chunked is a call with a compressed body in one chunk.
func chunked(compressed string) string {
	return callHead + fmt.Sprintf(
		"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n",
		len(compressed)) + compressed + "\r\n0\r\n\r\n"
}

// answered sends text and a request to close the connection, and returns what was
// answered before the server did.
func answered(t *testing.T, conn net.Conn, text string) string {
	// the server may close before it has read all
	go io.WriteString(conn, text+"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	answer, err := io.ReadAll(conn)
	_ = err // closed or reset, either way it is over
	return string(answer)
}

// withBody is a call with a length and more header lines.
func withBody(body string, lines ...string) string {
	return callHead + strings.Join(lines, "") + fmt.Sprintf("Content-Length: %d\r\n\r\n",
		len(body)) + body
}

// TestHostileBytes sends what no client should and one good call behind it on the
// same connection, which is either answered or cut off, but never misread; and one
// on another connection, which is always answered.
func TestHostileBytes(t *testing.T) {
	const serialization = "SerializationException"
	for _, c := range []struct {
		name, send string
		want       string // a part of the answer
		goesOn     bool   // the connection serves the call that follows
	}{
		{"noughts", strings.Repeat("\x00", 100) + "\r\n\r\n", "400 Bad Request", false},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "404 Not Found", false},
		{"HTTP/9.9", "POST / HTTP/9.9\r\nHost: x\r\n\r\n", "505 HTTP Version", false},
		{"no host", "POST / HTTP/1.1\r\n\r\n", "400 Bad Request", false},
		{"an upgrade", "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
			"healthy", true},
		{"a tunnel", "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n", "404 Not Found", true},
		{"an expectation", callHead + "Expect: wonders\r\nContent-Length: 2\r\n\r\n{}",
			"417 Expectation Failed", false},
		{"a header without a name", callHead + ": x\r\nContent-Length: 2\r\n\r\n{}",
			"400 Bad Request", false},
		{"a header with a nought", callHead + "X-Y: \x00\r\nContent-Length: 2\r\n\r\n{}",
			"400 Bad Request", false},
		{"two lengths", callHead + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
			"400 Bad Request", false},
		{"a negative length", callHead + "Content-Length: -2\r\n\r\n{}", "400 Bad Request", false},
		{"a length without end", callHead + "Content-Length: 99999999999999999999\r\n\r\n{}",
			"400 Bad Request", false},
		{"a length and chunks",
			callHead +
				"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
			goodAnswer, true},
		{"an unknown encoding", callHead + "Transfer-Encoding: gzip\r\n\r\n{}",
			"501 Not Implemented", false},
		{"a chunk", chunkedCall + "2\r\n{}\r\n0\r\n\r\n", goodAnswer, true},
		{"a chunk without a size", chunkedCall + "two\r\n{}\r\n0\r\n\r\n", serialization, false},
		{"a chunk of too large a size", chunkedCall + "fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
			serialization, false},
		{"a chunk that is longer than its size", chunkedCall + "2\r\n{}{}\r\n0\r\n\r\n",
			serialization, false},
		{"chunks with more extension than content",
			chunkedCall + strings.Repeat("1;"+strings.Repeat("x", 3000)+"\r\n \r\n",
				8) + "0\r\n\r\n", serialization, false},
		{"no JSON", withBody("GARBAGE"), serialization, true},
		{"JSON that nests", withBody(strings.Repeat("[", 1<<20)), serialization, true},
		{"values that nest",
			withBody(`{"ExclusiveStartTableName":` +
				strings.Repeat(`{"L":[`, 1<<17) + strings.Repeat("]}", 1<<17) + "}"), serialization,
			true},
		{"gzip that is none", withBody("GARBAGE", "Content-Encoding: gzip\r\n"),
			"500 Internal Server Error", true},
		{"gzip cut short", withBody(bomb(t, 1)[:20], "Content-Encoding: gzip\r\n"),
			"500 Internal Server Error", true},
		{"a gzip bomb", withBody(bomb(t, 64), "Content-Encoding: gzip\r\n"),
			"413 Request Entity Too Large", true},
		{"a gzip bomb in chunks", chunked(bomb(t, 64)), "413 Request Entity Too Large", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, conn := dial(t)
			first, second, _ := strings.Cut(answered(t, conn, c.send+goodCall)[1:],
				"HTTP/1.1 200 OK\r\nConnection: keep-alive")
			assert.Contains(t, first, c.want)
			assert.Equal(t, c.goesOn, strings.Contains(second, goodAnswer), second)
			other, err := net.Dial("tcp", conn.RemoteAddr().String())
			require.NoError(t, err)
			defer other.Close()
			assert.Contains(t, answered(t, other, goodCall), goodAnswer)
			require.NoError(t, s.Close())
		})
	}
}

// TestEndlessBody: a body in chunks has no length to refuse it by.
func TestEndlessBody(t *testing.T) {
	_, conn := dial(t)
	go func() {
		io.WriteString(conn, chunkedCall)
		chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat(" ", 1<<20))
		for {
			if _, err := io.WriteString(conn, chunk); err != nil {
				return // the server has had enough
			}
		}
	}()
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	assert.Equal(t, 413, r.StatusCode)
	assert.True(t, r.Close)
}

// TestAnnouncedBodiesCostLittle: what is set aside for a body grows with what has come of it, up to
// the first megabyte. The memory of all large bodies together has a bound of its own.
func TestAnnouncedBodiesCostLittle(t *testing.T) {
	for _, sent := range []int64{0, 1, httpd.Trusted, httpd.Trusted + 1, 1<<20 - 1} {
		b, err := httpd.ReadAll(nil, spaces(sent), 16<<20, 16<<20)
		require.Error(t, err)
		assert.Len(t, b, int(sent))
		assert.LessOrEqual(t, int64(cap(b)), max(3*sent, 2*httpd.Trusted), sent)
	}
	for _, size := range []int64{0, 1, httpd.Trusted, httpd.Trusted + 1, 3 * httpd.Trusted, 1 << 20,
		16 << 20} {
		b, err := httpd.ReadAll(make([]byte, 0, 100), spaces(size+1), size, 16<<20)
		require.NoError(t, err)
		assert.Len(t, b, int(size))
	}
	b, err := httpd.ReadAll(make([]byte, 0, 2<<20), spaces(1), 2<<20, 16<<20)
	require.Error(t, err)
	assert.Equal(t, 2<<20, cap(b), "memory that is there is used at once")
}

// TestAnswersThatNobodyReads sends calls and reads no answers, until the server ends the
// connection.
func TestAnswersThatNobodyReads(t *testing.T) {
	s, conn := dial(t)
	var ended atomic.Bool
	go func() {
		for {
			if _, err := io.WriteString(conn, goodCall); err != nil {
				ended.Store(true)
				return
			}
		}
	}()
	for !ended.Load() {
		s.conns.Sweep()
		runtime.Gosched()
	}
	other, err := net.Dial("tcp", conn.RemoteAddr().String())
	require.NoError(t, err)
	defer other.Close()
	assert.Contains(t, answered(t, other, goodCall), goodAnswer)
}

// TestTLSWithoutTLS: https:// where the server speaks plain HTTP fails at once, with
// an error that says so, and does not hang until the client loses patience.
func TestTLSWithoutTLS(t *testing.T) {
	s, conn := dial(t)
	_, err := http.Get("https" + strings.TrimPrefix(s.URL, "http"))
	assert.ErrorContains(t, err, "server gave HTTP response to HTTPS client")

	// the begin of a greeting, in which there is no line
	_, err = conn.Write([]byte{httpd.TLSHandshake, 3, 1, 2, 0, 1, 0})
	require.NoError(t, err)
	answer, err := io.ReadAll(conn)
	require.NoError(t, err)
	assert.Equal(t, httpd.AnswerToTLS, string(answer))
}

// TestGarbageToTLS: one client that does not speak TLS, or stops in the middle of its greeting, is
// in nobody's way.
func TestGarbageToTLS(t *testing.T) {
	lender := httptest.NewTLSServer(nil)
	defer lender.Close()
	s, err := New().StartTLS("127.0.0.1:0", &tls.Config{Certificates: lender.TLS.Certificates})
	require.NoError(t, err)
	defer s.Close()
	for _, send := range []string{"", "\x16", "\x16\x03\x01\x02\x00\x01\x00",
		"\x16\x03\x01\xff\xff" + strings.Repeat("x", 70_000), goodCall, "\x00"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "https://"))
		require.NoError(t, err)
		defer conn.Close()
		go io.WriteString(conn, send) // the server may close before it has read all
		r, err := lender.Client().Get(s.URL + "/healthz")
		require.NoError(t, err)
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
		assert.Equal(t, 200, r.StatusCode)
	}
}

// TestReady: a server that stops still answers on the connections that it has, and says there that
// it is not ready.
func TestReady(t *testing.T) {
	s, busy := dial(t)
	status := func(path string) int {
		r, err := http.Get(s.URL + path)
		require.NoError(t, err)
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
		return r.StatusCode
	}
	assert.Equal(t, 200, status("/readyz"))
	_, err := io.WriteString(busy, callHead+"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
	require.NoError(t, err)
	// it is being served, and will be waited for
	_, err = io.ReadFull(busy, make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n")))
	require.NoError(t, err)

	s.stopping.Store(true)
	assert.Equal(t, 503, status("/readyz"))
	assert.Equal(t, 200, status("/healthz"))
	s.stopping.Store(false)
	done := make(chan error)
	go func() { done <- s.Shutdown(context.Background()) }()
	for !s.stopping.Load() { // the last request has not ended yet
		runtime.Gosched()
	}
	_, err = io.WriteString(busy, "{}")
	require.NoError(t, err)
	assert.NoError(t, <-done)
}
