package soak

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSoakWithALogThatNobodyReads loads a process that logs every request to a full pipe, or to one
// whose reader is closed. The process must serve requests as usual and shut down cleanly.
func TestSoakWithALogThatNobodyReads(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process is not told to end there as it is here")
	}
	program := filepath.Join(t.TempDir(), "kugiri")
	out, err := exec.Command("go", "build", "-o", program,
		"github.com/kugiri-db/kugiri/cmd/kugiri").CombinedOutput()
	require.NoError(t, err, string(out))
	for name, pipe := range map[string]func(*testing.T) *os.File{
		"full": fullPipe, "closed": closedPipe,
	} {
		t.Run(name, func(t *testing.T) {
			process := exec.Command(program, "serve", "--host", "127.0.0.1", "--port", "0",
				"--log-requests")
			process.Stderr = pipe(t)
			stdout, err := process.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, process.Start())
			defer process.Process.Kill()
			line, err := bufio.NewReader(stdout).ReadString('\n')
			require.NoError(t, err)
			_, url, ok := strings.Cut(strings.TrimSpace(line), "listening at ")
			require.True(t, ok, line)

			s := &soak{T: t, direct: client{http.DefaultClient, url}}
			s.create()
			s.check(s.load(0, shortWork, url))
			http.DefaultClient.CloseIdleConnections()
			require.NoError(t, process.Process.Signal(os.Interrupt))
			require.NoError(t, process.Wait())
		})
	}
}

// fullPipe returns the writing end of a full pipe.
func fullPipe(t *testing.T) *os.File {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() {
		read.Close()
		write.Close()
	})
	for n := 1; n > 0; {
		require.NoError(t, write.SetWriteDeadline(time.Now().Add(100*time.Millisecond)))
		n, _ = write.Write(make([]byte, 512))
	}
	require.NoError(t, write.SetWriteDeadline(time.Time{}))
	return write
}

// closedPipe returns the writing end of a pipe whose reading end is closed.
func closedPipe(t *testing.T) *os.File {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, read.Close())
	t.Cleanup(func() { write.Close() })
	return write
}
