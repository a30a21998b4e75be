package design

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// rejected says of each model and pattern what was chosen, what else there was, and what that would
// cost.
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
	for i := range p.Queries {
		asked := slices.ContainsFunc(p.source.Patterns,
			func(o Pattern) bool { return o.Name == p.Queries[i].Pattern })
		if asked && p.Queries[i].Operation != SearchVectors && p.Design.Patterns[i].Rate > 0 {
			add(p.Queries[i].Pattern, r.chosen(i), r.others(i))
		}
	}
	return notes
}

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
	text := fmt.Sprintf("chosen: under %s, written and stored for %s a month", r.place(m, r.Key),
		r.money(table))
	more := slices.DeleteFunc(r.attributesIn(m, r.Key),
		func(name string) bool { return slices.Contains(m.Key, name) })
	if len(more) > 0 && m.AllUpdates()+m.Deletes > 0 {
		text += fmt.Sprintf("; who updates or deletes an item has to know its %s besides (%s)",
			listed(more), listed(m.Key))
	}
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

// place writes what a model has in a key.
func (r *rejection) place(m *Model, k Key) string {
	e := r.Entity(m.Name)
	text := e.partition(k).String()
	if sort := e.sort(k); sort != nil {
		text += ", " + sort.String()
	}
	return text
}

// tableKeys says why the keys that a model has in indexes are not the one in the table.
func (r *rejection) tableKeys(m *Model) (all []string) {
	for i := range r.Indexes {
		index := &r.Indexes[i]
		if slices.Contains(index.Models, m.Name) && !index.Local {
			all = append(all, r.place(m, index.Key)+" in the table: "+
				r.whyNotInTable(m, index, r.attributesIn(m, index.Key)))
		}
	}
	return all
}

// attributesIn returns the attributes that a model has in a key.
func (r *rejection) attributesIn(m *Model, k Key) []string {
	e := r.Entity(m.Name)
	return slices.Concat(named(e.partition(k)), named(e.sort(k)))
}

// whyNotInTable says why a key of some attributes of a model is in an index and not in the table.
func (r *rejection) whyNotInTable(m *Model, index *Index, names []string) string {
	for _, name := range names {
		switch a := m.Attribute(name); {
		case a.Optional > 0:
			return "not all items have " + name
		case a.Mutable:
			return name + " changes, and an item's key in the table never does"
		case a.Derived != nil && a.Derived.Where != nil:
			return "not all items are in the states that it is for"
		}
	}
	for i := range r.Queries {
		if q := &r.Queries[i]; q.Index == "" && slices.Contains(q.Models, m.Name) {
			return fmt.Sprintf("as dear, and %q would take an index", q.Pattern)
		}
	}
	if names := named(r.Entity(m.Name).partition(index.Key)); !slices.ContainsFunc(names,
		func(name string) bool { return m.Attribute(name).Constant == "" }) {
		return "all of its items would have one partition key of the table"
	}
	saved := fmt.Sprintf("it would save the copies in %s, %s", index.Name,
		r.money(r.copiesIn(m, index)))
	more := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.Contains(m.Key, name) || m.Attribute(name).Constant != ""
	})
	if len(more) == 0 {
		return saved + ", too little to choose keys by"
	}
	return saved + ", but then who updates or deletes an item has to know its " + listed(more)
}

// chosen says how a pattern is read, and for how much.
func (r *rejection) chosen(i int) string {
	q := &r.Queries[i]
	text := "chosen: " + string(q.Operation)
	if q.Index != "" {
		text += " of " + q.Index
	}
	if q.Fetch {
		text += " and BatchGetItem"
	}
	return text + ", reads for " + r.money(r.cost.Patterns[i]) + " a month"
}

