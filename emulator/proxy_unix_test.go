//go:build unix

package emulator

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// proxies are the programs that may stand in front of a server, with a file of settings that keeps
// connections to the server, and lets all clients share them.
var proxies = []struct {
	program  string
	args     func(file string) []string
	settings string // a file with the directory, the proxy's socket and the server's address
}{
	{"nginx", func(file string) []string { return []string{"-c", file, "-e", file + ".log"} },
		`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/log;
		events {}
		http {
			access_log off;
			client_body_temp_path %[1]s/a; proxy_temp_path %[1]s/b; fastcgi_temp_path %[1]s/c;
			uwsgi_temp_path %[1]s/d; scgi_temp_path %[1]s/e;
			upstream kugiri { server %[3]s; keepalive 1; }
			server { listen unix:%[2]s; location / { proxy_pass http://kugiri; proxy_http_version 1.1;
				proxy_set_header Connection ""; proxy_request_buffering off; } }
		}`},
	{"haproxy", func(file string) []string { return []string{"-db", "-f", file} },
		`global
  maxconn 100
defaults
  mode http
  timeout connect 10s
  timeout client 10s
  timeout server 10s
  http-reuse always
  option http-keep-alive
frontend front
  bind unix@%[2]s
  default_backend kugiri
backend kugiri
  # %[1]s
  server kugiri %[3]s maxconn 1
`},
}

// startProxy starts a proxy in front of a server, and returns a function that connects to it.
func startProxy(t *testing.T, i int, server string) func() net.Conn {
	p := proxies[i]
	program, err := exec.LookPath(p.program)
	if err != nil {
		t.Skipf("%s is not installed", p.program)
	}
	dir, err := os.MkdirTemp("", "p") // the name of a socket is short
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket, file := filepath.Join(dir, "s"), filepath.Join(dir, "settings")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, p.settings, dir, socket, server), 0o600))
	c := exec.Command(program, p.args(file)...)
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	require.NoError(t, c.Start())
	ended := make(chan struct{})
	go func() {
		c.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		c.Process.Kill()
		<-ended
	})
	return func() net.Conn {
		for {
			conn, err := net.Dial("unix", socket)
			if err == nil {
				t.Cleanup(func() { conn.Close() })
				return conn
			}
			select {
			case <-ended:
				require.Fail(t, p.program+" has ended", out.String())
			default:
				runtime.Gosched()
			}
		}
	}
}

