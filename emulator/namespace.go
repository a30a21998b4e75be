package emulator

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/storage"
)

// namespace is what the callers with one access key see in one region.
type namespace struct {
	*accountData
	accessKey string
	region    string
}

// namespaces holds all namespaces, made when they are first named.
type namespaces struct {
	emulator *Emulator

	mu     sync.RWMutex
	spaces uint32                  // the last one that has a store, of a service that Open made
	unused []uint32                // spaces up to that whose stores were forgotten before anything was in them
	begun  int                     // how many namespaces began since the last prune
	stores map[string]*accountData // by access key and region, or by "" if all share one; replaced by Restore
	cache  map[string]*namespace   // by what stands in a request: access key, date and region
}

// maxCached bounds the cache, and how many namespaces there are that hold nothing of their own: a
// client chooses access keys, and dates, as it likes.
const maxCached = 4096

// longestCached is the length of a scope that is cached: the parts of a proper one fit.
const longestCached = auth.LongestAccessKey + len("/20060102/") + auth.LongestRegion

// borrow returns the namespace of a credential, which is not forgotten until it is given back.
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
	key := ""
	if !n.emulator.shared {
		key = ns.accessKey + "/" + ns.region // neither has a slash
	}
	ns.accountData = n.stores[key]
	if ns.accountData == nil {
		ns.accountData = n.begin(key)
		if n.stores == nil {
			n.stores = map[string]*accountData{}
		}
		n.stores[key] = ns.accountData
		n.begun++
	}
	n.emulator.guard.count(ns.accountData)
	ns.borrowers.Add(1)
	if n.cache == nil || len(n.cache) >= maxCached || n.begun >= maxCached {
		n.cache = map[string]*namespace{}
		n.prune()
	}
	if len(scope) <= longestCached {
		n.cache[scope] = ns
	}
	return ns
}

// prune forgets the namespaces that hold what they began with: whoever names one again finds it as
// it was. mu is held, and the cache is empty.
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

// discard reports whether data that nobody uses are those that begin would make again; then they
// are of no more use. What the journal has of a namespace stays.
func (n *namespaces) discard(a *accountData) bool {
	beginsEmpty := n.emulator.initial == nil && a.space == 0
	return !a.restored && a.disposable(n.emulator.clock(), beginsEmpty)
}

// fork returns what all namespaces hold at one moment, in stores with options of their own.
func (n *namespaces) fork(o storage.Options) map[string]*accountData {
	n.mu.Lock() // which also keeps others from locking several stores
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

// replace has all namespaces hold something else from now on; at, if not nil, is
// called at that moment. Requests that have begun go on with what there was.
func (n *namespaces) replace(stores map[string]*accountData, at func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if at != nil {
		at()
	}
	if n.emulator.journal != nil {
		n.supersede(stores)
	}
	n.stores, n.cache = stores, nil
}

// CountTables counts the tables that requests see, and those that none sees: a journal has brought
// them, from an Emulator with the other setting of WithSharedData.
func (e *Emulator) CountTables() (seen, unseen int) {
	e.namespaces.mu.RLock()
	defer e.namespaces.mu.RUnlock()
	for key, h := range e.namespaces.stores {
		count := &seen
		if ofAll := key == ""; ofAll != e.shared {
			count = &unseen
		}
		h.store.View(func(tx *storage.Tx) error {
			*count += len(tx.TableNames())
			return nil
		})
	}
	return seen, unseen
}
