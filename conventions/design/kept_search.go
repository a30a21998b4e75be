package design

import (
	"slices"
)

// usingKept returns the layouts that read from all indexes that they keep. Without any, it
// leaves one of these indexes out of the next search.
func (s *searcher) usingKept(all []layout) []layout {
	if s.kept == nil || len(all) == 0 {
		return all
	}
	unused := func(l *layout) int {
		for i := range s.kept.indexes {
			if !slices.ContainsFunc(l.slots,
				func(slots []int) bool { return slices.Contains(slots, i) }) {
				return i
			}
		}
		return -1
	}
	using := slices.DeleteFunc(slices.Clone(all), func(l layout) bool { return unused(&l) >= 0 })
	if len(using) == 0 {
		s.left = unused(&all[0]) + 1
	}
	return using
}

// leave has the search leave out an index of the table that is there which no layout reads from.
func (s *searcher) leave() bool {
	if s.left == 0 {
		return false
	}
	s.kept.indexes = slices.Delete(slices.Clone(s.kept.indexes), s.left-1, s.left)
	s.left = 0
	return true
}
