package design

import (
	"cmp"
	"slices"
)

// layoutsOf returns the ways to store a model, those with the fewest indexed keys first. It returns
// none if a strongly consistent pattern cannot be served.
func (s *searcher) layoutsOf(m int) []modelLayout {
	var all []modelLayout
	s.eachChoice(m, func(chosen []key, rank int) {
		for i, primary := range s.primaries(m, chosen) {
			if avoided, ok := s.avoided[s.models[m].Name]; ok &&
				primary.String() == avoided.String() {
				continue
			}
			if l, ok := s.arrange(m, primary, chosen); ok {
				l.rank = rank + i
				l.dollars = s.indexDollars(m, l) + findDollars(&s.models[m], l.primary, s.prices)
				all = append(all, l)
			}
		}
	})
	all = fewestLocal(s.countersApart(m, all))
	slices.SortStableFunc(all, func(a, b modelLayout) int {
		return cmp.Or(len(a.indexed)-len(b.indexed), a.joined-b.joined, a.rank-b.rank)
	})
	all = slices.CompactFunc(all, func(a, b modelLayout) bool { return a.equal(b) })
	return s.undominated(m, readByPrimary(s.problem, m, all))
}

// readByPrimary leaves out the layouts of a model whose primary key is the model's own key in an
// order that serves no pattern, if another order serves one and takes no further key.
func readByPrimary(p *problem, m int, all []modelLayout) []modelLayout {
	read := func(l modelLayout) bool {
		return slices.ContainsFunc(p.wants[m], func(w want) bool {
			return slices.ContainsFunc(w.alternatives, l.primary.serves)
		})
	}
	own := func(l modelLayout) bool {
		return len(l.primary.partition)+len(l.primary.sort) == len(p.models[m].Key) &&
			!slices.ContainsFunc(slices.Concat(l.primary.partition, l.primary.sort),
				func(name string) bool { return !slices.Contains(p.models[m].Key, name) })
	}
	return slices.DeleteFunc(all, func(l modelLayout) bool {
		return own(l) && !read(l) && slices.ContainsFunc(all, func(o modelLayout) bool {
			return own(o) && read(o) && len(o.local) == len(l.local) &&
				!slices.ContainsFunc(o.indexed, func(k key) bool {
					return !slices.ContainsFunc(l.indexed, k.equal)
				})
		})
	})
}

// undominated leaves out the layouts of a model that have all keys of another one and further keys
// that no pattern over several models reads by: they cost more and serve no more. In all, layouts
// with fewer keys come first.
func (s *searcher) undominated(m int, all []modelLayout) (best []modelLayout) {
	byPrimary := map[string][]modelLayout{}
	for _, l := range all {
		primary := l.primary.String()
		if !slices.ContainsFunc(byPrimary[primary],
			func(o modelLayout) bool { return s.dominates(m, o, l) }) {
			byPrimary[primary] = append(byPrimary[primary], l)
			best = append(best, l)
		}
	}
	return best
}

// dominates reports whether a layout of a model is at least as good as another one with the same
// primary key.
func (s *searcher) dominates(m int, l, other modelLayout) bool {
	has := func(k key) bool { return slices.ContainsFunc(l.indexed, k.equal) }
	if len(l.indexed) >= len(other.indexed) || len(l.local) != len(other.local) {
		return false
	}
	for _, k := range l.indexed {
		if !slices.ContainsFunc(other.indexed, k.equal) {
			return false
		}
	}
	further := slices.DeleteFunc(slices.Clone(other.indexed), has)
	return !slices.ContainsFunc(s.wants[m], func(w want) bool {
		return w.together && slices.ContainsFunc(w.alternatives, func(k key) bool {
			return slices.ContainsFunc(further, func(f key) bool { return f.serves(k) })
		})
	})
}

// maxChoices bounds the combinations of alternatives of the wants of a model with up to manyWants.
// A model with more wants gets fewer tries: each of its wants may be the primary key.
const (
	maxChoices = 2000
	manyWants  = 5
)

