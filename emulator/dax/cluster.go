package dax

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// Config is how a cluster behaves. Its times go by the clock of the emulator.
type Config struct {
	// ItemTTL and QueryTTL are how long the caches keep what they have. An item cache without a
	// TTL keeps items until they are written or leave for others; a query cache without a TTL keeps
	// nothing. DefaultConfig has five minutes each.
	ItemTTL, QueryTTL time.Duration
	// Nodes is how many nodes there are, 1 to MaxNodes. The first one is the leader.
	Nodes int
	// ReplicationLag is after which time a node hears of what others have written or read.
	ReplicationLag time.Duration
	// CacheBytes bounds the memory of each cache of each node.
	CacheBytes int64
	// Advertise is the IP address at which clients reach the nodes, nil for the one that they have
	// connected to.
	Advertise net.IP
}

// MaxNodes is how many nodes a cluster has at most (Developer Guide, "DAX cluster components",
// "Clusters": a leader and ten read replicas).
const MaxNodes = acceleration.MaxNodes

// DefaultConfig returns the settings of a new cluster with one node.
func DefaultConfig() Config {
	return Config{
		ItemTTL: 5 * time.Minute, QueryTTL: 5 * time.Minute,
		Nodes: 1, ReplicationLag: 500 * time.Millisecond, CacheBytes: 64 << 20,
	}
}

// Check returns an error if a setting is outside its range.
func (c *Config) Check() error {
	switch {
	case c.Nodes < 1 || c.Nodes > MaxNodes:
		return fmt.Errorf("%d nodes: a cluster has 1 to %d", c.Nodes, MaxNodes)
	case min(c.ItemTTL, c.QueryTTL, c.ReplicationLag) < 0:
		return errors.New("the TTLs of the caches and the lag of nodes are not negative")
	case c.CacheBytes < 0:
		return fmt.Errorf("%d bytes: a cache has no negative memory", c.CacheBytes)
	}
	return nil
}

// Cluster is an accelerator in front of an emulator. Its methods are safe for concurrent use.
type Cluster struct {
	server  acceleration.Server
	config  Config
	lists   *lists
	writes  [256]stripe
	memory  atomic.Int64 // bytes of requests, beyond what all have
	savings savings

	nodes atomic.Pointer[[]*node] // never changed: Grow replaces it

	mu      sync.Mutex
	fronts  []*front
	callers map[acceleration.Scope]map[string]bool // the callers of restricted scopes
	closed  bool
	serving sync.WaitGroup
}

// front is where the nodes listen: over TCP, or over TLS.
type front struct {
	host      string
	first     int            // the port of the first node, 0 for any free ones
	listeners []net.Listener // the listener of each node
	ports     []int
	tls       *tls.Config // nil: over TCP
}

// New returns a cluster that listens nowhere yet. The operations on clusters of e and its forks
// lead to it from then on (see acceleration.Server). It fails if Config.Check does.
func New(e *emulator.Emulator, config Config) (*Cluster, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	c := &Cluster{server: acceleration.Of(e), config: config, lists: newLists(),
		callers: map[acceleration.Scope]map[string]bool{}}
	var nodes []*node
	for i := range config.Nodes {
		nodes = append(nodes, newNode(c, i))
	}
	c.nodes.Store(&nodes)
	c.server.Accelerate(accelerator{c})
	return c, nil
}

// all returns the nodes.
func (c *Cluster) all() []*node { return *c.nodes.Load() }

// Listen has the nodes listen at a TCP address, the first one at its port and each other one at the
// next: "127.0.0.1:8111". With port 0 they take any free ports. With tls not nil they speak TLS. It
// returns the address of the first one. Clients prefix it by dax:// or daxs://.
func (c *Cluster) Listen(addr string, config *tls.Config) (string, error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return "", fmt.Errorf("%s: the port is no number", addr)
	}
	f := &front{host: host, first: port, tls: config}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return "", net.ErrClosed
	}
	if err := f.listen(len(c.all())); err != nil {
		f.close()
		return "", err
	}
	c.fronts = append(c.fronts, f)
	for _, n := range c.all() {
		c.serve(f, n)
	}
	return httpd.Reachable(f.listeners[0].Addr()), nil
}

