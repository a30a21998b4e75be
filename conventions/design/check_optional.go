package design

import "slices"

// checkBegins checks an attribute that says with which value items begin.
func checkBegins(c *checker, m *Model, a *Attribute, field string) {
	switch {
	case a.Begins == "":
	case a.Type != String || a.Constant != "" || a.Optional > 0 || a.Of != "" || a.Format != Any:
		c.add(field+".begins", "only a string with values of its own begins with one, such as a "+
			"state")
	case slices.Contains(m.Key, a.Name):
		c.add(field+".begins", "%s is in the key of %s, and would change", a.Name, m.Name)
	}
}

// checkOptional checks an attribute that only some items have.
func checkOptional(c *checker, m *Model, a *Attribute, field string) {
	field += ".optional"
	inUnique := false
	for _, names := range append([][]string{m.Key}, m.Unique...) {
		for _, name := range names {
			inUnique = inUnique || name == a.Name
		}
	}
	switch {
	case a.Optional == 0:
	case !(a.Optional > 0 && a.Optional < 1):
		c.add(field, "want a part of the items, such as 1%%: more than 0%% and less than 100%%")
	case inUnique:
		c.add(field, "%s is in the key of %s, or unique: each item has it", a.Name, m.Name)
	case a.Constant != "" || a.counted() != "" || a.Kept != "" || a.By != "" ||
		a.Last != "" || m.TTL == a.Name:
		c.add(field, "each item has %s: it is constant, a counter, a copy that is kept, a "+
			"last value, or the time to live", a.Name)
	case c.design.Tenants != nil && c.design.Tenants.Attribute == a.Name:
		c.add(field, "each item has a tenant")
	}
}
