package watch

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
func (w *Watch) Get(t *storage.Table, key item.Item) error {
	if w == nil {
		return nil
	}
	w.reset()
	w.request.Reads = append(w.request.Reads, request.Read{Table: t.Name, Key: key})
	return w.ask()
}

// Read looks at a Query, whose key condition are the terms, or without terms at a Scan.
func (w *Watch) Read(s *keys.Source, terms []expr.KeyTerm) error {
	if w == nil {
		return nil
	}
	w.reset()
	r := request.Read{Table: s.Table.Name, Terms: terms}
	if s.Index != nil {
		r.Index = s.Index.Name
	}
	w.request.Reads = append(w.request.Reads, r)
	return w.ask()
}

// Search looks at a search in a vector index, whose partition key is the HASH of its search schema.
func (w *Watch) Search(table, index string, terms []expr.KeyTerm) error {
	if w == nil {
		return nil
	}
	w.reset()
	w.request.Reads = append(w.request.Reads,
		request.Read{Table: table, Index: index, Terms: terms})
	return w.ask()
}

// Selects looks at a SELECT. What it demands of attributes that are of no key does not tell whose
// items it reads.
func (w *Watch) Selects(from *keys.Source, s *partiql.Statement, params []item.Value) error {
	if w == nil {
		return nil
	}
	w.reset()
	if err := w.request.AddStatement(0, s, params); err != nil {
		return apierr.Invalid(err.Error())
	}
	r, keys := &w.request.Reads[0], from.KeyNames()
	r.Terms = slices.DeleteFunc(r.Terms,
		func(t expr.KeyTerm) bool { return !slices.Contains(keys, t.Name) })
	r.Loose = false
	return w.ask()
}

// Operate looks at a request for no items, by the table that it is about; "" for none.
func (w *Watch) Operate(table string) error {
	w.reset()
	w.request.Table = table
	return w.ask()
}

// Sees reports whether the caller may be shown what happened to the item with a key.
func (w *Watch) Sees(table string, key item.Item) bool {
	return w == nil || w.guard.engine.Sees(w.request.Caller, table, key)
}

// Lists reports whether a table and its streams are among those that the caller is told of.
func (w *Watch) Lists(table string) bool {
	return w == nil || w.guard.engine.Lists(w.request.Caller, table)
}

// Counts reports whether the caller is told how many items a table has.
func (w *Watch) Counts(table string) bool {
	return w == nil || w.guard.engine.ShowsCounts(w.request.Caller, table)
}

// Own is a token that is equal to none of another tenant, whose name has no "#".
func (w *Watch) Own(token string) string {
	if w == nil {
		return token
	}
	if tenant := w.guard.engine.Tenant(w.request.Caller); tenant != "" {
		return tenant + "#" + token
	}
	return token
}

// BatchGet looks at the reads of a batch, as a whole. keys has the table and the key of each.
func (w *Watch) BatchGet(keys iter.Seq2[string, item.Item]) error {
	if w == nil {
		return nil
	}
	w.reset()
	for table, key := range keys {
		w.request.Reads = append(w.request.Reads,
			request.Read{Action: len(w.request.Reads), Table: table, Key: key})
	}
	return w.ask()
}
