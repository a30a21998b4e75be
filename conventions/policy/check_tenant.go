package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// tenants checks that a caller reaches its own data and shared data only.
type tenants struct{ *inspection }

// checkReach reports a key that names another tenant. An association of a user with a tenant
// (guide, pattern 4) names it in the sort key.
func (c tenants) checkReach(k checkedKey) {
	if !c.caller.isBound() {
		return
	}
	switch tenant := c.foreign(&k); {
	case tenant == "":
		c.checkOwner(k)
	case !c.isRefusedAlready(tenant):
		c.reportCrossing(k, tenant)
	}
}

// checkOwner reports a key that does not say whose its item is though it is declared to: it names
// no tenant, or it is of no entity where the entities have their tenants in segments. That rules on
// the form of keys are lifted makes such an item no tenant's.
func (c tenants) checkOwner(k checkedKey) {
	tenant := k.tenant()
	switch {
	case k.half || k.set.open || c.isRefused(), tenant != "" && tenant == c.caller.tenant:
	case tenant == "" && k.mode() != TenantNone:
		c.checkNamed(k)
	case k.unmatched && k.set.parts(k.pk) && !k.namesInSegments(c.caller.tenant):
		f := c.report(RuleTenantCrossing, k,
			"a request of the tenant %s is for a key that does not say whose it is",
			quoteKey(c.caller.tenant))
		f.Remedy = "name the caller's own tenant in the key, as the policy declares it"
	}
}

// checkNamed reports a key that names no tenant though it is declared to, unless a rule on its form
// has judged that.
func (c tenants) checkNamed(k checkedKey) {
	if k.pk != "" && !k.judged && k.tenant() == "" && k.mode() != TenantNone && !c.isRefused() {
		c.report(RuleTenantMissing, k, "the partition key %s has no tenant", quoteKey(k.pk))
	}
}

// parts reports whether an entity of a partition key's prefix has tenants in segments.
func (s *keySet) parts(pk string) bool {
	f := s.family(pk)
	return f != nil && slices.ContainsFunc(f.all, func(e *entity) bool { return e.inSegments })
}

// namesInSegments reports whether a segment of the type Tenant of the key's entity is a tenant.
func (k *checkedKey) namesInSegments(tenant string) bool {
	if k.entity == nil || !k.entity.inSegments {
		return false
	}
	partition := k.pk
	for range k.entity.before() {
		_, partition, _ = nextSegment(partition)
	}
	return namesTenant(k.entity.Partition, partition, tenant) ||
		namesTenant(k.entity.Sort, k.base, tenant)
}

func (c tenants) reportCrossing(k checkedKey, tenant string) {
	c.report(RuleTenantCrossing, k, "a request of the tenant %s is for a key of the tenant %s",
		quoteKey(c.caller.tenant), quoteKey(tenant))
}

// isRefusedAlready reports whether the name in a key is not a tenant and a finding already rejects
// the action.
func (c tenants) isRefusedAlready(tenant string) bool {
	return c.engine.known != nil && !c.engine.known[tenant] && c.isRefused()
}

// foreign returns the first tenant in a key that is not the caller's, or "".
func (c tenants) foreign(k *checkedKey) string {
	if tenant := k.tenant(); !c.caller.isMine(tenant) {
		return tenant
	}
	if k.entity == nil || !k.entity.inSegments {
		return ""
	}
	rest := k.pk
	for range k.entity.before() {
		_, rest, _ = nextSegment(rest)
	}
	if tenant := c.foreignSegment(k.entity.Partition, rest); tenant != "" {
		return tenant
	}
	return c.foreignSegment(k.entity.Sort, k.base)
}

// foreignSegment returns the first tenant in a part of a key that is not the caller's, or "".
func (c tenants) foreignSegment(segments []Segment, text string) string {
	for i := range segments {
		var segment string
		segment, text, _ = nextSegment(text)
		if tenant := strings.TrimPrefix(segment, segments[i].Lead); segments[i].Type == Tenant &&
			!c.caller.isMine(tenant) {
			return tenant
		}
	}
	return ""
}

// checkChange reports a write of a key that names another tenant, or of data that tenants share.
func (c tenants) checkChange(k checkedKey) {
	c.checkReach(k)
	if c.caller.isBound() && c.isShared(&k) && !k.isWritable() && !c.isRefused() {
		c.report(RuleTenantShared, k,
			"a request of the tenant %s writes an item that all tenants share",
			quoteKey(c.caller.tenant))
	}
}

// checkItem checks the place of a whole item in an index. of is the key of the item. Without the
// sort key of the index it is half a place, which the partition key tells the entity of.
func (c tenants) checkItem(x *keySet, it item.Item, of checkedKey) {
	k := keys(c).checkAttributes(x, it, it)
	k.half = x.key.Sort != "" && it.Get(x.key.Sort) == ""
	if f := x.family(k.pk); f != nil && k.half {
		m := c.matcher(x)
		k.entity = f.only(func(e *entity) bool { return m.matchesPartition(e, k.pk) })
	}
	c.checkPlace(k, of)
}

