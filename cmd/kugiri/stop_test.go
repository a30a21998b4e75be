package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStop sends SIGTERM to a server that has connections of all kinds. It ends well,
// within its grace, which it uses for requests only.
func TestStop(t *testing.T) {
	const head, health = "POST / HTTP/1.1\r\nHost: x\r\n", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, c := range []struct {
		name string
		sent []string // texts that are sent, on a connection each
		cut  bool     // something had to be cut off
	}{
		{"without connections", nil, false},
		{"with connections that were not used", []string{"", "", ""}, false},
		{"with connections that wait for another request", []string{health, health}, false},
		{"with connections in the middle of a request's headers", []string{head, health + head},
			false},
		{"with connections in the middle of a request's body",
			[]string{busy, "", health, health + busy}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log logBuffer
			url, process := started(t, &log)
			var conns []net.Conn
			for _, text := range c.sent {
				conns = append(conns, connected(t, url, text))
			}
			require.NoError(t, process.Process.Signal(syscall.SIGTERM))
			assert.NoError(t, process.Wait())
			assert.Equal(t, c.cut, strings.Contains(log.String(), "cut off"), log.String())
			for _, conn := range conns {
				_, err := io.Copy(io.Discard, conn)
				_ = err // closed or reset, either way it is over
			}
		})
	}
}

// TestExitWithStdin stops a server by the end of its standard input.
func TestExitWithStdin(t *testing.T) {
	stdin, end, err := os.Pipe()
	require.NoError(t, err)
	url, process := startedFrom(t, stdin, io.Discard, "--exit-with-stdin")
	require.NoError(t, stdin.Close())
	answer, err := http.Get(url + "/healthz")
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	require.NoError(t, end.Close())
	assert.NoError(t, process.Wait())
}

// started starts a server in another process (see TestMain). The end of the test kills the process
// if it still runs. The server logs to stderr, which has all of it once process.Wait has returned.
func started(t *testing.T, stderr io.Writer, args ...string) (url string, process *exec.Cmd) {
	return startedFrom(t, nil, stderr, args...)
}

// startedFrom starts a server whose standard input is a file; nil is an empty one.
func startedFrom(t *testing.T, stdin *os.File, stderr io.Writer, args ...string) (url string,
	process *exec.Cmd) {
	program, err := os.Executable()
	require.NoError(t, err)
	process = exec.Command(program,
		append([]string{"serve", "--host", "127.0.0.1", "--port", "0"}, args...)...)
	process.Env = append(os.Environ(), asKugiri+"=true")
	if stdin != nil {
		process.Stdin = stdin
	}
	var log logBuffer
	process.Stderr = stderr
	if _, own := stderr.(*os.File); !own {
		process.Stderr = io.MultiWriter(&log, stderr)
	}
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		process.Process.Kill()
		process.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		process.Wait()
		require.NoError(t, err, log.String())
	}
	_, url, ok := strings.Cut(strings.TrimSpace(line), "listening at ")
	require.True(t, ok, line)
	return url, process
}

// busy is the head of a request. The server asks for its body when it serves it.
const busy = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n" +
	"Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0\r\n" +
	"X-Amz-Date: 20260101T000000Z\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"

// connected opens a connection, sends text and returns when the server has done with it what it
// can.
func connected(t *testing.T, url, text string) net.Conn {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	_, err = io.WriteString(conn, text)
	require.NoError(t, err)
	answers := bufio.NewReader(conn)
	awaited := []string{}
	if strings.Contains(text, "/healthz") {
		awaited = append(awaited, "ok\n")
	}
	if strings.HasSuffix(text, busy) {
		awaited = append(awaited, "HTTP/1.1 100 Continue\r\n")
	}
	for _, want := range awaited {
		for line := ""; line != want; {
			line, err = answers.ReadString('\n')
			require.NoError(t, err)
		}
	}
	return conn
}
