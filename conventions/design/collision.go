package design

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/expr"
)

// Collision returns two models whose items can have the same primary key, so that one replaces the
// other. It goes by what the keys are made of. ok is false if there are no such models.
func (p *Plan) Collision() (one, other string, ok bool) {
	for i := range p.Entities {
		for j := range i {
			if p.collide(&p.Entities[i], &p.Entities[j]) {
				return p.Entities[j].Model, p.Entities[i].Model, true
			}
		}
	}
	return "", "", false
}

// collide reports whether items of two models can have the same primary key.
func (p *Plan) collide(a, b *Entity) bool {
	for _, name := range []string{p.Key.Partition, p.Key.Sort} {
		if name != "" && !p.canEqual(a, b, name) {
			return false
		}
	}
	return true
}

// canEqual reports whether items of two models can have equal values of an attribute of a key.
func (p *Plan) canEqual(a, b *Entity, name string) bool {
	d := &p.Design
	return d.canEqual(side{d.Model(a.Model), a.key(name)}, side{d.Model(b.Model), b.key(name)})
}

// key returns what an entity has in an attribute of a key.
func (e *Entity) key(name string) Value {
	for _, k := range e.Keys {
		if k.Name == name {
			return k.Value
		}
	}
	return nil
}

// attributes returns the attributes that a model has in a column.
func (e *Entity) attributes(column string) []string { return named(e.key(column)) }

// Mixed returns a pattern and a model whose items its query can find, though it does not read them.
// It goes by what the keys are made of. ok is false if every query finds only items that it reads.
func (p *Plan) Mixed() (pattern, model string, ok bool) {
	d := &p.Design
	for i := range p.Queries {
		q, k := &p.Queries[i], p.Key
		if index := p.Index(q.Index); index != nil {
			k = index.Key
		}
		for j := range p.Entities {
			e := &p.Entities[j]
			if q.Similar != "" || slices.Contains(q.Models, e.Model) || !canHave(p, q, k, e) {
				continue
			}
			sort := k.Sort
			if len(k.MoreSort) > 0 && q.Sort.Name != "" {
				sort = q.Sort.Name
			}
			if d.selects(q, &d.Patterns[i], d.Model(e.Model), e.key(k.Partition), e.key(sort)) {
				return q.Pattern, e.Model, true
			}
		}
	}
	return "", "", false
}

// canHave reports whether items of a model can be where a query looks: they have all attributes of
// a key, and can have the values that the query names of those after the first.
func canHave(p *Plan, q *Query, k Key, e *Entity) bool {
	if k.Sort != "" && e.sort(k) == nil || len(k.MorePartition) > 0 && e.partition(k) == nil {
		return false
	}
	d := &p.Design
	return !slices.ContainsFunc(q.Equal, func(s Stored) bool {
		return !d.canEqual(side{d.Model(q.Models[0]), s.Value},
			side{d.Model(e.Model), e.key(s.Name)})
	})
}

// selects reports whether a query can find items of a model with a key.
func (d *Design) selects(q *Query, pattern *Pattern, model *Model, partition, sort Value) bool {
	reads := d.Model(q.Models[0])
	if partition == nil || !d.canEqual(side{reads, q.Partition.Value}, side{model, partition}) {
		return false
	}
	from, found := side{reads, q.Sort.From}, side{model, sort}
	switch q.Sort.Operator {
	case expr.KeyEqual:
		return d.canEqual(from, found)
	case expr.KeyBeginsWith:
		rest, _, how := d.compare(from, found)
		return how == anything || how == alike && len(rest) == 0
	case expr.KeyBetween:
		from.value = from.value[:len(from.value)-1] // the bound is left out
		rest, after, how := d.compare(from, found)
		return how == anything || how == alike && len(rest) == 0 &&
			inRange(reads.Attribute(pattern.Range), side{model, after})
	}
	return true
}

// inRange reports whether a value can begin with one in a range of an attribute.
func inRange(by *Attribute, v side) bool {
	switch {
	case len(v.value) == 0:
		return false
	case v.value[0].Attribute == "":
		return !by.outside(&Attribute{Type: String, Constant: v.value[0].Text})
	}
	return !by.outside(v.first())
}

