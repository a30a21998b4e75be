package serve

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

// namespace holds the data that the callers with one access key see in one region. The data belong
// to an owner: the access key, or with WithIAM the account.
type namespace struct {
	*Account
	AccessKey string
	Region    string
}

// NewCall returns a call of an operation in the namespace. The caller fills in whose
// call it is and what belongs to its request, and ends it.
func (ns *namespace) NewCall(s *Service, o *Operation) *Call {
	c := calls.Get().(*Call)
	*c = Call{
		Service:   s,
		Store:     ns.Store,
		Data:      ns.Account,
		AccessKey: ns.AccessKey,
		Operation: o,
		Form:      o.Form,
	}
	return c
}

// Namespaces holds all namespaces, made when they are first named.
type Namespaces struct {
	service *Service

	Dismiss []func(gone map[*Account]bool) // called when accounts are no longer in use

	Several sync.Mutex // held by who locks several stores

	Mu     sync.RWMutex
	Spaces uint32 // number of the last store in the journal
	// numbers up to that which are free again: their stores never held data
	unused []uint32
	Begun  int // how many namespaces began since the last prune
	// accounts by owner and region, or by "" if all share one; replaced by Restore
	Stores map[string]*Account
	Cache  map[string]*namespace // keyed by the scope of a request: access key, date and region
}

// MaxCached limits the entries of the cache and the number of namespaces that hold no data of their
// own. Without it a client could grow both, because it chooses access keys and dates freely.
const MaxCached = 4096

// longestCached is the greatest length of a cached scope. Every valid scope fits.
const longestCached = auth.LongestAccessKey + len("/20060102/") + auth.LongestRegion

// Borrow returns the namespace of a credential. The namespace stays until GiveBack.
func (n *Namespaces) Borrow(c auth.Credential) *namespace {
	n.Mu.RLock()
	ns := n.Cache[c.Scope]
	if ns != nil {
		ns.Borrowers.Add(1)
	}
	n.Mu.RUnlock()
	if ns == nil {
		ns = n.make(c)
	}
	return ns
}

func (n *Namespaces) make(c auth.Credential) *namespace {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	scope := strings.Clone(c.Scope)
	ns := &namespace{
		AccessKey: scope[:len(c.AccessKey)],
		Region:    scope[len(scope)-len(c.Region):],
	}
	ns.Account = n.of(n.service.Owner(ns.AccessKey), ns.Region)
	if n.Cache == nil || len(n.Cache) >= MaxCached || n.Begun >= MaxCached {
		n.Cache = map[string]*namespace{}
		n.prune()
	}
	if len(scope) <= longestCached {
		n.Cache[scope] = ns
	}
	return ns
}

// BorrowOf returns the data of an owner in a region: see Service.Owner. The data stay until
// GiveBack. The caller may hold no lock of a store.
func (n *Namespaces) BorrowOf(owner, region string) *Account {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	return n.of(owner, region)
}

// of returns the data of an owner in a region, and borrows them. The caller holds mu.
func (n *Namespaces) of(owner, region string) *Account {
	key := ""
	if !n.service.Shared {
		key = owner + "/" + region // neither has a slash
	}
	a := n.Stores[key]
	if a == nil {
		a = n.begin(key)
		if n.Stores == nil {
			n.Stores = map[string]*Account{}
		}
		n.Stores[key] = a
		n.Begun++
	}
	a.CountKeys(n.service.Policy)
	a.Borrowers.Add(1)
	return a
}

// prune removes the namespaces that hold only their initial data. A later request that names one
// creates it again. The caller holds mu and has emptied the cache.
func (n *Namespaces) prune() {
	for key, h := range n.Stores {
		if h.Borrowers.Load() == 0 && n.discard(h) {
			delete(n.Stores, key)
			if h.space > 0 {
				n.unused = append(n.unused, h.space)
			}
		}
	}
	n.Begun = 0
}

// discard reports whether begin would create the same data again, so that unused data can be
// dropped. The journal keeps its entries of a namespace.
func (n *Namespaces) discard(a *Account) bool {
	beginsEmpty := n.service.Initial == nil && a.space == 0
	return !a.Restored && a.Disposable(n.service.Clock(), beginsEmpty)
}

