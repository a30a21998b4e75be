package search

// naive is the search of all orders, without reduction. Tests compare the reduced one with it.
type naive struct {
	counts []int // counts of the requests that waited at each step
	path   []int
}

// next returns the chooser of the next run.
func (n *naive) next() chooser {
	return func(done []*step, waiting []*Pending) int {
		d := len(done)
		if d == len(n.path) {
			n.path, n.counts = append(n.path, 0), append(n.counts, len(waiting))
		}
		if n.path[d] >= len(waiting) {
			return astray
		}
		return n.path[d]
	}
}

// anew returns the strategy from its beginning.
func (n *naive) anew(int) strategy { return &naive{} }

// learn does nothing: no order depends on what was seen.
func (n *naive) learn([]*step) {}

// back goes on to the next order, and returns false after the last one.
func (n *naive) back([]*step) bool {
	for d := len(n.path) - 1; d >= 0; d-- {
		if n.path[d]++; n.path[d] < n.counts[d] {
			n.path, n.counts = n.path[:d+1], n.counts[:d+1]
			return true
		}
	}
	return false
}
