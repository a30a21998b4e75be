package main

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What each process pays before it runs a command: the binary's bytes, which the system maps, and
// what packages allocate when they are initialized.
const (
	// sizeLimit bounds the stripped binary of linux/amd64. The binary contains the paths of its
	// source files: a longer path to the repository makes it some 10 KB larger.
	sizeLimit = 42_000_000

	// initFile has the bytes and allocations of each package that needs initListed bytes or more,
	// and of all packages together. Its first line names Go's version and the system.
	initFile   = "testdata/init.txt"
	initListed = 16_384

	// Maps of two processes grow at other moments, because their hashes differ: some packages
	// need 6 % more in one process than in another.
	initVariesBy = 0.1

	allPackages = "all packages"
)

// initCost counts what the initialization of a package allocates.
type initCost struct{ bytes, allocations int }

// TestStart holds what the start of every process costs. A dependency that comes in, or a table
// that a package builds when it is initialized, shows here. Time is not measured.
func TestStart(t *testing.T) {
	program := stripped(t)
	t.Run("size of the binary", func(t *testing.T) {
		if at := runtime.GOOS + "/" + runtime.GOARCH; at != "linux/amd64" {
			t.Skip("the limit is of linux/amd64, this is " + at)
		}
		info, err := os.Stat(program)
		require.NoError(t, err)
		assert.LessOrEqual(t, info.Size(), int64(sizeLimit), "the stripped binary has grown")
	})
	t.Run("initialization", func(t *testing.T) {
		is := initOf(t, program)
		if os.Getenv("KUGIRI_UPDATE") == "1" {
			require.NoError(t, os.WriteFile(initFile, []byte(printInit(is)), 0o644))
			return
		}
		at, want := readInit(t)
		if at != initPlatform() {
			t.Skipf("%s is of %s, this is %s", initFile, at, initPlatform())
		}
		for name, c := range is {
			w, listed := want[name]
			if !listed {
				assert.LessOrEqual(t, float64(c.bytes), initListed*(1+initVariesBy),
					"bytes of %s, which the list does not have: KUGIRI_UPDATE=1 adds it", name)
				continue
			}
			delete(want, name)
			assert.InEpsilon(t, w.bytes, c.bytes, initVariesBy,
				"bytes of %s: KUGIRI_UPDATE=1 accepts them", name)
			assert.InEpsilon(t, w.allocations, c.allocations, initVariesBy,
				"allocations of %s: KUGIRI_UPDATE=1 accepts them", name)
		}
		assert.Empty(t, want, "the list has packages that are gone: KUGIRI_UPDATE=1 drops them")
	})
}

// stripped builds the program as releases have it, but with the paths and the C library of this
// machine: tests have compiled its packages in that way, and the linker alone has to run.
func stripped(t *testing.T) string {
	compiler, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command: ", err)
	}
	program := filepath.Join(t.TempDir(), "kugiri.exe")
	out, err := exec.Command(compiler, "build", "-ldflags=-s -w", "-o", program,
		".").CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

// initPlatform names the Go release and the platform that the figures depend on. Corrections of a
// Go release do not change them.
func initPlatform() string {
	release := regexp.MustCompile(`^go\d+\.\d+`).FindString(runtime.Version())
	return strings.Join([]string{release, runtime.GOOS, runtime.GOARCH}, " ")
}

// initOf returns the costs of the packages of a program, and their sum.
func initOf(t *testing.T, program string) map[string]initCost {
	c := exec.Command(program, "version")
	// The variables of this machine do not count among the program's costs.
	c.Env = []string{"GODEBUG=inittrace=1", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	var trace bytes.Buffer
	c.Stderr = &trace
	require.NoError(t, c.Run())
	costs, sum := map[string]initCost{}, initCost{}
	line := regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, (\d+) allocs$`)
	for _, m := range line.FindAllStringSubmatch(trace.String(), -1) {
		var cost initCost
		_, err := fmt.Sscan(m[2]+" "+m[3], &cost.bytes, &cost.allocations)
		require.NoError(t, err)
		sum.bytes += cost.bytes
		sum.allocations += cost.allocations
		costs[m[1]] = cost
	}
	require.NotEmpty(t, costs, trace.String())
	costs[allPackages] = sum
	return costs
}

// printInit returns the file of costs: the platform, then a package each line, dear ones first.
func printInit(costs map[string]initCost) string {
	var b strings.Builder
	fmt.Fprintln(&b, initPlatform())
	names := slices.SortedFunc(maps.Keys(costs), func(a, b string) int {
		return costs[b].bytes - costs[a].bytes
	})
	for _, name := range names {
		if costs[name].bytes < initListed {
			break
		}
		c := costs[name]
		fmt.Fprintf(&b, "%d bytes, %d allocations: %s\n", c.bytes, c.allocations, name)
	}
	return b.String()
}

// readInit returns the platform and the costs of the file.
func readInit(t *testing.T) (platform string, costs map[string]initCost) {
	text, err := os.ReadFile(initFile)
	require.NoError(t, err)
	lines := bufio.NewScanner(bytes.NewReader(text))
	require.True(t, lines.Scan())
	platform, costs = lines.Text(), map[string]initCost{}
	for lines.Scan() {
		var c initCost
		figures, name, _ := strings.Cut(lines.Text(), ": ")
		_, err := fmt.Sscanf(figures, "%d bytes, %d allocations", &c.bytes, &c.allocations)
		require.NoError(t, err, lines.Text())
		costs[name] = c
	}
	return platform, costs
}
