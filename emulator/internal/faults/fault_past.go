package faults

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage"
)

// PastReads are the reads of a request that a fault lets see the past.
type PastReads struct {
	Injector *fault.Injector
	Chosen   []bool // the targets
	hit      bool
}

// Of returns a version of a table for a read of a target, by chance one of those
// that are within the bound; the present one is among them.
func (p *PastReads) Of(operation string, now time.Time, tx *storage.Tx, t *storage.Table,
	action int) *storage.Table {
	if p == nil || !p.Chosen[action] {
		return t
	}
	if !p.hit {
		p.hit = true
		p.Injector.Hit(operation, t.Name)
	}
	n := 0
	for isWithin(tx, t, n+1, p.Injector.Fault.Do.Behind, now) {
		n++
	}
	if n = p.Injector.Pick(n + 1); n == 0 {
		return t
	}
	past, _ := tx.Past(t, n)
	return past
}

// isWithin reports whether what a table was so many commits ago is remembered and within a bound.
func isWithin(tx *storage.Tx, t *storage.Table, commits int, b fault.Bound, now time.Time) bool {
	past, until := tx.Past(t, commits)
	return past != nil && (b.Writes == 0 || commits <= b.Writes) &&
		(b.Time == 0 || now.Sub(until) <= b.Time)
}
