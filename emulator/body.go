package emulator

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"unsafe"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
)

var errTooLarge = &apierr.Error{Type: apierr.RequestTooLarge}

// readBody reads a request's body, decompressed, of at most limit bytes in either
// form, into the memory of m, which may get more. The text is valid for as long as
// m is the request's, as is what the body has reserved.
func (t *transit) readBody(r *http.Request, limit int64, m *requestMemory) (string, error) {
	if r.ContentLength > limit {
		return "", errTooLarge // net/http closes the connection: what is still to come is of no use
	}
	coding := first(r.Header["Content-Encoding"])
	body, err := t.receive(r, limit, coding != "", m)
	if err != nil {
		return "", bodyError(err)
	}
	if coding != "" {
		if body, err = decoded(coding, body, limit, &m.large); err != nil {
			return "", err
		}
	}
	return unsafe.String(unsafe.SliceData(body), len(body)), nil
}

// receive reads a request's body as it comes.
func (t *transit) receive(r *http.Request, limit int64, compressed bool, m *requestMemory) (body []byte, err error) {
	var in io.Reader = r.Body
	size := r.ContentLength
	if size < 0 {
		size = limit
	}
	if compressed {
		size += limit
	}
	if size > trusted {
		m.large.begin(r, size, t)
		defer m.large.received()
		in = &m.large
	}
	m.body, err = readAll(m.body, in, r.ContentLength, limit)
	return m.body, err
}

// decoded returns what a body in a Content-Encoding stands for. The service has an internal error
// if it does not know the encoding or cannot decode the body (service facts 9.2).
func decoded(name string, body []byte, limit int64, l *largeBody) ([]byte, error) {
	coding := codingNamed(name)
	if coding == nil {
		return nil, fmt.Errorf("unknown Content-Encoding %q: send gzip or deflate", name)
	}
	text, err := coding.decompress(body, limit, l)
	switch err {
	case nil:
		return text, nil
	case errTooLarge, errTransitFull:
		return nil, bodyError(err)
	}
	return nil, fmt.Errorf("the body is not what its Content-Encoding %q says: %w", name, err)
}

// bodyError is the answer to a body that could not be read, if the client still waits for one.
func bodyError(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &apierr.Error{Type: apierr.RequestTimeout}
	case err == errTooLarge:
		return err
	case err == errTransitFull:
		return errTooBusy
	}
	return &apierr.Error{Type: apierr.Serialization}
}

// trusted is how much memory is set aside because a header announces a body; more
// only as it comes, so that many clients that announce much and send little cost little.
const trusted = 64 << 10

// readAll reads up to limit bytes, size of them if that is known, not -1, into
// the memory of b or more.
func readAll(b []byte, r io.Reader, size, limit int64) ([]byte, error) {
	if size >= 0 {
		return readSize(b[:0], r, int(size))
	}
	b = b[:0]
	for {
		if len(b) == cap(b) {
			b = slices.Grow(b, max(len(b), trusted))
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > limit:
			return b, errTooLarge
		case err == io.EOF:
			return b, nil
		case err != nil:
			return b, err
		}
	}
}

// readSize appends size bytes to b, which is empty, and at most doubles its memory at a time.
func readSize(b []byte, r io.Reader, size int) ([]byte, error) {
	for len(b) < size {
		n := min(size-len(b), max(trusted, cap(b)-len(b), len(b)))
		b = slices.Grow(b, n)
		got, err := io.ReadFull(r, b[len(b):len(b)+n])
		b = b[:len(b)+got]
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// buffers is a pool of buffers. Those that have grown beyond most are let go.
type buffers struct{ pool sync.Pool }

// answers are buffers for what is sent.
var answers buffers

const mostKept = 2 << 20

func (p *buffers) get() *[]byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return b
	}
	return new(make([]byte, 0, 4096))
}

func (p *buffers) put(b *[]byte) {
	overwrite((*b)[:cap(*b)])
	if cap(*b) <= mostKept {
		*b = (*b)[:0]
		p.pool.Put(b)
	}
}

// requestMemory is that of a request. What is decoded lies in it, strings in the
// body and the rest beside it, so all that outlives the request has to be copied:
// storage copies the items that are put, and so must be what tables remember, what
// caches keep and what observers take along. (Operations on tables keep structures of
// their requests: those have memory of their own. See owns and borrows.) When the request has
// ended, structures are cleared and, under the race detector, all else is
// overwritten, which shows what was not copied.
type requestMemory struct {
	body    []byte
	large   largeBody
	decoded wire.Memory
}

// requests are used again. Those that have grown beyond mostKept are let go.
var requests requestPool

type requestPool struct{ pool sync.Pool }

func (p *requestPool) get() *requestMemory {
	if r, ok := p.pool.Get().(*requestMemory); ok {
		return r
	}
	return &requestMemory{body: make([]byte, 0, 4096)}
}

func (p *requestPool) put(r *requestMemory) {
	r.large.end()
	items := r.decoded.Reset()
	overwrite(items)
	overwrite(r.body[:cap(r.body)])
	if cap(r.body)+len(items) <= mostKept {
		r.body = r.body[:0]
		p.pool.Put(r)
	}
}

// overwrite shows who uses pooled memory for longer than it is theirs.
func overwrite(b []byte) {
	if raceDetector {
		for i := range b {
			b[i] = '?'
		}
	}
}
