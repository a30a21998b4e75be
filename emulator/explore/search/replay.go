package search

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Environment is the variable that holds the schedule to run, in place of a search: the workers in
// the order in which their requests go, with a fault after a colon: alice,bob:lost,alice.
const Environment = "KUGIRI_EXPLORE"

// turn is an entry of a schedule.
type turn struct {
	worker string
	lane   int
	fault  Fault
}

// scheduleText returns the schedule of a run.
func scheduleText(o *Outcome) string {
	var list []string
	for _, h := range o.plan {
		if h.fault == Skewed {
			list = append(list, url.QueryEscape(h.worker)+":"+string(Skewed))
		}
	}
	for _, st := range o.steps {
		w := o.workers[st.proc.worker]
		text := url.QueryEscape(w.Name)
		if st.proc.lane > 0 {
			text += "~" + strconv.Itoa(st.proc.lane)
		}
		if f := o.plan.at(w.Name, st.nth); f != "" {
			text += ":" + string(f)
		}
		list = append(list, text)
	}
	return strings.Join(list, ",")
}

// ScheduleOf returns the schedule of a run. It is for tests of the search.
func ScheduleOf(o *Outcome) string { return scheduleText(o) }

// parseSchedule reads a schedule, and the faults in it.
func parseSchedule(text string) (turns []turn, p plan) {
	count := map[string]int{}
	for _, entry := range strings.Split(text, ",") {
		var t turn
		name, f, _ := strings.Cut(strings.TrimSpace(entry), ":")
		name, lane, _ := strings.Cut(name, "~")
		t.lane, _ = strconv.Atoi(lane)
		t.fault = Fault(f)
		if t.worker, _ = url.QueryUnescape(name); t.worker == "" {
			t.worker = name
		}
		nth := 0
		if t.fault == Skewed {
			p = p.with(hit{t.worker, 0, Skewed})
			continue // it is no turn
		}
		if !t.fault.begins() {
			count[t.worker]++
			nth = count[t.worker]
		}
		if f != "" {
			t.mustBeKnown()
			p = p.with(hit{t.worker, nth, t.fault})
		}
		turns = append(turns, t)
	}
	return turns, p
}

// mustBeKnown panics if there is no such fault.
func (t *turn) mustBeKnown() {
	if !slices.Contains(AllFaults, t.fault.kind()) {
		panic(fmt.Sprintf("the schedule of %s has a fault %q, which there is not: the faults are %v",
			Environment, t.fault, AllFaults))
	}
}

// replay runs one schedule. After its end, the workers go on one after the other.
func (s *Search) replay() {
	turns, p := parseSchedule(s.Schedule)
	missing := ""
	o := s.run(func(done []*step, waiting []*Pending) int {
		if len(done) >= len(turns) {
			return 0
		}
		want := turns[len(done)]
		for i, t := range waiting {
			if t.client.Worker.Name == want.worker && t.lane == want.lane {
				return i
			}
		}
		missing = fmt.Sprintf("explore: the schedule names a worker that has no request waiting: "+
			"%q, at place %d", want.worker, len(done)+1)
		return -1
	}, p)
	if missing != "" {
		panic(missing)
	}
	if s.Serial { // only now: a debugger should first see the schedule
		s.alone()
	}
	s.report = Report{Runs: 1, Replayed: true, SerialLeft: s.report.SerialLeft}
	for _, f := range s.judge(o) {
		if s.All || len(s.report.Failures) == 0 {
			s.finish(f)
			s.report.Failures = append(s.report.Failures, f)
		}
	}
}
