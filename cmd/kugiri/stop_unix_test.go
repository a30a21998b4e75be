//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStopWhileLoading: a server does not load to the end what nobody is going to ask for.
func TestStopWhileLoading(t *testing.T) {
	dir := t.TempDir()
	tables := filepath.Join(dir, "tables.db")
	// nobody can open it for reading until somebody writes
	require.NoError(t, syscall.Mkfifo(tables, 0o600))
	ctx, stop := context.WithCancel(t.Context())
	var out, log logBuffer
	ended := make(chan error)
	go func() {
		ended <- run(ctx,
			[]string{"serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", dir}, &out, &log)
	}()
	stop()
	require.NoError(t, <-ended)
	require.Empty(t, out.String())
	require.Contains(t, log.String(), "stopped before the data was loaded")

	// waits for the reader, which fails then and lets go of the directory
	writer, err := os.OpenFile(tables, os.O_WRONLY, 0)
	require.NoError(t, err)
	require.NoError(t, writer.Close())
}
