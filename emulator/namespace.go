package emulator

import (
	"strings"
	"sync"
	"sync/atomic"

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

	space     uint32       // of the store in the journal, if there is one and the holdings began here
	restored  bool         // a journal, a snapshot or a fork has brought them
	borrowers atomic.Int64 // requests that use them
}

// namespaces holds all namespaces, made when they are first named.
type namespaces struct {
	emulator *Emulator

	mu     sync.RWMutex
	spaces uint32                // the last one that has a store, of a service that Open made
	unused []uint32              // spaces up to that whose stores were forgotten before anything was in them
	begun  int                   // how many namespaces began since the last prune
	stores map[string]*holdings  // by access key and region, or by "" if all share one; replaced by Restore
	cache  map[string]*namespace // by what stands in a request: access key, date and region
}

// maxCached bounds the cache, and how many namespaces there are that hold nothing of their own: a
// client chooses access keys, and dates, as it likes.
const maxCached = 4096

// longestCached is the length of a scope that is cached: the parts of a proper one fit.
const longestCached = longestAccessKey + len("/20060102/") + longestRegion

// borrow returns the namespace of a credential, which is not forgotten until it is given back.
func (n *namespaces) borrow(c credential) *namespace {
	n.mu.RLock()
	ns := n.cache[c.scope]
	if ns != nil {
		ns.borrowers.Add(1)
	}
	n.mu.RUnlock()
	if ns == nil {
		ns = n.make(c)
	}
	return ns
}

// giveBack ends the use of holdings that were borrowed.
func (h *holdings) giveBack() { h.borrowers.Add(-1) }

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
		n.begun++
	}
	n.emulator.guard.count(ns.holdings)
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

// discard reports whether holdings that nobody uses are those that begin would make again; then
// they are of no more use. What the journal has of a namespace stays.
func (n *namespaces) discard(h *holdings) bool {
	if h.restored || n.emulator.clock().UnixNano() < h.transactions.tokens.latest {
		return false
	}
	beginsEmpty := n.emulator.settings.initial == nil && h.space == 0
	return h.store.Discard() || beginsEmpty && h.store.Empty()
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
		held[key] = &holdings{store: forks[i], transactions: remembered[i], partitions: n.stores[key].partitions.Fork(), restored: true}
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
