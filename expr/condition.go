package expr

import "github.com/kugiri-db/kugiri/storage/item"

// Condition is a bound condition. It is immutable and safe for concurrent use. It may share memory
// with the names and values of its Scope.
type Condition struct {
	tree *tree
	binding
}

// Condition parses and binds a condition or filter.
func (s *Scope) Condition(kind Kind, src string) (*Condition, error) {
	t, err := parseCached(kind, src)
	if err != nil {
		return nil, err
	}
	if t.settled != nil {
		return t.settled, nil
	}
	c := &Condition{tree: &t.tree}
	defined := s.bind(c.tree, &c.binding)
	if message := c.checkAll(defined); message != "" {
		return nil, invalid(kind, message)
	}
	return c, nil
}

// checkAll checks the whole tree.
func (c *Condition) checkAll(defined bool) string {
	all := checker{
		binding: &c.binding, tree: c.tree, names: c.tree.suspect || !defined, operands: true,
	}
	return all.check(&c.tree.root, nil)
}

// settle binds a condition without placeholders, once for all requests. It returns nil if the
// condition has placeholders or mistakes.
func settle(t *tree) *Condition {
	if len(t.refs) > 0 {
		return nil
	}
	if c := (&Condition{tree: t}); c.checkAll(true) == "" {
		return c
	}
	return nil
}

// Match evaluates the condition against an item. "" is an item without attributes.
func (c *Condition) Match(it item.Item) bool { return c.eval(&c.tree.root, it) }

// Attributes returns the top-level attributes that the condition names, each once.
func (c *Condition) Attributes() []string { return c.topNames(c.tree.paths) }

// Nests reports whether the condition has a path into any attribute; Nested tells which. It reports
// false for nil, which is no condition.
func (c *Condition) Nests() bool {
	if c == nil {
		return false
	}
	for _, path := range c.tree.paths {
		if len(path) > 1 {
			return true
		}
	}
	return false
}

// Nested reports whether the condition has a path into a top-level attribute, such as a.b or a[0].
func (c *Condition) Nested(attribute string) bool { return c.nested(c.tree.paths, attribute) }
