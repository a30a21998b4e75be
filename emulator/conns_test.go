package emulator

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// dial starts a server and opens a connection to it.
func dial(t *testing.T) (*Server, net.Conn) {
	s, err := New().Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return s, c
}

// serving waits until the server has a connection, and serves a request on it if
// active is true.
func serving(s *Server, active bool) {
	for {
		open, serving, _ := s.conns.Count()
		if active && serving > 0 || !active && open > serving {
			return
		}
		runtime.Gosched()
	}
}

func TestConnectionsEnd(t *testing.T) {
	const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n" +
		"Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0\r\n" +
		"X-Amz-Date: 20260101T000000Z\r\nContent-Length: 10\r\n"
	for _, c := range []struct {
		name, send, want string
		active           bool
		ticks            int // how many ticks pass before the server says its last word
	}{
		{"nothing is sent", "", "", false, httpd.IdleTicks + httpd.LastWordTicks},
		{"headers do not end", head, "", false, httpd.IdleTicks + httpd.LastWordTicks},
		{"the body does not come", head + "\r\n{", "HTTP/1.1 408 Request Timeout", true,
			httpd.ActiveTicks},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, conn := dial(t)
			_, err := conn.Write([]byte(c.send))
			require.NoError(t, err)
			serving(s, c.active)
			for range c.ticks + 1 {
				s.conns.Sweep()
			}
			sent, _ := io.ReadAll(conn) // ends, perhaps by a reset, because the server closes
			assert.Equal(t, c.want, string(sent[:min(len(c.want), len(sent))]))
		})
	}
}

// TestIdleConnectionsStopNobody opens many connections on which nothing is sent, or which begin a
// request and never end it.
func TestIdleConnectionsStopNobody(t *testing.T) {
	count := 5000
	if httpd.RaceDetector {
		count = 1000
	}
	s, first := dial(t)
	var all []net.Conn
	for i := range count {
		c, err := net.Dial("tcp", first.RemoteAddr().String())
		if err != nil {
			// this process holds both ends, and files are limited
			t.Logf("%d connections, then: %v", i, err)
			require.Greater(t, i, 400)
			break
		}
		t.Cleanup(func() { c.Close() })
		all = append(all, c)
		if i%2 == 0 {
			_, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nX-Slow")
			require.NoError(t, err)
		}
	}
	answers := bufio.NewReader(first)
	for range 3 {
		fmt.Fprint(first, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		r, err := http.ReadResponse(answers, nil)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, r.Body)
		require.NoError(t, err)
		require.Equal(t, 200, r.StatusCode)
	}
	// one that is accepted later is not swept
	for accepted := 0; accepted <= len(all); runtime.Gosched() {
		accepted, _, _ = s.conns.Count()
	}
	for range httpd.IdleTicks + httpd.LastWordTicks + 1 {
		s.conns.Sweep()
	}
	for _, c := range all {
		_, err := io.Copy(io.Discard, c)
		_ = err // closed or reset, either way the server has ended it
	}
}

func TestOversizedHeaders(t *testing.T) {
	s, c := dial(t)
	// until the server closes
	go io.WriteString(c,
		"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: "+strings.Repeat("x", 10*maxHeaderBytes))
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	assert.Equal(t, 400, r.StatusCode) // service facts 9.7
	res, err := http.Get(s.URL + "/healthz")
	require.NoError(t, err)
	res.Body.Close()
	assert.Equal(t, 200, res.StatusCode, "the server lives")
}
