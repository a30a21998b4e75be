package enforce

import (
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Reading is a read that the policy has allowed. Operations that read get items only by its
// methods, as a commit needs what the policy proposed. The zero Reading has asked nobody: its
// methods panic.
type Reading struct{ allowed bool }

// Get returns the item with a key, or "".
func (r Reading) Get(tx *storage.Tx, t *storage.Table, k storage.Key) item.Item {
	r.mustBeAllowed()
	return tx.Get(t, k)
}

// GetAll looks up many items.
func (r Reading) GetAll(tx *storage.Tx, lookups []storage.Lookup) {
	r.mustBeAllowed()
	tx.GetAll(lookups)
}

// Page returns a page of a table or an index.
func (r Reading) Page(tx *storage.Tx, t *storage.Table, spec storage.PageSpec) storage.Page {
	r.mustBeAllowed()
	return tx.Page(t, spec)
}

// Nearest returns the nearest entries of a vector index, and among how many they were found.
func (r Reading) Nearest(tx *storage.Tx, t *storage.Table, ix *storage.VectorIndex,
	q storage.VectorQuery) (nearest []storage.VectorMatch, among int) {
	r.mustBeAllowed()
	return tx.Vectors().Search(t, ix, q)
}

func (r Reading) mustBeAllowed() {
	if !r.allowed {
		panic("enforce: items are read about which the policy was not asked")
	}
}

// askToRead checks the reads of a request and returns an error if the policy refuses them.
func (c *Call) askToRead() (Reading, error) {
	err := c.ask()
	return Reading{allowed: err == nil}, err
}
