package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
)

func TestLint(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "ADMIN")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_SESSION_TOKEN", "")
	t.Setenv("AWS_REGION", "us-east-1")
	url, _ := serving(t)
	client := sdkClient(url, "secret", keyed("ADMIN", "secret"))
	file := policyFile(t)
	lints := func(args ...string) (string, int, error) {
		out, _, err := runs(t,
			append([]string{"lint", "--policy", file, "--endpoint", url}, args...)...)
		if err == nil {
			return out, 0, nil
		}
		return out, cli.ExitStatus(err), err
	}
	_, status, err := lints()
	require.ErrorContains(t, err, "declares none of the tables")
	require.Equal(t, 2, status)

	ordersTable(t, client)
	require.NoError(t, putOrder(t, client, "ORDER#tenant001", "ORDER#1", "0"))
	out, status, err := lints("--rate", "1000", "--resume", filepath.Join(t.TempDir(), "state"))
	require.NoError(t, err)
	require.Zero(t, status)
	assert.Equal(t, "data: 1 item\n0 to be refused, 0 warnings\n", out)

	for _, tenant := range []string{"tenant002", "tenant003"} { // one too many, which is a warning
		require.NoError(t, putOrder(t, client, "ORDER#"+tenant, "ORDER#1", "0"))
	}
	_, status, err = lints("--segments", "1")
	require.NoError(t, err)
	require.Zero(t, status)
	_, status, err = lints("--fail-on", "warn", "--table", "data")
	require.EqualError(t, err, "1 finding")
	require.Equal(t, 1, status)

	require.NoError(t, putOrder(t, client, "ORDER#tenant001", "ORDER#2@1", "0"))
	out, status, err = lints("--format", "json")
	require.EqualError(t, err, "1 finding")
	require.Equal(t, 1, status)
	var report lint.Report
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Equal(t, "version-in-data-key", report.Groups[0].Rule)
	require.Equal(t,
		[]lint.Example{
			{Key: "ORDER#tenant001#ORDER#2@1",
				Message: `the sort key "ORDER#2@1" of a data table ends in a version`},
		}, report.Groups[0].Examples)

	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"a table that is not declared", []string{"--table", "other"}, "declares no table other"},
		{"no such format", []string{"--format", "xml"},
			`--format is "xml": want text, json or sarif`},
		{"no such severity", []string{"--fail-on", "off"},
			`--fail-on is "off": want warn or enforce`},
		{"too many segments", []string{"--segments", "1001"}, "between 1 and 1000"},
		{"a negative rate", []string{"--rate", "-1"}, "no less than 0"},
		{"a rate that is none", []string{"--rate", "NaN"}, "no less than 0"},
		{"a flag that is none", []string{"--nope"}, "unknown flag"},
		{"an argument", []string{"data"}, "unknown argument"},
		{"no policy", []string{"--policy", ""}, "--policy is needed"},
		{"a policy that is not there", []string{"--policy", file + "x"}, "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, status, err := lints(c.args...)
			require.ErrorContains(t, err, c.says)
			require.Equal(t, 2, status)
		})
	}
	require.NoError(t, os.WriteFile(file, []byte("tables: 1"), 0o600))
	_, status, err = lints()
	require.ErrorContains(t, err, file+": line 1: tables: ")
	require.Equal(t, 2, status)
	require.Equal(t, 1, cli.ExitStatus(errors.New("any")))
}

func TestLintCode(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return file
	}
	write("a.go", "package a\n\nvar x = \"PRODUCT#\" + tenant\nvar pk = prefix + \"#\" + tenant\n")
	lints := func(args ...string) (string, int, error) {
		out, _, err := runs(t, append([]string{"lint", "--code"}, args...)...)
		if err == nil {
			return out, 0, nil
		}
		return out, cli.ExitStatus(err), err
	}
	out, status, err := lints(dir)
	require.EqualError(t, err, "2 findings")
	require.Equal(t, 1, status)
	require.Contains(t, out, "a.go:3:9: key-by-hand: \"PRODUCT#\" + tenant; instead, ")
	require.Contains(t, out, "\n1 file of Go: 2 findings\n")

	declared := write("policy.yaml",
		"tables: [{name: things, entities: [{name: o, prefix: O, sort: \"{id}\"}]}]")
	out, _, err = lints("--policy", declared, "--format", "json", dir)
	require.EqualError(t, err, "1 finding", "a prefix that no entity has is none")
	require.Contains(t, out, `"line": 4`)

	out, _, err = lints("--format", "sarif", dir)
	require.EqualError(t, err, "2 findings")
	require.Contains(t, out, `"startColumn": 9`)
	require.Contains(t, out, "Key helper functions")

	for name, c := range map[string]struct {
		args []string
		err  string
	}{
		"a flag of items":   {[]string{"--rate", "3", dir}, "--rate is for items of tables"},
		"a flag of servers": {[]string{"--endpoint", "aws", dir}, "--endpoint is for items"},
		"no directory":      {[]string{filepath.Join(dir, "missing")}, "missing"},
		"no code":           {[]string{t.TempDir()}, "there are no files of Go, TypeScript or JavaScript"},
	} {
		t.Run(name, func(t *testing.T) {
			_, status, err := lints(c.args...)
			require.ErrorContains(t, err, c.err)
			require.Equal(t, 2, status)
		})
	}
}
