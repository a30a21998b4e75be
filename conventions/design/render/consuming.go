package render

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// consuming says what the consumer of the table's stream does. The code for Go and for TypeScript
// writes that down, and decides nothing.
type consuming struct {
	shapes  []shape
	causes  []cause
	follows []follow
}

// shape has the patterns that attributes of an item's key match if the item is of a model.
type shape struct {
	model string
	keys  []keyShape
}

// keyShape is a regular expression, of the syntax that Go and JavaScript have in common.
type keyShape struct{ name, pattern string }

// cause says what the consumer does for the record of a new item of a model, or of a deleted one.
// The order is that of the fields. What may be done twice comes first, so that a counter with ADD
// rarely counts twice.
type cause struct {
	model   string
	minus   bool // the item was deleted
	write   *design.Write
	fresh   []original // read for the copies of a new item
	feeds   []feeding
	mark    *design.Model // marks a record that is counted once
	once    []*design.Action
	streams []*design.Action // counters that an ADD of their own changes
}

// original is an item that other items copy.
type original struct {
	query  int // the query that reads it
	of     string
	by     map[string]string // the query's parameters: attributes of the copying model
	copies []freshCopy
}

// freshCopy is a copy of a new item. Each is changed by itself, because another one may follow its
// original by then.
type freshCopy struct {
	design.Copy
	held
}

// held is how a copy is stored: in attributes of the table that must be as they were to get another
// value, and whether one of them has other values beside it, so that it is read before.
type held struct {
	same  []string
	whole bool
}

// feeding is a feed with an item for each of those that a query finds.
type feeding struct {
	feed    *design.Model
	query   int
	by      map[string]string // the query's parameters: attributes of the item's model
	fields  []feedField
	deletes bool
}

// feedField says which attribute of a feed's item has which of the item, or of the reader.
type feedField struct {
	name, of string
	reader   bool
}

// follow says what the consumer does for the change of an attribute: its copies get the new value.
type follow struct {
	copied design.Copy
	query  int               // the query that finds the copies
	by     map[string]string // the query's parameters: attributes of the original
	sets   []design.Stored   // what a copy stores of it
	held
}

// consumingOf returns what a consumer of a plan's stream does, or nil if the plan needs none.
func consumingOf(p *design.Plan) (*consuming, error) {
	if !p.Streams() {
		return nil, nil
	}
	c := &consuming{}
	for i := range p.Entities {
		c.shapes = append(c.shapes, shapeOf(p, &p.Entities[i]))
	}
	for i, s := range c.shapes {
		for _, other := range c.shapes[:i] {
			if slices.Equal(s.keys, other.keys) {
				return nil, fmt.Errorf(
					"a stream shows items of %s and %s with keys that look alike", other.model,
					s.model)
			}
		}
	}
	// A number has the characters of a timestamp, but its own length: timestamps are known last.
	slices.SortStableFunc(c.shapes, func(a, b shape) int {
		return cmp.Compare(a.timestamps(), b.timestamps())
	})
	for i := range p.Writes {
		w := &p.Writes[i]
		if len(w.Actions) == 0 || w.Model == "" || !w.Streamed() {
			continue
		}
		switch w.Actions[0].Kind {
		case design.PutItem, design.DeleteItem:
			c.causes = append(c.causes, causeOf(p, w))
		}
	}
	for _, copied := range design.Copies(&p.Design) {
		if copied.Kept == design.ByStream {
			c.follows = append(c.follows, followOf(p, copied))
		}
	}
	return c, nil
}

// timestamps returns in how many attributes of the key a timestamp is.
func (s *shape) timestamps() (n int) {
	for _, k := range s.keys {
		n += strings.Count(k.pattern, timestampPattern)
	}
	return n
}

// causeOf returns what the record of a write causes.
func causeOf(p *design.Plan, w *design.Write) cause {
	c := cause{model: w.Model, write: w, minus: w.Actions[0].Kind == design.DeleteItem}
	for i := range w.Later {
		switch a := &w.Later[i]; a.Kind {
		case design.AddTo:
			c.streams = append(c.streams, a)
		case design.UpdateItem:
			c.fresh = originals(p, w.Model)
		default:
			c.feeds = append(c.feeds, feedingOf(p, a))
		}
	}
	for i := range w.Once {
		if a := &w.Once[i]; a.Kind == design.AddTo {
			c.once = append(c.once, a)
		} else {
			c.mark = p.Design.Model(a.Model)
		}
	}
	return c
}

// originals returns the items that are read for the copies of a new item.
func originals(p *design.Plan, model string) (all []original) {
	for _, copied := range design.Copies(&p.Design) {
		if copied.Model != model || copied.Kept != design.ByStream {
			continue
		}
		_, held := holdingOf(p, copied)
		one := freshCopy{copied, held}
		if i := slices.IndexFunc(all, func(o original) bool {
			return o.of == copied.Of && slices.Equal(o.copies[0].By, copied.By)
		}); i >= 0 {
			all[i].copies = append(all[i].copies, one)
			continue
		}
		o := original{query: queryOf(p, copied.Source), of: copied.Of,
			by: tenanted(p, copied.Of), copies: []freshCopy{one}}
		for i, name := range p.Design.Model(copied.Of).Key {
			o.by[name] = copied.By[i]
		}
		all = append(all, o)
	}
	return all
}

