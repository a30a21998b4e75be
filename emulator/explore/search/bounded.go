package search

// bounded is the search of all orders with a number of switches between workers at most, or of
// preemptions: switches away from a worker that could have gone on.
type bounded struct {
	most        int
	preemptions bool
	path        []choice
}

// choice holds what could go at a step. The requests of the worker that went before come first.
type choice struct {
	options []proc
	same    int // how many options are of the worker that went before
	taken   int
	before  int // switches, or preemptions, so far
}

func (c *choice) cost(preemptions bool) int {
	if c.taken < c.same || preemptions && c.same == 0 {
		return 0
	}
	return 1
}

// next returns the chooser of the next run.
func (b *bounded) next() chooser {
	return func(done []*step, waiting []*Pending) int {
		d := len(done)
		if d == len(b.path) {
			b.path = append(b.path, b.arrive(done, waiting))
		}
		c := b.path[d]
		return again(waiting, c.options[c.taken])
	}
}

func (b *bounded) arrive(done []*step, waiting []*Pending) choice {
	c, last := choice{}, -1
	if d := len(done); d > 1 {
		c.before = b.path[d-1].before + b.path[d-1].cost(b.preemptions)
	}
	if d := len(done); d > 0 {
		last = done[d-1].proc.worker
	}
	for _, t := range waiting {
		if t.client.Worker.index == last {
			c.options = append(c.options, t.proc())
		}
	}
	if c.same = len(c.options); c.same > 0 && c.before >= b.most {
		return c
	}
	for _, t := range waiting {
		if t.client.Worker.index != last {
			c.options = append(c.options, t.proc())
		}
	}
	return c
}

// anew returns the strategy from its beginning.
func (b *bounded) anew(int) strategy {
	return &bounded{most: b.most, preemptions: b.preemptions}
}

// learn does nothing: no order depends on what was seen.
func (b *bounded) learn([]*step) {}

// back goes on to the next order, and returns false after the last one.
func (b *bounded) back(steps []*step) bool {
	b.path = b.path[:min(len(b.path), len(steps)+1)] // it is longer if the run went astray
	for d := len(b.path) - 1; d >= 0; d-- {
		if b.path[d].taken++; b.path[d].taken < len(b.path[d].options) {
			b.path = b.path[:d+1]
			return true
		}
	}
	return false
}
