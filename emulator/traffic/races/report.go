package races

import (
	"fmt"
	"strings"
)

// Kind says what is wrong with the requests of a Finding.
type Kind string

// The kinds of findings.
const (
	LostUpdate     Kind = "lost-update"     // an item is read, and written without a condition
	CheckThenPut   Kind = "check-then-put"  // no item is found, and one is put without a condition
	IgnoredFailure Kind = "ignored-failure" // a condition fails, and the program goes on
	UnsafeRetry    Kind = "unsafe-retry"    // a repeated request changes the item twice
	Unprocessed    Kind = "unprocessed"     // a part of a batch is never sent again
	SplitChange    Kind = "split-change"    // items that belong together, in two requests
)

// Step is a request of a Finding.
type Step struct {
	Request   int    `json:"request"` // number in the recording, from 1
	Operation string `json:"operation"`
	Table     string `json:"table"`
	Key       string `json:"key"` // DynamoDB's JSON
}

// Finding is requests that go wrong in an order that nothing rules out.
type Finding struct {
	Kind      Kind     `json:"kind"`
	Count     int      `json:"count"`    // places in the recording; the first is shown
	Requests  []Step   `json:"requests"` // sorted as recorded
	Why       string   `json:"why"`
	Order     []string `json:"order"` // the order that hurts
	Remedy    string   `json:"remedy"`
	Confirmed bool     `json:"confirmed"`
	Reason    string   `json:"reason,omitempty"` // why it is not confirmed
}

// Report holds what Find has found.
type Report struct {
	Requests int       `json:"requests"`
	Callers  int       `json:"callers"`
	Findings []Finding `json:"findings"` // sorted as in the recording; never nil
	// Partial says why the recording may not have all requests: see Recording.
	Partial string `json:"partial,omitempty"`
	// Full says that there were more than MaxFindings.
	Full bool `json:"full,omitempty"`
}

// String returns the report as text.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s: %s\n", counted(r.Requests, "request"),
		counted(r.Callers, "caller"), counted(len(r.Findings), "finding"))
	if r.Partial != "" {
		fmt.Fprintf(&b, "The recording may not have all requests: %s.\n", r.Partial)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		state := "confirmed by a replay"
		if !f.Confirmed {
			state = "not confirmed: " + f.Reason
		}
		fmt.Fprintf(&b, "\n%s (%s, %s)\n  %s\n", f.Kind, counted(f.Count, "time"), state, f.Why)
		for _, s := range f.Requests {
			fmt.Fprintf(&b, "    request %d: %s %s %s\n", s.Request, s.Operation, s.Table, s.Key)
		}
		b.WriteString("  The order that hurts:\n")
		for _, line := range f.Order {
			b.WriteString("    " + line + "\n")
		}
		b.WriteString("  Remedy: " + f.Remedy + "\n")
	}
	if r.Full {
		fmt.Fprintf(&b, "\nThere are more than %d findings.\n", MaxFindings)
	}
	return b.String()
}

// counted is a number with its noun, such as "1 finding" or "2 findings".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}
