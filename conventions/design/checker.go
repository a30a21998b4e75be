package design

import (
	"strings"
	"unicode"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/internal/spelling"
)

// The characters of names.
const (
	lower   = "abcdefghijklmnopqrstuvwxyz"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	inTable = lower + upper + digits + "_.-"
	inModel = lower + upper + digits
)

// validTableName reports whether a table or an index can have a name.
func validTableName(name string) bool {
	return len(name) >= 3 && len(name) <= 255 && strings.Trim(name, inTable) == ""
}

// validModelName reports whether a model can have a name.
func validModelName(name string) bool {
	return name != "" && strings.Contains(upper, name[:1]) && strings.Trim(name, inModel) == ""
}

// checker collects the errors of a Design.
type checker struct {
	design *Design
	errs   []error
}

// add adds an error of a field.
func (c *checker) add(field, format string, args ...any) {
	c.errs = append(c.errs, conventions.FieldErrorf(field, format, args...))
}

// checkBetween checks a number that is not negative, and not above the greatest one.
func checkBetween(c *checker, field string, n, most float64, what string) {
	switch {
	case n < 0:
		c.add(field, "want 0 or more")
	case !(n <= most):
		c.add(field, "want at most %s%s", Grouped(most, 0), what)
	}
}

// checkRate checks how often something happens.
func checkRate(c *checker, field string, n float64) {
	checkBetween(c, field, n, maxRate, " a second, which is more than a table takes")
}

// checkMany checks how many there are of something.
func checkMany(c *checker, field string, n float64) { checkBetween(c, field, n, maxItems, "") }

// oneLine checks a name that goes into pages and reports: it has no characters such as line breaks.
func (c *checker) oneLine(field, name string) {
	if strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp)
	}) {
		c.add(field, "want one line of text, which %q is not", name)
	}
}

func (c *checker) noModel(field, name string) {
	names := c.design.modelNames()
	c.add(field, "there is no model %q; there are %s%s", name, listed(names),
		spelling.Hint(name, names))
}

func (c *checker) noAttribute(field string, m *Model, name string) {
	names := m.attributeNames()
	c.add(field, "%s has no attribute %s; it has %s%s", m.Name, name, listed(names),
		spelling.Hint(name, names))
}

// keyAttribute checks that keys can hold an attribute of a model.
func (c *checker) keyAttribute(field string, m *Model, name string) {
	a := m.Attribute(name)
	switch {
	case a == nil:
		c.noAttribute(field, m, name)
	case a.Type != String && a.Type != Number && a.Type != Binary:
		c.add(field, "%s is a %s; keys hold strings, numbers and binaries", name, a.Type)
	}
}

func (d *Design) modelNames() (names []string) {
	for i := range d.Models {
		names = append(names, d.Models[i].Name)
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
