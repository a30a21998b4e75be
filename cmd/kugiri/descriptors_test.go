//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestDescriptorsUsedUp: a server that can open no file goes on, on the connection that
// it has, although its log is full again and again. If it is killed then,
// everything is there afterwards; if it can open files again, it puts its logs in order.
func TestDescriptorsUsedUp(t *testing.T) {
	const items = 100 // each has 100 KB
	dir := filepath.Join(t.TempDir(), "data")
	there := map[string]int{}
	for round, level := range []string{"relaxed", "strict", "relaxed"} {
		var log logBuffer
		url, process := started(t, &log, "--data-dir", dir, "--sync", level)
		if round == 0 {
			createTable(t, client(url))
		}
		require.Equal(t, there, versions(t, client(url), nil), "round %d", round)
		c := connect(t, url)
		before := descriptors(t, process.Process.Pid, 3)
		c.put(t, there, items)
		if round < 2 {
			require.NoError(t, process.Process.Kill())
			process.Wait()
			assert.Contains(t, log.String(), "no new log can be created")
			continue
		}
		descriptors(t, process.Process.Pid, before)
		c.put(t, there, items/4) // a full log tries again after each MB
		require.Eventually(t, func() bool {
			logs, err := filepath.Glob(filepath.Join(dir, "log-*"))
			return err == nil && len(logs) == 1 &&
				strings.Contains(log.String(), "a new log was created")
		}, time.Minute, 10*time.Millisecond)
	}
}

// descriptors sets how many files a process may open, and returns how many it could.
func descriptors(t *testing.T, pid int, n uint64) uint64 {
	var old unix.Rlimit
	require.NoError(t, unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &old))
	require.NoError(t,
		unix.Prlimit(pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: n, Max: old.Max}, nil))
	return old.Cur
}

// oneConnection is a client that never opens another connection, as the SDK's does now and then.
type oneConnection struct {
	net.Conn
	answers *bufio.Reader
}

// connect opens the connection; when it returns the server has accepted it.
func connect(t *testing.T, url string) *oneConnection {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	c := &oneConnection{conn, bufio.NewReader(conn)}
	c.do(t, "ListTables", "{}")
	return c
}

// do returns the answer to a request that must succeed.
func (c *oneConnection) do(t *testing.T, operation, body string) string {
	_, err := fmt.Fprintf(c,
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\n"+
			"X-Amz-Target: DynamoDB_20120810.%s\r\nX-Amz-Date: 20260101T000000Z\r\n"+
			"Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0\r\n"+
			"Content-Length: %d\r\n\r\n%s", operation, len(body), body)
	require.NoError(t, err)
	response, err := http.ReadResponse(c.answers, nil)
	require.NoError(t, err)
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, 200, response.StatusCode, "%s", answer)
	return string(answer)
}

// put writes items of 100 KB, reads each of them back, and notes them.
func (c *oneConnection) put(t *testing.T, there map[string]int, items int) {
	fill := strings.Repeat("x", 100<<10)
	for range items {
		pk := fmt.Sprint("item", len(there))
		c.do(t, "PutItem",
			fmt.Sprintf(
				`{"TableName":"table","Item":{"pk":{"S":"%s"},"v":{"N":"1"},"fill":{"S":"%s"}}}`,
				pk, fill))
		answer := c.do(t, "GetItem",
			fmt.Sprintf(`{"TableName":"table","Key":{"pk":{"S":"%s"}},"ProjectionExpression":"v"}`,
				pk))
		require.JSONEq(t, `{"Item":{"v":{"N":"1"}}}`, answer)
		there[pk] = 1
	}
}
