package console

import (
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// browserVariable chooses the browser that tests drive: "shell", "full", "none", "dying" (it ends
// with the first page that a test opens), or the path of a program. Without it tests drive the
// first that is there, and are skipped without one.
const browserVariable = "CONSOLE_BROWSER"

// A headless shell has the engine of Chromium and none of its windows: a page takes less than half
// of the CPU time. It also answers at once where a full browser would ask a person.
var (
	shells = []string{"chromium-headless-shell", "chrome-headless-shell"}
	fulls  = []string{"chromium", "google-chrome-stable", "google-chrome", "chrome"}
)

// noBrowser is why tests are skipped.
const noBrowser = "there is no Chromium: apt-get install chromium-headless-shell"

// noShell is why most tests are skipped in a full browser that nobody asked for.
const noShell = "a full browser takes more than twice the time: " +
	"apt-get install chromium-headless-shell, or " + browserVariable + "=full"

// What was skipped, for the last lines of a run.
var withoutBrowser, withoutShell, withoutFull atomic.Int32

// saySkipped says what was skipped. Only go test -v, and go test without packages, show that of
// tests that pass; conformance/cmd/testreport always does.
func saySkipped() {
	if n := withoutBrowser.Load(); n > 0 {
		fmt.Printf("skipped %d tests: %s\n", n, noBrowser)
	}
	if n := withoutShell.Load(); n > 0 {
		fmt.Printf("skipped %d tests: %s\n", n, noShell)
	}
	if n := withoutFull.Load(); n > 0 {
		fmt.Printf("skipped %d tests and cases: run them with %s=true\n", n, full)
	}
}

// browser returns the browser that all tests share, which starts with the first of them.
func browser(t *testing.T) *chromium {
	wanted := os.Getenv(browserVariable)
	path := ""
	switch wanted {
	case "":
		if path = installed(shells); path == "" {
			path = installed(fulls)
			sampleOfFull(t, path)
		}
	case "dying":
		path = installed(append(shells, fulls...))
	case "shell":
		path = installed(shells)
	case "full":
		path = installed(fulls)
	case "none":
	default:
		path = wanted
	}
	if path == "" {
		if wanted != "" && wanted != "none" {
			t.Fatalf("%s=%s: no such browser is installed", browserVariable, wanted)
		}
		withoutBrowser.Add(1)
		t.Skip(noBrowser)
	}
	shared.Do(func() { shared.browser, shared.err = startChromium(path, wanted == "dying") })
	require.NoError(t, shared.err)
	return shared.browser
}

// sampleOfFull skips three of four tests in a full browser, so that the plain command does not
// take minutes longer where there is no shell. It goes by the names of the tests.
func sampleOfFull(t *testing.T, path string) {
	name, _, _ := strings.Cut(t.Name(), "/")
	if path != "" && !isFull() && crc32.ChecksumIEEE([]byte(name))%4 > 0 {
		withoutShell.Add(1)
		t.Skip(noShell)
	}
}

// installed returns the path of the first program that is there.
func installed(names []string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// patience is how long a page may take to show what a test waits for. Only a test that fails takes
// that long.
func patience() time.Duration {
	if d, err := time.ParseDuration(os.Getenv(patienceVariable)); err == nil {
		return d
	}
	return 20 * time.Second * time.Duration(slower())
}

// patienceVariable sets patience, such as "1s".
const patienceVariable = "CONSOLE_PATIENCE"

// slower is by what factor CONSOLE_CPU slows the processor of a page.
func slower() int {
	factor, err := strconv.Atoi(os.Getenv("CONSOLE_CPU"))
	if err != nil {
		return 1
	}
	return max(factor, 1)
}

// tail keeps the last lines that a browser writes.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 2000

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	if over := len(t.text) - tailSize; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(text), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

// neverVariable has TestBrowsers wait for what never comes.
const neverVariable = "CONSOLE_NEVER"

// TestBrowsers: the tests say what they cannot do without a browser, and fail soon, with what the
// browser wrote or a picture, where it ends or where something never comes.
func TestBrowsers(t *testing.T) {
	t.Parallel()
	if what := os.Getenv(neverVariable); what != "" {
		p := open(t, serve(t), "#/tables")
		p.see("There are no tables yet")
		require.NoError(t, os.Setenv(patienceVariable, "2s")) // the text never comes
		if what == "text" {
			p.see("what never comes")
		}
		p.eval("new Promise(() => {})", nil)
	}
	browser(t) // the others start one, or none
	ends := writeFile(t, "ends", "#!/bin/sh\necho no display >&2\n", false)
	require.NoError(t, os.Chmod(ends, 0o755))
	missing := filepath.Join(t.TempDir(), "none")
	picture := "a picture of the page is at"
	for _, one := range []struct {
		name, browser, never string
		says                 []string // the first has the result
	}{
		{"none", "none", "text",
			[]string{"--- SKIP: TestBrowsers", noBrowser, "skipped 1 tests: " + noBrowser}},
		{"one that is not there", missing, "text",
			[]string{"--- FAIL: TestBrowsers", "no such file"}},
		{"one that ends at once", ends, "text",
			[]string{"--- FAIL: TestBrowsers", "the browser has ended", "no display"}},
		{"one that dies", "dying", "text",
			[]string{"--- FAIL: TestBrowsers", "the browser has ended"}},
		{"a text that never comes", "", "text",
			[]string{"--- FAIL: TestBrowsers", `the page shows "what never comes"`, picture}},
		{"an answer that never comes", "", "answer", []string{"--- FAIL: TestBrowsers",
			"Runtime.evaluate: there is no answer after", picture}},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.v",
				"-test.run", "^TestBrowsers$")
			c.Env = append(os.Environ(), neverVariable+"="+one.never,
				builtVariable+"="+binary(t))
			if one.browser != "" {
				c.Env = append(c.Env, browserVariable+"="+one.browser)
			}
			out, _ := c.CombinedOutput() // the test fails
			for _, said := range one.says {
				assert.Contains(t, string(out), said)
			}
		})
	}
}
