package proof

import (
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// beforeAll is the order of an item that comes before its newest children.
type beforeAll struct{}

// first orders such an item.
var first any = beforeAll{}

// newest compares what orders an item and its children: the item comes first, then the newest
// child.
func newest(a, b any) int {
	switch {
	case a == first && b == first:
		return 0
	case a == first:
		return -1
	case b == first:
		return 1
	}
	return compare(b, a)
}

// crowd is how many rows of children there are for each that a pattern reads. Every third one is of
// the first three parents.
const crowd = 12

// latest returns a request for so many of the rows that it has to find: for an item and its newest
// children, or any of those that are as old as the last of them.
func (r *request) latest(limit int) *request {
	if len(r.expected) <= limit {
		return &request{r.values, r.expected, limit}
	}
	last, left := r.sorted()[limit-1], maps.Clone(r.expected)
	maps.DeleteFunc(left,
		func(_ string, e expected) bool { return newest(e.order, last) > 0 })
	return &request{r.values, left, limit}
}

// sorted returns what orders the rows that a request has to find, in their order.
func (r *request) sorted() (orders []any) {
	for _, e := range r.expected {
		orders = append(orders, e.order)
	}
	slices.SortFunc(orders, newest)
	return orders
}

// most returns how many rows a request has to find.
func (r *request) most() int {
	if r.limit > 0 {
		return min(r.limit, len(r.expected))
	}
	return len(r.expected)
}

// checkLatest checks that an item comes first, and then its newest children.
func checkLatest(result *Pattern, pattern *design.Pattern, r *request, order []any) {
	if len(order) > r.limit {
		result.fail("%s finds %d items, and should find %d at most", show(r.values), len(order),
			r.limit)
		return
	}
	by, _ := pattern.Newest()
	want := r.sorted()
	for i, got := range order {
		switch {
		case newest(got, want[i]) == 0:
			continue
		case want[i] == first:
			result.fail("%s: the item of %s does not come first", show(r.values), pattern.Models[0])
		case got == first:
			result.fail("%s: the item of %s comes behind children", show(r.values),
				pattern.Models[0])
		default:
			result.fail("%s: item %d has %s %v, and %v comes first", show(r.values), i+1, by, got,
				want[i])
		}
		return
	}
}
