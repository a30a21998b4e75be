package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/definition"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/traffic/patternfile"
)

// writtenDesign writes the files of the example, and returns their directory.
func writtenDesign(t *testing.T) (file, dir string) {
	t.Helper()
	file, dir = filepath.Join(t.TempDir(), "design.yaml"), filepath.Join(t.TempDir(), "design")
	_, _, err := runs(t, "design", "init", file)
	require.NoError(t, err)
	out, _, err := runs(t, "design", "write", file, "--out", dir)
	require.NoError(t, err)
	assert.Contains(t, out, "wrote "+filepath.Join(dir, "table.tf"))
	return file, dir
}

// TestDesignWrite reads the files with what they are for.
func TestDesignWrite(t *testing.T) {
	_, dir := writtenDesign(t)
	for _, name := range []string{"template.yaml", "table.tf"} {
		d, err := definition.Read(t.Context(), definition.Values{}, filepath.Join(dir, name))
		require.NoError(t, err)
		require.Len(t, d.Tables, 1, name)
		assert.Equal(t, "posts", *d.Tables[0].Create.TableName)
		assert.Len(t, d.Tables[0].Create.GlobalSecondaryIndexes, 3)
		assert.Empty(t, d.Notes)
	}
	in, err := os.Open(filepath.Join(dir, "patterns.yaml"))
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	patterns, err := patternfile.Read(in)
	require.NoError(t, err)
	assert.Len(t, patterns, 6)

	server := emulatortest.Start(t)
	server.Seed(t, filepath.Join(dir, "seed"))
	assert.NotEmpty(t, server.Items(t, "posts"))
}

func TestDesignWriteAgain(t *testing.T) {
	file, dir := writtenDesign(t)
	out, _, err := runs(t, "design", "write", file, "--out", dir)
	require.NoError(t, err)
	assert.Contains(t, out, "0 of ")

	edited := filepath.Join(dir, "table.tf")
	require.NoError(t, os.WriteFile(edited, []byte("# mine\n"), 0o600))
	_, _, err = runs(t, "design", "write", file, "--out", dir)
	require.ErrorContains(t, err, "these files were edited, or are not from here: "+edited)
	text, err := os.ReadFile(edited)
	require.NoError(t, err)
	assert.Equal(t, "# mine\n", string(text))

	out, _, err = runs(t, "design", "write", file, "--out", dir, "--force")
	require.NoError(t, err)
	assert.Contains(t, out, "1 of ")
}

// TestDesignPolicies checks that the samples of designs keep to the policies that are written with
// them.
func TestDesignPolicies(t *testing.T) {
	designs := []string{"conventions/design/designfile/testdata/design.yaml",
		"conventions/design/render/testdata/names.yaml",
		"conventions/design/render/testdata/support.yaml"}
	for _, name := range []string{"shop", "game", "together", "spread", "similar", "tenants",
		"begins", "local", "fetched", "inverted", "invariants", "feeds", "attributes"} {
		designs = append(designs, "emulator/proof/testdata/"+name+".yaml")
	}
	for _, name := range designs {
		t.Run(path.Base(name), func(t *testing.T) {
			out := t.TempDir()
			_, _, err := runs(t, "design", "write", filepath.Join("..", "..", name), "--out", out)
			require.NoError(t, err)
			dir, file := filepath.Join(out, "seed"), filepath.Join(out, "policy.yaml")
			_, _, err = runs(t, "policy", "check", file)
			require.NoError(t, err)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			p, err := policyfile.Parse(text)
			require.NoError(t, err)
			engine, err := policy.Compile(p)
			require.NoError(t, err)
			server := emulatortest.Start(t)
			server.Seed(t, dir)
			report, err := (&lint.Linter{
				Client: server.Client(), Policy: engine, Segments: 1,
				Tables: []string{p.Tables[0].Name},
			}).Run(t.Context())
			require.NoError(t, err)
			assert.Positive(t, report.Items[p.Tables[0].Name])
			assert.Empty(t, report.Groups)
		})
	}
}

// TestDesignsAreServed checks that a server starts with the policy and the seed of each design that
// there is.
func TestDesignsAreServed(t *testing.T) {
	var designs []string
	for _, pattern := range []string{"conventions/design/published", "emulator/proof/testdata",
		"conventions/design/render/testdata", "conventions/design/designfile/testdata"} {
		found, err := filepath.Glob(filepath.Join("..", "..", pattern, "*.yaml"))
		require.NoError(t, err)
		designs = append(designs, found...)
	}
	served := 0
	for _, name := range designs {
		if strings.HasSuffix(name, ".table.yaml") { // documents of a service have them
			continue
		}
		served++
		t.Run(path.Base(name), func(t *testing.T) {
			out := t.TempDir()
			_, _, err := runs(t, "design", "write", name, "--out", out)
			require.NoError(t, err)
			serving(t, "--shared", "--policy", filepath.Join(out, "policy.yaml"), "--seed",
				filepath.Join(out, "seed"))
		})
	}
	require.Greater(t, served, 30)
}

// A design does not put all items of a model into one partition of the table by the time of their
// creation, and says what an index that does so gets.
func TestDesignOfNewestDocuments(t *testing.T) {
	file := writeNamed(t, "design.yaml", `table: documents
models:
  - name: Document
    key: [id]
    items: 100_000
    puts: 5
    attributes: [{name: id, bytes: 26}, {name: createdAt, format: timestamp}, {name: title, bytes: 40}]
patterns:
  - {name: newest documents, model: Document, order: createdAt, descending: true, rate: 10, returned: 25}
`)
	out, _, err := runs(t, "design", "plan", file)
	require.NoError(t, err)
	assert.Contains(t, out, "| Document | `{id}` |")
	assert.Contains(t, out, "**Warning**: newest documents: all items of Document are under one "+
		"partition key, document, a fixed one that does not scale: it gets 5 write units per second, "+
		"and a partition takes 1000.")
}
