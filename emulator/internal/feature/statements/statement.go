package statements

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// statement is a PartiQL statement with its parameters. All checks that do not depend on the table
// have been made.
type statement struct {
	*partiql.Statement
	params   []item.Value
	table    string          // the name, not the ARN
	where    *expr.Condition // nil: no WHERE clause
	actions  *expr.Update    // the actions of UPDATE
	inserted item.Attributes // the item of INSERT
	transact bool            // part of a transaction
	text     string          // the text in the request
}

// The errors of statements.
const errExistsAlone = partiql.Refusal(
	"EXISTS can only be used in ExecuteTransaction write requests.")

var (
	errParameterCount = apierr.Invalid("Number of parameters in request and statement don't match.")
	errKeyEquality    = apierr.Invalid(
		"Where clause does not contain a mandatory equality on all key attributes")
)

// errKeyType returns the error of a key attribute with a wrong type: service facts A.3, F.56.
func errKeyType(name string, t item.Type) error {
	if t != item.S && t != item.N && t != item.B {
		return apierr.Invalid("Key value must be of type S, N, or B. Key name: %s, Key type: %s",
			name, t)
	}
	return apierr.Invalid(
		"Key attribute's data type should match its data type in table's schema: Key %s", name)
}

// errKeyTwice returns the error of a key attribute with two conditions: service facts A.4.
func errKeyTwice(name string) error {
	return apierr.Invalid(
		"Multiple conditions on same key %s. Only single item Update/Insert/Delete are supported",
		name)
}

// newStatement checks the parameters of a statement, and then parses and checks the statement.
func newStatement(c *serve.Call, text *api.PartiQLStatement,
	parameters []api.AttributeValue) (*statement, error) {
	s := &statement{text: string(*text)}
	if err := orderOfStatement.Judge(statementRequest{s, c, text, parameters}); err != nil {
		return nil, err
	}
	return s, nil
}

// statementRequest is a statement as a request has it, and what it becomes.
type statementRequest struct {
	*statement
	call       *serve.Call
	text       *api.PartiQLStatement
	parameters []api.AttributeValue
}

// orderOfStatement orders the checks without the table that all operations on statements make.
var orderOfStatement = serve.ByLayers("ExecuteStatement",
	serve.Step("values of parameters", "A.14", func(r statementRequest) (err error) {
		r.params, err = items.LegacyValues(r.parameters)
		return err
	}).Of(judgement.Values),
	serve.Step("the text", "A.14", func(r statementRequest) (err error) {
		r.Statement, err = partiql.ParseCached(string(*r.text))
		if _, readable := err.(partiql.Refusal); err == nil || readable {
			return err
		}
		return apierr.Invalid("Statement wasn't well formed, can't be processed: %s", err)
	}).Of(judgement.Expressions),
	// extra parameters are accepted
	serve.Step("how many parameters there are", "A.14", func(r statementRequest) error {
		if len(r.params) < r.Params {
			return errParameterCount
		}
		return nil
	}).Of(judgement.Expressions),
	serve.Step("the name of the table", "", func(r statementRequest) (err error) {
		r.table, err = r.call.TableName(api.TableArn(r.Statement.Table))
		return err
	}).Of(judgement.Expressions),
	serve.Step("what the statement says", "P.6, F.59", func(r statementRequest) error {
		err := r.lower(r.call)
		if err != nil && r.ofSeveral(r.call) {
			return errMultiAttribute
		}
		return err
	}).Of(judgement.Expressions),
)

// ofSeveral reports whether the statement reads an index whose key has several attributes of a
// kind, which is reported first (service facts 2.21).
func (s *statement) ofSeveral(c *serve.Call) (several bool) {
	if s.Index == "" {
		return false
	}
	err := c.Store.View(func(tx *storage.Tx) error {
		t, err := c.ActiveTable(tx, s.table)
		if err != nil {
			return err
		}
		ix := tx.Tables().Index(t, s.Index)
		several = ix != nil && (len(ix.Key.Hash) > 1 || len(ix.Key.Range) > 1)
		return nil
	})
	return err == nil && several
}

