package design

import (
	"math"
	"slices"
)

// Cost says what a plan costs in a month at the design's rates.
type Cost struct {
	Prices   Prices
	Table    Share
	Indexes  []Share // sorted as Plan.Indexes
	Patterns []Share // reads, in the order of the patterns
}

// Share is a part of the cost of a month.
type Share struct {
	Name        string
	ReadUnits   float64 // units a second
	WriteUnits  float64 // units a second
	Bytes       float64 // stored
	Dollars     float64 // dollars on demand
	Provisioned float64 // dollars, with provisioned capacity
}

// Total returns the cost of the table, its indexes and all reads, on demand.
func (c *Cost) Total() float64 { return c.sum(func(s Share) float64 { return s.Dollars }) }

// totalProvisioned is Total with provisioned capacity.
func (c *Cost) totalProvisioned() float64 {
	return c.sum(func(s Share) float64 { return s.Provisioned })
}

func (c *Cost) sum(of func(Share) float64) float64 {
	total := of(c.Table)
	for _, s := range slices.Concat(c.Indexes, c.Patterns) {
		total += of(s)
	}
	return total
}

// parts returns the table, the indexes and the patterns, under names that say which of them each
// is.
func (c *Cost) parts() []Share {
	all := slices.Concat([]Share{c.Table}, c.Indexes, c.Patterns)
	for i := range all {
		kind := "pattern"
		switch {
		case i == 0:
			kind = "table"
		case i <= len(c.Indexes):
			kind = "index"
		}
		all[i].Name = kind + " " + all[i].Name
	}
	return all
}

// amplification returns how many write units the table and its indexes use for each of the table.
func (c *Cost) amplification() float64 {
	if c.Table.WriteUnits == 0 {
		return 1
	}
	all := c.sum(func(s Share) float64 { return s.WriteUnits })
	return all / c.Table.WriteUnits
}

// Cost returns what the plan costs at its design's numbers of items and rates.
func (p *Plan) Cost(prices Prices) *Cost {
	c := &Cost{Prices: prices, Table: Share{Name: p.Design.Table}}
	for i := range p.Design.Models {
		m := &p.Design.Models[i]
		c.Table.store(m, p.itemBytes(m.Name), m.tableWrites())
	}
	c.Table.priceBy(prices)
	for i := range p.Indexes {
		c.Indexes = append(c.Indexes, p.indexShare(i, prices))
	}
	for i := range p.Queries {
		share := Share{
			Name: p.Queries[i].Pattern, ReadUnits: p.Design.Patterns[i].Rate * p.readUnits(i),
		}
		share.priceBy(prices)
		c.Patterns = append(c.Patterns, share)
	}
	return c
}

// indexShare returns what an index costs without the reads.
func (p *Plan) indexShare(i int, prices Prices) Share {
	index := &p.Indexes[i]
	share := Share{Name: index.Name}
	for _, name := range index.Models {
		m := p.Design.Model(name)
		some := *m
		part := p.partIn(index, name)
		some.Items = int64(float64(m.Items) * part)
		share.store(&some, p.indexedBytes(index, name), p.writesIn(index, m))
	}
	share.priceBy(prices)
	return share
}

// store adds the items of a model and the writes of them.
func (s *Share) store(m *Model, bytes, writes float64) {
	s.Bytes += float64(m.Items) * (bytes + ItemOverhead)
	s.WriteUnits += writes * math.Ceil(bytes/writeUnit)
}

// partIn returns which part of a model's items an index has: all, unless the index is sparse.
func (p *Plan) partIn(index *Index, model string) float64 {
	part := 1.0
	for _, s := range p.Entity(model).Keys {
		if !index.Key.Has(s.Name) {
			continue
		}
		part = min(part, p.Design.Model(model).partOf(s.When),
			p.Design.Model(model).having(s.Value))
	}
	return part
}

// shards returns how many requests of shards a query takes at least.
func (q *Query) shards() float64 {
	n := 1
	for _, s := range q.Spread {
		n *= max(s.Shards, 1)
	}
	return float64(n)
}

// Sizes of units (Developer Guide, "DynamoDB on-demand capacity mode").
const (
	readUnit  = 4096
	writeUnit = 1024
)

// priceBy sets what a share costs.
func (s *Share) priceBy(p Prices) {
	storage := s.Bytes / (1 << 30) * p.Storage
	s.Dollars =
		s.ReadUnits*secondsPerMonth/1e6*p.Read + s.WriteUnits*secondsPerMonth/1e6*p.Write + storage
	s.Provisioned =
		(s.ReadUnits*p.ReadHour+s.WriteUnits*p.WriteHour)*hoursPerMonth/p.Utilization + storage
}

// Units returns the read units that the plan has for so many items of a pattern in so many pages.
func (p *Plan) Units(pattern int, items int64, pages int) float64 {
	units := math.Ceil(float64(items)*p.readBytes(pattern)/readUnit) + float64(pages)
	if p.Queries[pattern].Operation == BatchGetItem {
		units = float64(items)*math.Ceil(p.readBytes(pattern)/readUnit) + float64(pages)
	}
	if !p.Design.Patterns[pattern].Consistent {
		units /= 2
	}
	if p.Queries[pattern].Fetch {
		units += float64(items) * p.fetchUnits(pattern)
	}
	return units
}

