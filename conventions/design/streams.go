package design

import "slices"

// streams reports whether writes of a design leave something to a consumer of the table's stream.
// The choice of keys asks before there is a plan; Plan.Streams says it of the plan's writes.
func (d rules) streams() bool {
	return slices.ContainsFunc(d.Models, func(m Model) bool { return m.Feed != nil }) ||
		len(lastsIn(d)) > 0 ||
		slices.ContainsFunc(d.counters(), func(c counter) bool {
			return c.kept() == ByStream || c.kept() == ByStreamOnce
		}) ||
		slices.ContainsFunc(d.copies(), func(c copied) bool { return c.attribute.Kept == ByStream })
}
