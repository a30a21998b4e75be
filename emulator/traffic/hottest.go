package traffic

import (
	"cmp"
	"container/heap"
	"slices"
)

// MaxPartitions is how many partition keys a recorder tracks. It always tracks a key with a share
// of more than 1/MaxPartitions of all units.
const MaxPartitions = 512

type partitionKey struct{ table, index, key string }

// hottest finds the keys with the largest sums in bounded memory, by the Space-Saving algorithm
// (Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in data
// streams", 2005). A new key replaces the key with the smallest sum and inherits that sum, so that
// no sum is too small.
type hottest struct {
	byKey map[partitionKey]*counter
	heap  counters
}

type counter struct {
	key       partitionKey
	units     float64
	inherited float64 // the most units that may belong to other keys
	at        int     // index in the heap
}

// add adds units to the sum of a key.
func (h *hottest) add(key partitionKey, units float64) {
	if c := h.byKey[key]; c != nil {
		c.units += units
		heap.Fix(&h.heap, c.at)
		return
	}
	if h.byKey == nil {
		h.byKey = map[partitionKey]*counter{}
	}
	if len(h.heap) < MaxPartitions {
		c := &counter{key: key, units: units}
		h.byKey[key] = c
		heap.Push(&h.heap, c)
		return
	}
	least := h.heap[0]
	delete(h.byKey, least.key)
	h.byKey[key] = least
	least.key, least.inherited = key, least.units
	least.units += units
	heap.Fix(&h.heap, 0)
}

// top returns the counters in descending order of their sums.
func (h *hottest) top() []*counter {
	list := slices.Clone(h.heap)
	slices.SortFunc(list, func(a, b *counter) int {
		return cmp.Or(cmp.Compare(b.units, a.units), cmp.Compare(a.key.table, b.key.table),
			cmp.Compare(a.key.index, b.key.index), cmp.Compare(a.key.key, b.key.key))
	})
	return list
}

// counters is a heap with the smallest sum first.
type counters []*counter

func (c counters) Len() int           { return len(c) }
func (c counters) Less(i, j int) bool { return c[i].units < c[j].units }
func (c counters) Swap(i, j int) {
	c[i], c[j] = c[j], c[i]
	c[i].at, c[j].at = i, j
}

// Push and Pop implement heap.Interface.
func (c *counters) Push(x any) {
	n := x.(*counter)
	n.at = len(*c)
	*c = append(*c, n)
}

func (c *counters) Pop() any {
	last := len(*c) - 1
	n := (*c)[last]
	*c = (*c)[:last]
	return n
}
