package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

// foreignSeparators are common separators other than conventions.KeySeparator.
const foreignSeparators = "-_:/|.,;~ \t"

// diagnosis finds the one rule that a key without a declared entity breaks (package doc, "What is
// decided where the documents leave it open").
type diagnosis struct {
	*inspection
	m  *matcher
	k  *checkedKey
	it item.Item
}

// diagnose reports why a key belongs to no declared entity. It returns the key with the entity that
// was probably meant, if there is one. (It works on copies, so that valid keys cost no allocation.)
func diagnose(in *inspection, k checkedKey, it item.Item) checkedKey {
	own := *in
	m := own.matcher(k.set)
	(&diagnosis{&own, &m, &k, it}).run()
	in.findings = own.findings
	return k
}

func (d *diagnosis) run() {
	prefix := conventions.Prefix(d.k.pk)
	f := d.m.set.prefixes[prefix]
	if f == nil {
		f = d.m.set.prefixes[""]
	}
	if f == nil {
		d.prefix()
		return
	}
	var fitting []*entity
	for _, e := range f.all {
		if d.m.matchesPartition(e, d.k.pk) {
			fitting = append(fitting, e)
		}
	}
	if len(fitting) == 0 {
		d.partition(
			nearest(f.all, countSegments(d.k.pk),
				func(e *entity) int { return e.before() + len(e.Partition) }))
		return
	}
	d.sort(fitting)
}

// prefix reports a partition key without a declared prefix.
func (d *diagnosis) prefix() {
	for prefix := range d.m.set.prefixes {
		if beginsForeign(d.k.pk, prefix) {
			d.report(RuleSeparator, *d.k, "the partition key %s is not separated by %q",
				quoteKey(d.k.pk), conventions.KeySeparator)
			return
		}
	}
	d.report(RuleUndeclaredPrefix, *d.k, "no entity has a partition key that begins with %s",
		quoteKey(conventions.Prefix(d.k.pk)))
}

// beginsForeign reports whether key begins with a word that a foreign separator follows. A longer
// name does not count: ORDER_ITEM# does not begin with the word ORDER.
func beginsForeign(key, word string) bool {
	return word != "" && len(key) > len(word) && key[:len(word)] == word &&
		strings.IndexByte(foreignSeparators, key[len(word)]) >= 0 &&
		!beginsWithName(key)
}

