package httpd

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// What one client can hold of the server, and for how long, in ticks.
const (
	tick          = 10 * time.Second
	ActiveTicks   = 12 // from a request's headers to the last byte of its answer
	IdleTicks     = 18 // from one request to the headers of the next
	LastWordTicks = 1  // from being told that the time is over to the end of the connection
)

// Conns are the connections of a server. They end the ones on which nothing goes
// on, like the timeouts of http.Server, whose five timers a request cost a
// connection more than all of this package does for a small one.
type Conns struct {
	now atomic.Int64 // ticks since the server started

	mu     sync.Mutex
	all    map[*conn]struct{}
	ending bool // what comes now has come too late
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

// Sweep lets a tick pass and ends the connections that are too old.
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
			c.SetReadDeadline(time.Unix(1, 0)) // a body that does not come is answered: see bodyError
		}
	}
}

// Count returns how many connections there are, how many of them serve a request, and how many have
// to send more of a large body in time.
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

// EndUnused ends the connections on which no request is being served. To http.Server
// those on which there never was one are in use for their first five seconds, and
// clients open some in advance.
func (cs *Conns) EndUnused() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.ending = true
	for c := range cs.all {
		if !c.active.Load() {
			c.Conn.Close()
		}
	}
}

// Changed is the server's http.Server.ConnState.
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
	case http.StateIdle:
		c.before = c.read
	case http.StateNew:
		c.ticks = &cs.now
		cs.mu.Lock()
		defer cs.mu.Unlock()
		if cs.all == nil {
			cs.all = map[*conn]struct{}{}
		}
		cs.all[c] = struct{}{}
		if cs.ending {
			c.Conn.Close()
		}
	case http.StateClosed, http.StateHijacked:
		cs.mu.Lock()
		defer cs.mu.Unlock()
		delete(cs.all, c)
	}
}

// conn is a connection of a server.
type conn struct {
	net.Conn
	since  atomic.Int64 // the tick of its last change of state
	active atomic.Bool  // serving a request

	// A large body must keep a pace: see largeBody.
	ticks    *atomic.Int64 // since the server started
	expected atomic.Int64  // one more than the tick at which more of it was asked for; 0: none is

	// http.Server sends an answer longer than its buffer in two parts. The first
	// can be held until the second comes, to send both with one system call.
	hold  bool
	first []byte

	begun bool // something was read, or may be TLS

	read   int // bytes, of all requests
	before int // bytes that were read when the last request ended
	head   int // bytes that were read of the current request when its headers had ended, its own or more

	deadline sync.Mutex
	limited  bool // reading has a deadline
}

// expectBody notes that more of a large body has to come in time.
func (c *conn) expectBody() { c.expected.Store(c.ticks.Load() + 1) }

// SetReadDeadline takes no deadline away where there is none: http.Server does so
// four times a request, each of which the runtime would have to be told.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.deadline.Lock()
	defer c.deadline.Unlock()
	if t.IsZero() && !c.limited {
		return nil
	}
	c.limited = !t.IsZero()
	return c.Conn.SetReadDeadline(t)
}

// SetDeadline is also SetReadDeadline.
func (c *conn) SetDeadline(t time.Time) error {
	c.deadline.Lock()
	defer c.deadline.Unlock()
	c.limited = !t.IsZero()
	return c.Conn.SetDeadline(t)
}

// Read is the server's. It ends a connection whose client begins TLS: nothing would
// answer it, for in what it sends there need be no line to be read as a request's first.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read += n
	if !c.begun && n > 0 {
		c.begun = true
		if b[0] == TLSHandshake {
			c.Conn.Write([]byte(AnswerToTLS))
			return 0, io.EOF // http.Server has no more to say
		}
	}
	return n, err
}

// TLSHandshake is the first byte of a connection over TLS (RFC 8446, 5.1), and of no request.
const TLSHandshake = 22

// AnswerToTLS is for people who look at what was sent; clients say that this is no TLS.
const AnswerToTLS = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n" +
	"This server speaks plain HTTP: use http:// and not https://.\n"

// Write sends b, and what was held before it.
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

// Listener makes a conn of every connection, on which TLS is spoken if Secure is true.
type Listener struct {
	net.Listener
	Secure bool
}

func (l Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, begun: l.Secure}, nil
}

type connKey struct{}

// ConnContext is the server's http.Server.ConnContext. A connection over TLS is
// none that joins parts: what is written to it are TLS's records.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// httpBuffer is the size of http.Server's buffer for a connection.
const httpBuffer = 4 << 10

// JoinParts has an answer with a body of n bytes sent with one system call, if it
// would take two and the connection is a Server's. The answer must follow at once.
func JoinParts(r *http.Request, n int) {
	if n <= httpBuffer || r.Method == http.MethodHead {
		return
	}
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		c.hold = true
	}
}
