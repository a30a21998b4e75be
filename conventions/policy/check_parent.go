package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

// parents checks that the parents of children exist. A child that has its own key refers to its
// parent (guide, decision tree).
type parents struct{ *inspection }

// checkParent checks that the parent of an item is stored, or written by the same commit.
func (c parents) checkParent(it item.Item, commit *Commit) {
	k := c.locate(it)
	if k.entity == nil || k.entity.parent == nil || commit.Lookup == nil ||
		c.off(RuleParentMissing) {
		return
	}
	pk, sk, missing := k.entity.keyOfParent(&k, it)
	if missing != "" {
		c.report(RuleParentMissing, k, "neither key nor attributes of %s have the %s of its %s",
			k.entity.Name, missing, k.entity.Parent)
		return
	}
	names := c.table.primary.key
	key := item.New(item.Attribute{Name: names.Partition, Value: item.String(pk)})
	if names.Sort != "" {
		key = keyItem(names, pk, sk)
	}
	parent := checkedKey{set: &c.table.primary, pk: pk, sk: sk, base: sk, entity: k.entity.parent}
	// whether another tenant has an item is not for the caller to know
	hidden := c.caller.isBound() && tenants(c).foreign(&parent) != ""
	if hidden || !commit.has(c.name, names, key) {
		c.report(RuleParentMissing, k, "there is no %s %s", k.entity.Parent,
			quoteKey(joinKey(pk, sk)))
	}
}

// keyOfParent returns the key of the parent of an item: its segments are those of the item's key
// with the same name, or else attributes of that name. missing is the first one that is neither.
func (e *entity) keyOfParent(k *checkedKey, it item.Item) (pk, sk, missing string) {
	values := map[string]string{}
	rest := k.pk
	for range e.before() {
		_, rest, _ = nextSegment(rest)
	}
	collect(values, e.Partition, rest)
	collect(values, e.Sort, k.base)
	fill := func(segments []Segment) (parts []string) {
		for i := range segments {
			s := &segments[i]
			if s.Type == Literal {
				parts = append(parts, s.Values[0])
				continue
			}
			value := values[s.Name]
			if value == "" {
				value = it.Get(s.Name).Str()
			}
			if value == "" && missing == "" {
				missing = s.Name
			}
			parts = append(parts, s.Lead+value)
		}
		return parts
	}
	var parts []string
	p := e.parent
	if p.Prefix != "" {
		parts = append(parts, p.Prefix)
	}
	switch p.Tenant {
	case TenantRequired:
		parts = append(parts, k.tenant())
	case TenantCommon:
		parts = append(parts, conventions.TenantCommon)
	}
	pk = strings.Join(append(parts, fill(p.Partition)...), conventions.KeySeparator)
	sk = strings.Join(fill(p.Sort), conventions.KeySeparator)
	return pk, sk, missing
}

// collect adds the values of the segments of a key by their names.
func collect(into map[string]string, segments []Segment, key string) {
	for i := range segments {
		var text string
		text, key, _ = nextSegment(key)
		if s := &segments[i]; s.Type != Literal {
			into[s.Name] = strings.TrimPrefix(text, s.Lead)
		}
	}
}

// compileParents finds the parents of a table's entities.
func (c *compiler) compileParents(field func(i int) string, t *table) {
	for _, e := range t.primary.entities {
		if e.Parent == "" {
			continue
		}
		at := field(e.at) + ".parent"
		for _, p := range t.primary.entities {
			if p.Name == e.Parent && p != e {
				e.parent = p
			}
		}
		switch {
		case e.parent == nil:
			c.fail(at, "%.100q is no other entity of the table", e.Parent)
		case t.role != Data && t.role != Plain:
			c.fail(at, "the items of a %s table are versions: declare it of the data table", t.role)
		case e.parent.Tenant == TenantRequired && e.Tenant != TenantRequired:
			c.fail(at, "the keys of %s name the tenant, and those of %s do not", e.Parent, e.Name)
		}
	}
}
