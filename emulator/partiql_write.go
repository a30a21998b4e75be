package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// write makes the statement the write of an item, which answers ask for by
// returned. EXISTS is one that changes nothing.
func (s *statement) write(c *call, w *itemWrite, failed *api.ReturnValuesOnConditionCheckFailure) {
	w.table, w.condition, w.failedOld = s.table, s.where, wantsOld(failed)
	most := c.emulator.limits.ItemBytes
	switch {
	case s.refused != nil:
		w.change = refusedChange{s.refused}
	case s.Kind == partiql.Insert:
		w.change = &insertion{put{s.inserted.Item, most}, s}
	case s.Kind == partiql.Update:
		w.change = &statementUpdate{statement: s, update: update{actions: s.actions, maxBytes: most}}
	case s.Kind == partiql.Delete:
		w.change, w.unlessAbsent = &statementDeletion{s}, true
	case s.Kind == partiql.Exists:
		w.change = &existence{s}
	}
}

// refusedChange is the change of a statement that is refused once its table has been found.
type refusedChange struct{ err error }

func (r refusedChange) key(*call, *storage.Tx, *storage.Table) (storage.Key, error) {
	return storage.Key{}, r.err
}

func (r refusedChange) next(*storage.Tx, *storage.Table, item.Item) (item.Item, error) {
	return "", r.err
}

// returned is the item of the answer: what RETURNING asks for, "" if that is nothing.
func (s *statement) returned(w *itemWrite) item.JSON {
	if s.Returning == "" {
		return ""
	}
	if u, ok := w.change.(*statementUpdate); ok {
		return u.answer(api.ReturnValue(s.Returning), w.old, w.new)
	}
	return w.old.JSON()
}

// insertion is the change that INSERT makes: it never replaces an item.
type insertion struct {
	put
	statement *statement
}

var errDuplicate = &apiError{typ: errDuplicateItem, message: "Duplicate primary key exists in table"}

func (i *insertion) key(c *call, tx *storage.Tx, t *storage.Table) (storage.Key, error) {
	if err := i.statement.checkKeyTypes(t, i.statement.inserted.Item); err != nil {
		return storage.Key{}, err
	}
	return i.put.key(c, tx, t)
}

func (i *insertion) next(tx *storage.Tx, t *storage.Table, old item.Item) (item.Item, error) {
	if old != "" {
		return "", errDuplicate
	}
	return i.put.next(tx, t, old)
}

// statementUpdate is the change that UPDATE makes. That there must be an item
// follows from the condition, which is on its key.
type statementUpdate struct {
	update
	statement *statement
}

func (u *statementUpdate) key(c *call, tx *storage.Tx, t *storage.Table) (k storage.Key, err error) {
	if u.keyAttributes, err = u.statement.keyAttributes(t); err != nil {
		return k, err
	}
	return u.update.key(c, tx, t)
}

// statementDeletion is the change that DELETE makes. An item that is not there is
// deleted already, whatever the condition (Developer Guide, "PartiQL delete
// statements for DynamoDB", "Return value").
type statementDeletion struct{ statement *statement }

func (d *statementDeletion) key(c *call, _ *storage.Tx, t *storage.Table) (storage.Key, error) {
	return d.statement.key(c, t)
}

func (d *statementDeletion) next(*storage.Tx, *storage.Table, item.Item) (item.Item, error) {
	return "", nil
}

// existence is what EXISTS does to its item: nothing.
type existence struct{ statement *statement }

func (e *existence) key(c *call, _ *storage.Tx, t *storage.Table) (storage.Key, error) {
	return e.statement.key(c, t)
}

func (e *existence) next(_ *storage.Tx, _ *storage.Table, old item.Item) (item.Item, error) {
	return old, nil
}

// key is that of the item of a table which the WHERE clause names.
func (s *statement) key(c *call, t *storage.Table) (storage.Key, error) {
	attributes, err := s.keyAttributes(t)
	if err != nil {
		return storage.Key{}, err
	}
	return c.tableKey(&t.Key, attributes)
}

// update is what UPDATE does.
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

// change is one change of an update. To add to a set or to delete from it is, as
// an expression, no assignment (Developer Guide, "PartiQL update statements for
// DynamoDB", has set_add and set_delete of the attribute that is set).
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