// beginsWithName reports whether the first of several segments consists of "_" and letters of one
// case.
func beginsWithName(key string) bool {
	name, _, more := strings.Cut(key, conventions.KeySeparator)
	letters := strings.ReplaceAll(name, "_", "")
	isLetter := func(r rune) bool { return 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' }
	return more && strings.TrimFunc(letters, isLetter) == "" &&
		(letters == strings.ToUpper(letters) || letters == strings.ToLower(letters))
}

// partition reports the difference between the partition key and the entity's declaration.
func (d *diagnosis) partition(e *entity) {
	d.k.entity = e
	segments := conventions.Segments(d.k.pk)
	want := e.before() + len(e.Partition)
	rest := segments
	if e.Prefix != "" {
		rest = rest[1:]
	}
	if e.Tenant != TenantNone {
		tenant := ""
		if len(rest) > 0 {
			tenant = rest[0]
		}
		if !d.m.isTenant(e.Tenant, tenant) || len(segments) == want-1 &&
			e.Partition[0].Type != Any && e.Partition[0].accepts(tenant, nil) {
			reportTenant(d.inspection, d.k, e.Tenant, tenant)
			return
		}
		rest = rest[1:]
	}
	switch {
	case len(segments) != want || containsEmpty(segments):
		d.count("partition", d.k.pk, len(segments), want)
	default:
		d.values("partition", e.Partition, rest)
	}
}

// reportTenant reports a partition key with the wrong tenant in its second segment.
func reportTenant(in *inspection, k *checkedKey, mode TenantMode, tenant string) {
	lead := conventions.Prefix(k.base)
	k.judged = true
	switch {
	case mode == TenantCommon && tenant != "":
		in.report(RuleTenantCommon, *k, "shared data is in the tenant %s", quoteKey(tenant))
	case lead != "" && (lead == in.caller.tenant || in.engine.lists(lead)):
		in.report(RuleTenantInSortKey, *k,
			"the tenant %s is in the sort key and not in the partition key %s", quoteKey(lead),
			quoteKey(k.pk))
	case tenant != "" && in.engine.known != nil:
		in.report(RuleTenantMissing, *k,
			"the second segment of the partition key, %s, is no known tenant", quoteKey(tenant))
	default:
		in.report(RuleTenantMissing, *k, "the partition key %s has no tenant", quoteKey(k.pk))
	}
}

func (d *diagnosis) count(part, key string, have, want int) {
	d.report(RuleSegments, *d.k,
		"the %s key %s of %s has %d segments, of which none may be empty, and should have %d", part,
		quoteKey(key), d.k.entity.Name, have, want)
}

// sort reports why the sort key belongs to none of the entities with its partition key.
func (d *diagnosis) sort(fitting []*entity) {
	segments := conventions.Segments(d.k.base)
	var led []*entity
	for _, e := range fitting {
		if len(e.Sort) > 0 && e.Sort[0].leads(segments[0]) {
			led = append(led, e)
		}
	}
	if len(led) == 0 {
		d.lead(fitting, segments[0])
		return
	}
	e := nearest(led, len(segments), func(e *entity) int { return len(e.Sort) })
	d.k.entity = e
	switch {
	case len(segments) > len(e.Sort):
		d.extra(segments, len(segments)-len(e.Sort))
	case len(segments) < len(e.Sort) && d.separated(e.Sort, segments):
	case len(segments) < len(e.Sort) || containsEmpty(segments):
		d.count("sort", d.k.base, len(segments), len(e.Sort))
	default:
		d.values("sort", e.Sort, segments)
	}
}

// lead reports a sort key that begins like that of no entity.
func (d *diagnosis) lead(fitting []*entity, first string) {
	for _, e := range fitting {
		for _, s := range e.Sort[:min(1, len(e.Sort))] {
			for _, word := range s.Values {
				if beginsForeign(d.k.base, word) {
					d.k.entity = e
					d.report(RuleSeparator, *d.k, "the sort key %s is not separated by %q",
						quoteKey(d.k.base), conventions.KeySeparator)
					return
				}
			}
		}
	}
	d.report(RuleUndeclaredPrefix, *d.k,
		"no entity of this partition has a sort key that begins with %s", quoteKey(first))
}

// extra reports a sort key with n extra segments.
func (d *diagnosis) extra(segments []string, n int) {
	for _, s := range segments {
		switch {
		case s == "":
			d.count("sort", d.k.base, len(segments), len(segments)-n)
			return
		case d.m.isState(s):
			d.report(RuleMutable, *d.k, "the sort key %s holds %s, a word of state",
				quoteKey(d.k.base), quoteKey(s))
			return
		}
	}
	repeated := d.repeated(segments)
	switch {
	case repeated != "":
		d.report(RuleOverloaded, *d.k, "the sort key %s repeats the attribute %s",
			quoteKey(d.k.base), repeated)
	case n > 1:
		d.report(RuleOverloaded, *d.k, "the sort key %s has %d segments more than %s",
			quoteKey(d.k.base), n, patternText(d.k.entity.Sort))
	default:
		d.count("sort", d.k.base, len(segments), len(segments)-1)
	}
}

// repeated returns a non-key attribute of the item whose value is one of the segments.
func (d *diagnosis) repeated(segments []string) string {
	for name, v := range d.it.All() {
		if name == d.m.set.key.Partition || name == d.m.set.key.Sort {
			continue
		}
		for i, s := range segments {
			if i >= len(d.k.entity.Sort) && s == v.Str() {
				return name
			}
		}
	}
	return ""
}

// values reports the first segment that does not have its type. The number of segments is right.
func (d *diagnosis) values(part string, declared []Segment, segments []string) {
	for i := range declared {
		s, text := &declared[i], segments[i]
		if d.m.accepts(s, text) || i == len(declared)-1 && d.m.pointer != "" &&
			text == d.m.pointer {
			continue
		}
		switch {
		case d.m.isState(text):
			d.report(RuleMutable, *d.k, "the %s key holds %s, a word of state", part,
				quoteKey(text))
		case d.isSeparated(s, text):
			d.report(RuleSeparator, *d.k,
				"the segment %s of the %s key is separated by something else than %q",
				quoteKey(text), part, conventions.KeySeparator)
		case s.Type == ULID:
			d.report(RuleULID, *d.k, "%s, in the %s key's segment %s, is no ULID", quoteKey(text),
				part, s)
		default:
			d.report(RuleValue, *d.k, "%s, in the %s key, is not as its segment %s has it",
				quoteKey(text), part, s)
		}
		return
	}
}

// separated reports a key with too few segments if one of them holds several values with another
// separator.
func (d *diagnosis) separated(declared []Segment, segments []string) bool {
	for i, text := range segments {
		if d.isSeparated(&declared[i], text) || i == len(segments)-1 && declared[i].isText() &&
			strings.ContainsAny(text, "|/:;~") {
			d.report(RuleSeparator, *d.k,
				"the segment %s of the sort key is separated by something else than %q",
				quoteKey(text), conventions.KeySeparator)
			return true
		}
	}
	return false
}

// isSeparated reports whether text begins with a value of a segment, followed by a foreign
// separator.
func (d *diagnosis) isSeparated(s *Segment, text string) bool {
	if s.isText() || s.Type == Timestamp || s.Type == Date || s.Type == Month {
		return false
	}
	for i := range len(text) {
		if strings.IndexByte(foreignSeparators, text[i]) >= 0 &&
			s.accepts(text[:i], d.engine.known) {
			return true
		}
	}
	return false
}

func containsEmpty(segments []string) bool {
	for _, s := range segments {
		if s == "" {
			return true
		}
	}
	return false
}

// nearest returns the entity whose number of segments is nearest to n. Of two equally near it
// returns the one with more.
func nearest(entities []*entity, n int, count func(*entity) int) *entity {
	var best *entity
	bestDistance := 0
	for _, e := range entities {
		distance := 2 * (count(e) - n)
		if distance < 0 {
			distance = 1 - distance
		}
		if best == nil || distance < bestDistance {
			best, bestDistance = e, distance
		}
	}
	return best
}
