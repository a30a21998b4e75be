package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// event is a line of "go test -json": see "go doc test2json".
type event struct {
	Action     string
	Package    string
	ImportPath string // the package of a build that failed
	Test       string // "" for the package as a whole
	Output     string
}

// name is a test, or with Test "" a package.
type name struct{ Package, Test string }

func (n name) String() string {
	if n.Test == "" {
		return n.Package
	}
	return n.Package + " " + n.Test
}

// results collects what tests print, until they pass.
type results struct {
	progress io.Writer // gets a line for each package
	output   map[name]*strings.Builder
	failures []name
	skipped  map[string][]name // the skipped tests, by reason
	passed   int               // tests, with those in tests
}

func newResults(progress io.Writer) *results {
	return &results{
		progress: progress, output: map[name]*strings.Builder{}, skipped: map[string][]name{},
	}
}

// read reads events until the end. It prints any other line.
func (r *results) read(from *bufio.Reader) error {
	for {
		line, err := from.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				r.note(e)
			} else {
				r.progress.Write(line)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *results) note(e event) {
	n := name{e.Package, e.Test}
	if e.ImportPath != "" {
		n = name{e.ImportPath, ""}
	}
	switch e.Action {
	case "output", "build-output":
		if r.output[n] == nil {
			r.output[n] = new(strings.Builder)
		}
		r.output[n].WriteString(e.Output)
	case "fail", "build-fail":
		r.failures = append(r.failures, n)
	case "skip":
		if e.Test != "" {
			why := reason(r.text(n))
			r.skipped[why] = append(r.skipped[why], n)
		}
	case "pass":
		if e.Test != "" {
			r.passed++
			delete(r.output, n)
		}
	}
	if e.Test == "" && (e.Action == "pass" || e.Action == "fail") {
		fmt.Fprintln(r.progress, map[string]string{"pass": "ok  ", "fail": "FAIL"}[e.Action],
			e.Package)
	}
}

func (r *results) text(n name) string {
	if r.output[n] == nil {
		return ""
	}
	return r.output[n].String()
}

// reason returns what a test that was skipped said: the text behind its place.
func reason(output string) string {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if _, text, ok := strings.Cut(line, "_test.go:"); ok {
			if _, text, ok = strings.Cut(text, ": "); ok {
				return text
			}
		}
	}
	return "no reason"
}

// write writes the report, with the failures last.
func (r *results) write(out io.Writer, times []packageTime) {
	writeTimes(out, times)
	r.writeSkipped(out)
	failed, skipped := 0, 0
	for _, n := range r.failures {
		if n.Test != "" {
			failed++
		}
		if text := r.text(n); text != "" {
			fmt.Fprintf(out, "\n--- %s\n%s", n, text)
		}
	}
	for _, n := range r.failures {
		fmt.Fprintln(out, "FAIL", n)
	}
	for _, names := range r.skipped {
		skipped += len(names)
	}
	fmt.Fprintf(out, "\n%d passed, %d failed, %d skipped\n", r.passed, failed, skipped)
}

func (r *results) writeSkipped(out io.Writer) {
	for _, why := range slices.Sorted(maps.Keys(r.skipped)) {
		fmt.Fprintf(out, "\n%d skipped: %s\n", len(r.skipped[why]), why)
		for _, n := range r.skipped[why][:min(3, len(r.skipped[why]))] {
			fmt.Fprintln(out, "    ", n)
		}
	}
}

const slowest = 10

// writeTimes writes the packages that took the most CPU time, and the sum of all.
func writeTimes(out io.Writer, times []packageTime) {
	if len(times) == 0 {
		return
	}
	var sum time.Duration
	for _, t := range times {
		sum += t.CPU
	}
	times = slices.SortedFunc(slices.Values(times),
		func(a, b packageTime) int { return int(b.CPU - a.CPU) })
	fmt.Fprintf(out, "\n   CPU s   wall s\n")
	for _, t := range times[:min(slowest, len(times))] {
		fmt.Fprintf(out, "%8.1f %8.1f  %s\n", t.CPU.Seconds(), t.Wall.Seconds(), t.Dir)
	}
	fmt.Fprintf(out, "%8.1f           the tests of %d packages\n", sum.Seconds(), len(times))
}
