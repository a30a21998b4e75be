package emulator

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
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

// begin makes the data of a namespace that is named for the first time. mu is held.
func (n *namespaces) begin(key string) *accountData {
	initial := n.service.initial
	var h *accountData
	if initial != nil {
		h = initial.fork(n.service.storage)
	} else {
		h = n.service.newAccountData(storage.New(n.service.storage))
	}
	if n.service.journal != nil {
		d := n.newSpace(key)
		h.space = d.Space
		h.store.KeepFromNow(d, h.keepStates)
	}
	return h
}

// newSpace returns the place in the journal for the store of a namespace. The caller holds mu.
func (n *namespaces) newSpace(key string) storage.Durable {
	d := storage.Durable{Journal: n.service.journal, Codec: tables.Codec{}, Name: key}
	if last := len(n.unused) - 1; last >= 0 {
		d.Space, n.unused = n.unused[last], n.unused[:last]
		return d
	}
	n.spaces++
	d.Space = n.spaces
	return d
}

// supersede replaces the stores in the journal. The caller holds mu.
func (n *namespaces) supersede(stores map[string]*accountData) {
	var old, fresh []*storage.Store
	var as []storage.Durable
	var accounts []*accountData
	for _, h := range n.stores {
		old = append(old, h.store)
	}
	for key, h := range stores {
		fresh, accounts = append(fresh, h.store), append(accounts, h)
		as = append(as, n.newSpace(key))
	}
	err := storage.Supersede(n.service.journal, old, fresh, as, func(i int, keep func(key, value string)) {
		accounts[i].keepStates(keep)
	})
	if err != nil {
		n.service.logger.Error("what is to be there instead could not be written", slog.Any("error", err))
	}
}

// all returns the data of all namespaces.
func (n *namespaces) all() []*accountData {
	n.mu.RLock()
	defer n.mu.RUnlock()
	all := make([]*accountData, 0, len(n.stores))
	for _, h := range n.stores {
		all = append(all, h)
	}
	return all
}

// keyed returns the data of all namespaces by their keys.
func (n *namespaces) keyed() map[string]*accountData {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return maps.Clone(n.stores)
}

// showing returns the key and the data of the namespace that shows a store, or nil if none does.
func (n *namespaces) showing(s *storage.Store) (key string, a *accountData) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for key, a := range n.stores {
		if a.store == s {
			return key, a
		}
	}
	return "", nil
}

// peer returns the data in the namespace of a peer, or nil if there are none. key is that of the
// namespace of the replica itself.
func (n *namespaces) peer(key, peer string) *accountData {
	owner, _, _ := strings.Cut(key, "/")
	of := replication.OwnerOf(peer)
	if n.service.iam != nil {
		owner = of.Account
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.stores[owner+"/"+of.Region]
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
