package search

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator"
)

// violationText says where what Always demands did not hold.
func violationText(o *Outcome) string {
	v := o.violated
	if v.after < 0 {
		return "before the first request: " + v.err
	}
	st := o.steps[v.after]
	return fmt.Sprintf("after request %d of %s (%s): %s", st.nth,
		o.workers[st.proc.worker].Name, st.operation, v.err)
}

// holds looks whether what Always demands holds after the last step, if that has changed anything.
func holds(e *Run) {
	n := len(e.steps)
	if !e.watched || e.violated != nil || n > 0 && !e.steps[n-1].print.changes() {
		return
	}
	if err := e.search.Host.Holds(e); err != nil {
		e.violated = &violation{n - 1, ErrorText(err)}
	}
}

// Glance returns the data of a run as they are now, in a fork of their own.
func Glance(e *Run) *emulator.Emulator { return e.fork.Fork(emulator.WithPolicy(nil)) }

// ReadOnly returns a sender that refuses requests which may change something.
func ReadOnly(to Sender) Sender { return readOnly{to} }

type readOnly struct{ Sender }

func (s readOnly) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if readOperation(operation) {
		return s.Sender.Do(r)
	}
	text := fmt.Sprintf(`{"__type":"com.kugiri.explore#ReadOnly","message":"explore: what Always `+
		`gets only reads: %s is refused"}`, operation)
	return &http.Response{StatusCode: http.StatusBadRequest, Request: r,
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:   io.NopCloser(strings.NewReader(text)), ContentLength: int64(len(text))}, nil
}

// A run that comes to Longest may go round: the same requests, the same answers, and the tables as
// they were. The clock then moves once, past the deadlines of workers. If they still go round, that
// is a livelock.

// How often a round is gone at least, in how many requests, and how long a round may be.
const (
	leastRounds   = 3
	leastRequests = 30
	longestRound  = 60
)

// goesOn reports whether a run that has come to Longest goes on for some more requests.
func goesOn(e *Run, waiting []*Pending) bool {
	round := roundOf(e.steps, waiting)
	switch {
	case round == 0 || e.search.BeginLate == nil: // the workers' clock does not move: it is unknown
		return false
	case e.round == 0:
		e.round = round
		e.longest += max(leastRequests, leastRounds*round)
		e.search.Host.Pass(LongestSleep)
		e.steps[len(e.steps)-1].print.writes = true
		return true
	}
	e.Outcome.round = round
	var who []string
	for _, t := range waiting {
		if name := t.client.Worker.Name; !slices.Contains(who, name) {
			who = append(who, name)
		}
	}
	verb := "goes"
	if len(who) > 1 {
		verb = "go"
	}
	e.livelock = fmt.Sprintf("%s %s round the same state: the last %s, with the same answers, leave "+
		"the tables as they were, again and again\n30 days later on their clock they still do, after %s",
		strings.Join(who, " and "), verb, count(round, "request"), count(len(e.steps), "request"))
	return false
}

// roundOf returns how many of the last steps are a round that was gone several times, and in which
// all take part who have a request that waits. It returns 0 without such a round.
func roundOf(steps []*step, waiting []*Pending) int {
	for round := 1; round <= longestRound; round++ {
		first := len(steps) - max(leastRounds*round, leastRequests)
		if first < 0 {
			return 0
		}
		if !repeated(steps[first:], round) {
			continue
		}
		last := steps[len(steps)-round:]
		for _, t := range waiting {
			if !slices.ContainsFunc(last, func(st *step) bool { return st.proc == t.proc() }) {
				return 0
			}
		}
		return round
	}
	return 0
}

// repeated reports whether steps are all as those a round before.
func repeated(steps []*step, round int) bool {
	for i := round; i < len(steps); i++ {
		if !steps[i].sameAs(steps[i-round]) {
			return false
		}
	}
	return true
}

// firstRound returns how many steps there are up to the end of the first round.
func firstRound(steps []*step, round int) int {
	n := len(steps)
	for n > round && steps[n-1].sameAs(steps[n-1-round]) {
		n--
	}
	return n
}

// sameAs reports whether a step is the same as another one, with what it found, left and answered.
func (st *step) sameAs(other *step) bool {
	return st.proc == other.proc && st.operation == other.operation && st.fault == "" &&
		other.fault == "" && st.status == other.status && bytes.Equal(st.answer, other.answer) &&
		st.textWithoutToken() == other.textWithoutToken() &&
		slices.EqualFunc(st.print.items, other.print.items, func(a, b touch) bool {
			return a.table == b.table && a.key == b.key && a.old == b.old && a.new == b.new
		})
}

// textWithoutToken returns the request without the token of its transaction, which is another one
// each time.
func (st *step) textWithoutToken() string {
	if !bytes.Contains(st.body, []byte("ClientRequestToken")) {
		return st.text
	}
	return strings.ReplaceAll(st.text, tokenOf(st.body), "")
}
