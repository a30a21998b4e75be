package expr

import (
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

const (
	errSearchComparator = Error("Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression")
	errSearchNested     = Error("SearchConditionExpressions cannot have conditions on nested attributes")
	errSearchOperand    = Error("Invalid SearchConditionExpression: A condition must compare one attribute with values")
	errSearchTwice      = Error("Invalid SearchConditionExpression: SearchConditionExpressions must only contain one condition on the HASH key of SearchSchema")
)

func errSearchPartition(name string) Error {
	return Error("Invalid SearchConditionExpression: SearchConditionExpression must have a condition on the HASH key of SearchSchema: " + name)
}

// SearchCondition is the bound condition of a vector search (Developer Guide,
// "SearchConditionExpression reference for vector indexes"). It is immutable.
type SearchCondition struct {
	// Terms are all comparisons. A condition with several values has a term for each of them.
	Terms []KeyTerm
	// Equal are terms that each found item meets: those with the Op "=" that AND joins, one for an
	// attribute.
	Equal []KeyTerm

	condition *Condition
	more      bool // it demands more than Equal
}

// SearchCondition parses and binds the condition of a vector search. The caller checks whether its
// terms match a search schema.
func (s *Scope) SearchCondition(src string) (*SearchCondition, error) {
	c, err := s.Condition(KindSearchCondition, src)
	if err != nil {
		return nil, err
	}
	search := &SearchCondition{condition: c}
	if err := search.add(&c.tree.root, true); err != nil {
		return nil, err
	}
	return search, nil
}

// Filter returns a function that reports whether an item meets the condition, or nil if that
// follows from Equal.
func (c *SearchCondition) Filter() func(item.Item) bool {
	if !c.more {
		return nil
	}
	return c.condition.Match
}

// CheckPartition checks that the condition compares the partition key of the index with one value.
func (c *SearchCondition) CheckPartition(name string) error {
	named := func(t KeyTerm) bool { return t.Name == name }
	first := slices.IndexFunc(c.Terms, named)
	switch {
	case first < 0:
		return errSearchPartition(name)
	case slices.ContainsFunc(c.Terms[first+1:], named):
		return errSearchTwice
	case c.Terms[first].Op != opEq.String():
		return errSearchComparator
	case !slices.ContainsFunc(c.Equal, named):
		return errSearchPartition(name)
	}
	return nil
}

// add collects the terms of n. certain says that each found item meets n.
func (c *SearchCondition) add(n *node, certain bool) error {
	switch n.op {
	case opAnd, opOr, opNot:
		certain = certain && n.op == opAnd
		for i := range n.kids {
			if err := c.add(&n.kids[i], certain); err != nil {
				return err
			}
		}
		return nil
	case opEq, opNe, opLt, opLe, opGt, opGe, opIn, opBetween, opBeginsWith:
		return c.addTerm(n, certain)
	}
	return Error("Invalid operator used in SearchConditionExpression: " + n.op.String())
}

// addTerm adds the terms of one comparison.
func (c *SearchCondition) addTerm(n *node, certain bool) error {
	o, path, values := n.op, &n.kids[0], n.kids[1:]
	if len(values) == 1 && path.op == opValue {
		o, path, values = mirrored(o), &n.kids[1], n.kids[:1]
	}
	if path.op != opPath {
		return errSearchOperand
	}
	if len(path.path) > 1 {
		return errSearchNested
	}
	for i := range values {
		if values[i].op != opValue {
			return errSearchOperand
		}
		c.Terms = append(c.Terms, KeyTerm{Name: c.condition.name(&path.path[0]), Op: o.String(), Value: c.condition.value(&values[i])})
	}
	term := c.Terms[len(c.Terms)-1]
	if certain && o == opEq && !slices.ContainsFunc(c.Equal, func(t KeyTerm) bool { return t.Name == term.Name }) {
		c.Equal = append(c.Equal, term)
	} else {
		c.more = true
	}
	return nil
}
