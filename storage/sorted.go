package storage

import "github.com/tidwall/btree"

// treeDegree is the degree of the B-trees. Degrees from 32 to 128 get and put equally fast among a
// million entries, and the smallest copies the least at the first write after a fork.
const treeDegree = 32

// sorted is a B-tree of values in the order of a function, whose copies share nodes until one of
// them is written.
//
// It is an interface for the sake of the packages that import this one. The compiler generates all
// methods of a generic type again in each package that sees a field of that type, however deep:
// five trees took a second in each of 90 packages, and in each package of a user's tests.
type sorted[T any] interface {
	Copy() sorted[T]
	Len() int
	Get(like T) (found T, ok bool)
	Min() (first T, ok bool)
	Items() []T
	// Set and Delete return the value that was there.
	Set(v T) (before T, was bool)
	Delete(like T) (before T, was bool)
	// The walks end when yield returns false. Ascend and Descend begin at a value, or at the next
	// one if it is not there.
	Scan(yield func(T) bool)
	Reverse(yield func(T) bool)
	Ascend(from T, yield func(T) bool)
	Descend(from T, yield func(T) bool)
}

type bTree[T any] struct{ *btree.BTreeG[T] }

func newSorted[T any](less func(a, b T) bool) sorted[T] {
	return bTree[T]{
		btree.NewBTreeGOptions(less, btree.Options{Degree: treeDegree, NoLocks: true})}
}

func (t bTree[T]) Copy() sorted[T] { return bTree[T]{t.BTreeG.Copy()} }
