package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/fault"
)

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
	injectors := newInjectors(list)
	e.service.faults.change(func([]*fault.Injector) []*fault.Injector { return injectors })
	handles := make([]*InjectedFault, len(injectors))
	for i, in := range injectors {
		handles[i] = e.service.faults.handle(in)
	}
	return handles
}

// AddFault adds a fault after the existing ones; see SetFaults.
func (e *Emulator) AddFault(f fault.Fault) *InjectedFault {
	in := newInjectors([]fault.Fault{f})[0]
	e.service.faults.change(func(list []*fault.Injector) []*fault.Injector { return append(list, in) })
	return e.service.faults.handle(in)
}

// Faults returns the injected faults in their order.
func (e *Emulator) Faults() []*InjectedFault {
	var handles []*InjectedFault
	if active := e.service.faults.active.Load(); active != nil {
		for _, in := range active.injectors {
			handles = append(handles, e.service.faults.handle(in))
		}
	}
	return handles
}
