package httpd

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// Limits on large bodies, which have more than Trusted bytes compressed or decompressed.
const (
	// TransitMemory limits the memory of all large bodies of a service together. Further large
	// bodies wait until others are answered.
	TransitMemory = 128 << 20
	// transitWait is how long a large body waits before the client is told to try again.
	transitWait = 30 * time.Second
	// paceBytes must arrive within paceTicks. Otherwise the request ends.
	paceBytes = 1 << 20
	paceTicks = 1
	// mostRead is how much is read at a time, before other requests have their turn.
	mostRead = 128 << 10
)

// Transit is the memory that the large bodies of a service may take until they are answered. The
// servers of commands have golang.org/x/sync/semaphore alone: their handlers read whole bodies, and
// nothing sets a pace.
type Transit struct {
	Size int64
	free *semaphore.Weighted
	Wait time.Duration
}

func NewTransit(size int64) *Transit {
	return &Transit{size, semaphore.NewWeighted(size), transitWait}
}

var (
	errTransitFull = errors.New("too many large bodies at a time: try again")
	errTooBusy     = &apierr.Error{
		Type:    apierr.ServiceUnavailable,
		Message: "The service is busy with large requests. Try again.",
	}
)

// TryReserve reserves memory if enough is free, and reports whether it did.
func (t *Transit) TryReserve(n int64) bool { return t.free.TryAcquire(n) }

// Release gives back memory.
func (t *Transit) Release(n int64) { t.free.Release(n) }

// Reserve reserves memory, and waits up to t.Wait if too little is free. A caller that holds some
// memory must not reserve more: two such callers could block each other.
func (t *Transit) Reserve(ctx context.Context, n int64) error {
	if t.TryReserve(n) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, t.Wait)
	defer cancel()
	if t.free.Acquire(ctx, n) != nil {
		return errTransitFull
	}
	return nil
}

// largeBody reads a body that is or may become large. After the first Trusted bytes it reserves
// memory until the request is answered, and the rest must arrive at a minimum pace. Small bodies
// skip all of this.
type largeBody struct {
	body     io.Reader // the body that is being read
	ctx      context.Context
	transit  *Transit
	size     int64 // the most that it takes in all
	reserved bool
	left     int   // bytes that may be read before goOn
	conn     *conn // nil: of another server, which has its own timeouts
}

// begin sets the body to that of a request, which uses at most size bytes. The caller must call
// end.
func (l *largeBody) begin(r *http.Request, size int64, t *Transit) {
	*l = largeBody{
		body: r.Body, ctx: r.Context(), transit: t, size: min(size, t.Size), left: Trusted,
		conn: connOf(r),
	}
}

// Read implements io.Reader.
func (l *largeBody) Read(b []byte) (int, error) {
	if l.left == 0 {
		if err := l.goOn(); err != nil {
			return 0, err
		}
	}
	n, err := l.body.Read(b[:min(len(b), l.left, mostRead)])
	l.left -= n
	if n > mostRead/2 {
		runtime.Gosched() // others may have less to read
	}
	return n, err
}

// goOn allows the next paceBytes.
func (l *largeBody) goOn() error {
	if err := l.reserve(); err != nil {
		return err
	}
	if l.conn != nil {
		l.conn.expectBody()
	}
	l.left = paceBytes
	return nil
}

// reserve reserves the memory of the whole body, once.
func (l *largeBody) reserve() error {
	if l.reserved {
		return nil
	}
	err := l.transit.Reserve(l.ctx, l.size)
	l.reserved = err == nil
	return err
}

// Hold has the body of a request take room as ReadBody does, for a handler that reads it by itself:
// after its first Trusted bytes it has at most size bytes of room, and the rest must arrive at the
// pace. The caller must call done when the request is answered.
func (t *Transit) Hold(r *http.Request, size int64) (done func()) {
	if r.ContentLength >= 0 {
		size = min(size, r.ContentLength)
	}
	if size <= Trusted {
		return func() {}
	}
	l := new(largeBody)
	l.begin(r, size, t)
	r.Body = &heldBody{l, r.Body}
	return l.end
}

// heldBody is the body of a request that Hold has room for.
type heldBody struct {
	large *largeBody
	io.Closer
}

// Read implements io.Reader. The pace ends with the body.
func (h *heldBody) Read(b []byte) (int, error) {
	n, err := h.large.Read(b)
	if err != nil {
		h.large.received()
	}
	return n, err
}

// received ends the pace, because the whole body has arrived or nobody waits for the rest.
func (l *largeBody) received() {
	if l.conn != nil {
		l.conn.expected.Store(0)
	}
}

// decompressed makes l read the output of z, which decompresses the received body.
func (l *largeBody) decompressed(z io.Reader) io.Reader {
	l.body, l.conn, l.left = z, nil, Trusted
	return l
}

// end gives back what was reserved. It may be called without begin.
func (l *largeBody) end() {
	if l.transit == nil {
		return
	}
	if l.reserved {
		l.transit.Release(l.size)
	}
	*l = largeBody{}
}

// connOf returns the connection of a Server's request, also under TLS. It returns nil for other
// servers.
func connOf(r *http.Request) *conn {
	nc, _ := r.Context().Value(connKey{}).(net.Conn)
	if over, ok := nc.(*tls.Conn); ok {
		nc = over.NetConn()
	}
	c, _ := nc.(*conn)
	return c
}
