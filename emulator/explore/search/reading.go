package search

import (
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// reading holds the meaning of a request.
type reading struct {
	text string // the request as the service understands it

	touched bool // the rest is known
	print   *footprint
	request *request.Request
}

// readings are the meanings of a search's requests. Most requests come again in many runs, and are
// read once.
type readings struct {
	schemas map[string]request.KeySchema

	mu    sync.Mutex
	known map[string]map[string]*reading // readings by operation and body
	bytes int                            // the size of the bodies
}

// maxReadings bounds the bodies that are remembered. With more, all are forgotten.
const maxReadings = 16 << 20

func newReadings(schemas map[string]request.KeySchema) *readings {
	return &readings{schemas: schemas, known: map[string]map[string]*reading{}}
}

// of returns the meaning of a request. The caller holds the lock.
func (r *readings) of(operation string, body []byte) *reading {
	if known, ok := r.known[operation][string(body)]; ok {
		return known
	}
	if r.bytes += len(body); r.bytes > maxReadings {
		clear(r.known)
		r.bytes = len(body)
	}
	if r.known[operation] == nil {
		r.known[operation] = map[string]*reading{}
	}
	in := &reading{text: strings.TrimSpace(operation + " " + canonicalOf(body))}
	r.known[operation][string(body)] = in
	return in
}

// textOf returns a request as the service understands it.
func (r *readings) textOf(operation string, body []byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of(operation, body).text
}

// touched returns a footprint of a request, which the caller may change, and the request, which it
// may not.
func (r *readings) touched(operation string, body []byte) (*footprint, *request.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := r.of(operation, body)
	if !in.touched {
		in.print, in.request = touched(r.schemas, operation, body)
		in.touched = true
	}
	print := *in.print
	print.items = slices.Clone(print.items)
	return &print, in.request
}