// readUnits returns the read units of one request of a pattern.
func (p *Plan) readUnits(i int) float64 {
	units := queryUnits(p, i)
	if p.Queries[i].Fetch {
		units += resultOf(&p.Design, &p.Design.Patterns[i]) * p.fetchUnits(i)
	}
	return units
}

// queryUnits returns the read units of a pattern's requests without those of the BatchGetItem that
// follows them, whose items are in other partitions.
func queryUnits(p *Plan, i int) float64 {
	pattern := &p.Design.Patterns[i]
	if p.Queries[i].Operation == SearchVectors {
		return 0 // the service charges searches by bytes, and does not say how many
	}
	_, values := pattern.in()
	each := p.Design.Evaluated(pattern) * p.readBytes(i) / float64(values)
	units := float64(values) * max(math.Ceil(each/readUnit), p.Queries[i].shards())
	if !pattern.Consistent {
		units /= 2
	}
	return units
}

// readBytes returns the size of an average item where a pattern reads it: in the table or an index.
func (p *Plan) readBytes(i int) float64 {
	index := p.Index(p.Queries[i].Index)
	return p.average(i, func(model string) float64 {
		if index == nil {
			return p.itemBytes(model)
		}
		return p.indexedBytes(index, model)
	})
}

// fetchUnits returns the read units of BatchGetItem for an item of a pattern.
func (p *Plan) fetchUnits(i int) float64 {
	return p.average(i,
		func(model string) float64 { return math.Ceil(p.itemBytes(model)/readUnit) / 2 })
}

// average returns the average over the models of a pattern.
func (p *Plan) average(i int, of func(model string) float64) (sum float64) {
	models := p.Design.Patterns[i].models()
	if _, n := p.Design.Patterns[i].Newest(); n > 0 {
		return (of(models[0]) + float64(n)*of(models[1])) / float64(n+1)
	}
	for _, model := range models {
		sum += of(model)
	}
	return sum / float64(len(models))
}

// Result returns how many items a result has on average.
func (p *Pattern) Result() float64 { return p.returned() }

// returned is Result. A pattern that reads one item has an item for each value that a request gives
// by In; 10 is the default that Pattern.Returned documents.
func (p *Pattern) returned() float64 {
	switch {
	case p.One:
		_, values := p.in()
		return float64(values)
	case p.Latest != nil:
		_, n := p.Newest()
		return float64(n + 1)
	case p.Returned > 0:
		return p.Returned
	}
	return 10
}

// itemBytes returns the size of an average item: its attributes' names and values.
func (p *Plan) itemBytes(model string) float64 {
	e := p.Entity(model)
	return p.sizeOf(model, slices.Concat(e.Keys, e.Others))
}

// tableBytes returns the size of all items, as a Scan reads them.
func tableBytes(p *Plan) (bytes float64) {
	for _, m := range p.Design.Models {
		bytes += float64(m.Items) * p.itemBytes(m.Name)
	}
	return bytes
}

// StoredBytes returns the size of an average item of a model in the table and all indexes of a plan
// together.
func StoredBytes(p *Plan, model string) float64 {
	bytes := p.itemBytes(model)
	for i := range p.Indexes {
		if x := &p.Indexes[i]; slices.Contains(x.Models, model) {
			bytes += p.partIn(x, model) * p.indexedBytes(x, model)
		}
	}
	return bytes
}

// sizeOf returns the average size of attributes of a model.
func (p *Plan) sizeOf(model string, attributes []Stored) float64 {
	m, n := p.Design.Model(model), 0
	for _, s := range attributes {
		n += len(s.Name)
		for _, part := range s.Value {
			n += len(part.Text)
			if part.Attribute != "" {
				n += max(m.Attribute(part.Attribute).bytes(), part.Digits)
			}
		}
	}
	return float64(n)
}

// bytes returns the average size of an attribute's values.
func (a *Attribute) bytes() int {
	switch {
	case a.Bytes > 0:
		return a.Bytes
	case a.Constant != "":
		return len(a.Constant)
	case a.Format == UUID:
		return 36
	case a.Format == ULID:
		return 26
	case a.Format == Timestamp:
		return 24
	}
	if a.Type == Vector {
		return 4 * a.Dimensions
	}
	return map[Type]int{String: 20, Number: 8, Binary: 100, Boolean: 1, List: 100, Map: 100}[a.Type]
}

// bytes returns the size of a model's average item without the attributes that a plan adds.
func (m *Model) bytes() (bytes float64) {
	for i := range m.Attributes {
		if a := &m.Attributes[i]; a.Derived == nil {
			bytes += float64(len(a.Name) + a.bytes())
		}
	}
	return bytes
}

// partOf returns which part of a model's items has the values of a Where, by how long they stay:
// that of the rarest value.
func (m *Model) partOf(where map[string]string) float64 {
	part := 1.0
	for name, value := range where {
		part = min(part, flow{m}.share(name, value))
	}
	return part
}

