package design

import "slices"

// partition returns what a model has in the attributes of a partition key, one after the other: for
// texts, and for estimates of what has one partition key.
func (e *Entity) partition(k Key) Value { return e.values(k.Partitions()) }

// sort is partition for a sort key, nil without one.
func (e *Entity) sort(k Key) Value { return e.values(k.Sorts()) }

// values returns what a model has in attributes of keys, with a comma between them. It is nil if
// the model lacks one.
func (e *Entity) values(names []string) (all Value) {
	for _, name := range names {
		v := e.key(name)
		if v == nil {
			return nil
		}
		all = all.and(v)
	}
	return all
}

// and returns two values one after the other, with a comma between them.
func (v Value) and(next Value) Value {
	if v == nil {
		return next
	}
	return slices.Concat(v, Value{{Text: ", "}}, next)
}

// readPartition returns what a query names of the attributes of a partition key, one after the
// other.
func readPartition(p *Plan, q *Query) Value {
	v := q.Partition.Value
	if index := p.Index(q.Index); index != nil {
		for _, s := range q.Equal {
			if slices.Contains(index.Key.MorePartition, s.Name) {
				v = v.and(s.Value)
			}
		}
	}
	return v
}

// isJust reports whether an attribute of the table holds one of the model, and nothing else.
func (s *Stored) isJust(attribute string) bool {
	return len(s.Value) == 1 && s.Value[0].Attribute == attribute && s.Value[0].Digits == 0 &&
		s.When == nil
}
