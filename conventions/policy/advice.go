package policy

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// Advice is one declaration of a policy that the documents advise against. The policy allows it,
// unless a rule refuses it.
type Advice struct {
	Field    string // path of the field in the policy file: tables[0].entities[2].sort
	Rule     *Rule
	Severity Severity // the rule's severity in the table
	Message  string
	Remedy   string
}

func (a *Advice) Error() string {
	return a.Rule.ID + ": " + a.Message + "; instead, " + a.Remedy
}

// Advise returns the declarations of a compiled policy that the documents advise against. It skips
// rules that are off.
func Advise(p Policy) []Advice {
	a := adviser{policy: &p, words: p.StatusWords}
	if a.words == nil {
		a.words = defaultStatusWords
	}
	for _, key := range slices.Sorted(maps.Keys(p.Tenants.Callers)) {
		if p.Tenants.Callers[key] == conventions.TenantCommon {
			a.say("tenants.callers."+key, RuleTenantCommon,
				"give the caller a tenant of its own, and make that privileged if it is to change what tenants share",
				"the caller's tenant is %s, which is no tenant but what all of them share",
				conventions.TenantCommon)
		}
	}
	a.adviseNames()
	a.adviseIsolation()
	for i := range p.Tables {
		a.table = &p.Tables[i]
		a.adviseTable(fmt.Sprintf("tables[%d]", i))
	}
	return a.advice
}

// adviseNames finds tenants whose names are nearly those of others, so that a person takes one for
// the other: they are different tenants.
func (a *adviser) adviseNames() {
	folded := map[string]string{conventions.TenantCommon: conventions.TenantCommon}
	read := map[string]string{}
	say := func(field, name, other, how string) {
		if other != "" && other != name {
			a.say(field, RuleTenantCaller, "give one of them another name",
				"the tenants %s and %s differ in %s, and are not the same", other, name, how)
		}
	}
	for field, name := range a.policy.Tenants.names() {
		lower, like := strings.ToLower(name), alike.Replace(name)
		say(field, name, folded[lower], "case alone")
		say(field, name, read[like], "a digit and a letter that look alike")
		folded[lower], read[like] = cmp.Or(folded[lower], name), cmp.Or(read[like], name)
	}
}

type adviser struct {
	policy *Policy
	table  *Table // nil for a declaration outside a table
	words  []string
	advice []Advice

	pairs, compared int // see maxPairs and maxCompared
}

// say adds advice, unless the rule is off. If remedy is "" it is that of the rule.
func (a *adviser) say(field string, r *Rule, remedy, format string, args ...any) {
	s := a.severity(r)
	if s == Off {
		return
	}
	if remedy == "" {
		remedy = r.Remedy
	}
	a.advice = append(a.advice,
		Advice{Field: field, Rule: r, Severity: s, Message: fmt.Sprintf(format, args...),
			Remedy: remedy})
}

// hasTenants reports whether the policy declares tenants. If so, partition keys without a tenant
// deserve advice.
func (a *adviser) hasTenants() bool {
	return a.policy.Tenants.isDeclared()
}

// severity returns that of a rule, in the table.
func (a *adviser) severity(r *Rule) Severity {
	s := r.Default
	if own := a.policy.Severities[r.ID]; own != Default {
		s = own
	}
	if a.table != nil && a.table.Severities[r.ID] != Default {
		s = a.table.Severities[r.ID]
	}
	return s
}

func (a *adviser) adviseTable(field string) {
	t := a.table
	key := t.Key
	if key == (KeySchema{}) {
		key = defaultKey
	}
	withTenant := false
	for i := range t.Entities {
		e, at := &t.Entities[i], fmt.Sprintf("%s.entities[%d]", field, i)
		withTenant = withTenant || e.Tenant.isRequired()
		a.adviseSeparators(at, e)
		a.adviseStatus(at, e)
		a.adviseAtSign(at, e)
		a.adviseOverloaded(at, e)
		a.advisePartition(at, e, key)
		a.adviseExpiry(at, e)
		a.adviseVersion(at, e)
		a.adviseMutable(at, e)
	}
	a.adviseCommands(field)
	a.adviseSortKey(field, key)
	for i := range t.Indexes {
		a.adviseIndex(fmt.Sprintf("%s.indexes[%d]", field, i), &t.Indexes[i],
			withTenant || len(t.Entities) == 0 && t.Tenant.isRequired())
	}
}

