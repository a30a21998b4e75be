package expr

import (
	"slices"

	"github.com/kugiri-db/kugiri/expr/internal/function"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Update is a bound update. It is safe for concurrent use. It may share memory with the names and
// values of its Scope. The items that it makes do not.
type Update struct {
	binding
	actions  []action
	paths    [][]step // the resolved paths of the actions
	order    []int    // the numbers of the actions, sorted by path; nil if no path is nested
	mismatch Error    // the error of a wrong type in the item
	nesting  Error    // the error of a value with too many levels

	pathBuf [2][]step
	stepBuf [2]step
}

// Update parses and binds an update expression.
func (s *Scope) Update(src string) (*Update, error) {
	t, err := parseCached(KindUpdate, src)
	if err != nil {
		return nil, err
	}
	u := &Update{actions: t.actions, mismatch: errOperandType, nesting: errNesting}
	defined := s.bind(&t.tree, &u.binding)
	if message := u.checkAll(&t.tree, defined); message != "" {
		return nil, invalid(KindUpdate, message)
	}
	return u, nil
}

// checkAll checks names and functions, then paths, then operands (service facts 12.5 and B.9). It
// resolves the paths.
func (u *Update) checkAll(t *tree, defined bool) string {
	if t.suspect || !defined {
		if message := u.checkNames(t); message != "" {
			return message
		}
	}
	u.resolvePaths()
	if message := checkPaths(grammarUpdate, u.paths); message != "" {
		return message
	}
	for i := range u.actions {
		if message := u.checkAction(&u.actions[i]); message != "" {
			return message
		}
	}
	return ""
}

func (u *Update) checkNames(t *tree) string {
	c := checker{binding: &u.binding, tree: t, names: true}
	for i := range u.actions {
		a := &u.actions[i]
		if message := c.checkPath(a.path); message != "" {
			return message
		}
		if a.section == sectionRemove {
			continue
		}
		if message := c.check(&a.value, nil); message != "" {
			return message
		}
	}
	return ""
}

// resolvePaths fills paths and order.
func (u *Update) resolvePaths() {
	u.paths = u.pathBuf[:0]
	if len(u.actions) > len(u.pathBuf) {
		u.paths = make([][]step, 0, len(u.actions))
	}
	for i := range u.actions {
		path := u.actions[i].path
		if len(path) == 1 && i < len(u.stepBuf) {
			u.stepBuf[i] = step{name: u.name(&path[0]), slot: -1, index: -1}
			path = u.stepBuf[i : i+1 : i+1]
		} else {
			path = u.resolve(path)
		}
		u.paths = append(u.paths, path)
	}
	if !isNested(u.paths) {
		return
	}
	u.order = make([]int, len(u.paths))
	for i := range u.order {
		u.order[i] = i
	}
	slices.SortFunc(u.order, func(i, j int) int { return comparePaths(u.paths[i], u.paths[j]) })
}

// Attributes returns the top-level attributes that the update writes, each once.
func (u *Update) Attributes() []string { return u.topNames(u.paths) }

// Nests reports whether the update has a path into any attribute; Nested tells which.
func (u *Update) Nests() bool {
	if u.order != nil {
		return true
	}
	for i := range u.actions {
		if nests(&u.actions[i].value) {
			return true
		}
	}
	return false
}

// nests reports whether an operand has a path into an attribute.
func nests(n *node) bool {
	for i := range n.kids {
		if nests(&n.kids[i]) {
			return true
		}
	}
	return len(n.path) > 1
}

// Nested reports whether the update has a path into a top-level attribute.
func (u *Update) Nested(attribute string) bool {
	paths := u.paths
	for i := range u.actions {
		paths = appendPathsOf(paths[:len(paths):len(paths)], &u.actions[i].value)
	}
	return u.nested(paths, attribute)
}

// appendPathsOf appends the paths of an operand.
func appendPathsOf(paths [][]step, n *node) [][]step {
	if n.op == opPath {
		return append(paths, n.path)
	}
	for i := range n.kids {
		paths = appendPathsOf(paths, &n.kids[i])
	}
	return paths
}

// OnlyRemoves reports whether the update has only REMOVE and DELETE clauses. Such an update creates
// no item (service facts 8.1).
func (u *Update) OnlyRemoves() bool {
	for i := range u.actions {
		if s := u.actions[i].section; s != sectionRemove && s != sectionDelete {
			return false
		}
	}
	return true
}

// Apply returns the updated item. old has at least the key attributes, and all operands are read
// from it. The error is the service's ValidationException.
func (u *Update) Apply(old item.Item) (item.Item, error) {
	if u.order != nil {
		return u.applyNested(old)
	}
	var buf [4]item.Attribute
	changes := buf[:0]
	for i := range u.actions {
		v, err := u.result(i, old)
		if err != nil {
			return "", err
		}
		changes = append(changes, item.Attribute{Name: u.paths[i][0].name, Value: v})
	}
	return old.With(changes...), nil
}

// Touched returns the parts of an item, before or after the update, that the update's paths lead
// to, for UPDATED_OLD and UPDATED_NEW. It returns "" if the item has none of them.
func (u *Update) Touched(it item.Item) item.JSON {
	if it == "" {
		return ""
	}
	var dst []byte
	if u.order == nil {
		var buf [4]string
		names := buf[:0]
		for _, path := range u.paths {
			names = append(names, path[0].name)
		}
		dst = it.AppendOnlyJSON(nil, names...)
	} else {
		sorted := make([][]step, len(u.order))
		for i, j := range u.order {
			sorted[i] = u.paths[j]
		}
		dst = appendPaths(nil, sorted, it)
	}
	if len(dst) == len("{}") {
		return ""
	}
	return item.JSON(dst)
}

// result returns the value that action i leaves at its path, or "" for none.
func (u *Update) result(i int, old item.Item) (item.Value, error) {
	a := &u.actions[i]
	switch a.section {
	case sectionRemove:
		return "", nil
	case sectionSet:
		v, err := u.evalSet(&a.value, old)
		if err == nil && len(a.path)-1+v.Depth() > maxNestedLevels {
			err = u.nesting
		}
		return v, err
	}
	current, v := u.get(a.path, old), u.value(&a.value)
	if a.section == sectionAdd {
		return u.add(current, v)
	}
	switch {
	case current == "":
		return "", nil
	case current.Type() != v.Type():
		return "", u.mismatch
	}
	return item.Difference(current, v), nil
}

// add evaluates ADD, which adds numbers and unites sets.
func (u *Update) add(current, v item.Value) (item.Value, error) {
	switch {
	case current == "":
		return v, nil
	case current.Type() != v.Type():
		return "", u.mismatch
	}
	switch v.Type() {
	case item.N:
		return sum(opPlus, current, v)
	case item.L: // legacy updates only
		return function.Append(current, v), nil
	}
	return item.Union(current, v), nil
}

// evalSet evaluates the right side of a SET.
func (u *Update) evalSet(n *node, old item.Item) (item.Value, error) {
	switch n.op {
	case opValue:
		return u.value(n), nil
	case opPath:
		v := u.get(n.path, old)
		if v == "" {
			return "", errMissingAttribute
		}
		return v, nil
	case opIfNotExists:
		if v := u.get(n.kids[0].path, old); v != "" {
			return v, nil
		}
		return u.evalSet(&n.kids[1], old)
	}
	left, err := u.evalSet(&n.kids[0], old)
	if err != nil {
		return "", err
	}
	right, err := u.evalSet(&n.kids[1], old)
	if err != nil {
		return "", err
	}
	return u.evalBinary(n.op, left, right)
}

func (u *Update) evalBinary(o op, left, right item.Value) (item.Value, error) {
	if !o.isFunction() {
		if left.Type() != item.N || right.Type() != item.N {
			return "", u.mismatch
		}
		return sum(o, left, right)
	}
	f := o.function()
	if !f.Types[0].Has(left.Type()) || !f.Types[1].Has(right.Type()) {
		return "", u.mismatch
	}
	return f.Value(left, right), nil
}

// sum adds or subtracts numbers.
func sum(o op, left, right item.Value) (item.Value, error) {
	d, e := left.Decimal(), right.Decimal()
	var err error
	if o == opPlus {
		d, err = d.Add(e)
	} else {
		d, err = d.Sub(e)
	}
	if err != nil {
		return "", Error(err.Error())
	}
	return item.Number(d), nil
}
