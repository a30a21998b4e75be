package emulator

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage"
)

// InjectedFault is a fault that was injected. Its methods are safe for concurrent use.
type InjectedFault struct {
	injector *fault.Injector
	faults   *faults
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
	f.faults.change(func(list []*fault.Injector) []*fault.Injector {
		return slices.DeleteFunc(list, func(other *fault.Injector) bool { return other == f.injector })
	})
}

// handle returns the fault of an injector.
func (fs *faults) handle(in *fault.Injector) *InjectedFault {
	return &InjectedFault{injector: in, faults: fs}
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

// faults holds the faults of an Emulator.
type faults struct {
	active atomic.Pointer[activeFaults] // nil: no faults

	mu     sync.Mutex              // of changes of active, and of which stores remember
	stores func() []*storage.Store // returns all stores
	healed func()                  // is called when changes for replicas or for Kinesis may be due
}

// activeFaults holds the faults that apply to new requests. It is never modified.
type activeFaults struct {
	injectors []*fault.Injector
	remember  int // how many past versions of tables the faults need
}

// maxVersions is how many versions of a table a store remembers for faults with a time limit.
const maxVersions = 1024

// change replaces the list of faults with the result of f, which gets a copy of it.
func (fs *faults) change(f func([]*fault.Injector) []*fault.Injector) {
	if fs.replace(f) {
		fs.healed()
	}
}

// replace is change. It reports whether faults of changes on their way may be gone.
func (fs *faults) replace(f func([]*fault.Injector) []*fault.Injector) (healed bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	var list []*fault.Injector
	if before := fs.active.Load(); before != nil {
		list = slices.Clone(before.injectors)
	}
	healed = slices.ContainsFunc(list, func(in *fault.Injector) bool {
		k := in.Fault.Do.Kind
		return k.Replicates() || k.Sends()
	})
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
	return healed
}

// versions returns how many past versions of a table an effect needs.
func versions(e *fault.Effect) int {
	switch {
	case e.Kind != fault.KindStaleReads && e.Kind != fault.KindLaggingIndexes:
		return 0
	case e.Behind.Writes > 0:
		return min(e.Behind.Writes, maxVersions)
	}
	return maxVersions
}

// remember makes a store remember the versions that the active faults need. It loads the faults
// again, because the caller may have seen faults that are gone.
func (fs *faults) remember(s *storage.Store) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if active := fs.active.Load(); active != nil && active.remember > 0 {
		s.Remember(active.remember)
	}
}

// list returns the injected faults.
func (fs *faults) list() (list []fault.Fault) {
	if active := fs.active.Load(); active != nil {
		for _, in := range active.injectors {
			list = append(list, in.Fault)
		}
	}
	return list
}
