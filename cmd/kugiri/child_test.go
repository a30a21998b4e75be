package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// child is kugiri in a process of its own.
type child struct {
	*exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer
}

// spawn starts kugiri, in a working directory of the test's.
func spawn(t *testing.T, args ...string) *child {
	program, err := os.Executable()
	require.NoError(t, err)
	c := &child{Cmd: exec.Command(program, args...)}
	c.Env = append(os.Environ(), asKugiri+"=true")
	c.Stderr = &c.stderr
	c.stdin, err = c.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { c.Process.Kill() })
	return c
}

// status waits for the end of the process.
func (c *child) status() syscall.WaitStatus {
	c.Wait()
	return c.ProcessState.Sys().(syscall.WaitStatus)
}

// stuckAt starts a server in front of another. It never answers one operation: asked tells of such
// requests.
func stuckAt(t *testing.T, to, operation string) (address string, asked <-chan struct{}) {
	u, err := url.Parse(to)
	require.NoError(t, err)
	requests, ended := make(chan struct{}, 100), make(chan struct{})
	forward := httputil.NewSingleHostReverseProxy(u)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), "."+operation) {
			forward.ServeHTTP(w, r)
			return
		}
		requests <- struct{}{}
		<-ended
	}))
	t.Cleanup(func() { close(ended); s.Close() })
	return s.URL, requests
}

func filesIn(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
