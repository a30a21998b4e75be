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
	assert.Contains(t, out, "on an emulator of its own, with 1998 items\n")
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
		{"an unknown field", []string{"plan", file},
			file + ": line 3: pattern: there is no such field"},
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

// TestDesignReport checks the costs of the example, and that prices can be given.
func TestDesignReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "design.yaml")
	_, _, err := runs(t, "design", "init", file)
	require.NoError(t, err)
	out, _, err := runs(t, "design", "report", file)
	require.NoError(t, err)
	assert.Contains(t, out, "| without GSI3 |")
	assert.Contains(t, out, "prices since 2024-11-01")

	out, _, err = runs(t, "design", "report", file, "--format", "json")
	require.NoError(t, err)
	var report struct {
		Cost struct{ Prices map[string]any }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	report.Cost.Prices["currency"] = "EUR"
	text, err := json.Marshal(report.Cost.Prices)
	require.NoError(t, err)
	prices := filepath.Join(t.TempDir(), "prices.json")
	require.NoError(t, os.WriteFile(prices, text, 0o600))
	out, _, err = runs(t, "design", "report", file, "--prices", prices)
	require.NoError(t, err)
	assert.Contains(t, out, "EUR on demand")

	_, _, err = runs(t, "design", "report", file, "--prices", file)
	require.ErrorContains(t, err, file)
}

// TestDesignLoad sends the example more than a partition serves.
func TestDesignLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "design.yaml")
	_, _, err := runs(t, "design", "init", file)
	require.NoError(t, err)
	out, _, err := runs(t, "design", "load", file, "--seconds", "2", "--zipf", "1.1")
	require.NoError(t, err)
	assert.Contains(t, out, "served: post, 0 of 200 requests throttled\n")

	text, err := os.ReadFile(file)
	require.NoError(t, err)
	busy := strings.Replace(string(text), "puts: 2\n", "puts: 2000\n", 1)
	require.NoError(t, os.WriteFile(file, []byte(busy), 0o600))
	out, _, err = runs(t, "design", "load", file, "--seconds", "2")
	require.ErrorContains(t, err, "requests are throttled")
	assert.Contains(t, out, "by GSI1\n")
	assert.Contains(t, out, "write units in a second, of 1000\n")

	_, _, err = runs(t, "design", "load", file, "--seconds", "0")
	require.ErrorContains(t, err, "at least 1")
}

// TestDesignDiff drops a pattern from the example.
func TestDesignDiff(t *testing.T) {
	old := filepath.Join(t.TempDir(), "design.yaml")
	_, _, err := runs(t, "design", "init", old)
	require.NoError(t, err)
	text, err := os.ReadFile(old)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	changed := filepath.Join(t.TempDir(), "new.yaml")
	require.NoError(t,
		os.WriteFile(changed, []byte(strings.Join(lines[:len(lines)-1], "\n")), 0o600))

	out, _, err := runs(t, "design", "diff", old, changed, "--verify")
	require.NoError(t, err)
	assert.Contains(t, out, "delete the index GSI3: 5 patterns hold\n")
	assert.Contains(t, out, "noticed: nobody does: delete the index GSI3\n")

	out, _, err = runs(t, "design", "diff", old, old)
	require.NoError(t, err)
	assert.Equal(t, "nothing to do: the table stays as it is\n", out)

	strong := strings.Replace(string(text), "rate: 20}", "rate: 20, consistent: true}", 1)
	require.NoError(t, os.WriteFile(changed, []byte(strong), 0o600))
	out, _, err = runs(t, "design", "diff", old, changed)
	require.NoError(t, err)
	assert.Contains(t, out,
		"all items are copied to a new table, posts_v2: items get other primary keys. What keeps "+
			"them: ")
	assert.Contains(t, out, "\n1. create the table posts_v2\n")

	_, _, err = runs(t, "design", "diff", old)
	require.ErrorContains(t, err, "want the old and the new design file, not 1 argument")
}

func TestDesignFrom(t *testing.T) {
	source := filepath.Join("..", "..", "conventions", "design", "source", "testdata",
		"onetable.json")
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
