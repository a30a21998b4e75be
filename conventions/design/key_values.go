package design

import "slices"

// partition returns the values of a model's partition key, joined: a key may have several
// attributes. It is for texts, and for estimates of how much has the same partition key.
func (e *Entity) partition(k Key) Value { return e.values(k.Partitions()) }

// sort is partition for a sort key, nil without one.
func (e *Entity) sort(k Key) Value { return e.values(k.Sorts()) }

// values joins the values of a model's key attributes, or returns nil if the model lacks one of
// them.
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

// and joins two values with a comma.
func (v Value) and(next Value) Value {
	if v == nil {
		return next
	}
	return slices.Concat(v, Value{{Text: ", "}}, next)
}

// readPartition joins the values that a query has for the attributes of the partition key. Only the
// key of an index may have several.
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
