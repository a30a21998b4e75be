package expr

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Projection is a bound list of document paths. It is safe for concurrent use. It may share memory
// with the names of its Scope.
type Projection struct {
	names []string // top-level attributes, each once
	paths [][]step // resolved and sorted; nil if no path is nested
}

// Projection parses and binds a projection expression.
func (s *Scope) Projection(src string) (*Projection, error) {
	t, err := parseCached(KindProjection, src)
	if err != nil {
		return nil, err
	}
	var b binding
	if defined := s.bind(&t.tree, &b); t.suspect || !defined {
		if word := reservedIn(t.paths); word != "" {
			return nil, invalid(KindProjection, msgReserved(word))
		}
		c := checker{binding: &b, tree: &t.tree}
		for _, path := range t.paths {
			if message := c.checkPath(path); message != "" {
				return nil, invalid(KindProjection, message)
			}
		}
	}
	paths := make([][]step, len(t.paths))
	for i, path := range t.paths {
		paths[i] = b.resolve(path)
	}
	if message := checkPaths(grammarPaths, paths); message != "" {
		return nil, invalid(KindProjection, message)
	}
	return newProjection(paths, &b), nil
}

// NewProjection returns the projection of the legacy AttributesToGet: distinct top-level names.
func NewProjection(names ...string) *Projection { return &Projection{names: names} }

// ProjectionOf returns the projection of paths, which may overlap.
func ProjectionOf(paths ...Path) *Projection {
	steps := make([][]step, len(paths))
	for i, path := range paths {
		steps[i] = path
	}
	return newProjection(steps, &binding{})
}

// newProjection returns the projection of resolved paths, which it sorts.
func newProjection(paths [][]step, b *binding) *Projection {
	p := &Projection{names: b.topNames(paths)}
	if isNested(paths) {
		slices.SortFunc(paths, comparePaths)
		p.paths = paths
	}
	return p
}

// Attributes returns the top-level attributes that the projection reads, each once.
func (p *Projection) Attributes() []string { return p.names }

// Nests reports whether the projection has a path into any attribute; Nested tells which. It
// reports false for nil, which is no projection.
func (p *Projection) Nests() bool { return p != nil && p.paths != nil }

// Nested reports whether the projection has a path into a top-level attribute.
func (p *Projection) Nested(attribute string) bool {
	var resolved binding
	return resolved.nested(p.paths, attribute)
}

// AppendJSON appends the wire form of the projected item to dst. It is {} if the item has none of
// the paths.
func (p *Projection) AppendJSON(dst []byte, it item.Item) []byte {
	if it == "" {
		return append(dst, "{}"...)
	}
	if p.paths == nil {
		return it.AppendOnlyJSON(dst, p.names...)
	}
	return appendPaths(dst, p.paths, it)
}

func isNested(paths [][]step) bool {
	return slices.ContainsFunc(paths, func(path []step) bool { return len(path) > 1 })
}

// group returns how many of the sorted paths have the same step at depth as the first one.
func group(paths [][]step, depth int) int {
	n := 1
	for n < len(paths) && compareSteps(&paths[0][depth], &paths[n][depth]) == 0 {
		n++
	}
	return n
}

// appendPaths appends an attribute map of the values at the sorted paths in an item.
func appendPaths(dst []byte, paths [][]step, it item.Item) []byte {
	dst = append(dst, '{')
	empty := len(dst)
	for len(paths) > 0 {
		n := group(paths, 0)
		name := paths[0][0].name
		dst = appendMember(dst, empty, name, it.Get(name), paths[:n], 1)
		paths = paths[n:]
	}
	return append(dst, '}')
}

// appendMember appends "name":value with the part of a value that the paths lead to. Without such a
// part it appends nothing. empty is the length of dst before the first member.
func appendMember(dst []byte, empty int, name string, v item.Value, paths [][]step,
	depth int) []byte {
	undo := len(dst)
	if undo > empty {
		dst = append(dst, ',')
	}
	dst = append(jsontext.AppendQuoted(dst, name), ':')
	dst, ok := appendPart(dst, v, paths, depth)
	if !ok {
		return dst[:undo]
	}
	return dst
}

// appendPart appends the part of v that the paths, from depth on, lead to. It reports false if they
// lead nowhere.
func appendPart(dst []byte, v item.Value, paths [][]step, depth int) ([]byte, bool) {
	switch {
	case v == "":
		return dst, false
	case len(paths[0]) == depth: // paths do not overlap, so it is the only one
		return append(dst, v...), true
	case paths[0][depth].index >= 0:
		return appendElems(dst, v, paths, depth)
	}
	return appendFields(dst, v, paths, depth)
}

// appendElems appends a list of the parts of v's elements that the paths lead to, in their order.
func appendElems(dst []byte, v item.Value, paths [][]step, depth int) ([]byte, bool) {
	if v.Type() != item.L {
		return dst, false
	}
	dst = append(dst, `{"L":[`...)
	empty := len(dst)
	i := int32(0)
	for elem := range v.Elems() {
		if paths[0][depth].index == i {
			n := group(paths, depth)
			dst = appendElem(dst, empty, elem, paths[:n], depth+1)
			if paths = paths[n:]; len(paths) == 0 {
				break
			}
		}
		i++
	}
	return append(dst, "]}"...), len(dst) > empty
}

func appendElem(dst []byte, empty int, elem item.Value, paths [][]step, depth int) []byte {
	undo := len(dst)
	if undo > empty {
		dst = append(dst, ',')
	}
	dst, ok := appendPart(dst, elem, paths, depth)
	if !ok {
		return dst[:undo]
	}
	return dst
}

// appendFields appends a map of the parts of v's members that the paths lead to.
func appendFields(dst []byte, v item.Value, paths [][]step, depth int) ([]byte, bool) {
	if v.Type() != item.M {
		return dst, false
	}
	dst = append(dst, `{"M":{`...)
	empty := len(dst)
	if n := group(paths, depth); n == len(paths) {
		name := paths[0][depth].name
		dst = appendMember(dst, empty, name, v.Field(name), paths, depth+1)
	} else {
		for name, field := range v.Fields() {
			if sub := groupNamed(paths, depth, name); sub != nil {
				dst = appendMember(dst, empty, name, field, sub, depth+1)
			}
		}
	}
	return append(dst, "}}"...), len(dst) > empty
}

// groupNamed returns the sorted paths that have a name as their step at depth, or nil.
func groupNamed(paths [][]step, depth int, name string) [][]step {
	i, ok := slices.BinarySearchFunc(paths, name, func(path []step, name string) int {
		return strings.Compare(path[depth].name, name)
	})
	if !ok {
		return nil
	}
	return paths[i : i+group(paths[i:], depth)]
}