// others says what else would serve a pattern.
func (r *rejection) others(i int) (all []string) {
	for _, text := range []string{r.filter(i), r.inTable(i), r.ownIndex(i), r.allAttributes(i),
		r.scan(i)} {
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}

// scan says what a Scan of the table costs.
func (r *rejection) scan(i int) string {
	bytes := tableBytes(r.Plan)
	return fmt.Sprintf("a Scan of the table with a filter (%s, each in %s)",
		r.money(r.reading(i, bytes)), requestsOf(bytes))
}

// pageBytes is how much a Query or a Scan reads at most (Developer Guide, "Paginating table query
// results").
const pageBytes = 1 << 20

func requestsOf(bytes float64) string {
	n := max(math.Ceil(bytes/pageBytes), 1)
	if n == 1 {
		return "one request"
	}
	return Grouped(n, 0) + " requests"
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

// filter says what it costs to read more items by another key, and to filter and sort them.
func (r *rejection) filter(i int) (text string) {
	q, pattern := &r.Queries[i], &r.Design.Patterns[i]
	if len(q.Models) > 1 || q.Operation == GetItem {
		return ""
	}
	m, least := r.Design.Model(q.Models[0]), math.Inf(1)
	try := func(place string, k Key, bytes float64) {
		names := named(r.Entity(m.Name).partition(k))
		other := func(name string) bool {
			return !slices.Contains(pattern.Equal, name) || m.Attribute(name).Derived != nil
		}
		if place == q.Index || len(names) == 0 || slices.ContainsFunc(names, other) ||
			!r.filters(i, m.Name, place) {
			return
		}
		// where a design does not say how many values there are, it reads the result at least
		items := max(float64(m.Items)/float64(r.Design.Different(m.Name, names)),
			r.Design.Evaluated(pattern))
		if items*bytes >= least {
			return
		}
		least = items * bytes
		text = fmt.Sprintf("a filter over %s in %s (%s: it reads %s items for %s%s)",
			r.Entity(m.Name).partition(k), placeName(place), r.money(r.reading(i, least)),
			Grouped(math.Ceil(items), 0),
			Grouped(resultOf(&r.Design, pattern), 0),
			r.saved(i, least))
	}
	try("", r.Key, r.itemBytes(m.Name))
	for j := range r.Indexes {
		index := &r.Indexes[j]
		if slices.Contains(index.Models, m.Name) && r.partIn(index, m.Name) == 1 &&
			(index.Local || !pattern.Consistent) {
			try(index.Name, index.Key, r.indexedBytes(index, m.Name))
		}
	}
	return text
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

// saved says what a filter saves that reads a number of bytes, if it costs less than the index that
// only this pattern reads.
func (r *rejection) saved(i int, bytes float64) string {
	name := r.Queries[i].Index
	at := slices.IndexFunc(r.Indexes, func(x Index) bool { return x.Name == name && !x.Local })
	if at < 0 || r.shared(i) {
		return ""
	}
	share := r.reading(i, bytes)
	share.priceBy(r.cost.Prices)
	saved := r.cost.Indexes[at].Dollars + r.cost.Patterns[i].Dollars - share.Dollars
	if saved <= 0 {
		return ""
	}
	return fmt.Sprintf(". Without %s, which no other pattern reads, that saves %s %s: take it as "+
		"long as these partitions stay small", name, dollars(saved), r.cost.Prices.Currency)
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

// inTable says why a pattern of one model is not read from the table.
func (r *rejection) inTable(i int) string {
	q := &r.Queries[i]
	index := r.Index(q.Index)
	if index == nil || index.Local || len(q.Models) > 1 {
		return ""
	}
	m, names := r.Design.Model(q.Models[0]), r.Design.Patterns[i].Equal
	if by := r.Design.Patterns[i].SortBy(); by != "" {
		names = append(slices.Clone(names), by)
	}
	return "the table's key (" + r.whyNotInTable(m, index, names) + ")"
}

// ownIndex says what an index costs that only this pattern reads, unless it has one.
func (r *rejection) ownIndex(i int) string {
	q := &r.Queries[i]
	if q.Operation == GetItem || q.Index != "" && !r.shared(i) {
		return ""
	}
	return "an index of its own (" + r.money(r.indexOf(q)) + " more)"
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

// indexOf returns what an index costs with all attributes of the models of a query, by the key that
// the query names.
func (r *rejection) indexOf(q *Query) Share {
	with := r.Plan.Clone()
	with.Indexes = append(with.Indexes, Index{Models: q.Models,
		Key: Key{Partition: q.Partition.Name, Sort: q.Sort.Name}})
	return with.indexShare(len(with.Indexes)-1, r.cost.Prices)
}
