package design

import (
	"fmt"
	"slices"
)

// maxLocal is how many local secondary indexes a table has at most (Developer Guide, "Quotas in Amazon
// DynamoDB").
const maxLocal = 5

// localPositions is the first position of local indexes: 2i and 1+2i after it are those of local index i.
const localPositions = position(2 + 2*MaxIndexes)

func localPartition(index int) position { return localPositions + position(2*index) }
func localSort(index int) position      { return localPositions + position(2*index+1) }

// local reports whether a position is in the key of a local index.
func (at position) local() bool { return at >= localPositions }

func (p *planner) localName(i int) string { return p.name(fmt.Sprintf("LSI%d", i+1)) }

// indexAt returns the name of the index whose partition key has a position.
func (p *planner) indexAt(at position) string {
	if at.local() {
		return p.localName(int(at-localPositions) / 2)
	}
	return p.indexName(int(at)/2 - 1)
}

// arrangeLocal returns the keys of a model in local indexes: those of strongly consistent patterns that
// the primary key does not serve, but whose partition key it has. ok is false if it does not have one.
func (p *planner) arrangeLocal(m int, primary key, chosen []key) (local []key, ok bool) {
	for i, w := range p.wants[m] {
		if !p.design.Patterns[w.pattern].Consistent || primary.serves(chosen[i]) {
			continue
		}
		k := chosen[i]
		if w.together || k.together > 0 || len(k.sort) == 0 || !slices.Equal(k.partition, primary.partition) {
			return nil, false
		}
		local = addKey(local, k)
	}
	return local, len(local) <= maxLocal
}

// fewestLocal returns the layouts with the fewest local indexes. Those limit the size of item
// collections, so a model has no more of them than its strongly consistent patterns need.
func fewestLocal(all []modelLayout) []modelLayout {
	fewest := maxLocal
	for _, l := range all {
		fewest = min(fewest, len(l.local))
	}
	return slices.DeleteFunc(all, func(l modelLayout) bool { return len(l.local) > fewest })
}

// localIn returns the key that a model has in a local index; it is empty if there is none.
func (l *modelLayout) localIn(index int) key {
	if index < len(l.local) {
		return l.local[index]
	}
	return key{}
}

// locals returns how many local indexes there are.
func (l *layout) locals() (n int) {
	for i := range l.models {
		n = max(n, len(l.models[i].local))
	}
	return n
}

// positions returns how many positions there are up to the last one that has a key.
func (l *layout) positions() position {
	if n := l.locals(); n > 0 {
		return localPartition(n)
	}
	return partitionOf(l.count)
}

// placeLocal makes the columns of the sort keys of local indexes. Their partition key is the table's.
func (a *arrangement) placeLocal() {
	for i := range a.locals() {
		a.at[localPartition(i)] = a.at[tablePartition]
		a.place(localSort(i), func(m int) []string { return a.models[m].localIn(i).sort })
	}
}

// straysLocally reports whether a model is in a local index without being read from it.
func (a *arrangement) straysLocally() bool {
	for i := range a.locals() {
		for m := range a.models {
			if c := a.at[localSort(i)]; len(a.models[m].localIn(i).sort) == 0 && c.values[m] != nil {
				return true
			}
		}
	}
	return false
}

// localIndexes returns the local indexes of a plan.
func (p *planner) localIndexes(a *arrangement) (all []Index) {
	for i := range a.locals() {
		index := Index{Name: p.localName(i), Local: true, Key: a.keyAt(localPartition(i))}
		for m := range p.models {
			k := a.models[m].localIn(i)
			if len(k.sort) > 0 {
				index.Models = append(index.Models, p.models[m].Name)
			}
			index.Sparse = index.Sparse || p.when(m, k.sort) != nil
		}
		all = append(all, index)
	}
	return all
}

// local returns the local indexes.
func (p *Plan) local() []Index {
	return slices.DeleteFunc(slices.Clone(p.Indexes), func(index Index) bool { return !index.Local })
}
