package consuming

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// Shape has the patterns that attributes of an item's key match if the item is of a model.
type Shape struct {
	Model string
	Keys  []KeyShape
}

// KeyShape is a regular expression for an attribute, of the syntax that Go and JavaScript have in
// common.
type KeyShape struct{ Name, Pattern string }

// Shapes returns by what a consumer knows the items of models, in the order in which it tries them.
func Shapes(p *design.Plan) (all []Shape, err error) {
	for i := range p.Entities {
		all = append(all, shapeOf(p, &p.Entities[i]))
	}
	for i, s := range all {
		for _, other := range all[:i] {
			if slices.Equal(s.Keys, other.Keys) {
				return nil, fmt.Errorf(
					"a stream shows items of %s and %s with keys that look alike", other.Model,
					s.Model)
			}
		}
	}
	// A number has the characters of a timestamp, but its own length: timestamps are known last.
	slices.SortStableFunc(all, func(a, b Shape) int {
		return cmp.Compare(a.timestamps(), b.timestamps())
	})
	return all, nil
}

// timestamps returns in how many attributes of the key a timestamp is.
func (s *Shape) timestamps() (n int) {
	for _, k := range s.Keys {
		n += strings.Count(k.Pattern, timestampPattern)
	}
	return n
}

// shapeOf returns by what a consumer knows the items of a model: how their keys begin, and if that
// does not tell them from those of another model, all of their keys.
func shapeOf(p *design.Plan, e *design.Entity) Shape {
	exact := slices.ContainsFunc(p.Entities, func(other design.Entity) bool {
		return other.Model != e.Model && !apartByTexts(p, e, &other)
	})
	s := Shape{Model: e.Model}
	for _, name := range textKeys(p) {
		pieces := piecesOf(p, e, name)
		pattern := "^" + regexp.QuoteMeta(pieces[0].text)
		switch {
		case exact:
			pattern = "^"
			for i, piece := range pieces {
				pattern += piece.pattern(pieces[i+1:])
			}
			pattern += "$"
		case pieces[0].attribute != nil:
			continue
		case len(pieces) == 1:
			pattern += "$"
		}
		s.Keys = append(s.Keys, KeyShape{name, pattern})
	}
	return s
}

// textKeys returns the attributes of the primary key that are strings. In one of another type the
// models have values that are never equal, or there is one model only.
func textKeys(p *design.Plan) (names []string) {
	for _, c := range p.Columns {
		if c.Type == design.String && (c.Name == p.Key.Partition || c.Name == p.Key.Sort) {
			names = append(names, c.Name)
		}
	}
	return names
}

// piece is a text of a key, or the value of an attribute.
type piece struct {
	text      string
	attribute *design.Attribute
	digits    int
}

// piecesOf returns what an entity has in an attribute of the primary key. Texts that follow each
// other are one.
func piecesOf(p *design.Plan, e *design.Entity, name string) (all []piece) {
	m := p.Design.Model(e.Model)
	i := slices.IndexFunc(e.Keys, func(s design.Stored) bool { return s.Name == name })
	for _, part := range e.Keys[i].Value {
		one := piece{text: part.Text, digits: part.Digits}
		if a := m.Attribute(part.Attribute); a != nil && a.Constant != "" {
			one.text = a.Constant
		} else {
			one.attribute = a
		}
		if n := len(all); n > 0 && one.attribute == nil && all[n-1].attribute == nil {
			all[n-1].text += one.text
			continue
		}
		all = append(all, one)
	}
	return all
}

// apartByTexts reports whether the texts with which keys begin tell items of two models apart.
func apartByTexts(p *design.Plan, a, b *design.Entity) bool {
	return slices.ContainsFunc(textKeys(p), func(name string) bool {
		x, y := piecesOf(p, a, name), piecesOf(p, b, name)
		switch {
		case x[0].attribute != nil || y[0].attribute != nil:
			return false
		case len(x) == 1 && len(y) == 1:
			return x[0].text != y[0].text
		case len(x) == 1:
			return !strings.HasPrefix(x[0].text, y[0].text)
		case len(y) == 1:
			return !strings.HasPrefix(y[0].text, x[0].text)
		}
		return !strings.HasPrefix(x[0].text, y[0].text) && !strings.HasPrefix(y[0].text, x[0].text)
	})
}

const timestampPattern = "[0-9][0-9TZ:.+-]*"

// pattern returns the regular expression of a piece before others.
func (p piece) pattern(next []piece) string {
	switch a := p.attribute; {
	case a == nil:
		return regexp.QuoteMeta(p.text)
	case p.digits > 0:
		return fmt.Sprintf("[0-9]{%d}", p.digits)
	case a.Derived != nil:
		return "[0-9T-]+"
	case a.Type == design.Number:
		return "[0-9.+-]+"
	case a.Format == design.UUID:
		return "[0-9A-Fa-f-]{36}"
	case a.Format == design.ULID:
		return "[0-9A-Za-z]{26}"
	case a.Format == design.Timestamp:
		return timestampPattern
	case len(next) > 0 && next[0].text != "":
		separator, _ := utf8.DecodeRuneInString(next[0].text)
		return "[^" + regexp.QuoteMeta(string(separator)) + "]+"
	}
	return `[\s\S]+`
}
