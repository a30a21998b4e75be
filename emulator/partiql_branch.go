package emulator

import (
	"cmp"
	"crypto/md5"
	"slices"

	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item"
)

// branch is one way to satisfy a WHERE clause: conditions on the key of the source, and other
// conditions. A clause is the OR of its branches.
type branch struct {
	hash   []expr.KeyTerm // = on the partition key
	sort   []expr.KeyTerm // on the sort key
	others []string       // top-level attributes in the other conditions, each once
	in     bool           // one term of hash comes from an IN
}

// and returns the branch with the conditions of both.
func (b branch) and(other branch) branch {
	both := branch{hash: slices.Concat(b.hash, other.hash), sort: slices.Concat(b.sort, other.sort), in: b.in || other.in}
	both.others = slices.Clone(b.others)
	for _, name := range other.others {
		if !slices.Contains(both.others, name) {
			both.others = append(both.others, name)
		}
	}
	return both
}

// cut shortens a list of branches that is too long for any plan, and remains so when it is combined
// with others. It keeps a branch without a partition.
func cut(list []branch) []branch {
	if len(list) <= maxReads {
		return list
	}
	if i := slices.IndexFunc(list, func(b branch) bool { return b.hash == nil }); i > 0 {
		list[0] = list[i]
	}
	return list[:maxReads+1]
}

// branching splits WHERE clauses into branches.
type branching struct {
	hash, sort string // names of the key's attributes; sort may be ""
	params     []item.Value
}

// branches splits a condition on the key into branches. Other conditions stay whole, such as NOT,
// or an OR of conditions on other attributes (service facts A.1, A.21).
func (p *branching) branches(e *partiql.Expr) ([]branch, error) {
	if !p.onKey(e) {
		return []branch{{others: attributesIn(e, nil)}}, nil
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
func (p *branching) onKey(e *partiql.Expr) bool {
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
	if name == p.hash {
		return op == partiql.OpEq || op == partiql.OpIn
	}
	return name == p.sort
}

// keyPredicate returns the parts of a predicate on a top-level attribute. name is "" for other
// conditions.
func keyPredicate(e *partiql.Expr) (name string, op partiql.Op, operands []partiql.Expr) {
	switch e.Op {
	case partiql.OpEq, partiql.OpLt, partiql.OpLe, partiql.OpGt, partiql.OpGe, partiql.OpBetween, partiql.OpIn, partiql.OpBeginsWith:
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
	partiql.OpEq: partiql.OpEq, partiql.OpLt: partiql.OpGt, partiql.OpLe: partiql.OpGe, partiql.OpGt: partiql.OpLt, partiql.OpGe: partiql.OpLe,
}

func allConstant(list []partiql.Expr) bool {
	for i := range list {
		if !list[i].IsConstant() {
			return false
		}
	}
	return true
}

func (p *branching) either(kids []partiql.Expr) (list []branch, err error) {
	for i := range kids {
		more, err := p.branches(&kids[i])
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return cut(list), nil
}

func (p *branching) all(kids []partiql.Expr) ([]branch, error) {
	list := []branch{{}}
	for i := range kids {
		more, err := p.branches(&kids[i])
		if err != nil {
			return nil, err
		}
		var product []branch
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
func (p *branching) predicate(e *partiql.Expr) (list []branch, err error) {
	name, op, operands := keyPredicate(e)
	values := make([]item.Value, len(operands))
	for i := range operands {
		if values[i], err = operands[i].Value(p.params); err != nil {
			return nil, partiql.Refusal(err.Error())
		}
	}
	if op != partiql.OpIn {
		term := expr.KeyTerm{Name: name, Op: string(op), Value: values[0]}
		if op == partiql.OpBetween {
			term.Hi = values[1]
		}
		return []branch{p.on(term)}, nil
	}
	for _, v := range values {
		b := p.on(expr.KeyTerm{Name: name, Op: "=", Value: v})
		b.in = name == p.hash
		list = append(list, b)
	}
	return cut(list), nil
}

func (p *branching) on(term expr.KeyTerm) branch {
	if term.Name == p.hash {
		return branch{hash: []expr.KeyTerm{term}}
	}
	return branch{sort: []expr.KeyTerm{term}}
}

// attributesIn appends the top-level attributes in a condition, each once.
func attributesIn(e *partiql.Expr, names []string) []string {
	if e.Op == partiql.OpPath && !slices.Contains(names, e.Path[0].Name) {
		names = append(names, e.Path[0].Name)
	}
	for i := range e.Kids {
		names = attributesIn(&e.Kids[i], names)
	}
	return names
}

// checked returns the branch whose other conditions the service checks for attributes that the
// index does not project. It checks only one branch: the first in some order of partition keys. The
// order is not known. That of MD5 sums agrees with all cases on record (service facts A.21).
func checked(branches []branch) *branch {
	best := slices.MinFunc(branches, func(a, b branch) int {
		return cmp.Compare(keySum(a.hash[0].Value), keySum(b.hash[0].Value))
	})
	return &best
}

func keySum(v item.Value) string {
	sum := md5.Sum(item.AppendKeyPrefix(nil, v))
	return string(sum[:])
}

// maxReads is the largest number of ranges that a SELECT can read: service facts A.2.
const maxReads = 50

const errTooManyReads = partiql.Refusal("Too many decomposed read operations for a given query.")
