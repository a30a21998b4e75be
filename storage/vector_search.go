package storage

import (
	"cmp"
	"math"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

// VectorQuery asks for the entries of a vector index that are nearest to a vector.
type VectorQuery struct {
	Vector    []float32
	K         int       // the most matches
	Partition item.Item // an item with the partition key, if the index has one
	Equal     item.Item // the values that filter attributes must have; "" for no condition
	Vectors   bool      // return the vectors too

	// Stop reports, from time to time, whether to give up the search. The result is then
	// incomplete. nil: it is complete.
	Stop func() bool
}

// VectorMatch is an entry that a search found.
type VectorMatch struct {
	Item   item.Item // the projected attributes, without the vector
	Vector []float32 // nil unless it was asked for
	Score  float64   // the result of the index's distance function
}

// Search returns the entries nearest to a vector, the nearest first, and the number of
// entries that it chose from. Entries of the same distance are in the order of their keys. The
// result is exact: it is that of comparing all entries in 64-bit arithmetic.
func (vs Vectors) Search(t *Table, ix *VectorIndex, q VectorQuery) (matches []VectorMatch,
	among int) {
	vs.tx.mustHave(t)
	var buffer [keyBuffer]byte
	text, ok := ix.appendPartition(buffer[:0], q.Partition)
	if !ok {
		return nil, 0
	}
	p := ix.partition(partitionKey(text))
	if p == nil || q.K <= 0 {
		return nil, 0
	}
	s := newVectorSearch(ix, &q)
	s.scan(p)
	return s.matches(), s.among
}

// vectorSearch is a search in progress. It first computes each distance in 32-bit arithmetic, whose
// error it knows a bound of. Entries that may be among the nearest are candidates. Only their
// distances are then computed exactly.
type vectorSearch struct {
	ix         *VectorIndex
	q          *VectorQuery
	equal      []vectorCondition
	length     float64   // the length of the vector that is searched for
	tolerance  float64   // the error of a dot product of two vectors of length 1
	nearest    []float64 // a heap of the K smallest upper bounds, the greatest first
	candidates []vectorCandidate
	among      int
}

// vectorCondition is a filter attribute with the value that it must have.
type vectorCondition struct {
	filter int // the number of the attribute
	name   string
	value  item.Value
	hash   uint64
}

// vectorCandidate is a row that may be among the nearest.
type vectorCandidate struct {
	block *vectorBlock
	row   int
	least float64 // a lower bound of its distance
}

func newVectorSearch(ix *VectorIndex, q *VectorQuery) *vectorSearch {
	s := &vectorSearch{ix: ix, q: q, length: length(q.Vector)}
	s.tolerance = float64(ix.Dimensions/dotSums+16) * 0x1p-22
	for i, a := range ix.Filters {
		if v := q.Equal.Get(a.Name); v != "" {
			s.equal = append(s.equal, vectorCondition{i, a.Name, v, item.HashKey(string(v))})
		}
	}
	return s
}

// scan looks at all entries of a partition.
func (s *vectorSearch) scan(p *vectorPartition) {
	for _, b := range p.blocks {
		if s.q.Stop != nil && s.q.Stop() {
			return
		}
		for row := range b.items {
			if s.admits(b, row) {
				s.among++
				s.consider(b, row)
			}
		}
	}
}

// admits reports whether an entry meets the conditions.
func (s *vectorSearch) admits(b *vectorBlock, row int) bool {
	for i := range s.equal {
		c := &s.equal[i]
		if b.filters[row*len(s.ix.Filters)+c.filter] != c.hash ||
			b.items[row].Get(c.name) != c.value {
			return false
		}
	}
	return true
}

// consider makes an entry a candidate unless K others are nearer for certain.
func (s *vectorSearch) consider(b *vectorBlock, row int) {
	least, most := s.bounds(b.lengths[row], dot(b.vector(s.ix, row), s.q.Vector))
	full := len(s.nearest) == s.q.K
	if full && least > s.nearest[0] {
		return
	}
	s.candidates = append(s.candidates, vectorCandidate{b, row, least})
	switch {
	case !full:
		s.nearest = append(s.nearest, most)
		siftUp(s.nearest)
	case most < s.nearest[0]:
		s.nearest[0] = most
		siftDown(s.nearest)
	}
}

// Within these lengths neither vector loses elements to overflow or underflow of 32-bit products.
const (
	shortestSure = 1e-14
	longestSure  = 1e18
)

// bounds returns a lower and an upper bound of a number that orders vectors as their distances do,
// given the length of the other vector and the product of both in 32-bit arithmetic.
func (s *vectorSearch) bounds(length float64, product float32) (least, most float64) {
	if min(length, s.length) < shortestSure || max(length, s.length) > longestSure {
		return math.Inf(-1), math.Inf(1)
	}
	p, e := float64(product), s.tolerance*length*s.length
	switch s.ix.Distance {
	case DotProduct:
		return -p - e, -p + e
	case Euclidean:
		squares := length*length + s.length*s.length
		d := squares - 2*p
		e = 2*e + squares*0x1p-40
		return d - e, d + e
	default:
		p /= length * s.length
		return -p - s.tolerance, -p + s.tolerance
	}
}

// matches returns the K nearest candidates with their scores.
func (s *vectorSearch) matches() []VectorMatch {
	type scored struct {
		vectorCandidate
		score float64
	}
	var found []scored
	for _, c := range s.candidates {
		if len(s.nearest) < s.q.K || c.least <= s.nearest[0] {
			found = append(found, scored{c, s.score(c.block.vector(s.ix, c.row))})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		if c := s.ix.Distance.compare(a.score, b.score); c != 0 {
			return c
		}
		return compareKeys(s.ix.table, a.block.items[a.row], b.block.items[b.row])
	})
	found = found[:min(len(found), s.q.K)]
	matches := make([]VectorMatch, len(found))
	for i, f := range found {
		matches[i] = VectorMatch{Item: s.ix.without(f.block.items[f.row]), Score: f.score}
		if s.q.Vectors {
			matches[i].Vector = slices.Clone(f.block.vector(s.ix, f.row))
		}
	}
	return matches
}

// without returns an item of the index without the vector.
func (ix *VectorIndex) without(it item.Item) item.Item {
	if ix.names == nil {
		return it.With(item.Attribute{Name: ix.Attribute})
	}
	return it
}

// compareKeys orders items by their keys in a table.
func compareKeys(key KeySchema, a, b item.Item) int {
	x, _ := key.Encode(a)
	y, _ := key.Encode(b)
	switch {
	case x.less(y):
		return -1
	case y.less(x):
		return 1
	}
	return 0
}

// compare orders scores, the nearest first. A greater product is nearer, and a smaller distance.
func (d Distance) compare(a, b float64) int {
	if d == DotProduct {
		a, b = b, a
	}
	return cmp.Compare(a, b)
}

// score returns the score of a vector.
func (s *vectorSearch) score(vector []float32) float64 {
	return s.ix.Distance.score(vector, s.q.Vector)
}

// score returns the score of two vectors in 64-bit arithmetic. The cosine distance to a vector of
// length 0, which has no direction, is 1, as if the two were at a right angle.
func (d Distance) score(a, b []float32) float64 {
	switch d {
	case DotProduct:
		return exactDot(a, b)
	case Euclidean:
		return exactDistance(a, b)
	}
	squares := exactDot(a, a) * exactDot(b, b)
	if squares == 0 {
		return 1
	}
	return min(max(1-exactDot(a, b)/math.Sqrt(squares), 0), 2)
}