// checkPlace reports a place in an index that names another tenant, or where a tenant's own item
// would be among those that all tenants share. of is the key of the item. An index with the
// partition key of the table has an item where the table has it.
func (c tenants) checkPlace(k, of checkedKey) {
	c.checkReach(k)
	if c.caller.operator && !k.set.open && !c.isRefused() {
		c.checkOwners(of, k)
	}
	if k.set.key.Partition == of.set.key.Partition {
		return
	}
	if c.caller.isBound() && c.isShared(&k) && !c.isShared(&of) && !k.isWritable() &&
		!c.isRefused() {
		f := c.report(RuleTenantShared, k,
			"a request of the tenant %s puts its item among those that all tenants share in %s",
			quoteKey(c.caller.tenant), k.set.title())
		f.Remedy =
			"use the caller's own tenant in the key of the index, or declare the index's entity with writable: true"
	}
}

// checkOwners reports an item that is in a part of an index that is another tenant's, who would
// read it there.
func (c tenants) checkOwners(k, inIndex checkedKey) {
	own, there := k.owner(), inIndex.owner()
	if own != "" && there != "" && own != there && own != conventions.TenantCommon &&
		there != conventions.TenantCommon {
		f := c.report(RuleTenantCrossing, inIndex,
			"an item of the tenant %s is in a partition of the tenant %s", quoteKey(own),
			quoteKey(there))
		f.Remedy = "name the item's own tenant in the key of the index"
	}
}

// owner returns the tenant whose item a key is of: that of its first segment for tenants if it
// names none or common elsewhere. It returns "" if the key names no tenant at all.
func (k *checkedKey) owner() string {
	tenant := k.tenant()
	if tenant != "" && tenant != conventions.TenantCommon || k.entity == nil ||
		!k.entity.inSegments {
		return tenant
	}
	rest := k.pk
	for range k.entity.before() {
		_, rest, _ = nextSegment(rest)
	}
	if in := tenantIn(k.entity.Partition, rest); in != "" {
		return in
	}
	return cmp.Or(tenantIn(k.entity.Sort, k.base), tenant)
}

// tenantIn returns the first segment of the type Tenant in a part of a key, or "".
func tenantIn(segments []Segment, text string) string {
	for i := range segments {
		var segment string
		segment, text, _ = nextSegment(text)
		if segments[i].Type == Tenant {
			return strings.TrimPrefix(segment, segments[i].Lead)
		}
	}
	return ""
}

// isRefused reports whether a finding already rejects the action.
func (c tenants) isRefused() bool {
	return slices.ContainsFunc(c.findings,
		func(f Finding) bool { return f.Action == c.action && f.Severity == Enforce })
}

// isShared reports whether a key names the tenant common and not the caller's tenant.
func (c tenants) isShared(k *checkedKey) bool {
	tenant := k.tenant()
	shared, own := tenant == conventions.TenantCommon, tenant != "" && tenant == c.caller.tenant
	shared = shared || k.namesInSegments(conventions.TenantCommon)
	own = own || k.namesInSegments(c.caller.tenant)
	return shared && (!own || c.caller.tenant == conventions.TenantCommon)
}

// namesTenant reports whether a segment of the type Tenant in a part of a key is a tenant.
func namesTenant(segments []Segment, text, tenant string) bool {
	for i := range segments {
		var segment string
		segment, text, _ = nextSegment(text)
		if segments[i].Type == Tenant && strings.TrimPrefix(segment, segments[i].Lead) == tenant {
			return true
		}
	}
	return false
}

// checkPartitionReach reports a read of a partition that may find items of other tenants. sort is
// the condition on the sort key, or nil.
func (c tenants) checkPartitionReach(k checkedKey, sort *expr.KeyTerm) {
	before := len(c.findings)
	if c.checkReach(k); !c.caller.isBound() || len(c.findings) > before {
		return
	}
	if k.entity != nil {
		c.checkEntityReach(k, sort)
		return
	}
	fits := false
	if f := k.set.family(k.pk); f != nil {
		m := c.matcher(k.set)
		for _, e := range f.all {
			if !m.matchesPartition(e, k.pk) {
				continue
			}
			fits = true
			of := k
			of.entity, of.base = e, ""
			if !c.checkEntityReach(of, sort) {
				return
			}
		}
	}
	// a key of no entity is not among those that tenants share, whatever it says
	named := k.tenant() != "" && (len(k.set.entities) == 0 || k.tenant() == c.caller.tenant)
	if !fits && !c.isRefused() && c.hides(k.set, named) {
		c.reportHidden(k)
	}
}

