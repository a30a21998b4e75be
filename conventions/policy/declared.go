package policy

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
)

// table is a compiled Table.
type table struct {
	name        string // the name as declared
	role        Role
	primary     keySet
	indexes     []*keySet
	version     string
	bookkeeping []string
	commands    string // "" if not declared
	latest      *latestRule
	severities  []Severity // severities by rule
	id          int        // its number for State
	open        bool       // no rule applies
}

// keys returns the declaration of an index's key, or of the table's for "". It returns nil for an
// undeclared index.
func (t *table) keys(index string) *keySet {
	if index == "" {
		return &t.primary
	}
	for _, x := range t.indexes {
		if x.index == index {
			return x
		}
	}
	return nil
}

// keySet holds the declarations for one primary key: the table's or an index's.
type keySet struct {
	index    string // "" for the table
	key      KeySchema
	tenant   TenantMode
	prefixes map[string]*family
	entities []*entity
	open     bool // an index that all callers of the table may read
	writable bool // tenants may write the shared items of a table without entities

	// Attributes of the key that must be strings, because the policy says something of their
	// values. The values of others may be of any type.
	textPartition, textSort bool
}

// isText reports whether an attribute of the key must be a string.
func (s *keySet) isText(name string) bool {
	if name == s.key.Partition {
		return s.textPartition
	}
	return s.textSort
}

// family returns the entities with the prefix of a partition key, or nil.
func (s *keySet) family(pk string) *family {
	if f := s.prefixes[conventions.Prefix(pk)]; f != nil {
		return f
	}
	return s.prefixes[""]
}

// hasTenants reports whether a set has items that belong to one tenant.
func (s *keySet) hasTenants() bool {
	if len(s.entities) == 0 {
		return s.tenant == TenantRequired
	}
	return slices.ContainsFunc(s.entities, (*entity).hasOwner)
}

// add files an entity under its prefix and the beginning of its sort key.
func (s *keySet) add(e *entity) {
	s.entities = append(s.entities, e)
	f := s.prefixes[e.Prefix]
	if f == nil {
		f = &family{leads: map[string][]*entity{}, tenant: TenantNone}
		s.prefixes[e.Prefix] = f
	}
	f.all = append(f.all, e)
	f.tenant = min(f.tenant, e.Tenant)
	if len(e.Sort) == 0 || !e.Sort[0].isFixed() {
		f.free = append(f.free, e)
		return
	}
	for _, v := range e.Sort[0].Values {
		f.leads[v] = append(f.leads[v], e)
	}
}

// title names the table or index in messages.
func (s *keySet) title() string {
	if s.index != "" {
		return "the index " + s.index
	}
	return "the table"
}

// family holds the entities that share a partition key prefix. An entity whose sort key begins with
// a fixed segment is found by that segment.
type family struct {
	leads map[string][]*entity
	free  []*entity // entities whose sort key begins with a variable segment, or that have none
	all   []*entity

	tenant TenantMode // the strictest mode of the family, for keys without a known entity
}

// only returns the one entity of a family that meets a condition, or nil if none or several do.
func (f *family) only(fits func(*entity) bool) (found *entity) {
	for _, e := range f.all {
		switch {
		case !fits(e):
		case found != nil:
			return nil
		default:
			found = e
		}
	}
	return found
}

// latestRule is a compiled Latest.
type latestRule struct {
	Latest
	other string // the other key attribute, "" if the table has no sort key
}
