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
	command string // that runs the test
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
