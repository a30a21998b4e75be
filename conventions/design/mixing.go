package design

import (
	"fmt"
	"slices"
	"strings"
)

// separate finds the patterns whose key conditions other models' items could meet, and lets the
// values of a column begin with the names of the models where that is so. An attribute of another
// model that only has the same name costs nothing to keep apart: see storedName.
func (p *planner) separate(a *arrangement) {
	p.prefixTenants(a)
	for i := range a.prefixes {
		a.prefixes[i].fixed = true
	}
	p.separateKeys(a)
	for m := range p.models {
		for _, w := range p.wants[m] {
			p.separatePattern(a, m, w)
		}
	}
}

// keepNeeded takes back the prefixes that later ones have made needless, and notes the others.
func (p *planner) keepNeeded(a *arrangement) {
	apart := p.conflicts(a) == 0
	for _, x := range a.prefixes {
		x.column.prefixed = x.fixed || !apart
		if !x.column.prefixed && p.conflicts(a) > 0 {
			x.column.prefixed = true
		}
		if x.column.prefixed {
			p.notes = append(p.notes, x.why)
		}
	}
}

// prefix says why the values of a column begin with the models' names.
type prefix struct {
	column *column
	why    Note
	fixed  bool // whether or not it keeps models apart
}

// separateKeys keeps the primary keys of the models apart: an item with the key of another replaces
// it.
func (p *planner) separateKeys(a *arrangement) {
	partition, sort := a.at[tablePartition], a.at[tableSort]
	for m := range p.models {
		for f := range m {
			if !p.sameKey(a, m, f) {
				continue
			}
			c := sort
			if _, ordered := a.sharedAt(tablePartition); sort == nil || ordered {
				c = partition
			}
			a.prefixColumn(c, p.models[f].Name, "an item could have the primary key of one of %s, and replace it, so the values of %s begin with the model's name", p.models[m].Name, c.name())
		}
	}
}

// sameKey reports whether items of two models can have the same primary key.
func (p *planner) sameKey(a *arrangement, m, f int) bool {
	for _, c := range []*column{a.at[tablePartition], a.at[tableSort]} {
		if c != nil && !p.mixing.canEqual(p.side(a, c, m), p.side(a, c, f)) {
			return false
		}
	}
	return true
}

// side returns what a column holds of a model.
func (p *planner) side(a *arrangement, c *column, m int) side {
	return side{&p.models[m], p.value(a, c, m)}
}

// separatePattern lets a column that a pattern reads by begin with the models' names, if other models'
// items could meet the pattern's key condition.
func (p *planner) separatePattern(a *arrangement, m int, w want) {
	pattern := &p.design.Patterns[w.pattern]
	r := p.route(a, m, w)
	q := p.query(a, m, w)
	var foreign []string
	for f := range p.models {
		if p.foreign(w, f) && p.meets(a, r, &q, w, f) {
			foreign = append(foreign, p.models[f].Name)
		}
	}
	if len(foreign) == 0 {
		return
	}
	partition, sort := a.at[r.partition], r.sortColumn(a)
	_, ordered := a.sharedAt(r.partition)
	switch {
	case sort == nil || ordered || w.together:
		why := "There is no sort key"
		if sort != nil {
			why = "The sort keys of several models are read together"
		}
		a.prefixColumn(partition, pattern.Name, "would also find items of %s. %s, so the values of %s begin with the model's name", strings.Join(foreign, " and "), why, partition.name())
	default:
		a.prefixColumn(sort, pattern.Name, "would also find items of %s, so the values of %s begin with the model's name. That needs no further index",
			strings.Join(foreign, " and "), sort.name())
	}
}

// prefixColumn lets the values of a column begin with the models' names, and says why.
func (a *arrangement) prefixColumn(c *column, about, format string, args ...any) {
	if !c.prefixed {
		c.prefixed = true
		a.prefixes = append(a.prefixes, prefix{column: c, why: Note{Step: 6, About: about, Text: fmt.Sprintf(format, args...)}})
	}
}

// meets reports whether items of model f can meet the key condition of a query.
func (p *planner) meets(a *arrangement, r route, q *Query, w want, f int) bool {
	partition, sort := p.side(a, a.at[r.partition], f), side{}
	if c := r.sortColumn(a); c != nil {
		if sort = p.side(a, c, f); sort.value == nil {
			return false
		}
	}
	return p.mixing.selects(q, &p.design.Patterns[w.pattern], &p.models[f], partition.value, sort.value)
}

// random reports whether an attribute's values are equal to none of another attribute, unless one has
// the values of the other.
func (a *Attribute) random() bool { return a.Format == UUID || a.Format == ULID }

// rootOf returns the attribute whose values an attribute of a model has in the end.
func rootOf(models []Model, model string, a *Attribute) string {
	name := model + "." + a.Name
	for range MaxModels {
		if a.Of == "" {
			return name
		}
		name = a.Of
		of, attribute, _ := strings.Cut(name, ".")
		a = models[slices.IndexFunc(models, func(m Model) bool { return m.Name == of })].Attribute(attribute)
	}
	return name
}

// completes reports whether a model would be in an index if it had the attribute of a key position, too.
func (a *arrangement) completes(at position, m int) bool {
	other := a.at[at^1]
	return other == nil || other.values[m] != nil || slices.Contains(other.positions, tableSort)
}

// storedName returns the name under which a model stores an attribute that is in no key. If the
// attribute has the name of another model's attribute that is in the key of an index, and would bring its
// items into the index, it gets the name of its model. So it does if the name is that of another
// model's attribute in a vector index, or of the time to live.
func (p *planner) storedName(a *arrangement, m int, name string) string {
	own := strings.ToLower(p.models[m].Name) + "_" + name
	if ttl := p.ttlName(); ttl != "" {
		switch {
		case p.models[m].TTL == name:
			return ttl
		case name == ttl:
			return own
		}
	}
	for i := range p.similar {
		if f := p.similar[i].model; f < m && p.searched(f, name) || f > m && p.searched(f, name) && !p.searched(m, name) {
			return own
		}
	}
	for _, c := range a.columns {
		if c.name() == name {
			return own
		}
		if !slices.ContainsFunc(c.positions, func(at position) bool { return at > tableSort && a.completes(at, m) }) {
			continue
		}
		for f, v := range c.values {
			if f != m && c.values[m] == nil && slices.Contains(v, name) {
				return own
			}
		}
	}
	return name
}
