package design

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// maxIn is how many values of an attribute a request gives at most on average.
const maxIn = 100

// batchSize is how many items BatchGetItem reads at most.
const batchSize = 100

// in returns the attribute of which a request gives several values, and how many; "" and 1 if it
// gives one of each.
func (p *Pattern) in() (name string, values int) {
	for name, n := range p.In { // there is one: see checkIn
		return name, n
	}
	return "", 1
}

// inOrder returns those keys in which the results of several values can be merged by their sort
// keys: one that begins with the value would have them in its order first.
func (p *Pattern) inOrder(keys []key) []key {
	name, _ := p.in()
	if name == "" || p.SortBy() == "" {
		return keys
	}
	return slices.DeleteFunc(keys, func(k key) bool { return slices.Contains(k.sort, name) })
}

// passing returns which part of a model's items a filter by attributes lets through. Values are
// taken as equally frequent, as those of Where are.
func (m *Model) passing(filter []string) float64 {
	part := 1.0
	for _, name := range filter {
		part /= float64(max(m.filterValues(m.Attribute(name)), 1))
	}
	return part * m.presence(filter)
}

// filterValues returns how many values of an attribute there are for a filter, or 0 if the design
// does not say.
func (m *Model) filterValues(a *Attribute) int64 {
	if a.Type == Boolean && a.Values == 0 {
		return 2
	}
	return a.Values
}

// Evaluated returns how many items a read of a pattern reads on average: those of its result, and
// those that its filter drops.
func (d *Design) Evaluated(p *Pattern) float64 {
	if len(p.Filter) == 0 {
		return p.returned()
	}
	return p.returned() / d.Model(p.Model).passing(p.Filter)
}

// filtered reports whether a pattern filters items of a model by an attribute.
func (p *problem) filtered(m int, name string) bool {
	return slices.ContainsFunc(p.design.Patterns, func(pattern Pattern) bool {
		return pattern.Model == p.models[m].Name && slices.Contains(pattern.Filter, name)
	})
}

// filters returns the attributes of the table by which a pattern filters its items.
func (d draft) filters(m int, pattern *Pattern) (all []Stored) {
	for _, name := range pattern.Filter {
		all = append(all, Stored{Name: d.storedName(m, name), Value: Value{{Attribute: name}}})
	}
	return all
}

// readsSeveral makes a query one of several values, if its pattern gives them.
func (q *Query) readsSeveral(pattern *Pattern) {
	name, n := pattern.in()
	if name == "" {
		return
	}
	q.Spread = append(q.Spread, Spread{Attribute: name, Values: n})
	if q.Operation == GetItem {
		q.Operation = BatchGetItem
	}
}

var errNoValues = errors.New("the request has no value")

