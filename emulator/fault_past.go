package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/storage"
)

// pastReads are the reads of a request that a fault lets see the past.
type pastReads struct {
	injector *fault.Injector
	chosen   []bool // the targets
	hit      bool
}

// of returns a version of a table for a read of a target, by chance one of those
// that are within the bound; the present one is among them.
func (p *pastReads) of(c *call, tx *storage.Tx, t *storage.Table, action int) *storage.Table {
	if p == nil || !p.chosen[action] {
		return t
	}
	if !p.hit {
		p.hit = true
		p.injector.Hit(c.operation.Name, t.Name)
	}
	n, now := 0, c.now()
	for isWithin(tx, t, n+1, p.injector.Fault.Do.Behind, now) {
		n++
	}
	if n = p.injector.Pick(n + 1); n == 0 {
		return t
	}
	past, _ := tx.Past(t, n)
	return past
}

// isWithin reports whether what a table was so many commits ago is remembered and within a bound.
func isWithin(tx *storage.Tx, t *storage.Table, commits int, b fault.Bound, now time.Time) bool {
	past, until := tx.Past(t, commits)
	return past != nil && (b.Writes == 0 || commits <= b.Writes) && (b.Time == 0 || now.Sub(until) <= b.Time)
}

// readable is the table as the read of an action may see it, which with a fault is how it was.
func (c *call) readable(tx *storage.Tx, t *storage.Table, consistent bool, action int) *storage.Table {
	if c.faults == nil || consistent {
		return t
	}
	return c.faults.stale.of(c, tx, t, action)
}

// lookBack turns a source into what the read of an action may see of it: a table with its local
// indexes, or a global index by itself. Faults are applied to the call.
func (c *call) lookBack(tx *storage.Tx, s *keys.Source, consistent bool, action int) {
	if s.Index != nil && !s.Index.Local {
		s.Index = tx.Index(c.faults.lagging.of(c, tx, s.Table, action), s.Index.Name)
		return
	}
	s.Table = c.readable(tx, s.Table, consistent, action)
	if s.Index != nil {
		s.Index = tx.Index(s.Table, s.Index.Name)
	}
}
