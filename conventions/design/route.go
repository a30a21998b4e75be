package design

import "slices"

// route is the key that serves a want.
type route struct {
	partition position
	key       key
	known     int // how many parts of the sort key a request names by their values
}

// sortColumn returns the column of the route's sort key, or nil.
func (r route) sortColumn(a *arrangement) *column { return a.at[r.partition+1] }

// route returns the key of a layout that serves a want. The primary key comes first.
func (p *planner) route(a *arrangement, m int, w want) route {
	l := a.models[m]
	if w.together {
		return p.routeTogether(a, m, w)
	}
	for _, alternative := range w.alternatives {
		if l.primary.serves(alternative) {
			return route{tablePartition, l.primary, p.known(a, m, tablePartition, w.equal)}
		}
	}
	for i, k := range l.local {
		if slices.ContainsFunc(w.alternatives, k.serves) {
			at := localPartition(i)
			return route{at, k, p.known(a, m, at, w.equal)}
		}
	}
	for i, k := range l.indexed {
		if slices.ContainsFunc(w.alternatives, k.serves) {
			at := partitionOf(a.slots[m][i])
			return route{at, k, p.known(a, m, at, w.equal)}
		}
	}
	panic("design: no key serves the pattern " + p.design.Patterns[w.pattern].Name)
}

// routeTogether returns the route of a pattern over several models: all have the same one.
func (p *planner) routeTogether(a *arrangement, m int, w want) route {
	i := slices.IndexFunc(a.spots, func(s spot) bool { return s.pattern == w.pattern })
	at := a.spots[i].at
	return route{at, a.keyOf(m, at), 0}
}

// known counts the leading parts of a sort key whose values a request names: equal attributes and
// constants.
func (p *planner) known(a *arrangement, m int, partition position, equal []string) int {
	c := a.at[partition+1]
	if c == nil {
		return 0
	}
	if c.values[m] == nil {
		return 1 // the name of the model
	}
	for i, name := range c.values[m] {
		if !slices.Contains(equal, name) && p.models[m].Attribute(name).Constant == "" {
			return i
		}
	}
	return len(c.values[m])
}

// query writes the request that reads a pattern.
func (p *planner) query(a *arrangement, m int, w want) Query {
	pattern := &p.design.Patterns[w.pattern]
	r := p.route(a, m, w)
	q := Query{Pattern: pattern.Name, Models: pattern.models(), Operation: QueryRequest, Descending: pattern.Descending, Consistent: pattern.Consistent}
	if r.partition != tablePartition {
		q.Index = p.indexAt(r.partition)
	}
	if pattern.One {
		q.Limit = 1
	}
	q.Partition = Stored{Name: a.at[r.partition].name(), Value: p.value(a, a.at[r.partition], m)}
	q.Spread = p.spread(m, r.key)
	c := r.sortColumn(a)
	if c != nil {
		q.Sort = p.sortCondition(a, m, r, w)
	}
	if r.partition == tablePartition && (c == nil || q.Sort.Operator == "=") {
		q.Operation, q.Limit, q.Descending = GetItem, 0, false
	}
	return q
}

// spread says which attributes of a partition key take a request for each of their values.
func (p *planner) spread(m int, k key) (all []Spread) {
	for _, name := range k.partition {
		if d := p.models[m].Attribute(name).Derived; d != nil && d.Where == nil {
			all = append(all, Spread{Attribute: name, Period: d.Period, Shards: d.Shards})
		}
	}
	return all
}

// sortCondition returns the condition that selects a pattern's items among those of a partition.
func (p *planner) sortCondition(a *arrangement, m int, r route, w want) SortCondition {
	c, pattern := r.sortColumn(a), &p.design.Patterns[w.pattern]
	if w.together && pattern.Range == "" && pattern.Begins == "" {
		return SortCondition{Name: c.name()}
	}
	whole := p.value(a, c, m)
	parts := max(len(c.values[m]), 1)
	if r.known == parts && !w.together {
		return SortCondition{Name: c.name(), Operator: "=", From: whole}
	}
	if r.known == 0 && pattern.Range == "" && pattern.Begins == "" && p.alone(a, w, r) {
		return SortCondition{Name: c.name()}
	}
	fixed := p.fixed(a, c, m, r.known)
	if pattern.Begins != "" {
		part := Part{Attribute: pattern.Begins, Begins: true}
		if p.continues(a, r, w) {
			part.Before = p.separatorAfter(a, r, w)
		}
		return SortCondition{Name: c.name(), Operator: "begins_with", From: append(fixed, part)}
	}
	if pattern.Range != "" {
		from := append(slices.Clone(fixed), p.bound(c, m, pattern.Range, RangeFrom))
		to := append(slices.Clone(fixed), p.bound(c, m, pattern.Range, RangeTo))
		if p.continues(a, r, w) {
			to = append(to, Part{Text: p.separatorAfter(a, r, w) + last})
		}
		return SortCondition{Name: c.name(), Operator: "BETWEEN", From: from, To: to}
	}
	if len(fixed) == 0 {
		return SortCondition{Name: c.name()}
	}
	return SortCondition{Name: c.name(), Operator: "begins_with", From: fixed}
}

// continues reports whether sort keys go on after the attribute of a pattern's condition.
func (p *planner) continues(a *arrangement, r route, w want) bool {
	c := r.sortColumn(a)
	return slices.ContainsFunc(a.allModels(), func(m int) bool { return !p.foreign(w, m) && len(c.values[m]) > r.known+1 })
}

// separatorAfter returns what follows the attribute of a pattern's condition in the sort keys of its
// models.
func (p *planner) separatorAfter(a *arrangement, r route, w want) string {
	c := r.sortColumn(a)
	for m, v := range c.values {
		if i := r.known + 1; !p.foreign(w, m) && i < len(v) && p.separatorBefore(m, v, i) == versionSeparator {
			return versionSeparator
		}
	}
	return p.design.separator()
}

// fixed returns the beginning of a sort key whose value a request names, up to the separator.
func (p *planner) fixed(a *arrangement, c *column, m, known int) Value {
	var v Value
	if c.prefixed {
		v = Value{{Text: p.prefix(a, c, m) + p.design.separator()}}
	}
	if known > 0 {
		v = append(v, p.joined(m, c.values[m][:known], String)...)
		v = append(v, Part{Text: p.separatorBefore(m, c.values[m], known)})
	}
	return v
}

// bound is a bound of a range, as the column holds the attribute.
func (p *planner) bound(c *column, m int, attribute, name string) Part {
	part := Part{Attribute: name}
	if p.models[m].Attribute(attribute).Type == Number && p.typeOf(c) == String {
		part.Digits = Digits
	}
	return part
}

// alone reports whether a route's index has items of no other model.
func (p *planner) alone(a *arrangement, w want, r route) bool {
	partition, sort := a.at[r.partition], r.sortColumn(a)
	for f := range p.models {
		if p.foreign(w, f) && a.holds(partition, f) && (sort == nil || a.holds(sort, f)) {
			return false
		}
	}
	return true
}
