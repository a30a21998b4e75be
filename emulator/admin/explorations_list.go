package admin

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator/explore/remote"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// Limits of what is kept of explorations that have ended.
const (
	maxPast        = 16
	maxPastReports = 1 << 20 // bytes of the failures of one
)

// The states of an exploration.
const (
	running = "running"
	passed  = "passed"
	failing = "failed" // it has failures
	broken  = "error"  // the search could not go on
	closed  = "closed" // the program has left it before its end
)

// explorationInfo describes an exploration in the list of them.
type explorationInfo struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Began    string   `json:"began"`
	State    string   `json:"state"`
	Runs     int      `json:"runs"`            // runs that have begun
	Failures []string `json:"failures"`        // their kinds
	Error    string   `json:"error,omitempty"` // why the search could not go on
}

// shownExploration is an exploration with what it has found.
type shownExploration struct {
	explorationInfo
	Report *explorationReport `json:"report,omitempty"`
}

type explorationList struct {
	Explorations []explorationInfo `json:"explorations"`
}

// describe describes an exploration as it is now, and returns what it has found once it has ended.
func (x *exploration) describe() (info explorationInfo, found *search.Report) {
	runs, end := x.Progress()
	info = explorationInfo{ID: x.id, Name: x.name, Runs: runs, State: running,
		Began: x.began.UTC().Format(time.RFC3339), Failures: []string{}}
	switch {
	case end == nil:
		return info, nil
	case end.Report != nil:
		info.State = passed
		for _, f := range end.Report.Failures {
			info.State, info.Failures = failing, append(info.Failures, f.Kind)
		}
	case errors.Is(end.Err, remote.ErrClosed):
		info.State = closed
	default:
		info.State, info.Error = broken, end.Err.Error()
	}
	return info, end.Report
}

// show describes an exploration with what it has found.
func (x *exploration) show() shownExploration {
	info, found := x.describe()
	out := shownExploration{info, reportOf(found)}
	if out.Report != nil {
		out.Report.bound()
		for i := range out.Report.Failures {
			out.Report.Failures[i].Diagram = found.Failures[i].Diagram()
		}
	}
	return out
}

// bound leaves out the failures for which there is no room.
func (r *explorationReport) bound() {
	size := 0
	for i, f := range r.Failures {
		if size += len(f.Text) + len(f.Page) + 2*len(f.HTML); size > maxPastReports && i > 0 {
			r.Failures = r.Failures[:i]
			return
		}
	}
}

// take ends an exploration. What it has found is kept until others have ended.
func (l *explorations) take(id string) {
	l.mu.Lock()
	x := l.byID[id]
	delete(l.byID, id)
	l.mu.Unlock()
	if x == nil {
		return
	}
	x.Close()
	out := x.show()
	if out.State == running {
		out.State = closed
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.past = append(l.past, out)
	if n := len(l.past); n > maxPast {
		l.past = slices.Delete(l.past, 0, n-maxPast)
	}
}

// listExplorations lists the explorations, the latest first.
func (a *admin) listExplorations(*http.Request) (int, any, error) {
	l := &a.explorations
	l.mu.Lock()
	defer l.mu.Unlock()
	out := explorationList{Explorations: []explorationInfo{}}
	live := make([]*exploration, 0, len(l.byID))
	for _, x := range l.byID {
		live = append(live, x)
	}
	slices.SortFunc(live, func(a, b *exploration) int { return cmp.Compare(b.number, a.number) })
	for _, x := range live {
		info, _ := x.describe()
		out.Explorations = append(out.Explorations, info)
	}
	for _, x := range slices.Backward(l.past) {
		out.Explorations = append(out.Explorations, x.explorationInfo)
	}
	return http.StatusOK, out, nil
}

// showExploration shows an exploration. That is no request for it: it may be idle meanwhile.
func (a *admin) showExploration(r *http.Request) (int, any, error) {
	id := mux.Vars(r)["id"]
	l := &a.explorations
	l.mu.Lock()
	defer l.mu.Unlock()
	if x := l.byID[id]; x != nil {
		return http.StatusOK, x.show(), nil
	}
	for _, x := range l.past {
		if x.ID == id {
			return http.StatusOK, x, nil
		}
	}
	return failed(noExploration())
}

// forgetExplorations forgets those that have ended.
func (a *admin) forgetExplorations(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	a.explorations.mu.Lock()
	defer a.explorations.mu.Unlock()
	a.explorations.past = nil
	return done()
}

func noExploration() error {
	return notFound("there is no exploration with this id: it may have been idle for too long")
}
