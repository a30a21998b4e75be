package design

import "slices"

// loose reports whether a key has attributes that are not in the model's own key, where it has to
// have no others.
func (s *searcher) loose(m int, k key) bool {
	model := &s.models[m]
	return model.strict && slices.ContainsFunc(slices.Concat(k.partition, k.sort),
		func(name string) bool {
			a := model.Attribute(name)
			fixed := a.Constant != "" && a.Derived == nil ||
				a.Derived != nil && a.Derived.Shards > 0
			return !fixed && !slices.Contains(model.Key, name) &&
				name != rules{s.design}.tenantOf(model)
		})
}

// addsTo reports whether counters of the last model of a partial layout, and those of others, stay
// numbers: a sort key that is a counter is in an index with such ones only.
func (s *searcher) addsTo(l *layout) bool {
	last := len(l.ways) - 1
	for i, slot := range l.slots[last] {
		k := l.ways[last].indexed[i]
		for m := range l.ways[:last] {
			other := l.keyIn(m, slot)
			if len(other.partition) == 0 {
				continue
			}
			if (sortsByCounter(&s.models[m], other) || sortsByCounter(&s.models[last], k)) &&
				!(sortsByNumber(&s.models[m], other) && sortsByNumber(&s.models[last], k)) {
				return false
			}
		}
	}
	return true
}

// countersApart returns the ways in which no key has a counter, or a last value, beside other
// values. If there is no such way, it returns all.
func (s *searcher) countersApart(m int, all []modelLayout) []modelLayout {
	apart := slices.DeleteFunc(slices.Clone(all), func(l modelLayout) bool {
		return joinsCounters(&s.models[m], slices.Concat(l.indexed, l.local))
	})
	if len(apart) == 0 {
		return all
	}
	return apart
}
