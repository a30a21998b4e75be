package design

import "github.com/kugiri-db/kugiri/conventions/design/writing"

// What writes are made of, and what they write: see package writing.
type (
	Row          = writing.Row
	Write        = writing.Write
	Action       = writing.Action
	ActionKind   = writing.ActionKind
	Added        = writing.Added
	Existence    = writing.Existence
	Writing      = writing.Rows
	WriteRequest = writing.Request
)

// The kinds of actions.
const (
	PutItem    = writing.PutItem
	UpdateItem = writing.UpdateItem
	DeleteItem = writing.DeleteItem
	AddTo      = writing.AddTo
)

// The conditions.
const (
	Always     = writing.Always
	MustNot    = writing.MustNot
	MustExist  = writing.MustExist
	MustBeSame = writing.MustBeSame
)

// rowStore is how rows are stored in a plan's table.
type rowStore struct{ *Plan }

func (p rowStore) Item(model string, row Row) (map[string]any, error) {
	return p.Plan.Item(model, p.Design.Model(model).Part(row))
}

func (p rowStore) Holding(model, attribute string) []string {
	return p.Entity(model).Holding(attribute)
}

func (p rowStore) Guarded(model string) (of string, key []string) {
	if g := p.Design.Model(model); g.Guard != nil {
		return g.Guard.Of, g.Key
	}
	return "", nil
}

func (p rowStore) table() writing.Table {
	return writing.Table{Stored: p, Name: p.Design.Table, Partition: p.Key.Partition,
		Sort: p.Key.Sort}
}
