package items

import (
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// readable is the table as the read of an action may see it, which with a fault is how it was.
func readable(c *serve.Call, tx *storage.Tx, t *storage.Table, consistent bool,
	action int) *storage.Table {
	if c.Faults == nil || consistent {
		return t
	}
	return c.Faults.Stale.Of(c.Operation.Name, c.Now(), tx, t, action)
}

// lookBack turns a source into what the read of an action may see of it: a table with its local
// indexes, or a global index by itself. Faults are applied to the call.
func lookBack(c *serve.Call, tx *storage.Tx, s *keys.Source, consistent bool, action int) {
	if s.Index != nil && !s.Index.Local {
		s.Index = tx.Tables().
			Index(c.Faults.Lagging.Of(c.Operation.Name, c.Now(), tx, s.Table, action),
				s.Index.Name)
		return
	}
	s.Table = readable(c, tx, s.Table, consistent, action)
	if s.Index != nil {
		s.Index = tx.Tables().Index(s.Table, s.Index.Name)
	}
}
