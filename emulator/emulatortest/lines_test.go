package emulatortest_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// failing are tests that fail, each at the line that ends in "// fails". A second such line is
// where a test fails that comes after.
var failing = []struct {
	name string
	run  func(*testing.T)
}{
	{"an option", func(t *testing.T) {
		emulatortest.Start(t, emulatortest.WithAccessKey("a/b")) // fails
	}},
	{"faults from the start", func(t *testing.T) {
		emulatortest.Start(t, emulatortest.WithEmulator(emulator.WithFaults(misspelt))) // fails
	}},
	{"a fork that shares data", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.Fork(t, emulatortest.WithEmulator(emulator.WithSharedData())) // fails
	}},
	{"a seed", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.Seed(t, "testdata/none.json") // fails
	}},
	{"seed values", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.SeedTables(t, seed.Table{Name: "x"}) // fails
	}},
	{"a dump", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.Dump(t, "none") // fails
	}},
	{"an item", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.Item(t, "none", seed.Item{"id": "1"}) // fails
	}},
	{"items", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.Items(t, "none") // fails
	}},
	{"a golden file", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.Golden(t, "testdata/none.golden") // fails
	}},
	{"the clock", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.Clock() // fails
	}},
	{"a fault", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.AddFault(t, misspelt) // fails
	}},
	{"faults", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.SetFaults(t, misspelt) // fails
	}},
	{"a fault that never hits", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.AddFault(t, fault.MustHit(fault.Fault{Do: fault.LoseResponse()})) // fails
	}},
	{"a fault from the start that never hits", func(t *testing.T) {
		missed := fault.MustHit(fault.Fault{Do: fault.LoseResponse()})
		emulatortest.Start(t, emulatortest.WithEmulator(emulator.WithFaults(missed))) // fails
	}},
	{"a budget", func(t *testing.T) {
		s := emulatortest.Start(t)
		emulatortest.Record(t, s, emulatortest.NoScan("none")) // fails
	}},
	{"a budget at the end of the recording", func(t *testing.T) {
		s := emulatortest.Start(t)
		r := emulatortest.Record(t, s, emulatortest.NoScan("none"))
		r.End() // fails
	}},
	{"a plan of no request", func(t *testing.T) {
		s := emulatortest.Start(t)
		s.Explain(t, func(*dynamodb.Client) error { return nil }) // fails
	}},
	{"access patterns", func(t *testing.T) {
		s := emulatortest.Start(t)
		emulatortest.RecordPatterns(t, s, []traffic.Pattern{{}}) // fails
	}},
	{"the setup of a template", func(t *testing.T) {
		start := emulatortest.Template(func(t *testing.T, s *emulatortest.Server) {
			s.Items(t, "none") // fails
		})
		t.Run("first", func(t *testing.T) { start(t) })
		t.Run("second", func(t *testing.T) {
			start(t) // fails
		})
	}},
	{"an option of a template", func(t *testing.T) {
		start := emulatortest.Template(func(*testing.T, *emulatortest.Server) {},
			emulatortest.WithAccessKey(""))
		start(t) // fails
	}},
}

var misspelt = fault.Fault{When: fault.Operation("PutItems"), Do: fault.LoseResponse()}

// runFailing is the variable of the environment that has TestFailing run, and fail.
const runFailing = "KUGIRI_TEST_FAILING"

func TestFailing(t *testing.T) {
	if os.Getenv(runFailing) == "" {
		t.Skip("it is run by TestFailuresAreAtTheLineOfTheTest")
	}
	for _, c := range failing {
		t.Run(c.name, c.run)
	}
}

// TestFailuresAreAtTheLineOfTheTest runs TestFailing in a process of its own.
func TestFailuresAreAtTheLineOfTheTest(t *testing.T) {
	source, err := os.ReadFile("lines_test.go")
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFailing$", "-test.v")
	c.Env = append(os.Environ(), runFailing+"=1")
	out, err := c.Output()
	require.Error(t, err)
	assert.Equal(t, wantedLines(string(source)), failedLines(string(out)), string(out))
}

// wantedLines are the lines that end in "// fails", with the test that each is in.
func wantedLines(source string) (lines []string) {
	test := ""
	for i, line := range strings.Split(source, "\n") {
		if name, ok := strings.CutPrefix(line, "\t{\""); ok {
			test, _, _ = strings.Cut(name, `"`)
		}
		if strings.HasSuffix(line, "// fails") && strings.HasPrefix(line, "\t\t") {
			lines = append(lines, fmt.Sprintf("%s: lines_test.go:%d", test, i+1))
		}
	}
	return lines
}

// failedLines are the places of the failures in the output of go test -v.
func failedLines(output string) (lines []string) {
	test := ""
	for line := range strings.Lines(output) {
		if name, ok := strings.CutPrefix(line, "=== RUN   TestFailing/"); ok {
			test, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(name), "_", " "), "/")
		}
		place, says, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if strings.Contains(place, ".go:") && !strings.HasPrefix(says, "traffic of the test") {
			lines = append(lines, test+": "+place)
		}
	}
	return lines
}
