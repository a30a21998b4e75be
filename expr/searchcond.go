package expr

const (
	errSearchComparator = Error(
		"Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression")
	errSearchNested = Error(
		"Invalid SearchConditionExpression: SearchConditionExpression cannot have conditions on nested attributes")
	errSearchOperand = Error(
		"Invalid SearchConditionExpression: A condition must compare one attribute with one value")
	errSearchTwice = Error(
		"Invalid SearchConditionExpression: SearchConditionExpression must only contain one condition per attribute")
)

// SearchCondition parses and binds the condition of a vector search, and returns its terms, which
// all have the Op "=". The caller checks whether they match a search schema.
func (s *Scope) SearchCondition(src string) ([]KeyTerm, error) {
	c, err := s.Condition(KindSearchCondition, src)
	if err != nil {
		return nil, err
	}
	return c.appendSearchTerms(nil, &c.tree.root)
}

// appendSearchTerms appends the terms of n, which must be joined by AND.
func (c *Condition) appendSearchTerms(terms []KeyTerm, n *node) ([]KeyTerm, error) {
	if n.op != opAnd {
		term, err := c.searchTerm(n)
		if err != nil {
			return nil, err
		}
		for i := range terms {
			if terms[i].Name == term.Name {
				return nil, errSearchTwice
			}
		}
		return append(terms, term), nil
	}
	for i := range n.kids {
		var err error
		if terms, err = c.appendSearchTerms(terms, &n.kids[i]); err != nil {
			return nil, err
		}
	}
	return terms, nil
}

// searchTerm converts one condition. Only equality is allowed (Developer Guide, "Troubleshooting
// vector indexes").
func (c *Condition) searchTerm(n *node) (KeyTerm, error) {
	switch n.op {
	case opEq:
	case opNe, opLt, opLe, opGt, opGe, opIn, opBetween:
		return KeyTerm{}, errSearchComparator
	default:
		return KeyTerm{}, Error("Invalid operator used in SearchConditionExpression: " +
			n.op.String())
	}
	name, value := &n.kids[0], &n.kids[1]
	if name.op == opValue {
		name, value = value, name
	}
	switch {
	case name.op != opPath || value.op != opValue:
		return KeyTerm{}, errSearchOperand
	case len(name.path) > 1:
		return KeyTerm{}, errSearchNested
	}
	return KeyTerm{Name: c.name(&name.path[0]), Op: KeyEqual, Value: c.value(value)}, nil
}
