package policy

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// A key condition mixes models ("Designing a DynamoDB table", "Merging several models into one
// table", step 2) if items of several declared entities can satisfy it. Filters do not count,
// because a filter drops items after they were read.

// mixed checks that a key condition selects the items of one entity.
type mixed struct{ *inspection }

// checkMixed reports a key condition that items of several entities can satisfy. f has the entities
// with the prefix.
func (c mixed) checkMixed(k checkedKey, f *family, terms []expr.KeyTerm) {
	m := c.matcher(k.set)
	selected := 0
	for _, e := range f.all {
		if m.matchesPartition(e, k.pk) && m.canMeet(e, terms) {
			selected++
		}
	}
	if selected > 1 {
		c.reportMixed(k, f, terms)
	}
}

func (c mixed) reportMixed(k checkedKey, f *family, terms []expr.KeyTerm) {
	m := c.matcher(k.set)
	var names, leads []string
	var all []*entity
	for _, e := range f.all {
		if m.matchesPartition(e, k.pk) && m.canMeet(e, terms) {
			all, names, leads = append(all, e), append(names, e.Name), append(leads, e.lead())
		}
	}
	k.entity = nil
	found := c.report(RuleMixedRead, k, "the key condition can select items of the entities %s",
		enumerate(names, "and"))
	switch indexes := c.partingIndexes(all, k.set); {
	case tellApart(leads):
		for i := range leads {
			leads[i] = quoteKey(leads[i]) + " for " + names[i]
		}
		found.Remedy = "let the sort key begin with " + enumerate(leads, "or")
	case len(indexes) > 0:
		found.Remedy = "query an index that has one of them only: " + enumerate(indexes, "or")
	default:
		found.Remedy =
			"begin the sort key of each entity with a segment of its own, or give each an index with key attributes of its own"
	}
}

// tellApart reports whether no lead is a prefix of another.
func tellApart(leads []string) bool {
	for i, a := range leads {
		for j, b := range leads {
			if i != j && strings.HasPrefix(b, a) {
				return false
			}
		}
	}
	return true
}

// partingIndexes returns the names of the table's other indexes that hold only one of the entities.
func (c mixed) partingIndexes(entities []*entity, read *keySet) (names []string) {
	for _, x := range c.table.indexes {
		held := 0
		for _, e := range entities {
			if slices.ContainsFunc(x.entities, func(of *entity) bool { return of.Name == e.Name }) {
				held++
			}
		}
		if x != read && held == 1 {
			names = append(names, x.index)
		}
	}
	return names
}

// enumerate writes a list of words: a, b and c.
func enumerate(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// canMeet reports whether sort keys of an entity can satisfy the terms on the sort key.
func (m *matcher) canMeet(e *entity, terms []expr.KeyTerm) bool {
	name := m.set.key.Sort
	for i := range terms {
		if t := &terms[i]; t.Name == name && name != "" && !m.canMeetTerm(e, t) {
			return false
		}
	}
	return true
}

func (m *matcher) canMeetTerm(e *entity, t *expr.KeyTerm) bool {
	value := t.Value.Str()
	low, high := e.span()
	switch t.Op {
	case expr.KeyBeginsWith:
		return m.canBegin(e, value)
	case expr.KeyLess, expr.KeyAtMost:
		return low <= value
	case expr.KeyGreater, expr.KeyAtLeast:
		return value < high
	case expr.KeyBetween:
		return value < high && low <= t.Hi.Str()
	case expr.KeyEqual:
		return m.matchesSort(e, m.withoutVersion(value))
	case expr.KeyIn:
		return m.canBeOneOf(e, t.Value)
	}
	return true
}

func (m *matcher) canBeOneOf(e *entity, values item.Value) bool {
	for v := range values.Elems() {
		if m.matchesSort(e, m.withoutVersion(v.Str())) {
			return true
		}
	}
	return false
}

func (m *matcher) withoutVersion(sk string) string {
	if base, _, ok := splitVersion(sk); ok && m.set.index == "" {
		return base
	}
	return sk
}

// canBegin reports whether sort keys of an entity can begin with a text.
func (m *matcher) canBegin(e *entity, prefix string) bool {
	base := m.withoutVersion(strings.TrimSuffix(prefix, conventions.VersionSeparator))
	whole := base != prefix
	for i := range e.Sort {
		segment, rest, more := nextSegment(base)
		switch {
		case more && !m.accepts(&e.Sort[i], segment):
			return false
		case !more && whole:
			return i == len(e.Sort)-1 && m.accepts(&e.Sort[i], segment)
		case !more:
			return e.Sort[i].begins(segment) || strings.HasPrefix(m.pointer, segment)
		}
		base = rest
	}
	return false
}
