package serve

import (
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// Rates counts the requests of an account by operation, in the second that is going on.
type Rates struct {
	mu     sync.Mutex
	counts map[string]rate // the rates of operations with a quota
}

type rate struct {
	second   time.Time
	requests int
}

// ErrRate is the error of too many requests a second. Its text has not been seen.
var ErrRate = &apierr.Error{Type: apierr.Throttling, Message: "Rate exceeded"}

// CheckRate returns an error if there were that many requests of an operation in this second
// already. Without quotas there are never too many.
func (c *Call) CheckRate(operation string, most int) error {
	if !c.Service.Quotas || c.Data.Rates.take(operation, most, c.Now()) {
		return nil
	}
	return ErrRate
}

// take counts a request and reports whether it is not one too many.
func (r *Rates) take(operation string, most int, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = map[string]rate{}
	}
	n := r.counts[operation]
	if second := now.Truncate(time.Second); !second.Equal(n.second) {
		n = rate{second: second}
	}
	if n.requests >= most {
		return false
	}
	n.requests++
	r.counts[operation] = n
	return true
}
