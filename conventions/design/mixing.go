package design

import (
	"fmt"
	"strings"
)

// separation keeps the items of models apart where their keys could be equal, or where a pattern
// would find items of models that it does not read: the values of a column then begin with the
// names of the models. An attribute of another model that only has the same name costs nothing to
// keep apart: see storedName.
type separation struct {
	*arrangement
	prefixes []prefix // sorted as separate has added them
}

// prefix says why the values of a column begin with the models' names.
type prefix struct {
	column *column
	why    Note
	fixed  bool // whether or not it keeps models apart
}

// separate finds the columns whose values have to begin with the models' names.
func (s *separation) separate() {
	s.prefixTenants()
	for i := range s.prefixes {
		s.prefixes[i].fixed = true
	}
	s.separateKeys(s.mixing, "an item could have the primary key of one of %s, and replace it, so the values of %s begin with the model's name")
	for m := range s.models {
		for _, w := range s.wants[m] {
			s.separatePattern(m, w)
		}
	}
	if s.items != s.mixing {
		s.separateKeys(s.items, "the stream shows items whose keys look like those of %s, so the values of %s begin with the model's name")
	}
}

// keepNeeded takes back the prefixes that later ones have made needless. It returns the reasons of
// the others.
func (s *separation) keepNeeded() (why []Note) {
	apart := s.conflicts() == 0
	for _, x := range s.prefixes {
		x.column.prefixed = x.fixed || !apart
		if !x.column.prefixed && s.conflicts() > 0 {
			x.column.prefixed = true
		}
		if x.column.prefixed {
			why = append(why, x.why)
		}
	}
	return why
}

// prefixTenants lets all partition keys begin with the names of the models, if there are tenants.
func (s *separation) prefixTenants() {
	if !s.design.Prefixed() {
		return
	}
	why := "begins with a prefix of the model and the tenant, as the guide \"Key design " +
		"patterns\" has it"
	if s.design.Tenants == nil {
		why = "begins with the name of the model, whatever other models there will be"
	}
	for at := tablePartition; int(at) < len(s.at); at += 2 {
		if s.at[at] == nil {
			continue
		}
		s.prefixColumn(s.at[at], s.at[at].name(), "%s", why)
	}
}

// separateKeys keeps the primary keys of the models apart, by the values that the models have in a
// design: an item with the key of another replaces it, and the consumer of a stream knows an item
// by its key.
func (s *separation) separateKeys(d *Design, why string) {
	partition, sort := s.at[tablePartition], s.at[tableSort]
	for m := range s.models {
		for f := range m {
			if !s.equalKeys(d, m, f) {
				continue
			}
			c := sort
			if _, ordered := s.sharedAt(tablePartition); sort == nil || ordered {
				c = partition
			}
			s.prefixColumn(c, s.models[f].Name, why, s.models[m].Name, c.name())
		}
	}
}

// separatePattern lets a column that a pattern reads by begin with the models' names, if other
// models' items could meet the pattern's key condition.
func (s *separation) separatePattern(m int, w want) {
	r := s.route(m, w)
	var foreign []string
	for _, f := range r.foreigners() {
		foreign = append(foreign, s.models[f].Name)
	}
	if len(foreign) == 0 {
		return
	}
	pattern := r.pattern()
	partition, sort := s.at[r.partition], r.sortColumn()
	_, ordered := s.sharedAt(r.partition)
	switch {
	case sort == nil || ordered || w.together || s.counts(sort):
		why := "There is no sort key"
		switch {
		case sort != nil && s.counts(sort):
			why = "The sort key is a counter, to which ADD adds"
		case sort != nil:
			why = "The sort keys of several models are read together"
		}
		s.prefixColumn(partition, pattern.Name,
			"would also find items of %s. %s, so the values of %s begin with the model's name",
			strings.Join(foreign, " and "), why, partition.name())
	default:
		s.prefixColumn(sort, pattern.Name,
			"would also find items of %s, so the values of %s begin with the model's name. That needs no further index",
			strings.Join(foreign, " and "), sort.name())
	}
}

// prefixColumn lets the values of a column begin with the models' names, and says why.
func (s *separation) prefixColumn(c *column, about, format string, args ...any) {
	if !c.prefixed {
		c.prefixed = true
		s.prefixes = append(s.prefixes,
			prefix{column: c, why: Note{Step: 6, About: about, Text: fmt.Sprintf(format, args...),
				names: c.name()}})
	}
}

// conflicts counts what is not apart in an arrangement: patterns that find items of models that
// they do not read, orders that prefixes break, and models with equal primary keys.
func (a *arrangement) conflicts() (n int) {
	n = before{a}.retyped()
	for m := range a.models {
		for _, w := range a.wants[m] {
			r := a.route(m, w)
			if sort := r.sortColumn(); w.together && sort != nil && sort.prefixed &&
				r.pattern().SortBy() != "" {
				n++
			}
			n += len(r.foreigners())
		}
		for f := range m {
			if a.sameKey(m, f) {
				n++
			}
		}
	}
	return n
}

// inseparable returns how many conflicts prefixes cannot prevent. It leaves the arrangement, which
// has no prefixes yet, as it was.
func (a *arrangement) inseparable() int {
	s := separation{arrangement: a}
	s.separate()
	n := a.conflicts()
	for _, x := range s.prefixes {
		x.column.prefixed = false
	}
	return n
}

// sameKey reports whether items of two models can have the same primary key, or what looks like it
// in a stream.
func (a *arrangement) sameKey(m, f int) bool { return a.equalKeys(a.items, m, f) }

// equalKeys reports whether items of two models can have the same primary key, by the values that
// the models have in a design.
func (a *arrangement) equalKeys(d *Design, m, f int) bool {
	for _, c := range []*column{a.at[tablePartition], a.at[tableSort]} {
		if c != nil && !d.canEqual(a.side(c, m), a.side(c, f)) {
			return false
		}
	}
	return true
}
