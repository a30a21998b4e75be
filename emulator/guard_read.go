package emulator

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// get looks at a read of an item by its key.
func (w *watch) get(t *storage.Table, key item.Item) error {
	if w == nil {
		return nil
	}
	w.begin()
	w.request.Reads = append(w.request.Reads, policy.Read{Table: t.Name, Key: key})
	return w.ask()
}

// read looks at a Query, whose key condition are the terms, or without terms at a Scan.
func (w *watch) read(s *keys.Source, terms []expr.KeyTerm) error {
	if w == nil {
		return nil
	}
	w.begin()
	r := policy.Read{Table: s.Table.Name, Terms: terms}
	if s.Index != nil {
		r.Index = s.Index.Name
	}
	w.request.Reads = append(w.request.Reads, r)
	return w.ask()
}

// selects looks at a SELECT. What it demands of attributes that are of no key does not tell whose items it reads.
func (w *watch) selects(from *keys.Source, s *statement) error {
	if w == nil {
		return nil
	}
	w.begin()
	if err := w.request.AddStatement(0, s.Statement, s.params); err != nil {
		return apierr.Invalid(err.Error())
	}
	r, keys := &w.request.Reads[0], from.KeyNames()
	r.Terms = slices.DeleteFunc(r.Terms, func(t expr.KeyTerm) bool { return !slices.Contains(keys, t.Name) })
	r.Loose = false
	return w.ask()
}

// batchGet looks at the reads of a batch, as a whole.
func (w *watch) batchGet(reads []batchRead) error {
	if w == nil {
		return nil
	}
	w.begin()
	for i := range reads {
		for _, key := range reads[i].in.Keys {
			w.request.Reads = append(w.request.Reads, policy.Read{Action: len(w.request.Reads), Table: reads[i].table, Key: key.Item})
		}
	}
	return w.ask()
}
