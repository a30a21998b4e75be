package policy

import (
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// reads checks the reads of a request.
type reads struct{ *inspection }

// checkRead checks a read.
func (c reads) checkRead(r *request.Read) {
	if r.Key != "" {
		k := keys(c).checkAttributes(&c.table.primary, r.Key, "")
		c.checkCaller(k)
		tenants(c).checkReach(k)
		return
	}
	set := c.table.keys(r.Index)
	if set == nil || c.isPinned(set, r) {
		c.checkUndeclaredIndex(r)
		return
	}
	partition, sort := termOn(r.Terms, set.key.Partition), termOn(r.Terms, set.key.Sort)
	switch {
	case partition == nil && sort == nil && c.isByOthers(r):
		c.checkCaller(checkedKey{set: set})
		schema(c).reportSchema(set, "the query is by other attributes")
	case partition != nil && partition.Op == expr.KeyEqual:
		c.checkPartition(set, partition.Value, sort, r.Terms)
	case partition != nil && partition.Op == expr.KeyIn:
		c.checkPartitions(set, partition.Value, sort, r.Terms)
	// other conditions find no single partition: PRODUCT#tenant1 also begins PRODUCT#tenant10
	default:
		c.checkScan(set)
	}
}

// checkPartitions checks a read of several partitions. It works on a copy, so that other reads
// allocate nothing.
func (c reads) checkPartitions(set *keySet, partitions item.Value, sort *expr.KeyTerm,
	terms []expr.KeyTerm) {
	own := *c.inspection
	for v := range partitions.Elems() {
		reads{&own}.checkPartition(set, v, sort, terms)
	}
	c.findings = own.findings
}

// checkScan checks a read without a partition key.
func (c reads) checkScan(set *keySet) {
	k := checkedKey{set: set}
	switch {
	case c.caller.unknown:
		c.checkCaller(k)
	case c.caller.isBound() && !set.open && (set.hasTenants() || c.table.primary.hasTenants()):
		c.report(RuleTenantScan, k, "a scan for the tenant %s reads all tenants' items",
			quoteKey(c.caller.tenant))
	case c.table.role != Plain && !c.caller.operator:
		c.report(RuleScan, k, "a scan reads the whole of %s", set.title())
	}
}

// isByOthers reports whether a query that uses no key attribute of its index uses attributes that
// are of no declared key, so that the policy does not describe its key. A statement may ask an
// index by the key of the table.
func (c reads) isByOthers(r *request.Read) bool {
	return c.caller.strict && len(r.Terms) > 0 && !r.Loose &&
		termOn(r.Terms, c.table.primary.key.Partition) == nil &&
		termOn(r.Terms, c.table.primary.key.Sort) == nil
}

// isPinned reports whether a read of an index whose keys name no tenant finds items of one
// partition of the table only. The partition key of the table then names the owner.
func (c reads) isPinned(set *keySet, r *request.Read) bool {
	return c.caller.isBound() && tenants(c).hides(set, set.hasTenants()) &&
		c.tablePartition(r) != nil
}

// tablePartition returns the term that limits a read of an index to the items of one partition of
// the table, or nil.
func (c reads) tablePartition(r *request.Read) *expr.KeyTerm {
	if t := termOn(r.Terms, c.table.primary.key.Partition); t != nil && t.Op == expr.KeyEqual {
		return t
	}
	return nil
}

// checkUndeclaredIndex checks a read of an index whose keys name no owner. The table's partition
// key must name the owner.
func (c reads) checkUndeclaredIndex(r *request.Read) {
	k := checkedKey{set: &c.table.primary}
	partition := c.tablePartition(r)
	switch {
	case c.caller.unknown:
		c.checkCaller(k)
	case partition != nil && c.caller.isBound():
		c.checkPartition(&c.table.primary, partition.Value,
			termOn(r.Terms, c.table.primary.key.Sort), r.Terms)
	case c.caller.strict:
		f := c.report(RuleTenantUndeclared, k, "the policy does not declare the index %s",
			quoteKey(r.Index))
		f.Index = r.Index
		f.Remedy = "declare the index in the policy, with its key and tenant, or with open: true"
	}
}

// checkPartition checks a read of a partition. sort is the condition on the sort key, or nil.
func (c reads) checkPartition(set *keySet, partition item.Value, sort *expr.KeyTerm,
	terms []expr.KeyTerm) {
	k := checkedKey{set: set}
	var ok bool
	if k.pk, ok = keyText(partition); !ok && set.textPartition {
		c.checkCaller(k)
		rule := RuleUndeclaredPrefix
		if c.caller.strict {
			rule = RuleTenantUndeclared
		}
		f := c.report(rule, k,
			"the partition key %s is of type %s, and the policy describes keys of type S",
			quoteKey(set.key.Partition), partition.Type())
		f.Remedy = "query by a string"
		return
	}
	if sort != nil && sort.Op == expr.KeyEqual {
		if k.sk, ok = keyText(sort.Value); ok {
			keys(c).checkKey(&k, "")
			c.checkCaller(k)
			tenants(c).checkPartitionReach(k, sort)
			tenants(c).checkSharedReach(k, terms)
			return
		}
	}
	if len(set.entities) > 0 {
		c.checkSelection(&k, sort, terms)
	} else {
		if set.tenant != TenantNone {
			keys(c).checkUndeclaredTenant(&k)
		}
		c.checkUnversioned(k, sort)
	}
	c.checkCaller(k)
	tenants(c).checkPartitionReach(k, sort)
	tenants(c).checkSharedReach(k, terms)
}

// checkSelection checks which entities a read of a partition selects items of.
func (c reads) checkSelection(k *checkedKey, sort *expr.KeyTerm, terms []expr.KeyTerm) {
	f := keys(c).checkDeclared(k)
	switch {
	case f == nil, !c.checkUnversioned(*k, sort):
	case sort != nil && sort.Op == expr.KeyBeginsWith && !c.checkPrefix(*k, f, sort.Value.Str()):
	default:
		mixed(c).checkMixed(*k, f, terms)
	}
}

// checkUnversioned checks that a query of a data table does not ask for versions: sort keys that
// begin with one, or those between two versions of a key. It reports whether that is so.
func (c reads) checkUnversioned(k checkedKey, sort *expr.KeyTerm) bool {
	if sort == nil || sort.Op != expr.KeyBeginsWith && sort.Op != expr.KeyBetween ||
		c.table.role != Data || k.set.index != "" {
		return true
	}
	if k.sk, _ = commonPrefix(sort); !looksVersioned(k.sk) {
		return true
	}
	c.report(RuleVersionInDataKey, k,
		"sort keys of a data table are asked for by a version: %s", quoteKey(k.sk))
	return false
}

// checkPrefix checks the prefix that a query demands of sort keys. It reports whether declared sort
// keys begin with it.
func (c reads) checkPrefix(k checkedKey, f *family, prefix string) bool {
	k.sk = prefix
	m := c.matcher(k.set)
	lead, _, whole := nextSegment(prefix)
	for _, e := range f.all {
		if m.matchesPartition(e, k.pk) && e.leads(lead, whole) {
			return true
		}
	}
	c.report(RuleUndeclaredPrefix, k,
		"no entity of this partition has a sort key that begins with %s", quoteKey(prefix))
	return false
}