// adviseSeparators finds segments that have another separator than "#" (guide, anti-pattern 3). An
// underscore may be part of a name, such as ORDER_ITEM. The underscore of Post_ in the second guide
// is a separator, because nothing else separates the prefix from the rest.
func (a *adviser) adviseSeparators(field string, e *Entity) {
	if separates(e.Prefix) || strings.Contains(e.Prefix, conventions.VersionSeparator) {
		a.say(field+".prefix", RuleSeparator, "", "the prefix %q holds another separator than %q",
			e.Prefix, conventions.KeySeparator)
	}
	for s, at := range segmentsOf(field, e) {
		switch {
		case s.isFixed() && slices.ContainsFunc(s.Values, separates):
			a.say(at, RuleSeparator, "", "the segment %s holds another separator than %q", s,
				conventions.KeySeparator)
		case s.Lead != "" && len(conventions.Segments(e.patternOf(s))) > 1:
			a.say(at, RuleSeparator, "", "the segment %s is parted by %q within, and the key by %q",
				s, s.Lead[len(s.Lead)-1:], conventions.KeySeparator)
		}
	}
}

// patternOf returns the pattern of the key with a segment.
func (e *Entity) patternOf(s *Segment) string {
	if slices.ContainsFunc(e.Sort, func(o Segment) bool { return o.String() == s.String() }) {
		return patternText(e.Sort)
	}
	return joinKey(e.Prefix, patternText(e.Partition))
}

// segmentsOf returns the segments of an entity, each with the field that declares it.
func segmentsOf(field string, e *Entity) iter.Seq2[*Segment, string] {
	return func(yield func(*Segment, string) bool) {
		for i := range e.Partition {
			if !yield(&e.Partition[i], field+".partition") {
				return
			}
		}
		for i := range e.Sort {
			if !yield(&e.Sort[i], field+".sort") {
				return
			}
		}
	}
}

func separates(name string) bool {
	return strings.ContainsAny(name, strings.ReplaceAll(foreignSeparators, "_", "")) ||
		strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_")
}

// adviseAtSign finds segments of sort keys that hold e-mail addresses, in a table with versions.
func (a *adviser) adviseAtSign(field string, e *Entity) {
	for i := range e.Sort {
		s := &e.Sort[i]
		const cut = "and the guide's helpers take what follows for a version"
		switch tenant := a.tenantWithVersion(); {
		case a.table.Role == Plain:
		case s.Type == Any && strings.Contains(strings.ToLower(s.Name), "mail"):
			a.say(field+".sort", RuleAtSign, "", "the segment %s holds an @, "+cut, s)
		case s.Type == Tenant && tenant != "":
			a.say(field+".sort", RuleAtSign, "give the tenant a name without it",
				"the segment %s holds the @ of the tenant %s, "+cut, s, tenant)
		}
	}
}

// tenantWithVersion returns the first tenant, by name, whose name has the separator of versions, or
// "".
func (a *adviser) tenantWithVersion() string {
	t := &a.policy.Tenants
	names := slices.Concat(t.Known, t.Privileged, slices.Collect(maps.Values(t.Callers)))
	slices.Sort(names)
	for _, name := range names {
		if strings.Contains(name, conventions.VersionSeparator) {
			return name
		}
	}
	return ""
}

// statusNames are names of segments that change.
var statusNames = []string{"status", "state", "stage", "phase"}

