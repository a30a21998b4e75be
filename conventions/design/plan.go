package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/expr"
)

// Plan is a table for a Design.
type Plan struct {
	Design        Design   // the design with the attributes that were added
	Columns       []Column // the attributes of keys
	Key           Key      // the table's key
	Indexes       []Index  // the global secondary indexes, then the local ones
	VectorIndexes []VectorIndex
	TTL           string   // the attribute of the time to live, or ""
	Entities      []Entity // sorted as the models
	Queries       []Query  // sorted as the patterns
	Writes        []Write  // those that keep what is unique, counted or written together
	Notes         []Note   // sorted as the steps
	Search        Search

	source  *Design         // the design as Make got it
	unnamed []string        // what Names of one of several tables names and this one has not
	fetches map[int]float64 // what patterns with Fetch would cost more, in a month, without it
}

// Search says how a plan was found.
type Search struct {
	Layouts int      // how many layouts were compared
	Partial int      // how many partial ones, whose bounds show that no other layout is better
	Exact   bool     // no layout was left out
	Cut     []string // the bounds that left some out
}

// Column is an attribute that is in the key of the table or of an index.
type Column struct {
	Name      string
	Type      Type
	Positions []string // PK, SK, GSI1PK, GSI1SK, ...
}

// Index is a global or a local secondary index.
type Index struct {
	Name       string
	Local      bool // its partition key is that of the table
	Key        Key
	Models     []string // the models whose items are in it, also if no pattern reads them there
	Projection Projection
	// its key is of attributes of the items, and not of columns that hold nothing but keys: see
	// AttributeKeys
	Natural bool `json:",omitempty"`
	// items of a model are in it only if they have the attributes of a pattern's Where
	Sparse bool
}

// Projection says which attributes an index has besides those of its key and of the table's. The
// zero value is all of them.
type Projection struct {
	Type       ProjectionType
	Attributes []string // the attributes of Include, as the table names them
}

// ProjectionType is a type of projections.
type ProjectionType string

// The types of projections.
const (
	All      ProjectionType = "ALL" // the same as ""
	KeysOnly ProjectionType = "KEYS_ONLY"
	Include  ProjectionType = "INCLUDE"
)

// VectorIndex is a vector index.
type VectorIndex struct {
	Name       string
	Attribute  string // the attribute of the vectors
	Dimensions int
	Distance   string
	Partition  string   // the attribute whose value a search names, or ""
	Filters    []string // attributes of further values that a search names
}

// cosine is the distance of vector indexes.
const cosine = "COSINE"

// Part is a part of a stored or requested value: a text, or the value of an attribute.
type Part struct {
	Text      string
	Attribute string
	Digits    int    // a number is written with so many digits, so that strings sort as numbers do
	Decimals  int    // how many of them are after the point, which is not written
	Negative  bool   // half of what the digits can count is below 0
	Begins    bool   // the value of a request is the beginning of the attribute's
	Before    string // what follows the attribute in keys, so no beginning of a value has it
}

// Value describes what a key attribute holds: its parts one after the other.
type Value []Part

// String writes the values of attributes as their names in braces.
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
	// the value has an optional attribute beside others, which the item has under their own names,
	// too: items without the optional one have no such attribute
	Partly bool
}

// Entity is how a model is stored.
type Entity struct {
	Model  string
	Keys   []Stored // sorted as Plan.Columns
	Others []Stored // the attributes that are in no key, in the order of the model
}

// Operation is how a pattern is read.
type Operation string

// The operations that read a pattern.
const (
	GetItem       Operation = "GetItem"
	BatchGetItem  Operation = "BatchGetItem"
	QueryRequest  Operation = "Query"
	SearchVectors Operation = "SearchVectors"
)

// Query is how a pattern is read. The Attributes of its values are parameters of the request.
type Query struct {
	Pattern   string
	Models    []string // the models whose items it returns
	Operation Operation
	Index     string // "" is the table
	Partition Stored
	// the further attributes of an index's key that have one value: see Key.MorePartition
	Equal      []Stored `json:",omitempty"`
	Sort       SortCondition
	Descending bool
	Limit      int  // the most items; 0 without a limit
	Fetch      bool // the index has not all that the result needs: BatchGetItem reads the items
	Consistent bool
	Attributes []string // the table's attributes that it asks for; nil is all
	Spread     []Spread // why it takes several requests: see BindAll
	Similar    string   // the vector of SearchVectors, a parameter of the request
	Filters    []Stored // attributes with one value: of a search, or of what a Query has read
}

