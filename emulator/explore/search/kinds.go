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
	// The clock moves, and then a worker begins, which reads that time. They come with Later and
	// LaterKept, and hit no request: see BeginLate.
	beginsLater     Fault = "begins-later"
	beginsLaterKept Fault = "begins-later-kept"
	// The clock of a worker is ahead in all of the run: see Options.Skew. It hits no request.
	Skewed Fault = "skewed"
	// A consumer gets a batch once more, although its function has handled it.
	Redelivered Fault = "redelivered"
)

// AllFaults lists all faults.
var AllFaults = []Fault{LostAnswer, ServerError, Throttled, Unprocessed, Conflict, Stale1, Stale2,
	Stale3, Cached, DiesBefore, DiesAfter, Later, LaterKept, Expired, Redelivered, Skewed}

// Cached is the kind of the faults by which a cache answers with what is old. In a plan it is
// followed by how many changes the answer does not show: cached2, or, for the items of a batch,
// cached0.2.
const Cached Fault = "cached"

// mostAges bounds the choices for one batch. More than that are tried one item at a time.
const mostAges = 256

// agesOf returns how many changes of each item, or of a result, an answer does not show. It is nil
// for other faults.
func (f Fault) agesOf() (ages []int) {
	text, ok := strings.CutPrefix(string(f), string(Cached))
	if !ok {
		return nil
	}
	for _, part := range strings.Split(text, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil
		}
		ages = append(ages, n)
	}
	return ages
}

func cachedFault(ages []int) Fault {
	text := make([]string, len(ages))
	for i, n := range ages {
		text[i] = strconv.Itoa(n)
	}
	return Cached + Fault(strings.Join(text, "."))
}

// kind returns the fault of AllFaults that a fault comes with.
func (f Fault) kind() Fault {
	switch {
	case f.agesOf() != nil:
		return Cached
	case f == beginsLater:
		return Later
	case f == beginsLaterKept:
		return LaterKept
	}
	return f
}

// ofTime reports whether a fault changes the time, or what is there because of it: for all workers.
func (f Fault) ofTime() bool {
	return f == Later || f == LaterKept || f == Expired || f.begins()
}

// begins reports whether a fault hits the beginning of a worker, which is its request 0 in a plan.
func (f Fault) begins() bool { return f == beginsLater || f == beginsLaterKept }

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

// begin is the operation of a step in which a worker begins, if that is not at the beginning.
const begin = "begins"

// hit is a fault of a request: the nth of a worker, from 1; 0 is its beginning.
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
		return h.fault == LaterKept || h.fault == Expired || h.fault == beginsLaterKept
	})
}

func (p plan) stale() bool {
	return slices.ContainsFunc(p, func(h hit) bool { return h.fault.behind() > 0 })
}

// cached reports whether an answer comes from a cache, and is old.
func (p plan) cached() bool {
	return slices.ContainsFunc(p, func(h hit) bool { return h.fault.agesOf() != nil })
}

// without is the plan without the fault of a request.
func (p plan) without(worker string, nth int) plan {
	return slices.DeleteFunc(slices.Clone(p),
		func(h hit) bool { return h.worker == worker && h.nth == nth })
}

func (p plan) key() string {
	var b strings.Builder
	for _, h := range p {
		b.WriteString(h.worker + "\x00" + strconv.Itoa(h.nth) + "\x00" + string(h.fault) + "\x00")
	}
	return b.String()
}
