// Package topk finds the keys with the largest sums in bounded memory.
//
// github.com/dgryski/go-topk was rejected: its keys are strings and its counts whole numbers. Keys
// here are pairs of a partition and a sort key, and units have fractions.
package topk

import (
	"cmp"
	"container/heap"
	"slices"
)

// Keys finds the keys with the largest sums, by the Space-Saving algorithm (Metwally, Agrawal, El
// Abbadi, "Efficient computation of frequent and top-k elements in data streams", 2005). A new key
// replaces the key with the smallest sum and inherits that sum, so that no sum is too small. It
// always has a key with a share of more than 1/limit of all units.
type Keys[K comparable] struct {
	limit int
	byKey map[K]*counter[K]
	heap  counters[K]
}

// Sum is the sum of a key.
type Sum[K comparable] struct {
	Key       K
	Units     float64
	Inherited float64 // the most of Units that may belong to other keys
}

type counter[K comparable] struct {
	Sum[K]
	at int // index in the heap
}

// New returns Keys that track at most limit keys.
func New[K comparable](limit int) *Keys[K] {
	return &Keys[K]{limit: limit, byKey: map[K]*counter[K]{}}
}

// Add adds units to the sum of a key.
func (h *Keys[K]) Add(key K, units float64) {
	if c := h.byKey[key]; c != nil {
		c.Units += units
		heap.Fix(&h.heap, c.at)
		return
	}
	if len(h.heap) < h.limit {
		c := &counter[K]{Sum: Sum[K]{Key: key, Units: units}}
		h.byKey[key] = c
		heap.Push(&h.heap, c)
		return
	}
	least := h.heap[0]
	delete(h.byKey, least.Key)
	h.byKey[key] = least
	least.Key, least.Inherited = key, least.Units
	least.Units += units
	heap.Fix(&h.heap, 0)
}

// Top returns the sums in descending order. compare orders the keys of equal sums.
func (h *Keys[K]) Top(compare func(a, b K) int) []Sum[K] {
	list := make([]Sum[K], len(h.heap))
	for i, c := range h.heap {
		list[i] = c.Sum
	}
	slices.SortFunc(list,
		func(a, b Sum[K]) int {
			return cmp.Or(cmp.Compare(b.Units, a.Units), compare(a.Key, b.Key))
		})
	return list
}

// Clone returns a copy.
func (h *Keys[K]) Clone() *Keys[K] {
	c := New[K](h.limit)
	for _, old := range h.heap {
		own := *old
		c.heap = append(c.heap, &own)
		c.byKey[own.Key] = &own
	}
	return c
}

// counters is a heap with the smallest sum first.
type counters[K comparable] []*counter[K]

func (c counters[K]) Len() int           { return len(c) }
func (c counters[K]) Less(i, j int) bool { return c[i].Units < c[j].Units }
func (c counters[K]) Swap(i, j int) {
	c[i], c[j] = c[j], c[i]
	c[i].at, c[j].at = i, j
}

// Push and Pop implement heap.Interface.
func (c *counters[K]) Push(x any) {
	n := x.(*counter[K])
	n.at = len(*c)
	*c = append(*c, n)
}

func (c *counters[K]) Pop() any {
	last := len(*c) - 1
	n := (*c)[last]
	*c = (*c)[:last]
	return n
}
