package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// statement is a PartiQL statement with its parameters, checked as far as it can
// be without its table.
type statement struct {
	*partiql.Statement
	params []item.Value
	table  string          // the name, not the ARN
	where  *expr.Condition // nil: none
}

// What is wrong with statements.
var (
	errParameterCount = invalid("Number of parameters in request and statement don't match.")
	errKeyEquality    = invalid("Where clause does not contain a mandatory equality on all key attributes")
	errExistsAlone    = invalid("The EXISTS function can only be used in transactions")
	errNoMap          = invalid("Expected a map of attributes for the item to insert")
)

// newStatement parses a statement and checks it.
func (c *call) newStatement(text *api.PartiQLStatement, parameters []api.AttributeValue) (*statement, error) {
	parsed, err := partiql.ParseCached(string(*text))
	if err != nil {
		return nil, invalid("Statement wasn't well formed, can't be processed: %s", err)
	}
	s := &statement{Statement: parsed}
	if len(parameters) != parsed.Params {
		return nil, errParameterCount
	}
	if s.params, err = legacyValues(parameters); err != nil {
		return nil, err
	}
	if s.table, err = c.tableName(api.TableArn(parsed.Table)); err != nil {
		return nil, err
	}
	if parsed.Where != nil {
		s.where, err = s.condition()
	}
	return s, err
}

// condition is the WHERE clause.
func (s *statement) condition() (*expr.Condition, error) {
	l := lowering{params: s.params}
	p, err := l.part(s.Where)
	if err != nil {
		return nil, err
	}
	cond, err := l.builder.Condition(p)
	if err != nil {
		return nil, invalid(err.Error())
	}
	return cond, nil
}

// requested is what the statement calls the table, for reports.
func (s *statement) requested() *api.TableArn { return (*api.TableArn)(&s.Table) }

// equality is the constant that the WHERE clause wants an attribute to equal, by
// itself or as one of the conditions joined by AND; nil if there is none.
func equality(e *partiql.Expr, name string) *partiql.Expr {
	switch {
	case e == nil:
	case e.Op == partiql.OpAnd:
		for i := range e.Kids {
			if v := equality(&e.Kids[i], name); v != nil {
				return v
			}
		}
	case e.Op == partiql.OpEq:
		for i := range 2 {
			path, value := &e.Kids[i], &e.Kids[1-i]
			if isAttribute(path, name) && value.IsConstant() {
				return value
			}
		}
	}
	return nil
}

// isAttribute reports whether an expression is the top-level attribute with a name.
func isAttribute(e *partiql.Expr, name string) bool {
	return e.Op == partiql.OpPath && len(e.Path) == 1 && e.Path[0].Name == name
}

// keyAttributes are those of the item of a table that the WHERE clause names.
func (s *statement) keyAttributes(t *storage.Table) (item.Item, error) {
	names := (&source{table: t}).keyNames()
	attributes := make([]item.Attribute, len(names))
	for i, name := range names {
		e := equality(s.Where, name)
		if e == nil {
			return "", errKeyEquality
		}
		v, err := e.Value(s.params)
		if err != nil {
			return "", invalid(err.Error())
		}
		attributes[i] = item.Attribute{Name: name, Value: v}
	}
	return item.New(attributes...), nil
}

// lowering says in the terms of package expr what a statement says.
type lowering struct {
	builder expr.Builder
	params  []item.Value
}

// part is a condition or an operand.
func (l *lowering) part(e *partiql.Expr) (expr.Part, error) {
	switch {
	case e.Op == partiql.OpPath:
		return l.builder.Path(pathOf(e.Path)), nil
	case e.IsConstant():
		v, err := e.Value(l.params)
		if err != nil {
			return expr.Part{}, invalid(err.Error())
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
	operator := string(e.Op)
	switch e.Op {
	case partiql.OpIsMissing:
		operator = "attribute_not_exists"
	case partiql.OpIsNull:
		operator = string(partiql.OpAttributeType)
		operands = append(operands, l.builder.Value(item.String(item.NULL.String())))
	}
	p, err := l.builder.Operator(operator, operands...)
	if err != nil {
		return p, invalid(err.Error())
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
