package statements

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// write sets w to the write that the statement makes. EXISTS changes nothing.
func (s *statement) write(c *serve.Call, w *items.ItemWrite,
	failed *api.ReturnValuesOnConditionCheckFailure) {
	w.Condition, w.FailedOld = s.where, items.WantsOld(failed)
	most := c.Service.Limits.ItemBytes
	switch {
	case s.Kind == partiql.Insert:
		w.Change = &insertion{items.Put{Item: s.inserted.Item, MaxBytes: most}, s}
	case s.Kind == partiql.Update:
		w.Change = &statementUpdate{
			items.Update{Memory: c.Memory.Items(), Actions: s.actions, MaxBytes: most}, s,
		}
	case s.Kind == partiql.Delete:
		w.Change, w.UnlessAbsent = &statementDeletion{statement: s}, true
	case s.Kind == partiql.Exists:
		w.Change = &existence{statement: s}
	}
}

// returning returns the ReturnValues that RETURNING stands for.
func (s *statement) returning() api.ReturnValue {
	if s.Returning == "" {
		return "NONE"
	}
	return api.ReturnValue(s.Returning)
}

// insertion is the change that INSERT makes: it never replaces an item.
type insertion struct {
	items.Put
	statement *statement
}

func (i *insertion) Propose(w *request.Write, t *storage.Table) {
	i.Put.Propose(w, t)
	w.Insert = true
}

var errDuplicate = &apierr.Error{
	Type: apierr.DuplicateItem, Message: "Duplicate primary key exists in table",
}

func (i *insertion) Key(c *serve.Call, tx *storage.Tx, t *storage.Table) (storage.Key, error) {
	if err := i.statement.checkKeyTypes(t, i.statement.inserted.Item); err != nil {
		return storage.Key{}, err
	}
	return i.Put.Key(c, tx, t)
}

func (i *insertion) Next(tx *storage.Tx, t *storage.Table, old item.Item) (item.Item, error) {
	if old != "" {
		return "", errDuplicate
	}
	return i.Put.Next(tx, t, old)
}

// statementUpdate is the change that UPDATE makes. The condition is on the key, so the item must
// exist.
type statementUpdate struct {
	items.Update
	statement *statement
}

func (u *statementUpdate) Key(c *serve.Call, tx *storage.Tx, t *storage.Table) (k storage.Key,
	err error) {
	if u.KeyAttributes, err = u.statement.keyAttributes(t); err != nil {
		return k, err
	}
	return u.Update.Key(c, tx, t)
}

func (u *statementUpdate) Propose(w *request.Write, t *storage.Table) {
	u.Update.Propose(w, t)
	w.Condition = beyondKey(t, w.Condition)
}

// statementDeletion is the change that DELETE makes. It succeeds for a missing item, whatever the
// condition (Developer Guide, "PartiQL delete statements for DynamoDB", "Return value").
type statementDeletion struct {
	items.Deletion
	statement *statement
}

func (d *statementDeletion) Key(c *serve.Call, tx *storage.Tx, t *storage.Table) (k storage.Key,
	err error) {
	if d.KeyAttributes, err = d.statement.keyAttributes(t); err != nil {
		return k, err
	}
	return d.Deletion.Key(c, tx, t)
}

func (d *statementDeletion) Propose(w *request.Write, t *storage.Table) {
	d.Deletion.Propose(w, t)
	w.Condition = beyondKey(t, w.Condition)
}

// existence is the change of EXISTS: none.
type existence struct {
	items.NoChange
	statement *statement
}

func (e *existence) Key(c *serve.Call, tx *storage.Tx, t *storage.Table) (k storage.Key,
	err error) {
	if e.KeyAttributes, err = e.statement.keyAttributes(t); err != nil {
		return k, err
	}
	return e.NoChange.Key(c, tx, t)
}

func (e *existence) Propose(w *request.Write, t *storage.Table) {
	e.NoChange.Propose(w, t)
	w.Condition = beyondKey(t, w.Condition)
}

// update returns the update that UPDATE makes.
func (s *statement) update() (*expr.Update, error) {
	l := lowering{params: s.params}
	changes := make([]expr.Change, len(s.Changes))
	for i := range s.Changes {
		var err error
		if changes[i], err = s.change(&l, &s.Changes[i]); err != nil {
			return nil, err
		}
	}
	u, err := l.builder.Update(changes...)
	if err != nil {
		return nil, partiql.Refusal(err.Error())
	}
	return u, nil
}

// change converts one change of an UPDATE. An update expression that adds to a set or deletes from
// it has no assignment (Developer Guide, "PartiQL update statements for DynamoDB", has set_add and
// set_delete of the same attribute that it sets).
func (s *statement) change(l *lowering, in *partiql.Change) (out expr.Change, err error) {
	out.Path = pathOf(in.Path)
	if in.Value == nil {
		out.Section = "REMOVE"
		return out, nil
	}
	value := in.Value
	switch value.Op {
	case partiql.OpSetAdd:
		out.Section = "ADD"
	case partiql.OpSetDelete:
		out.Section = "DELETE"
	default:
		out.Section = "SET"
		out.Value, err = l.part(value)
		return out, err
	}
	v, err := value.Kids[1].Value(l.params)
	if err != nil {
		return out, partiql.Refusal(err.Error())
	}
	switch v.Type() {
	case item.SS, item.NS, item.BS:
	default:
		return out, s.NoSet(value)
	}
	out.Value = l.builder.Value(v)
	return out, nil
}

// beyondKey returns a WHERE clause that uses an attribute outside the table's key, and nil for
// others, which only name the item.
func beyondKey(t *storage.Table, where *expr.Condition) *expr.Condition {
	for _, name := range where.Attributes() {
		if !keys.IsAttribute(&t.Key, name) {
			return where
		}
	}
	return nil
}
