package design

import (
	"slices"

	"github.com/kugiri-db/kugiri/expr"
)

// route is the key by which a pattern reads items of a model.
type route struct {
	*arrangement
	model     int // the model whose keys the request has, of those that a pattern reads together
	want      want
	partition position
	key       key
	known     int // how many parts of the sort key a request names by their values
}

// route returns the key of an arrangement that serves a want. The primary key comes first.
func (a *arrangement) route(m int, w want) route {
	l := a.ways[m]
	if w.together {
		return a.routeTogether(m, w)
	}
	for _, alternative := range w.alternatives {
		if l.primary.serves(alternative) {
			return route{a, m, w, tablePartition, l.primary, a.known(m, tablePartition, w.equal)}
		}
	}
	for i, k := range l.local {
		if slices.ContainsFunc(w.alternatives, k.serves) {
			at := localPartition(i)
			return route{a, m, w, at, k, a.known(m, at, w.equal)}
		}
	}
	for i, k := range l.indexed {
		if slices.ContainsFunc(w.alternatives, k.serves) {
			at := partitionOf(a.slots[m][i])
			return route{a, m, w, at, k, a.known(m, at, w.equal)}
		}
	}
	panic("design: no key serves the pattern " + a.design.Patterns[w.pattern].Name)
}

// routeTogether returns the route of a pattern over several models: all have the same one.
func (a *arrangement) routeTogether(m int, w want) route {
	i := slices.IndexFunc(a.spots, func(s spot) bool { return s.pattern == w.pattern })
	at := a.spots[i].at
	return route{a, m, w, at, a.keyOf(m, at), 0}
}

// known counts the leading parts of a sort key whose values a request names: attributes with one
// value, and constants.
func (a *arrangement) known(m int, partition position, equal []string) int {
	c := a.at[partition+1]
	if c == nil {
		return 0
	}
	if c.values[m] == nil {
		return 1 // the name of the model
	}
	for i, name := range c.values[m] {
		if !slices.Contains(equal, name) && a.models[m].Attribute(name).Constant == "" {
			return i
		}
	}
	return len(c.values[m])
}

// pattern returns the pattern that reads by the route.
func (r *route) pattern() *Pattern { return &r.design.Patterns[r.want.pattern] }

// sortColumn returns the column of the route's sort key, or nil.
func (r *route) sortColumn() *column { return r.at[r.partition+1] }

// query writes the request that reads the pattern.
func (r *route) query() Query {
	pattern := r.pattern()
	q := Query{
		Pattern: pattern.Name, Models: pattern.models(), Operation: QueryRequest,
		Descending: pattern.Descending, Consistent: pattern.Consistent,
	}
	if r.partition != tablePartition {
		q.Index = r.indexAt(r.partition)
	}
	if pattern.One {
		q.Limit = 1
	}
	if _, n := pattern.Newest(); n > 0 {
		q.Limit, q.Descending = n+1, true
	}
	q.Partition = Stored{Name: r.at[r.partition].name(), Value: r.value(r.at[r.partition], r.model)}
	q.Spread = r.models[r.model].spread(r.key.partition)
	c := r.sortColumn()
	if c != nil {
		q.Sort = r.sortCondition()
	}
	if r.partition == tablePartition && (c == nil || q.Sort.Operator == expr.KeyEqual) {
		q.Operation, q.Limit, q.Descending = GetItem, 0, false
	}
	q.readsSeveral(pattern)
	return q
}

