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

// Get looks at a read of an item by its key.
func (c *Call) Get(t *storage.Table, key item.Item) error {
	if c == nil {
		return nil
	}
	c.reset()
	c.request.Reads = append(c.request.Reads, request.Read{Table: t.Name, Key: key})
	return c.ask()
}

// Read looks at a Query, whose key condition are the terms, or without terms at a Scan.
func (c *Call) Read(s *keys.Source, terms []expr.KeyTerm) error {
	if c == nil {
		return nil
	}
	c.reset()
	r := request.Read{Table: s.Table.Name, Terms: terms}
	if s.Index != nil {
		r.Index = s.Index.Name
	}
	c.request.Reads = append(c.request.Reads, r)
	return c.ask()
}

// Search looks at a search in a vector index, whose partition key is the HASH of its search schema.
func (c *Call) Search(table, index string, terms []expr.KeyTerm) error {
	if c == nil {
		return nil
	}
	c.reset()
	c.request.Reads = append(c.request.Reads,
		request.Read{Table: table, Index: index, Terms: terms})
	return c.ask()
}

// Selects looks at a SELECT. What it demands of attributes that are of no key does not tell whose
// items it reads.
func (c *Call) Selects(from *keys.Source, s *partiql.Statement, params []item.Value) error {
	if c == nil {
		return nil
	}
	c.reset()
	if err := c.request.AddStatement(0, s, params); err != nil {
		return apierr.Invalid(err.Error())
	}
	r, keys := &c.request.Reads[0], from.KeyNames()
	r.Terms = slices.DeleteFunc(r.Terms,
		func(t expr.KeyTerm) bool { return !slices.Contains(keys, t.Name) })
	r.Loose = false
	return c.ask()
}

// Operate looks at a request for no items, by the table that it is about; "" for none.
func (c *Call) Operate(table string) error {
	c.reset()
	c.request.Table = table
	return c.ask()
}

// Sees reports whether the caller may be shown what happened to the item with a key.
func (c *Call) Sees(table string, key item.Item) bool {
	return c == nil || c.policy.engine.Sees(c.request.Caller, table, key)
}

// Lists reports whether a table and its streams are among those that the caller is told of.
func (c *Call) Lists(table string) bool {
	return c == nil || c.policy.engine.Lists(c.request.Caller, table)
}

// Counts reports whether the caller is told how many items a table has.
func (c *Call) Counts(table string) bool {
	return c == nil || c.policy.engine.ShowsCounts(c.request.Caller, table)
}

// Own is a token that is equal to none of another tenant, whose name has no "#".
func (c *Call) Own(token string) string {
	if c == nil {
		return token
	}
	if tenant := c.policy.engine.Tenant(c.request.Caller); tenant != "" {
		return tenant + "#" + token
	}
	return token
}

// BatchGet looks at the reads of a batch, as a whole. keys has the table and the key of each.
func (c *Call) BatchGet(keys iter.Seq2[string, item.Item]) error {
	if c == nil {
		return nil
	}
	c.reset()
	for table, key := range keys {
		c.request.Reads = append(c.request.Reads,
			request.Read{Action: len(c.request.Reads), Table: table, Key: key})
	}
	return c.ask()
}
