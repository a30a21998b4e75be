package design

import (
	"math"
	"slices"
)

// heat returns how many write units a second the hottest partition key of a model gets in its
// busiest hour, and which one that is. units are those of all partition keys in the mean; index is
// nil for the table.
func heat(p *Plan, model string, index *Index, partition Value, units float64) (
	hottest float64, which string) {
	m := p.Design.Model(model)
	hottest, which = units*partitionShare(p, model, partition, false), keyed(m, partition)
	if a := begunBy(m, partition); a != nil && index != nil {
		share := partitionShare(p, model, without(partition, a.Name), false)
		for _, state := range a.timed() {
			// puts come, and the changes that take them elsewhere delete them
			writes := 0.0
			if state == a.Begins {
				writes = m.Puts
			}
			for _, c := range m.Changes {
				if slices.Contains(c.Of, a.Name) {
					writes += flow{m}.moved(a, state, c)
				}
			}
			units := writes * share * math.Ceil(p.indexedBytes(index, model)/writeUnit)
			if units > hottest {
				hottest, which = units, "the "+state
			}
		}
	}
	return hottest * m.peak(), which
}

// begunBy returns the attribute of a partition key in which items begin with one value, or nil.
func begunBy(m *Model, partition Value) *Attribute {
	for _, part := range partition {
		if a := m.Attribute(part.Attribute); a != nil && a.Begins != "" {
			return a
		}
	}
	return nil
}

// without returns a value without an attribute.
func without(v Value, name string) Value {
	return slices.DeleteFunc(slices.Clone(v),
		func(part Part) bool { return part.Attribute == name })
}

// inPeak says that a number is one of the busiest hour, if that differs from the mean.
func inPeak(peak float64) string {
	if peak > 1 {
		return " in the busiest hour"
	}
	return ""
}
