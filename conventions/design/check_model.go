package design

import (
	"fmt"
	"slices"
	"strings"
)

// model checks a model with its attributes.
func (c *checker) model(i int) {
	m, field := &c.design.Models[i], fmt.Sprintf("models[%d]", i)
	if !validModelName(m.Name) {
		c.add(field+".name",
			"want letters and digits with a capital letter first, such as OrderItem")
	}
	if first := c.design.Model(m.Name); first != m {
		c.add(field+".name", "there are two models %s", m.Name)
	}
	if len(m.Key) == 0 {
		c.add(field+".key", "name the attributes that are unique together, such as [id]")
	}
	for j, name := range m.Key {
		c.keyAttribute(field+".key", m, name)
		if slices.Contains(m.Key[:j], name) {
			c.add(field+".key", "%s is there twice", name)
		}
		if a := m.Attribute(name); a != nil && a.Mutable {
			c.add(field+".key", "%s changes, and the key of an item never does", name)
		}
	}
	c.expiry(field, m)
	c.versions(field, m)
	c.tenant(field, m)
	checkMany(c, field+".items", float64(m.Items))
	checkRate(c, field+".puts", m.Puts)
	checkRate(c, field+".updates", m.Updates)
	checkRate(c, field+".deletes", m.Deletes)
	if m.Peak != 0 && !(m.Peak >= 1 && m.Peak <= maxPeak) {
		c.add(field+".peak", "want 1 to %d: how many times the mean the busiest hour has", maxPeak)
	}
	c.changes(field, m)
	for j := range m.Attributes {
		c.attribute(m, j, fmt.Sprintf("%s.attributes[%d]", field, j))
	}
}

// expiry checks the attribute of the time to live.
func (c *checker) expiry(field string, m *Model) {
	if m.TTL == "" {
		return
	}
	switch a := m.Attribute(m.TTL); {
	case a == nil:
		c.noAttribute(field+".ttl", m, m.TTL)
	case a.Type != Number:
		c.add(field+".ttl", "%s is a %s; want a number, of seconds since 1970", m.TTL, a.Type)
	}
}

// versions checks that a model with versions has one in its key.
func (c *checker) versions(field string, m *Model) {
	if !m.Versions || len(m.Key) == 0 {
		return
	}
	a := m.Attribute(m.Key[len(m.Key)-1])
	if len(m.Key) < 2 || m.Key[0] == m.Key[len(m.Key)-1] || a == nil || a.Type != Number {
		c.add(field+".versions",
			"the last attribute of the key is the version, a number, such as [id, version]")
	}
}

// tenant checks the attribute of the tenants.
func (c *checker) tenant(field string, m *Model) {
	t := c.design.Tenants
	if t == nil {
		return
	}
	if a := m.Attribute(t.Attribute); a != nil &&
		(a.Type != String || a.Mutable || a.Constant != "") {
		c.add(field+".attributes",
			"%s is the tenant: a string that never changes and is not constant", t.Attribute)
	}
}

// attribute checks an attribute of a model.
func (c *checker) attribute(m *Model, j int, field string) {
	a := &m.Attributes[j]
	checkOptional(c, m, a, field)
	checkBegins(c, m, a, field)
	checkStays(c, m, a, field)
	checkNumber(c, m, a, field)
	switch {
	case a.Name == "" || len(a.Name) > 255:
		c.add(field+".name", "want 1 to 255 characters")
	case m.Attribute(a.Name) != a:
		c.add(field+".name", "the model has two attributes %s", a.Name)
	}
	if !slices.Contains(Types, a.Type) {
		c.add(field+".type", "want string, number, binary, boolean, list, map or vector")
	}
	switch {
	case a.Type == Vector && (a.Dimensions < 1 || a.Dimensions > maxDimensions):
		c.add(field+".dimensions", "want 1 to %d for a vector", maxDimensions)
	case a.Type != Vector && a.Dimensions != 0:
		c.add(field+".dimensions", "only vectors have dimensions")
	}
	if a.Format != Any && !slices.Contains(Formats, a.Format) {
		c.add(field+".format", "want uuid, ulid or timestamp, or leave it out")
	} else if a.Format != Any && a.Type != String {
		c.add(field+".format", "only strings have a format")
	}
	if a.Constant != "" && a.Type != String {
		c.add(field+".constant", "only strings can be constant")
	}
	checkBetween(c, field+".bytes", float64(a.Bytes), maxValueBytes, ": an item has at most 400 KB")
	checkMany(c, field+".values", float64(a.Values))
	c.skew(m, a, field)
	if a.Derived != nil {
		c.add(field, "plans add derived attributes, designs do not")
	}
	if a.Of != "" {
		c.reference(field+".of", a)
	}
}

