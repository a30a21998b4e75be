package design

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Plan is a table for a Design.
type Plan struct {
	Design        Design   // with the attributes that were added
	Columns       []Column // the attributes of keys
	Key           Key      // of the table
	Indexes       []Index  // the global secondary indexes, then the local ones
	VectorIndexes []VectorIndex
	TTL           string   // the attribute of the time to live; "" is none
	Entities      []Entity // by model
	Queries       []Query  // by pattern
	Notes         []Note   // in the order of the steps
	Search        Search

	source *Design // as Make got it
}

// Column is an attribute that is in the key of the table or of an index.
type Column struct {
	Name      string
	Type      Type
	Positions []string // PK, SK, GSI1PK, GSI1SK, ...
}

// Key names the attributes of a key. Sort is "" if there is no sort key.
type Key struct {
	Partition, Sort string
}

// Index is a global or a local secondary index.
type Index struct {
	Name       string
	Local      bool // its partition key is that of the table
	Key        Key
	Models     []string // whose items are in it, also if no pattern reads them there
	Projection Projection
	Sparse     bool // items of a model are in it only if they have the attributes of a pattern's Where
}

// Projection says which attributes an index has besides those of its key and of the table's. The zero
// value is all of them.
type Projection struct {
	Type       ProjectionType
	Attributes []string // of Include, as the table names them
}

// ProjectionType is a type of projections.
type ProjectionType string

// The types of projections.
const (
	All      ProjectionType = "ALL" // as ""
	KeysOnly ProjectionType = "KEYS_ONLY"
	Include  ProjectionType = "INCLUDE"
)

// VectorIndex is a vector index.
type VectorIndex struct {
	Name       string
	Attribute  string // of the vectors
	Dimensions int
	Distance   string
	Partition  string   // the attribute whose value a search names; "" is none
	Filters    []string // attributes of further values that a search names
}

// Cosine is the distance of vector indexes.
const Cosine = "COSINE"

// Part is a part of a stored or requested value: a text, or the value of an attribute.
type Part struct {
	Text      string
	Attribute string
	Digits    int    // a number is written with so many digits, so that strings sort as numbers do
	Begins    bool   // of a request: the beginning of the attribute's value
	Before    string // what follows the attribute in keys, so no beginning of a value has it
}

// Value is what a key attribute holds: its parts one after the other.
type Value []Part