// adviseStatus finds segments of a primary key that change (guide, anti-pattern 2).
func (a *adviser) adviseStatus(field string, e *Entity) {
	for s, at := range segmentsOf(field, e) {
		if a.isStatus(s) {
			a.say(at, RuleMutable,
				"keep it in an attribute, and in the key of an index where items are found by it",
				"the segment %s says in what state an item is, which changes", s)
		}
	}
}

// isStatus reports whether a segment says in what state an item is. A text in capitals, such as
// DRAFT, is the name of a kind.
func (a *adviser) isStatus(s *Segment) bool {
	isWord := func(v string) bool { return slices.Contains(a.words, strings.ToLower(v)) }
	switch s.Type {
	case Status:
		return true
	case Literal:
		return slices.Contains(a.words, s.Values[0])
	}
	return slices.Contains(statusNames, strings.ToLower(s.Name)) ||
		slices.ContainsFunc(s.Values, isWord)
}

// adviseOverloaded finds segments of a sort key that are for filtering (guide, anti-pattern 1):
// values in front of an id, except a variant, a parent's id and a time.
func (a *adviser) adviseOverloaded(field string, e *Entity) {
	varying, last := 0, len(e.Sort)-1
	for i := range e.Sort {
		s := &e.Sort[i]
		if !s.isFixed() {
			varying++
		}
		inFront := i < last && e.Sort[last].Type == ULID
		filtered := s.Type == Enum && i > 0 || i > 0 && inFront &&
			(s.Type == Date || s.Type == Month || s.Type == Timestamp)
		if filtered && s.Type != Status {
			a.say(field+".sort", RuleOverloaded, "",
				"the segment %s is what items are filtered by, and does not identify them", s)
			return
		}
	}
	if varying > 3 {
		a.say(field+".sort", RuleOverloaded, "", "the sort key has %d segments that vary", varying)
	}
}

// advisePartition finds partition keys without the tenant, partition keys of unlimited number, and
// a single one for all items (guide, best practices 4 and 5; "Managing latest in DynamoDB", the bad
// solution).
func (a *adviser) advisePartition(field string, in *Entity, key KeySchema) {
	e := entity{Entity: *in}
	inSort := in.Tenant == TenantNone && slices.ContainsFunc(in.Sort, isTenant) &&
		!slices.ContainsFunc(in.Partition, isTenant)
	switch {
	case inSort:
		a.say(field+".sort", RuleTenantInSortKey, "", "the tenant is in the sort key only")
	case in.Tenant == TenantNone && a.hasTenants():
		a.say(field+".tenant", RuleTenantMissing, "", "the partition keys of %s name no tenant",
			in.Name)
	}
	if e.isFixed() && !inSort && key.Sort != "" {
		a.say(field, RuleFixedPartition, "", "all items of %s are in one partition", in.Name)
	}
	endless := slices.IndexFunc(in.Partition,
		func(s Segment) bool { return s.Type == Any || s.Type == ULID || s.Type == Number })
	if in.Prefix != "" && endless >= 0 && in.MaxPartitions == 0 {
		a.say(field+".partition", RuleUnbounded, RuleUnbounded.Remedy+", or declare max-partitions",
			"%s has a partition for each %s, without bound", in.Name, in.Partition[endless])
	}
}

// adviseVersion finds entities that declare the version attribute mutable. The rules on versions
// say when it changes (guide, "Version management").
func (a *adviser) adviseVersion(field string, e *Entity) {
	version := cmp.Or(a.table.VersionAttribute, defaultVersionAttribute)
	if a.table.Role == Plain || !slices.Contains(e.Mutable, version) {
		return
	}
	rule, why := RuleVersionNotRaised, "is raised by one with each change, and not otherwise"
	if a.table.Role != Data {
		rule, why = RuleHistory, "of a "+a.table.Role.String()+" never changes"
	}
	a.say(field+".mutable", rule, "leave it out of mutable", "the version attribute %s %s",
		version, why)
}

