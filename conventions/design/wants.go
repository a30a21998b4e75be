package design

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// wantsOf finds the wants of each model's patterns.
func (p *preparation) wantsOf() {
	p.note(2, "",
		"(a, b) is a key with the partition key a and the sort key b; a+b is both, joined")
	for i := range p.design.Patterns {
		pattern := &p.design.Patterns[i]
		if pattern.Similar != "" {
			continue // a vector index serves it
		}
		for _, name := range pattern.models() {
			m := p.modelIndex(name)
			p.wants[m] = append(p.wants[m], p.wantOfPattern(i, m))
		}
		p.explainWant(pattern, p.wantOf(p.modelIndex(pattern.models()[0]), i))
	}
}

// explainWant says by which key a pattern is read, and warns of keys of many parts.
func (p *preparation) explainWant(pattern *Pattern, w *want) {
	p.note(2, pattern.Name, "reads %s by %s", strings.Join(pattern.models(), " and "),
		w.alternatives[0])
	if g := p.design.Model(pattern.models()[0]).Reserves; g != nil {
		p.note(2, pattern.Name, "needs of %s only what its guard has, which keeps %s unique: that "+
			"takes no index, and is up to date if the read is strongly consistent", g.Of,
			strings.Join(g.Unique, " and "))
	}
	if n := len(pattern.Equal); n >= 3 && !pattern.One {
		p.warn(2, pattern.Name, "%s", manyParts(n, "a key holds them only joined, in this order"))
		p.notes[len(p.notes)-1].parts = n
	}
}

// manyParts warns of a pattern that names many attributes, and says how requests give them.
func manyParts(n int, how string) string {
	return fmt.Sprintf("names %d attributes: %s. If requests leave some out, a table of its own or a "+
		"search engine serves the pattern better", n, how)
}

// wantOfPattern returns what a pattern needs of the keys of a model.
func (p *preparation) wantOfPattern(i, m int) want {
	pattern, model := &p.design.Patterns[i], p.models[m].Name
	w := want{pattern: i, together: len(pattern.Models) > 0}
	for _, name := range pattern.Equal {
		w.equal = append(w.equal, p.design.AttributeOf(pattern, model, name))
	}
	where := ""
	if len(pattern.Where) > 0 {
		where = p.addWhere(m, pattern)
		w.equal = append(w.equal, where)
	}
	spread := p.spreadOver(m, pattern)
	var sort []string
	if by := p.design.AttributeOf(pattern, model, pattern.SortBy()); by != "" {
		sort = []string{by}
	}
	if pattern.Latest != nil {
		sort = p.latestSort(m, pattern)
	}
	switch {
	case p.design.Tenants != nil:
		w.alternatives = p.ofTenant(i, m, w.equal, spread, sort)
	case w.together:
		w.alternatives = p.alternativesTogether(i, m, slices.Concat(w.equal, spread), sort)
	case len(spread) > 0 && len(w.equal) == 0:
		w.alternatives = []key{
			{partition: append([]string{p.constant(m, pattern)}, spread...), sort: sort},
		}
	case len(spread) > 0:
		w.alternatives = []key{{partition: slices.Concat(w.equal, spread), sort: sort}}
	case len(w.equal) == 0:
		w.alternatives = []key{{partition: []string{p.constant(m, pattern)}, sort: sort}}
	case len(w.equal) == 1:
		w.alternatives = []key{{partition: w.equal, sort: sort}}
	default:
		w.alternatives = p.spreading(i, m, p.models[m].severalEqual(w.equal, sort))
	}
	for j := range w.alternatives {
		w.alternatives[j].where = where
		w.alternatives[j].some = p.models[m].someOf(w.alternatives[j])
		w.alternatives[j].exact = len(sort) > 0 && p.models[m].Attribute(sort[0]).freeText()
	}
	w.alternatives = pattern.inOrder(w.alternatives)
	if !w.together {
		w.alternatives = p.keptWithParent(m, w.alternatives, p.cool(pattern, m, w.alternatives))
	}
	return w
}

// keptWithParent returns the cool ones of all keys, and the last of all if the model's items are in
// the partition of their parent, whose heat findParents has judged.
func (p *preparation) keptWithParent(m int, all, cool []key) []key {
	below := all[len(all)-1]
	serves := func(k key) bool { return k.serves(below) }
	if !p.withParent(m) || slices.ContainsFunc(cool, serves) {
		return cool
	}
	return append(cool, below)
}

// cool returns those of some keys whose most frequent partition gets no more requests than a
// partition serves, or all keys if no key is so: an index that saves an attribute by the partition
// "open" of all items is dear when it throttles.
func (p *preparation) cool(pattern *Pattern, m int, keys []key) []key {
	model := &p.models[m]
	cool := slices.DeleteFunc(slices.Clone(keys), func(k key) bool {
		share := 1 / float64(max(model.Items, 1))
		of := 1.0
		for _, name := range k.partition {
			if model.Attribute(name).Begins == "" { // all are put with the same one
				of *= model.Heaviest(name)
			}
		}
		share = max(share, of)
		writes := model.Puts + model.Deletes
		for _, c := range model.Changes {
			writes += c.Rate * model.entriesIn(k, c.Of)
		}
		writes *= model.peak()
		units := math.Ceil(p.design.Evaluated(pattern)*model.bytes()/readUnit) / 2
		reads := model.peak() * pattern.Rate * units
		return writes*math.Ceil(model.bytes()/writeUnit)*share > partitionWrites ||
			reads*share > partitionReads
	})
	if len(cool) == 0 {
		return keys
	}
	if len(cool) < len(keys) {
		p.note(2, pattern.Name, "is in no key with few partitions, which would get more requests than a partition serves")
	}
	return cool
}

