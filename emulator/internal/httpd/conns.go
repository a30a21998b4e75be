package httpd

import (
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Limits on how long one client can occupy the server, in ticks.
const (
	tick          = 10 * time.Second
	ActiveTicks   = 12 // ticks from a request's headers to the last byte of its answer
	IdleTicks     = 18 // ticks from one request to the headers of the next
	LastWordTicks = 1  // ticks from the word that the time is over to the end of the connection
)

// MaxConns is how many connections a server has at a time. Those whose clients have gone count
// until their requests are answered, so that clients who leave cannot pile up requests.
const MaxConns = 16_384

// Conns holds the connections of a server and ends the idle ones, like the timeouts of http.Server.
// For a small request, the five timers that http.Server sets would cost more than all work of this
// package.
type Conns struct {
	now atomic.Int64 // ticks since the server started

	mu     sync.Mutex
	all    map[*conn]struct{}
	most   int       // the most connections; 0 is MaxConns
	room   sync.Cond // there may be room for another one
	ending bool      // new connections are closed
}

// add adds a connection once there is room for it. Meanwhile the server accepts no other one: they
// wait in the listener's queue.
func (cs *Conns) add(c *conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.all == nil {
		cs.all, cs.room.L = map[*conn]struct{}{}, &cs.mu
	}
	for len(cs.all) >= cmp.Or(cs.most, MaxConns) && !cs.ending {
		cs.endLongestUnused()
		cs.room.Wait()
	}
	cs.all[c] = struct{}{}
	if cs.ending {
		c.Conn.Close()
	}
}

// endLongestUnused ends the connection that has served no request for the longest time, if that is
// a tick at least.
func (cs *Conns) endLongestUnused() {
	var longest *conn
	since := cs.now.Load()
	for c := range cs.all {
		if at := c.since.Load(); at < since && !c.active.Load() {
			longest, since = c, at
		}
	}
	if longest != nil {
		longest.Conn.Close()
	}
}

// Watch ends old connections until done is closed.
func (cs *Conns) Watch(done <-chan struct{}) {
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			cs.Sweep()
		case <-done:
			return
		}
	}
}

// Sweep advances the time by a tick and ends the connections that have reached a limit.
func (cs *Conns) Sweep() {
	now := cs.now.Add(1)
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for c := range cs.all {
		limit, age := int64(IdleTicks), now-c.since.Load()
		if c.active.Load() {
			limit = ActiveTicks
		}
		expected := c.expected.Load()
		switch {
		case age > limit+LastWordTicks:
			c.Conn.Close()
		case age > limit || expected > 0 && now-expected >= paceTicks:
			// reads of a body fail, which is answered: see bodyError
			c.SetReadDeadline(longAgo)
		}
	}
	cs.room.Broadcast()
}

// Count returns how many connections are open, how many of them serve a request, and how many of
// them expect more of a large body.
func (cs *Conns) Count() (open, serving, expected int) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for c := range cs.all {
		if c.active.Load() {
			serving++
		}
		if c.expected.Load() > 0 {
			expected++
		}
	}
	return len(cs.all), serving, expected
}

// EndUnused ends the connections that serve no request. Clients open some connections in advance,
// and http.Server treats a connection without a request as in use for its first five seconds.
func (cs *Conns) EndUnused() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.ending = true
	cs.room.Broadcast()
	for c := range cs.all {
		if !c.active.Load() {
			c.Conn.Close()
		}
	}
}

// Changed implements http.Server.ConnState.
func (cs *Conns) Changed(nc net.Conn, state http.ConnState) {
	if over, ok := nc.(*tls.Conn); ok {
		nc = over.NetConn()
	}
	c := nc.(*conn)
	c.since.Store(cs.now.Load())
	c.active.Store(state == http.StateActive)
	switch state {
	case http.StateActive:
		c.head = c.read - c.before
		if c.head > surelyShort || c.secure {
			mayBeLong.Store(true)
		}
	case http.StateIdle:
		c.before = c.read
	case http.StateNew:
		c.ticks = &cs.now
		cs.add(c)
	case http.StateClosed, http.StateHijacked:
		cs.mu.Lock()
		defer cs.mu.Unlock()
		delete(cs.all, c)
		cs.room.Broadcast()
	}
}

// conn is a connection of a server.
type conn struct {
	net.Conn
	since  atomic.Int64 // the tick of its last change of state
	active atomic.Bool  // serving a request

	// A large body must keep a pace: see largeBody.
	ticks    *atomic.Int64 // ticks since the server started
	expected atomic.Int64  // one more than the tick at which more of it was asked for; 0: none is

	// http.Server sends an answer longer than its buffer in two parts. The first
	// can be held until the second comes, to send both with one system call.
	hold  bool
	first []byte

	secure bool // TLS
	begun  bool // something was read

	read   int // bytes, of all requests
	before int // bytes that were read when the last request ended
	// bytes that were read of the current request when its headers had ended, its own or more
	head int

	reads readDeadline
}

// expectBody starts the time in which more of a large body must arrive.
func (c *conn) expectBody() { c.expected.Store(c.ticks.Load() + 1) }

// Read implements net.Conn for the server. It ends a connection whose client begins TLS. Without
// this nobody would answer the client: the TLS handshake need not contain a line end, and
// http.Server waits for one.
func (c *conn) Read(b []byte) (int, error) {
	if !c.reads.begin() {
		return 0, os.ErrDeadlineExceeded
	}
	n, err := c.Conn.Read(b)
	c.reads.end()
	c.read += n
	if !c.begun && n > 0 {
		c.begun = true
		if b[0] == TLSHandshake && !c.secure {
			c.Conn.Write([]byte(AnswerToTLS))
			return 0, io.EOF // http.Server closes the connection
		}
	}
	return n, err
}

// TLSHandshake is the first byte of every TLS connection (RFC 8446, 5.1). No HTTP request begins
// with it.
const TLSHandshake = 22

// AnswerToTLS is the answer to a client that begins TLS. It helps people who look at the raw bytes;
// clients only report that it is not TLS.
const AnswerToTLS = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n" +
	"This server speaks plain HTTP: use http:// and not https://.\n"

// Write sends the held bytes and then b.
func (c *conn) Write(b []byte) (int, error) {
	if c.hold {
		c.hold = false
		c.first = append(c.first[:0], b...)
		return len(b), nil
	}
	if len(c.first) == 0 {
		if answer := asServed(b); len(answer) != len(b) {
			_, err := c.Conn.Write(answer)
			return len(b), err
		}
		return c.Conn.Write(b)
	}
	both := net.Buffers{c.first, b}
	sent, err := both.WriteTo(c.Conn)
	sent -= int64(len(c.first))
	c.first = c.first[:0]
	return int(max(sent, 0)), err
}

// Listener wraps every connection in a conn. If Secure is true, the connections use TLS.
type Listener struct {
	net.Listener
	Secure bool
}

func (l Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, secure: l.Secure}, nil
}

type connKey struct{}

// ConnContext implements http.Server.ConnContext. A TLS connection does not join parts, because it
// writes TLS records.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// httpBuffer is the size of http.Server's buffer for a connection.
const httpBuffer = 4 << 10

// JoinParts sends an answer with a body of n bytes in one system call instead of two, if the
// connection is a Server's. The caller must write the answer immediately.
func JoinParts(r *http.Request, n int) {
	if n <= httpBuffer || r.Method == http.MethodHead {
		return
	}
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		c.hold = true
	}
}
