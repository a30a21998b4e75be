package search

// shortestRuns and shortestSteps bound what looks for a shorter schedule of a failure: as many runs
// and requests as the search took to find it, or these.
const (
	shortestRuns  = 500
	shortestSteps = 5000
)

// shorten returns a failure like f whose schedule has the fewest switches between workers: it
// tries the orders with none, with one, and so on. The faults are as few as can be: the search
// tries fewer first.
func (s *Search) shorten(f *Failure) *Failure {
	s.shortening = true
	defer func() { s.shortening = false }()
	runs, steps := max(s.report.Runs, shortestRuns), max(s.requests, shortestSteps)
	for most := 0; most < switches(f.outcome.steps); most++ {
		b := &bounded{most: most}
		for more := true; more && runs > 0 && steps > 0 && !s.ended(); runs-- {
			o := s.run(b.next(), f.outcome.plan)
			steps -= len(o.steps)
			s.report.Shorter++
			for _, other := range s.judge(o) {
				if other.Kind == f.Kind && (!s.All || other.sign() == f.sign()) {
					return other
				}
			}
			more = b.back(o.steps)
		}
	}
	return f
}