// outside reports whether no range of an attribute has values of another one. Timestamps and
// numbers begin with digits, as words do not, and no timestamp begins with the 0 that a ULID begins
// with.
func (a *Attribute) outside(other *Attribute) bool {
	if a.Format != Timestamp && a.Type != Number {
		return false
	}
	word := other.Constant != "" && !strings.Contains(digits, other.Constant[:1])
	return word || a.Format == Timestamp && other.Format == ULID
}

// side is a value of a model, or the rest of one.
type side struct {
	model *Model
	value Value
}

// first returns the attribute with which a value begins, or nil.
func (s side) first() *Attribute {
	if s.value[0].Attribute == "" {
		return nil
	}
	return s.model.Attribute(s.value[0].Attribute)
}

// text is the text with which a value begins.
func (s side) text() string { return s.value[0].Text }

// after returns the rest of a value after its first part.
func (s side) after() side { return side{s.model, s.value[1:]} }

// cut returns the rest of a value after the first n bytes of the text with which it begins.
func (s side) cut(n int) side {
	if rest := s.text()[n:]; rest != "" {
		return side{s.model, append(Value{{Text: rest}}, s.value[1:]...)}
	}
	return s.after()
}

// canEqual reports whether values of two models can be equal.
func (d *Design) canEqual(a, b side) bool {
	restA, restB, how := d.compare(a, b)
	return how == anything || how == alike && len(restA) == 0 && len(restB) == 0
}

// compare compares values of two models part by part, and returns what is left of the longer one.
// It is anything if free text can be whatever the other value has from there on.
func (d *Design) compare(a, b side) (restA, restB Value, how meeting) {
	for len(a.value) > 0 && len(b.value) > 0 {
		x, y := a.first(), b.first()
		switch how = d.meet(a, b); {
		case x == nil && y == nil:
			n := min(len(a.text()), len(b.text()))
			if a.text()[:n] != b.text()[:n] {
				return nil, nil, apart
			}
			a, b, how = a.cut(n), b.cut(n), alike
		case how == alike:
			a, b = a.after(), b.after()
		case how == anything && !a.value[0].Begins && x != nil && x.freeText():
			a, b, how = a.skip(b)
		case how == anything && !a.value[0].Begins:
			b, a, how = b.skip(a)
		}
		if how != alike {
			return nil, nil, how
		}
	}
	return a.value, b.value, alike
}

// skip skips the free text with which a value begins, and what can be equal to it in another value.
// Free text before another part has no separator.
func (s side) skip(other side) (rest, otherRest side, how meeting) {
	if len(s.value) == 1 {
		return s, other, anything
	}
	separator := s.value[1].Text[:1]
	if a := other.first(); a != nil {
		last := len(other.value) == 1
		if last && !a.freeText() || !last && other.value[1].Text[:1] == separator {
			return s.after(), other.after(), alike
		}
		return s, other, anything
	}
	switch at := strings.Index(other.text(), separator); {
	case at >= 0:
		return s.after(), other.cut(at), alike
	case len(other.value) == 1:
		return s, other, apart
	}
	return s, other, anything
}

// meeting is how two parts of values compare.
type meeting uint8

const (
	apart    meeting = iota // they are never equal
	alike                   // they can be equal, and are equally long
	anything                // one of them can be whatever follows in the other value
)

// meet compares the parts with which two values begin.
func (d *Design) meet(one, other side) meeting {
	a, b := one.first(), other.first()
	switch {
	case one.value[0].Begins:
		return anything // whatever the request gives
	case a == nil && b == nil:
		return alike
	case a == nil && b.freeText(), b == nil && a.freeText():
		return anything
	case a == nil || b == nil, a.Derived.apart(b.Derived):
		return apart // such as a text, and a number or a value with a format
	case a.random() || b.random():
		if a.Format == b.Format && (d.byLook ||
			rootOf(d.Models, one.model.Name, a) == rootOf(d.Models, other.model.Name, b)) {
			return alike
		}
		return apart
	case a.freeText() || b.freeText():
		return anything
	case a.Type == b.Type && a.Format == b.Format:
		return alike
	}
	return apart
}
