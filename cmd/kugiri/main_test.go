package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serving runs "kugiri serve" with more arguments, at a port of its own, until the
// test ends or stop is called, which returns what run did.
func serving(t *testing.T, args ...string) (url string, stop func() error) {
	return servingLogged(t, io.Discard, args...)
}

// servingLogged is serving with a place for what goes to standard error.
func servingLogged(t *testing.T, stderr io.Writer, args ...string) (url string, stop func() error) {
	return running(t, stderr,
		append([]string{"serve", "--host", "127.0.0.1", "--port", "0"}, args...)...)
}

// running is servingLogged with nothing but the arguments given.
func running(t *testing.T, stderr io.Writer, args ...string) (url string, stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(ctx, args, in, stderr)
		in.CloseWithError(io.EOF)
		done <- err
	}()
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		require.NoError(t, <-done)
	}
	_, url, ok := strings.Cut(strings.TrimSpace(line), "listening at ")
	require.True(t, ok, line)
	go io.Copy(io.Discard, lines)
	stopped := false
	stop = func() error {
		cancel()
		if stopped {
			return nil
		}
		stopped = true
		return <-done
	}
	t.Cleanup(func() { stop() })
	return url, stop
}

// runs runs a command that ends and returns what it prints.
func runs(t *testing.T, args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	err = run(t.Context(), args, &out, &errs)
	return out.String(), errs.String(), err
}

func TestRunErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"an unknown flag", []string{"--nope"}, "--nope"},
		{"a typo in a flag", []string{"--prot", "1"}, "unknown flag: --prot: did you mean --port?"},
		{"the beginning of a flag", []string{"--stream-shard", "1"},
			"did you mean --stream-shards?"},
		{"a typo in a flag of a command", []string{"tables", "--fromat", "json"},
			"did you mean --format?"},
		{"a typo in a command", []string{"tabels"},
			`unknown command "tabels": did you mean tables?`},
		{"a typo in a command below another", []string{"policy", "chek"},
			`unknown command "chek": did you mean check?`},
		{"an unknown command", []string{"fly"}, `"fly"`},
		{"an argument too many", []string{"serve", "--shared", "x"}, `"x"`},
		{"a port that is no number", []string{"--port", "x"}, `--port is "x": want a whole number`},
		{"a switch that is neither", []string{"--shared=x"}, `--shared is "x": want true or false`},
		{"a number of too many digits", []string{"--port", "99999999999999999999"},
			"value out of range"},
		{"a port that is none", []string{"--port", "65536"}, "65535"},
		{"an account that is none", []string{"--account", "12"}, "12 digits"},
		{"a delay without a unit", []string{"--table-delay", "5"}, "table-delay"},
		{"a negative delay", []string{"--table-delay", "-5s"}, "negative"},
		{"no open shard", []string{"--stream-shards", "0"}, "stream-shards 0"},
		{"a shard that does not live", []string{"--stream-shard-life", "0s"}, "stream-shard-life"},
		{"an unknown sync level", []string{"--data-dir", "x", "--sync", "lax"},
			`--sync is "lax": want relaxed or strict`},
		{"a sync level of nothing", []string{"--sync", "strict"}, "data-dir"},
		{"less than no memory", []string{"--stream-memory", "-1"}, "stream-memory -1"},
		{"less than no memory for recovery", []string{"--pitr-memory", "-1"}, "pitr-memory -1"},
		{"an argument of a command without", []string{"version", "x"}, `"x"`},
		{"no policy to check", []string{"policy", "check"}, "one policy file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runs(t, c.args...)
			assert.ErrorContains(t, err, c.says)
			assert.ErrorContains(t, err, "--help")
		})
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"serve", "--help"}, {"help", "serve"}} {
		out, _, err := runs(t, args...)
		require.NoError(t, err)
		assert.Contains(t, out, "-p, --port number")
		assert.Contains(t, out, "--table-delay duration")
		assert.Contains(t, out, "\n\nStreams:\n      --stream-shards number")
		assert.Contains(t, out, "[$KUGIRI_PORT]")
		assert.NotContains(t, out, "KUGIRI_HELP")
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		out, _, err := runs(t, "completion", shell)
		require.NoError(t, err)
		assert.Contains(t, out, "kugiri")
	}
	out, _, err := runs(t, "__complete", "serve", "--sha")
	require.NoError(t, err)
	assert.Contains(t, out, "--shared")
}

// TestCompletionOfValues: shells complete words that are known, and the tables of the endpoint.
func TestCompletionOfValues(t *testing.T) {
	url, client := database(t)
	createTable(t, client)
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"formats of tables", []string{"tables", "--format", ""},
			"text\njson\ncloudformation\nterraform\ncdk\n:4\n"},
		{"formats of export", []string{"export", "--format", ""},
			"jsonl\nplain\nscan\ncsv\ns3\n:4\n"},
		{"severities", []string{"lint", "--fail-on", ""}, "warn\nenforce\n:4\n"},
		{"levels", []string{"serve", "--sync", ""}, "relaxed\nstrict\n:4\n"},
		{"tables", []string{"export", "--endpoint", url, "--table", "ta"}, "table\n:4\n"},
		{"tables of another beginning", []string{"lint", "--endpoint", url, "--table", "x"},
			":4\n"},
		{"tables of one of two endpoints", []string{"compare", "--from", url, "--table", "ta"},
			"table\n:4\n"},
		{"tables of no server",
			[]string{"import", "--endpoint", "http://127.0.0.1:1", "--table", ""}, ":4\n"},
		{"directories", []string{"check", "--data-dir", ""}, ":16\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := runs(t, append([]string{"__complete"}, c.args...)...)
			require.NoError(t, err)
			assert.Equal(t, c.want, out)
		})
	}
}

// TestHelpOfAll: each command says how it is used, in groups, and takes no word for two things.
func TestHelpOfAll(t *testing.T) {
	out, _, err := runs(t, "--help")
	require.NoError(t, err)
	for _, g := range commands {
		assert.Contains(t, out, "\n\n"+g.group+":\n")
		for _, makeCommand := range g.make {
			name := makeCommand().Name()
			assert.Contains(t, out, "\n  "+name+" ")
			help, _, err := runs(t, name, "--help")
			require.NoError(t, err)
			assert.NotContains(t, help, " long ")
			assert.NotRegexp(t, "--(url|upstream|listen|json) ", help)
		}
	}
}

func TestRunServesUntilStopped(t *testing.T) {
	url, stop := serving(t)
	res, err := http.Get(url)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	res.Body.Close()
	assert.True(t, strings.HasPrefix(string(body), "healthy"), "%s", body)

	assert.NoError(t, stop())
	_, err = http.Get(url)
	assert.Error(t, err)
}

func TestRunCannotListen(t *testing.T) {
	_, _, err := runs(t, "--host", "256.0.0.1")
	assert.Error(t, err)
}

func TestHealthcheck(t *testing.T) {
	url, stop := serving(t)
	out, _, err := runs(t, "healthcheck", "--endpoint", url)
	require.NoError(t, err)
	assert.Equal(t, "healthy: "+url+"\n", out)

	t.Setenv("KUGIRI_PORT", url[strings.LastIndex(url, ":")+1:])
	_, _, err = runs(t, "healthcheck")
	assert.NoError(t, err, "the port of the environment")

	require.NoError(t, stop())
	_, _, err = runs(t, "healthcheck", "--endpoint", url)
	assert.ErrorContains(t, err, "is a server running there?")
}

// written is a file with a text, until the test ends.
func written(t *testing.T, name, text string) string {
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}
