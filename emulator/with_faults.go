package emulator

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/faults"
)

// InjectedFault is a fault that was injected. Its methods are safe for concurrent use.
type InjectedFault struct {
	injector *fault.Injector
	faults   *faults.Faults
}

// Fault returns the fault.
func (f *InjectedFault) Fault() fault.Fault { return f.injector.Fault }

// Hits returns how many requests the fault has hit so far.
func (f *InjectedFault) Hits() int64 { return f.injector.Hits() }

// HitsByPlace returns how many requests it has hit by operation and table, for the first 100
// different ones. The operation is "" for changes on their way to another region or to Kinesis.
func (f *InjectedFault) HitsByPlace() map[fault.HitPlace]int64 { return f.injector.HitsByPlace() }

// Missed reports whether the fault must hit and has not hit any request so far.
func (f *InjectedFault) Missed() bool { return f.Fault().MustHit && f.Hits() == 0 }

// Remove removes the fault. Later requests do not match it. A second call does nothing.
func (f *InjectedFault) Remove() {
	f.faults.Change(func(list []*fault.Injector) []*fault.Injector {
		return slices.DeleteFunc(list,
			func(other *fault.Injector) bool { return other == f.injector })
	})
}

// WithFaults injects faults from the start; see Emulator.SetFaults. New panics if one is not valid.
func WithFaults(list ...fault.Fault) Option {
	return func(s *settings) { s.injected = append(s.injected, list...) }
}

// SetFaults replaces all faults and returns the new ones in their order. Without arguments it
// removes all faults. It panics if a fault is not valid; Fault.Validate checks that beforehand.
//
// The service matches a request with the faults in their order, after it has checked the
// constraints of the parameters and before anything else. After a fault that refuses the request it
// tries no others. Requests in progress are not affected.
func (e *Emulator) SetFaults(list ...fault.Fault) []*InjectedFault {
	injectors := faults.NewInjectors(list)
	e.service.Faults.Change(func([]*fault.Injector) []*fault.Injector { return injectors })
	handles := make([]*InjectedFault, len(injectors))
	for i, in := range injectors {
		handles[i] = &InjectedFault{in, &e.service.Faults}
	}
	return handles
}

// AddFault adds a fault after the existing ones; see SetFaults.
func (e *Emulator) AddFault(f fault.Fault) *InjectedFault {
	in := faults.NewInjectors([]fault.Fault{f})[0]
	e.service.Faults.Change(
		func(list []*fault.Injector) []*fault.Injector { return append(list, in) })
	return &InjectedFault{in, &e.service.Faults}
}

// Faults returns the injected faults in their order.
func (e *Emulator) Faults() []*InjectedFault {
	var handles []*InjectedFault
	if active := e.service.Faults.Active.Load(); active != nil {
		for _, in := range active.Injectors {
			handles = append(handles, &InjectedFault{in, &e.service.Faults})
		}
	}
	return handles
}
