package statements

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item"
)

// addStatement adds the target of a PartiQL statement, an empty one if the statement is missing or
// cannot be parsed.
func addStatement(ts *serve.Targets, text *api.PartiQLStatement, parameters []api.AttributeValue,
	consistent *bool) {
	t, write := statementTarget(ts.Call, text, parameters)
	t.Eventual = !api.IsTrue(consistent)
	ts.AddAs(t, write)
}

// statementTarget is the target of a PartiQL statement, and whether it is written.
func statementTarget(c *serve.Call, text *api.PartiQLStatement,
	parameters []api.AttributeValue) (t serve.Target, write bool) {
	if text == nil {
		return serve.Target{}, false
	}
	s, err := newStatement(c, text, parameters)
	if err != nil {
		return serve.Target{}, false
	}
	t = serve.Target{Table: s.table, Index: s.Index}
	if s.Kind == partiql.Insert {
		t.Known = s.inserted.Item
	} else {
		t.Known = serve.ItemOf(equalities(s))
	}
	return t, !s.Kind.IsRead() && s.Kind != partiql.Exists
}

// equalities returns the attributes that the WHERE clause compares for equality.
func equalities(s *statement) (known []item.Attribute) {
	conjuncts(s.Where, func(e *partiql.Expr) {
		name, constant, ok := equality(e)
		if !ok || named(known, name) {
			return
		}
		if v, err := constant.Value(s.params); err == nil {
			known = append(known, item.Attribute{Name: name, Value: v})
		}
	})
	return known
}

// named reports whether attributes have one with a name.
func named(attributes []item.Attribute, name string) bool {
	for i := range attributes {
		if attributes[i].Name == name {
			return true
		}
	}
	return false
}
