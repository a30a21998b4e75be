package emulatortest

import (
	"sync"

	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// ReportingTB is what Record needs of a test; *testing.T and *testing.B have it.
type ReportingTB interface {
	TB
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
	Failed() bool
}

// Recording is a record of what a test asks its server from some moment on. Its
// methods are safe for concurrent use.
type Recording struct {
	*traffic.Recorder

	t       ReportingTB
	budgets []Budget
	stop    func()
	once    sync.Once
}

// Record records the traffic of a server until the end of the test, whoever sends
// it: then, or when Recording.End is called, the test fails for each budget that was
// exceeded, and a test that has failed logs the report. Forks of the server are not
// recorded.
func Record(t ReportingTB, s *Server, budgets ...Budget) *Recording {
	t.Helper()
	return RecordPatterns(t, s, nil, budgets...)
}

// RecordPatterns is Record for an application that has declared its access patterns.
func RecordPatterns(t ReportingTB, s *Server, declared []traffic.Pattern, budgets ...Budget) *Recording {
	t.Helper()
	r := &Recording{Recorder: traffic.NewRecorder(declared...), t: t, budgets: budgets}
	r.stop = s.Emulator.Observe(r.Observe)
	t.Cleanup(r.End)
	return r
}

// End ends the recording and holds it against the budgets. To end it twice does nothing.
func (r *Recording) End() {
	r.t.Helper()
	r.once.Do(func() {
		r.t.Helper()
		r.stop()
		report := r.Report()
		for _, budget := range r.budgets {
			for _, exceeded := range budget(report) {
				r.t.Errorf("traffic: %s", exceeded)
			}
		}
		if r.t.Failed() {
			r.t.Logf("traffic of the test:\n%s", report)
		}
	})
}
