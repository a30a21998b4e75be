package emulator

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage"
)

// WithFaults injects faults from the start; see Emulator.SetFaults. New panics if one is not valid.
func WithFaults(faults ...fault.Fault) Option {
	return func(s *settings) { s.injected = append(s.injected, faults...) }
}

// InjectedFault is a fault that was injected. Its methods are safe for concurrent use.
type InjectedFault struct {
	injector *fault.Injector
	faults   *faults
}

// Fault returns the fault.
func (f *InjectedFault) Fault() fault.Fault { return f.injector.Fault }

// Hits returns to how many requests the fault was done so far.
func (f *InjectedFault) Hits() int64 { return f.injector.Hits() }

// Missed reports whether the fault must hit and has not hit any request so far.
func (f *InjectedFault) Missed() bool { return f.Fault().MustHit && f.Hits() == 0 }

// Remove ends the fault for the requests that come from now on. Removing twice does nothing.
func (f *InjectedFault) Remove() {
	f.faults.change(func(list []*fault.Injector) []*fault.Injector {
		return slices.DeleteFunc(list, func(other *fault.Injector) bool { return other == f.injector })
	})
}

// SetFaults injects faults in place of all that there are, and returns them in
// their order; without any it ends all faults. It panics if a fault is not valid,
// which Fault.Validate tells before.
//
// A request meets the faults in their order, after the constraints of its
// parameters are checked and before anything else: the first that refuses it is
// the last that it meets. Requests under way are not affected.
func (e *Emulator) SetFaults(faults ...fault.Fault) []*InjectedFault {
	injectors := newInjectors(faults)
	e.faults.change(func([]*fault.Injector) []*fault.Injector { return injectors })
	handles := make([]*InjectedFault, len(injectors))
	for i, in := range injectors {
		handles[i] = &InjectedFault{in, &e.faults}
	}
	return handles
}

// AddFault injects a fault besides those that there are, after them; see SetFaults.
func (e *Emulator) AddFault(f fault.Fault) *InjectedFault {
	in := newInjectors([]fault.Fault{f})[0]
	e.faults.change(func(list []*fault.Injector) []*fault.Injector { return append(list, in) })
	return &InjectedFault{in, &e.faults}
}

// Faults returns what is injected, in its order.
func (e *Emulator) Faults() []*InjectedFault {
	var handles []*InjectedFault
	if active := e.faults.active.Load(); active != nil {
		for _, in := range active.injectors {
			handles = append(handles, &InjectedFault{in, &e.faults})
		}
	}
	return handles
}

func newInjectors(list []fault.Fault) []*fault.Injector {
	injectors := make([]*fault.Injector, len(list))
	for i, f := range list {
		if err := f.Validate(); err != nil {
			panic("emulator: " + err.Error())
		}
		injectors[i] = fault.NewInjector(f)
	}
	return injectors
}

// faults are those of an Emulator.
type faults struct {
	active atomic.Pointer[activeFaults] // nil: there are none, which is all that a request then sees

	mu     sync.Mutex              // of changes of active, and of which stores remember
	stores func() []*storage.Store // those there are
}

// activeFaults are never modified.
type activeFaults struct {
	injectors []*fault.Injector
	remember  int // how many past versions of tables faults ask for
}

// maxVersions is how many versions of a table are remembered for faults that are bounded by time.
const maxVersions = 1024

// change replaces the list of faults by what f makes of a copy of it.
func (fs *faults) change(f func([]*fault.Injector) []*fault.Injector) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	var list []*fault.Injector
	if before := fs.active.Load(); before != nil {
		list = slices.Clone(before.injectors)
	}
	next := &activeFaults{injectors: f(list)}
	for _, in := range next.injectors {
		next.remember = max(next.remember, versions(&in.Fault.Do))
	}
	if len(next.injectors) == 0 {
		next = nil
	}
	fs.active.Store(next)
	if next == nil || next.remember == 0 {
		for _, s := range fs.stores() {
			s.Forget()
		}
	}
}

// versions is how many past versions of a table an effect asks for.
func versions(e *fault.Effect) int {
	switch {
	case e.Kind != fault.KindStaleReads && e.Kind != fault.KindLaggingIndexes:
		return 0
	case e.Behind.Writes > 0:
		return min(e.Behind.Writes, maxVersions)
	}
	return maxVersions
}

// remember has a store remember what the active faults ask for. A request may have
// seen faults that are no longer there.
func (fs *faults) remember(s *storage.Store) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if active := fs.active.Load(); active != nil && active.remember > 0 {
		s.Remember(active.remember)
	}
}

// list are the faults that are injected.
func (fs *faults) list() (list []fault.Fault) {
	if active := fs.active.Load(); active != nil {
		for _, in := range active.injectors {
			list = append(list, in.Fault)
		}
	}
	return list
}

// allStores returns the stores of all namespaces.
func (n *namespaces) allStores() []*storage.Store {
	accounts := n.all()
	stores := make([]*storage.Store, len(accounts))
	for i, h := range accounts {
		stores[i] = h.store
	}
	return stores
}
