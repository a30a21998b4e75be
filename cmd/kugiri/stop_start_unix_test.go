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

// TestStopsWhileItStarts sends SIGTERM to a process that still reads what it is to start with, out
// of a pipe that nobody writes. One signal ends it, and what reads notices it: it is not the last
// resort, which ends the process whatever it does.
func TestStopsWhileItStarts(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	serve := []string{"serve", "--port", "0"}
	for _, c := range []struct {
		name, file string
		arguments  []string
	}{
		{"configuration", "fifo.yaml", append(serve[:3:3], "--config")},
		{"template as a seed", "fifo.yaml", append(serve[:3:3], "--seed")},
		{"JSON as a seed", "fifo.json", append(serve[:3:3], "--seed")},
		{"lines as a seed", "fifo.jsonl", append(serve[:3:3], "--seed")},
		{"apply lines", "fifo.jsonl", []string{"apply", "--endpoint", "http://localhost:1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fifo := filepath.Join(t.TempDir(), c.file)
			require.NoError(t, syscall.Mkfifo(fifo, 0o600))
			process := exec.Command(program, append(c.arguments, fifo)...)
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
			if c.name != "configuration" {
				assert.Contains(t, log.String(), "interrupted")
			}
		})
	}
}
