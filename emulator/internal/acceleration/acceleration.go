package acceleration

import (
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/emulator/dax/cache"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/storage/item"
)

// MaxNodes is how many nodes a cluster has at most (Developer Guide, "Quotas", "DynamoDB
// Accelerator (DAX)": a primary node and zero to ten read replicas).
const MaxNodes = 11

// Authorization has what a client of the accelerator signs its connection with.
type Authorization = auth.Connection

// Member is a node of a cluster as the accelerator knows it.
type Member struct {
	Number int
	Zone   string
}

// KeyAttribute is an attribute of a primary key. Type is "S", "N" or "B".
type KeyAttribute struct{ Name, Type string }

// Of returns the Server of an *emulator.Emulator. Package emulator sets it. It is no method of
// Emulator, whose public API has no types of internal packages, and emulator imports this package.
var Of func(emulator any) Server

// Server is an emulator as the accelerator knows it. It is safe for concurrent use.
type Server interface {
	// Authorize returns the caller of a connection. The signature is verified if those of requests
	// are (see emulator.WithCredentials). The error is one that ErrorName names.
	Authorize(Authorization) (Caller, error)

	// Contain does the work of a connection. A panic in it is logged and ends nothing else.
	Contain(work func())

	// Accelerate has the operations on clusters of the emulator and its forks lead to an
	// accelerator, in place of the one before. Without one a cluster cannot be created.
	Accelerate(Accelerator)

	// Abandon ends Accelerate, unless another accelerator has taken the place of this one.
	Abandon(Accelerator)

	// Cache returns the part of the accelerator's caches that belongs to callers of the emulator.
	// ok is false if there is no accelerator.
	Cache() (c Cache, ok bool)
}

// Caller is who sent requests through the accelerator. It is safe for concurrent use.
type Caller interface {
	// Do makes a request of the caller, as emulator.HTTPClient does.
	Do(*http.Request) (*http.Response, error)

	// Observed reports whether somebody observes what requests cost: see Emulator.Observe.
	Observed() bool

	// TTLs are those of the parameter group of the caller's cluster. They are negative where the
	// accelerator's own count.
	TTLs() (item, query time.Duration)

	// Limits returns how many bytes an item and the body of a request may have.
	Limits() (item, body int)

	// Members are the nodes of the caller's cluster that answer now. ok is false if the caller has
	// no cluster.
	Members() (members []Member, ok bool)

	// Scope returns the scope of the caller now.
	Scope() Scope

	// Now returns the time on the clock of the service that answers the caller.
	Now() time.Time

	// Key returns the primary key of a table, the partition key first, or nil if there is no such
	// table. It makes no request. The error, which ErrorName names, is of a caller whom the policy
	// tells nothing of the table.
	Key(table string) ([]KeyAttribute, error)

	// StoredItem returns an item as Emulator.Item does.
	StoredItem(table string, key item.Item) (item.Item, error)
}

// Scope says which callers share cached data: two callers with equal scopes see the same.
type Scope struct {
	// Service is the ID of the service that answers, whose clock counts. It is a number so that
	// what is cached does not keep a fork in memory.
	Service uint64

	// Owner and Region are "" with emulator.WithSharedData. Owner is an access key or an account.
	Owner, Region string

	// Caller is the access key of a caller whose rights differ from those of others who see the
	// same tables, and "" if there are no rights: see emulator.WithIAM and emulator.WithPolicy.
	Caller string
}

// Restricted reports whether callers have rights of their own.
func (s Scope) Restricted() bool { return s.Caller != "" }

// Shared is the scope without the caller.
func (s Scope) Shared() Scope {
	s.Caller = ""
	return s
}

// Nodes are those of an accelerator. The methods are safe for concurrent use.
type Nodes interface {
	// TTLs are how long the caches keep what they have, unless a parameter group says otherwise.
	TTLs() (item, query time.Duration)

	// Grow makes the accelerator have a number of nodes, if it has fewer.
	Grow(nodes int) error

	// Port is where a node listens, over TLS or not, and 0 if it does not. The first node is 0.
	Port(node int, secure bool) int

	// Host is the IP address for clients, "" for the one that they reach the server by.
	Host() string
}

// Accelerator answers at the ports of DAX. The operations on clusters lead to it: the cluster of an
// account and region has the accelerator's nodes, and its parameter group counts for the requests
// of its callers. Methods are safe for concurrent use.
type Accelerator interface {
	Nodes

	// Leave ends the connections to a node of callers with certain scopes. With forget, the node
	// forgets what it has cached for them.
	Leave(node int, forget bool, whose func(Scope) bool)

	// Cached lists what the caches hold for callers with certain scopes: at most limit entries of
	// each cache, the most recently used ones first. ttls are those of a scope, as Caller.TTLs has
	// them.
	Cached(limit int, whose func(Scope) bool,
		ttls func(Scope) (item, query time.Duration)) []Entry

	// Clear empties the caches as far as they belong to callers with certain scopes.
	Clear(whose func(Scope) bool)

	// Saved returns how many read units, by table, the caches have saved the callers of an
	// emulator (see Scope.Service) while it had observers.
	Saved(service uint64) map[string]float64

	// Stats are the counters of all nodes and callers together, by the tables' names.
	Stats() []cache.TableStats
}

// Link says which accelerator a server has, nil if it has none. Forks share it. It is safe for
// concurrent use.
type Link struct {
	to atomic.Pointer[Accelerator]
}

// Set makes a the accelerator.
func (l *Link) Set(a Accelerator) { l.to.Store(&a) }

// Unset ends Set, unless another accelerator has taken the place of a.
func (l *Link) Unset(a Accelerator) {
	if now := l.to.Load(); now != nil && *now == a {
		l.to.CompareAndSwap(now, nil)
	}
}

// Get returns the accelerator, or nil.
func (l *Link) Get() Accelerator {
	if a := l.to.Load(); a != nil {
		return *a
	}
	return nil
}

// Entry is something that a cache of an accelerator holds.
type Entry struct {
	Scope   Scope
	Node    int
	Table   string
	Key     string // an item's key, as DynamoDB's JSON
	Query   string // a result's operation, and its request in JSON; "" for an item
	Missing bool   // it is cached that there is no such item
	Bytes   int64
	Written time.Time
	Life    time.Duration // the time until it expires, from Written on; 0: until it leaves
}

// Cache holds the entries of the accelerator for the callers of an emulator. It is safe for
// concurrent use.
type Cache interface {
	// Entries lists what has not expired: at most limit entries of each cache of each node, the
	// most recently used ones first.
	Entries(limit int) []Entry

	// Clear empties the caches, for callers of the emulator.
	Clear()

	// Stats are the counters of all emulators together, by the tables' names.
	Stats() []cache.TableStats

	// Saved returns how many read units the caches have saved callers of the emulator while it had
	// observers, by table.
	Saved() map[string]float64
}

// ErrorName returns the name, the text and the status by which clients know an error.
func ErrorName(err error) (name, message string, status int) {
	var answer *apierr.Error
	if errors.As(err, &answer) {
		return answer.Type.Name, answer.Message, answer.Type.Status
	}
	return "InternalServerError", err.Error(), http.StatusInternalServerError
}
