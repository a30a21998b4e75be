package enforce

import (
	"iter"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Get asks for a read of an item by its key.
func (c *Call) Get(t *storage.Table, key item.Item) (Reading, error) {
	if c == nil {
		return Reading{allowed: true}, nil
	}
	c.reset()
	c.request.Reads = append(c.request.Reads, request.Read{Table: t.Name, Key: key})
	return c.askToRead()
}

// Read asks for a Query, whose key condition are the terms, or without terms at a Scan.
func (c *Call) Read(s *keys.Source, terms []expr.KeyTerm) (Reading, error) {
	if c == nil {
		return Reading{allowed: true}, nil
	}
	c.reset()
	r := request.Read{Table: s.Table.Name, Terms: terms}
	if s.Index != nil {
		r.Index = s.Index.Name
	}
	c.request.Reads = append(c.request.Reads, r)
	return c.askToRead()
}

// Search asks for a search in a vector index, whose partition key is the HASH of its search schema.
func (c *Call) Search(table, index string, terms []expr.KeyTerm) (Reading, error) {
	if c == nil {
		return Reading{allowed: true}, nil
	}
	c.reset()
	c.request.Reads = append(c.request.Reads,
		request.Read{Table: table, Index: index, Terms: terms})
	return c.askToRead()
}

// Selects asks for a SELECT. What it demands of attributes that are of no key does not tell whose
// items it reads.
func (c *Call) Selects(from *keys.Source, s *partiql.Statement,
	params []item.Value) (Reading, error) {
	if c == nil {
		return Reading{allowed: true}, nil
	}
	c.reset()
	if err := c.request.AddStatement(0, s, params); err != nil {
		return Reading{}, apierr.Invalid(err.Error())
	}
	r, keys := &c.request.Reads[0], from.KeyNames()
	r.Terms = slices.DeleteFunc(r.Terms,
		func(t expr.KeyTerm) bool { return !slices.Contains(keys, t.Name) })
	r.Loose = false
	return c.askToRead()
}

// BatchGet asks for the reads of a batch, as a whole. keys has the table and the key of each.
func (c *Call) BatchGet(keys iter.Seq2[string, item.Item]) (Reading, error) {
	if c == nil {
		return Reading{allowed: true}, nil
	}
	c.reset()
	for table, key := range keys {
		c.request.Reads = append(c.request.Reads,
			request.Read{Action: len(c.request.Reads), Table: table, Key: key})
	}
	return c.askToRead()
}