// checkSharedReach reports a read of an index with the partition key of the table, if its
// partitions hold items whose sort keys in the table name other tenants.
func (c tenants) checkSharedReach(k checkedKey, terms []expr.KeyTerm) {
	primary := &c.table.primary
	if k.set.index == "" || k.set.open || !c.caller.isBound() ||
		k.set.key.Partition != primary.key.Partition {
		return
	}
	f := primary.family(k.pk)
	if f == nil || k.entity != nil && hasTenantSegment(k.entity.Sort) {
		return
	}
	m, sort := c.matcher(primary), termOn(terms, primary.key.Sort)
	for _, e := range f.all {
		if m.matchesPartition(e, k.pk) && c.reachesOthers(primary, e, sort) {
			found := c.report(RuleTenantCrossing, k,
				"the index holds the items of all tenants that are in %s", quoteKey(k.pk))
			found.Remedy =
				"query the table by sort keys that name the tenant, or an index whose keys name it"
			return
		}
	}
}

// checkEntityReach reports a read of a partition that may find items of an entity that are another
// tenant's. It returns true if it reports nothing.
func (c tenants) checkEntityReach(k checkedKey, sort *expr.KeyTerm) bool {
	before := len(c.findings)
	switch {
	case c.hides(k.set, k.entity.namesTenant()):
		c.reportHidden(k)
	case c.reachesOthers(k.set, k.entity, sort):
		f := c.report(RuleTenantCrossing, k, "the query reads the sort keys of all tenants in %s",
			quoteKey(k.pk))
		f.Remedy = "have the sort key's condition name the tenant, as in begins_with(" +
			k.set.key.Sort + ", :tenant) with its whole segment and the #"
	default:
		c.checkReach(k)
	}
	return len(c.findings) == before
}

// hides reports whether a bound caller must not read an index by keys that name no tenant: the
// index holds the items of all tenants.
func (c tenants) hides(set *keySet, namesTenant bool) bool {
	return set.index != "" && !set.open && !namesTenant && c.table.primary.hasTenants()
}

func (c tenants) reportHidden(k checkedKey) {
	f := c.report(RuleTenantCrossing, k,
		"the keys of %s name no tenant, and it holds the items of all", k.set.title())
	f.Remedy =
		"read an index whose partition key names the tenant, or declare the index with open: true"
}

// reachesOthers reports whether a condition on the sort key matches items of an entity whose sort
// keys name another tenant.
func (c tenants) reachesOthers(set *keySet, e *entity, sort *expr.KeyTerm) bool {
	if !hasTenantSegment(e.Sort) {
		return false
	}
	if sort != nil && sort.Op == expr.KeyIn {
		return c.reachesOthersIn(set, e, sort.Value)
	}
	prefix, whole := commonPrefix(sort)
	if whole {
		prefix = c.withoutVersion(set, prefix)
	}
	return c.reachesBeyond(e, prefix, whole)
}

// reachesOthersIn is reachesOthers for a list of sort keys. It works on a copy, so that other reads
// allocate nothing.
func (c tenants) reachesOthersIn(set *keySet, e *entity, sorts item.Value) bool {
	own := *c.inspection
	for v := range sorts.Elems() {
		if (tenants{&own}).reachesBeyond(e, own.withoutVersion(set, v.Str()), true) {
			return true
		}
	}
	return false
}

// reachesBeyond reports whether a sort key of the entity that begins with prefix can name another
// tenant. If whole is set, prefix is the whole sort key.
func (c tenants) reachesBeyond(e *entity, prefix string, whole bool) bool {
	for i := range e.Sort {
		s := &e.Sort[i]
		text, rest, more := nextSegment(prefix)
		complete := more || whole
		switch {
		case s.isFixed() &&
			!slices.ContainsFunc(s.Values,
				func(v string) bool {
					return v == text || !complete && strings.HasPrefix(v, text)
				}):
			return false // the sort key belongs to another entity
		case !strings.HasPrefix(text, s.Lead) && (complete || !strings.HasPrefix(s.Lead, text)):
			return false
		case s.Type == Tenant && (!complete || !c.caller.isMine(strings.TrimPrefix(text, s.Lead))):
			return true
		}
		prefix = rest
	}
	return false
}

// commonPrefix returns the common prefix of all sort keys that match a condition. whole reports
// that only the prefix itself matches.
func commonPrefix(sort *expr.KeyTerm) (prefix string, whole bool) {
	if sort == nil {
		return "", false
	}
	low, high := sort.Value.Str(), sort.Hi.Str()
	switch sort.Op {
	case expr.KeyEqual:
		return low, true
	case expr.KeyBeginsWith:
		return low, false
	case expr.KeyBetween:
		n := 0
		for n < min(len(low), len(high)) && low[n] == high[n] {
			n++
		}
		return low[:n], false
	}
	return "", false
}

// termOn returns the term of a condition on a key attribute, or nil. It prefers equality, then IN,
// then any other term.
func termOn(terms []expr.KeyTerm, name string) *expr.KeyTerm {
	var found *expr.KeyTerm
	for i := range terms {
		if terms[i].Name != name || name == "" {
			continue
		}
		if terms[i].Op == expr.KeyEqual {
			return &terms[i]
		}
		if found == nil || terms[i].Op == expr.KeyIn {
			found = &terms[i]
		}
	}
	return found
}