// reference checks that an attribute names another one whose values it has.
func (c *checker) reference(field string, a *Attribute) {
	model, name, _ := strings.Cut(a.Of, ".")
	m := c.design.anyModel(model)
	switch {
	case m == nil:
		c.add(field, "no attribute is called %s; want MODEL.ATTRIBUTE, with one of the models %s",
			a.Of, listed(c.design.modelNames()))
		return
	case m.Attribute(name) == nil:
		c.add(field, "no attribute is called %s; %s has %s", a.Of, model,
			listed(m.attributeNames()))
		return
	}
	of := m.Attribute(name)
	switch {
	case of.Type != a.Type:
		c.add(field, "%s is a %s", a.Of, of.Type)
	case a.Format != Any && of.Format != Any && of.Format != a.Format:
		c.add(field, "%s is a %s", a.Of, of.Format)
	case of.Decimals != a.Decimals || of.Negative != a.Negative:
		c.add(field, "%s has other decimals, or is negative, which this one has to say, too", a.Of)
	case c.circle(a):
		c.add(field, "%s has the values of this attribute", a.Of)
	}
}

// circle reports whether attributes have each other's values. One may name itself.
func (c *checker) circle(a *Attribute) bool {
	at := a
	for range MaxModels {
		model, name, _ := strings.Cut(at.Of, ".")
		m := c.design.Model(model)
		if m == nil || m.Attribute(name) == nil {
			return false
		}
		next := m.Attribute(name)
		if next.Of == "" || next == at {
			return false
		}
		at = next
	}
	return true
}

// changes checks what updates of a model name.
func (c *checker) changes(field string, m *Model) {
	for i, change := range m.Changes {
		at := fmt.Sprintf("%s.updates[%d]", field, i)
		checkRate(c, at+".rate", change.Rate)
		if len(change.Of) == 0 {
			c.add(at+".of", "name the attributes that change")
		}
		for _, name := range change.Of {
			switch a := m.Attribute(name); {
			case a == nil:
				c.noAttribute(at+".of", m, name)
			case slices.Contains(m.Key, name):
				c.add(at+".of", "%s is in the key of %s, and the key of an item never changes",
					name, m.Name)
			case a.Constant != "":
				c.add(at+".of", "%s has one value: it is constant", name)
			case c.design.Tenants != nil && c.design.Tenants.Attribute == name:
				c.add(at+".of", "%s is the tenant, which never changes", name)
			}
		}
	}
}

// skew checks how frequent the values of an attribute are.
func (c *checker) skew(m *Model, a *Attribute, field string) {
	checkMany(c, field+".largest", float64(a.Largest))
	switch {
	case a.Zipf != 0 && !(a.Zipf > 1 && a.Zipf <= maxZipf):
		c.add(field+".skew", "want an exponent above 1, up to %d, such as zipf 1.1", maxZipf)
	case a.Zipf != 0 && a.Largest > 0:
		c.add(field+".largest", "there is a skew, too")
	case a.skewed() && a.Constant != "":
		c.add(field, "%s has one value: it is constant", a.Name)
	case m.Items > 0 && a.Largest > m.Items:
		c.add(field+".largest", "%s has %d items", m.Name, m.Items)
	}
}
