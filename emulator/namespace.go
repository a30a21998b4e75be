package emulator

import (
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/storage"
)

// namespace is what the callers with one access key see in one region.
type namespace struct {
	*holdings
	accessKey string
	region    string
}

// holdings are the data that a namespace shows. Several namespaces may show the same.
type holdings struct {
	store        *storage.Store
	transactions *transactions
	partitions   *policy.State // what the policy counts; nil: there is none, or no one has looked yet
}

// namespaces holds all namespaces, made when they are first named.
type namespaces struct {
	emulator *Emulator

	mu     sync.RWMutex
	spaces uint32                // the last one that has a store, of a service that Open made
	stores map[string]*holdings  // by access key and region, or by "" if all share one; replaced by Restore
	cache  map[string]*namespace // by what stands in a request: access key, date and region
}

// maxCached bounds the cache: dates, and keys of clients that mean harm, are many.
const maxCached = 4096

// of returns the namespace of a credential.
func (n *namespaces) of(c credential) *namespace {
	n.mu.RLock()
	ns := n.cache[c.scope]
	n.mu.RUnlock()
	if ns == nil {
		ns = n.make(c)
	}
	return ns
}

func (n *namespaces) make(c credential) *namespace {
	n.mu.Lock()
	defer n.mu.Unlock()
	scope := strings.Clone(c.scope)
	ns := &namespace{
		accessKey: scope[:len(c.accessKey)],
		region:    scope[len(scope)-len(c.region):],
	}
	key := ""
	if !n.emulator.shared {
		key = ns.accessKey + "/" + ns.region // neither has a slash
	}
	ns.holdings = n.stores[key]
	if ns.holdings == nil {
		ns.holdings = n.begin(key)
		if n.stores == nil {
			n.stores = map[string]*holdings{}
		}
		n.stores[key] = ns.holdings
	}
	n.emulator.guard.count(ns.holdings)
	if n.cache == nil || len(n.cache) >= maxCached {
		n.cache = map[string]*namespace{}
	}
	n.cache[scope] = ns
	return ns
}

// fork returns what all namespaces hold at one moment, in stores with options of
// their own. Transactions that are open then are not: whether they will be
// committed is not known.
func (n *namespaces) fork(o storage.Options) map[string]*holdings {
	n.mu.Lock() // which also keeps others from locking several stores
	defer n.mu.Unlock()
	stores := make([]*storage.Store, 0, len(n.stores))
	keys := make([]string, 0, len(n.stores))
	remembered := make([]*transactions, 0, len(n.stores))
	for key, h := range n.stores {
		stores, keys = append(stores, h.store), append(keys, key)
	}
	forks := storage.ForkAll(stores, o, func() {
		for _, key := range keys {
			remembered = append(remembered, n.stores[key].transactions.fork())
		}
	})
	held := make(map[string]*holdings, len(keys))
	for i, key := range keys {
		held[key] = &holdings{forks[i], remembered[i], n.stores[key].partitions.Fork()}
	}
	return held
}

// replace has all namespaces hold something else from now on; at, if not nil, is
// called at that moment. Requests that have begun go on with what there was.
func (n *namespaces) replace(stores map[string]*holdings, at func()) {
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
