package expr

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// binding holds what a tree's placeholders stand for in one request, by slot: names of attributes
// and values. It must not be copied once it is bound.
type binding struct {
	slots []string // "" is not defined
	buf   [6]string
}

// bind resolves the tree's placeholders. It reports whether all of them are defined.
func (s *Scope) bind(t *tree, b *binding) (defined bool) {
	defined = true
	if len(t.refs) <= len(b.buf) {
		b.slots = b.buf[:len(t.refs)]
	} else {
		b.slots = make([]string, len(t.refs))
	}
	for i, ref := range t.refs {
		var ok bool
		if ref[0] == '#' {
			b.slots[i], ok = s.name(ref)
		} else {
			b.slots[i], ok = s.value(ref)
		}
		defined = defined && ok
	}
	return defined
}

// name returns the attribute or member that a step names.
func (b *binding) name(s *step) string {
	if s.slot >= 0 {
		return b.slots[s.slot]
	}
	return s.name
}

// value returns the value that an opValue node stands for.
func (b *binding) value(n *node) item.Value { return item.Value(b.slots[n.slot]) }

// literal returns a node for a value that is not from an expression.
func (b *binding) literal(v item.Value) node {
	b.slots = append(b.slots, string(v))
	return node{op: opValue, slot: int32(len(b.slots) - 1)}
}

// resolve returns the path without placeholders.
func (b *binding) resolve(path []step) []step {
	if !slices.ContainsFunc(path, func(s step) bool { return s.slot >= 0 }) {
		return path
	}
	resolved := make([]step, len(path))
	for i := range path {
		s := &path[i]
		resolved[i] = step{name: b.name(s), slot: -1, index: s.index}
	}
	return resolved
}

// topNames returns the top-level attributes of paths, each once.
func (b *binding) topNames(paths [][]step) []string {
	names := make([]string, 0, len(paths))
	var seen map[string]bool
	if len(paths) > namesWithoutIndex {
		seen = make(map[string]bool, len(paths))
	}
	for _, path := range paths {
		name := b.name(&path[0])
		if seen != nil {
			if seen[name] {
				continue
			}
			seen[name] = true
		} else if slices.Contains(names, name) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// nested reports whether one of the paths leads into an attribute.
func (b *binding) nested(paths [][]step, attribute string) bool {
	return slices.ContainsFunc(paths, func(path []step) bool {
		return len(path) > 1 && b.name(&path[0]) == attribute
	})
}

// Sets of resolved paths.

// comparePaths orders resolved paths. Paths with a common beginning are neighbours, the shorter
// first, and indexes come before names.
func comparePaths(a, b []step) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if c := compareSteps(&a[i], &b[i]); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

func compareSteps(a, b *step) int {
	switch {
	case a.index < 0 && b.index < 0:
		return strings.Compare(a.name, b.name)
	case a.index < 0:
		return 1
	case b.index < 0:
		return -1
	}
	return int(a.index) - int(b.index)
}

// clash reports whether two paths cannot be used together. They overlap if one contains the other.
// They conflict if one treats a value as a map and the other treats it as a list.
func clash(a, b []step) (overlap, conflict bool) {
	for i := 0; i < len(a) && i < len(b); i++ {
		if compareSteps(&a[i], &b[i]) != 0 {
			return false, (a[i].index < 0) != (b[i].index < 0)
		}
	}
	return true, false
}

// pathsPairwise is the most paths that are compared pair by pair. More are sorted first.
const pathsPairwise = 8

// checkPaths returns the message about the first two paths that clash, or "". In an update the
// first clash of either kind counts, and elsewhere overlaps come before conflicts.
func checkPaths(g grammar, paths [][]step) string {
	if len(paths) > pathsPairwise && !anyClash(paths) {
		return ""
	}
	conflicting := ""
	for j := range paths {
		for i := range j {
			overlap, conflict := clash(paths[i], paths[j])
			if overlap {
				return msgOverlap(printPath(paths[i]), printPath(paths[j]))
			}
			if conflict && conflicting == "" {
				conflicting = msgConflict(printPath(paths[i]), printPath(paths[j]))
			}
			if conflict && g == grammarUpdate {
				return conflicting
			}
		}
	}
	return conflicting
}

// anyClash reports whether any two paths clash. It sorts them, because then two neighbours clash if
// any two do.
func anyClash(paths [][]step) bool {
	sorted := slices.SortedFunc(slices.Values(paths), comparePaths)
	for i := 1; i < len(sorted); i++ {
		if overlap, conflict := clash(sorted[i-1], sorted[i]); overlap || conflict {
			return true
		}
	}
	return false
}

// printPath writes a resolved path as the service's messages do: [a, b, [0]].
func printPath(path []step) string {
	var dst []byte
	for i := range path {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendStep(dst, &path[i])
	}
	return "[" + string(dst) + "]"
}
