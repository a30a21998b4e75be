package httpd

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// Bounds on large bodies, those of more than trusted bytes, as they come or decompressed.
const (
	// TransitMemory is what all of a service's take together: more of them wait until others are answered.
	TransitMemory = 128 << 20
	// transitWait is how long they wait before the client is told to come again.
	transitWait = 30 * time.Second
	// paceBytes have to come within paceTicks, or the request ends.
	paceBytes = 1 << 20
	paceTicks = 1
)

// Transit is the memory that the large bodies of a service may take until they are answered.
type Transit struct {
	Size int64
	free *semaphore.Weighted
	Wait time.Duration
}

func NewTransit(size int64) *Transit {
	return &Transit{size, semaphore.NewWeighted(size), transitWait}
}

var (
	errTransitFull = errors.New("too many large bodies at a time")
	errTooBusy     = &apierr.Error{Type: apierr.ServiceUnavailable, Message: "The service is busy with large requests. Try again."}
)

// TryReserve takes memory if there is enough, and reports whether it did.
func (t *Transit) TryReserve(n int64) bool { return t.free.TryAcquire(n) }

// Release gives back memory.
func (t *Transit) Release(n int64) { t.free.Release(n) }

// Reserve takes memory, and waits for it. Whoever has some does not ask for more, so that nobody waits for ever.
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

// largeBody is a body that is large, or may become so. From trusted bytes on, it has memory reserved
// until it is answered, and has to keep a pace while it is read. Small bodies pay for none of it.
type largeBody struct {
	body     io.Reader // that is being read
	ctx      context.Context
	transit  *Transit
	size     int64 // of all that it takes, at most
	reserved bool
	left     int   // bytes that may be read before goOn
	conn     *conn // nil: of some other server, whose business the pace is
}

// begin makes l the body of a request, which takes at most size bytes. It is to be ended.
func (l *largeBody) begin(r *http.Request, size int64, t *Transit) {
	*l = largeBody{body: r.Body, ctx: r.Context(), transit: t, size: min(size, t.Size), left: Trusted, conn: connOf(r)}
}

// Read implements io.Reader.
func (l *largeBody) Read(b []byte) (int, error) {
	if l.left == 0 {
		if err := l.goOn(); err != nil {
			return 0, err
		}
	}
	n, err := l.body.Read(b[:min(len(b), l.left)])
	l.left -= n
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

// reserve reserves all that the body takes, once.
func (l *largeBody) reserve() error {
	if l.reserved {
		return nil
	}
	err := l.transit.Reserve(l.ctx, l.size)
	l.reserved = err == nil
	return err
}

// received ends the pace: all of the body is there, or nobody waits for more.
func (l *largeBody) received() {
	if l.conn != nil {
		l.conn.expected.Store(0)
	}
}

// decompressed has l read what z makes of the body, which was received.
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

// connOf is the connection of a Server's request, also under TLS, or nil.
func connOf(r *http.Request) *conn {
	nc, _ := r.Context().Value(connKey{}).(net.Conn)
	if over, ok := nc.(*tls.Conn); ok {
		nc = over.NetConn()
	}
	c, _ := nc.(*conn)
	return c
}
