package design

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// memo says what whoever owns the table has to know, in the words of the field.
func memo(p *Plan) (notes []Note) {
	add := func(about, format string, args ...any) {
		notes = append(notes, Note{Step: 9, About: about, Text: fmt.Sprintf(format, args...)})
	}
	for i := range p.Queries {
		if q := &p.Queries[i]; len(q.Models) > 1 {
			add(q.Pattern, "%s are an item collection in %s: one Query reads the items under %s",
				strings.Join(q.Models, " and "), cmp.Or(q.Index, "the table"), readPartition(p, q))
		}
		if n := p.Design.Patterns[i].Shards; n > 1 {
			add(p.Queries[i].Pattern, "write sharding spreads each partition key over %d", n)
		}
	}
	for _, text := range collections(p) {
		add("", "%s", text)
	}
	for i := range p.Entities {
		if text := byOwnKey(p, &p.Entities[i]); text != "" {
			add(p.Entities[i].Model, "%s", text)
		}
	}
	for i := range p.Design.Models {
		if g := p.Design.Models[i].Reserves; g != nil && slices.ContainsFunc(p.Queries,
			func(q Query) bool { return slices.Contains(q.Models, p.Design.Models[i].Name) }) {
			add(g.Of, "has several items, written together: its own, and one of %s that is read by %s",
				p.Design.Models[i].Name, strings.Join(g.Unique, " and "))
		}
	}
	for i := range p.Indexes {
		for _, text := range kindsOf(p, &p.Indexes[i]) {
			add(p.Indexes[i].Name, "%s", text)
		}
	}
	for _, c := range Copies(&p.Design) {
		if c.Kept != "" {
			add(c.Model, "%s is a denormalized copy of %s.%s", c.Attribute, c.Of, c.Name)
		}
	}
	if behind := eventual(p); len(behind) > 0 {
		add("", "reads of global indexes are eventually consistent: %s", listed(behind))
	}
	add("", "%s", neverChanges(p))
	if text := firstHot(p); text != "" {
		add("", "%s", text)
	}
	for _, text := range room(p) {
		add("", "%s", text)
	}
	return notes
}

// collections says which models' items lie under the same partition keys of the table.
func collections(p *Plan) (all []string) {
	if p.Key.Sort == "" {
		return nil
	}
	models := map[string][]string{}
	var order []string
	for i := range p.Entities {
		e := &p.Entities[i]
		of := collectionOf(p, e)
		if of == "" {
			continue
		}
		if models[of] == nil {
			order = append(order, of)
		}
		models[of] = append(models[of], e.Model)
	}
	for _, of := range order {
		if names := models[of]; len(names) > 1 && !readTogether(p, names) {
			all = append(all, fmt.Sprintf("the items of %s under one partition key of the table, %s, "+
				"are an item collection: a further pattern can read them in one Query",
				listed(names), p.Entity(names[0]).key(p.Key.Partition)))
		}
	}
	return all
}

// readTogether reports whether a pattern reads just some models from the table together.
func readTogether(p *Plan, models []string) bool {
	return slices.ContainsFunc(p.Queries, func(q Query) bool {
		return q.Index == "" && len(q.Models) == len(models) &&
			!slices.ContainsFunc(models, func(name string) bool {
				return !slices.Contains(q.Models, name)
			})
	})
}

// collectionOf writes a model's partition key of the table by the attributes whose values it has.
// It returns "" if it has the values of none.
func collectionOf(p *Plan, e *Entity) (of string) {
	m, some := p.Design.Model(e.Model), false
	for _, part := range e.key(p.Key.Partition) {
		of += part.Text
		if part.Attribute != "" {
			of += "{" + rootOf(p.Design.Models, m.Name, m.Attribute(part.Attribute)) + "}"
			some = true
		}
	}
	if !some {
		return ""
	}
	return of
}

