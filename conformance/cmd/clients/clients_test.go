package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestParse reads what rows with the steps a and b print.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, output string
		faults       []string
	}{
		{"all steps", "version 1\nok a\nok b\n", nil},
		{"a step that the client does not have", "version 1\nok a\nleft out b: has none\n", nil},
		{"other lines between", "version 1\nhello\nok a\nok b\n", nil},
		{"no version", "ok a\nok b\n", []string{"the row does not print its version"}},
		{"a step without a word", "version 1\nok a\n", []string{"b did not run"}},
		{"a step that failed", "version 1\nok a\nfailed b: 1 is not 2\n",
			[]string{"b: 1 is not 2"}},
		{"a step that failed and went on", "version 1\nok a\nfailed b: x\nok b\n",
			[]string{"b: x", "b is there twice"}},
		{"a step twice", "version 1\nok a\nok a\nok b\n", []string{"a is there twice"}},
		{"a step that nobody knows", "version 1\nok a\nok b\nok c\n",
			[]string{`there is no step "c"`}},
		{"no reason", "version 1\nok a\nleft out b\n", []string{"b is left out without a reason"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.faults, parse(c.output, []string{"a", "b"}).faults)
		})
	}
}

func TestRowsByName(t *testing.T) {
	rows := []*row{{Name: "boto3"}, {Name: "aioboto3"}, {Name: "Dynamoose"}}
	for _, c := range []struct {
		name  string
		names []string
		want  []*row
		err   string
	}{
		{"all", nil, rows, ""},
		{"part of a name", []string{"boto"}, rows[:2], ""},
		{"another case", []string{"dynamoose", "aio"}, rows[1:], ""},
		{"a name that no row has", []string{"boto", "bota"}, nil,
			`there is no row with "bota" in its name`},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := chosen(rows, c.names)
			if c.err != "" {
				require.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, found)
		})
	}
}

// TestProject installs once, and copies what changed at each run.
func TestProject(t *testing.T) {
	cache, dir := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("lock", "1")
	write("client.yaml", `
tools: [bash]
files: [lock]
install: cp lock installed && echo x >>../installs
build: cp program built
rows:
  - {name: First, run: "cat built; echo ok a; echo left out b: $MATRIX_SERVER; cat installed", steps: [a, b]}
`)
	run := func() (result, error) {
		p, err := readProject(filepath.Join(dir, "client.yaml"))
		require.NoError(t, err)
		copied, err := p.prepare(t.Context(), cache)
		require.NoError(t, err)
		return p.Rows[0].runAt(t.Context(), copied, "http://server", "kugiri")
	}
	write("program", "version 1\n")
	found, err := run()
	require.NoError(t, err)
	assert.Equal(t, result{version: "1", ok: []string{"a"}, left: []string{"b"}}, found)
	write("program", "version 2\n")
	found, err = run()
	require.NoError(t, err)
	assert.Equal(t, "2", found.version)
	write("program", "failed a: no\n")
	_, err = run()
	assert.ErrorContains(t, err, "failed a: no")

	installs, err := os.ReadFile(filepath.Join(cache, "installs"))
	require.NoError(t, err)
	assert.Equal(t, "x\n", string(installs))
}

// TestTable writes the rows that ran, and keeps the others.
func TestTable(t *testing.T) {
	rows := []*row{{Name: "A", Steps: steps, Endpoint: "variable"},
		{Name: "B", Steps: steps}, {Name: "C", Steps: []string{"streams"}, Endpoint: "code"}}
	m := &matrix{lines: map[string]string{
		"A": lineOf(rows[0], result{version: "2", ok: steps[1:], left: steps[:1]}),
		"C": lineOf(rows[2], result{version: "3", ok: []string{"streams"}}),
	}}
	assert.Equal(t,
		head+"| A | 2 | the variable | 12; without tables |\n| B | 1 | all 13 |\n"+
			"| C | 3 | code | streams |\n",
		m.table(rows, head+"| A | 1 | all 13 |\n| B | 1 | all 13 |\n"))
}

// TestRustPage: the row of Rust runs the very code that the page for Rust shows.
func TestRustPage(t *testing.T) {
	page, err := os.ReadFile("../../../emulator/docs/rust.md")
	require.NoError(t, err)
	languages := map[string]string{"orders.rs": "rust", "testdata/orders.json": "json"}
	for file, language := range languages {
		code, err := os.ReadFile("../../clients/rust/tests/" + file)
		require.NoError(t, err)
		assert.Contains(t, string(page), "```"+language+"\n"+string(code)+"```\n")
	}
}
