package policy

import (
	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// checkRead checks a read.
func (c *checker) checkRead(r *Read) {
	if r.Key != "" {
		k := c.checkAttributes(&c.table.primary, r.Key, "")
		c.checkCaller(k)
		c.checkReach(k, false)
		return
	}
	set := c.table.keys(r.Index)
	if set == nil {
		c.checkUndeclaredIndex(r)
		return
	}
	partition, sort := termOn(r.Terms, set.key.Partition), termOn(r.Terms, set.key.Sort)
	switch {
	case partition != nil && partition.Op == "=":
		c.checkPartition(set, partition.Value, sort, r.Terms)
	case partition != nil && partition.Op == "IN":
		c.checkPartitions(set, partition.Value, sort, r.Terms)
	default: // nothing else finds a partition: what begins with PRODUCT#tenant1 may be of tenant10
		c.checkScan(set)
	}
}

// checkPartitions checks a read of several partitions. (It works on a copy, so that other reads cost no allocation.)
func (c *checker) checkPartitions(set *keySet, partitions item.Value, sort *expr.KeyTerm, terms []expr.KeyTerm) {
	own := *c
	for v := range partitions.Elems() {
		own.checkPartition(set, v, sort, terms)
	}
	c.findings = own.findings
}

// termOn is what a condition says of a key attribute: that it is a value, or else one of several, or else something. nil if it says nothing.
func termOn(terms []expr.KeyTerm, name string) *expr.KeyTerm {
	var found *expr.KeyTerm
	for i := range terms {
		if terms[i].Name != name || name == "" {
			continue
		}
		if terms[i].Op == "=" {
			return &terms[i]
		}
		if found == nil || terms[i].Op == "IN" {
			found = &terms[i]
		}
	}
	return found
}

// checkScan checks a read without a partition key.
func (c *checker) checkScan(set *keySet) {
	k := key{set: set}
	switch {
	case c.caller.unknown && c.table.primary.hasTenants():
		c.checkCaller(k)
	case c.caller.isBound() && set.hasTenants():
		c.report(RuleTenantScan, k, "a scan for the tenant %s reads all tenants' items", quoteKey(c.caller.tenant))
	case c.table.role != Plain && !c.caller.operator:
		c.report(RuleScan, k, "a scan reads the whole of %s", setName(set))
	}
}

// checkUndeclaredIndex checks a read of an index of which nothing is known: one of the values that it is read for must name the tenant.
func (c *checker) checkUndeclaredIndex(r *Read) {
	k := key{set: &c.table.primary}
	c.checkCaller(k)
	if !c.caller.isBound() || !c.table.primary.hasTenants() {
		return
	}
	for i := range r.Terms {
		t := &r.Terms[i]
		tenant, _ := conventions.Tenant(t.Value.Str())
		isOwn := t.Op == "=" && (tenant == c.caller.tenant || tenant == conventions.TenantCommon)
		if isOwn && (!r.Loose || t.Name == c.table.primary.key.Partition) {
			return
		}
	}
	f := c.report(RuleTenantCrossing, k, "the index %s is not declared, and its keys do not name the tenant %s", quoteKey(r.Index), quoteKey(c.caller.tenant))
	f.Remedy = "declare the index in the policy, with its key and tenant"
}

// checkPartition checks a read of a partition, or of the part of it that a condition on the sort key leaves; sort is nil if there is none.
func (c *checker) checkPartition(set *keySet, partition item.Value, sort *expr.KeyTerm, terms []expr.KeyTerm) {
	k := key{set: set}
	var ok bool
	if k.pk, ok = keyText(partition); !ok {
		k.pk = partition.Num()
	}
	if sort != nil && sort.Op == "=" {
		if k.sk, ok = keyText(sort.Value); ok {
			c.checkKey(&k, "")
			c.checkCaller(k)
			c.checkReach(k, false)
			return
		}
	}
	if len(set.entities) > 0 {
		c.checkSelection(&k, sort, terms)
	} else if set.tenant != TenantNone {
		c.checkUndeclaredTenant(&k)
	}
	c.checkCaller(k)
	c.checkReach(k, false)
}

// checkSelection checks which entities' items a read of a partition selects.
func (c *checker) checkSelection(k *key, sort *expr.KeyTerm, terms []expr.KeyTerm) {
	f := c.checkDeclared(k)
	switch {
	case f == nil:
	case sort != nil && sort.Op == "begins_with" && !c.checkPrefix(*k, f, sort.Value.Str()):
	default:
		c.checkMixed(*k, f, terms)
	}
}

// checkDeclared returns the entities with the prefix of a partition key, of which one at least has such a key; nil if
// there is none, which is reported. The entity is the key's if it is the only one.
func (c *checker) checkDeclared(k *key) *family {
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
		c.diagnose(*k, "")
		return nil
	case 1:
	default:
		k.entity = nil
	}
	return f
}

// checkPrefix checks what a query wants sort keys to begin with. It reports whether there are any such.
func (c *checker) checkPrefix(k key, f *family, prefix string) bool {
	k.sk = prefix
	if c.table.role == Data && k.set.index == "" && conventions.HasVersion(prefix) {
		c.report(RuleVersionInDataKey, k, "sort keys of a data table are asked for by a version: %s", quoteKey(prefix))
		return false
	}
	m := c.matcher(k.set)
	lead, _, whole := nextSegment(prefix)
	for _, e := range f.all {
		if m.matchesPartition(e, k.pk) && e.leads(lead, whole) {
			return true
		}
	}
	c.report(RuleUndeclaredPrefix, k, "no entity of this partition has a sort key that begins with %s", quoteKey(prefix))
	return false
}

// leads reports whether sort keys of an entity may begin with a segment, or with a part of one. What varies is not looked at.
func (e *entity) leads(segment string, whole bool) bool {
	if len(e.Sort) == 0 || e.Sort[0].leads(segment) {
		return true
	}
	return !whole && e.Sort[0].begins(segment)
}
