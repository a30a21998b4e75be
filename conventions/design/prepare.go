package design

import "slices"

// prepare fills in the problem. Its error says that the design has too many vector indexes.
func (p *preparation) prepare() error {
	p.relations()
	p.listTogether()
	p.families()
	p.findParents()
	p.wantsOf()
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
			if a.Of != "" {
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

// families finds the models that share partitions, because one unordered pattern reads them: such a
// family goes by its first model, with whose name the partition keys of all of them begin.
func (p *preparation) families() {
	p.family = make([]int, len(p.models))
	for m := range p.family {
		p.family[m] = m
	}
	for _, t := range p.together {
		if t.ordered {
			continue
		}
		least := slices.MinFunc(t.models, func(a, b int) int { return p.family[a] - p.family[b] })
		root := p.family[least]
		for _, m := range t.models {
			was := p.family[m]
			for other := range p.family {
				if p.family[other] == was {
					p.family[other] = root
				}
			}
		}
	}
}
