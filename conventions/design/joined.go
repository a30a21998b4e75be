package design

import "strings"

// joined returns the values of attributes with separators between them.
func (p *problem) joined(m int, attributes []string, of Type) Value {
	var v Value
	for i, name := range attributes {
		if i > 0 {
			v = append(v, Part{Text: p.separatorBefore(m, attributes, i)})
		}
		a := p.models[m].Attribute(name)
		switch {
		case i > 0 && p.models[m].isVersion(name) && i == len(attributes)-1:
			v = append(v, Part{Attribute: name})
		case a.Constant != "":
			v = append(v, Part{Text: a.Constant})
		case a.Type == Number && of == String:
			v = append(v, a.digitsOf(name))
		default:
			v = append(v, Part{Attribute: name})
		}
	}
	return v
}

// spareText returns the sort key in the table of a model that does not need one.
func spareText(m *Model) string { return strings.ToLower(m.Name) }
