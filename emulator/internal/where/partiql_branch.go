package where

import (
	"cmp"
	"crypto/md5"
	"slices"

	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Branch is one way to satisfy a WHERE clause: conditions on the key of the source, and other
// conditions. A clause is the OR of its branches.
type Branch struct {
	Hash   []expr.KeyTerm // = on the partition key
	Sort   []expr.KeyTerm // terms on the sort key
	Others []string       // top-level attributes in the other conditions, each once
	In     bool           // one term of hash comes from an IN

	Negated bool // a condition on the sort key is negated, and therefore one of the others
}

// and returns the branch with the conditions of both.
func (b Branch) and(other Branch) Branch {
	both := Branch{
		Hash: slices.Concat(b.Hash, other.Hash), Sort: slices.Concat(b.Sort, other.Sort),
		In: b.In || other.In, Negated: b.Negated || other.Negated,
	}
	both.Others = slices.Clone(b.Others)
	for _, name := range other.Others {
		if !slices.Contains(both.Others, name) {
			both.Others = append(both.Others, name)
		}
	}
	return both
}

// cut shortens a list of branches that is too long for any plan, and remains so when it is combined
// with others. It keeps a branch without a partition.
func cut(list []Branch) []Branch {
	if len(list) <= MaxReads {
		return list
	}
	if i := slices.IndexFunc(list, func(b Branch) bool { return b.Hash == nil }); i > 0 {
		list[0] = list[i]
	}
	return list[:MaxReads+1]
}

// Branching splits WHERE clauses into branches.
type Branching struct {
	Hash, Sort string // names of the key's attributes; sort may be ""
	Params     []item.Value
}

// Branches splits a condition on the key into branches. Other conditions stay whole, such as NOT,
// or an OR of conditions on other attributes (service facts A.1, A.21).
func (p *Branching) Branches(e *partiql.Expr) ([]Branch, error) {
	if !p.onKey(e) {
		others := AttributesIn(e, nil)
		negated := e.Op == partiql.OpNot || e.Op == partiql.OpNe
		return []Branch{
			{Others: others, Negated: negated && p.Sort != "" && slices.Contains(others, p.Sort)},
		}, nil
	}
	switch e.Op {
	case partiql.OpOr:
		return p.either(e.Kids)
	case partiql.OpAnd:
		return p.all(e.Kids)
	}
	return p.predicate(e)
}

// onKey reports whether a condition is on the key, or combines such a condition with others.
func (p *Branching) onKey(e *partiql.Expr) bool {
	switch e.Op {
	case partiql.OpOr, partiql.OpAnd:
		for i := range e.Kids {
			if p.onKey(&e.Kids[i]) {
				return true
			}
		}
		return false
	}
	name, op, operands := keyPredicate(e)
	if name == "" || !allConstant(operands) {
		return false
	}
	if name == p.Hash {
		return op == partiql.OpEq || op == partiql.OpIn
	}
	return name == p.Sort
}

// keyPredicate returns the parts of a predicate on a top-level attribute. name is "" for other
// conditions.
func keyPredicate(e *partiql.Expr) (name string, op partiql.Op, operands []partiql.Expr) {
	switch e.Op {
	case partiql.OpEq, partiql.OpLt, partiql.OpLe, partiql.OpGt, partiql.OpGe, partiql.OpBetween,
		partiql.OpIn, partiql.OpBeginsWith:
	default:
		return "", "", nil
	}
	path, operands, op := &e.Kids[0], e.Kids[1:], e.Op
	if mirrored := mirror[op]; path.IsConstant() && mirrored != "" {
		path, operands, op = &e.Kids[1], e.Kids[:1], mirrored
	}
	if path.Op != partiql.OpPath || len(path.Path) > 1 {
		return "", "", nil
	}
	return path.Path[0].Name, op, operands
}

// mirror maps an operator to the one with the same meaning for swapped operands.
var mirror = map[partiql.Op]partiql.Op{
	partiql.OpEq: partiql.OpEq, partiql.OpLt: partiql.OpGt, partiql.OpLe: partiql.OpGe,
	partiql.OpGt: partiql.OpLt, partiql.OpGe: partiql.OpLe,
}

func allConstant(list []partiql.Expr) bool {
	for i := range list {
		if !list[i].IsConstant() {
			return false
		}
	}
	return true
}

func (p *Branching) either(kids []partiql.Expr) (list []Branch, err error) {
	for i := range kids {
		more, err := p.Branches(&kids[i])
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return cut(list), nil
}

func (p *Branching) all(kids []partiql.Expr) ([]Branch, error) {
	list := []Branch{{}}
	for i := range kids {
		more, err := p.Branches(&kids[i])
		if err != nil {
			return nil, err
		}
		var product []Branch
		for _, a := range list {
			for _, b := range more {
				product = append(product, a.and(b))
			}
		}
		list = cut(product)
	}
	return list, nil
}

// predicate returns the branches of a predicate on a key attribute: one for each value of an IN,
// and one for other operators.
func (p *Branching) predicate(e *partiql.Expr) (list []Branch, err error) {
	name, op, operands := keyPredicate(e)
	values := make([]item.Value, len(operands))
	for i := range operands {
		if values[i], err = operands[i].Value(p.Params); err != nil {
			return nil, partiql.Refusal(err.Error())
		}
	}
	if op != partiql.OpIn {
		term := expr.KeyTerm{Name: name, Op: expr.KeyOp(op), Value: values[0]}
		if op == partiql.OpBetween {
			term.Hi = values[1]
		}
		return []Branch{p.on(term)}, nil
	}
	for _, v := range values {
		b := p.on(expr.KeyTerm{Name: name, Op: expr.KeyEqual, Value: v})
		b.In = name == p.Hash
		list = append(list, b)
	}
	return cut(list), nil
}

func (p *Branching) on(term expr.KeyTerm) Branch {
	if term.Name == p.Hash {
		return Branch{Hash: []expr.KeyTerm{term}}
	}
	return Branch{Sort: []expr.KeyTerm{term}}
}

// AttributesIn appends the top-level attributes in a condition, each once.
func AttributesIn(e *partiql.Expr, names []string) []string {
	if e.Op == partiql.OpPath && !slices.Contains(names, e.Path[0].Name) {
		names = append(names, e.Path[0].Name)
	}
	for i := range e.Kids {
		names = AttributesIn(&e.Kids[i], names)
	}
	return names
}

// Checked returns the branch whose other conditions the service checks for attributes that the
// index does not project. It checks only one branch: the first in some order of partition keys. The
// order is not known. That of MD5 sums agrees with all cases on record (service facts A.21).
func Checked(branches []Branch) *Branch {
	best := slices.MinFunc(branches, func(a, b Branch) int {
		return cmp.Compare(keySum(a.Hash[0].Value), keySum(b.Hash[0].Value))
	})
	return &best
}

func keySum(v item.Value) string {
	sum := md5.Sum(item.AppendKeyPrefix(nil, v))
	return string(sum[:])
}

// MaxReads is the largest number of ranges that a SELECT can read: service facts A.2.
const MaxReads = 50

const ErrTooManyReads = partiql.Refusal("Too many decomposed read operations for a given query.")
