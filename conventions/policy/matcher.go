package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

// checkedKey is a primary key, or the known part of one, with what the checker found out about it.
type checkedKey struct {
	set    *keySet
	pk, sk string  // sk with its version
	base   string  // sk without its version
	entity *entity // the entity meant if none matches; nil if it is not known

	// unmatched says that the key is of no declared entity, in a set that declares some
	unmatched bool
	judged    bool // a rule on the form of keys has judged that it names no tenant
	half      bool // the item lacks the sort key of the index, so it is not there
}

// tenant returns the tenant that the key names, or "" if it names none.
func (k *checkedKey) tenant() string { return tenantOf(k.mode(), k.pk) }

// mode says what the second segment of the partition key is declared to be.
func (k *checkedKey) mode() TenantMode {
	if k.entity != nil {
		return k.entity.Tenant
	}
	if f := k.set.family(k.pk); f != nil {
		return f.tenant
	}
	return k.set.tenant
}

// isWritable reports whether tenants may write what they share under such keys.
func (k *checkedKey) isWritable() bool {
	if k.entity != nil {
		return k.entity.Writable
	}
	return k.set.writable
}

// isID reports whether an id matches the key: the partition key and the sort key without its
// version.
func (k *checkedKey) isID(id string) bool {
	rest, ok := strings.CutPrefix(id, k.pk)
	if k.base == "" || !ok {
		return ok && rest == ""
	}
	base, ok := strings.CutPrefix(rest, conventions.KeySeparator)
	return ok && base == k.base
}

// varies reports whether text is the value of a segment of the type Any in the key.
func (k *checkedKey) varies(text string) bool {
	rest := k.pk
	for range k.entity.before() {
		_, rest, _ = nextSegment(rest)
	}
	return holds(k.entity.Partition, rest, text) || holds(k.entity.Sort, k.base, text)
}

func holds(segments []Segment, key, text string) bool {
	for i := range segments {
		var segment string
		segment, key, _ = nextSegment(key)
		if s := &segments[i]; s.Type == Any && len(segment) == len(s.Lead)+len(text) &&
			segment[len(s.Lead):] == text {
			return true
		}
	}
	return false
}

// keyOf returns the key of the set that the attributes hold. ok is false if a key attribute is
// absent or not the string that it must be.
func (s *keySet) keyOf(attributes item.Item) (k checkedKey, ok bool) {
	k.set = s
	if k.pk, ok = s.textOf(s.key.Partition, attributes); !ok || s.key.Sort == "" {
		return k, ok
	}
	k.sk, ok = s.textOf(s.key.Sort, attributes)
	return k, ok
}

// textOf returns the text of a key attribute, or "" for another value where that is allowed.
func (s *keySet) textOf(name string, attributes item.Item) (text string, ok bool) {
	v := attributes.Get(name)
	if text, ok = keyText(v); ok {
		return text, true
	}
	return "", v != "" && !s.isText(name)
}

// matcher compares keys with their declarations.
type matcher struct {
	engine  *Engine
	set     *keySet
	pointer string // last segment of a latest item's key, allowed everywhere; "" for none
}

// match returns the entity that the keys belong to, or nil. sk has no version.
func (m *matcher) match(pk, sk string) *entity {
	prefix, _, _ := nextSegment(pk)
	if e := m.matchFamily(m.set.prefixes[prefix], pk, sk); e != nil {
		return e
	}
	return m.matchFamily(m.set.prefixes[""], pk, sk)
}

func (m *matcher) matchFamily(f *family, pk, sk string) *entity {
	if f == nil {
		return nil
	}
	lead, _, _ := nextSegment(sk)
	for _, e := range f.leads[lead] {
		if m.matchesPartition(e, pk) && m.matchesSort(e, sk) {
			return e
		}
	}
	for _, e := range f.free {
		if m.matchesPartition(e, pk) && m.matchesSort(e, sk) {
			return e
		}
	}
	return nil
}

// matchesPartition reports whether pk follows the entity's declaration. Its prefix is the entity's.
func (m *matcher) matchesPartition(e *entity, pk string) bool {
	rest, more := pk, true
	if e.Prefix != "" {
		_, rest, more = nextSegment(rest)
	}
	if e.Tenant != TenantNone {
		var tenant string
		if !more {
			return false
		}
		tenant, rest, more = nextSegment(rest)
		if !m.isTenant(e.Tenant, tenant) {
			return false
		}
	}
	if len(e.Partition) == 0 {
		return !more
	}
	return more && m.matches(e.Partition, rest)
}

// isTenant reports whether a segment can be the tenant of an entity.
func (m *matcher) isTenant(mode TenantMode, tenant string) bool {
	if mode == TenantCommon {
		return tenant == conventions.TenantCommon
	}
	return tenant != "" && (m.engine.known == nil || m.engine.known[tenant])
}

func (m *matcher) matchesSort(e *entity, sk string) bool {
	if len(e.Sort) == 0 {
		return sk == ""
	}
	return m.matches(e.Sort, sk)
}

// matches reports whether a key has exactly the declared segments.
func (m *matcher) matches(segments []Segment, key string) bool {
	more := true
	for i := range segments {
		if !more {
			return false
		}
		var text string
		text, key, more = nextSegment(key)
		if !m.accepts(&segments[i], text) && (more || m.pointer == "" || text != m.pointer) {
			return false
		}
	}
	return !more
}

func (m *matcher) accepts(s *Segment, text string) bool { return s.accepts(text, m.engine.known) }

// isState reports whether text is a status word in a primary key, which cannot change with the
// status. The key of an index can, and an index by status finds the items with a status. The policy
// looks for the word only in keys that are wrong already, and in writes that change an attribute
// whose value is in the key, because the word may also be a code or the name of an event.
func (m *matcher) isState(text string) bool {
	return m.set.index == "" && m.engine.status.forms[text]
}