// adviseMutable finds attributes that are said to change where nothing looks whether keys hold them
// (guide, anti-pattern 2).
func (a *adviser) adviseMutable(field string, e *Entity) {
	if len(e.Mutable) > 0 && a.severity(RuleMutable) == Off {
		a.advice = append(a.advice, Advice{Field: field + ".mutable", Rule: RuleMutable,
			Severity: Off, Message: "the rule is off, so that keys may hold what changes",
			Remedy: "leave the rule on, or leave mutable out"})
	}
}

// temporary are words for what is not kept (guide, pattern 3: temp#session456).
var temporary = []string{"temp", "tmp", "temporary", "session", "otp"}

// adviseExpiry finds items that are temporary by their keys and stay.
func (a *adviser) adviseExpiry(field string, e *Entity) {
	if e.Expires != "" || a.table.Role == Command || a.table.Role == History {
		return
	}
	for s, at := range segmentsOf(field, e) {
		i := slices.IndexFunc(s.Values, func(v string) bool {
			return slices.Contains(temporary, strings.ToLower(v))
		})
		if i >= 0 {
			a.say(at, RuleExpiryMissing,
				"declare an entity of its own for them, with the attribute that TTL looks at: expires: ttl",
				"items whose keys have %q do not expire", s.Values[i])
			return
		}
	}
}

// isTenant reports whether a segment is a tenant, by its type or its name.
func isTenant(s Segment) bool {
	name := strings.ReplaceAll(strings.ToLower(s.Name), "_", "")
	return s.Type == Tenant || slices.Contains([]string{"tenant", "tenantcode", "tenantid"}, name)
}

// adviseSortKey finds a sort key that is equal in all items ("Managing latest in DynamoDB", the bad
// solution: a needless column).
func (a *adviser) adviseSortKey(field string, key KeySchema) {
	t := a.table
	isConstant := func(e Entity) bool {
		return !slices.ContainsFunc(e.Sort, func(s Segment) bool { return s.Type != Literal })
	}
	byPartition := t.Latest != nil && t.Latest.Attribute == key.Partition
	needless := func(e Entity) bool { return isConstant(e) || identifiesAlone(e) }
	if key.Sort == "" || t.Role == Command || t.Role == History || !byPartition &&
		(len(t.Entities) != 1 || !needless(t.Entities[0])) {
		return
	}
	a.say(field+".key", RuleOverloaded,
		"leave the sort key out: in a table without one the partition key identifies the item",
		"the sort key %s tells no items apart", key.Sort)
}

// identifiesAlone reports whether the partition key identifies an item: it has a ULID, and the sort
// key only the time at which the item was made ("Managing latest in DynamoDB", createdAt). A time
// that a partition has many of, as of a log, is named otherwise.
func identifiesAlone(e Entity) bool {
	isULID := func(s Segment) bool { return s.Type == ULID }
	if !slices.ContainsFunc(e.Partition, isULID) || len(e.Sort) != 1 {
		return false
	}
	name := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(e.Sort[0].Name))
	return slices.Contains([]string{"created", "createdat", "updatedat"}, name)
}

// adviseIndex finds indexes that do not separate the items of tenants (guide, best practice 5).
func (a *adviser) adviseIndex(field string, x *Index, tableHasTenants bool) {
	for i := range x.Entities {
		e, at := &x.Entities[i], fmt.Sprintf("%s.entities[%d]", field, i)
		a.adviseSeparators(at, e)
		if e.Tenant == TenantNone && tableHasTenants && a.hasTenants() {
			a.say(at+".tenant", RuleTenantMissing,
				"make the tenant the second segment of the index's partition key",
				"the index %s has the items of all tenants in the partitions of %s", x.Name, e.Name)
		}
	}
	if len(x.Entities) == 0 && x.Tenant == TenantNone && tableHasTenants && a.hasTenants() {
		a.say(field+".tenant", RuleTenantMissing,
			"make the tenant the second segment of the index's partition key",
			"the index %s has the items of all tenants in its partitions", x.Name)
	}
}
