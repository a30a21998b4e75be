package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite"
)

func TestDocsWritesFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"docs", "--out", dir}, &out, io.Discard))
	assert.Contains(t, out.String(), "files written to "+dir)
	home, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(home), "<h1")
	_, err = os.Stat(filepath.Join(dir, "emulator", "docs", "index.html"))
	require.NoError(t, err)
	require.NoError(t, run(t.Context(), []string{"docs", "--out", dir}, io.Discard, io.Discard),
		"it writes the site again")

	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "notes.txt"), nil, 0o600))
	err = run(t.Context(), []string{"docs", "--out", other}, io.Discard, io.Discard)
	assert.ErrorContains(t, err, other+" has files and is no site")
}

// TestDocsWritesManual: each command has a manual page.
func TestDocsWritesManual(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	_, _, err := runs(t, "docs", "--man", dir)
	require.NoError(t, err)
	for _, name := range []string{"kugiri", "kugiri-serve", "kugiri-policy-check"} {
		text, err := os.ReadFile(filepath.Join(dir, name+".1"))
		require.NoError(t, err)
		assert.Contains(t, string(text), ".SH SYNOPSIS")
	}
	_, _, err = runs(t, "docs", "--man", dir, "--out", dir)
	require.ErrorContains(t, err, "do not go together")
}

func TestDocsServes(t *testing.T) {
	files, err := siteFiles(rootCommand())
	require.NoError(t, err)
	server := httptest.NewServer(siteHandler(files))
	t.Cleanup(server.Close)
	for _, c := range []struct {
		method, path string
		status       int
		contentType  string
		has          string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8", "<title>Kugiri</title>"},
		{"HEAD", "/", 200, "text/html; charset=utf-8", ""},
		{"GET", "/emulator/docs/", 200, "text/html; charset=utf-8", "Documents"},
		{"GET", "/site.css", 200, "text/css; charset=utf-8", "color-scheme"},
		{"GET", "/search.js", 200, "text/javascript; charset=utf-8", "kugiriIndex"},
		{"GET", "/reference/openapi.json", 200, "application/json", `"openapi": "3.1.0"`},
		{"GET", "/reference/policy.schema.json", 200, "application/json", "Kugiri policy"},
		{"GET", "/nothing", 404, "text/plain; charset=utf-8", "not found"},
		{"GET", "/../go.mod", 404, "text/plain; charset=utf-8", "not found"},
		{"POST", "/", 405, "text/plain; charset=utf-8", "POST"},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			r, err := http.NewRequest(c.method, server.URL+c.path, nil)
			require.NoError(t, err)
			res, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer res.Body.Close()
			text, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			assert.Equal(t, c.status, res.StatusCode)
			assert.Equal(t, c.contentType, res.Header.Get("Content-Type"))
			assert.Contains(t, string(text), c.has)
			if c.status == 200 {
				assert.Equal(t, docsite.Policy, res.Header.Get("Content-Security-Policy"))
			}
		})
	}
}

// TestDocsHasEveryFlag requires that the reference has all commands with all of their flags.
func TestDocsHasEveryFlag(t *testing.T) {
	page := commandsPage(rootCommand())
	_, serve, ok := strings.Cut(page, "### kugiri serve\n")
	require.True(t, ok)
	assert.Contains(t, serve, "| `-p, --port number` | `8000` | `KUGIRI_PORT` |")
	for _, c := range rootCommand().Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			assert.Contains(t, page, "### kugiri "+c.Name()+"\n")
		}
	}
}
