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
			a.prefixColumn(c, p.models[f].Name, "can have the primary key of an item of %s, which one would replace, so the values of %s begin with the model's name", p.models[m].Name, c.name())
		}
	}
}

// sameKey reports whether items of two models can have the same primary key.
func (p *planner) sameKey(a *arrangement, m, f int) bool {
	partition, sort := a.at[tablePartition], a.at[tableSort]
	switch {
	case partition.prefixed && p.prefix(a, partition, m) != p.prefix(a, partition, f):
		return false
	case !p.partsOverlap(m, partition.values[m], f, partition.values[f]):
		return false
	case sort == nil:
		return true
	case sort.prefixed && p.prefix(a, sort, m) != p.prefix(a, sort, f):
		return false
	}
	return p.sortsOverlap(sort, m, f)
}

// sortsOverlap reports whether two models can have the same sort key in the table. A model that needs
// none has its name there.
func (p *planner) sortsOverlap(c *column, m, f int) bool {
	switch {
	case c.values[m] == nil && c.values[f] == nil:
		return false
	case c.values[m] == nil:
		return p.models[f].attribute(c.values[f][0]).canBe(p.spareText(m))
	case c.values[f] == nil:
		return p.models[m].attribute(c.values[m][0]).canBe(p.spareText(f))
	}
	return p.overlap(m, c.values[m], f, c.values[f])
}

// canBe reports whether values of an attribute can be equal to a word.
func (a *Attribute) canBe(word string) bool { return a.freeText() || a.Constant == word }

// separatePattern lets a column that a pattern reads by begin with the models' names, if other models'
// items could meet the pattern's key condition.
func (p *planner) separatePattern(a *arrangement, m int, w want) {
	pattern := &p.design.Patterns[w.pattern]
	r := p.route(a, m, w)
	var foreign []string
	for f := range p.models {
		if p.foreign(w, f) && p.meets(a, r, m, f, w) {
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
		a.prefixColumn(partition, pattern.Name, "would also select %s. %s, so the values of %s begin with the model's name", strings.Join(foreign, " and "), why, partition.name())
	default:
		a.prefixColumn(sort, pattern.Name, "would also select %s. Other attributes would need one more index, so the values of %s begin with the model's name",
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

// meets reports whether items of model f can meet the key condition of a want of model m.
func (p *planner) meets(a *arrangement, r route, m, f int, w want) bool {
	partition, sort := a.at[r.partition], r.sortColumn(a)
	switch {
	case partition.values[f] == nil || (sort != nil && sort.values[f] == nil && r.partition != tablePartition):
		return false
	case partition.prefixed && p.prefix(a, partition, m) != p.prefix(a, partition, f):
		return false
	case !p.partsOverlap(m, partition.values[m], f, partition.values[f]):
		return false
	case w.together || sort == nil:
		return true
	case sort.prefixed:
		return p.prefix(a, sort, m) == p.prefix(a, sort, f)
	}
	return r.known == 0 || p.sortsOverlap(sort, m, f)
}

// partsOverlap reports whether partition keys of two models can be equal. Only the last part of a value
// can hold separators, and only if it is free text.
func (p *planner) partsOverlap(m int, of []string, f int, others []string) bool {
	for i := range min(len(of), len(others)) {
		if !p.overlap(m, of[i:], f, others[i:]) {
			return false
		}
	}
	switch {
	case len(of) < len(others):
		return p.models[m].attribute(of[len(of)-1]).freeText()
	case len(of) > len(others):
		return p.models[f].attribute(others[len(others)-1]).freeText()
	}
	return true
}

// overlap reports whether values of two models can be equal in a column, by their first parts.
func (p *planner) overlap(m int, of []string, f int, others []string) bool {
	a, b := p.models[m].attribute(of[0]), p.models[f].attribute(others[0])
	switch {
	case a.Derived.apart(b.Derived):
		return false
	case a.Constant != "" && b.Constant != "":
		return a.Constant == b.Constant
	case a.Constant != "":
		return b.Format == Any
	case b.Constant != "":
		return a.Format == Any
	case a.Format != Any && b.Format != Any && a.Format != b.Format:
		return false
	}
	return !a.random() && !b.random() || rootOf(p.models, p.models[m].Name, a) == rootOf(p.models, p.models[f].Name, b)
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
		a = models[slices.IndexFunc(models, func(m Model) bool { return m.Name == of })].attribute(attribute)
	}
	return name
}

// storedName returns the name under which a model stores an attribute that is in no key. If the
// attribute has the name of another model's attribute that is in the key of an index, it gets the
// name of its model, so that it never gets into the index. So it does if the name is that of another
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
		if !slices.ContainsFunc(c.positions, func(at position) bool { return at >= partitionOf(0) }) {
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