// ofTenant returns the keys that serve a pattern of one tenant: those that would serve it without
// tenants, with the tenant before them, and one for which the tenant has one partition.
func (p *preparation) ofTenant(i, m int, equal, spread, sort []string) []key {
	tenant := p.design.Tenants.Attribute
	rest := slices.DeleteFunc(slices.Clone(equal), func(name string) bool { return name == tenant })
	below := func(names []string) []string { return append([]string{tenant}, names...) }
	switch {
	case len(p.design.Patterns[i].Models) > 0:
		return p.keysTogether(i, below(slices.Concat(rest, spread)), sort)
	case len(spread) > 0:
		return []key{{partition: below(slices.Concat(rest, spread)), sort: sort}}
	case len(rest) == 0:
		return []key{{partition: below(nil), sort: sort}}
	}
	keys := []key{{partition: below(rest), sort: sort}}
	if len(rest) > 1 {
		keys = p.models[m].severalEqual(rest, sort)
		for j := range keys {
			keys[j].partition = below(keys[j].partition)
		}
	}
	return append(keys, key{partition: below(nil), sort: slices.Concat(rest, sort)})
}

// alternativesTogether returns the keys that serve a pattern over several models. Without an order
// any sort keys will do, also those by which other patterns read one of the models. In an order
// they must not begin with the model's name, so no other pattern reads by them.
func (p *preparation) alternativesTogether(i, m int, equal, sort []string) []key {
	pattern := &p.design.Patterns[i]
	if len(pattern.Equal) == 0 && len(pattern.Where) == 0 {
		equal = append([]string{p.constantTogether(m, pattern)}, equal...)
	}
	return p.keysTogether(i, equal, sort)
}

// keysTogether returns the keys by which models are read together: with an order only one that no
// other pattern reads by. Without one, those of the table or of an index where other patterns read
// one of the models; then the others have an entry there, too.
func (p *preparation) keysTogether(i int, equal, sort []string) []key {
	alone := key{partition: equal, sort: sort, together: p.alike(i) + 1}
	if len(sort) > 0 && p.design.Patterns[i].Latest == nil {
		return []key{alone}
	}
	return []key{{partition: equal, sort: sort}, {partition: equal, sort: sort, inIndex: true},
		alone}
}

// alike returns the first pattern that reads the same models by the same attributes in the same
// order as pattern i.
func (p *preparation) alike(i int) int {
	b := &p.design.Patterns[i]
	return slices.IndexFunc(p.design.Patterns, func(a Pattern) bool {
		return slices.Equal(a.Models, b.Models) && slices.Equal(a.Equal, b.Equal) &&
			a.SortBy() == b.SortBy() &&
			maps.Equal(a.Where, b.Where) && sameNewest(&a, b) &&
			a.Period == b.Period && a.Shards == b.Shards
	})
}

// sameNewest reports whether patterns read the newest items by the same attribute, or none do.
func sameNewest(a, b *Pattern) bool {
	by, _ := a.Newest()
	other, _ := b.Newest()
	return by == other
}

// spreading returns those keys of a pattern that do not have an attribute with few values alone as
// their partition key, where the pattern names one with many. It returns them all the same if
// another pattern reads by that attribute alone: one index serves both.
func (p *preparation) spreading(i, m int, keys []key) []key {
	model, pattern := &p.models[m], &p.design.Patterns[i]
	if pattern.One || len(pattern.Where) > 0 {
		return keys
	}
	alone := func(name string) bool {
		return slices.ContainsFunc(p.design.Patterns, func(o Pattern) bool {
			return len(o.Equal) == 1 && slices.Contains(o.models(), model.Name) &&
				p.design.AttributeOf(&o, model.Name, o.Equal[0]) == name
		})
	}
	most := int64(0)
	for _, k := range keys {
		most = max(most, model.values(k.partition[0]))
	}
	return slices.DeleteFunc(keys, func(k key) bool {
		values := model.Attribute(k.partition[0]).different()
		return len(k.partition) == 1 && 0 < values && values <= fewValues && fewValues < most &&
			!alone(k.partition[0])
	})
}

// severalEqual returns the keys that serve a pattern which names several attributes: one of them is
// the partition key and the others begin the sort key, or all are joined in the partition key. The
// attribute with the most values is the first choice, because it spreads best, if the pattern names
// it first: nobody would write a country below its state.
func (m *Model) severalEqual(equal, sort []string) []key {
	byValues := slices.Clone(equal)
	values := func(name string) int64 { // children go under their parent
		if a := m.Attribute(name); a.Values == 0 && a.referred > 0 {
			return max(m.Items, 1)
		}
		return m.values(name)
	}
	slices.SortStableFunc(byValues, func(a, b string) int {
		return int(min(max(values(b)-values(a), -1), 1))
	})
	var keys []key
	for _, partition := range byValues {
		rest := slices.DeleteFunc(slices.Clone(equal),
			func(a string) bool { return a == partition })
		keys = append(keys, key{partition: []string{partition}, sort: slices.Concat(rest, sort)})
	}
	joined := key{partition: equal, sort: sort}
	if byValues[0] != equal[0] {
		return append([]key{joined}, keys...)
	}
	return append(keys, joined)
}
