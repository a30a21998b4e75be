package proof

import (
	"math"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// distance returns the cosine distance of two vectors.
func distance(a, b any) float64 {
	x, y := a.([]any), b.([]any)
	var product, squareX, squareY float64
	for i := range x {
		u, v := x[i].(float64), y[i].(float64)
		product += u * v
		squareX += u * u
		squareY += v * v
	}
	return 1 - product/math.Sqrt(squareX*squareY)
}

// tolerance is how far distances may be off: a vector index holds 32-bit floats.
const tolerance = 1e-5

// checkNearest compares the distances of the items that a search found with those of the expected
// rows.
func (v *verification) checkNearest(result *Pattern, q *design.Query, r *request, order []any) {
	var nearest []float64
	for _, e := range r.expected {
		nearest = append(nearest, e.order.(float64))
	}
	slices.Sort(nearest)
	nearest = nearest[:min(len(nearest), q.Limit)]
	if len(order) != len(nearest) {
		result.fail("a search finds %d of %d rows", len(order), len(nearest))
		return
	}
	for i, found := range order {
		if math.Abs(found.(float64)-nearest[i]) > tolerance {
			result.fail("item %d of a search is at a distance of %v, and one at %v is nearer", i+1,
				found, nearest[i])
			return
		}
	}
}
