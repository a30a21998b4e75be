package design

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// searchWidth is how many partial layouts the search makes of each model of a design with up to
// wideModels models. Of more models it makes fewer, so that the time of a search grows with their
// number and not with its square. A search that never had to leave one out is exact.
const (
	searchWidth = 2000
	wideModels  = 10
)

// width returns how many partial layouts the search makes of each model.
func (s *searcher) width() int { return searchWidth * wideModels / max(len(s.models), wideModels) }

// search returns the best layouts of all models, as best does, with the fewest indexes.
func (s *searcher) search() ([]*arrangement, error) {
	a, err := s.searchWays()
	if a == nil && err == nil && s.found.Cut != nil && s.kept == nil && s.pin() {
		a, err = s.searchWays()
	}
	if a == nil && err == nil {
		err = s.apart()
	}
	s.found.Exact = s.found.Cut == nil
	return a, err
}

// searchWays is search before and after pin. It returns nil if no layout that it tried serves all
// patterns over several models.
func (s *searcher) searchWays() ([]*arrangement, error) {
	perModel := make([][]modelLayout, len(s.models))
	indexes := 0
	for m := range s.models {
		perModel[m] = s.layoutsOf(m)
		if len(perModel[m]) == 0 {
			return nil, s.inconsistent(m)
		}
		indexes = max(indexes, len(perModel[m][0].indexed))
	}
	if limit := s.design.maxIndexes(); indexes > limit {
		return nil, tooManyIndexes(s.problem, perModel, limit)
	}
	most := s.design.maxIndexes()
	if s.kept != nil {
		indexes = max(indexes, len(s.kept.indexes))
		most = min(most, indexes+maxBesideKept)
	}
	for ; indexes <= most; indexes++ {
		a := s.searchWith(indexes, perModel)
		if s.kept.all() && indexes < most && (a == nil || before{a[0]}.moved() > 0) {
			s.left = 0
			continue // a further index may let all that are kept stay as they are
		}
		if s.leave() {
			return s.searchWays()
		}
		if a != nil {
			return a, nil
		}
	}
	return nil, nil
}

// searchWith returns the best layouts with a number of indexes, or nil if none serves all patterns
// over several models.
func (s *searcher) searchWith(indexes int, perModel [][]modelLayout) []*arrangement {
	cut := s.found.Cut
	s.few = true
	all := s.layoutsWith(indexes, perModel)
	if s.few = false; s.cuts == 0 {
		return s.best(s.usingKept(all))
	}
	s.found.Cut = cut
	branches, bound := searchBranches(s, indexes, perModel)
	if bound == "" || len(branches) > 0 {
		if bound != "" {
			s.cut("%s", bound)
		}
		return branches
	}
	return s.best(s.usingKept(s.layoutsWith(indexes, perModel)))
}

// layoutsWith returns layouts with a number of indexes: all of them, or the best ones of too many.
func (s *searcher) layoutsWith(indexes int, perModel [][]modelLayout) []layout {
	partial := []layout{{count: indexes}}
	s.cuts = 0
	for m := range s.models {
		partial = s.extend(partial, m, perModel[m])
		if len(partial) == 0 || s.few && s.cuts > 0 {
			return nil
		}
	}
	return partial
}

// extend adds a model to partial layouts in all ways. If that would be too many, it goes on from
// the best partial layouts only.
func (s *searcher) extend(partial []layout, m int, ways []modelLayout) []layout {
	width := s.width()
	if len(ways) > width {
		s.cut("%s can be stored in more than %d ways", s.models[m].Name, width)
		ways = ways[:width]
	}
	expected := 0 // placements of all ways in one layout
	for _, way := range ways {
		expected += placementsOf(len(way.indexed), partial[0].count, width)
	}
	each := width // the most placements of each way in each layout
	if len(partial)*expected > width {
		partial = s.bestFirst(partial)
		each = max(1, width/(leastParents*len(ways)))
	}
	var next []layout
	for i, l := range partial {
		if len(next) >= width {
			s.cut("there are more than %d layouts of the first %s", i,
				count(len(l.ways), "model", "models"))
			break
		}
		for _, way := range ways {
			if len(way.indexed) <= l.count {
				next = s.placements(next, l, way, each)
			}
		}
	}
	return next
}

