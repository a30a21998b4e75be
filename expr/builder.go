package expr

import (
	"github.com/kugiri-db/kugiri/expr/internal/function"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Builder makes conditions and updates from parts. It is for PartiQL, which has a grammar of its
// own and the same meaning. A mistake in operands is reported when the parts are put together. The
// errors are texts without the name of a parameter.
type Builder struct {
	binding binding
	paths   [][]step
}

// Part is a part of a condition or of an update: a path, a value, or an operator with its operands.
type Part struct{ node node }

// PathStep is a step of a document path: a name, or the index of a list element.
type PathStep struct {
	Name  string
	Index int // -1 for a name
}

// Path is a document path outside of an expression.
type Path []step

// NewPath makes a path. The first step must be a name.
func NewPath(steps ...PathStep) Path {
	path := make(Path, len(steps))
	for i, s := range steps {
		path[i] = step{name: s.Name, slot: -1, index: int32(s.Index)}
	}
	return path
}

// Get returns the value at the path in an item, or "".
func (p Path) Get(it item.Item) item.Value {
	var b binding
	return b.get(p, it)
}

// Path returns a path as an operand.
func (b *Builder) Path(p Path) Part {
	b.paths = append(b.paths, p)
	return Part{node{op: opPath, path: p}}
}

// Value returns a value as an operand.
func (b *Builder) Value(v item.Value) Part { return Part{b.binding.literal(v)} }

const (
	errNoCondition = Error("Expected a condition")
	errNoOperand   = Error("Expected an operand")
)

// Operator applies an operator or function to operands. name is its spelling in expressions.
func (b *Builder) Operator(name string, operands ...Part) (Part, error) {
	o := opNamed(name)
	n := node{op: o, kids: make([]node, len(operands))}
	for i := range operands {
		kid := operands[i].node
		switch {
		case o.isJunction() && !kid.op.isTruth():
			return Part{}, errNoCondition
		case o.nestsItself(kid.op):
			return Part{}, Error(msgUnsupported + o.String())
		}
		n.kids[i] = kid
	}
	return Part{n}, nil
}

// opNamed returns the operator or function with a name.
func opNamed(name string) op {
	for o, spelling := range opNames {
		if spelling == name && spelling != "" {
			return op(o)
		}
	}
	return functionNamed(name)
}

// Condition makes the condition with the root p. The builder must not be used any more.
func (b *Builder) Condition(p Part) (*Condition, error) {
	c := &Condition{tree: &tree{root: p.node, paths: b.paths}}
	c.slots = b.binding.slots
	if !p.node.op.isTruth() {
		return nil, errNoCondition
	}
	if err := checkConstruction(&p.node); err != nil {
		return nil, err
	}
	if message := c.check(&c.tree.root); message != "" {
		return nil, Error(message)
	}
	return c, nil
}

// checkConstruction finds mistakes that the parser of conditions would have reported.
func checkConstruction(n *node) error {
	switch {
	case n.op == opUnknownFunction:
		return errNoCondition
	case n.op == opPlus, n.op == opMinus, n.op.isFunction() &&
		!n.op.function().In(function.InCondition):
		return Error(msgFunctionNotAllowed(grammarCondition, n.op.String()))
	}
	for i := range n.kids {
		if err := checkConstruction(&n.kids[i]); err != nil {
			return err
		}
	}
	return nil
}

// Change is one change of an update. Section is SET, REMOVE, ADD or DELETE. REMOVE has no Value.
type Change struct {
	Section string
	Path    Path
	Value   Part
}

// Update makes an update. The builder must not be used any more.
func (b *Builder) Update(changes ...Change) (*Update, error) {
	u := &Update{
		actions: make([]action, len(changes)), mismatch: errOperandType, nesting: errNestingBrief,
	}
	u.slots = b.binding.slots
	for i, c := range changes {
		a := action{path: c.Path, value: c.Value.node}
		for s, name := range sectionNames {
			if name == c.Section {
				a.section = section(s)
			}
		}
		if a.section != sectionRemove && !assignable(&a.value) {
			return nil, errNoOperand
		}
		if message := u.checkAction(&a); message != "" {
			return nil, Error(message)
		}
		u.actions[i] = a
	}
	u.resolvePaths()
	if message := checkPaths(grammarUpdate, u.paths); message != "" {
		return nil, Error(message)
	}
	return u, nil
}

// assignable reports whether an update can evaluate a node.
func assignable(n *node) bool {
	switch {
	case n.op.isOperand():
		return true
	case n.op == opPlus, n.op == opMinus, n.op.isFunction() && n.op.function().In(function.InSet):
		for i := range n.kids {
			if !assignable(&n.kids[i]) {
				return false
			}
		}
		return true
	}
	return false
}
