package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

const separator = '#' // conventions.KeySeparator, as a byte

// nextSegment splits the first segment off a key. more is false if it was the last.
func nextSegment(key string) (segment, rest string, more bool) {
	i := strings.IndexByte(key, separator)
	if i < 0 {
		return key, "", false
	}
	return key[:i], key[i+1:], true
}

// segmentAt returns a segment of a key, counted from 0, or "" if there are fewer.
func segmentAt(key string, n int) string {
	more := true
	for ; n > 0 && more; n-- {
		_, key, more = nextSegment(key)
	}
	if !more {
		return ""
	}
	segment, _, _ := nextSegment(key)
	return segment
}

func countSegments(key string) int { return 1 + strings.Count(key, conventions.KeySeparator) }

// matcher compares keys with their declarations.
type matcher struct {
	engine  *Engine
	set     *keySet
	pointer string // last segment of a latest item's key, allowed everywhere; "" for none
}

// family returns the entities with the prefix of a partition key, or nil if there are none.
func (s *keySet) family(pk string) *family {
	if f := s.prefixes[conventions.Prefix(pk)]; f != nil {
		return f
	}
	return s.prefixes[""]
}

// match returns the entity that the keys belong to, or nil if there is none. sk has no version.
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
func (m *matcher) isState(text string) bool { return m.set.index == "" && m.engine.status[text] }

// tenantOf returns the tenant in a key with the mode, or "" if there is none.
func tenantOf(mode TenantMode, pk string) string {
	if mode == TenantNone {
		return ""
	}
	tenant, _ := conventions.Tenant(pk)
	return tenant
}

// splitVersion splits the version off a sort key. ok is false if it has none.
func splitVersion(sk string) (base string, version int, ok bool) {
	version = conventions.Version(sk)
	if version == conventions.VersionLatest {
		return sk, version, false
	}
	return conventions.RemoveVersion(sk), version, true
}

// looksVersioned reports whether a sort key ends in "@" and text that may be taken for a version:
// digits, a sign, or nothing.
func looksVersioned(sk string) bool {
	i := strings.LastIndex(sk, conventions.VersionSeparator)
	return i >= 0 && strings.Trim(strings.TrimLeft(sk[i+1:], "+-"), "0123456789") == ""
}
