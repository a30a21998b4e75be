package front

import (
	"maps"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/internal/auth"
)

// ByKey holds what access keys have. The zero ByKey is empty, and to look into an empty one costs
// the load of a pointer. It is safe for concurrent use.
type ByKey[V comparable] struct {
	current atomic.Pointer[map[string]V] // the map is never modified; nil: empty
	mu      sync.Mutex                   // protects changes of current
}

// Set sets what an access key has. The zero V means that it has nothing.
func (b *ByKey[V]) Set(accessKey string, to V) {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := maps.Clone(b.All())
	if next == nil {
		next = map[string]V{}
	}
	next[accessKey] = to
	var nothing V
	if to == nothing {
		delete(next, accessKey)
	}
	if len(next) == 0 {
		b.current.Store(nil)
		return
	}
	b.current.Store(&next)
}

// Of returns what an access key has, or the zero V.
func (b *ByKey[V]) Of(accessKey string) V { return b.All()[accessKey] }

// All returns what all access keys have. The map must not be modified. It is nil if it is empty.
func (b *ByKey[V]) All() map[string]V {
	if current := b.current.Load(); current != nil {
		return *current
	}
	return nil
}

// intercepting returns the handler that answers a call of an operation in place of the service, or
// nil.
func (f *Front) intercepting(r *http.Request) http.Handler {
	if f.Intercepted.All() == nil {
		return nil
	}
	who, err := auth.Authenticate(r, "")
	if err != nil {
		return nil
	}
	return f.Intercepted.Of(who.AccessKey)
}
