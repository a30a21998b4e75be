package main

import (
	"fmt"
	"slices"
	"strings"
)

// steps are those of the scenario.
var steps = []string{
	"tables", "conditions", "updates", "pages", "parallel scan", "batches", "transactions",
	"PartiQL", "streams", "numbers", "values", "expiry", "deletion",
}

// result holds what a row printed.
type result struct {
	version string
	ok      []string
	left    []string // the steps that the client cannot express
	faults  []string
}

// parse reads the output of a row that has these steps.
func parse(output string, steps []string) (r result) {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if version, ok := strings.CutPrefix(line, "version "); ok {
			r.version = version
		} else if step, ok := strings.CutPrefix(line, "ok "); ok {
			r.ok = append(r.ok, step)
		} else if text, ok := strings.CutPrefix(line, "left out "); ok {
			step, reason, _ := strings.Cut(text, ": ")
			if reason == "" {
				r.faults = append(r.faults, step+" is left out without a reason")
			}
			r.left = append(r.left, step)
		} else if text, ok := strings.CutPrefix(line, "failed "); ok {
			r.faults = append(r.faults, text)
		}
	}
	r.check(steps)
	return r
}

// check finds what the row did not say, and what it said besides.
func (r *result) check(steps []string) {
	if r.version == "" {
		r.faults = append(r.faults, "the row does not print its version")
	}
	said := slices.Concat(r.ok, r.left)
	for _, step := range said {
		if !slices.Contains(steps, step) {
			r.faults = append(r.faults, fmt.Sprintf("there is no step %q", step))
		}
	}
	for _, step := range steps {
		times := count(said, step)
		failed := slices.ContainsFunc(r.faults,
			func(f string) bool { return strings.HasPrefix(f, step+": ") })
		if times > 1 || times == 1 && failed {
			r.faults = append(r.faults, step+" is there twice")
		} else if times == 0 && !failed {
			r.faults = append(r.faults, step+" did not run")
		}
	}
}

func count(list []string, text string) (n int) {
	for _, s := range list {
		if s == text {
			n++
		}
	}
	return n
}