// Fork returns forks of the data of all namespaces at one moment, in stores with the given options.
func (n *Namespaces) Fork(o storage.Options) map[string]*Account {
	n.Several.Lock()
	defer n.Several.Unlock()
	n.Mu.Lock()
	defer n.Mu.Unlock()
	keys := slices.Collect(maps.Keys(n.Stores))
	accounts := make([]*Account, len(keys))
	for i, key := range keys {
		accounts[i] = n.Stores[key]
	}
	held := make(map[string]*Account, len(keys))
	for i, fork := range forkAccounts(accounts, o) {
		fork.Restored = true
		held[keys[i]] = fork
	}
	return held
}

// Replace replaces the data of all namespaces. It calls at, unless nil, at the moment of the
// change. Requests that have begun go on with the old data.
func (n *Namespaces) Replace(stores map[string]*Account, at func()) {
	n.Several.Lock()
	defer n.Several.Unlock()
	n.Mu.Lock()
	defer n.Mu.Unlock()
	if at != nil {
		at()
	}
	if n.service.Journal != nil {
		n.supersede(stores)
	}
	gone := make(map[*Account]bool, len(n.Stores))
	for _, a := range n.Stores {
		gone[a] = true
	}
	for _, dismiss := range n.Dismiss {
		dismiss(gone)
	}
	n.Stores, n.Cache = stores, nil
}

// begin makes the data of a namespace that is named for the first time. mu is held.
func (n *Namespaces) begin(key string) *Account {
	initial := n.service.Initial
	var h *Account
	if initial != nil {
		h = initial.Fork(n.service.Storage)
	} else {
		h = n.service.NewAccountData(storage.New(n.service.Storage))
	}
	if n.service.Journal != nil {
		d := n.newSpace(key)
		h.space = d.Space
		h.Store.KeepFromNow(d, h.KeepStates)
	}
	return h
}

// newSpace returns the place in the journal for the store of a namespace. The caller holds mu.
func (n *Namespaces) newSpace(key string) storage.Durable {
	d := storage.Durable{Journal: n.service.Journal, Codec: tables.Codec{}, Name: key}
	if last := len(n.unused) - 1; last >= 0 {
		d.Space, n.unused = n.unused[last], n.unused[:last]
		return d
	}
	n.Spaces++
	d.Space = n.Spaces
	return d
}

// supersede replaces the stores in the journal. The caller holds mu.
func (n *Namespaces) supersede(stores map[string]*Account) {
	var old, fresh []*storage.Store
	var as []storage.Durable
	var accounts []*Account
	for _, h := range n.Stores {
		old = append(old, h.Store)
	}
	for key, h := range stores {
		fresh, accounts = append(fresh, h.Store), append(accounts, h)
		as = append(as, n.newSpace(key))
	}
	err := storage.Supersede(n.service.Journal, old, fresh,
		as, func(i int, keep func(key, value string)) {
			accounts[i].KeepStates(keep)
		})
	if err != nil {
		n.service.Logger.Error("what is to be there instead could not be written",
			slog.Any("error", err))
	}
}

// All returns the data of all namespaces.
func (n *Namespaces) All() []*Account {
	n.Mu.RLock()
	defer n.Mu.RUnlock()
	all := make([]*Account, 0, len(n.Stores))
	for _, h := range n.Stores {
		all = append(all, h)
	}
	return all
}

// Keyed returns the data of all namespaces by their keys.
func (n *Namespaces) Keyed() map[string]*Account {
	n.Mu.RLock()
	defer n.Mu.RUnlock()
	return maps.Clone(n.Stores)
}

// Showing returns the key and the data of the namespace that shows a store, or nil if none does.
func (n *Namespaces) Showing(s *storage.Store) (key string, a *Account) {
	n.Mu.RLock()
	defer n.Mu.RUnlock()
	for key, a := range n.Stores {
		if a.Store == s {
			return key, a
		}
	}
	return "", nil
}

// Peer returns the data in the namespace of a peer, or nil if it has none yet. key is that of the
// namespace of the replica itself.
func (n *Namespaces) Peer(key, peer string) *Account {
	owner, _, _ := strings.Cut(key, "/")
	of := replication.OwnerOf(peer)
	if n.service.IAM != nil {
		owner = of.Account
	}
	n.Mu.RLock()
	defer n.Mu.RUnlock()
	return n.Stores[owner+"/"+of.Region]
}

// AllStores returns the stores of all namespaces.
func (n *Namespaces) AllStores() []*storage.Store {
	accounts := n.All()
	stores := make([]*storage.Store, len(accounts))
	for i, h := range accounts {
		stores[i] = h.Store
	}
	return stores
}
