package search

import (
	"fmt"
	"regexp"
	"strings"
)

// The kinds of failures.
const (
	Checked    = "check"            // a Check returned an error
	LostUpdate = "lost update"      // a worker overwrote what another had changed since it read it
	NotSerial  = "not serializable" // see Serializable
	Refused    = "refused"          // the policy refused a request
	Deadlock   = "deadlock"         // workers wait forever
	Invariant  = "invariant"        // what Always demands did not hold between two requests
	Livelock   = "livelock"         // workers go round the same state
	Broken     = "worker"           // a worker panicked, or left its goroutine as t.FailNow does
)

// Failure is a run that went wrong.
type Failure struct {
	Kind     string // one of the kinds of failures
	Text     string // what went wrong
	Schedule string // the schedule for Environment
	Requests int    // the requests of the run
	Switches int    // changes from one worker to another
	Faults   int    // the faults that hit
	File     string // an HTML file, if there is a directory of Pages

	test    string
	command string // the command that runs the test
	outcome *Outcome
	lost    *lost
	page    *page
}

var digits = regexp.MustCompile(`[0-9]+`)

// sign is equal for failures that are not distinct.
func (f *Failure) sign() string {
	first, _, _ := strings.Cut(f.Text, "\n")
	if f.Kind == LostUpdate {
		first = f.Text
	}
	return digits.ReplaceAllString(first, "#")
}

// Replay returns the command that runs the failure's schedule again.
func (f *Failure) Replay() string {
	return fmt.Sprintf("%s='%s' %s", Environment, strings.ReplaceAll(f.Schedule, "'", "%27"),
		f.command)
}

// Page returns the table of the failure's requests.
func (f *Failure) Page() string { return f.page.String() }

// String returns the failure as a page of text.
func (f *Failure) String() string {
	text := fmt.Sprintf("%s: %s\n\n%s\nRun it again:\n  %s", f.Kind,
		strings.TrimSuffix(f.Text, "\n"), f.page, f.Replay())
	if f.File != "" {
		text += "\nSee it: " + f.File
	}
	return text
}

// Diagram returns the failure's page as data.
func (f *Failure) Diagram() *Diagram {
	d := &Diagram{Kind: f.Kind, Test: f.test, Text: f.Text, Replay: f.Replay(),
		Workers: []DiagramWorker{}, Steps: []DiagramStep{}}
	for i, name := range f.page.workers {
		d.Workers = append(d.Workers, DiagramWorker{name, shown(f.page.results[i])})
	}
	for _, r := range f.page.rows {
		st := DiagramStep{Worker: r.worker, Operation: r.lines[0], Mark: r.mark, Items: r.items}
		for _, line := range r.lines[1:] {
			st.Lines = append(st.Lines, shown(strings.TrimSpace(line)))
		}
		d.Steps = append(d.Steps, st)
	}
	return d
}

// itemsOf returns what a request has done to items.
func itemsOf(st *step) (list []DiagramItem) {
	for i := range st.print.items[:min(len(st.print.items), maxShownAttributes)] {
		t := &st.print.items[i]
		list = append(list, DiagramItem{t.table, shown(itemText(t.key)), attributesOf(t.old),
			attributesOf(t.new)})
	}
	return list
}

// fail adds a failure with the shortest schedule that leads to it, unless there is one like it.
func (s *Search) fail(f *Failure) {
	for _, other := range s.report.Failures {
		if !s.All || other.Kind == f.Kind && other.sign() == f.sign() {
			return
		}
	}
	if f.Kind != Deadlock || !s.Waits {
		f = s.shorten(f)
	}
	s.finish(f)
	s.report.Failures = append(s.report.Failures, f)
}

// shortestRuns and shortestSteps bound what looks for a shorter schedule of a failure: as many runs
// and requests as the search took to find it, or these.
const (
	shortestRuns  = 500
	shortestSteps = 5000
)

// shorten returns a failure like f whose schedule has the fewest switches between workers: it
// tries the orders with none, with one, and so on. The faults are as few as can be: the search
// tries fewer first.
func (s *Search) shorten(f *Failure) *Failure {
	s.shortening = true
	defer func() { s.shortening = false }()
	runs, steps := max(s.report.Runs, shortestRuns), max(s.requests, shortestSteps)
	for most := 0; most < switches(f.outcome.steps); most++ {
		b := &bounded{most: most}
		for more := true; more && runs > 0 && steps > 0 && !s.ended(); runs-- {
			o := s.run(b.next(), f.outcome.plan)
			steps -= len(o.steps)
			s.report.Shorter++
			for _, other := range s.judge(o) {
				if other.Kind == f.Kind && (!s.All || other.sign() == f.sign()) {
					return other
				}
			}
			more = b.back(o.steps)
		}
	}
	return f
}

// finish runs the failure's schedule once more, for its page.
func (s *Search) finish(f *Failure) {
	if f.Kind == Invariant { // what comes after it does not matter
		short := *f.outcome
		short.steps = short.steps[:short.violated.after+1]
		f.outcome = &short
	}
	order := orderOf(f.outcome.steps)
	f.test, f.command, f.Schedule = s.Name, s.Command, scheduleText(f.outcome)
	if s.Ordinal > 1 {
		f.Schedule = fmt.Sprintf("%d#%s", s.Ordinal, f.Schedule)
	}
	f.Requests, f.Switches = len(order), switches(f.outcome.steps)
	f.Faults = len(f.outcome.plan)
	if f.Kind == Deadlock && s.Waits {
		f.page = pageOf(f, f.outcome, s.Throws)
		return
	}
	o := s.execute(&Run{search: s, plan: f.outcome.plan},
		func(done []*step, waiting []*Pending) int {
			if len(done) < len(order) {
				return indexOf(waiting, order[len(done)])
			}
			return 0
		})
	f.page = pageOf(f, o, s.Throws)
}
