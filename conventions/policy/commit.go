package policy

import (
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Commit is a list of writes before they are stored. A transaction stores them all at once; without
// Transaction they are stored one by one.
type Commit struct {
	Caller      request.Caller
	Writes      []request.ImagedWrite
	Transaction bool

	// Lookup returns the item stored under a key before the commit, or "". If Lookup is nil, rules
	// skip the checks that need other items than the written ones: whether a command's version
	// follows another, and which version a latest item names.
	Lookup func(table string, key item.Item) item.Item

	// Load says that the writes bring items that another table had, in any order. An item is then
	// judged by itself, and what it needs of other items when all are there: see Engine.CheckSet.
	Load bool

	State *State // nil: partition keys are not counted
}

// has reports whether a table has an item under a key, either stored or written by the commit.
// names are the attributes of the key. Lookup must not be nil.
func (c *Commit) has(table string, names KeySchema, key item.Item) bool {
	if c.Lookup(table, key) != "" {
		return true
	}
	for i := range c.Writes {
		w := &c.Writes[i]
		if w.Table == table && w.New != "" && names.KeyOf(w.New) == key {
			return true
		}
	}
	return false
}
