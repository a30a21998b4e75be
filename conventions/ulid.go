package conventions

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// IsULID tells whether s is a ULID in its canonical form: 26 characters of Crockford's base32 in
// upper case. ULIDs in lower case would not sort correctly among the others.
func IsULID(s string) bool {
	if len(s) != ulid.EncodedSize || strings.ToUpper(s) != s {
		return false
	}
	_, err := ulid.ParseStrict(s)
	return err == nil
}

// ErrNoULIDs says that no ULIDs are left in a millisecond.
var ErrNoULIDs = errors.New("conventions: no ULID is left in this millisecond")

// ULIDs makes ULIDs, each greater than the one before ("Use ULIDs for sortable ids"). It is safe
// for concurrent use.
//
// Within a millisecond it increments the random part, as the ULID specification says. (The
// library's MonotonicEntropy wraps around on overflow, and repeats a random part that is zero.)
type ULIDs struct {
	now     func() time.Time
	entropy io.Reader

	mu   sync.Mutex
	last ulid.ULID
	made bool
}

// NewULIDs returns a maker of ULIDs that takes the time from now and randomness from entropy. now
// must be safe for concurrent use. Only one goroutine reads entropy at a time.
func NewULIDs(now func() time.Time, entropy io.Reader) *ULIDs {
	return &ULIDs{now: now, entropy: entropy}
}

// Next makes a ULID. While the clock is behind the time of the last ULID, because somebody set it
// back, Next keeps using that time, so that ULIDs stay in order. It returns an error if entropy
// does, for a time before 1970 or after 10889, and if the millisecond has no ULIDs left
// (ErrNoULIDs). The caller may call Next again after an error.
func (u *ULIDs) Next() (string, error) {
	now := u.now().UnixMilli()
	if now < 0 || uint64(now) > ulid.MaxTime() {
		return "", fmt.Errorf("conventions: a ULID has no time %d ms from 1970", now)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	next, err := u.next(uint64(now))
	if err != nil {
		return "", err
	}
	u.last, u.made = next, true
	return next.String(), nil
}

func (u *ULIDs) next(ms uint64) (ulid.ULID, error) {
	if u.made && ms <= u.last.Time() {
		next, ok := successor(u.last)
		if !ok {
			return next, ErrNoULIDs
		}
		return next, nil
	}
	id, err := ulid.New(ms, u.entropy)
	if err != nil {
		return id, fmt.Errorf("conventions: randomness for a ULID: %w", err)
	}
	return id, nil
}

// successor increments the random part of a ULID. ok is false if all its bits are ones.
func successor(id ulid.ULID) (_ ulid.ULID, ok bool) {
	const random = 6 // the index of the random part, after 48 bits of time
	for i := len(id) - 1; i >= random; i-- {
		id[i]++
		if id[i] != 0 {
			return id, true
		}
	}
	return id, false
}

// EntityID builds the keys of a new entity. The sort key is a new ULID ("Key helper functions").
func (u *ULIDs) EntityID(prefix, tenant string) (Keys, error) {
	id, err := u.Next()
	if err != nil {
		return Keys{}, err
	}
	return EntityID(prefix, tenant, id)
}
