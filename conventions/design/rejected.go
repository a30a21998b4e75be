package design

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// rejected says what else there was in place of the choices of a plan, and what that would cost.
func rejected(p *Plan) (notes []Note) {
	r := rejection{p, p.Cost(ListPrices())}
	add := func(about, chosen string, others []string) {
		if len(others) > 0 {
			chosen += ". Rejected: " + strings.Join(others, "; ")
		}
		notes = append(notes, Note{Step: 8, About: about, Text: chosen})
	}
	for i := range p.Entities {
		if m := p.Design.Model(p.Entities[i].Model); p.source.Model(m.Name) != nil {
			add(m.Name, r.model(m), r.tableKeys(m))
		}
	}
	var scanned []int
	for i := range p.Queries {
		asked := slices.ContainsFunc(p.source.Patterns,
			func(o Pattern) bool { return o.Name == p.Queries[i].Pattern })
		if !asked || p.Queries[i].Operation == SearchVectors || p.Design.Patterns[i].Rate <= 0 {
			continue
		}
		others := r.others(i)
		if times := r.timesByScan(i); times >= tooDear {
			scanned = append(scanned, i)
		} else if times > 0 {
			others = append(others, r.scan(i))
		}
		if len(others) > 0 {
			add(p.Queries[i].Pattern, r.chosen(i), others)
		}
	}
	if len(scanned) > 0 {
		add("", r.scans(scanned), nil)
	}
	return notes
}

// leastSaid is the least that a difference is said of, in a month.
const leastSaid = 0.01

// rejection finds what else than the choices of a plan would serve its design.
type rejection struct {
	*Plan
	cost *Cost
}

// money writes what units and bytes cost in a month.
func (r *rejection) money(s Share) string {
	s.priceBy(r.cost.Prices)
	amount := dollars(s.Dollars)
	if s.Dollars >= 10_000 {
		amount = Grouped(s.Dollars, 0)
	}
	return amount + " " + r.cost.Prices.Currency
}

// model says what the items of a model cost where they are.
func (r *rejection) model(m *Model) string {
	var table, indexes Share
	table.store(m, r.itemBytes(m.Name), m.tableWrites())
	n := 0
	for i := range r.Indexes {
		if index := &r.Indexes[i]; slices.Contains(index.Models, m.Name) {
			s := r.copiesIn(m, index)
			indexes.Bytes += s.Bytes
			indexes.WriteUnits += s.WriteUnits
			n++
		}
	}
	text := fmt.Sprintf("written and stored for %s a month", r.money(table))
	if n > 0 {
		text += fmt.Sprintf(", and once more in %s for %s", count(n, "index", "indexes"),
			r.money(indexes))
	}
	return text
}

// copiesIn returns what an index writes and stores of a model.
func (r *rejection) copiesIn(m *Model, index *Index) (s Share) {
	some := *m
	some.Items = int64(float64(m.Items) * r.partIn(index, m.Name))
	s.store(&some, r.indexedBytes(index, m.Name), r.writesIn(index, m))
	return s
}

// chosen says how a pattern is read, and for how much.
func (r *rejection) chosen(i int) string {
	q := &r.Queries[i]
	text := string(q.Operation)
	if q.Index != "" {
		text += " of " + q.Index
	}
	if q.Fetch {
		text += " and BatchGetItem"
	}
	return text + ", reads for " + r.money(r.cost.Patterns[i]) + " a month"
}