// TestNothingIsSmuggledThroughProxies: requests that a proxy and the server might take for another
// number of requests. The one that is hidden in them is not carried out, and the next client of the
// proxy, which gets the same connection to the server, gets its own answer.
func TestNothingIsSmuggledThroughProxies(t *testing.T) {
	const create = `{"TableName":"smuggled","BillingMode":"PAY_PER_REQUEST",` +
		`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],` +
		`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`
	hidden := strings.Replace(callHead, "ListTables", "CreateTable", 1) +
		fmt.Sprintf("Content-Length: %d\r\n\r\n", len(create)) + create
	chunk := func(text string) string {
		return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(text), text)
	}
	length := func(text string) string { return fmt.Sprintf("Content-Length: %d\r\n", len(text)) }
	empty := "0\r\n\r\n"
	attacks := []struct{ name, send string }{
		{"a length, and chunks that end", callHead + length(empty+hidden) +
			"Transfer-Encoding: chunked\r\n\r\n" + empty + hidden},
		{"chunks, and a length that ends", callHead + "Transfer-Encoding: chunked\r\n" +
			"Content-Length: 4\r\n\r\n" + chunk(hidden)},
		{"chunks with a blank", callHead + length(empty+hidden) +
			"Transfer-Encoding : chunked\r\n\r\n" + empty + hidden},
		{"chunks with a tab", callHead + length(empty+hidden) +
			"Transfer-Encoding:\tchunked\r\n\r\n" + empty + hidden},
		{"chunks with a vertical tab", callHead + length(empty+hidden) +
			"Transfer-Encoding: \x0bchunked\r\n\r\n" + empty + hidden},
		{"chunks in a folded line", callHead + length(empty+hidden) +
			"Transfer-Encoding:\r\n chunked\r\n\r\n" + empty + hidden},
		{"chunks in another word", callHead + length(empty+hidden) +
			"Transfer-Encoding: xchunked\r\n\r\n" + empty + hidden},
		{"chunks after another coding", callHead + length(empty+hidden) +
			"Transfer-Encoding: identity, chunked\r\n\r\n" + empty + hidden},
		{"chunks twice", callHead + length(empty+hidden) +
			"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + empty + hidden},
		{"chunks in large letters", callHead + length(empty+hidden) +
			"TRANSFER-ENCODING: CHUNKED\r\n\r\n" + empty + hidden},
		{"two lengths",
			callHead + "Content-Length: 2\r\n" + length("{}"+hidden) + "\r\n{}" + hidden},
		{"two lengths in a line", callHead + "Content-Length: 2, 1000\r\n\r\n{}" + hidden},
		{"a length with a sign", callHead + "Content-Length: +2\r\n\r\n{}" + hidden},
		{"a length with a blank", callHead + fmt.Sprintf("Content-Length : %d\r\n\r\n{}",
			len(hidden)+2) + hidden},
		{"a length with noughts", callHead + "Content-Length: 0x2\r\n\r\n{}" + hidden},
		{"a line feed alone", callHead + "X: y\nContent-Length: 2\r\n\r\n{}"},
		{"a carriage return in a header", callHead + "X: y\rTransfer-Encoding: chunked\r\n" +
			length(empty+hidden) + "\r\n" + empty + hidden},
		{"an extension of a chunk", callHead + "Transfer-Encoding: chunked\r\n\r\n2;\nx\r\n{}\r\n" +
			empty},
		{"a size of a chunk with a line feed", callHead + "Transfer-Encoding: chunked\r\n\r\n" +
			"2\n{}\n0\n\n"},
		{"a size of a chunk beyond all numbers", callHead + "Transfer-Encoding: chunked\r\n\r\n" +
			"10000000000000002\r\n{}\r\n" + empty},
		{"a trailer with a length", callHead + "Transfer-Encoding: chunked\r\n\r\n" +
			"2\r\n{}\r\n0\r\n" +
			"Content-Length: 0\r\n\r\n"},
		{"a body of GET",
			"GET /healthz HTTP/1.1\r\nHost: x\r\n" + length(hidden) + "\r\n" + hidden},
		{"HTTP/1.0 with chunks", strings.Replace(callHead, "1.1", "1.0", 1) +
			length(empty+hidden) + "Transfer-Encoding: chunked\r\n\r\n" + empty + hidden},
		{"an upgrade to HTTP/2", "GET /healthz HTTP/1.1\r\nHost: x\r\n" +
			"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n" +
			"HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
		{"an expectation", callHead + "Expect: 100-continue\r\n" + length("{}") + "\r\n{}"},
	}
	for i, p := range proxies {
		t.Run(p.program, func(t *testing.T) {
			s, err := New(WithSharedData()).Start("127.0.0.1:0")
			require.NoError(t, err)
			t.Cleanup(func() { s.Close() })
			connect := startProxy(t, i, strings.TrimPrefix(s.URL, "http://"))
			for _, a := range attacks {
				conn := connect()
				go func() {
					// the proxy may close before it has read all
					io.WriteString(conn, a.send)
					conn.(*net.UnixConn).CloseWrite()
				}()
				// a proxy may reset it, which is as good as an answer
				_, _ = io.ReadAll(conn)
				next := answered(t, connect(), goodCall)
				_, first, _ := strings.Cut(next, "\r\n\r\n")
				assert.True(t, strings.HasPrefix(first, goodAnswer), "%s: %q", a.name, next)
			}
		})
	}
}