// kindsOf says what kind of index one is: overloaded, sparse, inverted.
func kindsOf(p *Plan, index *Index) (kinds []string) {
	var holds []string
	inverted := []string(nil)
	for _, model := range index.Models {
		e := p.Entity(model)
		partition, sort := e.partition(index.Key), e.sort(index.Key)
		if text := partition.String(); !slices.Contains(holds, text) {
			holds = append(holds, text)
		}
		if len(e.attributes(p.Key.Sort)) > 0 && !index.Local &&
			slices.Equal(named(partition), e.attributes(p.Key.Sort)) &&
			(sort == nil || slices.Equal(named(sort), e.attributes(p.Key.Partition))) {
			inverted = append(inverted, model)
		}
	}
	if len(holds) > 1 && !index.Local {
		kinds = append(kinds, fmt.Sprintf("GSI overloading: %s holds %s", index.Key.Partition,
			listed(holds)))
	}
	if index.Key.Several() {
		kinds = append(kinds, fmt.Sprintf("a key of several attributes, which the service has since "+
			"November 2025: %s. A query names all of the partition key, and of the sort key the "+
			"first ones. PartiQL does not read it, and tools that join keys do not know it",
			strings.Join(index.Key.Names(), ", ")))
	}
	var sparse []string
	for _, model := range index.Models {
		if p.partIn(index, model) < 1 {
			sparse = append(sparse, model)
		}
	}
	if len(sparse) > 0 {
		kinds = append(kinds, "a sparse index of "+listed(sparse)+": only some of the items have "+
			"its key")
	}
	if len(inverted) > 0 {
		kinds = append(kinds, fmt.Sprintf("an inverted index of %s: the adjacency list of the "+
			"table, read from its other end", listed(inverted)))
	}
	return kinds
}

// eventual returns the patterns whose reads are behind: those of global indexes.
func eventual(p *Plan) (names []string) {
	for i := range p.Queries {
		if index := p.Index(p.Queries[i].Index); index != nil && !index.Local {
			names = append(names, p.Queries[i].Pattern)
		}
	}
	return names
}

// neverChanges says what only a new table, with a copy of all items, would change.
func neverChanges(p *Plan) string {
	text := "what never changes without a copy of all items: the table's key and what each model " +
		"has in it"
	if len(p.local()) > 0 {
		text += ", and the local indexes"
	}
	return text + ". Global indexes come and go on a live table, one at a time"
}

// farFromHot is the part of what a partition takes below which no growth makes it hot soon.
const farFromHot = 0.001

// firstHot says which partition key would be the first hot one as rates grow.
func firstHot(p *Plan) string {
	h := Hottest(p)
	part := h.Part()
	if part == 0 {
		return ""
	}
	busiest := fmt.Sprint(h.Partition, " in ", h.Place)
	if part < farFromHot {
		return "no partition comes near its limits: the busiest, " + busiest +
			", is hot at more than " + Grouped(1/farFromHot, 0) + " times the rates"
	}
	text := fmt.Sprintf("the first hot partition, as rates grow: %s gets %s of %s %s units a second",
		busiest, Grouped(h.Units, 1), Grouped(h.Limit, 0), h.Kind)
	if part > 1 {
		return text
	}
	decimals := 0
	if part > 0.1 {
		decimals = 1
	}
	return text + fmt.Sprintf(". It is hot at %s times the rates", Grouped(1/part, decimals))
}

// room says how a further pattern would be added.
func room(p *Plan) (all []string) {
	free := map[string][]string{}
	for i := range p.Entities {
		model := p.Entities[i].Model
		if p.source.Model(model) == nil {
			continue // a model that the plan adds
		}
		at := slices.IndexFunc(p.Indexes, func(index Index) bool {
			return !index.Local && !index.Natural && !slices.Contains(index.Models, model)
		})
		if at >= 0 {
			free[p.Indexes[at].Name] = append(free[p.Indexes[at].Name], model)
		}
	}
	for i := range p.Indexes {
		if models := free[p.Indexes[i].Name]; len(models) > 0 {
			all = append(all, fmt.Sprintf("a further pattern of %s can overload %s: new items have "+
				"its key, the others are backfilled by an update each", listed(models),
				p.Indexes[i].Name))
		}
	}
	return append(all, fmt.Sprintf("other patterns take an index more: %d of %d are taken",
		len(p.Indexes)-len(p.local()), p.Design.maxIndexes()))
}
