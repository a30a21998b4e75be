package statements

import (
	"cmp"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/where"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// selectPlan says what a SELECT reads: the parts of partitions that the branches of its WHERE
// clause name, if each names a partition. The whole clause then filters the items.
type selectPlan struct {
	ranges []plannedRange // nil: the whole source
	in     bool           // IN lists partition keys
	others []string       // attributes that the index must project: service facts 2.18
}

// plannedRange is a part of one partition. The ranges of a plan do not overlap.
type plannedRange struct {
	keys.Span
	terms []expr.KeyTerm // conditions on the key; the first is on the partition key

	negated bool // it has no condition on the sort key but a negated one
	several bool // it has different conditions on the sort key
}

const (
	ErrOverlappingReads = partiql.Refusal(
		"Overlapping conditions with range keys are not supported in where clause")
)

// plan makes the plan of a statement that reads a source.
func (s *statement) plan(from *keys.Source) (*selectPlan, error) {
	if s.Where == nil {
		return &selectPlan{}, nil
	}
	if err := s.checkKeysCompared(s.Where, from.Key()); err != nil {
		return nil, err
	}
	p := &where.Branching{Hash: from.Key().Hash[0].Name, Params: s.params}
	if sort := from.Key().Range; len(sort) > 0 {
		p.Sort = sort[0].Name
	}
	branches, err := p.Branches(s.Where)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(branches, func(b where.Branch) bool { return b.Hash == nil }) {
		return &selectPlan{}, nil
	}
	if len(branches) > where.MaxReads {
		return nil, where.ErrTooManyReads
	}
	return newSelectPlan(from, branches)
}

// checkKeysCompared refuses the comparison of a key with a value of a type that no key can have,
// wherever it is in the clause: service facts F.56.
func (s *statement) checkKeysCompared(e *partiql.Expr, ks *storage.KeySchema) error {
	compares := e.Op == partiql.OpEq || e.Op == partiql.OpNe || e.Op == partiql.OpIn
	for i := range e.Kids {
		kid := &e.Kids[i]
		if err := s.checkKeysCompared(kid, ks); err != nil {
			return err
		}
		if !compares || kid.Op != partiql.OpPath || len(kid.Path) != 1 ||
			!keys.IsAttribute(ks, kid.Path[0].Name) {
			continue
		}
		for j := range e.Kids {
			if !e.Kids[j].IsConstant() {
				continue
			}
			v, err := e.Kids[j].Value(s.params)
			if err != nil {
				return partiql.Refusal(err.Error())
			}
			switch t := v.Type(); t {
			case item.S, item.N, item.B:
			default:
				return errKeyType(kid.Path[0].Name, t)
			}
		}
	}
	return nil
}

func newSelectPlan(from *keys.Source, branches []where.Branch) (*selectPlan, error) {
	plan := &selectPlan{}
	if from.Partial() {
		plan.others = where.Checked(branches).Others
	}
	for i := range branches {
		b := &branches[i]
		r, err := locate(b, from)
		if err != nil {
			return nil, err
		}
		plan.ranges = append(plan.ranges, r)
		plan.in = plan.in || b.In
	}
	plan.absorb()
	if slices.ContainsFunc(plan.ranges, func(r plannedRange) bool { return r.several }) {
		plan.join()
		return plan, nil
	}
	return plan, plan.checkOverlaps()
}

// join makes one of ranges that overlap. The service does not check a clause with a branch that has
// different conditions on the sort key, and returns each item once (service facts F.62).
func (p *selectPlan) join() {
	for i := 0; i < len(p.ranges); i++ {
		for j := i + 1; j < len(p.ranges); j++ {
			a, b := &p.ranges[i], &p.ranges[j]
			common := *a
			common.narrow(b.Span)
			if a.Partition != b.Partition || keys.IsEmpty(&common.Range) {
				continue
			}
			if keys.Less(b.Lo, a.Lo) {
				a.Lo = b.Lo
			}
			if b.HiOpen || !a.HiOpen && keys.Less(a.Hi, b.Hi) {
				a.Hi, a.HiOpen = b.Hi, b.HiOpen
			}
			a.One = false
			p.ranges = slices.Delete(p.ranges, j, j+1)
			j = i // the larger range may overlap others
		}
	}
}

// absorb drops the ranges of the partitions that a branch reads as a whole because it negates a
// condition on the sort key. The service runs such a clause, although its branches overlap (service
// facts M.9).
func (p *selectPlan) absorb() {
	// read has the partitions that are read as a whole, and whether a range that is kept does so.
	read := map[storage.Range]bool{}
	for i := range p.ranges {
		if r := &p.ranges[i]; r.negated {
			read[r.Partition] = false
		}
	}
	p.ranges = slices.DeleteFunc(p.ranges, func(r plannedRange) bool {
		done, whole := read[r.Partition]
		if whole && r.negated {
			read[r.Partition] = true
		}
		return whole && (done || !r.negated)
	})
}

// locate returns the range of the items that satisfy the branch's conditions on the key.
func locate(b *where.Branch, from *keys.Source) (plannedRange, error) {
	r := plannedRange{
		terms:   slices.Concat(b.Hash[:1], b.Sort),
		negated: b.Negated && len(b.Sort) == 0 && len(b.Hash) == 1,
	}
	for i := range b.Sort {
		r.several = r.several || b.Sort[i] != b.Sort[0]
	}
	for _, term := range slices.Concat(b.Hash, b.Sort) {
		a := keyAttributeNamed(from.Key(), term.Name)
		for _, v := range [...]item.Value{term.Value, term.Hi} {
			if v != "" && v.Type() != a.Type {
				return r, errKeyType(a.Name, v.Type())
			}
		}
	}
	for i, terms := range conditions(b) {
		condition, err := keys.NewCondition(from, terms)
		if err != nil {
			return r, err
		}
		if part := condition.Locate(from); i == 0 {
			r.Span = part
		} else {
			r.narrow(part)
		}
	}
	return r, nil
}

// conditions returns key conditions with at most one term for each attribute. Together they are
// equivalent to the branch's conditions on the key.
func conditions(b *where.Branch) (list [][]expr.KeyTerm) {
	for _, hash := range b.Hash {
		if len(b.Sort) == 0 {
			list = append(list, []expr.KeyTerm{hash})
		}
		for _, sort := range b.Sort {
			list = append(list, []expr.KeyTerm{hash, sort})
		}
	}
	return list
}

// narrow reduces r to its intersection with other.
func (r *plannedRange) narrow(other keys.Span) {
	if keys.Less(r.Lo, other.Lo) {
		r.Lo = other.Lo
	}
	if r.HiOpen || !other.HiOpen && keys.Less(other.Hi, r.Hi) {
		r.Hi, r.HiOpen = other.Hi, other.HiOpen
	}
	r.One = r.One || other.One
}

// checkOverlaps refuses two ranges with the same keys: service facts A.1.
func (p *selectPlan) checkOverlaps() error {
	for i := range p.ranges {
		for j := range i {
			common := p.ranges[i]
			common.narrow(p.ranges[j].Span)
			if !keys.IsEmpty(&common.Range) {
				return ErrOverlappingReads
			}
		}
	}
	return nil
}

// manyPartitions reports whether the ranges belong to more than one partition.
func (p *selectPlan) manyPartitions() bool {
	return slices.ContainsFunc(p.ranges,
		func(r plannedRange) bool { return r.Partition != p.ranges[0].Partition })
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

// storageRanges returns the ranges to read, or the whole source without a plan. Ranges of one
// partition follow each other in the order of the sort key.
func (p *selectPlan) storageRanges(reverse bool) []storage.Range {
	if p.ranges == nil {
		return []storage.Range{keys.Segment{}.Bounds()}
	}
	partitions := map[storage.Range]int{}
	for i := range p.ranges {
		if _, known := partitions[p.ranges[i].Partition]; !known {
			partitions[p.ranges[i].Partition] = i
		}
	}
	slices.SortStableFunc(p.ranges, func(a, b plannedRange) int {
		c := cmp.Or(cmp.Compare(a.Lo.Hash, b.Lo.Hash), cmp.Compare(a.Lo.Text, b.Lo.Text))
		if reverse {
			c = -c
		}
		return cmp.Or(cmp.Compare(partitions[a.Partition], partitions[b.Partition]), c)
	})
	ranges := make([]storage.Range, len(p.ranges))
	for i := range p.ranges {
		ranges[i] = p.ranges[i].Range
	}
	return ranges
}

// keyAttributeNamed returns the attribute of a key with a name.
func keyAttributeNamed(ks *storage.KeySchema, name string) storage.KeyAttribute {
	if ks.Hash[0].Name == name {
		return ks.Hash[0]
	}
	return ks.Range[0]
}

// record tells observers that a page came from one partition or from several. page may be nil.
func (p *selectPlan) record(page *observe.EventRead) {
	if page != nil && p.ranges != nil {
		observe.Locate(page, p.ranges[0].terms, len(p.ranges) > 1)
	}
}
