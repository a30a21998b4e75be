package policy

import "github.com/cespare/xxhash/v2"

// bounds checks the numbers of partition keys that a State counts.
type bounds struct{ *inspection }

// checkBound reports a partition key that exceeds its entity's bound, or that is the only one of a
// table with a sort key. s is nil where partition keys are not counted. It is no field of bounds,
// because its lock would then move the inspection to the heap.
func (c bounds) checkBound(k checkedKey, s *State) {
	bounded := k.entity != nil && k.entity.MaxPartitions > 0
	if s == nil || k.pk == "" || !bounded && !c.table.watchesPartition(k.set) {
		return
	}
	hash := xxhash.Sum64String(k.pk)
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tables[c.name]
	if t == nil {
		return
	}
	if !bounded {
		if t.only == hash && t.items >= FixedPartitionItems {
			c.report(RuleFixedPartition, k, "all %d items so far are in the one partition %s",
				t.items, quoteKey(k.pk))
		}
		return
	}
	of := boundedBy(k)
	known := t.partitions[of]
	if _, ok := known[hash]; !ok && len(known) >= k.entity.MaxPartitions {
		whose := ""
		if of.tenant != "" {
			whose = " of the tenant " + quoteKey(of.tenant)
		}
		c.report(RuleUnbounded, k,
			"%s has %d partition keys%s, which is its bound, and %s would be another",
			k.entity.Name, len(known), whose, quoteKey(k.pk))
	}
}
