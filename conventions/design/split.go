package design

import "slices"

// splitLatest makes two patterns of each that reads an item and its newest children in two
// requests.
func (d rules) splitLatest() {
	d.Patterns = slices.Clone(d.Patterns)
	for i := range d.Patterns {
		p := d.Patterns[i]
		by, n := p.Newest()
		if n == 0 || !p.split {
			continue
		}
		children := Pattern{Name: childrenOf(p.Name), Model: p.Models[1], Order: by,
			Descending: true, Consistent: p.Consistent, Rate: p.Rate, Returned: float64(n),
			Attributes: d.attributesOf(p.Models[1], p.Attributes)}
		for _, name := range p.Equal {
			children.Equal = append(children.Equal, d.AttributeOf(&p, p.Models[1], name))
		}
		first := Pattern{Name: p.Name, Model: p.Models[0], Equal: p.Equal, One: true,
			Consistent: p.Consistent, Rate: p.Rate,
			Attributes: d.attributesOf(p.Models[0], p.Attributes)}
		d.Patterns[i] = first
		d.Patterns = append(d.Patterns, children)
	}
}

// childrenOf names the second request of a pattern that takes two.
func childrenOf(name string) string { return name + ": latest" }

// attributesOf returns those of some attributes that a model has.
func (d rules) attributesOf(model string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return d.Model(model).Attribute(name) == nil })
}
