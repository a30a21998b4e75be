package emulatortest

import (
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// ReportingTB is the part of a test that Record uses. *testing.T and *testing.B implement it.
type ReportingTB interface {
	TB
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
	Failed() bool
}

// Recording records the traffic of a server from some moment on. Its methods are safe for
// concurrent use.
type Recording struct {
	*traffic.Recorder

	t       ReportingTB
	server  *Server
	budgets []Budget
	stop    func()
	ended   atomic.Bool
}

// Record records the traffic of a server, from any client, until the test ends or calls
// Recording.End. Then the test fails for each budget that the traffic exceeds. A test that has
// failed logs the report. Record does not record forks of the server.
func Record(t ReportingTB, s *Server, budgets ...Budget) *Recording {
	t.Helper()
	return RecordPatterns(t, s, nil, budgets...)
}

// RecordPatterns is Record for an application that declares access patterns. The test fails at once
// if a pattern is not valid, and at its end if the table or index of a pattern does not exist.
func RecordPatterns(t ReportingTB, s *Server, declared []traffic.Pattern,
	budgets ...Budget) *Recording {
	t.Helper()
	if err := traffic.CheckPatterns(declared); err != nil {
		t.Fatalf("emulatortest: %v", err)
		return nil
	}
	r := &Recording{Recorder: traffic.NewRecorder(declared...), t: t, server: s, budgets: budgets}
	r.stop = s.Emulator.Observe(r.Observe)
	t.Cleanup(r.End)
	return r
}

// End ends the recording and compares it with the budgets. A second call does nothing.
func (r *Recording) End() {
	r.t.Helper()
	if r.ended.Swap(true) { // a sync.Once would be where failures seem to come from
		return
	}
	r.stop()
	report := r.Report()
	sizes := r.server.Inspect().TableSizes()
	for i := range sizes {
		report.AddTable(sizes[i].Table)
	}
	for _, budget := range append([]Budget{knownPatterns(sizes)}, r.budgets...) {
		for _, exceeded := range budget(report) {
			r.t.Errorf("traffic: %s", exceeded)
		}
	}
	if r.t.Failed() {
		r.t.Logf("traffic of the test:\n%s", report)
	}
}