// sortCondition returns the condition that selects the pattern's items among those of a partition.
func (r *route) sortCondition() SortCondition {
	c, pattern := r.sortColumn(), r.pattern()
	if r.want.together && pattern.Range == "" && pattern.Begins == "" {
		return SortCondition{Name: c.name()}
	}
	whole := r.value(c, r.model)
	parts := max(len(c.values[r.model]), 1)
	if r.known == parts && !r.want.together {
		return SortCondition{Name: c.name(), Operator: expr.KeyEqual, From: whole}
	}
	if r.known == 0 && pattern.Range == "" && pattern.Begins == "" && r.alone() {
		return SortCondition{Name: c.name()}
	}
	fixed := r.fixed()
	if pattern.Begins != "" {
		part := Part{Attribute: pattern.Begins, Begins: true}
		if r.continues() {
			part.Before = r.separatorAfter()
		}
		return SortCondition{
			Name: c.name(), Operator: expr.KeyBeginsWith, From: append(fixed, part),
		}
	}
	if pattern.Range != "" {
		from := append(slices.Clone(fixed), r.bound(RangeFrom))
		to := append(slices.Clone(fixed), r.bound(RangeTo))
		if r.continues() {
			to = append(to, Part{Text: r.separatorAfter() + last})
		}
		return SortCondition{Name: c.name(), Operator: expr.KeyBetween, From: from, To: to}
	}
	if len(fixed) == 0 {
		return SortCondition{Name: c.name()}
	}
	return SortCondition{Name: c.name(), Operator: expr.KeyBeginsWith, From: fixed}
}

// continues reports whether sort keys go on after the attribute of the pattern's condition.
func (r *route) continues() bool {
	c := r.sortColumn()
	return slices.ContainsFunc(r.allModels(),
		func(m int) bool { return !r.foreign(r.want, m) && len(c.values[m]) > r.known+1 })
}

// separatorAfter returns what follows the attribute of the pattern's condition in the sort keys of
// its models.
func (r *route) separatorAfter() string {
	c := r.sortColumn()
	for m, v := range c.values {
		if i := r.known + 1; !r.foreign(r.want, m) && i < len(v) &&
			r.separatorBefore(m, v, i) == versionSeparator {
			return versionSeparator
		}
	}
	return r.design.separator()
}

// fixed returns the beginning of a sort key whose value a request names, up to the separator.
func (r *route) fixed() Value {
	c, m := r.sortColumn(), r.model
	var v Value
	if r.prefixes(c, m) {
		v = Value{{Text: r.prefix(c, m) + r.design.separator()}}
	}
	if r.known > 0 {
		v = append(v, r.joined(m, c.values[m][:r.known], String)...)
		v = append(v, Part{Text: r.separatorBefore(m, c.values[m], r.known)})
	}
	return v
}

// bound is a bound of the pattern's range, as the sort key holds the attribute.
func (r *route) bound(name string) Part {
	a := r.models[r.model].Attribute(r.pattern().Range)
	if a.Type == Number && r.typeOf(r.sortColumn()) == String {
		return a.digitsOf(name)
	}
	return Part{Attribute: name}
}

// alone reports whether the route's index has items of no other model.
func (r *route) alone() bool {
	partition, sort := r.at[r.partition], r.sortColumn()
	for f := range r.models {
		if r.foreign(r.want, f) && r.holds(partition, f) && (sort == nil || r.holds(sort, f)) {
			return false
		}
	}
	return true
}

// foreigners returns the models that the pattern does not read, but whose items meet the key
// condition of its request.
func (r *route) foreigners() (models []int) {
	q := r.query()
	for f := range r.models {
		if r.foreign(r.want, f) && r.meets(&q, f) {
			models = append(models, f)
		}
	}
	return models
}

// meets reports whether items of a model can meet the key condition of the pattern's request.
func (r *route) meets(q *Query, f int) bool {
	partition, sort := r.side(r.at[r.partition], f), side{}
	if c := r.sortColumn(); c != nil {
		if sort = r.side(c, f); sort.value == nil {
			return false
		}
	}
	return r.mixing.selects(q, r.pattern(), &r.models[f], partition.value, sort.value)
}

// readsSeveral makes a query one of several values, if its pattern gives them.
func (q *Query) readsSeveral(pattern *Pattern) {
	name, n := pattern.in()
	if name == "" {
		return
	}
	q.Spread = append(q.Spread, Spread{Attribute: name, Values: n})
	if q.Operation == GetItem {
		q.Operation = BatchGetItem
	}
}
