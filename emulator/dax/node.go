package dax

import (
	"net"
	"slices"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/dax/cache"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
)

// itemKey says which item an entry of an item cache is.
type itemKey struct {
	scope      acceleration.Scope
	table, key string
}

// queryKey says which request an entry of a query cache answers.
type queryKey struct {
	scope       acceleration.Scope
	table, same string
}

// result is an entry of a query cache: an answer with the numbers of the attribute lists in it, and
// the capacity units that it took.
type result struct {
	answer string
	lists  []int64
	units  float64
}

// node is a node of a cluster.
type node struct {
	cluster *Cluster
	number  int
	items   *cache.Cache[itemKey, protocol.Stored]
	queries *cache.Cache[queryKey, result]
	stats   stats

	mu      sync.Mutex
	conns   map[net.Conn]acceleration.Caller // nil: not authorized yet
	down    bool
	pending map[uint64][]replica // replicas by the service whose clock counts, the earliest first
	waiting int                  // replicas in pending
	bytes   int                  // the size of their items
}

// replica is an item that a node has not heard of yet.
type replica struct {
	key     itemKey
	item    protocol.Stored
	written time.Time
	due     time.Time
}

// maxWaiting and maxWaitingBytes limit the replicas that wait. Beyond them some arrive early.
const (
	maxWaiting      = 10_000
	maxWaitingBytes = 64 << 20
)

// entryCost is the memory that an entry of a cache takes besides its key and value.
const entryCost = 200

func newNode(c *Cluster, number int) *node {
	n := &node{cluster: c, number: number, conns: map[net.Conn]acceleration.Caller{},
		pending: map[uint64][]replica{}}
	n.stats.tables = map[string]*TableStats{}
	n.items = cache.New[itemKey, protocol.Stored](c.config.CacheBytes,
		func(k itemKey) { n.stats.of(k.table, func(t *TableStats) { t.ItemEvictions++ }) })
	n.queries = cache.New[queryKey, result](c.config.CacheBytes,
		func(k queryKey) { n.stats.of(k.table, func(t *TableStats) { t.QueryEvictions++ }) })
	return n
}

// keep puts an item into the node's cache.
func (n *node) keep(k itemKey, it protocol.Stored, written time.Time) {
	n.items.Put(k, it, int64(len(k.table)+len(k.key)+len(it)+entryCost), written)
}

// keepQuery puts an answer into the node's query cache.
func (n *node) keepQuery(k queryKey, answer []byte, lists []int64, units float64,
	written time.Time) {
	n.queries.Put(k, result{string(answer), lists, units},
		int64(len(k.table)+len(k.same)+len(answer)+8*len(lists)+entryCost), written)
}

// hear lets an item arrive at a node when the lag is over.
func (n *node) hear(r replica) {
	n.mu.Lock()
	defer n.mu.Unlock()
	service := r.key.scope.Service
	n.pending[service] = append(n.pending[service], r)
	n.waiting++
	n.bytes += len(r.item)
	for n.waiting > maxWaiting || n.bytes > maxWaitingBytes {
		for service := range n.pending { // any, perhaps of a fork that nobody reads any more
			n.arrive(service, time.Time{}, 1)
			break
		}
	}
}

// catchUp lets those items arrive that are due.
func (n *node) catchUp(service uint64, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.arrive(service, now, 0)
}

// arrive puts what is due at a time, and at least a number of items, into the cache.
func (n *node) arrive(service uint64, now time.Time, least int) {
	queue := n.pending[service]
	if len(queue) == 0 {
		return
	}
	for len(queue) > 0 && (least > 0 || !queue[0].due.After(now)) {
		r := queue[0]
		queue[0] = replica{}
		queue = queue[1:]
		n.waiting--
		n.bytes -= len(r.item)
		least--
		n.keep(r.key, r.item, r.written)
	}
	if n.pending[service] = queue; len(queue) == 0 {
		delete(n.pending, service)
	}
}

// add registers a connection, unless the node is down or has too many.
func (n *node) add(c net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.down || len(n.conns) >= maxConns {
		return false
	}
	n.conns[c] = nil
	return true
}

// belongs says whose a connection is from now on.
func (n *node) belongs(c net.Conn, caller acceleration.Caller) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.conns[c]; ok {
		n.conns[c] = caller
	}
}

func (n *node) remove(c net.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.conns, c)
}

// drop closes the node's connections, or those of certain callers.
func (n *node) drop(whose func(acceleration.Scope) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c, caller := range n.conns {
		if whose == nil || caller != nil && whose(caller.Scope()) {
			c.Close()
		}
	}
}

// setDown takes the node down, with its connections and all that it has cached, or up again.
func (n *node) setDown(down bool) {
	n.mu.Lock()
	n.down = down
	if down {
		n.pending, n.waiting, n.bytes = map[uint64][]replica{}, 0, 0
	}
	n.mu.Unlock()
	if down {
		n.drop(nil)
		n.clear(everybody)
	}
}

func (n *node) isDown() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.down
}

func everybody(acceleration.Scope) bool { return true }

// clear empties both caches, as far as they belong to certain callers, and forgets what is on its
// way to them.
func (n *node) clear(whose func(acceleration.Scope) bool) {
	n.mu.Lock()
	for service, queue := range n.pending {
		n.pending[service] = slices.DeleteFunc(queue, func(r replica) bool {
			gone := whose(r.key.scope)
			if gone {
				n.waiting--
				n.bytes -= len(r.item)
			}
			return gone
		})
		if len(n.pending[service]) == 0 {
			delete(n.pending, service)
		}
	}
	n.mu.Unlock()
	n.items.Clear(func(k itemKey) bool { return whose(k.scope) })
	n.queries.Clear(func(k queryKey) bool { return whose(k.scope) })
}
