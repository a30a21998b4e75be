package search

import (
	"math/rand/v2"
	"time"
)

// explore runs orders until there are no more, or the budget is spent, or a failure is found.
func (s *Search) explore() {
	s.plans = newPlans(s.Faults)
	s.plans.late, s.plans.skews = s.BeginLate != nil, s.Skew > 0
	if s.Schedule != "" {
		s.replay()
		return
	}
	if s.Serial && s.alone() {
		return
	}
	s.report.Complete = true
	if s.report.Part = s.Part; s.Part.divided() {
		divide(s)
	}
	for p, more := s.plans.next(); more && !s.finished(); p, more = s.plans.next() {
		if len(p) == 0 {
			s.plain(p)
			continue
		}
		st := s.exhaustive()
		if !s.report.Complete {
			st, s.report.faultBound = &bounded{most: 1, preemptions: true}, true
		}
		if !s.through(st, p, s.Budget) {
			s.report.Complete = false
		}
	}
	if s.report.Complete && len(s.report.Failures) == 0 {
		s.repeat()
	}
	s.report.agesCut = s.plans.cut
	s.report.streamLate = s.division != nil && s.streams != s.division.streams
	s.report.Complete = s.report.Complete && s.report.Cut == 0 && s.report.Astray == 0 &&
		s.report.SerialLeft == nil &&
		s.report.Overslept == 0 && s.report.Polled == 0 && s.record.differ == "" &&
		!s.plans.cut && !s.report.streamLate && !s.ended()
}

// plain explores the orders without faults. If there are too many, that takes half of the budget if
// there are faults to try as well.
func (s *Search) plain(p plan) {
	most := s.Budget
	if s.Faults > 0 {
		most /= 2
	}
	if s.through(s.exhaustive(), p, most/2) {
		return
	}
	s.report.Complete = false
	if !s.finished() {
		s.bounds(p, most)
	}
}

func (s *Search) exhaustive() strategy {
	if s.Naive {
		return &naive{}
	}
	return &reduced{}
}

// finished reports whether the search has found what it looks for, or has spent its budget.
func (s *Search) finished() bool {
	return len(s.report.Failures) > 0 && !s.All || s.report.Runs >= s.Budget || s.ended()
}

func (s *Search) ended() bool { return s.Ended != nil && s.Ended() || s.late() }

// late reports whether the time of the search is spent.
func (s *Search) late() bool { return !s.deadline.IsZero() && time.Now().After(s.deadline) }

// through runs the orders of a strategy, up to a number of all runs. It returns whether there are
// no more orders.
func (s *Search) through(st strategy, p plan, most int) bool {
	st = shared(s, st, p)
	for s.report.Runs < most && !s.ended() {
		o := s.run(st.next(), p)
		if sh, ok := st.(*share); ok && !sh.owns(o) {
			s.report.Dividing++
		} else {
			s.account(o)
		}
		if len(s.report.Failures) > 0 && !s.All {
			return false
		}
		st.learn(o.steps)
		if !st.back(o.steps) {
			return true
		}
	}
	return false
}

// account adds a run to the report, and looks for failures in it.
func (s *Search) account(o *Outcome) {
	if s.report.Runs++; s.first == nil && len(o.plan) == 0 && o.whole() {
		s.first = orderOf(o.steps)
	}
	s.requests += len(o.steps)
	if o.cut {
		s.report.Cut++
	}
	if o.astray {
		s.report.Astray++
	}
	if s.use.note(o); s.use.ends == "" {
		s.use.ends = endsOf(o.workers, s.Throws)
	}
	if o.overslept {
		s.report.Overslept++
	}
	if o.polled {
		s.report.Polled++
	}
	s.report.note(o)
	if s.Seen != nil {
		s.Seen(o)
	}
	s.plans.extend(o, s.Kinds, s.Moves)
	if s.Unjudged {
		return
	}
	for _, f := range s.judge(o) {
		s.fail(f)
	}
}

// judge returns the failures of a run.
func (s *Search) judge(o *Outcome) (list []*Failure) {
	add := func(kind, text string) *Failure {
		f := &Failure{Kind: kind, Text: text, outcome: o}
		list = append(list, f)
		return f
	}
	if o.stuck != "" {
		add(Deadlock, o.stuck)
	}
	if o.violated != nil {
		add(Invariant, violationText(o))
	}
	if o.livelock != "" {
		add(Livelock, o.livelock)
	}
	for _, w := range o.workers {
		if w.broken != "" && o.whole() {
			add(Broken, w.Name+": "+w.broken)
		}
	}
	if f := s.lostUpdate(o); f != nil {
		f.outcome = o
		list = append(list, f)
	}
	if !o.whole() || len(list) > 0 && !s.All {
		return list
	}
	if o.check != nil {
		add(Checked, ErrorText(o.check))
	}
	if o.refused != "" {
		add(Refused, o.refused)
	}
	if s.Serial {
		if text := s.notSerial(o); text != "" {
			add(NotSerial, text)
		}
	}
	return list
}

// repeats is how many runs a search has at least, with those that repeat what was tried to see
// whether the workers do the same again.
const repeats = 8

// repeat runs the first order again, and random orders. A worker that asks by chance for one thing
// or another is otherwise seen only where runs have a beginning in common, and memory that workers
// share not at all if their requests are independent.
func (s *Search) repeat() {
	if len(s.first) == 0 {
		return // no worker asks for anything
	}
	rng := rand.New(rand.NewPCG(s.Seed, 1))
	for n := s.report.Runs; n < repeats && s.record.differ == "" && !s.ended(); n++ {
		same := n%2 == 1
		o := s.run(func(done []*step, waiting []*Pending) int {
			switch {
			case !same:
				return rng.IntN(len(waiting))
			case len(done) < len(s.first):
				return again(waiting, s.first[len(done)])
			}
			return 0
		}, nil)
		s.report.Repeats++
		if o.astray && s.record.differ == "" {
			s.report.Astray++
			return
		}
	}
}