// others says what else would serve a pattern, but for a Scan.
func (r *rejection) others(i int) (all []string) {
	for _, text := range []string{r.filter(i), r.allAttributes(i)} {
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}

// reading returns the reads of a pattern whose requests read a number of bytes each.
func (r *rejection) reading(i int, bytes float64) Share {
	pattern := &r.Design.Patterns[i]
	units := pattern.Rate * math.Ceil(bytes/readUnit)
	if !pattern.Consistent {
		units /= 2
	}
	return Share{ReadUnits: units}
}

// filter says what it costs to read more items by another key, and to filter and sort them, in
// place of the copies that only this pattern reads.
func (r *rejection) filter(i int) (text string) {
	q, pattern := &r.Queries[i], &r.Design.Patterns[i]
	if len(q.Models) > 1 || q.Operation == GetItem || q.Index == "" || r.alsoRead(i, q.Models[0]) {
		return ""
	}
	m, least := r.Design.Model(q.Models[0]), math.Inf(1)
	result := r.Design.Evaluated(pattern)
	try := func(place string, k Key, bytes float64) {
		names := named(r.Entity(m.Name).partition(k))
		other := func(name string) bool {
			return !slices.Contains(pattern.Equal, name) || m.Attribute(name).Derived != nil
		}
		if place == q.Index || len(names) == 0 || slices.ContainsFunc(names, other) ||
			!r.filters(i, m.Name, place) {
			return
		}
		// a key of fewer items than the result has values that the design does not count
		items := float64(m.Items) / float64(r.Design.Different(m.Name, names))
		if items < result || items*bytes >= least {
			return
		}
		least = items * bytes
		text = fmt.Sprintf("a filter over %s in %s (%s: it reads %s items for %s%s)%s",
			r.Entity(m.Name).partition(k), placeName(place), r.money(r.reading(i, least)),
			Grouped(math.Ceil(items), 0), Grouped(resultOf(&r.Design, pattern), 0),
			inRequests(least)+r.sorting(i, k), r.instead(i, least))
	}
	try("", r.Key, r.itemBytes(m.Name))
	for j := range r.Indexes {
		index := &r.Indexes[j]
		if slices.Contains(index.Models, m.Name) && r.partIn(index, m.Name) == 1 &&
			(index.Local || !pattern.Consistent) {
			try(index.Name, index.Key, r.indexedBytes(index, m.Name))
		}
	}
	if r.times(i, least) >= tooDear {
		return ""
	}
	return text
}

// sorting says that a key does not have the order of a pattern, or "".
func (r *rejection) sorting(i int, k Key) string {
	pattern := &r.Design.Patterns[i]
	by := pattern.SortBy()
	sort := slices.DeleteFunc(named(r.Entity(r.Queries[i].Models[0]).sort(k)),
		func(name string) bool { return slices.Contains(pattern.Equal, name) })
	if by == "" || len(sort) > 0 && sort[0] == by {
		return ""
	}
	return ", and the reader puts them in the order of " + by
}

// filters reports whether the table or an index has what a pattern compares, and what it returns.
func (r *rejection) filters(i int, model, place string) bool {
	pattern, index := &r.Design.Patterns[i], r.Index(place)
	names := slices.Concat(pattern.Equal, pattern.Filter,
		slices.Collect(maps.Keys(pattern.Where)))
	if by := pattern.SortBy(); by != "" {
		names = append(names, by)
	}
	needs := r.Needs(i, model)
	for _, name := range names {
		if a := r.Design.Model(model).Attribute(name); a.Constant == "" && a.Derived == nil {
			needs = append(needs, r.Entity(model).Holding(name))
		}
	}
	return !slices.ContainsFunc(needs, func(holders []string) bool {
		return !slices.ContainsFunc(holders,
			func(name string) bool { return index == nil || r.projects(index, name) })
	})
}

// instead says what reads of a number of bytes save, or cost more, without the copies that only a
// pattern reads, and when to take a saving.
func (r *rejection) instead(i int, bytes float64) string {
	copies, saved := r.onlyFor(i)
	if copies == "" {
		return ""
	}
	share := r.reading(i, bytes)
	share.priceBy(r.cost.Prices)
	saved += r.cost.Patterns[i].Dollars - share.Dollars
	text := fmt.Sprintf(". Without %s, which no other pattern reads, that ", copies)
	if saved < 0 {
		return text + fmt.Sprintf("costs %s %s more", dollars(-saved), r.cost.Prices.Currency)
	}
	text += fmt.Sprintf("saves %s %s", dollars(saved), r.cost.Prices.Currency)
	if inRequests(bytes) != "" {
		return text + ", for a reader that can wait for so many requests"
	}
	return text + ": take it as long as this stays small"
}

// onlyFor returns what only a pattern reads, and what that costs: a global index, or the copies of
// a model there.
func (r *rejection) onlyFor(i int) (copies string, cost float64) {
	q := &r.Queries[i]
	at := slices.IndexFunc(r.Indexes, func(x Index) bool { return x.Name == q.Index && !x.Local })
	switch {
	case at < 0:
		return "", 0
	case !r.shared(i):
		return q.Index, r.cost.Indexes[at].Dollars
	case len(q.Models) > 1 || r.alsoRead(i, q.Models[0]):
		return "", 0
	}
	share := r.copiesIn(r.Design.Model(q.Models[0]), &r.Indexes[at])
	share.priceBy(r.cost.Prices)
	return fmt.Sprintf("the copies of %s in %s", q.Models[0], q.Index), share.Dollars
}

// alsoRead reports whether another pattern reads a model where a pattern does.
func (r *rejection) alsoRead(i int, model string) bool {
	return slices.ContainsFunc(r.Queries, func(o Query) bool {
		return o.Index == r.Queries[i].Index && o.Pattern != r.Queries[i].Pattern &&
			slices.Contains(o.Models, model)
	})
}

// shared reports whether another pattern reads where a pattern does.
func (r *rejection) shared(i int) bool {
	return slices.ContainsFunc(r.Queries, func(o Query) bool {
		return o.Index == r.Queries[i].Index && o.Pattern != r.Queries[i].Pattern
	})
}

func placeName(index string) string {
	if index == "" {
		return "the table"
	}
	return index
}

// allAttributes says what copies of all that a pattern reads cost in its index, if it has to fetch
// the items.
func (r *rejection) allAttributes(i int) string {
	q := &r.Queries[i]
	if !q.Fetch {
		return ""
	}
	return fmt.Sprintf("copies of what it reads in %s, for one request (%s %s more)", q.Index,
		dollars(r.fetches[i]), r.cost.Prices.Currency)
}
