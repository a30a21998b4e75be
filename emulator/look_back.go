package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/storage"
)

// readable is the table as the read of an action may see it, which with a fault is how it was.
func (c *call) readable(tx *storage.Tx, t *storage.Table, consistent bool, action int) *storage.Table {
	if c.faults == nil || consistent {
		return t
	}
	return c.faults.stale.of(c.operation.Name, c.now(), tx, t, action)
}

// lookBack turns a source into what the read of an action may see of it: a table with its local
// indexes, or a global index by itself. Faults are applied to the call.
func (c *call) lookBack(tx *storage.Tx, s *keys.Source, consistent bool, action int) {
	if s.Index != nil && !s.Index.Local {
		s.Index = tx.Index(c.faults.lagging.of(c.operation.Name, c.now(), tx, s.Table, action), s.Index.Name)
		return
	}
	s.Table = c.readable(tx, s.Table, consistent, action)
	if s.Index != nil {
		s.Index = tx.Index(s.Table, s.Index.Name)
	}
}
