package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Fault is a kind of failure that the service allows, or that happens to a worker.
type Fault string

// The faults. Each hits one request.
const (
	LostAnswer  Fault = "lost"        // the request is carried out, but its answer does not arrive
	ServerError Fault = "error"       // status 500; the request does nothing
	Throttled   Fault = "throttled"   // the request does nothing
	Unprocessed Fault = "unprocessed" // half of a batch is left unprocessed
	Conflict    Fault = "conflict"    // the items are part of another transaction
	// An eventually consistent read, of a table or an index, does not show the last write to its
	// table yet; or the last two, or the last three.
	Stale1 Fault = "stale1"
	Stale2 Fault = "stale2"
	Stale3 Fault = "stale3"
	// The worker dies before its request is sent, or after it is carried out. Only workers with a
	// Restart die.
	DiesBefore Fault = "dies-before"
	DiesAfter  Fault = "dies-after"
	// The clock moves before the request: see ClockMoves. What has expired then is deleted at once,
	// or kept, for TTL deletes items within a few days.
	Later     Fault = "later"
	LaterKept Fault = "later-kept"
	// Before the request, TTL deletes what has expired.
	Expired Fault = "expired"
	// A consumer gets a batch once more, although its function has handled it.
	Redelivered Fault = "redelivered"
)

// AllFaults lists all faults.
var AllFaults = []Fault{LostAnswer, ServerError, Throttled, Unprocessed, Conflict, Stale1, Stale2,
	Stale3, DiesBefore, DiesAfter, Later, LaterKept, Expired, Redelivered}

// ofTime reports whether a fault changes the time, or what is there because of it: for all workers.
func (f Fault) ofTime() bool { return f == Later || f == LaterKept || f == Expired }

// behind is how many writes to its table a stale read does not show, 0 for other faults.
func (f Fault) behind() int {
	switch f {
	case Stale1:
		return 1
	case Stale2:
		return 2
	case Stale3:
		return 3
	}
	return 0
}

// Invoke is the operation of a step in which a consumer gets a batch, or gets it again.
const Invoke = "Invoke"

// hit is a fault of a request: the nth of a worker, from 1.
type hit struct {
	worker string
	nth    int
	fault  Fault
}

// plan is the faults of a run, sorted.
type plan []hit

func (p plan) with(h hit) plan {
	q := append(slices.Clone(p), h)
	slices.SortFunc(q, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.worker, b.worker), a.nth-b.nth)
	})
	return q
}

// at returns the fault of a request, or "".
func (p plan) at(worker string, nth int) Fault {
	for _, h := range p {
		if h.worker == worker && h.nth == nth {
			return h.fault
		}
	}
	return ""
}

// keeps reports whether items that expire are kept in a run until a fault deletes them.
func (p plan) keeps() bool {
	return slices.ContainsFunc(p, func(h hit) bool {
		return h.fault == LaterKept || h.fault == Expired
	})
}

func (p plan) stale() bool {
	return slices.ContainsFunc(p, func(h hit) bool { return h.fault.behind() > 0 })
}

func (p plan) key() string {
	var b strings.Builder
	for _, h := range p {
		b.WriteString(h.worker + "\x00" + strconv.Itoa(h.nth) + "\x00" + string(h.fault) + "\x00")
	}
	return b.String()
}