// listen has the first nodes listen, those that do not yet.
func (f *front) listen(nodes int) error {
	for i := len(f.listeners); i < nodes; i++ {
		at := 0
		if f.first > 0 {
			at = f.first + i
		}
		l, err := net.Listen("tcp", net.JoinHostPort(f.host, strconv.Itoa(at)))
		if err != nil {
			return err
		}
		f.ports = append(f.ports, l.Addr().(*net.TCPAddr).Port)
		if f.tls != nil {
			l = tls.NewListener(l, f.tls)
		}
		f.listeners = append(f.listeners, l)
	}
	return nil
}

// serve begins to accept a node's connections. The caller holds mu.
func (c *Cluster) serve(f *front, n *node) {
	l := f.listeners[n.number]
	c.serving.Add(1)
	go func() {
		defer c.serving.Done()
		c.accept(n, f, l)
	}()
}

// grow makes the cluster have a number of nodes. If some of them cannot listen, it has as many as
// before.
func (c *Cluster) grow(nodes int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	before := c.all()
	if nodes <= len(before) {
		return nil
	}
	for _, f := range c.fronts {
		if err := f.listen(nodes); err != nil {
			for _, f := range c.fronts {
				f.shrink(len(before))
			}
			return err
		}
	}
	all := slices.Clone(before)
	for i := len(before); i < nodes; i++ {
		all = append(all, newNode(c, i))
	}
	c.nodes.Store(&all)
	for _, f := range c.fronts {
		for _, n := range all[len(before):] {
			c.serve(f, n)
		}
	}
	return nil
}

// reach makes the cluster have a node, and reports whether it has it.
func (c *Cluster) reach(node int) bool {
	return node >= 0 && node < MaxNodes && (node < len(c.all()) || c.grow(node+1) == nil)
}

func (f *front) shrink(nodes int) {
	for len(f.listeners) > nodes {
		last := len(f.listeners) - 1
		f.listeners[last].Close()
		f.listeners, f.ports = f.listeners[:last], f.ports[:last]
	}
}

// portOf is the port of a node.
func (c *Cluster) portOf(f *front, node int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if node >= len(f.ports) {
		return 0
	}
	return f.ports[node]
}

func (f *front) close() {
	for _, l := range f.listeners {
		l.Close()
	}
}

// acceptPause is how long a listener waits that cannot accept, for lack of descriptors for example.
const acceptPause = 10 * time.Millisecond

// accept serves the connections of a listener until it is closed.
func (c *Cluster) accept(n *node, f *front, l net.Listener) {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(acceptPause)
			continue
		}
		if !n.add(conn) {
			conn.Close()
			continue
		}
		c.serving.Add(1)
		go func() {
			defer c.serving.Done()
			defer n.remove(conn)
			defer conn.Close()
			c.server.Contain(func() { serveConn(n, f, conn) })
		}()
	}
}

// Close stops the nodes at once. A second call does nothing.
func (c *Cluster) Close() error {
	c.server.Abandon(accelerator{c})
	c.mu.Lock()
	c.closed = true
	for _, f := range c.fronts {
		f.close()
	}
	c.mu.Unlock()
	for _, n := range c.all() {
		n.setDown(true)
	}
	c.serving.Wait()
	return nil
}

// Clear empties the caches of all nodes.
func (c *Cluster) Clear() {
	for _, n := range c.all() {
		n.clear(everybody)
	}
}

// DropConnections closes all connections, as when the network fails for a moment.
func (c *Cluster) DropConnections() {
	for _, n := range c.all() {
		n.drop(nil)
	}
}

// FailNode has a node fail: its connections end, it accepts no others, the cluster does not tell
// clients of it, and its caches are empty when RecoverNode has it back. If it is the leader, the
// next node is. It returns an error if there is no such node; the first one is 0.
func (c *Cluster) FailNode(number int) error { return c.setDown(number, true) }

// RecoverNode ends FailNode.
func (c *Cluster) RecoverNode(number int) error { return c.setDown(number, false) }

func (c *Cluster) setDown(number int, down bool) error {
	nodes := c.all()
	if number < 0 || number >= len(nodes) {
		return fmt.Errorf("node %d: the cluster has %d, the first is 0", number, len(nodes))
	}
	nodes[number].setDown(down)
	return nil
}
