package design

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// searchWidth is how many partial layouts the search makes of each model of a design with up to
// wideModels models. Of more models it makes fewer: the time of a search grows with their number, not
// with its square. A search that never could make more is exact.
const (
	searchWidth = 2000
	wideModels  = 10
)

// width is how many partial layouts the search makes of each model.
func (p *planner) width() int { return searchWidth * wideModels / max(len(p.models), wideModels) }

// modelLayout is how one model is stored: its primary key, and the keys that indexes serve.
type modelLayout struct {
	primary key     // its sort part is empty if the model needs none
	joined  int     // how many parts are joined to others
	rank    int     // how far the choices are from the preferred ones
	indexed []key   // in global indexes, in the order of the patterns
	local   []key   // in local indexes
	dollars float64 // of a month, for the items in indexes
}

// layout is how the models are stored: the models up to some number, if it is partial.
type layout struct {
	models []modelLayout
	slots  [][]int // by model: the index of each of indexed
	count  int     // how many indexes there are
	spots  []spot  // where patterns over several models are served
}

// Search says how a plan was found.
type Search struct {
	Layouts int  // how many layouts were compared
	Exact   bool // no layout was left out
}

// layoutsOf returns the ways to store a model, those with the fewest indexed keys first. It returns
// none if a strongly consistent pattern cannot be served.
func (p *planner) layoutsOf(m int) []modelLayout {
	var all []modelLayout
	p.eachChoice(m, func(chosen []key, rank int) {
		for i, primary := range p.primaries(m, chosen) {
			if avoided, ok := p.avoided[p.models[m].Name]; ok && primary.String() == avoided.String() {
				continue
			}
			if l, ok := p.arrange(m, primary, chosen); ok {
				l.rank, l.dollars = rank+i, p.indexDollars(m, l)
				all = append(all, l)
			}
		}
	})
	all = fewestLocal(all)
	slices.SortStableFunc(all, func(a, b modelLayout) int {
		return cmp.Or(len(a.indexed)-len(b.indexed), a.joined-b.joined, a.rank-b.rank)
	})
	return slices.CompactFunc(all, func(a, b modelLayout) bool { return a.equal(b) })
}

func (l modelLayout) equal(o modelLayout) bool {
	same := func(a, b key) bool {
		return slices.Equal(a.partition, b.partition) && slices.Equal(a.sort, b.sort) && a.together == b.together
	}
	return same(l.primary, o.primary) && slices.EqualFunc(l.indexed, o.indexed, same) && slices.EqualFunc(l.local, o.local, same)
}

// maxChoices bounds the combinations of alternatives of the wants of a model with up to manyWants. Of
// more wants, each of which may be the primary key, it tries fewer.
const (
	maxChoices = 2000
	manyWants  = 5
)

// eachChoice calls do for each combination of the alternatives of a model's wants, the preferred one
// first, up to a bound.
func (p *planner) eachChoice(m int, do func(chosen []key, rank int)) {
	wants := p.wants[m]
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
	p.cut = true
}

// primaries returns the primary keys that a model may have. First those of its unique attributes
// alone, then those of patterns, made unique by joining the unique attributes to the sort key.
func (p *planner) primaries(m int, chosen []key) []key {
	unique := p.models[m].Key
	var keys []key
	if p.design.Tenants != nil {
		keys = p.primariesOfTenant(m)
	} else if len(unique) == 1 {
		keys = append(keys, key{partition: unique})
	} else {
		for _, partition := range unique {
			rest := slices.DeleteFunc(slices.Clone(unique), func(a string) bool { return a == partition })
			keys = append(keys, key{partition: []string{partition}, sort: rest})
		}
		keys = append(keys, key{partition: unique})
	}
	for i, c := range chosen {
		if c.together > 0 && len(p.pins) > 0 {
			continue
		}
		keys = append(keys, madeUnique(key{partition: c.partition, sort: c.sort, together: c.together}, unique))
		if p.design.Patterns[p.wants[m][i].pattern].Consistent && c.together == 0 {
			keys = append(keys, madeUnique(key{partition: c.partition}, unique)) // beside which a local index serves
		}
	}
	return slices.DeleteFunc(keys, func(k key) bool {
		return p.changes(m, k.partition) || p.changes(m, k.sort) || p.misplacesVersion(m, k)
	})
}

// madeUnique returns a key with the unique attributes of a model joined to its sort key.
func madeUnique(k key, unique []string) key {
	k.sort = slices.Clone(k.sort)
	for _, a := range unique {
		if !slices.Contains(k.partition, a) && !slices.Contains(k.sort, a) {
			k.sort = append(k.sort, a)
		}
	}
	return k
}

