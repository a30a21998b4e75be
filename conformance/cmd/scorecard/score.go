package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is a line of the output of go test -json.
type event struct {
	Action, Package, Test, Output, Key, Value string
}

// result is the result of a case: a test without subtests, or a subtest.
type result struct {
	Test    string `json:"test"`
	Area    string `json:"area"`
	Known   string `json:"known"`  // how its expectation is known
	Source  string `json:"source"` // its rule's source; "" if only a comment in the test names it
	Outcome string `json:"outcome"`
	Output  string `json:"output,omitempty"` // the output of a case that failed
}

// The outcomes, as go test names them.
const (
	passed  = "pass"
	failed  = "fail"
	skipped = "skip"
)

// testRun is a run of the suite.
type testRun struct {
	results   []result
	functions []string // the functions that began
	panicked  bool     // a panic ended the run before the other functions began
}

// readRun reads the output of go test -json. rest gets the output that belongs to no test.
func readRun(r io.Reader, areas map[string]string, rest io.Writer) (*testRun, error) {
	byTest := map[string]*result{}
	parents := map[string]bool{}
	run := &testRun{}
	events := json.NewDecoder(r)
	for {
		var e event
		if err := events.Decode(&e); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("reading what go test prints: %w", err)
		}
		run.panicked = run.panicked || strings.HasPrefix(e.Output, "panic: ")
		if e.Test == "" {
			io.WriteString(rest, e.Output)
			continue
		}
		t := byTest[e.Test]
		if t == nil {
			function, _, _ := strings.Cut(e.Test, "/")
			t = &result{Test: e.Test, Area: areas[function], Known: "manual"}
			byTest[e.Test] = t
			if !slices.Contains(run.functions, function) {
				run.functions = append(run.functions, function)
			}
			if i := strings.LastIndexByte(e.Test, '/'); i >= 0 {
				parents[e.Test[:i]] = true
			}
		}
		t.take(&e)
	}
	for _, t := range byTest {
		if t.Outcome == "" && run.panicked {
			t.Outcome = failed // it was running
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byTest)) {
		// A test with cases counts itself only if it failed and none of its cases did: then its
		// setup failed.
		if t := byTest[name]; t.Outcome != "" &&
			(!parents[name] || t.Outcome == failed && !caseFailed(byTest, name)) {
			run.results = append(run.results, *t)
		}
	}
	return run, nil
}

func (t *result) take(e *event) {
	switch e.Action {
	case "attr":
		switch e.Key {
		case "known":
			t.Known = e.Value
		case "source":
			t.Source = e.Value
		}
	case "output":
		t.Output += e.Output
	case passed, failed, skipped:
		if t.Outcome = e.Action; e.Action != failed {
			t.Output = ""
		}
	}
}

func caseFailed(byTest map[string]*result, parent string) bool {
	for name, t := range byTest {
		if strings.HasPrefix(name, parent+"/") && t.Outcome == failed {
			return true
		}
	}
	return false
}

// count counts cases by outcome.
type count struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

func (c *count) add(outcome string) {
	switch outcome {
	case passed:
		c.Passed++
	case failed:
		c.Failed++
	default:
		c.Skipped++
	}
}

// scorecard holds the results for an endpoint.
type scorecard struct {
	Endpoint string            `json:"endpoint"`
	Total    count             `json:"total"`
	Areas    map[string]*count `json:"areas"`
	Known    map[string]*count `json:"known"` // counts by how expectations are known
	Failures []result          `json:"failures"`
	// cases whose expectation no record of the service confirms
	Inferred []result `json:"inferred"`
}

func newScorecard(endpoint string, results []result) *scorecard {
	s := &scorecard{
		Endpoint: endpoint, Areas: map[string]*count{}, Known: map[string]*count{},
		Failures: []result{}, Inferred: []result{},
	}
	for _, r := range results {
		s.Total.add(r.Outcome)
		counted(s.Areas, r.Area).add(r.Outcome)
		counted(s.Known, r.Known).add(r.Outcome)
		if r.Outcome == failed {
			s.Failures = append(s.Failures, r)
		}
		if r.Known == "inferred" {
			s.Inferred = append(s.Inferred, r)
		}
	}
	return s
}

func counted(m map[string]*count, name string) *count {
	if m[name] == nil {
		m[name] = &count{}
	}
	return m[name]
}

// print writes the scorecard as text. With long it also lists failures with their output, and the
// inferred cases.
func (s *scorecard) print(w io.Writer, long bool) {
	fmt.Fprintf(w, "%s passes %d of %d cases", s.Endpoint, s.Total.Passed,
		s.Total.Passed+s.Total.Failed)
	if s.Total.Skipped > 0 {
		fmt.Fprintf(w, "; %d do not apply", s.Total.Skipped)
	}
	fmt.Fprint(w, "\n\n")
	printCounts(w, "Area", s.Areas)
	printCounts(w, "Known from", s.Known)
	if !long {
		fmt.Fprintln(w, "-long lists the failures and the inferred cases.")
		return
	}
	for _, f := range s.Failures {
		fmt.Fprintf(w, "FAILED %s\n%s\n", f.Test, f.Output)
	}
	fmt.Fprintf(w, "%d cases whose expectation is inferred:\n", len(s.Inferred))
	for _, i := range s.Inferred {
		fmt.Fprintf(w, "  %s (%s)\n", i.Test, i.Source)
	}
}

func printCounts(w io.Writer, title string, counts map[string]*count) {
	fmt.Fprintf(w, "%-22s %6s %6s %8s\n", title, "passed", "failed", "skipped")
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		fmt.Fprintf(w, "%-22s %6d %6d %8d\n", name, c.Passed, c.Failed, c.Skipped)
	}
	fmt.Fprintln(w)
}
