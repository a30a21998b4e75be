package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openTerminal opens a pseudo-terminal (pty(7)): what is written to one side is read at the other.
func openTerminal(t *testing.T) (here io.Reader, there *os.File) {
	main, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { main.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(main.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(main.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	there, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { there.Close() })
	return main, there
}

// onTerminal starts kugiri with its output on a terminal, which it returns by lines.
func onTerminal(t *testing.T, env []string, args ...string) *bufio.Scanner {
	here, there := openTerminal(t)
	program, err := os.Executable()
	require.NoError(t, err)
	process := exec.Command(program, args...)
	process.Env = append(append(os.Environ(), asKugiri+"=true", "TERM=xterm"), env...)
	process.Stdout, process.Stderr = there, there
	require.NoError(t, process.Start())
	require.NoError(t, there.Close())
	t.Cleanup(func() {
		process.Process.Kill()
		process.Wait()
	})
	return bufio.NewScanner(here) // ends with an error when the process has
}

// TestTerminal: all commands have colors on a terminal, and only there, unless somebody wants none.
func TestTerminal(t *testing.T) {
	url, client := database(t)
	createTable(t, client)
	const escape = "\x1b"
	for _, c := range []struct {
		name string
		args []string
		line string // a line that has colors, without them
		want string
	}{
		{"a table", []string{"tables", "--endpoint", url}, "TABLE  STATUS  ITEMS  BYTES  INDEXES",
			"\x1b[1mTABLE  STATUS  ITEMS  BYTES  INDEXES\x1b[0m"},
		{"an error", []string{"fly"}, "kugiri: unknown command",
			"\x1b[31mkugiri:\x1b[0m unknown command"},
		{"health", []string{"healthcheck", "--endpoint", url}, "healthy: ",
			"\x1b[32mhealthy:\x1b[0m "},
		{"a server", []string{"serve", "--port", "0"}, "kugiri: listening at ",
			"\x1b[1mkugiri:\x1b[0m listening at "},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := onTerminal(t, nil, c.args...)
			require.True(t, lines.Scan())
			assert.Contains(t, lines.Text(), c.want)
			for _, env := range []string{"NO_COLOR=1", "TERM=dumb"} {
				lines = onTerminal(t, []string{env}, c.args...)
				require.True(t, lines.Scan())
				assert.Contains(t, lines.Text(), c.line)
				assert.NotContains(t, lines.Text(), escape)
			}
		})
	}
}

// TestLogOnTerminal: somebody who looks on reads the time of day, the level and the message.
func TestLogOnTerminal(t *testing.T) {
	lines := onTerminal(t, nil, "serve", "--port", "0", "--host", "127.0.0.1", "--log-requests")
	require.True(t, lines.Scan())
	_, url, ok := strings.Cut(lines.Text(), "listening at ")
	require.True(t, ok, lines.Text())
	require.True(t, lines.Scan())
	assert.Contains(t, lines.Text(), " console at "+strings.TrimSpace(url)+"/_kugiri/console/")
	_, err := client(strings.TrimSpace(url)).ListTables(t.Context(), nil)
	require.NoError(t, err)
	require.True(t, lines.Scan())
	assert.Regexp(t,
		`^\d\d:\d\d:\d\d\.\d{3} INFO  ListTables: 200, .* key=\w+ region=[\w-]+ id=\w+\s*$`,
		lines.Text())

	lines = onTerminal(t, nil, "serve", "--port", "0", "--host", "127.0.0.1", "--log-requests",
		"--log-format", "json", "--console=false")
	require.True(t, lines.Scan())
	_, url, _ = strings.Cut(lines.Text(), "listening at ")
	_, err = client(strings.TrimSpace(url)).ListTables(t.Context(), nil)
	require.NoError(t, err)
	require.True(t, lines.Scan())
	assert.True(t, json.Valid([]byte(lines.Text())), lines.Text())
}

// TestFormatJSON: every command that prints a result prints it as JSON, too.
func TestFormatJSON(t *testing.T) {
	url, client := database(t)
	createTable(t, client)
	dir := filepath.Join(t.TempDir(), "data")
	_, stop := serving(t, "--data-dir", dir)
	require.NoError(t, stop())
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"tables", "--endpoint", url}, `[{"name":"table",`},
		{[]string{"healthcheck", "--endpoint", url}, `{"endpoint":"` + url + `","healthy":true}`},
		{[]string{"version"}, `{"version":"`},
		{[]string{"check", "--data-dir", dir}, `{"directory":"` + dir + `","files":[{"name":"`},
		{[]string{"repair", "--data-dir", dir}, `"unchanged":true}`},
		{[]string{"compact", "--data-dir", dir}, `{"bytesBefore":`},
		{[]string{"policy", "check", policyFile(t)}, `"advice":[`},
		{[]string{"policy", "rules"}, `[{"rule":"key-undeclared-prefix","severity":"`},
		{[]string{"keys", "recommend", "--data", "events"}, `{"pattern":"`},
	} {
		t.Run(strings.Join(c.args[:1], " "), func(t *testing.T) {
			out, _, err := runs(t, append(c.args, "--format", "json")...)
			require.NoError(t, err)
			assert.True(t, json.Valid([]byte(out)), out)
			assert.Contains(t, out, c.want)
		})
	}
}
