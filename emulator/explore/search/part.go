package search

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"math"
	"slices"
	"strings"
)

// Several machines can divide a search: each has a part, and knows nothing of the others. All of
// them walk the same first steps of all orders, in the same order, up to a frontier of beginnings.
// Each beginning belongs to one part, which searches what comes after it.
//
// On the way to the frontier every request that waits is tried, but for those that are asleep. What
// is asleep was tried in a beginning before, by the part that it belongs to. So the parts together
// run one order of each set of orders that differ only in neighbors that are independent, as one
// search does.

// beginningsOfPart is how many beginnings a part has at least, if there are so many: the more, the
// more alike are the parts.
const beginningsOfPart = 8

// division holds what the parts of a search know of each other. All parts find the same.
type division struct {
	common  map[string]bool // placements of faults that all parts know
	digest  hash.Hash       // a digest of the beginnings
	program string          // the digest once the parts are known
	streams bool            // somebody has read a stream by then
	top     int             // how many steps the beginnings have, without faults
}

// divide finds the placements of faults that all parts know: those that the first order of others
// shows. What only other orders show belongs to the parts that find it.
func divide(s *Search) {
	d := &division{digest: sha256.New()}
	for i := 0; i < len(s.plans.queue) && i < max(1, s.Budget/4) && !s.ended(); i++ {
		p := s.plans.queue[i]
		if i > 0 && len(p) >= s.Faults {
			break // the longer ones come later
		}
		o := s.run(s.exhaustive().next(), p)
		s.report.Dividing++
		s.use.note(o)
		s.report.note(o)
		s.plans.extend(o, s.Kinds, s.Moves)
		if i == 0 && o.whole() {
			s.first = orderOf(o.steps)
		}
	}
	d.common, d.streams = maps.Clone(s.plans.known), s.streams
	d.common[plan(nil).key()] = true
	for _, key := range slices.Sorted(maps.Keys(d.common)) {
		d.digest.Write([]byte(key + "\n"))
	}
	s.division = d
	d.top = frontier(s, s.exhaustive(), nil)
	d.program = d.sum()
}

func (d *division) sum() string { return hex.EncodeToString(d.digest.Sum(nil)[:16]) }

// shared returns the strategy for the part's share of the orders with some faults. If other parts
// do not know the faults, that is all of them.
func shared(s *Search, st strategy, p plan) strategy {
	if s.division == nil || !s.division.common[p.key()] {
		return st
	}
	first, top := s.plans.tried, s.division.top
	if _, bound := st.(*bounded); len(p) > 0 || bound {
		top = frontier(s, st, p)
	}
	return &share{strategy: st.anew(top), part: s.Part, top: top, at: first - 1}
}

// frontier returns how many steps the beginnings of orders have: so many that there are enough of
// them, or as many as a quarter of the budget shows.
func frontier(s *Search, st strategy, p plan) (top int) {
	want, from := beginningsOfPart*s.Part.Of, s.report.Dividing
	if len(p) > 0 {
		want = int(math.Ceil(float64(want) / float64(len(s.division.common))))
	}
	for {
		names, choice := beginnings(s, st.anew(top), p, top)
		spent := s.report.Dividing-from >= max(1, s.Budget/4) || s.ended()
		if len(names) < want && choice >= 0 && !spent {
			top = choice + 1
			continue
		}
		for _, name := range names {
			s.division.digest.Write([]byte(p.key() + name + "\n"))
		}
		return top
	}
}

// beginnings returns the beginnings of some steps, by name, and after how many steps the first of
// them comes to a choice between requests; -1: none does. Up to there a longer beginning is no
// other one.
func beginnings(s *Search, st strategy, p plan, top int) (names []string, choice int) {
	choice = -1
	for more := true; more && !s.ended(); {
		next, chooses := st.next(), false
		o := s.run(func(done []*step, waiting []*Pending) int {
			if len(done) >= top && len(waiting) > 1 {
				chooses = true
				return -1
			}
			return next(done, waiting)
		}, p)
		s.report.Dividing++
		if o.astray {
			s.report.Astray++
		}
		if chooses || !o.stopped || len(o.steps) >= top {
			names = append(names, beginningOf(o))
		}
		if n := len(o.steps); chooses && (choice < 0 || n < choice) {
			choice = n
		}
		more = st.back(o.steps)
	}
	return names, choice
}

// beginningOf names the requests of a run by their workers and operations: what is in them may
// have the time, which is another one on another machine.
func beginningOf(o *Outcome) string {
	var b strings.Builder
	for _, st := range o.steps {
		fmt.Fprintf(&b, "%q~%d %s ", o.workers[st.proc.worker].Name, st.proc.lane, st.operation)
	}
	return b.String()
}

// share is the part of the orders of a strategy that belongs to a part of a search.
type share struct {
	strategy
	part Part
	top  int
	last []proc // the last beginning
	at   int    // its number
}

// next returns the chooser of the next run, which ends where another part goes on.
func (sh *share) next() chooser {
	next := sh.strategy.next()
	return func(done []*step, waiting []*Pending) int {
		if len(done) == sh.top {
			if begin := orderOf(done); sh.last == nil || !slices.Equal(begin, sh.last) {
				sh.last, sh.at = append([]proc{}, begin...), sh.at+1
			}
			if !sh.part.owns(sh.at) {
				return -1
			}
		}
		return next(done, waiting)
	}
}

// owns reports whether a run belongs to the part. A run that has ended before the frontier is a
// beginning of its own.
func (sh *share) owns(o *Outcome) bool {
	if len(o.steps) <= sh.top {
		if o.stopped {
			return false // another part goes on, or all that could go is asleep
		}
		sh.last, sh.at = nil, sh.at+1
	}
	return sh.part.owns(sh.at)
}

// partText begins a report of a part.
func (r *Report) partText() string {
	if !r.Part.divided() {
		return ""
	}
	return r.Part.String() + ": "
}

// its is the word for the orders of a report.
func (r *Report) its() string {
	if r.Part.divided() {
		return "all its orders"
	}
	return "all orders"
}

// dividingText says what it took to divide the search.
func (r *Report) dividingText() (text string) {
	if r.Dividing > 0 {
		text = "; " + count(r.Dividing, "more run") + " divided the orders"
	}
	if r.streamLate {
		text += "; a worker has read a stream in some orders only, so that the parts may have " +
			"divided them otherwise"
	}
	return text
}

// describe keeps what the report of a part says of the search.
func describe(s *Search) {
	r := &s.report
	r.part = PartReport{Name: s.Name, Part: s.Part, Options: optionsText(s)}
	if r.part.Part.Of == 0 {
		r.part.Part = Part{1, 1}
	}
	if s.division != nil {
		r.part.Program, r.part.Beginnings = s.division.program, s.division.sum()
	}
}

// optionsText names the options that the parts of a search have in common.
func optionsText(s *Search) string {
	text := fmt.Sprintf("budget %d, within %v, longest %d, seed %d, faults %d %v, clock moves %v, "+
		"skew %v, serializable %v, all %v", s.Budget, s.Options.Within, s.Longest, s.Seed, s.Faults, s.Kinds,
		s.Moves, s.Skew, s.Serial, s.All)
	if s.Cache != nil {
		text += fmt.Sprintf(", cache %v", *s.Cache)
	}
	return text
}
