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

// IsULID tells whether s is a ULID in its canonical form: 26 characters of Crockford's base32 in upper case. ULIDs in
// lower case would not sort among the others.
func IsULID(s string) bool {
	if len(s) != ulid.EncodedSize || strings.ToUpper(s) != s {
		return false
	}
	_, err := ulid.ParseStrict(s)
	return err == nil
}

// ErrNoULIDs says that a millisecond has no further ULIDs.
var ErrNoULIDs = errors.New("conventions: no ULID is left in this millisecond")

// ULIDs makes ULIDs, each greater than the one before ("Use ULIDs for sortable ids"). It is safe for concurrent use.
//
// Within a millisecond the random part is counted up, as the ULID specification has it. (The library's
// MonotonicEntropy starts again from below after an overflow, and repeats a random part that is zero.)
type ULIDs struct {
	now     func() time.Time
	entropy io.Reader

	mu   sync.Mutex
	last ulid.ULID
	made bool
}

// NewULIDs returns a maker of ULIDs that takes the time from now and randomness from entropy. now must be safe for
// concurrent use; entropy is read by one goroutine at a time.
func NewULIDs(now func() time.Time, entropy io.Reader) *ULIDs {
	return &ULIDs{now: now, entropy: entropy}
}

// Next makes a ULID. While the clock is behind the last ULID's time, as after it was set back, ULIDs keep that time, so
// that order is kept. An error of entropy, a time before 1970 or after 10889, and a millisecond without ULIDs left
// (ErrNoULIDs) are errors, after which Next can be called again.
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

// successor counts the random part of a ULID up; ok is false if it is all ones.
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

// EntityID builds the keys of a new entity, whose sort key is a new ULID ("Key helper functions").
func (u *ULIDs) EntityID(prefix, tenant string) (Keys, error) {
	id, err := u.Next()
	if err != nil {
		return Keys{}, err
	}
	return EntityID(prefix, tenant, id)
}
