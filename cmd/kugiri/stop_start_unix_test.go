//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStopsWhileItStarts sends SIGTERM to a server that still reads what it is to start with, out
// of a pipe that nobody writes. One signal ends it.
func TestStopsWhileItStarts(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	for _, flag := range []string{"--seed", "--config"} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			fifo := filepath.Join(t.TempDir(), "fifo.yaml")
			require.NoError(t, syscall.Mkfifo(fifo, 0o600))
			process := exec.Command(program, "serve", "--port", "0", flag, fifo)
			process.Env = append(os.Environ(), asKugiri+"=true")
			var log logBuffer
			process.Stderr = &log
			require.NoError(t, process.Start())
			writer, err := os.OpenFile(fifo, os.O_WRONLY, 0) // waits for a reader
			require.NoError(t, err)
			defer writer.Close()
			require.NoError(t, process.Process.Signal(syscall.SIGTERM))
			process.Wait()
			assert.Equal(t, 128+int(syscall.SIGTERM), process.ProcessState.ExitCode(), log.String())
		})
	}
}
