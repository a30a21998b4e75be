package design

import "slices"

// checkAmounts checks what an update takes or gives.
func checkAmounts(c *checker, w *Written, m *Model, field string) {
	if w.amounts() && len(w.Of) > 0 || len(w.Takes) > 0 && len(w.Gives) > 0 {
		c.add(field, "want one of of, takes and gives: a transaction writes an item once")
	}
	for _, f := range []struct {
		name string
		list []string
	}{{"takes", w.Takes}, {"gives", w.Gives}} {
		for i, attribute := range f.list {
			at := field + "." + f.name
			switch a := m.Attribute(attribute); {
			case a == nil: // updated says so
			case a.Type != Number:
				c.add(at, "%s is a %s; want a number", attribute, a.Type)
			case a.Optional > 0:
				c.add(at, "only some items have %s, and nothing can be taken from the others",
					attribute)
			case slices.Contains(f.list[:i], attribute):
				c.add(at, "%s is there twice", attribute)
			}
		}
	}
}
