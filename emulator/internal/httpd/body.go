package httpd

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

var ErrTooLarge = &apierr.Error{Type: apierr.RequestTooLarge}

// ReadBody reads and decompresses a request's body. The body may have at most limit bytes, both
// compressed and decompressed. ReadBody uses and may grow the memory of m. The text and the body's
// reserved memory are valid until the request gives m back.
func (t *Transit) ReadBody(r *http.Request, limit int64, m *Request) (string, error) {
	if r.ContentLength > limit {
		return "", ErrTooLarge // net/http closes the connection: what is still to come is of no use
	}
	coding := First(r.Header["Content-Encoding"])
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

// receive reads a request's body without decoding it.
func (t *Transit) receive(r *http.Request, limit int64, compressed bool, m *Request) (body []byte,
	err error) {
	var in io.Reader = r.Body
	size := r.ContentLength
	if size < 0 {
		size = limit
	}
	if compressed {
		size += limit
	}
	if size > Trusted {
		m.large.begin(r, size, t)
		defer m.large.received()
		in = &m.large
	}
	m.Body, err = ReadAll(m.Body, in, r.ContentLength, limit)
	return m.Body, err
}

// decoded decodes a body in a Content-Encoding. The service answers with an internal error if it
// does not know the encoding or cannot decode the body (service facts 9.2).
func decoded(name string, body []byte, limit int64, l *largeBody) ([]byte, error) {
	coding := codingNamed(name)
	if coding == nil {
		return nil, &CodingError{
			fmt.Errorf("unknown Content-Encoding %q: send gzip or deflate", name),
		}
	}
	text, err := coding.decompress(body, limit, l)
	switch err {
	case nil:
		return text, nil
	case ErrTooLarge, errTransitFull:
		return nil, bodyError(err)
	}
	return nil, &CodingError{
		fmt.Errorf("the body is not what its Content-Encoding %q says: %w", name, err),
	}
}

// CodingError is the error of a body that cannot be decoded. It is the client's mistake, although
// the answer is an internal error.
type CodingError struct{ error }

// bodyError returns the error that answers a body that could not be read, if the client still waits
// for an answer.
func bodyError(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &apierr.Error{Type: apierr.RequestTimeout}
	case err == ErrTooLarge:
		return err
	case err == errTransitFull:
		return errTooBusy
	}
	return &apierr.Error{Type: apierr.Serialization}
}

// Trusted is how many bytes of memory the server allocates because a header announces a body. It
// allocates more only as the body arrives, so that many clients that announce much and send little
// use little memory.
const Trusted = 64 << 10

// ReadAll reads up to limit bytes into the memory of b, which it may grow. size is the number of
// bytes if it is known, and otherwise -1.
func ReadAll(b []byte, r io.Reader, size, limit int64) ([]byte, error) {
	if size >= 0 {
		return readSize(b[:0], r, int(size))
	}
	b = b[:0]
	for {
		if len(b) == cap(b) {
			b = slices.Grow(b, max(len(b), Trusted))
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > limit:
			return b, ErrTooLarge
		case err == io.EOF:
			return b, nil
		case err != nil:
			return b, err
		}
	}
}

// readSize appends size bytes to b, which must be empty. Each step at most doubles the memory of b.
// After paceBytes it takes the memory of all the rest, which was reserved long before: memory that
// doubles until the end is copied as often, and more than the rest of the work costs.
func readSize(b []byte, r io.Reader, size int) ([]byte, error) {
	for len(b) < size {
		n := min(size-len(b), max(Trusted, cap(b)-len(b), len(b)))
		if len(b) >= paceBytes {
			n = size - len(b)
		}
		b = slices.Grow(b, n)
		got, err := io.ReadFull(r, b[len(b):len(b)+n])
		b = b[:len(b)+got]
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// Buffers is a pool of buffers. It drops buffers that have grown too large.
type Buffers struct{ pool sync.Pool }

// Answers is the pool of buffers for answers.
var Answers Buffers

const mostKept = 2 << 20

func (p *Buffers) Get() *[]byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return b
	}
	b := make([]byte, 0, 4096)
	return &b
}

func (p *Buffers) Put(b *[]byte) {
	overwrite((*b)[:cap(*b)])
	if cap(*b) <= mostKept {
		*b = (*b)[:0]
		p.pool.Put(b)
	}
}

// Request is the memory of a request. Its decoded form lies in this memory: strings in the body and
// the rest beside it. Code must copy everything that outlives the request: storage copies the items
// that it stores, and settings, caches and observers must copy what they keep. When the request has
// ended, its structures are cleared. Under the race detector everything else is overwritten, which
// shows missing copies. An operation that owns its input has other memory: see Own.
type Request struct {
	Body    []byte
	large   largeBody
	owned   bool // the body: see Own
	Decoded wire.Memory
}

// Own returns the body as a text that no other request overwrites: a copy, or the body itself if it
// is large, so that it is in memory once.
func (r *Request) Own(body string) string {
	if len(body) <= Trusted {
		return strings.Clone(body)
	}
	r.owned = true
	return body
}

// Requests is the pool of Requests. It drops those that have grown beyond mostKept, and those whose
// body is owned.
var Requests requestPool

type requestPool struct{ pool sync.Pool }

func (p *requestPool) Get() *Request {
	if r, ok := p.pool.Get().(*Request); ok {
		return r
	}
	return &Request{Body: make([]byte, 0, 4096)}
}

func (p *requestPool) Put(r *Request) {
	r.large.end()
	items := r.Decoded.Reset()
	overwrite(items)
	if r.owned {
		return
	}
	overwrite(r.Body[:cap(r.Body)])
	if cap(r.Body)+len(items) <= mostKept {
		r.Body = r.Body[:0]
		p.pool.Put(r)
	}
}

// overwrite overwrites pooled memory under the race detector, so that tests show code that uses it
// too long.
func overwrite(b []byte) {
	if RaceDetector {
		for i := range b {
			b[i] = '?'
		}
	}
}
