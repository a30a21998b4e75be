package policy

import (
	"cmp"
	"slices"
	"strings"
)

// compileEntity checks an entity and copies it. It returns nil if the entity has errors.
func (c *compiler) compileEntity(field string, in *Entity, key KeySchema) *entity {
	before := len(c.errs)
	e := &entity{Entity: *in, id: c.engine.entities}
	c.engine.entities++
	e.Tenant = cmp.Or(in.Tenant, TenantRequired)
	e.Partition, e.Sort, e.Mutable = cloneSegments(in.Partition), cloneSegments(
		in.Sort), slices.Clone(in.Mutable)
	e.inSegments = hasTenantSegment(e.Partition) || hasTenantSegment(e.Sort)
	switch {
	case in.Tenant > TenantNone:
		c.fail(field+".tenant", "%d is no tenant mode", in.Tenant)
	case in.Prefix == "" && in.Tenant != TenantNone:
		c.fail(field+".prefix",
			"an entity without a prefix has no tenant either: its second segment is not the tenant")
	case in.Prefix == "" && len(in.Partition) == 0:
		c.fail(field+".prefix", "nothing is said of the partition key")
	case strings.ContainsAny(in.Prefix, "#{}"):
		c.fail(field+".prefix", "%.100q holds one of #{}", in.Prefix)
	}
	if in.MaxPartitions < 0 || in.MaxPartitions > maxPartitionBound {
		c.fail(field+".max-partitions", "%d is not between 0 and %d", in.MaxPartitions,
			maxPartitionBound)
	}
	if in.Writable && !e.namesTenant() {
		c.fail(field+".writable",
			"the keys of the entity name no tenant, so that tenants write its items anyway")
	}
	if c.isolates {
		c.checkNamedTenants(field, in)
	}
	c.checkSegments(field+".partition", e, e.Partition)
	c.checkSegments(field+".sort", e, e.Sort)
	switch {
	case key.Sort == "" && len(e.Sort) > 0:
		c.fail(field+".sort", "there is no sort key")
	case key.Sort != "" && len(e.Sort) == 0:
		c.fail(field+".sort", "the sort key's pattern is missing")
	}
	if in.Expires == key.Partition || in.Expires != "" && in.Expires == key.Sort {
		c.fail(field+".expires", "%.100q is an attribute of the key", in.Expires)
	}
	for _, name := range in.Mutable {
		if name == key.Partition || name == key.Sort {
			c.fail(field+".mutable", "%.100q is an attribute of the key", name)
		}
	}
	if len(c.errs) > before {
		return nil
	}
	e.classify()
	return e
}

func cloneSegments(segments []Segment) []Segment {
	segments = slices.Clone(segments)
	for i := range segments {
		segments[i].Values = slices.Clone(segments[i].Values)
	}
	return segments
}

func (c *compiler) checkSegments(field string, e *entity, segments []Segment) {
	for i := range segments {
		s := &segments[i]
		if err := s.check(); err != nil {
			c.fail(field, "segment %d: %v", i+1, err)
		}
		if slices.Contains(e.Mutable, s.Name) {
			c.fail(field, "the key holds %.100q, which is declared mutable", s.Name)
		}
	}
}

// maxFamily is how many entities may have one prefix: each is compared with all others.
const maxFamily = 1000

// checkApart finds entities that an item cannot be told to be of. "Designing a DynamoDB table",
// "Merging several models into one table", step 2: no access pattern may mix the items of several
// models. Of an entity that cannot be told from several it names one. others are those of its
// prefix, or nil.
func (c *compiler) checkApart(field string, e *entity, others *family) {
	if others == nil {
		return
	}
	if len(others.all) >= maxFamily {
		c.fail(field, "more than %d entities have the prefix %.100q", maxFamily, e.Prefix)
		return
	}
	for _, o := range others.all {
		if tenantsOverlap(e.Tenant, o.Tenant) &&
			overlap(e.partitionPattern(), o.partitionPattern()) && overlap(e.Sort, o.Sort) {
			c.fail(field,
				"its keys cannot be told from those of the entity %.100q; begin its sort key with a name of its own", o.Name)
			return
		}
	}
}