// placementsOf returns in how many ways keys can be in different indexes, most if there are more.
func placementsOf(keys, indexes, most int) int {
	n := 1
	for placed := range keys {
		n = min(n*max(indexes-placed, 1), most)
	}
	return n
}

// placements adds a model to a layout with its keys in different indexes, in up to most ways.
func (s *searcher) placements(next []layout, l layout, way modelLayout, most int) []layout {
	m := len(l.ways)
	allowed, ok := s.joining(&l, way)
	if !ok {
		return next
	}
	made, tried := 0, 0
	may := func(i, slot int) bool {
		return s.mayPlace(way.indexed[i], slot) && s.mayKeep(m, way.indexed[i], slot) &&
			mayShare(s.problem, &l, way.indexed[i], slot) &&
			(allowed[i] == nil || slices.Contains(allowed[i], slot))
	}
	eachPlacement(len(way.indexed), l.count, max(l.used(), s.apartFrom()),
		may, func(slots []int) bool {
			longer := layout{
				ways:  append(slices.Clone(l.ways), way),
				slots: append(slices.Clone(l.slots), slots), count: l.count, spots: l.spots,
			}
			tried++
			if s.join(&longer) && s.addsTo(&longer) {
				next = append(next, longer)
				made++
			}
			if made == most || tried == most*triesEach {
				s.cut("the keys of %s have more than %d places in indexes", s.models[m].Name, made)
				return false
			}
			return true
		})
	return next
}

// triesEach bounds how many placements the search tries for each one that serves the patterns over
// several models.
const triesEach = 20

// joining returns in which indexes the keys of the next model of a layout have to be, nil being
// all, so that it is read together with models that are there. ok is false if it cannot be.
func (s *searcher) joining(l *layout, way modelLayout) (allowed [][]int, ok bool) {
	m := len(l.ways)
	allowed = make([][]int, len(way.indexed))
	for i := range s.together {
		t := &s.together[i]
		if !slices.Contains(t.models, m) || slices.Min(t.models) >= m {
			continue
		}
		free, slots := s.meeting(l, t, way)
		keys := slices.Sorted(maps.Keys(slots))
		switch {
		case free:
		case len(keys) == 0:
			return nil, false
		case len(keys) == 1:
			k := keys[0]
			if allowed[k] == nil {
				allowed[k] = slots[k]
			}
			allowed[k] = slices.DeleteFunc(allowed[k],
				func(slot int) bool { return !slices.Contains(slots[k], slot) })
			if len(allowed[k]) == 0 {
				return nil, false
			}
		}
	}
	return allowed, true
}

// meeting returns in which indexes each key of the next model would be beside the models that are
// there and that a pattern reads with it. It is free if that is in the table.
func (s *searcher) meeting(l *layout, t *together, way modelLayout) (free bool, at map[int][]int) {
	m, at := len(l.ways), map[int][]int{}
	there := slices.DeleteFunc(slices.Clone(t.models), func(o int) bool { return o >= m })
	for i, k := range s.wantOf(m, t.pattern).alternatives {
		for _, place := range l.positionsOf(there[0], s.wantOf(there[0],
			t.pattern).alternatives[i]) {
			apart := func(o int) bool {
				return !slices.Contains(l.positionsOf(o, s.wantOf(o,
					t.pattern).alternatives[i]), place)
			}
			switch {
			case slices.ContainsFunc(there[1:], apart):
			case place == tablePartition:
				free = free || !k.inIndex && way.primary.serves(k)
			default:
				for n, own := range way.indexed {
					if own.serves(k) {
						at[n] = append(at[n], int(place)/2-1)
					}
				}
			}
		}
	}
	return free, at
}

// leastParents is how many partial layouts a search goes on from at least.
const leastParents = 4

// bestFirst returns partial layouts in turns: the simplest one that is left, and the one that costs
// least in a month.
func (s *searcher) bestFirst(partial []layout) []layout {
	costs := make([]ranked, len(partial))
	for i, l := range partial {
		costs[i] = ranked{l, s.columnsOf(l).cost(), i}
	}
	slices.SortStableFunc(costs, func(a, b ranked) int { return slices.Compare(a.cost, b.cost) })
	cheap := slices.Clone(costs)
	slices.SortStableFunc(cheap,
		func(a, b ranked) int { return cmp.Compare(a.layout.dollars(), b.layout.dollars()) })
	var best []layout
	taken := make([]bool, len(partial))
	for i := range costs {
		for _, next := range []ranked{costs[i], cheap[i]} {
			if !taken[next.at] {
				taken[next.at] = true
				best = append(best, next.layout)
			}
		}
	}
	return best
}