// eachChoice calls do for each combination of the alternatives of a model's wants, the preferred
// one first, up to a bound.
func (s *searcher) eachChoice(m int, do func(chosen []key, rank int)) {
	wants := s.wants[m]
	at := make([]int, len(wants))
	for range maxChoices * manyWants / max(len(wants), manyWants) {
		chosen, rank := make([]key, len(wants)), 0
		for i, w := range wants {
			chosen[i] = w.alternatives[at[i]]
			rank += at[i]
		}
		do(chosen, rank)
		i := len(at) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < len(wants[i].alternatives) {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return
		}
	}
	s.cut("%s has more than %d choices of keys", s.models[m].Name,
		maxChoices*manyWants/max(len(wants), manyWants))
}

// primaries returns the primary keys that a model may have: first those of its unique attributes
// alone, then the chosen keys of patterns, which the unique attributes at the end of the sort key
// make unique.
func (s *searcher) primaries(m int, chosen []key) []key {
	unique := s.models[m].Key
	var keys []key
	if k, err := pinned(&s.models[m]); err != nil || s.models[m].Primary != "" {
		if err != nil {
			return nil
		}
		return []key{k}
	}
	if s.design.Tenants != nil {
		keys = s.primariesOfTenant(m)
	} else if len(unique) == 1 {
		keys = append(keys, key{partition: unique})
	} else {
		for _, partition := range unique {
			rest := slices.DeleteFunc(slices.Clone(unique),
				func(a string) bool { return a == partition })
			keys = append(keys, key{partition: []string{partition}, sort: rest})
		}
		keys = append(keys, key{partition: unique})
	}
	for i, c := range chosen {
		if c.together > 0 && len(s.pins) > 0 {
			continue
		}
		keys = append(keys,
			madeUnique(key{partition: c.partition, sort: c.sort, together: c.together}, unique))
		if s.design.Patterns[s.wants[m][i].pattern].Consistent && c.together == 0 {
			// beside which a local index serves
			keys = append(keys, madeUnique(key{partition: c.partition}, unique))
		}
	}
	keys, here := s.primaryWas(m, keys)
	if here {
		return keys
	}
	return slices.DeleteFunc(keys, func(k key) bool {
		return s.models[m].changes(k.partition) || s.models[m].changes(k.sort) ||
			s.models[m].misplacesVersion(k) || s.loose(m, k) || s.isFixed(m, k) ||
			!s.fitsParent(m, k)
	})
}

// primariesOfTenant returns the primary key of a model below its tenant.
func (s *searcher) primariesOfTenant(m int) []key {
	tenant := s.design.Tenants.Attribute
	rest := slices.DeleteFunc(slices.Clone(s.models[m].Key),
		func(name string) bool { return name == tenant })
	return []key{{partition: []string{tenant}, sort: rest}}
}

// arrange returns the layout of a model with a primary key and a chosen key for each want. ok is
// false if a strongly consistent pattern would need a global index.
func (s *searcher) arrange(m int, primary key, chosen []key) (l modelLayout, ok bool) {
	l.primary = primary
	if l.local, ok = s.arrangeLocal(m, primary, chosen); !ok {
		return l, false
	}
	for i := range s.wants[m] {
		serves := func(k key) bool { return k.serves(chosen[i]) }
		if chosen[i].inIndex ||
			!primary.serves(chosen[i]) && !slices.ContainsFunc(l.local, serves) {
			l.indexed = addKey(l.indexed, chosen[i])
		}
	}
	for _, k := range slices.Concat([]key{primary}, l.indexed, l.local) {
		l.joined += max(len(k.partition)-1, 0) + max(len(k.sort)-1, 0)
	}
	return l, true
}

// arrangeLocal returns the keys of a model in local indexes. They serve the strongly consistent
// patterns that the primary key does not serve. ok is false if one of these has another partition
// key.
func (s *searcher) arrangeLocal(m int, primary key, chosen []key) (local []key, ok bool) {
	for i, w := range s.wants[m] {
		if !s.design.Patterns[w.pattern].Consistent || primary.serves(chosen[i]) {
			continue
		}
		k := chosen[i]
		if w.together || k.together > 0 || len(k.sort) == 0 ||
			!slices.Equal(k.partition, primary.partition) {
			return nil, false
		}
		local = addKey(local, k)
	}
	return local, len(local) <= maxLocal
}
