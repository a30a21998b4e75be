package request

import (
	"errors"
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item"
)

func (r *Request) viewStatement(in *api.ExecuteStatementInput) error {
	return r.parseStatement(0, in.Statement, in.Parameters)
}

func (r *Request) viewStatements(in *api.BatchExecuteStatementInput) error {
	for i, part := range in.Statements {
		if err := r.parseStatement(i, part.Statement, part.Parameters); err != nil {
			return err
		}
	}
	return checkActions(len(in.Statements))
}

func (r *Request) viewTransaction(in *api.ExecuteTransactionInput) error {
	r.Transaction = true
	for i, part := range in.TransactStatements {
		if err := r.parseStatement(i, part.Statement, part.Parameters); err != nil {
			return err
		}
	}
	return checkActions(len(in.TransactStatements))
}

// parseStatement adds the read or write in the text of a statement.
func (r *Request) parseStatement(action int, text *api.PartiQLStatement,
	parameters api.PreparedStatementParameters) error {
	params, err := values(parameters)
	if err != nil {
		return err
	}
	s, err := partiql.Parse(string(api.Deref(text)))
	if err != nil {
		return err
	}
	if s.Refusal != "" {
		return s.Refusal
	}
	if s.Params > len(params) {
		return fmt.Errorf("%d parameters for a statement with %d", len(params), s.Params)
	}
	return r.AddStatement(action, s, params)
}

// AddStatement adds the read or write of a PartiQL statement. params must hold at least as many
// values as the statement has parameters.
func (r *Request) AddStatement(action int, s *partiql.Statement, params []item.Value) error {
	b := &binder{params: params}
	table := tableName((*api.TableArn)(&s.Table))
	switch s.Kind {
	case partiql.Select, partiql.Exists:
		terms, err := b.terms(s.Where)
		r.Reads = append(r.Reads,
			Read{Action: action, Table: table, Index: s.Index, Terms: terms, Loose: true})
		return err
	case partiql.Insert:
		a, isMap, err := s.Item.Attributes(params)
		switch {
		case err != nil:
			return err
		case !isMap:
			return errors.New("what is inserted is no map")
		case a.Invalid != nil:
			return a.Invalid
		}
		r.Writes = append(r.Writes,
			Write{Action: action, Table: table, Kind: Put, Item: a.Item, Fixed: true, Insert: true})
		return nil
	}
	w := Write{Action: action, Table: table, Kind: Delete, Fixed: true}
	terms, err := b.terms(s.Where)
	if err != nil {
		return err
	}
	w.Key = equalities(terms)
	if s.Kind == partiql.Update {
		w.Kind, w.Exists = Update, true
		if w.Update, err = b.update(s.Changes); err != nil {
			return err
		}
	}
	r.Writes = append(r.Writes, w)
	return nil
}

// equalities returns the attributes that the terms require to equal a value.
func equalities(terms []expr.KeyTerm) item.Item {
	var attributes []item.Attribute
	seen := map[string]bool{}
	for _, t := range terms {
		if t.Op == expr.KeyEqual && !seen[t.Name] {
			seen[t.Name] = true
			attributes = append(attributes, item.Attribute{Name: t.Name, Value: t.Value})
		}
	}
	return item.New(attributes...)
}

// binder reads the conditions and changes of a statement.
type binder struct {
	params  []item.Value
	builder expr.Builder
}

// terms returns the predicates on attributes that must hold for a WHERE clause to hold. The clause
// may demand more.
func (b *binder) terms(e *partiql.Expr) ([]expr.KeyTerm, error) {
	if e == nil {
		return nil, nil
	}
	switch e.Op {
	case partiql.OpAnd:
		var all []expr.KeyTerm
		for i := range e.Kids {
			terms, err := b.terms(&e.Kids[i])
			if err != nil {
				return nil, err
			}
			all = append(all, terms...)
		}
		return all, nil
	case partiql.OpOr:
		return b.either(e.Kids)
	case partiql.OpEq, partiql.OpIn, partiql.OpBeginsWith, partiql.OpBetween, partiql.OpLt,
		partiql.OpLe, partiql.OpGt, partiql.OpGe:
		return b.term(e)
	}
	return nil, nil
}