// ranked is a layout with the cost of its arrangement.
type ranked struct {
	layout layout
	cost   []int
	at     int
}

// eachPlacement calls do with each way to give n keys one of count indexes each, until do returns
// false. Indexes that have no key yet are alike, so they are taken in order: used is how many have
// one. may says which key may be where.
func eachPlacement(n, count, used int, may func(i, slot int) bool, do func(slots []int) bool) {
	slots := make([]int, 0, n)
	var place func(used int) bool
	place = func(used int) bool {
		if len(slots) == n {
			return do(slices.Clone(slots))
		}
		for s := range min(used+1, count) {
			if slices.Contains(slots, s) || !may(len(slots), s) {
				continue
			}
			slots = append(slots, s)
			more := place(max(used, s+1))
			slots = slots[:len(slots)-1]
			if !more {
				return false
			}
		}
		return true
	}
	place(used)
}

// best returns the simplest arrangement and, if others with as many indexes cost less in a month,
// the simplest of those. It returns nil if no layout has an arrangement.
func (s *searcher) best(all []layout) []*arrangement {
	s.found.Layouts += len(all)
	simplest := s.simplest(all)
	if simplest == nil {
		return nil
	}
	frugal := s.frugal(all)
	if frugal(&simplest.layout) {
		return []*arrangement{simplest}
	}
	others := slices.DeleteFunc(slices.Clone(all), func(l layout) bool { return !frugal(&l) })
	if other := s.simplest(others); other != nil && other.count <= simplest.count {
		return []*arrangement{simplest, other}
	}
	return []*arrangement{simplest}
}

// simplest returns the arrangement with the least cost in which prefixes can keep models apart, or
// nil.
func (s *searcher) simplest(all []layout) *arrangement {
	if len(s.together) > 0 || s.kept != nil {
		return s.bestTogether(all)
	}
	var best *arrangement
	var least []int
	for _, l := range all {
		a := s.columnsOf(l)
		if cost := a.cost(); best == nil || slices.Compare(cost, least) < 0 {
			best, least = a, cost
		}
	}
	return best
}

// bestTogether is simplest of layouts with patterns over several models, or with keys that are
// there and have no prefixes: they may be in conflict.
func (s *searcher) bestTogether(all []layout) *arrangement {
	var costs []ranked
	for _, l := range all {
		l.count = l.used()
		costs = append(costs, ranked{l, s.columnsOf(l).cost(), 0})
	}
	slices.SortStableFunc(costs, func(a, b ranked) int {
		moved := 0
		if s.kept.all() {
			moved = a.cost[0] - b.cost[0]
		}
		return cmp.Or(moved, a.layout.count-b.layout.count, slices.Compare(a.cost, b.cost))
	})
	if s.kept != nil {
		costs = costs[:min(len(costs), maxKeeping)]
	}
	for _, c := range costs {
		a := s.columnsOf(c.layout)
		if a.inseparable() == 0 {
			return a
		}
		if s.kept != nil && s.mixed == nil {
			s.mixed = before{a}.mixesWithKept()
		}
	}
	return nil
}

// inconsistent says which patterns of a model cannot all be strongly consistent.
func (s *searcher) inconsistent(m int) error {
	var errs []error
	for _, w := range s.wants[m] {
		if s.design.Patterns[w.pattern].Consistent {
			errs = append(errs, conventions.FieldErrorf(
				fmt.Sprintf("patterns[%d].consistent", w.pattern),
				"only the table and its local indexes serve strongly consistent reads, and no partition key of %s serves all such patterns at once",
				s.models[m].Name))
		}
	}
	if errs == nil {
		return conventions.FieldErrorf("models", "%s can have no other primary key",
			s.models[m].Name)
	}
	return errors.Join(errs...)
}

