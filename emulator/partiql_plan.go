package emulator

import (
	"slices"

	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// selectPlan is where a SELECT has to look: in the partitions whose keys the
// WHERE clause gives, by = or IN, alone or joined by OR (Developer Guide, "PartiQL
// select statements for DynamoDB"). It is only where: what is found there is
// filtered by the whole clause.
type selectPlan struct {
	ranges []plannedRange // nil: everywhere
	in     bool           // IN lists partition keys
}

// plannedRange is a part of one partition. No two are of the same.
type plannedRange struct {
	keyRange
	terms []expr.KeyTerm // of one of the conditions; the first is on the partition key
}

// planner finds out what keys a WHERE clause allows.
type planner struct {
	source *source
	params []item.Value
	in     bool
}

// maxAlternatives bounds how many combinations of key conditions are looked at;
// conditions that would make more are left to the filter.
const maxAlternatives = 100

// plan makes the plan of a SELECT whose source is known.
func (r *selectRead) plan() (*selectPlan, error) {
	if r.statement.Where == nil {
		return &selectPlan{}, nil
	}
	p := &planner{source: &r.source, params: r.statement.params}
	alternatives, err := p.alternatives(r.statement.Where)
	if err != nil {
		return nil, err
	}
	plan := &selectPlan{in: p.in}
	for _, terms := range alternatives {
		usable := p.usable(terms)
		if usable == nil {
			return &selectPlan{}, nil
		}
		condition, err := newKeyCondition(&r.source, usable)
		if err != nil {
			return nil, err
		}
		plan.add(plannedRange{condition.locate(&r.source), usable})
	}
	if p.in && len(plan.ranges) > maxInKeys {
		return nil, invalid("The IN operator is provided with too many operands; number of operands: %d", len(plan.ranges))
	}
	return plan, nil
}

// add adds a range, or joins it to that of the same partition.
func (p *selectPlan) add(r plannedRange) {
	for i := range p.ranges {
		known := &p.ranges[i]
		if known.partition != r.partition {
			continue
		}
		if known.Range != r.Range {
			known.one = false
			if keyLess(r.Lo, known.Lo) {
				known.Lo = r.Lo
			}
			if !known.HiOpen && (r.HiOpen || keyLess(known.Hi, r.Hi)) {
				known.Hi, known.HiOpen = r.Hi, r.HiOpen
			}
		}
		return
	}
	p.ranges = append(p.ranges, r)
}

func (p *selectPlan) sortByHash(desc bool) {
	slices.SortStableFunc(p.ranges, func(a, b plannedRange) int {
		c := item.Compare(a.terms[0].Value, b.terms[0].Value)
		if desc {
			return -c
		}
		return c
	})
}

// storageRanges are the ranges to read; without a plan, all there is.
func (p *selectPlan) storageRanges() []storage.Range {
	if p.ranges == nil {
		return []storage.Range{segment{}.bounds()}
	}
	ranges := make([]storage.Range, len(p.ranges))
	for i := range p.ranges {
		ranges[i] = p.ranges[i].Range
	}
	return ranges
}

// alternatives are conditions on keys of which at least one holds wherever e
// does; nil if e says nothing of keys.
func (p *planner) alternatives(e *partiql.Expr) ([][]expr.KeyTerm, error) {
	switch e.Op {
	case partiql.OpOr:
		return p.either(e.Kids)
	case partiql.OpAnd:
		return p.all(e.Kids)
	case partiql.OpEq, partiql.OpLt, partiql.OpLe, partiql.OpGt, partiql.OpGe, partiql.OpBetween, partiql.OpIn, partiql.OpBeginsWith:
		return p.terms(e)
	}
	return nil, nil
}

func (p *planner) either(kids []partiql.Expr) (list [][]expr.KeyTerm, err error) {
	for i := range kids {
		alternatives, err := p.alternatives(&kids[i])
		if err != nil || alternatives == nil {
			return nil, err
		}
		list = append(list, alternatives...)
	}
	return list, nil
}

func (p *planner) all(kids []partiql.Expr) ([][]expr.KeyTerm, error) {
	var list [][]expr.KeyTerm
	for i := range kids {
		alternatives, err := p.alternatives(&kids[i])
		switch {
		case err != nil:
			return nil, err
		case list == nil:
			list = alternatives
			continue
		case len(list)*len(alternatives) > maxAlternatives || alternatives == nil:
			continue
		}
		var product [][]expr.KeyTerm
		for _, a := range list {
			for _, b := range alternatives {
				product = append(product, slices.Concat(a, b))
			}
		}
		list = product
	}
	return list, nil
}

// terms are those of one predicate on a key attribute.
func (p *planner) terms(e *partiql.Expr) ([][]expr.KeyTerm, error) {
	key, operands, op := &e.Kids[0], e.Kids[1:], e.Op
	if key.IsConstant() && len(operands) == 1 && operands[0].Op == partiql.OpPath {
		key, operands, op = &operands[0], e.Kids[:1], mirror[op]
	}
	if key.Op != partiql.OpPath || len(key.Path) > 1 || !isKey(p.source.key(), key.Path[0].Name) {
		return nil, nil
	}
	values := make([]item.Value, len(operands))
	for i := range operands {
		if !operands[i].IsConstant() {
			return nil, nil
		}
		var err error
		if values[i], err = operands[i].Value(p.params); err != nil {
			return nil, invalid(err.Error())
		}
	}
	return p.termsOf(key.Path[0].Name, op, values), nil
}

func (p *planner) termsOf(name string, op partiql.Op, values []item.Value) (list [][]expr.KeyTerm) {
	switch {
	case op == partiql.OpIn && name != p.source.key().Hash[0].Name: // it is no range of sort keys
		return nil
	case op == partiql.OpIn:
		p.in = true
		for _, v := range values {
			list = append(list, []expr.KeyTerm{{Name: name, Op: "=", Value: v}})
		}
		return list
	case op == "":
		return nil
	}
	term := expr.KeyTerm{Name: name, Op: string(op), Value: values[0]}
	if op == partiql.OpBetween {
		term.Hi = values[1]
	}
	return [][]expr.KeyTerm{{term}}
}

// mirror is what says the same with its operands swapped.
var mirror = map[partiql.Op]partiql.Op{
	partiql.OpEq: partiql.OpEq, partiql.OpLt: partiql.OpGt, partiql.OpLe: partiql.OpGe, partiql.OpGt: partiql.OpLt, partiql.OpGe: partiql.OpLe,
}

// usable picks the terms that a key condition can have: one = on each attribute of
// the partition key, and then on sort keys from the left, up to one that is no =.
// nil if the partition key is not given.
func (p *planner) usable(terms []expr.KeyTerm) []expr.KeyTerm {
	ks := p.source.key()
	var picked []expr.KeyTerm
	for _, a := range ks.Hash {
		t := pick(terms, a.Name)
		if t == nil || t.Op != "=" {
			return nil
		}
		picked = append(picked, *t)
	}
	for _, a := range ks.Range {
		t := pick(terms, a.Name)
		if t == nil {
			break
		}
		picked = append(picked, *t)
		if t.Op != "=" {
			break
		}
	}
	return picked
}

// pick returns a term on an attribute, an = if there is one.
func pick(terms []expr.KeyTerm, name string) *expr.KeyTerm {
	for i := range terms {
		if terms[i].Name == name && terms[i].Op == "=" {
			return &terms[i]
		}
	}
	return termOf(terms, name)
}
