package explore

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
	Broken     = "worker"           // a worker panicked, or left its goroutine as t.FailNow does
)

// Failure is a run that went wrong.
type Failure struct {
	Kind     string // one of the kinds of failures
	Text     string // what went wrong
	Schedule string // for Environment
	Requests int    // of the run
	Switches int    // between workers
	Faults   int    // that hit
	File     string // of HTML, if there is a directory of Pages

	test    string
	outcome *outcome
	search  *search
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

// finish runs the failure's schedule once more, for its page.
func (f *Failure) finish() {
	s, order := f.search, orderOf(f.outcome.steps)
	f.Schedule = scheduleText(f.outcome)
	f.Requests, f.Switches = len(order), switches(f.outcome.steps)
	f.Faults = len(f.outcome.plan)
	f.test = s.t.Name()
	o := s.execute(&execution{search: s, plan: f.outcome.plan, answers: true},
		func(done []*step, waiting []*ticket) int {
			if len(done) < len(order) {
				return indexOf(waiting, order[len(done)])
			}
			return 0
		})
	f.page = pageOf(f, o)
}

// Replay returns the command that runs the failure's schedule again.
func (f *Failure) Replay() string {
	parts := strings.Split(f.test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return fmt.Sprintf("%s='%s' go test -run '%s'", Environment,
		strings.ReplaceAll(f.Schedule, "'", "%27"), strings.Join(parts, "/"))
}

// String returns the failure as a page of text.
func (f *Failure) String() string {
	text := fmt.Sprintf("%s: %s\n\n%s\nRun it again:\n  %s", f.Kind,
		strings.TrimSuffix(f.Text, "\n"), f.page, f.Replay())
	if f.File != "" {
		text += "\nSee it: " + f.File
	}
	return text
}