// apart says that no table serves all patterns over several models.
func (s *searcher) apart() error {
	if s.mixed != nil {
		return s.mixed
	}
	for _, t := range s.together {
		if pattern := &s.design.Patterns[t.pattern]; pattern.Consistent {
			return conventions.FieldErrorf(fmt.Sprintf("patterns[%d].consistent", t.pattern),
				"only the table serves strongly consistent reads of several models, and no primary keys of %s serve this one beside the other patterns",
				strings.Join(pattern.Models, " and "))
		}
	}
	if len(s.together) == 0 {
		return conventions.FieldErrorf("indexes",
			"no table with %d indexes has each counter in a key of its own, as a number",
			s.design.maxIndexes())
	}
	t := s.together[0]
	return conventions.FieldErrorf(fmt.Sprintf("patterns[%d].models", t.pattern),
		"no table with %d indexes serves all patterns over several models: read %s in several patterns",
		s.design.maxIndexes(), strings.Join(s.design.Patterns[t.pattern].Models, " and "))
}

// tooManyIndexes says which model needs more indexes than there may be.
func tooManyIndexes(s *problem, perModel [][]modelLayout, limit int) error {
	for m, ways := range perModel {
		if n := len(ways[0].indexed); n > limit {
			return conventions.FieldErrorf("indexes",
				"the patterns of %s need %d indexes, and there are at most %d: drop a pattern, or read %s from two tables",
				s.models[m].Name, n, limit, s.models[m].Name)
		}
	}
	return nil
}

// join reports whether a partial layout serves the patterns over several models that read the last
// one of it. It adds the spot of a pattern all of whose models are there.
func (s *searcher) join(l *layout) bool {
	last := len(l.ways) - 1
	for i := range s.together {
		t := &s.together[i]
		if !slices.Contains(t.models, last) {
			continue
		}
		at, ok := s.togetherAt(l, t)
		if !ok {
			return false
		}
		if slices.Max(t.models) == last {
			if s.kept == nil && slices.ContainsFunc(l.spots,
				func(o spot) bool { return o.at == at && s.mix(t, o.together) }) {
				return false
			}
			l.spots = append(slices.Clip(l.spots), spot{t, at})
		}
	}
	return true
}

// mix reports whether one of two patterns over several models finds a model that only the other one
// reads, if both read the same partitions: nothing but a condition on the sort key prevents that.
func (s *searcher) mix(t, o *together) bool {
	shares := func(m int) bool { return slices.Contains(o.models, m) }
	finds := func(t, o *together) bool {
		return s.design.Patterns[t.pattern].Range == "" &&
			s.design.Patterns[t.pattern].Begins == "" &&
			slices.ContainsFunc(o.models,
				func(m int) bool { return !slices.Contains(t.models, m) })
	}
	return slices.ContainsFunc(t.models, shares) && (finds(t, o) || finds(o, t))
}

// togetherAt returns the partition key by which a layout serves a pattern over several models: that
// of one alternative for all of them that are in the layout. ok is false if no alternative does.
func (s *searcher) togetherAt(l *layout, t *together) (at position, ok bool) {
	there := slices.DeleteFunc(slices.Clone(t.models), func(m int) bool { return m >= len(l.ways) })
	for i := range s.wantOf(there[0], t.pattern).alternatives {
		for _, at := range l.positionsOf(there[0], s.wantOf(there[0], t.pattern).alternatives[i]) {
			apart := func(m int) bool {
				return !slices.Contains(l.positionsOf(m, s.wantOf(m, t.pattern).alternatives[i]),
					at)
			}
			if s.design.Patterns[t.pattern].Consistent && at != tablePartition {
				continue // no global index serves a strongly consistent read
			}
			if !slices.ContainsFunc(there[1:], apart) {
				return at, true
			}
		}
	}
	return 0, false
}

// pin gives each pattern over several models an index of its own, by whose key no other pattern
// reads. That may take more indexes than needed, but no search. It returns false if a pattern
// cannot be read from an index.
func (s *searcher) pin() bool {
	if slices.ContainsFunc(s.together,
		func(t together) bool { return s.design.Patterns[t.pattern].Consistent }) {
		return false
	}
	for m := range s.wants {
		for i, w := range s.wants[m] {
			if w.together {
				alone := w.alternatives[len(w.alternatives)-1:]
				s.wants[m][i].alternatives = alone
				if !slices.Contains(s.pins, alone[0].together) {
					s.pins = append(s.pins, alone[0].together)
				}
			}
		}
	}
	return true
}
