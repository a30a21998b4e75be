package design

// Keep says what a plan keeps of the table that is there.
type Keep string

// The choices of what is kept.
const (
	KeepKeys    Keep = "keys"    // what items have in the keys of the table and of its indexes
	KeepPrimary Keep = "primary" // what items have in the key of the table
	KeepNothing Keep = "nothing"
	// KeepIndexes is KeepKeys that also keeps each index, as far as a pattern can read it, and
	// takes a further index for each model rather than fewer indexes that are made anew.
	KeepIndexes Keep = "indexes"
)

// kept is the table that is there. Its global indexes that the plan keeps are the first ones of the
// plan, in their order.
type kept struct {
	old     *Plan
	keep    Keep
	indexes []Index
	asIn    map[string]asIn // what problem.asIn has found
}

// asIn is a result of problem.asIn.
type asIn struct {
	prefix string
	same   bool
}

// all reports whether all indexes are kept that a pattern can read.
func (k *kept) all() bool { return k != nil && k.keep == KeepIndexes }

// index returns an index of the table that is there, as it is: with its projection, which never
// changes. It returns nil if the index is new.
func (k *kept) index(index *Index) *Index {
	if k == nil {
		return nil
	}
	if was := k.old.Index(index.Name); was != nil && was.Key.Equal(index.Key) &&
		was.Local == index.Local {
		return was
	}
	return nil
}
