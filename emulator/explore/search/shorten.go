package search

// shortestRuns bounds the runs that look for a shorter schedule.
const shortestRuns = 2000

// shorten returns a failure like f whose schedule has the fewest switches between workers. The
// faults are as few as can be: the search tries fewer first.
func (s *Search) shorten(f *Failure) *Failure {
	runs := 0
	for most := 0; most < switches(f.outcome.steps); most++ {
		b := &bounded{most: most}
		for more := true; more && runs < shortestRuns; runs++ {
			o := s.run(b.next(), f.outcome.plan)
			for _, other := range s.judge(o) {
				if other.Kind == f.Kind {
					return other
				}
			}
			more = b.back(o.steps)
		}
	}
	return f
}
