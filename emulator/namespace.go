package emulator

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/storage"
)

// namespace is what the callers with one access key see in one region. Its data belong to an owner:
// the access key, or with WithIAM the account.
type namespace struct {
	*accountData
	accessKey string
	region    string
}

// namespaces holds all namespaces, made when they are first named.
type namespaces struct {
	service *service

	dismiss []func(gone map[*accountData]bool) // called when accounts are no longer in use

	several sync.Mutex // held by who locks several stores

	mu     sync.RWMutex
	spaces uint32                  // number of the last store in the journal
	unused []uint32                // numbers up to that which are free again: their stores never held data
	begun  int                     // how many namespaces began since the last prune
	stores map[string]*accountData // by owner and region, or by "" if all share one; replaced by Restore
	cache  map[string]*namespace   // by the scope of a request: access key, date and region
}

// maxCached limits the entries of the cache and the number of namespaces that hold no data of their
// own. Without it a client could grow both, because it chooses access keys and dates freely.
const maxCached = 4096

// longestCached is the greatest length of a cached scope. Every valid scope fits.
const longestCached = auth.LongestAccessKey + len("/20060102/") + auth.LongestRegion

// borrow returns the namespace of a credential. The namespace stays until giveBack.
func (n *namespaces) borrow(c auth.Credential) *namespace {
	n.mu.RLock()
	ns := n.cache[c.Scope]
	if ns != nil {
		ns.borrowers.Add(1)
	}
	n.mu.RUnlock()
	if ns == nil {
		ns = n.make(c)
	}
	return ns
}

func (n *namespaces) make(c auth.Credential) *namespace {
	n.mu.Lock()
	defer n.mu.Unlock()
	scope := strings.Clone(c.Scope)
	ns := &namespace{
		accessKey: scope[:len(c.AccessKey)],
		region:    scope[len(scope)-len(c.Region):],
	}
	ns.accountData = n.of(n.service.owner(ns.accessKey), ns.region)
	if n.cache == nil || len(n.cache) >= maxCached || n.begun >= maxCached {
		n.cache = map[string]*namespace{}
		n.prune()
	}
	if len(scope) <= longestCached {
		n.cache[scope] = ns
	}
	return ns
}

// borrowOf returns the data of an owner in a region: see settings.owner. The data stay until
// giveBack. The caller may hold no lock of a store.
func (n *namespaces) borrowOf(owner, region string) *accountData {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.of(owner, region)
}

// of returns the data of an owner in a region, and borrows them. The caller holds mu.
func (n *namespaces) of(owner, region string) *accountData {
	key := ""
	if !n.service.shared {
		key = owner + "/" + region // neither has a slash
	}
	a := n.stores[key]
	if a == nil {
		a = n.begin(key)
		if n.stores == nil {
			n.stores = map[string]*accountData{}
		}
		n.stores[key] = a
		n.begun++
	}
	a.countKeys(n.service.guard)
	a.borrowers.Add(1)
	return a
}

// prune removes the namespaces that hold only their initial data. A later request that names one
// creates it again. The caller holds mu and has emptied the cache.
func (n *namespaces) prune() {
	for key, h := range n.stores {
		if h.borrowers.Load() == 0 && n.discard(h) {
			delete(n.stores, key)
			if h.space > 0 {
				n.unused = append(n.unused, h.space)
			}
		}
	}
	n.begun = 0
}

// discard reports whether begin would create the same data again, so that unused data can be
// dropped. The journal keeps its entries of a namespace.
func (n *namespaces) discard(a *accountData) bool {
	beginsEmpty := n.service.initial == nil && a.space == 0
	return !a.restored && a.disposable(n.service.clock(), beginsEmpty)
}

// fork returns forks of the data of all namespaces at one moment, in stores with the given options.
func (n *namespaces) fork(o storage.Options) map[string]*accountData {
	n.several.Lock()
	defer n.several.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	keys := slices.Collect(maps.Keys(n.stores))
	accounts := make([]*accountData, len(keys))
	for i, key := range keys {
		accounts[i] = n.stores[key]
	}
	held := make(map[string]*accountData, len(keys))
	for i, fork := range forkAccounts(accounts, o) {
		fork.restored = true
		held[keys[i]] = fork
	}
	return held
}

// replace replaces the data of all namespaces. It calls at, unless nil, at the moment of the
// change. Requests that have begun go on with the old data.
func (n *namespaces) replace(stores map[string]*accountData, at func()) {
	n.several.Lock()
	defer n.several.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	if at != nil {
		at()
	}
	if n.service.journal != nil {
		n.supersede(stores)
	}
	gone := make(map[*accountData]bool, len(n.stores))
	for _, a := range n.stores {
		gone[a] = true
	}
	for _, dismiss := range n.dismiss {
		dismiss(gone)
	}
	n.stores, n.cache = stores, nil
}

// CountTables returns how many tables requests can see, and how many they cannot: those in a
// journal of an Emulator with the other setting of WithSharedData, or belong to no account of
// WithIAM.
func (e *Emulator) CountTables() (seen, unseen int) {
	e.service.namespaces.mu.RLock()
	defer e.service.namespaces.mu.RUnlock()
	for key, h := range e.service.namespaces.stores {
		count := &seen
		if !e.service.shows(key) {
			count = &unseen
		}
		*count += h.countTables()
	}
	return seen, unseen
}

// countTables returns how many tables there are, those that are being deleted included.
func (a *accountData) countTables() (n int) {
	a.store.View(func(tx *storage.Tx) error {
		n = len(tx.TableNames())
		return nil
	})
	return n
}
