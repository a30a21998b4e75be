package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

// keys checks how the keys of items are built.
type keys struct{ *inspection }

// checkAttributes checks the key of the table or an index in the attributes of a request or item.
// An item without the key of an index is not in the index. it is the known part of the item.
func (c keys) checkAttributes(set *keySet, attributes, it item.Item) checkedKey {
	k, ok := set.keyOf(attributes)
	if ok {
		c.checkKey(&k, it)
		return k
	}
	if (schema(c)).isStrange(set, attributes) {
		schema(c).reportStrange(set, attributes)
		return checkedKey{set: set}
	}
	for _, name := range [...]string{set.key.Partition, set.key.Sort} {
		// the database itself rejects a missing key
		if v := attributes.Get(name); v != "" && v.Type() != item.S && set.isText(name) {
			c.report(RuleUndeclaredPrefix, k, "the keys of %s are strings, and %s is none",
				set.title(), name)
			break
		}
	}
	return k
}

// checkKey checks the form of a key and finds its entity.
func (c keys) checkKey(k *checkedKey, it item.Item) {
	versioned := false
	k.base = k.sk
	if c.table.role != Plain && k.set.index == "" {
		k.base, _, versioned = splitVersion(k.sk)
	}
	m := c.matcher(k.set)
	if len(k.set.entities) > 0 {
		if k.entity = m.match(k.pk, k.base); k.entity == nil {
			*k = diagnose(c.inspection, *k, it)
			k.unmatched = true
		} else {
			c.checkTimes(*k)
		}
	} else if k.set.tenant != TenantNone {
		c.checkUndeclaredTenant(k)
	}
	if k.set.index == "" {
		c.checkKeyVersion(k, versioned)
	}
	if it != "" && k.set.index == "" {
		identity(c).checkIdentity(*k, it)
	}
	if k.set.index == "" {
		c.checkAtSign(*k)
	}
	if k.entity == nil {
		return
	}
	switch {
	case k.entity.tenantInSort():
		c.report(RuleTenantInSortKey, *k, "the keys of %s name the tenant in the sort key only",
			k.entity.Name)
	case k.entity.isFixed() && k.set.key.Sort != "" && k.set.index == "":
		c.report(RuleFixedPartition, *k, "all items of %s are in the one partition %s",
			k.entity.Name, quoteKey(k.pk))
	}
	if k.entity.status != "" && k.set.index == "" {
		f := c.report(RuleMutable, *k, "the keys of %s hold the state of the item, %s",
			k.entity.Name, k.entity.status)
		f.Remedy =
			"keep the state in an attribute, and in the key of an index where items are found by it"
	}
	if it != "" {
		mutables(c).checkMutable(*k, it)
	}
}

// checkAtSign finds a value with an "@" in the sort key of a table with versions. The guide's
// helpers take what follows the last "@" for a version.
func (c keys) checkAtSign(k checkedKey) {
	if c.table.role != Plain && hasAtSign(&k) && !(tenants(c)).isRefused() {
		c.report(RuleAtSign, k,
			"the guide's helpers take what follows the last %q in the sort key %s for a version",
			conventions.VersionSeparator, quoteKey(k.base))
	}
}

// hasAtSign reports whether a sort key has an "@" that is not before a version.
func hasAtSign(k *checkedKey) bool {
	return strings.Contains(k.base, conventions.VersionSeparator) && !looksVersioned(k.base)
}

// checkTimes compares the month or day in a partition key with the time in the sort key.
func (c keys) checkTimes(k checkedKey) {
	t := k.entity.times
	if t == nil {
		return
	}
	span := strings.TrimPrefix(segmentAt(k.pk, t.partition), t.span.Lead)
	at := strings.TrimPrefix(segmentAt(k.base, t.sort), t.at.Lead)
	if strings.HasPrefix(at, span) || at == c.matcher(k.set).pointer {
		return
	}
	f := c.report(RuleValue, k, "the %s %s in the partition key is not that of %s in the sort key",
		t.span.Type, quoteKey(span), quoteKey(at))
	f.Remedy = "build both keys from one time"
}

// checkUndeclaredTenant checks the tenant in a partition key of a table without entities.
func (c keys) checkUndeclaredTenant(k *checkedKey) {
	tenant, _ := conventions.Tenant(k.pk)
	if (&matcher{engine: c.engine, set: k.set}).isTenant(k.set.tenant, tenant) {
		return
	}
	before := len(c.findings)
	reportTenant(c.inspection, k, k.set.tenant, tenant)
	for i := range c.findings[before:] {
		c.findings[before+i].Remedy += ", or declare " + k.set.title() + " with tenant: none"
	}
}

// checkKeyVersion checks that a sort key has a version if and only if the role of its table
// requires one.
func (c keys) checkKeyVersion(k *checkedKey, versioned bool) {
	switch c.table.role {
	case Data:
		if versioned || looksVersioned(k.sk) {
			c.report(RuleVersionInDataKey, *k, "the sort key %s of a data table ends in a version",
				quoteKey(k.sk))
		}
	case Command, History:
		if !versioned {
			c.report(RuleVersionMissing, *k, "the sort key %s of a %s table ends in no version",
				quoteKey(k.sk), c.table.role)
		}
	}
}

// checkDeclared returns the entities with the prefix of a partition key, if at least one of them
// has such a key. Otherwise it reports the key and returns nil. If only one entity matches, the key
// gets that entity.
func (c keys) checkDeclared(k *checkedKey) *family {
	m := c.matcher(k.set)
	f := k.set.prefixes[conventions.Prefix(k.pk)]
	if f == nil {
		f = k.set.prefixes[""]
	}
	fitting := 0
	if f != nil {
		for _, e := range f.all {
			if m.matchesPartition(e, k.pk) {
				k.entity = e
				fitting++
			}
		}
	}
	switch fitting {
	case 0:
		k.judged = diagnose(c.inspection, *k, "").judged
		k.unmatched = true
		return nil
	case 1:
	default:
		k.entity = nil
	}
	return f
}
