// Package sorting sorts where speed does not matter, as in reports. The compiler makes all code of
// slices.SortFunc again for each type of element, 12 KB of the binary. Here it makes three short
// methods, and a sort takes about twice as long. Requests on items use package slices.
package sorting

import "sort"

// By sorts a slice as slices.SortFunc does.
func By[S ~[]E, E any](s S, compare func(a, b E) int) { sort.Sort(list[E]{s, compare}) }

// StableBy sorts a slice as slices.SortStableFunc does.
func StableBy[S ~[]E, E any](s S, compare func(a, b E) int) { sort.Stable(list[E]{s, compare}) }

type list[E any] struct {
	elements []E
	compare  func(a, b E) int
}

func (l list[E]) Len() int { return len(l.elements) }

func (l list[E]) Less(i, j int) bool { return l.compare(l.elements[i], l.elements[j]) < 0 }

func (l list[E]) Swap(i, j int) { l.elements[i], l.elements[j] = l.elements[j], l.elements[i] }
