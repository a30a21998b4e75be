package explore

// explore runs orders until there are no more, or the budget is spent, or a failure is found.
func (s *search) explore() {
	s.plans = newPlans(s.faults)
	if s.schedule != "" {
		s.replay()
		return
	}
	if s.serial && s.alone() {
		return
	}
	s.report.Complete = true
	for p, more := s.plans.next(); more && !s.finished(); p, more = s.plans.next() {
		if len(p) == 0 {
			s.plain(p)
			continue
		}
		var st strategy = s.exhaustive()
		if !s.report.Complete {
			st, s.report.faultBound = &bounded{most: 1, preemptions: true}, true
		}
		if !s.through(st, p, s.budget) {
			s.report.Complete = false
		}
	}
	s.report.Complete = s.report.Complete && s.report.Cut == 0
}

// plain explores the orders without faults. If there are too many, that takes half of the budget if
// there are faults to try as well.
func (s *search) plain(p plan) {
	most := s.budget
	if s.faults > 0 {
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

func (s *search) exhaustive() strategy {
	if s.naive {
		return &naive{}
	}
	return &reduced{}
}

// finished reports whether the search has found what it looks for, or has spent its budget.
func (s *search) finished() bool {
	return len(s.report.Failures) > 0 && !s.all || s.report.Runs >= s.budget
}

// through runs the orders of a strategy, up to a number of all runs. It returns whether there are
// no more orders.
func (s *search) through(st strategy, p plan, most int) bool {
	for s.report.Runs < most {
		o := s.run(st.next(), p)
		s.account(o)
		if len(s.report.Failures) > 0 && !s.all {
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
func (s *search) account(o *outcome) {
	s.report.Runs++
	if o.cut {
		s.report.Cut++
	}
	s.report.note(o)
	if s.seen != nil {
		s.seen(o)
	}
	s.plans.extend(s, o)
	if s.unjudged {
		return
	}
	for _, f := range s.judge(o) {
		s.fail(f)
	}
}

// judge returns the failures of a run.
func (s *search) judge(o *outcome) (list []*Failure) {
	add := func(kind, text string) *Failure {
		f := &Failure{Kind: kind, Text: text, outcome: o, search: s}
		list = append(list, f)
		return f
	}
	if o.stuck != "" {
		add(Deadlock, o.stuck)
	}
	for _, w := range o.workers {
		if w.broken != "" && o.whole() {
			add(Broken, w.name+": "+w.broken)
		}
	}
	if f := s.lostUpdate(o); f != nil {
		f.outcome, f.search = o, s
		list = append(list, f)
	}
	if !o.whole() || len(list) > 0 {
		return list
	}
	if o.check != nil {
		add(Checked, errorText(o.check))
	}
	if o.refused != "" {
		add(Refused, o.refused)
	}
	if s.serial {
		if text := s.notSerial(o); text != "" {
			add(NotSerial, text)
		}
	}
	return list
}

// fail adds a failure with the shortest schedule that leads to it, unless there is one like it.
func (s *search) fail(f *Failure) {
	for _, other := range s.report.Failures {
		if !s.all || other.Kind == f.Kind && other.sign() == f.sign() {
			return
		}
	}
	f = s.shorten(f)
	f.finish()
	s.report.Failures = append(s.report.Failures, f)
}

// plans are the faults to try: a queue of plans, with fewer faults first.
type plans struct {
	most  int
	queue []plan
	known map[string]bool
	tried int
}

func newPlans(most int) *plans {
	return &plans{most: most, queue: []plan{nil}, known: map[string]bool{}}
}

func (p *plans) next() (plan, bool) {
	if p.tried >= len(p.queue) {
		return nil, false
	}
	p.tried++
	return p.queue[p.tried-1], true
}

// extend adds the plans with one more fault than a run had, at one of its requests.
func (p *plans) extend(s *search, o *outcome) {
	if len(o.plan) >= p.most {
		return
	}
	for _, st := range o.steps {
		w := o.workers[st.proc.worker]
		if st.fault != "" || o.plan.at(w.name, st.nth) != "" {
			continue
		}
		for _, f := range s.kinds {
			if !s.mayHit(f, st, o.steps, w.mortal) {
				continue
			}
			longer := o.plan.with(hit{w.name, st.nth, f})
			if key := longer.key(); !p.known[key] {
				p.known[key] = true
				p.queue = append(p.queue, longer)
			}
		}
	}
}
