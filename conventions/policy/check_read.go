package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// checkRead checks a read.
func (c *checker) checkRead(r *request.Read) {
	if r.Key != "" {
		k := c.checkAttributes(&c.table.primary, r.Key, "")
		c.checkCaller(k)
		c.checkReach(k)
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
		c.reportSchema(set, "the query is by other attributes")
	case partition != nil && partition.Op == "=":
		c.checkPartition(set, partition.Value, sort, r.Terms)
	case partition != nil && partition.Op == "IN":
		c.checkPartitions(set, partition.Value, sort, r.Terms)
	default: // other conditions find no single partition: PRODUCT#tenant1 also begins PRODUCT#tenant10
		c.checkScan(set)
	}
}

// checkPartitions checks a read of several partitions. It works on a copy, so that other reads
// allocate nothing.
func (c *checker) checkPartitions(set *keySet, partitions item.Value, sort *expr.KeyTerm, terms []expr.KeyTerm) {
	own := *c
	for v := range partitions.Elems() {
		own.checkPartition(set, v, sort, terms)
	}
	c.findings = own.findings
}

// termOn returns the term of a condition on a key attribute, or nil if there is none. It prefers
// equality, then IN, then any other term.
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
	k := checkedKey{set: set}
	switch {
	case c.caller.unknown:
		c.checkCaller(k)
	case c.caller.isBound() && !set.open && (set.hasTenants() || c.table.primary.hasTenants()):
		c.report(RuleTenantScan, k, "a scan for the tenant %s reads all tenants' items", quoteKey(c.caller.tenant))
	case c.table.role != Plain && !c.caller.operator:
		c.report(RuleScan, k, "a scan reads the whole of %s", setName(set))
	}
}

// isByOthers reports whether a query that uses no declared key attribute uses other attributes, so
// that the policy does not describe its key.
func (c *checker) isByOthers(r *request.Read) bool {
	return c.caller.strict && len(r.Terms) > 0 && !r.Loose
}

// isPinned reports whether a read of an index whose keys name no tenant finds items of one
// partition of the table only. The partition key of the table then names the owner.
func (c *checker) isPinned(set *keySet, r *request.Read) bool {
	return c.caller.isBound() && c.hides(set, set.hasTenants()) && c.tablePartition(r) != nil
}

// tablePartition returns the term that limits a read of an index to the items of one partition of
// the table, or nil if there is none.
func (c *checker) tablePartition(r *request.Read) *expr.KeyTerm {
	if t := termOn(r.Terms, c.table.primary.key.Partition); t != nil && t.Op == "=" {
		return t
	}
	return nil
}

// checkUndeclaredIndex checks a read of an index whose keys name no owner. The table's partition
// key must name the owner.
func (c *checker) checkUndeclaredIndex(r *request.Read) {
	k := checkedKey{set: &c.table.primary}
	partition := c.tablePartition(r)
	switch {
	case c.caller.unknown:
		c.checkCaller(k)
	case partition != nil && c.caller.isBound():
		c.checkPartition(&c.table.primary, partition.Value, termOn(r.Terms, c.table.primary.key.Sort), r.Terms)
	case c.caller.strict:
		f := c.report(RuleTenantUndeclared, k, "the policy does not declare the index %s", quoteKey(r.Index))
		f.Index = r.Index
		f.Remedy = "declare the index in the policy, with its key and tenant, or with open: true"
	}
}

// checkPartition checks a read of a partition. sort is the condition on the sort key, nil if there
// is none.
func (c *checker) checkPartition(set *keySet, partition item.Value, sort *expr.KeyTerm, terms []expr.KeyTerm) {
	k := checkedKey{set: set}
	var ok bool
	if k.pk, ok = keyText(partition); !ok {
		k.pk = partition.Num()
		if c.caller.strict && set.hasTenants() {
			c.checkCaller(k)
			f := c.report(RuleTenantUndeclared, k, "the partition key %s is of type %s, and the policy describes keys of type S", quoteKey(set.key.Partition), partition.Type())
			f.Remedy = "query by a string"
			return
		}
	}
	if sort != nil && sort.Op == "=" {
		if k.sk, ok = keyText(sort.Value); ok {
			c.checkKey(&k, "")
			c.checkCaller(k)
			c.checkPartitionReach(k, sort)
			c.checkSharedReach(k, terms)
			return
		}
	}
	if len(set.entities) > 0 {
		c.checkSelection(&k, sort, terms)
	} else if set.tenant != TenantNone {
		c.checkUndeclaredTenant(&k)
	}
	c.checkCaller(k)
	c.checkPartitionReach(k, sort)
	c.checkSharedReach(k, terms)
}

// checkSelection checks which entities a read of a partition selects items of.
func (c *checker) checkSelection(k *checkedKey, sort *expr.KeyTerm, terms []expr.KeyTerm) {
	f := c.checkDeclared(k)
	switch {
	case f == nil:
	case sort != nil && sort.Op == "begins_with" && !c.checkPrefix(*k, f, sort.Value.Str()):
	default:
		c.checkMixed(*k, f, terms)
	}
}

// checkDeclared returns the entities with the prefix of a partition key, if at least one of them
// has such a key. Otherwise it reports the key and returns nil. If only one entity matches, the key
// gets that entity.
func (c *checker) checkDeclared(k *checkedKey) *family {
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

// checkPrefix checks the prefix that a query demands of sort keys. It reports whether declared sort
// keys begin with it.
func (c *checker) checkPrefix(k checkedKey, f *family, prefix string) bool {
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
