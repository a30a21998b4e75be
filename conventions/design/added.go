package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// spreadOver adds the attributes over whose values a pattern spreads its items, and returns their
// names.
func (p *preparation) spreadOver(m int, pattern *Pattern) (names []string) {
	if pattern.Period != "" {
		names = append(names, p.addPeriod(m, pattern))
	}
	if pattern.Shards > 1 {
		names = append(names, p.addShard(m, pattern))
	}
	return names
}

// constantName is the name of the attribute by which all items of a model have one partition key.
const constantName = "type"

// constant returns the name of a model's constant attribute. A model without one gets it.
func (p *preparation) constant(m int, pattern *Pattern) string {
	model := &p.models[m]
	for i := range model.Attributes {
		if a := &model.Attributes[i]; a.Constant != "" && a.Derived == nil && !a.beyond {
			return model.Attributes[i].Name
		}
	}
	return p.addConstant(m, pattern, constantName, strings.ToLower(model.Name))
}

// constantTogether returns the name of a constant attribute that has the same value in all models
// of a pattern that names no attribute.
func (p *preparation) constantTogether(m int, pattern *Pattern) string {
	value := strings.ToLower(pattern.Models[0])
	for _, a := range p.models[m].Attributes {
		if a.Constant == value && a.Derived == nil {
			return a.Name // then patterns of this model alone can share the index
		}
	}
	return p.addConstant(m, pattern, value+"_"+constantName, value)
}

// addConstant adds a constant attribute to a model, unless it has the same one already.
func (p *preparation) addConstant(m int, pattern *Pattern, name, value string) string {
	name, added := p.addAttribute(m,
		Attribute{Name: name, Type: String, Constant: value, Bytes: len(value), Values: 1})
	if added {
		p.note(2, pattern.Name,
			"names no attribute, so all items of %s need one partition key: each gets the attribute %s with the value %q", p.models[m].Name, name, value)
	}
	return name
}

// addWhere adds an attribute that only the items of a pattern with a Where have, so that an index
// has no others. An item loses it when its values change, so it is not in the key of the table.
func (p *preparation) addWhere(m int, pattern *Pattern) string {
	where, values := map[string]string{}, int64(1)
	var names, texts []string
	for _, name := range slices.Sorted(maps.Keys(pattern.Where)) {
		of, text := p.design.AttributeOf(pattern, p.models[m].Name, name), pattern.Where[name]
		where[of] = text
		names, texts = append(names, of, text), append(texts, text)
		values *= max(p.models[m].Attribute(of).Values, 1)
	}
	name, added := p.addAttribute(
		m, Attribute{Name: strings.Join(names, "_"), Type: String,
			Constant: strings.Join(texts, "_"), Values: 1, Mutable: true,
			Derived: &Derived{Where: where}})
	if added {
		p.note(2, pattern.Name,
			"reads items of %s whose %s: only those get the attribute %s, so an index by it has no others", p.models[m].Name, describeWhere(where), name)
	}
	return name
}

// addPeriod adds the period of the timestamp that a pattern gives a range of.
func (p *preparation) addPeriod(m int, pattern *Pattern) string {
	of := p.design.AttributeOf(pattern, p.models[m].Name, pattern.Range)
	a := p.models[m].Attribute(of)
	name, added := p.addAttribute(
		m, Attribute{Name: of + "_" + string(pattern.Period), Type: String,
			Bytes: pattern.Period.digits(), Mutable: a.Mutable, Optional: a.Optional,
			Values:  p.models[m].periods(a, pattern.Period),
			Derived: &Derived{Of: of, Period: pattern.Period}})
	if added {
		p.note(2, pattern.Name,
			"spreads items of %s over partitions by the %s of %s: a read takes one request for each %[2]s of its range", p.models[m].Name, pattern.Period, of)
	}
	return name
}

// addShard adds the number of the shard that an item is in.
func (p *preparation) addShard(m int, pattern *Pattern) string {
	name, added := p.addAttribute(
		m, Attribute{Name: fmt.Sprintf("shard_%d", pattern.Shards), Type: String,
			Values: int64(pattern.Shards), Bytes: 1,
			Derived: &Derived{Shards: pattern.Shards}})
	if added {
		p.note(2, pattern.Name,
			"spreads items of %s over %d shards: a read takes as many requests, whose results it merges", p.models[m].Name, pattern.Shards)
	}
	return name
}

// addAttribute adds an attribute to a model, unless it has the same one already, and returns its
// name.
func (p *preparation) addAttribute(m int, a Attribute) (name string, added bool) {
	model := &p.models[m]
	for old := model.Attribute(a.Name); old != nil; old = model.Attribute(a.Name) {
		if old.Constant == a.Constant && old.Derived.equal(a.Derived) {
			return a.Name, false
		}
		a.Name = "entity_" + a.Name
	}
	model.Attributes = append(slices.Clone(model.Attributes), a)
	return a.Name, true
}

// latestSort returns the sort key by which one request reads an item of a pattern's first model
// before the newest items of its second one: these are read backwards, and it sorts beyond them.
func (p *preparation) latestSort(m int, pattern *Pattern) []string {
	by, _ := pattern.Newest()
	if p.models[m].Name != pattern.Models[0] {
		return []string{by}
	}
	text := beyondAll + spareText(&p.models[m])
	name, _ := p.addAttribute(m, Attribute{Name: "beyond", Type: String, Constant: text,
		Bytes: len(text), Values: 1, beyond: true})
	return []string{name}
}

// beyondAll sorts beyond digits and letters, so beyond timestamps, ULIDs, numbers and the names of
// models.
const beyondAll = "~"
