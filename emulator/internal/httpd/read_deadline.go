package httpd

import (
	"sync"
	"sync/atomic"
	"time"
)

// SetReadDeadline skips what would change nothing. http.Server clears the deadline four times a
// request and sets it to the past once, and each call would cost work in the runtime.
func (c *conn) SetReadDeadline(t time.Time) error {
	return c.reads.set(t, c.Conn.SetReadDeadline)
}

// SetDeadline sets the read deadline as well.
func (c *conn) SetDeadline(t time.Time) error { return c.reads.setBoth(t, c.Conn.SetDeadline) }

// longAgo is the deadline that ends a read at once: that of http.Server and that of Conns.
var longAgo = time.Unix(1, 0)

// readDeadline is the deadline of a conn's reads. The connection under the conn need not know of
// longAgo unless a read waits there.
type readDeadline struct {
	limited atomic.Bool // there is a deadline: over, known or both

	mu      sync.Mutex
	waiting int  // reads at the connection under the conn
	over    bool // the deadline is longAgo
	known   bool // the connection under the conn has a deadline
}

// begin begins a read. It returns false if the deadline is over.
func (d *readDeadline) begin() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over {
		return false
	}
	d.waiting++
	return true
}

// end ends a read that has begun.
func (d *readDeadline) end() {
	d.mu.Lock()
	d.waiting--
	d.mu.Unlock()
}

// set sets the deadline, with tell at the connection under the conn if that has to know.
func (d *readDeadline) set(t time.Time, tell func(time.Time) error) error {
	if t.IsZero() && !d.limited.Load() {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limited.Store(!t.IsZero())
	d.over = t.Equal(longAgo)
	if d.over && d.waiting == 0 || t.IsZero() && !d.known {
		return nil
	}
	d.known = !t.IsZero()
	return tell(t)
}

// setBoth sets the deadline with that of writes. The connection under the conn has to know it.
func (d *readDeadline) setBoth(t time.Time, tell func(time.Time) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limited.Store(!t.IsZero())
	d.over, d.known = false, !t.IsZero()
	return tell(t)
}