// changes reports whether one of a model's attributes is mutable.
func (p *planner) changes(m int, attributes []string) bool {
	return slices.ContainsFunc(attributes, func(name string) bool { return p.models[m].Attribute(name).Mutable })
}

// arrange returns the layout of a model with a primary key and one key for each want. ok is false if
// a strongly consistent pattern would need a global index.
func (p *planner) arrange(m int, primary key, chosen []key) (l modelLayout, ok bool) {
	l.primary = primary
	if l.local, ok = p.arrangeLocal(m, primary, chosen); !ok {
		return l, false
	}
	for i := range p.wants[m] {
		serves := func(k key) bool { return k.serves(chosen[i]) }
		if !primary.serves(chosen[i]) && !slices.ContainsFunc(l.local, serves) {
			l.indexed = addKey(l.indexed, chosen[i])
		}
	}
	for _, k := range slices.Concat([]key{primary}, l.indexed, l.local) {
		l.joined += max(len(k.partition)-1, 0) + max(len(k.sort)-1, 0)
	}
	return l, true
}

// addKey adds a key to a list, unless another one serves what it would serve.
func addKey(list []key, k key) []key {
	for i, other := range list {
		if other.serves(k) {
			list[i].exact = other.exact || k.exact
			return list
		}
		if k.serves(other) {
			list[i] = k
			return list
		}
	}
	return append(list, k)
}

// search returns the best layouts of all models, as best does, with the fewest indexes.
func (p *planner) search() ([]*arrangement, error) {
	a, err := p.searchWays()
	if a == nil && err == nil && p.cut && p.pin() {
		a, err = p.searchWays()
	}
	if a == nil && err == nil {
		err = p.apart()
	}
	p.found.Exact = !p.cut
	return a, err
}

// searchWays is search with the alternatives of the wants as they are. It returns nil if no layout that
// it tried serves all patterns over several models.
func (p *planner) searchWays() ([]*arrangement, error) {
	perModel := make([][]modelLayout, len(p.models))
	indexes := 0
	for m := range p.models {
		perModel[m] = p.layoutsOf(m)
		if len(perModel[m]) == 0 {
			return nil, p.inconsistent(m)
		}
		indexes = max(indexes, len(perModel[m][0].indexed))
	}
	if limit := p.design.maxIndexes(); indexes > limit {
		return nil, p.tooManyIndexes(perModel, limit)
	}
	for ; indexes <= p.design.maxIndexes(); indexes++ {
		if a := p.searchWith(indexes, perModel); a != nil {
			return a, nil
		}
	}
	return nil, nil
}

// searchWith returns the best layouts with a number of indexes, or nil if none serves all patterns over
// several models.
func (p *planner) searchWith(indexes int, perModel [][]modelLayout) []*arrangement {
	partial := []layout{{count: indexes}}
	for m := range p.models {
		partial = p.extend(partial, m, perModel[m])
		if len(partial) == 0 {
			return nil
		}
	}
	return p.best(partial)
}

// extend adds a model to partial layouts in all ways. If that would be too many, it goes on from the
// best partial layouts only.
func (p *planner) extend(partial []layout, m int, ways []modelLayout) []layout {
	width := p.width()
	if len(ways) > width {
		ways, p.cut = ways[:width], true
	}
	expected := 0
	for _, way := range ways {
		n := 1
		for i := range len(way.indexed) {
			n = min(n*max(partial[0].count-i, 1), width)
		}
		expected += n
	}
	partial = p.keepBest(partial, max(1, width/expected))
	each := width // placements of each way in each layout
	if expected > width {
		each = max(1, width/len(ways))
	}
	var next []layout
	for _, l := range partial {
		for _, way := range ways {
			if len(way.indexed) <= l.count {
				next = p.placements(next, l, way, each)
			}
		}
	}
	return next
}

// placements appends a layout with one more model in up to so many placements of its keys.
func (p *planner) placements(next []layout, l layout, way modelLayout, most int) []layout {
	made := 0
	may := func(i, s int) bool { return p.mayPlace(way.indexed[i], s) }
	eachPlacement(len(way.indexed), l.count, max(l.used(), len(p.pins)), may, func(slots []int) bool {
		longer := layout{models: append(slices.Clone(l.models), way), slots: append(slices.Clone(l.slots), slots), count: l.count, spots: l.spots}
		if p.join(&longer) {
			next = append(next, longer)
		}
		made++
		p.cut = p.cut || made == most
		return made < most
	})
	return next
}

