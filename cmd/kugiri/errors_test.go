package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// TestUsageErrors: a wrong command line ends with the status 2, whichever command it is of.
func TestUsageErrors(t *testing.T) {
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if c.Name() == "help" || strings.HasPrefix(c.Name(), "dynamodb-local") {
			return
		}
		path := strings.Fields(c.CommandPath())[1:]
		t.Run(c.CommandPath(), func(t *testing.T) {
			_, _, err := runs(t, append(path, "--no-such-flag")...)
			require.ErrorContains(t, err, "--no-such-flag")
			assert.Equal(t, 2, cli.ExitStatus(err), err)
		})
	}
	root := rootCommand()
	root.InitDefaultCompletionCmd()
	visit(root)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"help of nothing", []string{"help", "nosuch"}},
		{"help of nothing below a command", []string{"help", "policy", "nosuch"}},
		{"no such command", []string{"nosuch"}},
		{"no such command below another", []string{"policy", "nosuch"}},
		{"a value out of range", []string{"import", "--table", "t", "--writers", "0"}},
		{"segments out of range", []string{"export", "--table", "t", "--segments", "0"}},
		{"no table", []string{"export"}},
		{"a sample of nothing",
			[]string{"clone", "--from", "aws", "--table", "t", "--sample", "0"}},
		{"no wait", []string{"gateway", "--endpoint", "x", "--policy", "y", "--timeout", "0s"}},
		{"a port that is none", []string{"serve", "--port", "65536"}},
		{"an argument", []string{"tables", "t"}},
		{"nothing to apply", []string{"apply"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runs(t, c.args...)
			require.Error(t, err)
			assert.Equal(t, 2, cli.ExitStatus(err), err)
		})
	}
}

// TestErrorsAsJSON: where the result is JSON, so is the error.
func TestErrorsAsJSON(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"a format of results", []string{"compare", "--from", "http://127.0.0.1:1", "--limit", "-1",
			"--format", "json"}, `{"error":"--limit -1: between 0 and 10000","status":2}` + "\n"},
		{"a summary", []string{"import", "--table", "t", "--writers", "0", "--summary", "json"},
			`{"error":"--writers 0: between 1 and 256","status":2}` + "\n"},
		{"text", []string{"import", "--table", "t", "--writers", "0"},
			"kugiri: --writers 0: between 1 and 256\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runs(t, c.args...)
			require.Error(t, err)
			var out bytes.Buffer
			cli.SayError(&out, err)
			assert.Equal(t, c.want, out.String())
		})
	}
}

// TestHelpFitsAScreen: the help of the program is no longer than a screen.
func TestHelpFitsAScreen(t *testing.T) {
	out, _, err := runs(t, "--help")
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(out, "\n"), 50)
	assert.NotContains(t, out, "--table-delay")
}
