package faults

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage"
)

// NewInjectors returns injectors of faults. It panics if a fault is not valid.
func NewInjectors(list []fault.Fault) []*fault.Injector {
	injectors := make([]*fault.Injector, len(list))
	for i, f := range list {
		if err := f.Validate(); err != nil {
			panic("emulator: " + err.Error())
		}
		injectors[i] = fault.NewInjector(f)
	}
	return injectors
}

// Faults holds the faults of an Emulator.
type Faults struct {
	Active atomic.Pointer[ActiveFaults] // nil: no faults

	mu     sync.Mutex              // guards changes of Active, and which stores remember versions
	Stores func() []*storage.Store // returns all stores
	Healed func()                  // called when changes for replicas or for Kinesis may be due
}

// ActiveFaults holds the faults that apply to new requests. It is never modified.
type ActiveFaults struct {
	Injectors []*fault.Injector
	Remember  int // how many past versions of tables the faults need
}

// maxVersions is how many versions of a table a store remembers for faults with a time limit.
const maxVersions = 1024

// Change replaces the list of faults with the result of f, which gets a copy of it.
func (fs *Faults) Change(f func([]*fault.Injector) []*fault.Injector) {
	if fs.replace(f) {
		fs.Healed()
	}
}

// replace is change. It reports whether faults of changes on their way may be gone.
func (fs *Faults) replace(f func([]*fault.Injector) []*fault.Injector) (healed bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	var list []*fault.Injector
	if before := fs.Active.Load(); before != nil {
		list = slices.Clone(before.Injectors)
	}
	healed = slices.ContainsFunc(list, func(in *fault.Injector) bool {
		k := in.Fault.Do.Kind
		return k.Replicates() || k.Sends()
	})
	next := &ActiveFaults{Injectors: f(list)}
	for _, in := range next.Injectors {
		next.Remember = max(next.Remember, versions(&in.Fault.Do))
	}
	if len(next.Injectors) == 0 {
		next = nil
	}
	fs.Active.Store(next)
	if next == nil || next.Remember == 0 {
		for _, s := range fs.Stores() {
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

// Remember makes a store remember the versions that the active faults need. It loads the faults
// again, because the caller may have seen faults that are gone.
func (fs *Faults) Remember(s *storage.Store) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if active := fs.Active.Load(); active != nil && active.Remember > 0 {
		s.Remember(active.Remember)
	}
}

// List returns the injected faults.
func (fs *Faults) List() (list []fault.Fault) {
	if active := fs.Active.Load(); active != nil {
		for _, in := range active.Injectors {
			list = append(list, in.Fault)
		}
	}
	return list
}
