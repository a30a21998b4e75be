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

// TestSample: each sampled row is in one part, and the others are in all.
func TestSample(t *testing.T) {
	daily, nightly := new(project), &project{Nightly: true}
	rows := []*row{{Name: "A", Sampled: true, project: daily}, {Name: "B", project: daily},
		{Name: "C", Sampled: true, project: daily}, {Name: "D", Sampled: true, project: daily},
		{Name: "E", project: daily}, {Name: "F", project: nightly}}
	for _, c := range []struct{ sample, want string }{
		{"", "ABCDEF"},
		{"1/1", "ABCDE"},
		{"1/2", "ABDE"},
		{"2/2", "BCE"},
		{"3/4", "BDE"},
		{"4/4", "BE"},
	} {
		t.Run(c.sample, func(t *testing.T) {
			var s sample
			if c.sample != "" {
				require.NoError(t, s.Set(c.sample))
			}
			assert.Equal(t, c.sample, s.String())
			names := ""
			for _, r := range s.of(rows) {
				names += r.Name
			}
			assert.Equal(t, c.want, names)
		})
	}
	for _, text := range []string{"", "2", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "1/2 ", "a/b"} {
		assert.EqualError(t, new(sample).Set(text),
			"a sample is a part and the number of parts, such as 2/5", text)
	}
	m := &matrix{sample: sample{1, 2}}
	_, err := m.pick(rows, []string{"A"})
	assert.EqualError(t, err, "-sample chooses rows, and so do names: leave out one of them")
}

// TestSampledProject: its rows are sampled.
func TestSampledProject(t *testing.T) {
	for text, want := range map[string][]bool{
		"rows: [{name: A}, {name: B, sampled: true}]":                {false, true},
		"sampled: true\nrows: [{name: A}, {name: B, sampled: true}]": {true, true},
	} {
		path := filepath.Join(t.TempDir(), "client.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		p, err := readProject(path)
		require.NoError(t, err)
		assert.Equal(t, want, []bool{p.Rows[0].Sampled, p.Rows[1].Sampled}, text)
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
	assert.Equal(t, []string{"B"}, missing(rows, m.table(rows, head)))
}

// TestPage: each row has a name of its own, and a line in clients.md.
func TestPage(t *testing.T) {
	t.Chdir("../../..")
	rows, err := readRows()
	require.NoError(t, err)
	_, table, _, err := splitPage()
	require.NoError(t, err)
	assert.Empty(t, missing(rows, table))
	names := map[string]bool{}
	for _, r := range rows {
		assert.False(t, names[r.Name], r.Name)
		names[r.Name] = true
	}
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
