package emulator

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// delegates holds the services that answer for certain access keys.
type delegates struct {
	byKey atomic.Pointer[map[string]*Emulator] // the map is never modified; nil: no delegates
	mu    sync.Mutex                           // protects changes of byKey
}

// inheriting makes the policy treat the access key as like from, if the policy does not name it.
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

// Delegate makes another service, such as a fork, answer the requests to e that are signed with an
// access key. With nil, e answers them again. So each of many tests, in any language, can have a
// service of its own behind one port. It does not affect requests in progress.
//
// e itself does what comes before an operation, such as checking the signature and the size of a
// request. The tables, limits, clock and faults are those of the other service. Forks and snapshots
// of e have no delegates. Delegates of a delegate have no effect. Servers of e also delete expired
// items in delegates without a held clock.
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

// answering returns the service that answers the requests of an access key.
func (e *Emulator) answering(accessKey string) *Emulator {
	if byKey := e.delegates.byKey.Load(); byKey != nil {
		if to := (*byKey)[accessKey]; to != nil {
			return to
		}
	}
	return e
}

// expireInDelegates deletes the expired items in delegates whose clock is not held.
func (e *Emulator) expireInDelegates() {
	if byKey := e.delegates.byKey.Load(); byKey != nil {
		for _, to := range *byKey {
			if to.settings.held == nil {
				to.ExpireItems()
			}
		}
	}
}

// SharesData reports whether all access keys see the same tables: see WithSharedData.
func (e *Emulator) SharesData() bool { return e.service.Shared }

// HasPolicy reports whether the service has a policy: see WithPolicy.
func (e *Emulator) HasPolicy() bool { return e.service.Guard != nil }

// AccessKeys returns the access keys that have been used or that have tables, sorted. With
// WithSharedData it returns none, because all access keys share the data. With WithIAM it returns
// all access keys of the accounts that have been used.
func (e *Emulator) AccessKeys() []string {
	e.service.Namespaces.Mu.RLock()
	defer e.service.Namespaces.Mu.RUnlock()
	known := map[string]bool{}
	for key := range e.service.Namespaces.Stores {
		if owner, _, ok := strings.Cut(key, "/"); ok {
			known[owner] = true
		}
	}
	if e.service.IAM != nil {
		known = e.service.KeysOf(known)
	}
	return slices.Sorted(maps.Keys(known))
}

// Namespace is what the callers with an access key see in a region.
type Namespace struct {
	AccessKey string // "" with WithSharedData: all callers see the same
	Region    string // "" with WithSharedData
	Tables    int
}

// Namespaces returns the namespaces that have tables, sorted by access key and region. Those that
// Delegates have are not among them. With WithIAM there is one for each access key of an account.
func (e *Emulator) Namespaces() []Namespace {
	e.service.Namespaces.Mu.RLock()
	defer e.service.Namespaces.Mu.RUnlock()
	list := []Namespace{}
	for key, a := range e.service.Namespaces.Stores {
		if !e.service.Shows(key) {
			continue
		}
		n := Namespace{Tables: a.CountTables()}
		if n.Tables == 0 {
			continue
		}
		owner, region, _ := strings.Cut(key, "/")
		for _, accessKey := range e.accessKeysOf(owner) {
			n.AccessKey, n.Region = accessKey, region
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b Namespace) int {
		return cmp.Or(cmp.Compare(a.AccessKey, b.AccessKey), cmp.Compare(a.Region, b.Region))
	})
	return list
}

// accessKeysOf returns the access keys of an owner of tables, sorted.
func (e *Emulator) accessKeysOf(owner string) []string {
	if e.service.IAM == nil || e.service.Shared {
		return []string{owner}
	}
	return slices.Sorted(maps.Keys(e.service.KeysOf(map[string]bool{owner: true})))
}

// ForkAs returns a fork of the tables of the access key from, in all regions. In the fork they
// belong to the access key as. Together with Delegate, as then sees them in place of its own. With
// WithSharedData the fork has all data of e. If the policy has no tenant for as, it uses that of
// from.
//
// With WithIAM the fork has the tables of all accounts, and as acts as the principal of from unless
// it has a principal of its own.
func (e *Emulator) ForkAs(from, as string, opts ...Option) *Emulator {
	f := e.Fork(
		append(opts[:len(opts):len(opts)], inheriting(from, as), inheritingPrincipal(from, as))...)
	if f.service.Shared || f.service.IAM != nil {
		return f
	}
	kept := map[string]*serve.Account{}
	for key, h := range f.service.Namespaces.Stores {
		if accessKey, region, _ := strings.Cut(key, "/"); accessKey == from {
			kept[as+"/"+region] = h
		}
	}
	f.service.Namespaces.Stores = kept
	return f
}
