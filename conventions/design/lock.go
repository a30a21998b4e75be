package design

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Locked returns what MakeFrom and a migration need of a plan: all but its notes. As JSON it is a
// file plan.lock.
func Locked(p *Plan) *Plan {
	locked := *p
	locked.Notes, locked.Search = nil, Search{}
	return &locked
}

// CheckLocked returns an error if a plan that was read from a file is not one that Locked returns:
// something names what is not there.
func CheckLocked(p *Plan) error {
	l := locked{p}
	if len(p.Queries) != len(p.Design.Patterns) || len(p.Entities) != len(p.Design.Models) {
		return errors.New("it does not have each model and each pattern of its design")
	}
	for _, key := range l.keys() {
		for _, name := range key.Names() {
			if !l.column(name) {
				return fmt.Errorf("no column has the name of (%s)",
					strings.Join(key.Names(), ", "))
			}
		}
		if len(key.Names()) > len(slices.Compact(slices.Sorted(slices.Values(key.Names())))) {
			return fmt.Errorf("a key has an attribute twice: (%s)",
				strings.Join(key.Names(), ", "))
		}
		if len(key.Partitions()) > MaxKeyAttributes || len(key.Sorts()) > MaxKeyAttributes {
			return fmt.Errorf("a key has at most %d attributes of each kind: (%s)",
				MaxKeyAttributes, strings.Join(key.Names(), ", "))
		}
	}
	if p.Key.Several() {
		return errors.New("the key of a table has one attribute, or two")
	}
	for _, index := range p.Indexes {
		if index.Local && index.Key.Several() {
			return fmt.Errorf("the key of the local index %s has two attributes", index.Name)
		}
	}
	for i := range p.Entities {
		if err := l.entity(&p.Entities[i]); err != nil {
			return err
		}
	}
	for i := range p.Queries {
		if err := l.query(i); err != nil {
			return err
		}
	}
	return nil
}

// locked checks a plan that was read from a file.
type locked struct{ *Plan }

// keys returns the keys of the table and its indexes.
func (l locked) keys() (all []Key) {
	all = append(all, l.Key)
	for _, index := range l.Indexes {
		all = append(all, index.Key)
	}
	return all
}

// column reports whether a plan has a column.
func (l locked) column(name string) bool {
	return slices.ContainsFunc(l.Columns, func(c Column) bool { return c.Name == name })
}

// entity checks what a model has in the attributes of the table.
func (l locked) entity(e *Entity) error {
	m := l.Design.Model(e.Model)
	if m == nil {
		return fmt.Errorf("the design has no model %s", e.Model)
	}
	if e.key(l.Key.Partition) == nil || l.Key.Sort != "" && e.key(l.Key.Sort) == nil {
		return fmt.Errorf("%s has no primary key", e.Model)
	}
	for _, s := range slices.Concat(e.Keys, e.Others) {
		if len(s.Value) == 0 {
			return fmt.Errorf("%s of %s has no value", s.Name, e.Model)
		}
		for _, part := range s.Value {
			if part.Attribute != "" && m.Attribute(part.Attribute) == nil {
				return fmt.Errorf("%s has no attribute %s", e.Model, part.Attribute)
			}
		}
		for name := range s.When {
			if m.Attribute(name) == nil {
				return fmt.Errorf("%s has no attribute %s", e.Model, name)
			}
		}
	}
	for _, s := range e.Keys {
		if !l.column(s.Name) {
			return fmt.Errorf("%s of %s is no column", s.Name, e.Model)
		}
	}
	return nil
}

// query checks how a pattern is read.
func (l locked) query(i int) error {
	q, pattern := &l.Queries[i], &l.Design.Patterns[i]
	if q.Pattern != pattern.Name || !slices.Equal(q.Models, pattern.models()) {
		return fmt.Errorf("the query %q is not that of the pattern %q", q.Pattern, pattern.Name)
	}
	if q.Operation != SearchVectors && q.Index != "" && l.Index(q.Index) == nil {
		return fmt.Errorf("%q reads %s, which is not there", q.Pattern, q.Index)
	}
	for _, s := range q.Equal {
		if index := l.Index(q.Index); index == nil || !index.Key.Has(s.Name) {
			return fmt.Errorf("%q names %s, which is not in the key that it reads by", q.Pattern,
				s.Name)
		}
	}
	for _, model := range q.Models {
		if l.Entity(model) == nil || l.Design.Model(model) == nil {
			return fmt.Errorf("%q reads %s, which is not there", q.Pattern, model)
		}
	}
	return nil
}