// given returns the different values that a request gives of the attribute of a Spread.
func (s *Spread) given(values Row) (all []any, err error) {
	list, ok := values[s.Attribute].([]any)
	if !ok {
		list = []any{values[s.Attribute]}
	}
	seen := map[string]bool{}
	for _, v := range list {
		if text := fmt.Sprintf("%T %v", v, v); v != nil && !seen[text] {
			seen[text] = true
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: %w", s.Attribute, errNoValues)
	}
	if s.Most > 0 && len(all) > s.Most {
		all = all[:s.Most]
	}
	return all, nil
}

// batched returns the requests of BatchGetItem that read what single requests would.
func (q *Query) batched(single []Bound) (all []Bound) {
	if q.Operation != BatchGetItem {
		return single
	}
	for part := range slices.Chunk(single, batchSize) {
		all = append(all, Bound{Query: q, Batch: part})
	}
	return all
}

// batch writes a bound BatchGetItem.
func (b Bound) batch(table string, attribute func(any) any) map[string]any {
	var keys []any
	for i := range b.Batch {
		keys = append(keys, b.Batch[i].key(attribute))
	}
	in := map[string]any{"Keys": keys}
	if b.Consistent {
		in["ConsistentRead"] = true
	}
	b.askInto(in, map[string]string{})
	return map[string]any{"RequestItems": map[string]any{table: in}}
}

// key returns the key of the item that a bound query gets.
func (b Bound) key(attribute func(any) any) map[string]any {
	key := map[string]any{b.Partition.Name: attribute(b.PartitionValue)}
	if b.Sort.Operator != "" {
		key[b.Sort.Name] = attribute(b.From)
	}
	return key
}

// filter returns the filter of a bound query, and adds its names and values. It is "" without one.
func (b Bound) filter(names map[string]string, values map[string]any,
	attribute func(any) any) (expression string) {
	for i, f := range b.Filters {
		if i > 0 {
			expression += " AND "
		}
		expression += fmt.Sprintf("#f%d = :f%[1]d", i)
		names[fmt.Sprintf("#f%d", i)] = f.Name
		values[fmt.Sprintf(":f%d", i)] = attribute(b.FilterValues[i])
	}
	return expression
}

// checkSeveral checks what a pattern asks for besides one value of each attribute: several values,
// and a filter.
func checkSeveral(c *checker, p *Pattern, m *Model, field string) {
	for _, name := range slices.Sorted(maps.Keys(p.In)) {
		checkIn(c, p, m, name, field+".in")
	}
	if len(p.In) > 1 {
		c.add(field+".in", "want one attribute of which a request gives several values")
	}
	for j, name := range p.Filter {
		checkFilter(c, p, m, j, fmt.Sprintf("%s.filter[%d]", field, j), name)
	}
	switch {
	case len(p.Filter) == 0:
	case p.One:
		c.add(field+".filter", "a result of one item needs none: look at the item after reading it")
	case len(p.Models) > 0 || p.Similar != "":
		c.add(field+".filter", "only a pattern that reads one model, and by no vector, has a filter")
	}
}

// checkIn checks an attribute of which a request gives several values.
func checkIn(c *checker, p *Pattern, m *Model, name, field string) {
	a := m.Attribute(name)
	switch t := c.design.Tenants; {
	case a == nil:
		c.noAttribute(field, m, name)
	case !slices.Contains(p.Equal, name):
		c.add(field, "%s has to be in equal, too: of those attributes a request gives values", name)
	case t != nil && t.Attribute == name:
		c.add(field, "%s has one value: a request reads the items of one tenant", name)
	case a.Constant != "":
		c.add(field, "%s has one value: it is constant", name)
	case a.Type == Binary:
		c.add(field, "%s is a binary; want a string or a number", name)
	case p.In[name] < 2 || p.In[name] > maxIn:
		c.add(field, "say how many values of %s a request gives on average, 2 to %d, as in "+
			"in: {%[1]s: 5}", name, maxIn)
	case len(p.Models) > 0 || p.Similar != "":
		c.add(field, "only a pattern that reads one model, and by no vector, has several values")
	case p.One && (p.SortBy() != "" || p.Descending):
		c.add(field, "with one, the result has an item for each value, in their order: leave "+
			"%s out", orderFields(p))
	}
}

// orderFields names the fields of a pattern that order its result.
func orderFields(p *Pattern) string {
	for _, f := range []struct{ name, value string }{
		{"range", p.Range}, {"begins", p.Begins}, {"order", p.Order}} {
		if f.value != "" {
			return f.name
		}
	}
	return "descending"
}

// checkFilter checks an attribute by which a pattern filters what it has read.
func checkFilter(c *checker, p *Pattern, m *Model, j int, field, name string) {
	a := m.Attribute(name)
	switch {
	case a == nil:
		c.noAttribute(field, m, name)
	case slices.Contains(p.Filter[:j], name):
		c.add(field, "%s is there twice", name)
	case slices.Contains(p.Equal, name) || p.Where[name] != "" || p.SortBy() == name:
		c.add(field, "%s is in the key by which the pattern reads: nothing is left to filter", name)
	case a.Type != String && a.Type != Number && a.Type != Boolean:
		c.add(field, "%s is a %s; want a string, a number or a boolean", name, a.Type)
	case m.filterValues(a) == 0 && a.Optional == 0:
		c.add(field, "say how many values %s has, as in values: 4 of the attribute: the plan counts "+
			"what the filter reads and drops", name)
	}
}

// severalNotes says what reads of several values and of a filter cost.
func severalNotes(p *Plan) (notes []Note) {
	for i := range p.Design.Patterns {
		pattern := &p.Design.Patterns[i]
		if name, n := pattern.in(); name != "" {
			how := fmt.Sprintf("a Query for each of the %d values of %s, whose results the reader "+
				"merges", n, name)
			if p.Queries[i].Operation == BatchGetItem {
				how = fmt.Sprintf("one BatchGetItem for %d values of %s, at most %d in a request", n,
					name, batchSize)
			}
			notes = append(notes, Note{Step: 7, About: pattern.Name, Text: "takes " + how})
		}
		if len(pattern.Filter) > 0 {
			notes = append(notes, p.filterNote(i))
		}
	}
	return notes
}

// pageBytes is how much a page of a Query reads at most, before its filter.
const pageBytes = 1 << 20

// filterNote says what a pattern reads and drops. A result that takes several pages is a warning.
func (p *Plan) filterNote(i int) Note {
	pattern := &p.Design.Patterns[i]
	read := p.Design.Evaluated(pattern)
	n := Note{Step: 7, About: pattern.Name, Text: fmt.Sprintf("reads %s items for %s, and its "+
		"filter drops the others: they cost what a result of all would. With %s in equal it would "+
		"read only its own, by a key of its own", Grouped(read, 0), Grouped(pattern.returned(), 0),
		pattern.Filter[0])}
	if pages := read * p.readBytes(i) / pageBytes; pages > 1 {
		n.Warning = true
		n.Text += fmt.Sprintf(". A result takes %s pages of 1 MB", Grouped(pages+0.5, 0))
	}
	return n
}
