package design

import "strings"

// prepare fills in the problem. Its error says that the design has too many vector indexes.
func (p *preparation) prepare() error {
	p.relations()
	p.listTogether()
	p.findParents()
	p.wantsOf()
	p.keeps()
	if err := checkPinned(p.problem); err != nil {
		return err
	}
	return p.vectorIndexes()
}

// relations notes which attributes have the values of others.
func (p *preparation) relations() {
	for i := range p.models {
		m := &p.models[i]
		for _, a := range m.Attributes {
			model, _, _ := strings.Cut(a.Of, ".")
			of := p.design.anyModel(model)
			switch {
			case of == nil:
			case of.Table != "":
				p.note(1, m.Name, "%s has the values of %s, which is in the table %s", a.Name, a.Of,
					of.Table)
			default:
				p.note(1, m.Name, "%s has the values of %s", a.Name, a.Of)
			}
		}
	}
}

// listTogether lists the patterns over several models.
func (p *preparation) listTogether() {
	for i := range p.design.Patterns {
		pattern := &p.design.Patterns[i]
		if len(pattern.Models) == 0 {
			continue
		}
		t := together{pattern: i, ordered: pattern.SortBy() != ""}
		for _, name := range pattern.Models {
			t.models = append(t.models, p.modelIndex(name))
		}
		p.together = append(p.together, t)
	}
}
