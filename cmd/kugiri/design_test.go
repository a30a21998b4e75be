package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDesign walks from nothing to a proven table.
func TestDesign(t *testing.T) {
	file := filepath.Join(t.TempDir(), "design.yaml")
	out, _, err := runs(t, "design", "init", file)
	require.NoError(t, err)
	assert.Contains(t, out, "next: kugiri design plan "+file)
	_, _, err = runs(t, "design", "init", file)
	require.ErrorIs(t, err, os.ErrExist)

	out, _, err = runs(t, "design", "plan", file)
	require.NoError(t, err)
	assert.Contains(t, out, "| Comment | `{id}` | `{post_id}` | `Comment_{created_at}` |")

	out, _, err = runs(t, "design", "plan", file, "--format", "create-table")
	require.NoError(t, err)
	var in struct{ GlobalSecondaryIndexes []any }
	require.NoError(t, json.Unmarshal([]byte(out), &in))
	assert.Len(t, in.GlobalSecondaryIndexes, 3)

	out, _, err = runs(t, "design", "verify", file)
	require.NoError(t, err)
	assert.Equal(t, 6, strings.Count(out, "holds: "))
	assert.Contains(t, out, "noticed: GSI1 has no sort key")
}

func TestDesignErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "design.yaml")
	require.NoError(t, os.WriteFile(file, []byte("table: posts\nmodels: []\npattern: []\n"), 0o600))
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no file", []string{"plan"}, "want one design file, not 0 arguments"},
		{"a missing file", []string{"plan", "no.yaml"}, "no.yaml"},
		{"an unknown field", []string{"plan", file}, file + ": line 3: pattern: there is no such field"},
		{"no source", []string{"from"}, "want one source, not 0 arguments"},
		{"a design as a source", []string{"from", file}, "this is no source of designs"},
		{"no items", []string{"verify", file, "--items", "0"}, "line 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := runs(t, append([]string{"design"}, c.args...)...)
			require.ErrorContains(t, err, c.says)
			assert.Empty(t, out)
		})
	}
}

func TestDesignFrom(t *testing.T) {
	source := filepath.Join("..", "..", "conventions", "design", "source", "testdata", "onetable.json")
	file := filepath.Join(t.TempDir(), "design.yaml")
	out, _, err := runs(t, "design", "from", source, "-o", file, "--table", "accounts")
	require.NoError(t, err)
	assert.Contains(t, out, "2 models, 5 patterns, ")
	assert.Contains(t, out, "next: kugiri design plan "+file)

	out, _, err = runs(t, "design", "plan", file)
	require.NoError(t, err)
	assert.Contains(t, out, "one user by accountName and email")

	_, _, err = runs(t, "design", "from", source, "-o", file)
	require.ErrorIs(t, err, os.ErrExist)

	out, said, err := runs(t, "design", "from", source, "-o", "-")
	require.NoError(t, err)
	assert.Contains(t, out, "table: table\nmodels:\n")
	assert.Contains(t, said, "2 models, 5 patterns, ")
}
