package emulator

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// delegates are services that answer for certain access keys.
type delegates struct {
	byKey atomic.Pointer[map[string]*Emulator] // never modified; nil: there are none, which is all that a request then sees
	mu    sync.Mutex                           // of changes of byKey
}

// inheriting has the policy take an access key for another one, which it does not name itself.
func inheriting(from, as string) Option {
	return func(s *settings) {
		if from == "" || s.policy == nil || slices.Contains(s.policy.AccessKeys(), as) {
			return
		}
		made := maps.Clone(s.made)
		if made == nil {
			made = map[string]string{}
		}
		if of := made[from]; of != "" {
			from = of
		}
		made[as] = from
		s.made = made
	}
}

// Delegate has another service, such as a fork, answer the requests that are
// signed with an access key and come to e, from now on; with nil e answers them
// again. So each of many tests, in whatever language, can have a service of its
// own behind one port. Requests that have begun are not affected.
//
// What comes before an operation, such as the signature and the size of a request,
// is the business of e; tables, limits, clock and faults are those of the other.
// Delegates are no part of forks and snapshots of e, and have none of their own
// looked at. Servers of e also delete what expires in delegates that do not have a
// held clock.
func (e *Emulator) Delegate(accessKey string, to *Emulator) {
	e.delegates.mu.Lock()
	defer e.delegates.mu.Unlock()
	next := map[string]*Emulator{}
	if byKey := e.delegates.byKey.Load(); byKey != nil {
		maps.Copy(next, *byKey)
	}
	if to == nil {
		delete(next, accessKey)
	} else {
		next[accessKey] = to
	}
	if len(next) == 0 {
		e.delegates.byKey.Store(nil)
		return
	}
	e.delegates.byKey.Store(&next)
}

// answering is the service that answers the requests of an access key.
func (e *Emulator) answering(accessKey string) *Emulator {
	if byKey := e.delegates.byKey.Load(); byKey != nil {
		if to := (*byKey)[accessKey]; to != nil {
			return to
		}
	}
	return e
}

// expireInDelegates deletes what has expired in delegates whose clock goes by itself.
func (e *Emulator) expireInDelegates() {
	if byKey := e.delegates.byKey.Load(); byKey != nil {
		for _, to := range *byKey {
			if to.held == nil {
				to.ExpireItems()
			}
		}
	}
}

// SharesData reports whether all access keys see the same tables: see WithSharedData.
func (e *Emulator) SharesData() bool { return e.shared }

// HasPolicy reports whether the service has a policy: see WithPolicy.
func (e *Emulator) HasPolicy() bool { return e.guard != nil }

// AccessKeys returns the access keys that have been used, or of which there are
// tables, in the order of their letters. With WithSharedData there are none: what
// there is belongs to all.
func (e *Emulator) AccessKeys() []string {
	e.namespaces.mu.RLock()
	defer e.namespaces.mu.RUnlock()
	known := map[string]bool{}
	for key := range e.namespaces.stores {
		if accessKey, _, ok := strings.Cut(key, "/"); ok {
			known[accessKey] = true
		}
	}
	return slices.Sorted(maps.Keys(known))
}

// ForkAs is a Fork of the tables of one access key alone, in all regions, which in
// the fork are those of another one: together with Delegate, it sees them in place
// of its own. With WithSharedData the fork has all that e has. Under a policy that gives
// as no tenant, as has that of from there.
func (e *Emulator) ForkAs(from, as string, opts ...Option) *Emulator {
	f := e.Fork(append(opts[:len(opts):len(opts)], inheriting(from, as))...)
	if f.shared {
		return f
	}
	kept := map[string]*accountData{}
	for key, h := range f.namespaces.stores {
		if accessKey, region, _ := strings.Cut(key, "/"); accessKey == from {
			kept[as+"/"+region] = h
		}
	}
	f.namespaces.stores = kept
	return f
}
