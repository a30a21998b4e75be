package emulatortest

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

// SetFaults injects faults in place of all that there are: see emulator.Emulator.SetFaults. The
// test fails at once if one is not valid, and in the end for each that must hit (fault.MustHit) and
// has not hit any request.
func (s *Server) SetFaults(t TB, faults ...fault.Fault) (injected []*emulator.InjectedFault) {
	t.Helper()
	if says := refusal(func() { injected = s.Emulator.SetFaults(faults...) }); says != "" {
		t.Fatalf("emulatortest: %s", says)
	}
	expectHits(t, injected)
	return injected
}

// AddFault injects a fault besides those that there are. See SetFaults.
func (s *Server) AddFault(t TB, f fault.Fault) (injected *emulator.InjectedFault) {
	t.Helper()
	if says := refusal(func() { injected = s.Emulator.AddFault(f) }); says != "" {
		t.Fatalf("emulatortest: %s", says)
	}
	expectHits(t, []*emulator.InjectedFault{injected})
	return injected
}

// expectHits has the test fail in the end if a fault that must hit has not hit any request.
func expectHits(t TB, injected []*emulator.InjectedFault) {
	t.Helper()
	for _, f := range injected {
		if !f.Fault().MustHit {
			continue
		}
		t.Cleanup(func() {
			t.Helper() // the failure is where the fault was injected
			if f.Missed() {
				t.Fatalf("emulatortest: the fault %s has not hit any request", f.Fault())
			}
		})
	}
}

// refusal returns what a function of package emulator says when it panics because of its arguments,
// or "".
func refusal(f func()) (says string) {
	defer func() {
		p := recover()
		text, ok := p.(string)
		if p != nil && !(ok && strings.HasPrefix(text, "emulator: ")) {
			panic(p)
		}
		says = text
	}()
	f()
	return ""
}
