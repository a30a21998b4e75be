package explore

import (
	"fmt"
	"slices"
	"strings"
)

// Serializable has every run end as some serial order would: the workers run one after the other,
// in every order, and each other run must have the final state, and the results of workers, of one
// of these. project takes what matters out of a worker's result: without it, that is the text of
// the error, and the values of Result.
//
// A worker that a fault has hit and that returns an error has done its work or has not: both are
// fine, but not a part of it. See also Aborts and Ignore.
func Serializable(project ...func(worker string, r WorkerResult) any) Option {
	return func(o *options) {
		o.serial = true
		if len(project) > 0 {
			o.project = project[0]
		}
	}
}

// Aborts tells Serializable which errors of workers say that the worker has done nothing, such as
// that of a conflict which its caller would try again.
func Aborts(is func(error) bool) Option { return func(o *options) { o.aborts = is } }

// Ignore has Serializable ignore top-level attributes of items, such as times.
func Ignore(attributes ...string) Option {
	return func(o *options) { o.ignored = append(o.ignored, attributes...) }
}

// ending is how a serial order has ended.
type ending struct {
	state   string
	results []string
	order   []string // of the workers
}

// resultOf returns what matters of the result of a worker.
func (s *search) resultOf(w *worker) string {
	if s.project != nil {
		return fmt.Sprint(s.project(w.name, WorkerResult{w.err, w.values}))
	}
	text := errorText(w.err)
	for _, v := range w.values {
		text += fmt.Sprintf("\n%v", v)
	}
	return text
}

// alone runs all workers in every serial order. It returns whether the search is over.
func (s *search) alone() bool {
	s.endings = map[uint64][]ending{}
	o := s.run(func([]*step, []*ticket) int { return -1 }, nil)
	s.endingsOf(uint64(1)<<len(o.workers) - 1)
	return s.finished()
}

// endingsOf returns how the serial orders of some workers end.
func (s *search) endingsOf(workers uint64) []ending {
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
		o := s.execute(&execution{search: s, only: workers}, inTurn(order))
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
			e.order = append(e.order, o.workers[i].name)
		}
		list = append(list, e)
	})
	s.endings[workers] = list
	return list
}

// inTurn returns the chooser of a serial order.
func inTurn(order []int) chooser {
	return func(_ []*step, waiting []*ticket) int {
		best := 0
		for i, t := range waiting {
			if slices.Index(order, t.seat.index) < slices.Index(order, waiting[best].seat.index) {
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
func (s *search) notSerial(o *outcome) string {
	all := uint64(1)<<len(o.workers) - 1
	if _, known := s.endings[all]; !known {
		return "" // the run is one of the serial orders
	}
	var optional, free uint64 // workers that need not have run; whose result is of no importance
	for i, w := range o.workers {
		failed := w.err != nil && (w.hit || s.aborts != nil && s.aborts(w.err))
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

func (s *search) sameResults(o *outcome, e ending, free uint64) bool {
	for i, w := range o.workers {
		if free&(1<<i) == 0 && s.resultOf(w) != e.results[i] {
			return false
		}
	}
	return true
}

// whyNotSerial words what no serial order has. near are those with the same state.
func (s *search) whyNotSerial(o *outcome, near []ending, free uint64) string {
	for i, w := range o.workers {
		result := s.resultOf(w)
		if free&(1<<i) != 0 || slices.ContainsFunc(s.endingsOf(uint64(1)<<len(o.workers)-1),
			func(e ending) bool { return e.results[i] == result }) {
			continue
		}
		if result == "" {
			result = "nothing"
		}
		return fmt.Sprintf("in no serial order %s returns %s", w.name, result)
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
