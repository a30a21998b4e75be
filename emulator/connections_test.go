//go:build linux || darwin

package emulator

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestManyConnections: all connections get answers while all are open. Those that have closed leave
// no goroutine and no memory. With TEST_FULL=true there are 20,000.
func TestManyConnections(t *testing.T) {
	count := 200
	if os.Getenv("TEST_FULL") != "" {
		count = 20_000
	}
	const others = 200 // files that the process has open besides
	var most syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most))
	if need := uint64(2*count + others); most.Cur < need {
		t.Skipf("the process may have %d files open, and needs %d for both ends of the connections",
			most.Cur, need)
	}
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"v":{"S":"`+strings.Repeat("v", 2000)+`"}}`)
	atFirst := runtime.NumGoroutine()
	s, err := x.emulator.Start("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	addr := strings.TrimPrefix(s.URL, "http://")
	answeredAll(t, s, openAll(t, addr, 1)) // what a server keeps is there
	idle, before := runtime.NumGoroutine(), memoryInUse()
	answeredAll(t, s, openAll(t, addr, count))
	for runtime.NumGoroutine() > idle {
		runtime.Gosched() // the goroutines of the connections end after the count of them
	}
	after := memoryInUse()
	assert.Less(t, after-before, int64(256<<10+64*count), "bytes after %d connections", count)
	require.NoError(t, s.Close())
	for runtime.NumGoroutine() > atFirst {
		runtime.Gosched()
	}
	runtime.KeepAlive(x)
}

// openAll opens connections.
func openAll(t *testing.T, addr string, count int) []net.Conn {
	all := make([]net.Conn, count)
	for i := range all {
		var err error
		all[i], err = net.Dial("tcp", addr)
		require.NoError(t, err, "connection %d", i)
	}
	return all
}

// answeredAll sends requests on all connections before it reads the answers, in two rounds, and
// closes the connections. It returns when the server has no connection.
func answeredAll(t *testing.T, s *Server, all []net.Conn) {
	const body = `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`
	var request strings.Builder
	r := rawRequest("GetItem", body, scoped("AKIDEXAMPLE/20260102/us-east-1"))
	require.NoError(t, r.Write(&request))
	answers := bufio.NewReader(nil)
	for range 2 {
		for i, c := range all {
			_, err := io.WriteString(c, request.String())
			require.NoError(t, err, "connection %d", i)
		}
		for i, c := range all {
			answers.Reset(c)
			answer, err := http.ReadResponse(answers, nil)
			require.NoError(t, err, "connection %d", i)
			n, err := io.Copy(io.Discard, answer.Body)
			require.NoError(t, err, "connection %d", i)
			require.Equal(t, http.StatusOK, answer.StatusCode)
			require.Greater(t, n, int64(2000))
		}
		connections, _, _ := s.conns.Count()
		require.Equal(t, len(all), connections, "all are open at once")
	}
	for _, c := range all {
		require.NoError(t, c.Close())
	}
	for connections := 1; connections > 0; connections, _, _ = s.conns.Count() {
		runtime.Gosched()
	}
}
