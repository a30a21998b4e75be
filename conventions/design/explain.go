package design

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// explanation says why the keys of an arrangement are as they are.
type explanation struct {
	*arrangement
	notes
	found Search
}

// explainKeys says why models have their primary keys, and why there are indexes and shared
// columns.
func (e *explanation) explainKeys() {
	for m, l := range e.ways {
		e.note(3, e.models[m].Name, "has the primary key %s: %s", l.primary,
			e.whyPrimary(m, l.primary))
		for i, k := range l.local {
			e.note(4, e.models[m].Name,
				"is in %s under %s: a local index, for strongly consistent reads", e.localName(i),
				k)
			e.naming(e.localName(i))
		}
	}
	e.explainIndexes()
	e.explainCount()
	e.explainColumns()
	e.explainStrangers()
	switch {
	case e.found.Exact && e.found.Partial > 0:
		e.note(4, "", "compared %s; no other one is better, as the bounds of %s show",
			count(e.found.Layouts, "layout", "layouts"),
			count(e.found.Partial, "partial one", "partial ones"))
	case e.found.Exact && e.found.Layouts == 1:
		e.note(4, "", "found only one layout")
	case e.found.Exact:
		e.note(4, "", "compared all %d layouts", e.found.Layouts)
	default:
		e.note(4, "",
			"compared %d layouts, the best of too many to compare all: another one may be better. "+
				"What bounds the search: %s", e.found.Layouts, listed(e.found.Cut))
	}
}

// explainIndexes says which models are in each global index, and by which keys.
func (e *explanation) explainIndexes() {
	for slot := range e.count {
		var has []string
		for m, l := range e.ways {
			for i, k := range l.indexed {
				if e.slots[m][i] == slot {
					has = append(has, fmt.Sprintf("%s under %s", e.models[m].Name, k))
				}
			}
		}
		name := e.indexName(slot)
		e.note(4, name, "has %s", strings.Join(has, ", "))
		e.naming(name)
	}
}

// explainCount says why there are so many global indexes.
func (e *explanation) explainCount() {
	if e.count == 0 {
		return
	}
	most, model := 0, ""
	for m, l := range e.ways {
		if len(l.indexed) > most {
			most, model = len(l.indexed), e.models[m].Name
		}
	}
	why := fmt.Sprintf(
		"%s needs %s besides its primary key, and an index holds one key of each model", model,
		count(most, "key", "keys"))
	switch {
	case e.count > most && len(e.together) == 0:
		why = "a counter needs an index whose sort keys are numbers, so that ADD changes it"
	case e.count > most:
		why = "patterns over several models need the same index for all of them, by which no other pattern reads"
	}
	e.note(4, "", "%s: %s", count(e.count, "global index", "global indexes"), why)
	e.notes[len(e.notes)-1].counts = true
}

// explainColumns says which attributes are in several keys.
func (e *explanation) explainColumns() {
	for _, c := range e.columns {
		if len(c.positions) == 1 {
			continue
		}
		e.note(5, "", "%s is %s: no model needs different values there", c.name(), e.uses(c))
		names := []string{c.name()}
		for _, at := range c.positions {
			if at > tableSort {
				names = append(names, e.indexAt(at))
			}
		}
		e.naming(names...)
	}
}

// explainStrangers says which indexes have items of models that are not read from them.
func (e *explanation) explainStrangers() {
	for i := range e.count {
		var names []string
		for _, m := range e.strangers(i) {
			names = append(names, e.models[m].Name)
		}
		if names != nil {
			e.note(5, e.indexName(i),
				"also has the items of %s, which its queries do not find: that costs less than attributes of its own",
				strings.Join(names, " and "))
			e.naming(e.indexName(i))
		}
	}
}

// uses says which keys a column is in, such as "the sort key of the table and the partition key of
// GSI1".
func (e *explanation) uses(c *column) string {
	in := map[string][]string{}
	for _, at := range c.positions {
		kind, of := "partition", "the table"
		if at%2 == 1 {
			kind = "sort"
		}
		if at > tableSort {
			of = e.indexAt(at)
		}
		in[kind] = append(in[kind], of)
	}
	var all []string
	for _, kind := range []string{"partition", "sort"} {
		if len(in[kind]) > 0 {
			all = append(all,
				fmt.Sprintf("the %s key of %s", kind, strings.Join(in[kind], " and ")))
		}
	}
	return strings.Join(all, ", and ")
}

// whyPrimary says which patterns a primary key serves.
func (e *explanation) whyPrimary(m int, primary key) string {
	var served []string
	for _, w := range e.wants[m] {
		together := slices.ContainsFunc(e.spots, func(s spot) bool {
			return s.pattern == w.pattern && s.at != tablePartition
		})
		if !together && slices.ContainsFunc(w.alternatives, primary.serves) {
			served = append(served, strconv.Quote(e.design.Patterns[w.pattern].Name))
		}
	}
	if len(served) == 0 {
		return "it is unique, and items are put, updated and deleted by it; no pattern reads by it" +
			e.tooFew(m)
	}
	return "it is unique, and serves " + strings.Join(served, " and ")
}

// tooFew says which primary key a model has not because all of its items would be under few
// partition keys, or "".
func (e *explanation) tooFew(m int) string {
	for _, w := range e.wants[m] {
		for _, k := range w.alternatives {
			k = madeUnique(k, e.models[m].Key)
			if e.isFixed(m, k) && !e.models[m].constants(k.partition) &&
				!e.models[m].changes(k.partition) {
				return fmt.Sprintf(". %s would have few partition keys, which get all writes", k)
			}
		}
	}
	return ""
}

// explainNames says which attributes are stored under other names.
func explainNames(p *Plan) (notes notes) {
	for _, e := range p.Entities {
		for _, s := range e.Others {
			if name := s.Value[0].Attribute; s.Name != name {
				notes.note(6, e.Model,
					"stores %s as %s: another model has %[1]s in the key of an index, and these items would get into it. Another name needs no further index", name, s.Name)
			}
		}
	}
	return notes
}

// explainMoney says what a plan saves against a simpler one.
func explainMoney(p, simpler *Plan) {
	prices := ListPrices()
	at := slices.IndexFunc(p.Notes, func(n Note) bool { return n.Step > 4 })
	if at < 0 {
		at = len(p.Notes)
	}
	note := Note{Step: 4,
		Text: "as many indexes with simpler keys cost " +
			dollars(simpler.Cost(prices).Total()) + " " + prices.Currency +
			" a month, and these " + dollars(p.Cost(prices).Total()) +
			": fewer items are in indexes"}
	p.Notes = slices.Insert(p.Notes, at, note)
}
