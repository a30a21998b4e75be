package design

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Design says what a table stores and how it is read.
type Design struct {
	Table     string
	Separator string // between the parts of a key; "" is "#"
	Indexes   int    // the largest number of global secondary indexes; 0 is 20, DynamoDB's quota
	Models    []Model
	Patterns  []Pattern
}

// Model is a kind of item.
type Model struct {
	Name       string
	Key        []string // the attributes that are unique together
	Items      int64    // how many there will be
	Puts       float64  // new items per second
	Updates    float64  // per second, of attributes that are in no key
	Attributes []Attribute
}

// Attribute is an attribute of a model.
type Attribute struct {
	Name     string
	Type     Type
	Format   Format
	Bytes    int    // the average size of a value; 0 is that of the format or type
	Values   int64  // how many different values there are; 0 is as many as items
	Constant string // the value of all items
	Mutable  bool   // it changes after an item was put, so it is not in the key of the table
	Of       string // the attribute whose values these are, such as "Post.id"
}

// Type is the type of an attribute's values.
type Type string

// The types of attributes. Only strings, numbers and binaries can be in keys.
const (
	String  Type = "string"
	Number  Type = "number"
	Binary  Type = "binary"
	Boolean Type = "boolean"
	List    Type = "list"
	Map     Type = "map"
)

// Types are all types, Formats all formats but Any.
var (
	Types   = []Type{String, Number, Binary, Boolean, List, Map}
	Formats = []Format{UUID, ULID, Timestamp}
)

// Format is what the strings of an attribute look like. Strings of different formats other than Any
// are never equal.
type Format string

// The formats of strings.
const (
	Any       Format = ""
	UUID      Format = "uuid"
	ULID      Format = "ulid"
	Timestamp Format = "timestamp" // ISO 8601 in UTC, all of one length
)

// Pattern is one way in which items of a model are read.
type Pattern struct {
	Name       string
	Model      string
	Equal      []string // attributes with one value in a request
	Range      string   // an attribute that a request gives a range of; "" is none
	Order      string   // the attribute that orders the result; "" is no order
	Descending bool
	One        bool // the result has at most one item
	Consistent bool // reads are strongly consistent
	Rate       float64
	Returned   float64 // the average number of items in a result; 0 is 1 if One, else 10
}

// sortBy returns the attribute that the sort key must begin with after Equal's, or "".
func (p *Pattern) sortBy() string {
	if p.Range != "" {
		return p.Range
	}
	return p.Order
}

// model returns the model with a name, or nil.
func (d *Design) model(name string) *Model {
	for i := range d.Models {
		if d.Models[i].Name == name {
			return &d.Models[i]
		}
	}
	return nil
}

// attribute returns the attribute with a name, or nil.
func (m *Model) attribute(name string) *Attribute {
	for i := range m.Attributes {
		if m.Attributes[i].Name == name {
			return &m.Attributes[i]
		}
	}
	return nil
}

// DefaultSeparator separates the parts of keys unless a Design names another.
const DefaultSeparator = "#"

// MaxIndexes is the default quota of global secondary indexes of a table (Developer Guide, "Quotas
// in Amazon DynamoDB").
const MaxIndexes = 20

// Limits of a Design. They bound the time that Make takes.
const (
	MaxModels   = 100
	MaxPatterns = 200
	MaxEqual    = 8 // attributes that a pattern names
)

func (d *Design) separator() string {
	if d.Separator == "" {
		return DefaultSeparator
	}
	return d.Separator
}

func (d *Design) maxIndexes() int {
	if d.Indexes == 0 {
		return MaxIndexes
	}
	return d.Indexes
}

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
	if first := c.design.model(m.Name); first != m {
		c.add(field+".name", "there are two models %s", m.Name)
	}
	if len(m.Key) == 0 {
		c.add(field+".key", "name the attributes that are unique together, such as [id]")
	}
	for _, name := range m.Key {
		c.keyAttribute(field+".key", m, name)
		if a := m.attribute(name); a != nil && a.Mutable {
			c.add(field+".key", "%s changes, and the key of an item never does", name)
		}
	}
	if m.Items < 0 || m.Puts < 0 || m.Updates < 0 {
		c.add(field, "items, puts and updates are not negative")
	}
	for j := range m.Attributes {
		c.attribute(m, j, fmt.Sprintf("%s.attributes[%d]", field, j))
	}
}

