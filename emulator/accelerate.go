package emulator

import (
	"errors"
	"net/http"
	"slices"
	"time"
	"weak"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/accelerators"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Authorization is what a client of the accelerator (package dax) signs its connection with.
type Authorization auth.Connection

// Accelerated is a caller whose requests come through the accelerator. It is an HTTPClient of that
// caller, and knows what the accelerator has to know besides. It is safe for concurrent use.
type Accelerated struct {
	*HTTPClient
}

// Scope is where data belongs that callers may share: two callers with equal scopes see the same.
type Scope struct {
	service weak.Pointer[Emulator] // so that what is cached keeps no fork
	// with WithSharedData ""
	owner, region string
	// Caller is the access key of a caller whose rights differ from those of others who see the
	// same tables, and "" if there are no rights: see WithIAM and WithPolicy.
	Caller string
}

// Restricted reports whether callers have rights of their own.
func (s Scope) Restricted() bool { return s.Caller != "" }

// Service identifies the service that answers, whose clock counts.
func (s Scope) Service() any { return s.service }

// Shared is the scope without the caller.
func (s Scope) Shared() Scope {
	s.Caller = ""
	return s
}

// Authorize returns the caller of a connection. The signature is verified if those of requests are
// (see WithCredentials). The error is one that ErrorName names.
func Authorize(e *Emulator, a Authorization) (*Accelerated, error) {
	c := auth.Connection(a)
	caller, err := c.Caller()
	if err != nil {
		return nil, err
	}
	if e.settings.credentials != nil {
		if err := e.settings.credentials.AdmitConnection(&c, e.service.Clock()); err != nil {
			return nil, err
		}
	}
	to := answering(e, caller.AccessKey)
	if _, who, err := to.service.Identify(caller.AccessKey, new(http.Request)); err != nil {
		return nil, err
	} else if who != nil {
		who.Leave()
	}
	return &Accelerated{&HTTPClient{e, caller}}, nil
}

// Contain does the work of a connection for e. A panic in it is logged and ends nothing else.
func Contain(e *Emulator, work func()) { e.inBackground("a connection of the accelerator", work) }

// ErrorName returns the name, the text and the status by which clients know an error.
func ErrorName(err error) (name, message string, status int) {
	var answer *apierr.Error
	if errors.As(err, &answer) {
		return answer.Type.Name, answer.Message, answer.Type.Status
	}
	return "InternalServerError", err.Error(), http.StatusInternalServerError
}

// answering is the service that answers the caller now: see Delegate.
func (a *Accelerated) answering() *Emulator {
	return answering(a.emulator, a.caller.AccessKey)
}

// MaxNodes is how many nodes a cluster of DAX has at most.
const MaxNodes = accelerators.MaxNodes

// Accelerator is what answers at the ports of DAX. The operations on clusters lead to it: the
// cluster of an account and region has the accelerator's nodes, and its parameter group counts for
// the requests of its callers. Methods are safe for concurrent use.
type Accelerator interface {
	// TTLs are how long the caches keep what they have, unless a parameter group says otherwise.
	TTLs() (item, query time.Duration)

	// Grow makes the accelerator have a number of nodes, if it has fewer.
	Grow(nodes int) error

	// Port is where a node listens, over TLS or not, and 0 if it does not. The first node is 0.
	Port(node int, secure bool) int

	// Host is the IP address for clients, "" for the one that they reach the server by.
	Host() string

	// Leave ends the connections to a node of callers with certain scopes. With forget, the node
	// forgets what it has cached for them.
	Leave(node int, forget bool, whose func(Scope) bool)

	// Cached lists what the caches hold for callers with certain scopes: at most limit entries of
	// each cache, the most recently used ones first. ttls are those of a scope, as
	// Accelerated.TTLs has them.
	Cached(limit int, whose func(Scope) bool,
		ttls func(Scope) (item, query time.Duration)) []CacheEntry

	// Clear empties the caches as far as they belong to callers with certain scopes.
	Clear(whose func(Scope) bool)

	// Saved returns how many read units, by table, the caches have saved the callers of an
	// emulator (see Scope.Service) while it had observers.
	Saved(service any) map[string]float64

	// Stats are the counters of all nodes and callers together, by the tables' names.
	Stats() []CacheStats
}

// CacheStats counts what the caches of an accelerator did for a table.
type CacheStats struct {
	Table          string `json:"table"` // "" for those beyond what is counted one by one
	ItemHits       int64  `json:"itemHits"`
	ItemMisses     int64  `json:"itemMisses"`
	ItemEvictions  int64  `json:"itemEvictions"`
	QueryHits      int64  `json:"queryHits"`
	QueryMisses    int64  `json:"queryMisses"`
	QueryEvictions int64  `json:"queryEvictions"`
}

// CacheEntry is something that a cache of an accelerator holds.
type CacheEntry struct {
	Scope   Scope
	Node    int
	Table   string
	Key     string // of an item, as DynamoDB's JSON
	Query   string // of a result: the operation, and its request in JSON. "" for an item.
	Missing bool   // it is cached that there is no such item
	Bytes   int64
	Written time.Time
	Life    time.Duration // from when it was written; 0: until it leaves
}

// Cache is what the accelerator holds for the callers of an emulator. The zero Cache is that of an
// emulator without accelerator.
type Cache struct {
	to  Accelerator
	own *Emulator
}

// CacheOf returns the part of the accelerator's caches that belongs to callers of e. ok is false if
// there is no accelerator.
func CacheOf(e *Emulator) (c Cache, ok bool) {
	l, ok := e.settings.accelerator.Get().(linked)
	return Cache{l.Accelerator, e}, ok
}

func (c Cache) whose(s Scope) bool { return s.service == weak.Make(c.own) }

// Entries lists what has not expired: at most limit entries of each cache of each node, the most
// recently used ones first.
func (c Cache) Entries(limit int) []CacheEntry {
	list := c.to.Cached(limit, c.whose, func(s Scope) (item, query time.Duration) {
		key := ""
		if !c.own.service.Shared {
			key = s.owner + "/" + s.region
		}
		if a := c.own.service.Namespaces.Keyed()[key]; a != nil {
			return accelerators.TTLs(a)
		}
		return -1, -1
	})
	now := c.own.Now()
	return slices.DeleteFunc(list, func(x CacheEntry) bool {
		return x.Life > 0 && now.Sub(x.Written) >= x.Life
	})
}

// Clear empties the caches, for callers of the emulator.
func (c Cache) Clear() { c.to.Clear(c.whose) }

// Stats are the counters of all emulators together, by the tables' names.
func (c Cache) Stats() []CacheStats { return c.to.Stats() }

// Owner is the access key or account, and the region, that an entry belongs to, "" with
// WithSharedData.
func (x *CacheEntry) Owner() (owner, region string) { return x.Scope.owner, x.Scope.region }

// Saved returns how many read units the caches have saved callers of the emulator while it had
// observers, by table.
func (c Cache) Saved() map[string]float64 { return c.to.Saved(weak.Make(c.own)) }

// Accelerate has the operations on clusters of e and its forks lead to an accelerator, in place of
// the one before. Without one a cluster cannot be created.
func Accelerate(e *Emulator, a Accelerator) { e.settings.accelerator.Set(linked{a}) }

// Abandon ends Accelerate, unless another accelerator has taken the place of a.
func Abandon(e *Emulator, a Accelerator) {
	if now, ok := e.settings.accelerator.Get().(linked); ok && now.Accelerator == a {
		e.settings.accelerator.Set(nil)
	}
}

// linked is an Accelerator as the operations know it.
type linked struct{ Accelerator }

func (l linked) Leave(s *serve.Service, owner, region string, node int, forget bool) {
	l.Accelerator.Leave(node, forget, func(of Scope) bool {
		e := of.service.Value()
		return e != nil && e.service == s && of.owner == owner && of.region == region
	})
}

// Observed reports whether somebody observes what requests of the caller cost: see Observe.
func (a *Accelerated) Observed() bool { return a.answering().observers.Any() }

// Member is a node of a cluster, with its number in the accelerator and its availability zone.
type Member = accelerators.Member

// TTLs are those of the parameter group of the caller's cluster. They are negative where the
// accelerator's own count.
func (a *Accelerated) TTLs() (item, query time.Duration) {
	ns := a.answering().service.Namespaces.Borrow(a.caller)
	defer ns.GiveBack()
	return accelerators.TTLs(ns.Account)
}

// Limits returns how many bytes an item and the body of a request may have, which are those of
// Limits.
func (a *Accelerated) Limits() (item, body int) {
	l := &a.answering().service.Limits
	return l.ItemBytes, int(l.BodyBytes)
}

// Members are the nodes of the caller's cluster that answer now. ok is false if the caller has no
// cluster.
func (a *Accelerated) Members() (members []Member, ok bool) {
	e := a.answering()
	ns := e.service.Namespaces.Borrow(a.caller)
	defer ns.GiveBack()
	return accelerators.Members(ns.Account, e.service.Clock())
}

// Scope returns the scope of the caller now.
func (a *Accelerated) Scope() Scope {
	e := a.answering()
	s := Scope{service: weak.Make(e)}
	if !e.service.Shared {
		s.owner, s.region = e.service.Owner(a.caller.AccessKey), a.caller.Region
	}
	if e.service.IAM != nil || e.service.Guard != nil {
		s.Caller = a.caller.AccessKey
	}
	return s
}

// Now returns the time on the clock of the service that answers the caller.
func (a *Accelerated) Now() time.Time { return a.answering().Now() }

// KeyAttribute is an attribute of a primary key. Type is "S", "N" or "B".
type KeyAttribute struct{ Name, Type string }

// Key returns the primary key of a table, the partition key first, or nil if there is no such
// table. It makes no request.
func (a *Accelerated) Key(table string) (key []KeyAttribute) {
	e := a.answering()
	ns := e.service.Namespaces.Borrow(a.caller)
	defer ns.GiveBack()
	ns.Store.View(func(tx *storage.Tx) error {
		t := tables.Seen(tx, table, e.service.Clock())
		if t == nil {
			return nil
		}
		for _, k := range slices.Concat(t.Key.Hash, t.Key.Range) {
			key = append(key, KeyAttribute{k.Name, k.Type.String()})
		}
		return nil
	})
	return key
}

// StoredItem returns an item as Emulator.Item does.
func (a *Accelerated) StoredItem(table string, key item.Item) (item.Item, error) {
	return a.answering().Item(a.caller.AccessKey, a.caller.Region, table, key)
}