// indexedBytes returns the size of an average item of a model in an index.
func (p *Plan) indexedBytes(index *Index, model string) float64 {
	e := p.Entity(model)
	left := slices.DeleteFunc(slices.Concat(e.Keys, e.Others),
		func(s Stored) bool { return !p.projects(index, s.Name) })
	return p.sizeOf(model, left)
}

// copiesChanges reports whether an index has attributes of a model that change: the mutable ones in
// no key, or any in no key if the design does not say which are mutable.
func (p *Plan) copiesChanges(index *Index, m *Model) bool {
	said := slices.ContainsFunc(m.Attributes, func(a Attribute) bool { return a.Mutable })
	for _, s := range p.Entity(m.Name).Others {
		a := m.Attribute(s.Value[0].Attribute)
		if (a.Mutable || !said) && p.projects(index, s.Name) {
			return true
		}
	}
	return false
}

// cells writes a share's name, units and gigabytes.
func (s *Share) cells() []string {
	return []string{s.Name, Grouped(s.ReadUnits, 1), Grouped(s.WriteUnits, 1),
		Grouped(s.Bytes/(1<<30), 2)}
}

// writesIn returns how many entries of an index the writes of a model's items write per second. A
// put or a delete writes one. An update of what the key of the index holds writes two, because it
// deletes the old entry and puts a new one; an update of what the index projects writes one, and
// any other none (Developer Guide, "Using Global Secondary Indexes in DynamoDB", "Write capacity
// units"). A sparse index has a part of them.
func (p *Plan) writesIn(index *Index, m *Model) float64 {
	part := p.partIn(index, m.Name)
	begun, leave := beginsIn(p, index, m)
	writes := m.Puts*begun + m.Deletes*part
	if p.copiesChanges(index, m) {
		writes += m.Updates * part
	}
	for _, c := range m.Changes {
		if leave != "" && slices.Contains(c.Of, leave) {
			a := m.Attribute(leave)
			writes += flow{m}.moved(a, a.Begins, c)
			continue
		}
		if rate, moved := laterIn(p, index, m, c); moved {
			writes += rate
			continue
		}
		writes += c.Rate * p.entriesOf(index, m, c.Of) * part
	}
	return writes
}

// laterIn returns how many entries a change writes in an index of the items of one state, in which
// no item begins: changes to the state add entries, and changes from it remove them. moved is false
// for other indexes, and for changes of other attributes.
func laterIn(p *Plan, index *Index, m *Model, c Change) (rate float64, moved bool) {
	for _, s := range p.Entity(m.Name).Keys {
		if !index.Key.Has(s.Name) || len(s.When) != 1 {
			continue
		}
		for name, value := range s.When {
			a := m.Attribute(name)
			if a.Begins != "" && a.Begins != value && slices.Contains(c.Of, name) {
				return flow{m}.moved(a, value, c), true
			}
		}
	}
	return 0, false
}

// beginsIn returns which part of a model's new items is in an index. An index of the items of one
// state has those that begin in the state, which leave it by a change of the attribute leave. It
// has none of those that begin in another state.
func beginsIn(p *Plan, index *Index, m *Model) (part float64, leave string) {
	part = p.partIn(index, m.Name)
	for _, s := range p.Entity(m.Name).Keys {
		if !index.Key.Has(s.Name) {
			continue
		}
		for name, value := range s.When {
			switch a := m.Attribute(name); a.Begins {
			case "":
			case value:
				part, leave = m.having(s.Value), name
			default:
				return 0, ""
			}
		}
	}
	return part, leave
}

// entriesOf returns how many entries of an index an update of attributes writes.
func (p *Plan) entriesOf(index *Index, m *Model, changed []string) float64 {
	e, entries := p.Entity(m.Name), 0.0
	for _, s := range slices.Concat(e.Keys, e.Others) {
		switch {
		case !s.changesWith(m, changed):
		case index.Key.Has(s.Name):
			return 2
		case p.projects(index, s.Name):
			entries = 1
		}
	}
	return entries
}

// ItemUnits returns the read and write units of a model's average item in the table. A read is
// strongly consistent; an eventually consistent one takes half of its units.
func ItemUnits(p *Plan, model string) (read, write float64) {
	bytes := p.itemBytes(model)
	return math.Ceil(bytes / readUnit), math.Ceil(bytes / writeUnit)
}

// AttributesBytes returns the average size of attributes of a model's items, with their names.
func AttributesBytes(p *Plan, model string, attributes []Stored) float64 {
	return p.sizeOf(model, attributes)
}

// EntryUnits returns the write units of the entries of a model's average item in an index: less
// than 1 if only some items have one.
func EntryUnits(p *Plan, index *Index, model string) float64 {
	return p.partIn(index, model) * math.Ceil(p.indexedBytes(index, model)/writeUnit)
}

// Projects reports whether an index has an attribute of the table.
func Projects(p *Plan, index *Index, name string) bool { return p.projects(index, name) }
