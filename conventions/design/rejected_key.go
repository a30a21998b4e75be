package design

import (
	"fmt"
	"slices"
	"strings"
)

// tableKeys says why the keys that a model has in global indexes are not the one in the table.
func (r *rejection) tableKeys(m *Model) (all []string) {
	if m.Primary != "" {
		return nil
	}
	indexes := map[string][]string{}
	var reasons []string
	for i := range r.Indexes {
		index := &r.Indexes[i]
		if !slices.Contains(index.Models, m.Name) || index.Local || r.sameKey(m, index) {
			continue
		}
		why := r.whyNotInTable(m, index)
		if indexes[why] == nil {
			reasons = append(reasons, why)
		}
		indexes[why] = append(indexes[why], index.Name)
	}
	for _, why := range reasons {
		all = append(all, fmt.Sprintf("the key of %s in the table (%s)",
			strings.Join(indexes[why], " or "), why))
	}
	return all
}

// sameKey reports whether a model has the attributes of the table's key in an index, too.
func (r *rejection) sameKey(m *Model, index *Index) bool {
	e := r.Entity(m.Name)
	return slices.Equal(named(e.partition(r.Key)), named(e.partition(index.Key))) &&
		!slices.ContainsFunc(named(e.sort(index.Key)), func(name string) bool {
			return !slices.Contains(r.attributesIn(m, r.Key), name)
		})
}

// attributesIn returns the attributes that a model has in a key.
func (r *rejection) attributesIn(m *Model, k Key) []string {
	e := r.Entity(m.Name)
	return slices.Concat(named(e.partition(k)), named(e.sort(k)))
}

// whyNotInTable says why a key of a model is in an index and not in the table.
func (r *rejection) whyNotInTable(m *Model, index *Index) string {
	for _, name := range r.attributesIn(m, index.Key) {
		switch a := m.Attribute(name); {
		case a.Optional > 0:
			return "not all items have " + name
		case a.Mutable:
			return name + " changes, and an item's key in the table never does"
		case a.Derived != nil && a.Derived.Where != nil:
			return "not all items are in the states that it is for"
		}
	}
	if names := named(r.Entity(m.Name).partition(index.Key)); !slices.ContainsFunc(names,
		func(name string) bool { return m.Attribute(name).Constant == "" }) {
		return "all of its items would have one partition key of the table"
	}
	if names, values := fewOf(m, r.Entity(m.Name).partition(index.Key)); names != nil &&
		values <= fewValues && r.Design.Tenants == nil {
		return fmt.Sprintf("all writes would go to the partition keys of only %d values of %s",
			values, strings.Join(names, " and "))
	}
	for i := range r.Queries {
		q := &r.Queries[i]
		if q.Index == index.Name && len(q.Models) > 1 && slices.Contains(q.Models, m.Name) {
			return r.readWith(q, m)
		}
	}
	if m.strict && len(r.besidesOwn(m, index.Key)) > 0 {
		return "its items are written by " + strings.Join(m.Key, " and ") + " alone"
	}
	with, moved := r.swapped(m, index)
	if moved != nil {
		switch q := &r.Queries[moved[0]]; {
		case len(q.Models) > 1:
			return r.readWith(q, m)
		case r.Design.Patterns[moved[0]].Consistent:
			return fmt.Sprintf("%q is strongly consistent, and no read of an index is", q.Pattern)
		}
	}
	more := with.Cost(r.cost.Prices).Total() - r.cost.Total() + r.findsMore(m, index)
	if moved != nil {
		return fmt.Sprintf("%q would take an index then, %s", r.Queries[moved[0]].Pattern,
			r.difference(more))
	}
	return r.difference(more) + r.butThen(m, index, -more)
}

// readWith says that a query reads a model with others.
func (r *rejection) readWith(q *Query, m *Model) string {
	others := slices.DeleteFunc(slices.Clone(q.Models),
		func(name string) bool { return name == m.Name })
	return fmt.Sprintf("%q reads %s in %s with %s", q.Pattern, m.Name, placeName(q.Index),
		strings.Join(others, " and "))
}