// lower translates the statement to package expr.
func (s *statement) lower(c *serve.Call) (err error) {
	if s.Refusal != "" {
		return s.Refusal
	}
	switch s.Kind {
	case partiql.Insert:
		return s.lowerItem(c)
	case partiql.Update:
		if s.actions, err = s.update(); err != nil {
			return err
		}
	}
	if s.Where != nil {
		s.where, err = s.condition()
	}
	return err
}

// lowerItem reads the item of INSERT.
func (s *statement) lowerItem(c *serve.Call) error {
	a, _, err := s.Item.Attributes(s.params)
	if err != nil {
		return partiql.Refusal(err.Error())
	}
	s.inserted = a
	return items.CheckNewItem(c, a)
}

// condition translates the WHERE clause.
func (s *statement) condition() (*expr.Condition, error) {
	l := lowering{params: s.params}
	p, err := l.part(s.Where)
	if err != nil {
		return nil, err
	}
	cond, err := l.builder.Condition(p)
	if err != nil {
		return nil, partiql.Refusal(err.Error())
	}
	return cond, nil
}

// requested returns the name of the table in the statement, for reports.
func (s *statement) requested() *api.TableArn { return (*api.TableArn)(&s.Table) }

// conjuncts calls yield for each condition that AND combines, or for the only condition.
func conjuncts(e *partiql.Expr, yield func(*partiql.Expr)) {
	switch {
	case e == nil:
	case e.Op == partiql.OpAnd:
		for i := range e.Kids {
			conjuncts(&e.Kids[i], yield)
		}
	default:
		yield(e)
	}
}

// equality returns the top-level attribute and the value of an equality. ok is false for other
// conditions.
func equality(e *partiql.Expr) (name string, value *partiql.Expr, ok bool) {
	if e.Op != partiql.OpEq {
		return "", nil, false
	}
	for i := range 2 {
		path, value := &e.Kids[i], &e.Kids[1-i]
		if path.Op == partiql.OpPath && len(path.Path) == 1 && value.IsConstant() {
			return path.Path[0].Name, value, true
		}
	}
	return "", nil, false
}

// membership is equality, but also accepts an IN with one value.
func membership(e *partiql.Expr) (name string, value *partiql.Expr, ok bool) {
	if e.Op != partiql.OpIn || len(e.Kids) != 2 {
		return equality(e)
	}
	path, value := &e.Kids[0], &e.Kids[1]
	if path.Op != partiql.OpPath || len(path.Path) != 1 || !value.IsConstant() {
		return "", nil, false
	}
	return path.Path[0].Name, value, true
}

// namedKey holds the conditions of a WHERE clause on the key of a table.
type namedKey struct {
	attributes []item.Attribute // key attributes with a value
	twice      string           // the first key attribute with two values, if any
	more       bool             // whether there are other conditions
}

// namedKey collects the conditions on key attributes for which equal returns true.
func (s *statement) namedKey(t *storage.Table,
	equal func(*partiql.Expr) (string, *partiql.Expr, bool)) (k namedKey, err error) {
	conjuncts(s.Where, func(e *partiql.Expr) {
		name, constant, ok := equal(e)
		if !ok || !keys.IsAttribute(&t.Key, name) {
			k.more = true
			return
		}
		v, failure := constant.Value(s.params)
		if failure != nil {
			err = partiql.Refusal(failure.Error())
			return
		}
		for _, a := range k.attributes {
			if a.Name == name {
				if a.Value != v && k.twice == "" {
					k.twice = name
				}
				return
			}
		}
		k.attributes = append(k.attributes, item.Attribute{Name: name, Value: v})
	})
	return k, err
}

// whole reports whether all key attributes have a value.
func (k *namedKey) whole(t *storage.Table) bool {
	return len(k.attributes) == len(t.Key.Hash)+len(t.Key.Range)
}

