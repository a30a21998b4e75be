package design

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
		if name != "" && !p.canEqual(a.Model, a.key(name), b.Model, b.key(name)) {
			return false
		}
	}
	return true
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

// canEqual reports whether values of two models can be equal. Free text can be whatever the other value
// has from there on.
func (p *Plan) canEqual(one string, a Value, other string, b Value) bool {
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		if x.Attribute == "" && y.Attribute == "" {
			n := min(len(x.Text), len(y.Text))
			if x.Text[:n] != y.Text[:n] {
				return false
			}
			a, b = cutText(a, n), cutText(b, n)
			continue
		}
		switch p.meet(one, x, other, y) {
		case apart:
			return false
		case anything:
			return true
		}
		a, b = a[1:], b[1:]
	}
	return len(a) == len(b)
}

// cutText takes the first n bytes from a value that begins with a text.
func cutText(v Value, n int) Value {
	if rest := v[0].Text[n:]; rest != "" {
		return append(Value{{Text: rest}}, v[1:]...)
	}
	return v[1:]
}

// meeting is how two parts of values compare.
type meeting uint8

const (
	apart    meeting = iota // they are never equal
	alike                   // they can be equal, and are equally long
	anything                // one of them can be whatever follows in the other value
)

// meet compares two parts, at least one of which is an attribute.
func (p *Plan) meet(one string, x Part, other string, y Part) meeting {
	a, b := p.attributeOf(one, x), p.attributeOf(other, y)
	switch {
	case a == nil && b.freeText(), b == nil && a.freeText():
		return anything
	case a == nil || b == nil:
		return apart // a text, and a number or a value with a format
	case a.random() || b.random():
		if a.Format == b.Format && rootOf(p.Design.Models, one, a) == rootOf(p.Design.Models, other, b) {
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

// attributeOf returns the attribute of a part, nil for a text.
func (p *Plan) attributeOf(model string, part Part) *Attribute {
	if part.Attribute == "" {
		return nil
	}
	return p.Design.model(model).attribute(part.Attribute)
}
