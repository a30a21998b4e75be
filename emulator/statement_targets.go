package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item"
)

// addStatement adds the target of a PartiQL statement, an empty one if there is none or it cannot
// be parsed.
func (ts *targets) addStatement(text *api.PartiQLStatement, parameters []api.AttributeValue, consistent *bool) {
	t, write := ts.call.statementTarget(text, parameters)
	t.eventual = !api.IsTrue(consistent)
	ts.addAs(t, write)
}

// statementTarget is the target of a PartiQL statement, and whether it is written.
func (c *call) statementTarget(text *api.PartiQLStatement, parameters []api.AttributeValue) (t target, write bool) {
	if text == nil {
		return target{}, false
	}
	s, err := c.newStatement(text, parameters)
	if err != nil {
		return target{}, false
	}
	t = target{table: s.table, index: s.Index}
	if s.Kind == partiql.Insert {
		t.known = s.inserted.Item
	} else {
		t.known = itemOf(equalities(s))
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