// queryOf returns the number of the query of a pattern.
func queryOf(p *design.Plan, pattern string) int {
	return slices.IndexFunc(p.Queries, func(q design.Query) bool { return q.Pattern == pattern })
}

// tenanted returns the parameter of a query that is the tenant, if its model has one.
func tenanted(p *design.Plan, model string) map[string]string {
	by := map[string]string{}
	if t := p.Design.Tenants; t != nil {
		if a := p.Design.Model(model).Attribute(t.Attribute); a != nil && a.Constant == "" {
			by[t.Attribute] = t.Attribute
		}
	}
	return by
}

// feedingOf returns what an action does with the feeds of an item.
func feedingOf(p *design.Plan, a *design.Action) feeding {
	m := p.Design.Model(a.Model)
	f := feeding{feed: m, query: queryOf(p, m.Feed.Readers), by: tenanted(p, m.Feed.Through),
		deletes: a.Kind == design.DeleteItem}
	f.by[m.Feed.Whom] = m.Feed.By
	for i := range m.Attributes {
		of := &m.Attributes[i]
		name, ok := strings.CutPrefix(of.Of, m.Feed.Of+".")
		switch {
		case of.Constant != "" || of.Derived != nil:
		case of.Name == m.Key[0]:
			f.fields = append(f.fields, feedField{of.Name, m.Feed.Reader, true})
		case ok:
			f.fields = append(f.fields, feedField{of.Name, name, false})
		}
	}
	return f
}

// followOf returns what a change of what is copied causes.
func followOf(p *design.Plan, copied design.Copy) follow {
	f := follow{copied: copied, query: queryOf(p, copied.Pattern), by: tenanted(p, copied.Model)}
	for i, name := range copied.By {
		f.by[name] = p.Design.Model(copied.Of).Key[i]
	}
	f.sets, f.held = holdingOf(p, copied)
	return f
}

// holdingOf returns what a copy stores of its original alone, and how it is stored.
func holdingOf(p *design.Plan, copied design.Copy) (sets []design.Stored, h held) {
	m, e := p.Design.Model(copied.Model), p.Entity(copied.Model)
	for _, s := range slices.Concat(e.Keys, e.Others) {
		if depends(m, &s, copied.Attribute) {
			h.same = append(h.same, s.Name)
		}
	}
	known := map[string]string{copied.Attribute: copied.Name}
	for _, s := range partial(p, m, known, false) {
		if slices.Contains(h.same, s.Name) {
			sets = append(sets, s)
		}
	}
	h.whole = len(sets) < len(h.same)
	for _, name := range beside(e, h.same) {
		if !slices.Contains(h.same, name) {
			h.same = append(h.same, name)
		}
	}
	return sets, h
}

// beside returns what holds the other attributes of the keys that only some items have: they must
// be as they were, too, where such a key is not there to be compared.
func beside(e *design.Entity, keys []string) (names []string) {
	for _, s := range e.Keys {
		if s.When == nil || !slices.Contains(keys, s.Name) {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(s.When)) {
			names = append(names, e.Holding(name)...)
		}
		for _, part := range s.Value {
			if part.Attribute != "" {
				names = append(names, e.Holding(part.Attribute)...)
			}
		}
	}
	return names
}

// depends reports whether what is stored has an attribute of a model, a period of it, or is there
// for some of its values only.
func depends(m *design.Model, s *design.Stored, attribute string) bool {
	if _, ok := s.When[attribute]; ok {
		return true
	}
	return slices.ContainsFunc(s.Value, func(part design.Part) bool {
		a := m.Attribute(part.Attribute)
		return part.Attribute == attribute ||
			a != nil && a.Derived != nil && a.Derived.Of == attribute
	})
}

// shapeOf returns by what a consumer knows the items of a model: how their keys begin, and if that
// does not tell them from those of another model, all of their keys.
func shapeOf(p *design.Plan, e *design.Entity) shape {
	exact := slices.ContainsFunc(p.Entities, func(other design.Entity) bool {
		return other.Model != e.Model && !apartByTexts(p, e, &other)
	})
	s := shape{model: e.Model}
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
		s.keys = append(s.keys, keyShape{name, pattern})
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

// originals returns the models whose items have copies that follow them.
func (c *consuming) originals() (models []string) {
	for _, f := range c.follows {
		if !slices.Contains(models, f.copied.Of) {
			models = append(models, f.copied.Of)
		}
	}
	return models
}

// followsOf returns what a change of a model's item causes.
func (c *consuming) followsOf(model string) (all []follow) {
	for _, f := range c.follows {
		if f.copied.Of == model {
			all = append(all, f)
		}
	}
	return all
}

// summed returns the attributes that counters sum up.
func summed(actions []*design.Action) (names []string) {
	for _, a := range actions {
		for _, add := range a.Adds {
			if add.Sums != "" && !slices.Contains(names, add.Sums) {
				names = append(names, add.Sums)
			}
		}
	}
	return names
}
