package search

import (
	"slices"
	"strings"
	"time"
)

// plans are the faults to try: a queue of plans, with fewer faults first.
type plans struct {
	most  int
	queue []plan
	known map[string]bool
	tried int
	cut   bool // ages of cached items were left out
	late  bool // workers may begin later
	skews bool // their clocks may be ahead
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
func (p *plans) extend(o *Outcome, kinds []Fault, moves time.Duration) {
	if len(o.plan) >= p.most {
		return
	}
	for _, st := range o.steps {
		w := o.workers[st.proc.worker]
		if st.fault != "" || o.plan.at(w.Name, st.nth) != "" {
			continue
		}
		for _, f := range kinds {
			if f == Cached {
				for _, aged := range p.agesAt(st, o.steps) {
					p.add(o.plan.with(hit{w.Name, st.nth, aged}))
				}
			} else if mayHit(f, st, o.steps, w.Mortal, moves) {
				p.add(o.plan.with(hit{w.Name, st.nth, f}))
			}
		}
	}
	if p.late {
		p.extendLate(o, kinds, moves)
	}
	if slices.Contains(kinds, Skewed) {
		for _, w := range o.workers {
			if w.asksTime && p.skews && o.plan.at(w.Name, 0) == "" {
				p.add(o.plan.with(hit{w.Name, 0, Skewed}))
			}
		}
	}
}

// extendLate adds the plans in which one more worker begins after the clock has moved. It reads its
// clock then: a fault of its first request would come after that.
func (p *plans) extendLate(o *Outcome, kinds []Fault, moves time.Duration) {
	later := moves > 0 && slices.Contains(kinds, Later)
	kept := slices.Contains(kinds, LaterKept) &&
		slices.ContainsFunc(o.steps, func(st *step) bool { return st.expires })
	for _, w := range o.workers {
		if w.Trigger != nil || o.plan.at(w.Name, 0) != "" {
			continue
		}
		if later {
			p.add(o.plan.with(hit{w.Name, 0, beginsLater}))
		}
		if kept {
			p.add(o.plan.with(hit{w.Name, 0, beginsLaterKept}))
		}
	}
}

func (p *plans) add(longer plan) {
	if key := longer.key(); !p.known[key] {
		p.known[key] = true
		p.queue = append(p.queue, longer)
	}
}

// agesAt returns how old the answer of a cache can be at a step of a run, in this order of its
// steps or in another.
func (p *plans) agesAt(st *step, run []*step) (list []Fault) {
	if st.asks == nil {
		return nil
	}
	if st.asks.same != "" {
		n := st.mayFollow(run, func(w *step) bool {
			return w.print.writes || w.print.disturbs(st.print)
		})
		for age := 1; age <= n; age++ {
			list = append(list, cachedFault([]int{age}))
		}
		return list
	}
	most, all := make([]int, len(st.asks.items)), 1
	for n, i := range st.asks.items {
		most[n] = st.mayFollow(run, st.print.items[i].changedBy)
		all = min(all*(most[n]+1), mostAges+1)
	}
	ages := make([]int, len(most))
	if all > mostAges { // an item at a time
		p.cut = true
		for n := range most {
			for ages[n] = 1; ages[n] <= most[n]; ages[n]++ {
				list = append(list, cachedFault(ages))
			}
			ages[n] = 0
		}
		return list
	}
	for next(ages, most) {
		list = append(list, cachedFault(ages))
	}
	return list
}

// next counts ages up, each up to its most, and reports whether there are others.
func next(ages, most []int) bool {
	for n := range ages {
		if ages[n]++; ages[n] <= most[n] {
			return true
		}
		ages[n] = 0
	}
	return false
}

// mayHit reports whether a fault can hit a step of a run, in this order of its steps or in another.
func mayHit(f Fault, st *step, run []*step, mortal bool, moves time.Duration) bool {
	if st.operation == Invoke && !f.ofTime() {
		return f == Redelivered && len(st.records) > 0 // it is no call again
	}
	batch := strings.HasPrefix(st.operation, "Batch")
	changes := !readOperation(st.operation)
	switch f {
	case LostAnswer:
		return changes
	case ServerError:
		return true
	case Throttled:
		return st.operation == "GetRecords" ||
			st.request != nil && len(st.request.Reads)+len(st.request.Writes) > 0
	case Unprocessed:
		return batch && st.request != nil && len(st.request.Reads)+len(st.request.Writes) > 1
	case Conflict:
		return st.operation == "TransactGetItems" || changes && st.request != nil &&
			len(st.request.Writes) > 0
	case Stale1, Stale2, Stale3:
		return eventual(st) && versions(st, run) >= f.behind()
	case DiesBefore:
		return mortal
	case DiesAfter:
		return mortal && changes
	case Later:
		return moves > 0
	case LaterKept:
		return st.expires
	case Expired:
		return st.expired
	}
	return false
}

// eventual reports whether a step is an eventually consistent read.
func eventual(st *step) bool {
	switch st.operation {
	case "GetRecords":
		return true
	case "GetItem", "Query", "Scan", "BatchGetItem":
		return !membersOf(st.body, "ConsistentRead").consistent()
	}
	return false
}

// versions returns how many steps that may come before a read changed what is in its tables.
func versions(st *step, run []*step) (n int) {
	return st.mayFollow(run, func(e *step) bool { return e.print.changesTableOf(st.print) })
}

// mayFollow counts those among the steps of a run which may come before a step.
func (st *step) mayFollow(run []*step, counts func(*step) bool) (n int) {
	for _, e := range run {
		after := e.proc.worker == st.proc.worker && e.nth >= st.nth
		if !after && counts(e) {
			n++
		}
	}
	return n
}
