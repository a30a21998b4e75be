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
func (s *statement) write(c *call, w *itemWrite, failed *api.ReturnValuesOnConditionCheckFailure) (err error) {
	w.table, w.condition, w.failedOld = s.table, s.where, wantsOld(failed)
	switch s.Kind {
	case partiql.Insert:
		w.change, err = s.insertion(c)
		return err
	case partiql.Update:
		u := &statementUpdate{statement: s, update: update{maxBytes: c.emulator.limits.ItemBytes}}
		u.actions, err = s.actions()
		w.change = u
	case partiql.Delete:
		w.change, w.unlessAbsent = &statementDeletion{s}, true
	case partiql.Exists:
		w.change = &existence{s}
	}
	if err == nil && s.Where == nil {
		err = errKeyEquality
	}
	return err
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
type insertion struct{ put }

var errDuplicate = &apiError{typ: errDuplicateItem, message: "Duplicate primary key exists in table"}

func (s *statement) insertion(c *call) (change, error) {
	a, isMap, err := s.Item.Attributes(s.params)
	switch {
	case err != nil:
		return nil, invalid(err.Error())
	case !isMap:
		return nil, errNoMap
	}
	return &insertion{put{a.Item, c.emulator.limits.ItemBytes}}, c.checkNewItem(a)
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

// actions are those of UPDATE.
func (s *statement) actions() (*expr.Update, error) {
	l := lowering{params: s.params}
	changes := make([]expr.Change, len(s.Changes))
	for i := range s.Changes {
		var err error
		if changes[i], err = l.change(&s.Changes[i]); err != nil {
			return nil, err
		}
	}
	u, err := l.builder.Update(changes...)
	if err != nil {
		return nil, invalid(err.Error())
	}
	return u, nil
}

// change is one change of an update. To add to a set or to delete from it is, as
// an expression, no assignment (Developer Guide, "PartiQL update statements for
// DynamoDB", has set_add and set_delete of the attribute that is set).
func (l *lowering) change(in *partiql.Change) (out expr.Change, err error) {
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
	if target := (&partiql.Expr{Op: partiql.OpPath, Path: in.Path}); !samePath(target, &value.Kids[0]) || !value.Kids[1].IsConstant() {
		return out, invalid("%s can only change the attribute that is set, by a set", value.Op)
	}
	v, err := value.Kids[1].Value(l.params)
	if err != nil {
		return out, invalid(err.Error())
	}
	switch v.Type() {
	case item.SS, item.NS, item.BS:
	default:
		return out, invalid("Incorrect operand type for operator or function; operator or function: %s, operand type: %s", value.Op, v.Type())
	}
	out.Value = l.builder.Value(v)
	return out, nil
}

func samePath(a, b *partiql.Expr) bool {
	if b.Op != partiql.OpPath || len(a.Path) != len(b.Path) {
		return false
	}
	for i := range a.Path {
		if a.Path[i] != b.Path[i] {
			return false
		}
	}
	return true
}