func (c *checker) attribute(m *Model, j int, field string) {
	a := &m.Attributes[j]
	switch {
	case a.Name == "" || len(a.Name) > 255:
		c.add(field+".name", "want 1 to 255 characters")
	case m.attribute(a.Name) != a:
		c.add(field+".name", "the model has two attributes %s", a.Name)
	}
	if !slices.Contains(Types, a.Type) {
		c.add(field+".type", "want string, number, binary, boolean, list or map")
	}
	if a.Format != Any && !slices.Contains(Formats, a.Format) {
		c.add(field+".format", "want uuid, ulid or timestamp, or leave it out")
	} else if a.Format != Any && a.Type != String {
		c.add(field+".format", "only strings have a format")
	}
	if a.Constant != "" && a.Type != String {
		c.add(field+".constant", "only strings can be constant")
	}
	if a.Bytes < 0 || a.Values < 0 {
		c.add(field, "bytes and values are not negative")
	}
	if a.Of != "" {
		c.reference(field+".of", a)
	}
}

// reference checks that an attribute names another one whose values it has.
func (c *checker) reference(field string, a *Attribute) {
	model, name, _ := strings.Cut(a.Of, ".")
	m := c.design.model(model)
	if m == nil || m.attribute(name) == nil {
		c.add(field, "no attribute is called %s; want MODEL.ATTRIBUTE", a.Of)
		return
	}
	if m.attribute(name).Type != a.Type {
		c.add(field, "%s is a %s", a.Of, m.attribute(name).Type)
	}
}

func (c *checker) keyAttribute(field string, m *Model, name string) {
	a := m.attribute(name)
	switch {
	case a == nil:
		c.add(field, "%s has no attribute %s", m.Name, name)
	case a.Type != String && a.Type != Number && a.Type != Binary:
		c.add(field, "%s is a %s; keys hold strings, numbers and binaries", name, a.Type)
	}
}

func (c *checker) pattern(i int) {
	p, field := &c.design.Patterns[i], fmt.Sprintf("patterns[%d]", i)
	if p.Name == "" {
		c.add(field+".name", "give the pattern a name")
	}
	for j := range c.design.Patterns[:i] {
		if c.design.Patterns[j].Name == p.Name && p.Name != "" {
			c.add(field+".name", "patterns[%d] has the same name", j)
		}
	}
	m := c.design.model(p.Model)
	if m == nil {
		c.add(field+".model", "there is no model %q", p.Model)
		return
	}
	if len(p.Equal) > MaxEqual {
		c.add(field+".equal", "a key of %d attributes is too long: want at most %d", len(p.Equal), MaxEqual)
	}
	for j, name := range p.Equal {
		c.keyAttribute(fmt.Sprintf("%s.equal[%d]", field, j), m, name)
		if slices.Contains(p.Equal[:j], name) {
			c.add(fmt.Sprintf("%s.equal[%d]", field, j), "%s is there twice", name)
		}
	}
	for _, f := range []struct{ name, attribute string }{{"range", p.Range}, {"order", p.Order}} {
		if f.attribute == "" {
			continue
		}
		c.keyAttribute(field+"."+f.name, m, f.attribute)
		if slices.Contains(p.Equal, f.attribute) {
			c.add(field+"."+f.name, "%s has one value: it is in equal", f.attribute)
		}
	}
	if p.Range != "" && p.Order != "" && p.Range != p.Order {
		c.add(field+".order", "a key orders by the attribute of its range, %s: sort the result by %s after reading it, or leave the range out", p.Range, p.Order)
	}
	if p.Rate < 0 || p.Returned < 0 {
		c.add(field, "rate and returned are not negative")
	}
}