// mirrored holds the comparison that means the same after its operands change sides.
var mirrored = map[partiql.Op]partiql.Op{
	partiql.OpEq: partiql.OpEq, partiql.OpLt: partiql.OpGt, partiql.OpLe: partiql.OpGe,
	partiql.OpGt: partiql.OpLt, partiql.OpGe: partiql.OpLe,
}

// term returns the terms of one predicate on a top-level attribute.
func (b *binder) term(e *partiql.Expr) ([]expr.KeyTerm, error) {
	if len(e.Kids) < 2 {
		return nil, nil // a function without its operands, which the service rejects
	}
	path, operands := &e.Kids[0], e.Kids[1:]
	op := e.Op
	if mirror, ok := mirrored[op]; ok && path.IsConstant() {
		op, path, operands = mirror, &e.Kids[1], e.Kids[:1]
	}
	if path.Op != partiql.OpPath || len(path.Path) != 1 {
		return nil, nil
	}
	values := make([]item.Value, len(operands))
	for i := range operands {
		if !operands[i].IsConstant() {
			return nil, nil
		}
		var err error
		if values[i], err = operands[i].Value(b.params); err != nil {
			return nil, err
		}
	}
	t := expr.KeyTerm{Name: path.Path[0].Name, Op: expr.KeyOp(op), Value: values[0]}
	switch {
	case e.Op == partiql.OpIn:
		t.Value = item.List(values...)
	case e.Op == partiql.OpBetween && len(values) == 2:
		t.Hi = values[1]
	}
	return []expr.KeyTerm{t}, nil
}

// either returns the terms that hold if one of several conditions holds. It keeps an attribute if
// every condition requires it to equal one of some values, and lists all these values.
func (b *binder) either(kids []partiql.Expr) ([]expr.KeyTerm, error) {
	var names []string
	values := map[string][]item.Value{}
	for i := range kids {
		terms, err := b.terms(&kids[i])
		if err != nil {
			return nil, err
		}
		demanded := map[string]bool{}
		for _, t := range terms {
			if demanded[t.Name] {
				continue
			}
			if _, known := values[t.Name]; !known && i > 0 {
				continue
			} else if !known {
				names = append(names, t.Name)
			}
			switch t.Op {
			case expr.KeyEqual:
				values[t.Name] = append(values[t.Name], t.Value)
			case expr.KeyIn:
				for v := range t.Value.Elems() {
					values[t.Name] = append(values[t.Name], v)
				}
			default:
				continue
			}
			demanded[t.Name] = true
		}
		for _, name := range names {
			if !demanded[name] {
				delete(values, name)
			}
		}
	}
	var terms []expr.KeyTerm
	for _, name := range names {
		if list := values[name]; list != nil {
			term := expr.KeyTerm{Name: name, Op: expr.KeyIn, Value: item.List(list...)}
			terms = append(terms, term)
		}
	}
	return terms, nil
}

// update builds an update from changes. It treats additions to sets and removals from them as any
// other change, because rules read numbers and keys only.
func (b *binder) update(changes []partiql.Change) (*expr.Update, error) {
	list := make([]expr.Change, len(changes))
	for i, c := range changes {
		list[i] = expr.Change{Section: "REMOVE", Path: pathOf(c.Path)}
		if c.Value == nil {
			continue
		}
		part, err := b.part(c.Value)
		if err != nil {
			return nil, err
		}
		list[i].Section, list[i].Value = "SET", part
	}
	return b.builder.Update(list...)
}

func (b *binder) part(e *partiql.Expr) (expr.Part, error) {
	switch {
	case e.Op == partiql.OpPath:
		return b.builder.Path(pathOf(e.Path)), nil
	case e.Op == partiql.OpSetAdd || e.Op == partiql.OpSetDelete:
		return b.part(&e.Kids[0])
	case e.IsConstant():
		v, err := e.Value(b.params)
		return b.builder.Value(v), err
	}
	operands := make([]expr.Part, len(e.Kids))
	for i := range e.Kids {
		var err error
		if operands[i], err = b.part(&e.Kids[i]); err != nil {
			return expr.Part{}, err
		}
	}
	return b.builder.Operator(string(e.Op), operands...)
}

func pathOf(p partiql.Path) expr.Path {
	steps := make([]expr.PathStep, len(p))
	for i, s := range p {
		steps[i] = expr.PathStep(s)
	}
	return expr.NewPath(steps...)
}
