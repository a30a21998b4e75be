package emulator

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// TestLongHeads: service facts 9.7.
func TestLongHeads(t *testing.T) {
	line := func(n int) string {
		return "POST /" + strings.Repeat("?", n-len("POST / HTTP/1.1\r\n")) + " HTTP/1.1\r\n"
	}
	headers := func(n int) string { // headers of n bytes in all, and the body
		_, others, _ := strings.Cut(goodCall, "\r\n")
		others = strings.TrimSuffix(others, "\r\n{}")
		return others + "X-Long: " + strings.Repeat("x",
			n-len(others)-len("X-Long: \r\n")) + "\r\n\r\n{}"
	}
	many := strings.Repeat("X-Many: "+strings.Repeat("x", 1000)+"\r\n", 17)
	const post = "POST / HTTP/1.1\r\n"
	for _, c := range []struct {
		name, send string
		want       int
	}{
		{"headers as long as may be", post + headers(httpd.MaxHead), 200},
		{"headers that are longer", post + headers(httpd.MaxHead+1), 400},
		{"headers that are much longer", post + headers(3*httpd.MaxHead), 400},
		{"headers without end", post + headers(10*maxHeaderBytes), 400},
		{"many headers", post + many + headers(2000), 400},
		{"a line as long as may be", line(httpd.MaxHead) + headers(2000), 200},
		{"a line that is longer", line(httpd.MaxHead+1) + headers(2000), 400},
		{"a line without end", line(10*maxHeaderBytes) + headers(2000), 400},
		{"both as long as may be", line(httpd.MaxHead) + headers(httpd.MaxHead), 200},
	} {
		for name, encrypted := range map[string]bool{"": false, " over TLS": true} {
			if encrypted && strings.HasSuffix(c.name, "without end") {
				continue // http.Server's own answer, which is encrypted
			}
			t.Run(c.name+name, func(t *testing.T) {
				conn := dialEither(t, encrypted)
				answers := bufio.NewReader(conn)
				for range 2 { // the second time after another request on the connection
					go io.WriteString(conn, c.send) // the server may close before it has read all
					r, err := http.ReadResponse(answers, nil)
					require.NoError(t, err)
					body, err := io.ReadAll(r.Body)
					require.NoError(t, err)
					assert.Equal(t, c.want, r.StatusCode)
					if c.want == 400 {
						assert.Equal(t, "400 Bad Request", string(body))
						assert.True(t, r.Close)
						return
					}
					assert.Equal(t, goodAnswer, string(body))
				}
			})
		}
	}
	t.Run("a long body is none", func(t *testing.T) {
		conn := dialEither(t, false)
		answers := bufio.NewReader(conn)
		for range 3 {
			go io.WriteString(conn, withBody("{"+strings.Repeat(" ", 10*httpd.MaxHead)+"}"))
			r, err := http.ReadResponse(answers, nil)
			require.NoError(t, err)
			io.Copy(io.Discard, r.Body)
			assert.Equal(t, 200, r.StatusCode)
		}
	})
}

// dialEither is dial, over TLS if encrypted is true.
func dialEither(t *testing.T, encrypted bool) net.Conn {
	if !encrypted {
		_, conn := dial(t)
		return conn
	}
	lender := httptest.NewTLSServer(nil)
	t.Cleanup(lender.Close)
	s, err := New().StartTLS("127.0.0.1:0", &tls.Config{Certificates: lender.TLS.Certificates})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	conn, err := tls.Dial("tcp", strings.TrimPrefix(s.URL, "https://"),
		&tls.Config{InsecureSkipVerify: true})
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}
