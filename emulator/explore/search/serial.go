package search

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// ending is how a serial order has ended.
type ending struct {
	state   string
	results []string
	order   []string // the order of the workers
}

// resultOf returns what matters of the result of a worker.
func (s *Search) resultOf(w *Worker) string {
	if s.Project != nil {
		return fmt.Sprint(s.Project(w.Name, WorkerResult{w.err, w.values}))
	}
	text := ErrorText(w.err)
	for _, v := range w.values {
		text += fmt.Sprintf("\n%v", v)
	}
	return text
}

// alone runs all workers in every serial order. It returns whether the search is over. If there are
// more serial orders than half of the budget it runs none, and no run is compared with them: one of
// those that are left out could end as the run does.
func (s *Search) alone() bool {
	o := s.run(func([]*step, []*Pending) int { return -1 }, nil)
	orders := big.NewInt(1)
	for i := range o.workers {
		orders.Mul(orders, big.NewInt(int64(i+1)))
	}
	if orders.Cmp(big.NewInt(int64(s.Budget/2))) > 0 {
		s.Serial, s.report.SerialLeft = false, orders
		return false
	}
	s.endings = map[uint64][]ending{}
	s.endingsOf(uint64(1)<<len(o.workers) - 1)
	return s.finished()
}

// endingsOf returns how the serial orders of some workers end.
func (s *Search) endingsOf(workers uint64) []ending {
	if known, ok := s.endings[workers]; ok {
		return known
	}
	if workers == 0 {
		return []ending{{}}
	}
	var order []int
	for i := range 64 {
		if workers&(1<<i) != 0 {
			order = append(order, i)
		}
	}
	var list []ending
	full := len(s.endings) == 0
	permute(order, 0, func(order []int) {
		o := s.execute(&Run{search: s, only: workers}, inTurn(order))
		if full {
			s.account(o)
		}
		if !o.whole() {
			return
		}
		e := ending{state: o.state}
		for _, w := range o.workers {
			e.results = append(e.results, s.resultOf(w))
		}
		for _, i := range order {
			e.order = append(e.order, o.workers[i].Name)
		}
		list = append(list, e)
	})
	s.endings[workers] = list
	return list
}

// inTurn returns the chooser of a serial order. A consumer gets a batch only when no worker is in
// the middle of its work, and no batch is on its way.
func inTurn(order []int) chooser {
	return func(done []*step, waiting []*Pending) int {
		last := -1
		if len(done) > 0 {
			last = done[len(done)-1].proc.worker
		}
		turn := func(t *Pending) int {
			w := t.client.Worker
			if w.index == last && !t.offered {
				return -1
			}
			return slices.Index(order, w.index)
		}
		best := 0
		for i, t := range waiting {
			if turn(t) < turn(waiting[best]) {
				best = i
			}
		}
		return best
	}
}

// permute calls f with all orders of the list from a place on.
func permute(list []int, from int, f func([]int)) {
	if from == len(list) {
		f(list)
		return
	}
	for i := from; i < len(list); i++ {
		moved := slices.Clone(list)
		x := moved[i]
		moved = slices.Insert(slices.Delete(moved, i, i+1), from, x)
		permute(moved, from+1, f)
	}
}

// notSerial returns why no serial order ends as a run did, or "".
func (s *Search) notSerial(o *Outcome) string {
	all := uint64(1)<<len(o.workers) - 1
	if _, known := s.endings[all]; !known {
		return "" // the run is one of the serial orders
	}
	var optional, free uint64 // workers that need not have run; whose result is of no importance
	for i, w := range o.workers {
		failed := w.err != nil && (w.hit || s.Aborts != nil && s.Aborts(w.err))
		if failed {
			optional |= 1 << i
		}
		if failed || w.deaths > 0 {
			free |= 1 << i
		}
	}
	var near []ending
	for out := optional; ; out = (out - 1) & optional {
		for _, e := range s.endingsOf(all &^ out) {
			if e.state != o.state {
				continue
			}
			near = append(near, e)
			if s.sameResults(o, e, free) {
				return ""
			}
		}
		if out == 0 {
			break
		}
	}
	return s.whyNotSerial(o, near, free)
}

func (s *Search) sameResults(o *Outcome, e ending, free uint64) bool {
	for i, w := range o.workers {
		if free&(1<<i) == 0 && s.resultOf(w) != e.results[i] {
			return false
		}
	}
	return true
}

// whyNotSerial words what no serial order has. near are those with the same state.
func (s *Search) whyNotSerial(o *Outcome, near []ending, free uint64) string {
	for i, w := range o.workers {
		result := s.resultOf(w)
		if free&(1<<i) != 0 || slices.ContainsFunc(s.endingsOf(uint64(1)<<len(o.workers)-1),
			func(e ending) bool { return e.results[i] == result }) {
			continue
		}
		if result == "" {
			result = "nothing"
		}
		return fmt.Sprintf("in no serial order %s returns %s", w.Name, result)
	}
	if len(near) > 0 {
		return "no serial order has this final state together with these results of the workers"
	}
	var b strings.Builder
	b.WriteString("no serial order has this final state:\n" + indent(o.state))
	for _, e := range s.endingsOf(uint64(1)<<len(o.workers) - 1) {
		b.WriteString("but " + strings.Join(e.order, ", then ") + ":\n" + indent(e.state))
	}
	return b.String()
}

func indent(text string) string {
	if text == "" {
		return "  as it was before\n"
	}
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}