func (v Value) String() string {
	var b strings.Builder
	for _, part := range v {
		if part.Attribute != "" {
			b.WriteString("{" + part.Attribute + "}")
		} else {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

// Stored is an attribute of an item.
type Stored struct {
	Name  string
	Value Value
	When  map[string]string // the item has it only if attributes of the model have these values
}

// Entity is how a model is stored.
type Entity struct {
	Model  string
	Keys   []Stored // in the order of Plan.Columns
	Others []Stored // the attributes that are in no key, in the order of the model
}

// Operation is how a pattern is read.
type Operation string

// The operations that read a pattern.
const (
	GetItem       Operation = "GetItem"
	QueryRequest  Operation = "Query"
	SearchVectors Operation = "SearchVectors"
)

// Query is how a pattern is read. The Attributes of its values are parameters of the request.
type Query struct {
	Pattern    string
	Models     []string // whose items it returns
	Operation  Operation
	Index      string // "" is the table
	Partition  Stored
	Sort       SortCondition
	Descending bool
	Limit      int  // 0 is none
	Fetch      bool // the index has not all that the result needs: BatchGetItem reads the items
	Consistent bool
	Attributes []string // of the table, for which it asks; nil is all
	Spread     []Spread // why it takes several requests: see BindAll
	Similar    string   // of SearchVectors: the vector, a parameter of the request
	Filters    []Stored // of SearchVectors: attributes with one value
}

// SortCondition is the condition of a Query on the sort key.
type SortCondition struct {
	Name     string
	Operator string // "" is no condition; =, begins_with, BETWEEN
	From     Value  // the only value, unless Operator is BETWEEN
	To       Value  // BETWEEN
}

// The names by which the bounds of a range are parameters of a request.
const (
	RangeFrom = "from"
	RangeTo   = "to"
)

// Digits is how many digits a number has that is part of a string: numbers from 0 to 10^15-1 sort
// there as they do as numbers.
const Digits = 15

// last sorts behind all text that may follow in a key.
const last = "\U0010FFFF"

// planner holds the state of Make.
type planner struct {
	design   *Design
	models   []Model  // with the attributes that were added
	wants    [][]want // by model
	similar  []similar
	together []together
	pins     []int // by index: the pattern over several models that alone reads it, as in key.together
	family   []int // by model: the first of those that share partitions
	notes    []Note
	found    Search
	cut      bool           // the search left layouts out
	avoided  map[string]key // by model: a primary key that it must not have
	mixing   *Design        // with models, to compare values of keys
	month    float64        // what a month costs in all layouts
}

// Make plans a table. Its error is that of Design.Check, or a FieldError if there is no table that
// serves all patterns.
func Make(d *Design) (*Plan, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	plan, _, err := makeWithout(d, nil)
	return plan, err
}

// makeWithout is Make with primary keys that models must not have. It returns the arrangement as well.
func makeWithout(d *Design, avoided map[string]key) (*Plan, *arrangement, error) {
	p := newPlanner(d, avoided)
	all, err := p.arrangements()
	if err != nil {
		return nil, nil, err
	}
	return p.cheaper(all)
}

func newPlanner(d *Design, avoided map[string]key) *planner {
	d = d.withTenants()
	p := &planner{design: d, models: slices.Clone(d.Models), wants: make([][]want, len(d.Models)), avoided: avoided}
	p.mixing = &Design{Models: p.models}
	return p
}

// arrangements finds the keys that serve all patterns: the simplest ones and, if others cost less, those.
func (p *planner) arrangements() ([]*arrangement, error) {
	p.relations()
	p.listTogether()
	p.families()
	p.wantsOf()
	if err := p.vectorIndexes(); err != nil {
		return nil, err
	}
	p.estimate()
	return p.search()
}

// complete makes a plan of an arrangement.
func (p *planner) complete(a *arrangement) (*Plan, error) {
	p.shareNames(a)
	p.explainKeys(a)
	p.separate(a)
	p.keepNeeded(a)
	plan := p.plan(a)
	if err := plan.checkBinaries(); err != nil {
		return nil, err
	}
	plan.project(func(about, format string, args ...any) { p.note(7, about, format, args...) })
	plan.Ask()
	p.beyond(plan)
	if err := p.checkNames(a, plan); err != nil {
		return nil, err
	}
	plan.Notes, plan.source = p.notes, p.design
	slices.SortStableFunc(plan.Notes, func(a, b Note) int { return a.Step - b.Step })
	return plan, nil
}

// checkBinaries returns an error if a key would hold a binary in a string.
func (p *Plan) checkBinaries() error {
	for i, e := range p.Entities {
		attributes := p.Design.Models[i].Attributes
		for _, s := range e.Keys {
			j := slices.IndexFunc(attributes, func(a Attribute) bool { return a.Type == Binary && s.holds(a.Name) })
			if j < 0 || p.columnType(s.Name) != String {
				continue
			}
			return &FieldError{Field: fmt.Sprintf("models[%d].attributes[%d].type", i, j), Message: fmt.Sprintf(
				"%s would hold %s beside strings, and a binary cannot be part of a string: want a string, such as its hexadecimal digits", s.Name, attributes[j].Name)}
		}
	}
	return nil
}

// holds reports whether an attribute of the model is in a stored value.
func (s *Stored) holds(attribute string) bool {
	return slices.ContainsFunc(s.Value, func(part Part) bool { return part.Attribute == attribute })
}

// columnType returns the type of an attribute of keys.
func (p *Plan) columnType(name string) Type {
	return p.Columns[slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name })].Type
}

func (p *planner) modelIndex(name string) int {
	return slices.IndexFunc(p.models, func(m Model) bool { return m.Name == name })
}

func (p *planner) relations() {
	for i := range p.models {
		m := &p.models[i]
		for _, a := range m.Attributes {
			if a.Of != "" {
				p.note(1, m.Name, "%s has the values of %s", a.Name, a.Of)
			}
		}
	}
}

// explainKeys says why keys and indexes are as they are.
func (p *planner) explainKeys(a *arrangement) {
	for m, l := range a.models {
		p.note(3, p.models[m].Name, "has the primary key %s: %s", l.primary, p.whyPrimary(m, l.primary))
		for i, k := range l.indexed {
			p.note(4, p.models[m].Name, "is in %s under %s", p.indexName(a.slots[m][i]), k)
		}
		for i, k := range l.local {
			p.note(4, p.models[m].Name, "is in %s under %s: a local index, for strongly consistent reads", p.localName(i), k)
		}
	}
	p.explainCount(a)
	p.explainColumns(a)
	p.explainStrangers(a)
	if p.found.Exact {
		p.note(4, "", "compared all %d layouts", p.found.Layouts)
	} else {
		p.note(4, "", "compared %d layouts, the best of too many to compare all: another one may be better", p.found.Layouts)
	}
}

// explainCount says why there are so many global indexes.
func (p *planner) explainCount(a *arrangement) {
	if a.count == 0 {
		return
	}
	most, model := 0, ""
	for m, l := range a.models {
		if len(l.indexed) > most {
			most, model = len(l.indexed), p.models[m].Name
		}
	}
	why := fmt.Sprintf("%s needs %s besides its primary key, and an index holds one key of each model", model, count(most, "key", "keys"))
	if a.count > most {
		why = "patterns over several models need the same index for all of them, by which no other pattern reads"
	}
	p.note(4, "", "%s: %s", count(a.count, "global index", "global indexes"), why)
}

// explainColumns says which attributes are in several keys.
func (p *planner) explainColumns(a *arrangement) {
	for _, c := range a.columns {
		if len(c.positions) == 1 {
			continue
		}
		p.note(5, "", "%s is %s: no model needs different values there", c.name(), p.uses(c))
	}
}

// uses says which keys a column is in, such as "the sort key of the table and the partition key of GSI1".
func (p *planner) uses(c *column) string {
	in := map[string][]string{}
	for _, at := range c.positions {
		kind, of := "partition", "the table"
		if at%2 == 1 {
			kind = "sort"
		}
		if at > tableSort {
			of = p.indexAt(at)
		}
		in[kind] = append(in[kind], of)
	}
	var all []string
	for _, kind := range []string{"partition", "sort"} {
		if len(in[kind]) > 0 {
			all = append(all, fmt.Sprintf("the %s key of %s", kind, strings.Join(in[kind], " and ")))
		}
	}
	return strings.Join(all, ", and ")
}

func (p *planner) whyPrimary(m int, primary key) string {
	var served []string
	for _, w := range p.wants[m] {
		if slices.ContainsFunc(w.alternatives, primary.serves) {
			served = append(served, strconv.Quote(p.design.Patterns[w.pattern].Name))
		}
	}
	if len(served) == 0 {
		return "it is unique; no pattern reads by it"
	}
	return "it is unique, and serves " + strings.Join(served, " and ")
}

// plan writes an arrangement as a Plan.
func (p *planner) plan(a *arrangement) *Plan {
	plan := &Plan{Design: *p.design, Search: p.found}
	plan.Design.Models = p.models
	for _, c := range a.columns {
		positions := make([]string, len(c.positions))
		for i, at := range c.positions {
			positions[i] = at.String()
		}
		plan.Columns = append(plan.Columns, Column{Name: c.name(), Type: p.typeOf(c), Positions: positions})
	}
	plan.Key = a.keyAt(tablePartition)
	for i := range a.count {
		plan.Indexes = append(plan.Indexes, Index{Name: p.indexName(i), Key: a.keyAt(partitionOf(i)), Models: p.modelsIn(a, i), Sparse: p.sparse(a, i)})
	}
	plan.Indexes = append(plan.Indexes, p.localIndexes(a)...)
	for m := range p.models {
		plan.Entities = append(plan.Entities, p.store(a, m))
	}
	for i := range p.similar {
		plan.VectorIndexes = append(plan.VectorIndexes, p.vectorIndex(a, i))
	}
	plan.TTL = p.ttlName()
	plan.Queries = make([]Query, len(p.design.Patterns))
	for i := range p.design.Patterns {
		if p.design.Patterns[i].Similar != "" {
			plan.Queries[i] = p.searchFor(a, &p.design.Patterns[i])
		}
	}
	for m := range p.models {
		for _, w := range p.wants[m] {
			if p.design.Patterns[w.pattern].models()[0] == p.models[m].Name {
				plan.Queries[w.pattern] = p.query(a, m, w)
			}
		}
	}
	return plan
}

func (p *planner) indexName(i int) string { return p.name(fmt.Sprintf("GSI%d", i+1)) }

func (a *arrangement) keyAt(partition position) Key {
	k := Key{Partition: a.at[partition].name()}
	if sort := a.at[partition+1]; sort != nil {
		k.Sort = sort.name()
	}
	return k
}

func (p *planner) modelsIn(a *arrangement, index int) []string {
	var names []string
	strangers := a.strangers(index)
	for m := range p.models {
		if len(a.keyIn(m, index).partition) > 0 || slices.Contains(strangers, m) {
			names = append(names, p.models[m].Name)
		}
	}
	return names
}

// sparse reports whether an index has only some items of a model.
func (p *planner) sparse(a *arrangement, index int) bool {
	return slices.ContainsFunc(a.allModels(), func(m int) bool {
		k := a.keyIn(m, index)
		return p.when(m, slices.Concat(k.partition, k.sort)) != nil
	})
}

func (p *planner) store(a *arrangement, m int) Entity {
	e := Entity{Model: p.models[m].Name}
	var inKeys []string
	for _, c := range a.columns {
		v := p.value(a, c, m)
		if v == nil {
			continue
		}
		when := p.when(m, c.values[m])
		e.Keys = append(e.Keys, Stored{c.name(), v, when})
		if when == nil {
			inKeys = append(inKeys, c.values[m]...)
		}
	}
	for _, attribute := range p.models[m].Attributes {
		if attribute.Derived != nil || slices.Contains(inKeys, attribute.Name) && !p.keptBeside(m, attribute.Name) {
			continue
		}
		name := p.storedName(a, m, attribute.Name)
		if name != attribute.Name {
			p.note(6, e.Model, "stores %s as %s: another model has %[1]s in the key of an index, and these items would get into it. Another name needs no further index", attribute.Name, name)
		}
		e.Others = append(e.Others, Stored{Name: name, Value: Value{{Attribute: attribute.Name}}})
	}
	return e
}

// keptBeside reports whether an item has an attribute by its name even if a key holds it.
func (p *planner) keptBeside(m int, name string) bool {
	return p.searched(m, name) || p.models[m].TTL == name || p.models[m].isVersion(name)
}

// when returns the condition under which an item has the attributes of a key.
func (p *planner) when(m int, attributes []string) map[string]string {
	for _, name := range attributes {
		if d := p.models[m].Attribute(name).Derived; d != nil && d.Where != nil {
			return d.Where
		}
	}
	return nil
}

// value returns what a column holds of a model, or nil.
func (p *planner) value(a *arrangement, c *column, m int) Value {
	attributes := c.values[m]
	var v Value
	if c.prefixed {
		v = Value{{Text: p.prefix(a, c, m) + p.design.separator()}}
	}
	if attributes == nil {
		if !slices.Contains(c.positions, tableSort) {
			return nil
		}
		return append(v, Part{Text: p.spareText(m)})
	}
	return append(v, p.joined(m, attributes, p.typeOf(c))...)
}

// spareText is what a model has in a sort key of the table that it does not need.
func (p *planner) spareText(m int) string { return strings.ToLower(p.models[m].Name) }

// joined returns the values of attributes with separators between them.
func (p *planner) joined(m int, attributes []string, of Type) Value {
	var v Value
	for i, name := range attributes {
		if i > 0 {
			v = append(v, Part{Text: p.separatorBefore(m, attributes, i)})
		}
		a := p.models[m].Attribute(name)
		switch {
		case i > 0 && p.models[m].isVersion(name) && i == len(attributes)-1:
			v = append(v, Part{Attribute: name})
		case a.Constant != "":
			v = append(v, Part{Text: a.Constant})
		case a.Type == Number && of == String:
			v = append(v, Part{Attribute: name, Digits: Digits})
		default:
			v = append(v, Part{Attribute: name})
		}
	}
	return v
}

// String writes a query with its conditions, such as "Query GSI1, GSI1PK = {author}, descending".
func (q *Query) String() string {
	var b strings.Builder
	b.WriteString(string(q.Operation))
	if q.Index != "" {
		b.WriteString(" " + q.Index)
	}
	if q.Operation == SearchVectors {
		fmt.Fprintf(&b, ", the %d nearest to {%s}", q.Limit, q.Similar)
		for _, f := range q.Filters {
			fmt.Fprintf(&b, ", %s = %s", f.Name, f.Value)
		}
		return b.String()
	}
	fmt.Fprintf(&b, ", %s = %s", q.Partition.Name, q.Partition.Value)
	switch q.Sort.Operator {
	case "":
	case "BETWEEN":
		fmt.Fprintf(&b, ", %s BETWEEN %s AND %s", q.Sort.Name, q.Sort.From, q.Sort.To)
	default:
		fmt.Fprintf(&b, ", %s %s %s", q.Sort.Name, q.Sort.Operator, q.Sort.From)
	}
	if q.Descending {
		b.WriteString(", descending")
	}
	if q.Fetch {
		b.WriteString(", then BatchGetItem")
	}
	for _, s := range q.Spread {
		fmt.Fprintf(&b, ", for each {%s}", s.Attribute)
	}
	return b.String()
}

// clone copies what mutations change.
func (p *Plan) Clone() *Plan {
	c := *p
	c.Indexes = slices.Clone(p.Indexes)
	c.Queries = slices.Clone(p.Queries)
	c.Entities = slices.Clone(p.Entities)
	for i := range c.Entities {
		c.Entities[i].Keys = slices.Clone(p.Entities[i].Keys)
		c.Entities[i].Others = slices.Clone(p.Entities[i].Others)
	}
	return &c
}