// SortCondition is the condition of a Query on the sort key.
type SortCondition struct {
	Name     string
	Operator expr.KeyOp // "" is no condition; KeyEqual, KeyBeginsWith or KeyBetween
	From     Value      // the only value, unless Operator is KeyBetween
	To       Value      // the last value of KeyBetween
}

// Spread says that a Query takes several requests: one for each value of an attribute.
type Spread struct {
	Attribute string
	Period    Period // the periods from RangeFrom to RangeTo
	Shards    int    // the number of values, which count from 0, in place of Period
	Values    int    // how many values a request gives on average, in place of both
	Most      int    // only so many of these values; 0 is all, as in the plans that Make returns
}

// The names by which the bounds of a range are parameters of a request.
const (
	RangeFrom = "from"
	RangeTo   = "to"
)

// maxRequests is how many requests a Query takes at most.
const maxRequests = 1000

// Digits is how many digits a number has that is part of a string: numbers from 0 to 10^15-1 sort
// there as they do as numbers.
const Digits = 15

// last sorts behind all texts that may follow a value in a key.
const last = "\U0010FFFF"

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
	for _, s := range q.Equal {
		fmt.Fprintf(&b, ", %s = %s", s.Name, s.Value)
	}
	switch q.Sort.Operator {
	case "":
	case expr.KeyBetween:
		fmt.Fprintf(&b, ", %s BETWEEN %s AND %s", q.Sort.Name, q.Sort.From, q.Sort.To)
	default:
		fmt.Fprintf(&b, ", %s %s %s", q.Sort.Name, q.Sort.Operator, q.Sort.From)
	}
	if q.Descending {
		b.WriteString(", descending")
	}
	if q.Limit > 1 {
		fmt.Fprintf(&b, ", the first %d", q.Limit)
	}
	for _, f := range q.Filters {
		fmt.Fprintf(&b, ", filtered by %s = %s", f.Name, f.Value)
	}
	if q.Fetch {
		b.WriteString(", then BatchGetItem")
	}
	for _, s := range q.Spread {
		fmt.Fprintf(&b, ", for each {%s}", s.Attribute)
	}
	return b.String()
}

// Entity returns how a model is stored, or nil if the plan does not have it.
func (p *Plan) Entity(model string) *Entity {
	for i := range p.Entities {
		if p.Entities[i].Model == model {
			return &p.Entities[i]
		}
	}
	return nil
}

// Index returns the index with a name, or nil.
func (p *Plan) Index(name string) *Index {
	for i := range p.Indexes {
		if p.Indexes[i].Name == name {
			return &p.Indexes[i]
		}
	}
	return nil
}

// local returns the local indexes.
func (p *Plan) local() []Index {
	return slices.DeleteFunc(slices.Clone(p.Indexes),
		func(index Index) bool { return !index.Local })
}

// Clone returns a plan that can be changed without changing p: its indexes, queries, and entities
// with their attributes are copies. Other slices and maps are shared.
func (p *Plan) Clone() *Plan {
	c := *p
	c.Indexes = slices.Clone(p.Indexes)
	c.Queries = slices.Clone(p.Queries)
	c.Writes = slices.Clone(p.Writes)
	for i := range c.Writes {
		c.Writes[i].Actions = slices.Clone(c.Writes[i].Actions)
		c.Writes[i].After = slices.Clone(c.Writes[i].After)
		c.Writes[i].Later = slices.Clone(c.Writes[i].Later)
		c.Writes[i].Once = slices.Clone(c.Writes[i].Once)
	}
	c.Entities = slices.Clone(p.Entities)
	for i := range c.Entities {
		c.Entities[i].Keys = slices.Clone(p.Entities[i].Keys)
		c.Entities[i].Others = slices.Clone(p.Entities[i].Others)
	}
	return &c
}

// Streams reports whether the table has a stream: a consumer of it does a part of some write.
func (p *Plan) Streams() bool {
	return slices.ContainsFunc(p.Writes, func(w Write) bool { return w.Streamed() })
}

// Write returns the write with a name, or nil.
func (p *Plan) Write(name string) *Write {
	for i := range p.Writes {
		if p.Writes[i].Name == name {
			return &p.Writes[i]
		}
	}
	return nil
}

// stores reports whether items have an attribute.
func (e *Entity) stores(name string) bool {
	return slices.ContainsFunc(slices.Concat(e.Keys, e.Others),
		func(s Stored) bool { return s.Name == name })
}

// named returns the attributes of a value.
func named(v Value) (names []string) {
	for _, part := range v {
		if part.Attribute != "" {
			names = append(names, part.Attribute)
		}
	}
	return names
}
