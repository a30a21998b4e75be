package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/faults"
)

// InjectedFault is a fault that was injected. Its methods are safe for concurrent use.
type InjectedFault = faults.InjectedFault

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
		handles[i] = e.service.Faults.Handle(in)
	}
	return handles
}

// AddFault adds a fault after the existing ones; see SetFaults.
func (e *Emulator) AddFault(f fault.Fault) *InjectedFault {
	in := faults.NewInjectors([]fault.Fault{f})[0]
	e.service.Faults.Change(
		func(list []*fault.Injector) []*fault.Injector { return append(list, in) })
	return e.service.Faults.Handle(in)
}

// Faults returns the injected faults in their order.
func (e *Emulator) Faults() []*InjectedFault {
	var handles []*InjectedFault
	if active := e.service.Faults.Active.Load(); active != nil {
		for _, in := range active.Injectors {
			handles = append(handles, e.service.Faults.Handle(in))
		}
	}
	return handles
}
