package dax

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
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
const MaxNodes = 11

// DefaultConfig returns the settings of a new cluster with one node.
func DefaultConfig() Config {
	return Config{
		ItemTTL: 5 * time.Minute, QueryTTL: 5 * time.Minute,
		Nodes: 1, ReplicationLag: 500 * time.Millisecond, CacheBytes: 64 << 20,
	}
}

// Check returns an error if the settings are none.
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
	emulator *emulator.Emulator
	config   Config
	nodes    []*node
	lists    *lists
	writes   [256]stripe
	memory   atomic.Int64 // of requests, beyond what all have

	mu      sync.Mutex
	fronts  []*front
	callers map[emulator.Scope]map[string]bool // of restricted scopes
	closed  bool
	serving sync.WaitGroup
}

// front is where the nodes listen: over TCP, or over TLS.
type front struct {
	listeners []net.Listener // of each node
	ports     []int
	secure    bool
}

// New returns a cluster that listens nowhere yet. It fails if Config.Check does.
func New(e *emulator.Emulator, config Config) (*Cluster, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	c := &Cluster{emulator: e, config: config, lists: newLists(),
		callers: map[emulator.Scope]map[string]bool{}}
	for i := range config.Nodes {
		c.nodes = append(c.nodes, newNode(c, i))
	}
	return c, nil
}

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
	f := &front{secure: config != nil}
	for i := range c.nodes {
		at := 0
		if port > 0 {
			at = port + i
		}
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(at)))
		if err != nil {
			f.close()
			return "", err
		}
		f.ports = append(f.ports, l.Addr().(*net.TCPAddr).Port)
		if config != nil {
			l = tls.NewListener(l, config)
		}
		f.listeners = append(f.listeners, l)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		f.close()
		return "", net.ErrClosed
	}
	c.fronts = append(c.fronts, f)
	for i, l := range f.listeners {
		c.serving.Add(1)
		go func() {
			defer c.serving.Done()
			c.accept(c.nodes[i], f, l)
		}()
	}
	return httpd.Reachable(f.listeners[0].Addr()), nil
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
			emulator.Contain(c.emulator, func() { serveConn(n, f, conn) })
		}()
	}
}

// Close stops the nodes at once. A second call does nothing.
func (c *Cluster) Close() error {
	c.mu.Lock()
	c.closed = true
	for _, f := range c.fronts {
		f.close()
	}
	c.mu.Unlock()
	for _, n := range c.nodes {
		n.setDown(true)
	}
	c.serving.Wait()
	return nil
}

// Clear empties the caches of all nodes.
func (c *Cluster) Clear() {
	for _, n := range c.nodes {
		n.clear()
	}
}

// DropConnections closes all connections, as when the network fails for a moment.
func (c *Cluster) DropConnections() {
	for _, n := range c.nodes {
		n.drop()
	}
}

// FailNode has a node fail: its connections end, it accepts no others, the cluster does not tell
// clients of it, and its caches are empty when RecoverNode has it back. If it is the leader, the
// next node is. It returns an error if there is no such node; the first one is 0.
func (c *Cluster) FailNode(number int) error { return c.setDown(number, true) }

// RecoverNode ends FailNode.
func (c *Cluster) RecoverNode(number int) error { return c.setDown(number, false) }

func (c *Cluster) setDown(number int, down bool) error {
	if number < 0 || number >= len(c.nodes) {
		return fmt.Errorf("node %d: the cluster has %d, the first is 0", number, len(c.nodes))
	}
	c.nodes[number].setDown(down)
	return nil
}