// keepBest returns the n simplest partial layouts, some of which cost about as little in a month as any.
func (p *planner) keepBest(partial []layout, n int) []layout {
	if len(partial) <= n {
		return partial
	}
	p.cut = true
	costs := make([]ranked, len(partial))
	for i, l := range partial {
		costs[i] = ranked{l, p.columnsOf(l).cost()}
	}
	slices.SortStableFunc(costs, func(a, b ranked) int { return slices.Compare(a.cost, b.cost) })
	frugal := p.frugal(partial)
	if half := n / 2; half > 0 && !slices.ContainsFunc(costs[:half], func(r ranked) bool { return frugal(&r.layout) }) {
		slices.SortStableFunc(costs[half:], func(a, b ranked) int { return cmp.Compare(a.layout.dollars(), b.layout.dollars()) })
	}
	best := make([]layout, n)
	for i := range best {
		best[i] = costs[i].layout
	}
	return best
}

type ranked struct {
	layout layout
	cost   []int
}

// used returns how many indexes have a key of a model: they are the first ones.
func (l layout) used() int {
	used := 0
	for _, slots := range l.slots {
		for _, s := range slots {
			used = max(used, s+1)
		}
	}
	return used
}

// eachPlacement calls do with each way to give n keys an index each, of count, until do returns false.
// Indexes beyond the first used are alike, so they are taken in order. may says which key may be where.
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

// best returns the simplest arrangement and, if others with as many indexes cost less in a month, the
// simplest of those. It returns nil if there is none.
func (p *planner) best(all []layout) []*arrangement {
	p.found.Layouts += len(all)
	simplest := p.simplest(all)
	if simplest == nil {
		return nil
	}
	frugal := p.frugal(all)
	if frugal(&simplest.layout) {
		return []*arrangement{simplest}
	}
	others := slices.DeleteFunc(slices.Clone(all), func(l layout) bool { return !frugal(&l) })
	if other := p.simplest(others); other != nil && other.count <= simplest.count {
		return []*arrangement{simplest, other}
	}
	return []*arrangement{simplest}
}

// simplest returns the arrangement with the least cost, the first of several, in which prefixes can keep
// models apart. It returns nil if there is none.
func (p *planner) simplest(all []layout) *arrangement {
	if len(p.together) > 0 {
		return p.bestTogether(all)
	}
	var best *arrangement
	var least []int
	for _, l := range all {
		a := p.columnsOf(l)
		if cost := a.cost(); best == nil || slices.Compare(cost, least) < 0 {
			best, least = a, cost
		}
	}
	return best
}

// bestTogether is simplest of layouts with patterns over several models, which may be in conflict.
func (p *planner) bestTogether(all []layout) *arrangement {
	var costs []ranked
	for _, l := range all {
		l.count = l.used()
		costs = append(costs, ranked{l, p.columnsOf(l).cost()})
	}
	slices.SortStableFunc(costs, func(a, b ranked) int {
		return cmp.Or(a.layout.count-b.layout.count, slices.Compare(a.cost, b.cost))
	})
	for _, c := range costs {
		if a := p.columnsOf(c.layout); p.conflictsIn(a) == 0 {
			return a
		}
	}
	return nil
}

// inconsistent says which patterns of a model cannot all be strongly consistent.
func (p *planner) inconsistent(m int) error {
	var errs []error
	for _, w := range p.wants[m] {
		if p.design.Patterns[w.pattern].Consistent {
			errs = append(errs, &FieldError{
				Field: fmt.Sprintf("patterns[%d].consistent", w.pattern),
				Message: "only the table and its local indexes serve strongly consistent reads, and no partition key of " +
					p.models[m].Name + " serves all such patterns at once",
			})
		}
	}
	if errs == nil {
		return &FieldError{Field: "models", Message: p.models[m].Name + " can have no other primary key"}
	}
	return errors.Join(errs...)
}

// apart says that no table serves all patterns over several models.
func (p *planner) apart() error {
	for _, t := range p.together {
		if pattern := &p.design.Patterns[t.pattern]; pattern.Consistent {
			return &FieldError{Field: fmt.Sprintf("patterns[%d].consistent", t.pattern), Message: fmt.Sprintf(
				"only the table serves strongly consistent reads of several models, and no primary keys of %s serve this one beside the other patterns",
				strings.Join(pattern.Models, " and "))}
		}
	}
	t := p.together[0]
	return &FieldError{
		Field: fmt.Sprintf("patterns[%d].models", t.pattern),
		Message: fmt.Sprintf("no table with %d indexes serves all patterns over several models: read %s in several patterns",
			p.design.maxIndexes(), strings.Join(p.design.Patterns[t.pattern].Models, " and ")),
	}
}

func (p *planner) tooManyIndexes(perModel [][]modelLayout, limit int) error {
	for m, ways := range perModel {
		if n := len(ways[0].indexed); n > limit {
			return &FieldError{Field: "indexes", Message: fmt.Sprintf("the patterns of %s need %d indexes, and there are at most %d: drop a pattern, or read %s from two tables",
				p.models[m].Name, n, limit, p.models[m].Name)}
		}
	}
	return nil
}
