package policy

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// entity is a compiled Entity.
type entity struct {
	Entity
	id     int     // its number for State
	status string  // its segment of the type Status, "" if it has none
	parent *entity // nil if it has none
	at     int     // its index among the entities of the policy
	times  *times  // nil if its keys have no two times that must agree

	// inSegments reports whether segments of the type Tenant name tenants. The second segment of
	// the partition key may name one too.
	inSegments bool
}

// classify records the status segment and the times of an entity's keys.
func (e *entity) classify() {
	for _, segments := range [...][]Segment{e.Partition, e.Sort} {
		for i := range segments {
			if segments[i].Type == Status {
				e.status = segments[i].String()
			}
		}
	}
	span := slices.IndexFunc(e.Partition,
		func(s Segment) bool { return s.Type == Month || s.Type == Date })
	if span < 0 {
		return
	}
	at := slices.IndexFunc(e.Sort, func(s Segment) bool {
		return s.Type == Timestamp || s.Type == Date
	})
	if at >= 0 {
		e.times = &times{e.before() + span, at, &e.Partition[span], &e.Sort[at]}
	}
}

// before returns the number of segments in front of those of Partition.
func (e *entity) before() (n int) {
	if e.Prefix != "" {
		n++
	}
	if e.Tenant != TenantNone {
		n++
	}
	return n
}

// namesTenant reports whether the keys of an entity name the owner of each item: a tenant, or all
// tenants together.
func (e *entity) namesTenant() bool {
	return e.Tenant != TenantNone || hasTenantSegment(e.Partition) || hasTenantSegment(e.Sort)
}

// hasOwner reports whether an entity has items that belong to one tenant.
func (e *entity) hasOwner() bool {
	return e.Tenant == TenantRequired || hasTenantSegment(e.Partition) || hasTenantSegment(e.Sort)
}

func hasTenantSegment(segments []Segment) bool {
	return slices.ContainsFunc(segments, func(s Segment) bool { return s.Type == Tenant })
}

// isFixed reports whether all items of an entity have the same partition key and are not shared
// data.
func (e *entity) isFixed() bool {
	return e.Tenant == TenantNone &&
		!slices.ContainsFunc(e.Partition, func(s Segment) bool { return len(s.Values) != 1 })
}

// tenantInSort reports whether the entity's sort key names the tenant and its partition key does
// not.
func (e *entity) tenantInSort() bool {
	return e.Tenant == TenantNone &&
		slices.ContainsFunc(e.Sort, func(s Segment) bool { return s.Type == Tenant }) &&
		!slices.ContainsFunc(e.Partition, func(s Segment) bool { return s.Type == Tenant })
}

// partitionPattern returns the segments of the partition key after the prefix.
func (e *entity) partitionPattern() []Segment {
	if e.Tenant == TenantNone {
		return e.Partition
	}
	return append([]Segment{{Name: "tenant", Type: Tenant}}, e.Partition...)
}

func overlap(a, b []Segment) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].overlaps(&b[i]) {
			return false
		}
	}
	return true
}

// tenantsOverlap reports whether two entities of a prefix can have the same second segment.
func tenantsOverlap(a, b TenantMode) bool {
	return a == b || a != TenantCommon || b != TenantRequired
}

// lead returns the common prefix of all sort keys of an entity, or "" if they share none.
func (e *entity) lead() string {
	var b strings.Builder
	for i := range e.Sort {
		s := &e.Sort[i]
		if s.Type != Literal {
			return b.String() + s.Lead
		}
		b.WriteString(s.Values[0])
		if i < len(e.Sort)-1 {
			b.WriteString(conventions.KeySeparator)
		}
	}
	return b.String()
}

// leads reports whether sort keys of an entity may begin with a segment or, unless whole is set,
// with a part of one. It ignores the version.
func (e *entity) leads(segment string, whole bool) bool {
	if len(e.Sort) == 0 {
		return true
	}
	base, _, versioned := strings.Cut(segment, conventions.VersionSeparator)
	if whole || versioned {
		return e.Sort[0].accepts(base, nil) || e.Sort[0].isText()
	}
	return e.Sort[0].begins(segment)
}

// span returns the range of an entity's sort keys: from low on, and below high.
func (e *entity) span() (low, high string) {
	lead := e.lead()
	n := strings.Count(lead, conventions.KeySeparator)
	if n >= len(e.Sort) || e.Sort[n].isText() || e.Sort[n].isFixed() {
		return lead, lead + "\xff"
	}
	letters := e.Sort[n].alphabet()
	if e.Sort[n].Type != ULID {
		letters = "0123456789" // the first characters of numbers and times
	}
	return lead + letters[:1], lead + letters[len(letters)-1:] + "\xff"
}

// times locates a month or day in a partition key and the time in the sort key that must be within
// it.
type times struct {
	partition, sort int // indexes of the segments in the whole keys
	span, at        *Segment
}