// swapped returns a plan in which a model has the key of an index in the table, and one of the
// table in an index if a pattern needs that. It returns those patterns, too, first the one that
// needs it most: one over several models, then one that is strongly consistent.
func (r *rejection) swapped(m *Model, index *Index) (with *Plan, moved []int) {
	with = r.Plan.Clone()
	for i := range with.Queries {
		q := &with.Queries[i]
		if !slices.Contains(q.Models, m.Name) || q.Operation == SearchVectors {
			continue
		}
		switch {
		case q.Index == index.Name:
			q.Index, q.Fetch = "", false
		case q.Index == "" && !r.servedBy(i, m, index.Key):
			other := r.otherIndex(i, m, index)
			q.Index, q.Operation = other, QueryRequest
			if other != "" {
				continue
			}
			q.Index = "table"
			moved = append(moved, i)
		}
	}
	for i := range with.Indexes {
		if with.Indexes[i].Name == index.Name {
			with.Indexes[i].Models = slices.DeleteFunc(slices.Clone(index.Models),
				func(name string) bool { return name == m.Name })
		}
	}
	if moved != nil {
		with.Indexes = append(with.Indexes,
			Index{Name: "table", Models: []string{m.Name}, Key: r.Key})
	}
	weight := func(i int) int {
		switch {
		case len(r.Queries[i].Models) > 1:
			return 0
		case r.Design.Patterns[i].Consistent:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(moved, func(a, b int) int { return weight(a) - weight(b) })
	return with, moved
}

// otherIndex returns an index other than one from which a pattern of the table can be read, or "".
func (r *rejection) otherIndex(i int, m *Model, but *Index) string {
	at := slices.IndexFunc(r.Indexes, func(x Index) bool {
		return x.Name != but.Name && !x.Local && slices.Contains(x.Models, m.Name) &&
			!r.Design.Patterns[i].Consistent && r.partIn(&x, m.Name) == 1 &&
			r.servedBy(i, m, x.Key) && r.filters(i, m.Name, x.Name)
	})
	if at < 0 {
		return ""
	}
	return r.Indexes[at].Name
}

// servedBy reports whether a key of a model serves a pattern.
func (r *rejection) servedBy(i int, m *Model, k Key) bool {
	q, pattern, e := &r.Queries[i], &r.Design.Patterns[i], r.Entity(m.Name)
	if len(q.Models) > 1 || len(q.Spread) > 0 || pattern.Latest != nil {
		return false
	}
	rest := slices.Clone(pattern.Equal)
	for _, name := range named(e.partition(k)) {
		at := slices.Index(rest, name)
		if at < 0 {
			return false
		}
		rest = slices.Delete(rest, at, at+1)
	}
	if by := pattern.SortBy(); by != "" {
		rest = append(rest, by)
	}
	sort := named(e.sort(k))
	return len(pattern.Where) == 0 && len(rest) <= len(sort) && slices.Equal(rest, sort[:len(rest)])
}

// findsMore returns what it costs more to find the items of a model before they are updated, with
// the key of an index in the table.
func (r *rejection) findsMore(m *Model, index *Index) float64 {
	e := r.Entity(m.Name)
	of := func(k Key) float64 {
		return findDollars(m, key{partition: named(e.partition(k)), sort: named(e.sort(k))},
			r.cost.Prices)
	}
	return of(index.Key) - of(r.Key)
}

// difference writes how much more or less a plan costs.
func (r *rejection) difference(more float64) string {
	switch {
	case more >= leastSaid:
		return fmt.Sprintf("%s %s more", dollars(more), r.cost.Prices.Currency)
	case more <= -leastSaid:
		return fmt.Sprintf("%s %s less", dollars(-more), r.cost.Prices.Currency)
	}
	return "at the same cost"
}

// butThen says what speaks against the key of an index in the table, other than what it costs.
func (r *rejection) butThen(m *Model, index *Index, saved float64) string {
	more := r.besidesOwn(m, index.Key)
	switch {
	case len(more) > 0 && m.AllUpdates()+m.Deletes > 0:
		return ", and who updates or deletes an item has to know its " + listed(more)
	case len(more) > 0 && len(r.besidesOwn(m, r.Key)) == 0:
		return ", and two items could have the same " + strings.Join(m.Key, " and ")
	case saved >= leastSaid &&
		saved < max(r.Design.worth(layoutWorth, r.cost.Total()), layoutDollars):
		return ", too little to choose keys by"
	}
	return ""
}

// besidesOwn returns the attributes in a key that are not in a model's own key, and do not follow
// from others.
func (r *rejection) besidesOwn(m *Model, k Key) (names []string) {
	for _, name := range r.attributesIn(m, k) {
		if a := m.Attribute(name); !slices.Contains(m.Key, name) && a.Constant == "" &&
			a.Derived == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
