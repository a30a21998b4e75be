package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// module is a module whose tests pass, fail, skip, log, and do not compile.
var module = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26\n",
	"good/good_test.go": `package good

import (
	"os"
	"testing"
)

func TestGood(t *testing.T)    { t.Log("quiet") }
func TestSkipped(t *testing.T) { t.Skip("there is no moon") }
func TestFlags(t *testing.T) {
	if f := os.Getenv("GOFLAGS"); f != "-count=1" {
		t.Error("GOFLAGS is", f)
	}
}
`,
	"bad/bad_test.go": `package bad

import "testing"

func TestBad(t *testing.T) {
	t.Run("inner", func(t *testing.T) { t.Error("it broke") })
}
`,
	"broken/broken_test.go": "package broken\n\nfunc TestBroken(t *testing.T) {}\n",
}

// TestReport runs the program as a person does.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	for name, text := range module {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	program := filepath.Join(t.TempDir(), "testreport")
	built, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(built))
	report := func(args ...string) (string, error) {
		c := exec.Command(program, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOFLAGS=-count=1", "GOWORK=off")
		out, err := c.CombinedOutput()
		return string(out), err
	}

	t.Run("tests that pass", func(t *testing.T) {
		out, err := report("go", "test", "./good")
		require.NoError(t, err, out)
		assert.Contains(t, out, "ok   example.com/m/good\n")
		assert.Contains(t, out,
			"1 skipped: there is no moon\n     example.com/m/good TestSkipped\n")
		assert.Contains(t, out, "the tests of 1 packages")
		assert.NotContains(t, out, "quiet")
		assert.True(t, strings.HasSuffix(out, "\n2 passed, 0 failed, 1 skipped\n"), out)
	})
	t.Run("tests that fail are last", func(t *testing.T) {
		out, err := report("go", "test", "./...")
		require.Error(t, err, out)
		good, bad := strings.Index(out, "1 skipped"), strings.Index(out, "it broke")
		assert.True(t, 0 < good && good < bad, out)
		assert.Contains(t, out, "undefined: testing")
		assert.Contains(t, out, "FAIL example.com/m/bad TestBad/inner\n")
		assert.Contains(t, out, "\n2 passed, 2 failed, 1 skipped\n")
	})
	t.Run("a budget that is too small", func(t *testing.T) {
		out, err := report("-budget", "0.000001", "go", "test", "./good")
		require.Error(t, err, out)
		assert.Contains(t, out, "good: its tests take 0 s of CPU time")
		assert.Contains(t, out, "all tests take 0 s of CPU time")
	})
}

func TestBudget(t *testing.T) {
	times := []packageTime{{Dir: "a", CPU: 6 * time.Second}, {Dir: "b", CPU: 4 * time.Second}}
	for _, c := range []struct {
		name string
		budget
		err string
	}{
		{"no bound", budget{0, 0.1}, ""},
		{"within", budget{10, 0.6}, ""},
		{"a package", budget{10, 0.5}, "a: its tests take 6 s of CPU time, and may take 5"},
		{"all", budget{9, 0.9}, "all tests take 10 s of CPU time, and may take 9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.check(times)
			if c.err == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.err)
		})
	}
}

func TestReadOtherLines(t *testing.T) {
	var progress strings.Builder
	r := newResults(&progress)
	require.NoError(t,
		r.read(bufio.NewReader(
			strings.NewReader("a warning\n{\"Action\":\"pass\",\"Package\":\"p\"}\nend"))))
	assert.Equal(t, "a warning\nok   p\nend", progress.String())
}
