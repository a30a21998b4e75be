package explore

import (
	"fmt"
	"strings"
)

// Report says what a search has explored.
type Report struct {
	Runs     int  // orders that were run
	Cut      int  // runs with more requests than Longest
	Complete bool // all orders were tried, but for those that cannot differ from one that was
	Failures []*Failure
}

// Failure is a run that went wrong.
type Failure struct {
	// Kind is what went wrong: "check", "worker" (a panic, or t.FailNow) or "deadlock".
	Kind     string
	Text     string
	Schedule []string // the workers, in the order in which their requests went
}

// String returns the failure as text.
func (f *Failure) String() string {
	return fmt.Sprintf("explore: %s: %s\nschedule: %s", f.Kind, f.Text,
		strings.Join(f.Schedule, ","))
}

// String returns the report as text.
func (r *Report) String() string {
	if r.Complete {
		return fmt.Sprintf("explore: %d runs; all orders were tried", r.Runs)
	}
	return fmt.Sprintf("explore: %d runs; not all orders were tried", r.Runs)
}