// keyAttributes returns the key attributes in the WHERE clause of a write.
func (s *statement) keyAttributes(t *storage.Table) (item.Item, error) {
	k, err := s.namedKey(t, equality)
	switch {
	case err != nil:
		return "", err
	case k.twice != "":
		return "", errKeyTwice(k.twice)
	case !k.whole(t) && s.transact: // service facts A.7
		return "", keys.ErrSchema
	case !k.whole(t):
		return "", errKeyEquality
	}
	it := item.New(k.attributes...)
	return it, s.checkKeyTypes(t, it)
}

// errKeyMismatch returns the error of a key attribute of an item with a wrong type: service facts
// A.3.
func errKeyMismatch(name string) error { return errKeyType(name, item.S) }

// checkKeyTypes checks the types of the key attributes of an item. In a transaction the service
// makes this check later, when it looks for the item: service facts A.3.
func (s *statement) checkKeyTypes(t *storage.Table, it item.Item) error {
	if s.transact {
		return nil
	}
	for _, attributes := range [...][]storage.KeyAttribute{t.Key.Hash, t.Key.Range} {
		for _, a := range attributes {
			switch v := it.Get(a.Name); {
			case v == "":
				return nil // it is found later
			case v.Type() != a.Type && s.Kind == partiql.Insert:
				return errKeyMismatch(a.Name)
			case v.Type() != a.Type:
				return errKeyType(a.Name, v.Type())
			}
		}
	}
	return nil
}

// OnlyKey returns the key if the WHERE clause has a value for each key attribute and no other
// condition. ok is false otherwise. IN with one value counts as an equality (service facts A.5).
func (s *statement) OnlyKey(t *storage.Table) (key item.Item, ok bool) {
	k, err := s.namedKey(t, membership)
	if err != nil || k.more || k.twice != "" || !k.whole(t) {
		return "", false
	}
	return item.New(k.attributes...), true
}

// lowering translates a statement to package expr.
type lowering struct {
	builder expr.Builder
	params  []item.Value
}

// part translates a condition or an operand. The error is a partiql.Refusal.
func (l *lowering) part(e *partiql.Expr) (expr.Part, error) {
	switch {
	case e.Op == partiql.OpPath:
		return l.builder.Path(pathOf(e.Path)), nil
	case e.IsConstant():
		v, err := e.Value(l.params)
		if err != nil {
			return expr.Part{}, partiql.Refusal(err.Error())
		}
		return l.builder.Value(v), nil
	}
	operands := make([]expr.Part, len(e.Kids), len(e.Kids)+1)
	for i := range e.Kids {
		var err error
		if operands[i], err = l.part(&e.Kids[i]); err != nil {
			return expr.Part{}, err
		}
	}
	if e.Op == partiql.OpIs {
		return l.is(e.Text, operands[0])
	}
	return l.operator(string(e.Op), operands...)
}

// is translates a condition on the type of an operand: service facts 2.12.
func (l *lowering) is(name string, operand expr.Part) (expr.Part, error) {
	if name == "MISSING" {
		return l.operator("attribute_not_exists", operand)
	}
	var either []expr.Part
	for _, t := range typesOf[name] {
		is, err := l.operator("attribute_type", operand, l.builder.Value(item.String(t.String())))
		if err != nil {
			return is, err
		}
		either = append(either, is)
	}
	if len(either) == 1 {
		return either[0], nil
	}
	return l.operator("OR", either...)
}

// typesOf maps the names of types in PartiQL to types: service facts F.47.
var typesOf = map[string][]item.Type{
	"NULL": {item.NULL}, "BOOL": {item.BOOL}, "BOOLEAN": {item.BOOL}, "STRING": {item.S},
	"BLOB": {item.B}, "LIST": {item.L}, "STRUCT": {item.M}, "TUPLE": {item.M},
	"NUMERIC": {item.N},
}

func (l *lowering) operator(name string, operands ...expr.Part) (expr.Part, error) {
	p, err := l.builder.Operator(name, operands...)
	if err != nil {
		return p, partiql.Refusal(err.Error())
	}
	return p, nil
}

func pathOf(p partiql.Path) expr.Path {
	steps := make([]expr.PathStep, len(p))
	for i, s := range p {
		steps[i] = expr.PathStep(s)
	}
	return expr.NewPath(steps...)
}
