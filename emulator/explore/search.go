package explore

// strategy decides which orders a search runs.
type strategy interface {
	next() chooser
	learn(steps []*step)
	back(steps []*step) bool // false: there are no more orders
}

// explore runs orders until there are no more, or the budget is spent, or a failure is found.
func (s *search) explore() {
	var st strategy = &reduced{}
	if s.naive {
		st = &naive{}
	}
	s.report.Complete = s.through(st)
}

// through runs the orders of a strategy. It returns whether it has run all.
func (s *search) through(st strategy) bool {
	whole := true
	for s.report.Runs < s.budget {
		o := s.run(st.next())
		s.report.Runs++
		if o.cut {
			s.report.Cut++
			whole = false
		}
		s.judge(&o)
		if len(s.report.Failures) > 0 && !s.all {
			return false
		}
		st.learn(o.steps)
		if !st.back(o.steps) {
			return whole
		}
	}
	return false
}

// judge looks for failures in a run.
func (s *search) judge(o *outcome) {
	if s.seen != nil {
		s.seen(o)
	}
	switch {
	case o.stopped || o.cut:
	case o.stuck != "":
		s.fail(o, "deadlock", o.stuck)
	case o.check != nil:
		s.fail(o, "check", errorText(o.check))
	}
	for i, died := range o.deaths {
		if died != "" {
			s.fail(o, "worker", o.names[i]+": "+died)
		}
	}
}

// fail adds a failure, unless there is one like it.
func (s *search) fail(o *outcome, kind, text string) {
	f := &Failure{Kind: kind, Text: text, Schedule: scheduleOf(o)}
	for _, other := range s.report.Failures {
		if other.Kind == f.Kind && other.Text == f.Text {
			return
		}
	}
	s.report.Failures = append(s.report.Failures, f)
}

// scheduleOf returns the workers in the order in which their requests went.
func scheduleOf(o *outcome) []string {
	var list []string
	for _, st := range o.steps {
		list = append(list, o.names[st.proc.worker])
	}
	return list
}
