package design

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// FieldError is an error of one field of a Design, such as patterns[2].equal.
type FieldError struct {
	Field   string
	Message string
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Message }

// FieldMessage returns the field and the message.
func (e *FieldError) FieldMessage() (field, message string) { return e.Field, e.Message }

// The characters of names.
const (
	lower   = "abcdefghijklmnopqrstuvwxyz"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	inTable = lower + upper + digits + "_.-"
	inModel = lower + upper + digits
)

func validTableName(name string) bool {
	return len(name) >= 3 && len(name) <= 255 && strings.Trim(name, inTable) == ""
}

func validModelName(name string) bool {
	return name != "" && strings.Contains(upper, name[:1]) && strings.Trim(name, inModel) == ""
}

// Check returns the errors of a Design: FieldErrors, joined.
func (d *Design) Check() error {
	c := &checker{design: d}
	if !validTableName(d.Table) {
		c.add("table", "want 3 to 255 of the characters a-z, A-Z, 0-9, _, - and .")
	}
	if strings.Trim(d.separator(), "#_|:/~") != "" || len(d.separator()) != 1 {
		c.add("separator", "want one of # _ | : / ~")
	}
	if d.Indexes < 0 || d.Indexes > MaxIndexes {
		c.add("indexes", "want 0 to %d", MaxIndexes)
	}
	c.names()
	if len(d.Models) == 0 || len(d.Models) > MaxModels {
		c.add("models", "want 1 to %d", MaxModels)
	}
	if len(d.Patterns) == 0 || len(d.Patterns) > MaxPatterns {
		c.add("patterns", "want 1 to %d", MaxPatterns)
	}
	for i := range d.Models {
		c.model(i)
	}
	for i := range d.Patterns {
		c.pattern(i)
	}
	c.tenants()
	return errors.Join(c.errs...)
}

// checker collects the errors of a Design.
type checker struct {
	design *Design
	errs   []error
}

func (c *checker) add(field, format string, args ...any) {
	c.errs = append(c.errs, &FieldError{Field: field, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) model(i int) {
	m, field := &c.design.Models[i], fmt.Sprintf("models[%d]", i)
	if !validModelName(m.Name) {
		c.add(field+".name", "want letters and digits with a capital letter first, such as OrderItem")
	}
	if first := c.design.Model(m.Name); first != m {
		c.add(field+".name", "there are two models %s", m.Name)
	}
	if len(m.Key) == 0 {
		c.add(field+".key", "name the attributes that are unique together, such as [id]")
	}
	for _, name := range m.Key {
		c.keyAttribute(field+".key", m, name)
		if a := m.Attribute(name); a != nil && a.Mutable {
			c.add(field+".key", "%s changes, and the key of an item never does", name)
		}
	}
	c.expiry(field, m)
	c.versions(field, m)
	c.tenant(field, m)
	c.notNegative(field+".items", float64(m.Items))
	c.notNegative(field+".puts", m.Puts)
	c.notNegative(field+".updates", m.Updates)
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
		c.add(field+".versions", "the last attribute of the key is the version, a number, such as [id, version]")
	}
}

// tenant checks the attribute of the tenants.
func (c *checker) tenant(field string, m *Model) {
	t := c.design.Tenants
	if t == nil {
		return
	}
	if a := m.Attribute(t.Attribute); a != nil && (a.Type != String || a.Mutable || a.Constant != "") {
		c.add(field+".attributes", "%s is the tenant: a string that never changes and is not constant", t.Attribute)
	}
}

// names checks the names of indexes and columns. Make knows which there are.
func (c *checker) names() {
	d := c.design
	if d.Tenants != nil && d.Tenants.Attribute == "" {
		c.add("tenants.attribute", "name the attribute that holds the tenant, such as tenant")
	}
	if d.Tenants != nil && strings.Contains(d.Tenants.Common, d.separator()) {
		c.add("tenants.common", "a tenant has no %s", d.separator())
	}
	if len(d.Names) > MaxNames {
		c.add("names", "want at most %d", MaxNames)
	}
	for _, from := range slices.Sorted(maps.Keys(d.Names)) {
		if to := d.Names[from]; to == "" || len(to) > 255 || strings.Trim(to, inTable) != "" {
			c.add("names."+from, "want 1 to 255 of the characters a-z, A-Z, 0-9, _, - and .")
		}
	}
}

func (c *checker) attribute(m *Model, j int, field string) {
	a := &m.Attributes[j]
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
	case a.Type == Vector && (a.Dimensions < 1 || a.Dimensions > MaxDimensions):
		c.add(field+".dimensions", "want 1 to %d for a vector", MaxDimensions)
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
	c.notNegative(field+".bytes", float64(a.Bytes))
	c.notNegative(field+".values", float64(a.Values))
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
	m := c.design.Model(model)
	switch {
	case m == nil:
		c.add(field, "no attribute is called %s; want MODEL.ATTRIBUTE, with one of the models %s", a.Of, listed(c.design.modelNames()))
		return
	case m.Attribute(name) == nil:
		c.add(field, "no attribute is called %s; %s has %s", a.Of, model, listed(m.attributeNames()))
		return
	}
	if m.Attribute(name).Type != a.Type {
		c.add(field, "%s is a %s", a.Of, m.Attribute(name).Type)
	}
}

func (c *checker) notNegative(field string, n float64) {
	if n < 0 {
		c.add(field, "want 0 or more")
	}
}

func (c *checker) noModel(field, name string) {
	c.add(field, "there is no model %q; there are %s", name, listed(c.design.modelNames()))
}

func (c *checker) noAttribute(field string, m *Model, name string) {
	c.add(field, "%s has no attribute %s; it has %s", m.Name, name, listed(m.attributeNames()))
}

func (d *Design) modelNames() (names []string) {
	for i := range d.Models {
		names = append(names, d.Models[i].Name)
	}
	return names
}

func (m *Model) attributeNames() (names []string) {
	for i := range m.Attributes {
		names = append(names, m.Attributes[i].Name)
	}
	return names
}

// maxListed is how many names an error lists.
const maxListed = 20

// listed writes names for an error.
func listed(names []string) string {
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > maxListed:
		return strings.Join(names[:maxListed], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

func (c *checker) keyAttribute(field string, m *Model, name string) {
	a := m.Attribute(name)
	switch {
	case a == nil:
		c.noAttribute(field, m, name)
	case a.Type != String && a.Type != Number && a.Type != Binary:
		c.add(field, "%s is a %s; keys hold strings, numbers and binaries", name, a.Type)
	}
}
