package search

import (
	"strings"
	"time"
)

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
			if !mayHit(f, st, o.steps, w.Mortal, moves) {
				continue
			}
			longer := o.plan.with(hit{w.Name, st.nth, f})
			if key := longer.key(); !p.known[key] {
				p.known[key] = true
				p.queue = append(p.queue, longer)
			}
		}
	}
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
		return !strings.Contains(string(st.body), `"ConsistentRead":true`)
	}
	return false
}

// versions returns how many steps that may come before a read changed what is in its tables.
func versions(st *step, run []*step) (n int) {
	for _, e := range run {
		after := e.proc.worker == st.proc.worker && e.nth >= st.nth
		if !after && e.print.changesTableOf(st.print) {
			n++
		}
	}
	return n
}
