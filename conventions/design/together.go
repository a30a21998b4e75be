package design

import (
	"maps"
	"slices"
	"strings"
)

// together is a pattern that reads items of several models: those of one partition.
type together struct {
	pattern int
	models  []int // their numbers
	ordered bool  // the sort keys of all models begin with the attribute that orders the result
}

// AttributeOf returns the attribute of one of a pattern's models that stands for an attribute of the
// first one, or "": the one that has its values, or else the one with its name.
func (d *Design) AttributeOf(p *Pattern, model, name string) string {
	first, m := p.models()[0], d.Model(model)
	if model == first || name == "" {
		return name
	}
	values := []string{first + "." + name}
	if a := d.Model(first).Attribute(name); a != nil && a.Of != "" {
		values = append(values, a.Of)
	}
	for i := range m.Attributes {
		if slices.Contains(values, m.Attributes[i].Of) {
			return m.Attributes[i].Name
		}
	}
	if m.Attribute(name) == nil {
		return ""
	}
	return name
}

// listTogether lists the patterns over several models.
func (p *planner) listTogether() {
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

// alike returns the first pattern that reads the same models by the same attributes in the same order.
func (p *planner) alike(i int) int {
	b := &p.design.Patterns[i]
	return slices.IndexFunc(p.design.Patterns, func(a Pattern) bool {
		return slices.Equal(a.Models, b.Models) && slices.Equal(a.Equal, b.Equal) && a.SortBy() == b.SortBy() &&
			maps.Equal(a.Where, b.Where) && a.Period == b.Period && a.Shards == b.Shards
	})
}

// families gives each model the first of those that it shares partitions with: those that one unordered
// pattern reads. Partition keys of one family have the same prefix.
func (p *planner) families() {
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

// togetherAt returns where a layout serves a pattern over several models: the same alternative and
// partition key for all of them that are in the layout. ok is false if there is none.
func (p *planner) togetherAt(l *layout, t *together) (at position, ok bool) {
	there := slices.DeleteFunc(slices.Clone(t.models), func(m int) bool { return m >= len(l.models) })
	for i := range p.wantOf(there[0], t.pattern).alternatives {
		for _, at := range l.positionsOf(there[0], p.wantOf(there[0], t.pattern).alternatives[i]) {
			apart := func(m int) bool {
				return !slices.Contains(l.positionsOf(m, p.wantOf(m, t.pattern).alternatives[i]), at)
			}
			if !slices.ContainsFunc(there[1:], apart) {
				return at, true
			}
		}
	}
	return 0, false
}

// positionsOf returns the partition keys of a model that serve a key. The table comes first.
func (l *layout) positionsOf(m int, k key) (all []position) {
	if l.models[m].primary.serves(k) {
		all = append(all, tablePartition)
	}
	for i, indexed := range l.models[m].indexed {
		if indexed.serves(k) {
			all = append(all, partitionOf(l.slots[m][i]))
		}
	}
	return all
}

func (p *planner) wantOf(m, pattern int) *want {
	i := slices.IndexFunc(p.wants[m], func(w want) bool { return w.pattern == pattern })
	return &p.wants[m][i]
}

// join reports whether a layout of the first models serves the patterns over several of those, as far as
// the last model has a part in them. It notes where, once all models of a pattern are there.
func (p *planner) join(l *layout) bool {
	last := len(l.models) - 1
	for i := range p.together {
		t := &p.together[i]
		if !slices.Contains(t.models, last) {
			continue
		}
		at, ok := p.togetherAt(l, t)
		if !ok {
			return false
		}
		if slices.Max(t.models) == last {
			l.spots = append(slices.Clip(l.spots), spot{t, at})
		}
	}
	return true
}

// spot is where a layout serves a pattern over several models: at a partition key.
type spot struct {
	*together
	at position
}

// sharedAt reports whether a layout serves a pattern over several models at a partition key, and
// whether such a pattern is ordered.
func (l *layout) sharedAt(at position) (shared, ordered bool) {
	for _, s := range l.spots {
		if s.at == at {
			shared, ordered = true, ordered || s.ordered
		}
	}
	return shared, ordered
}

// prefix is what the values of a model in a column begin with, if the column is prefixed.
func (p *planner) prefix(a *arrangement, c *column, m int) string {
	for _, at := range c.positions {
		if at%2 != 0 {
			continue
		}
		if k := a.keyOf(m, at); k.together > 0 {
			return p.design.KeyPrefix(p.design.Patterns[k.together-1].Models[0])
		}
		if shared, _ := a.sharedAt(at); shared {
			return p.design.KeyPrefix(p.models[p.family[m]].Name)
		}
	}
	return p.design.KeyPrefix(p.models[m].Name)
}

// keyOf returns the key of a model whose partition key has a position.
func (a *arrangement) keyOf(m int, at position) key {
	switch {
	case at == tablePartition:
		return a.models[m].primary
	case at.local():
		return a.models[m].localIn(int(at-localPositions) / 2)
	}
	return a.keyIn(m, int(at)/2-1)
}

// pin gives each pattern over several models an index of its own, by whose key no other pattern reads.
// That takes more indexes than needed, but no search. It reports false if one cannot read an index.
func (p *planner) pin() bool {
	if slices.ContainsFunc(p.together, func(t together) bool { return p.design.Patterns[t.pattern].Consistent }) {
		return false
	}
	for m := range p.wants {
		for i, w := range p.wants[m] {
			if w.together {
				alone := w.alternatives[len(w.alternatives)-1:]
				p.wants[m][i].alternatives = alone
				if !slices.Contains(p.pins, alone[0].together) {
					p.pins = append(p.pins, alone[0].together)
				}
			}
		}
	}
	return true
}

// mayPlace reports whether a key may be in an index.
func (p *planner) mayPlace(k key, index int) bool {
	if index >= len(p.pins) {
		return k.together == 0 || len(p.pins) == 0
	}
	return p.pins[index] == k.together
}

// conflicts counts what prefixes cannot keep apart in an arrangement: patterns that select items of
// other models, orders that prefixes break, and models with equal primary keys.
func (p *planner) conflicts(a *arrangement) (n int) {
	for m := range p.models {
		for _, w := range p.wants[m] {
			r := p.route(a, m, w)
			sort := r.sortColumn(a)
			if w.together && sort != nil && sort.prefixed && p.design.Patterns[w.pattern].SortBy() != "" {
				n++
			}
			q := p.query(a, m, w)
			for f := range p.models {
				if p.foreign(w, f) && p.meets(a, r, &q, w, f) {
					n++
				}
			}
		}
		for f := range m {
			if p.sameKey(a, m, f) {
				n++
			}
		}
	}
	return n
}

// conflictsIn returns the conflicts of an arrangement that separate has not seen yet, and leaves it as
// it was.
func (p *planner) conflictsIn(a *arrangement) int {
	p.separate(a)
	n := p.conflicts(a)
	for _, x := range a.prefixes {
		x.column.prefixed = false
	}
	a.prefixes = nil
	return n
}

// foreign reports whether a pattern reads no items of a model.
func (p *planner) foreign(w want, m int) bool {
	return !slices.Contains(p.design.Patterns[w.pattern].models(), p.models[m].Name)
}

// constantTogether gives models that are read together, by no attribute, a constant attribute of one
// value.
func (p *planner) constantTogether(m int, pattern *Pattern) string {
	value := strings.ToLower(pattern.Models[0])
	return p.addConstant(m, pattern, value+"_"+constantName, value)
}
