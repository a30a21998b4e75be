package design

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Design says what a table stores and how it is read.
type Design struct {
	Table     string
	From      string // the file with the plan of the table that is there, or ""
	Separator string // separates the parts of a key; "" is "#"
	Indexes   int    // the largest number of global secondary indexes; 0 is 20, DynamoDB's quota
	// what simpler keys and projections may cost in a month, in US dollars; 0 is 5 % of the cost,
	// and DefaultSimplicity at most
	Simplicity float64
	Tenants    *Tenants
	// all partition keys begin with the name of their model, so that further models change none
	Prefixes Prefixes
	Keys     Keys `json:",omitempty"` // what the keys of global indexes are made of
	// the names of indexes and columns, by the names that they have otherwise, such as GSI1
	Names        map[string]string
	Models       []Model
	Patterns     []Pattern
	Transactions []Transaction // writes that belong together
	// of a part of a design of several tables: the models of other tables whose values the models
	// have, each with its key and those attributes. A file does not say them
	Elsewhere []Model `json:",omitempty"`

	part       bool  // it is one of several tables: Names may name what others have
	invariants bool  // the models have the writes that keep them: see withInvariants
	byLook     bool  // values of a format look alike, whatever they are of: see problem.items
	kept       *kept // what MakeFrom keeps of the table that is there
}

// Prefixes says where keys begin with the names of the models.
type Prefixes string

// The choices of prefixes.
const (
	WhereNeeded    Prefixes = ""       // where models could not be told apart otherwise
	AlwaysPrefixed Prefixes = "always" // all partition keys have prefixes
)

// Prefixed reports whether all partition keys begin with the names of models.
func (d *Design) Prefixed() bool { return d.Tenants != nil || d.Prefixes == AlwaysPrefixed }

// Keys says what the keys of global indexes are made of.
type Keys string

// The choices of keys.
const (
	// ComposedKeys are attributes of keys, such as GSI1PK, whose values a text joins. Several
	// models share an index, and the tools that write such tables know them.
	ComposedKeys Keys = ""
	// AttributeKeys are attributes of the items, up to MaxKeyAttributes in each part of a key. An
	// index is of one model.
	AttributeKeys Keys = "attributes"
)

// Tenants keeps tenants apart by their keys, as the guide "Key design patterns" does: a partition
// key begins with a prefix of the model and the tenant.
type Tenants struct {
	Attribute string   // an attribute of each model whose items belong to a tenant
	Common    string   // the tenant of the other models' items; "" is "common"
	Children  Children // the place of children; "" is with their parent, unless that is worse
}

// Children says where the items of a model are whose key begins with that of another one.
type Children string

// The places of children.
const (
	// WithParent is the partition of their parent's tenant, as pattern 2 of the guide "Key design
	// patterns" has it: ORDER_ITEM#order#item in ORDER#tenant.
	WithParent Children = "with-parent"
	// Apart is a partition below each parent: ORDER_ITEM#tenant#order.
	Apart Children = "apart"
)

// AllChildren are the places of children.
var AllChildren = []Children{WithParent, Apart}

// Model is a kind of item.
type Model struct {
	Name     string
	Table    string   `json:",omitempty"` // the table that it is in; "" is that of the design
	Key      []string // the attributes that are unique together
	Items    int64    // how many there will be
	Puts     float64  // new items per second
	Updates  float64  // updates a second of attributes that are in no key
	Deletes  float64  // deletes a second, besides items that expire
	Peak     float64  // how many times the mean the busiest hour has; 0 is 1
	Changes  []Change // further updates, which say what they change
	Recovery bool     // items can be recovered as of a point in time
	TTL      string   // the attribute with the second, since 1970, after which an item is deleted
	// all versions of an item are kept; the last attribute of Key is the version
	Versions bool
	// the primary key that it has, as a plan writes it, such as (customer, placed+id); "" is the
	// planner's choice
	Primary    string
	Attributes []Attribute
	// attributes whose values no two items have, besides those of Key: each list together
	Unique [][]string
	// what the items reserve, of a model of guards that a plan adds: see Unique
	Reserves *Reservation
	// the model whose counted records the items mark, of a model that a plan adds
	Marks string
	Feed  *Feeding // the feed whose items are those of a model that a plan adds

	strict          bool    // no other attributes than those of Key are in the primary key
	alwaysTogether  bool    // all puts are parts of transactions
	putTogether     float64 // puts that are, per second
	updatedTogether float64 // updates that are, per second
}

// Attribute is an attribute of a model.
type Attribute struct {
	Name       string
	Type       Type
	Format     Format
	Bytes      int      // the average size of a value; 0 is that of the format or type
	Values     int64    // how many different values there are; 0 is as many as items
	Zipf       float64  // the exponent by which some values are more frequent; 0 is no difference
	Largest    int64    // how many items have the most frequent value; 0 is as many as any
	Dimensions int      // the dimensions of a Vector
	Decimals   int      // how many digits a Number has after its point, in keys beside other parts
	Negative   bool     // a Number may be below 0
	Constant   string   // the value of all items
	Begins     string   // the value that items have when they are put; it changes later
	Mutable    bool     // it changes after an item was put, so it is not in the key of the table
	Optional   float64  // only this part of the items have it; 0 is that all have
	Of         string   // the attribute whose values these are, such as "Post.id"
	Derived    *Derived // how an attribute that a plan adds gets its value
	Counts     string   // the value is how many items of this model are of this one
	Sums       string   // the value is the sum of an attribute of theirs, such as "Line.price"
	// the value is the last number that an attribute of theirs got, such as "Invoice.number"
	Numbers string
	// of Counts and Sums: only items with these values of attributes are counted
	Where map[string]string
	Kept  Keeping // how such a counter is kept, "" being ByTransaction, or a copy of Of
	By    string  // a copy: the attribute that has the key of what it is a copy of
	// the value is that of the newest item that is of this one, such as "Message.text". By then
	// names the attribute of this model that says which is the newest, unless this one does
	Last string

	// beside Begins: how long items stay in states. Those of Values that it does not name have the
	// other items
	Stays map[string]time.Duration `json:",omitempty"`

	taken    bool  // a transaction takes from it, or gives, without having read it
	beyond   bool  // it is added, and sorts beyond the keys of children
	referred int64 // how many values the attribute has that this one is of; 0 is not known
}

// Type is the type of an attribute's values.
type Type string

// The types of attributes. Only strings, numbers and binaries can be in keys.
const (
	String  Type = "string"
	Number  Type = "number"
	Binary  Type = "binary"
	Boolean Type = "boolean"
	List    Type = "list"
	Map     Type = "map"
	Vector  Type = "vector"
)

// Types are all types, Formats all formats but Any.
var (
	Types   = []Type{String, Number, Binary, Boolean, List, Map, Vector}
	Formats = []Format{UUID, ULID, Timestamp}
)

// Format is the form of the strings of an attribute. Strings of different formats other than Any
// are never equal.
type Format string

// The formats of strings.
const (
	Any       Format = ""
	UUID      Format = "uuid"
	ULID      Format = "ulid"
	Timestamp Format = "timestamp" // ISO 8601 in UTC, all of one length
)

// Pattern is one way in which items are read: those of a Model, or those of several Models
// together. Equal, Range, Begins and Order name attributes of the first of several models. Another
// one of them has the attribute Of it or, without one, the attribute of the same name.
type Pattern struct {
	Name   string
	Model  string
	Models []string
	Equal  []string          // attributes with one value in a request
	Where  map[string]string // the only values of attributes whose items are read
	In     map[string]int    // how many values a request gives one of Equal
	Filter []string          // attributes whose value is compared after reading
	// how many of the newest items of the second model are read beside one item of the first, by
	// an attribute of the second
	Latest     map[string]int
	Range      string // an attribute that a request gives a range of, or ""
	Begins     string // a string that a request gives the beginning of, or ""
	Order      string // the attribute that orders the result; "" is no order
	Similar    string // a vector; the result has the items whose vectors are the nearest
	Descending bool
	One        bool     // the result has at most one item, or one for each value of In
	Consistent bool     // reads are strongly consistent
	Attributes []string // what is read of an item; none is all
	Period     Period   // each partition has the items of one period of Range
	Shards     int      // each partition is spread over so many; 0 is 1
	// the items are those of whom a reader follows: this model's items say whom, and Equal names
	// its attribute that has the reader
	Through  string
	Fanout   Fanout  // the moment at which such a feed is put together; "" is OnRead
	Deletes  Deleted // what a delete does to a feed of OnWrite; "" is Kept
	Rate     float64
	Returned float64 // the average number of items in a result; 0 is 1 if One, else 10

	split bool // Latest takes two requests
}

// Period is a period of timestamps.
type Period string

// The periods.
const (
	Year  Period = "year"
	Month Period = "month"
	Day   Period = "day"
	Hour  Period = "hour"
)

// Periods are all periods.
var Periods = []Period{Year, Month, Day, Hour}

// models returns the names of the models whose items a pattern reads.
func (p *Pattern) models() []string {
	if len(p.Models) > 0 {
		return p.Models
	}
	return []string{p.Model}
}

// SortBy returns the attribute that comes first in the sort key after those of Equal, or "".
func (p *Pattern) SortBy() string { return cmp.Or(p.Range, p.Begins, p.Order) }

// Model returns the model with a name, or nil.
func (d *Design) Model(name string) *Model {
	for i := range d.Models {
		if d.Models[i].Name == name {
			return &d.Models[i]
		}
	}
	return nil
}

// Tables returns the names of a design's tables: its own, and those that its models name.
func (d *Design) Tables() []string {
	all := []string{d.Table}
	for i := range d.Models {
		if name := d.tableOf(&d.Models[i]); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// tableOf returns the table that a model is in.
func (d *Design) tableOf(m *Model) string {
	if m.Table == "" {
		return d.Table
	}
	return m.Table
}

// anyModel is Model, also of a model in another table.
func (d *Design) anyModel(name string) *Model {
	if m := d.Model(name); m != nil {
		return m
	}
	for i := range d.Elsewhere {
		if d.Elsewhere[i].Name == name {
			return &d.Elsewhere[i]
		}
	}
	return nil
}

// Attribute returns the attribute with a name, or nil.
func (m *Model) Attribute(name string) *Attribute {
	for i := range m.Attributes {
		if m.Attributes[i].Name == name {
			return &m.Attributes[i]
		}
	}
	return nil
}

// DefaultSeparator separates the parts of keys unless a Design names another.
const DefaultSeparator = "#"

// maxIndexes is the default quota of global secondary indexes of a table (Developer Guide, "Quotas
// in Amazon DynamoDB").
const maxIndexes = 20

// Limits of a Design. They bound the time that Make takes.
const (
	MaxModels   = 100
	MaxPatterns = 200
	MaxEqual    = 8 // attributes that a pattern names
	maxShards   = 100
	MaxTogether = 10 // models that a pattern reads
	maxNames    = 200
	// attributes that a model has, or that its key, its updates or a pattern name
	maxAttributes = 1000

	maxPeak       = 1000
	maxRate       = 1e9  // requests or writes a second; Amazon's own had 1.5e8 on Prime Day 2025
	maxItems      = 1e15 // items of a model, values of an attribute, items of a result
	maxSimplicity = 1e9  // USD a month
	maxDimensions = 4096 // dimensions of a vector (Developer Guide, "Quotas in Amazon DynamoDB")
)

// separator returns the separator, or the default.
func (d *Design) separator() string {
	if d.Separator == "" {
		return DefaultSeparator
	}
	return d.Separator
}

// maxIndexes returns how many global indexes there may be.
func (d *Design) maxIndexes() int {
	if d.Indexes == 0 {
		return maxIndexes
	}
	return d.Indexes
}

// isVersion reports whether an attribute is the version of a model.
func (m *Model) isVersion(name string) bool { return m.Versions && m.Key[len(m.Key)-1] == name }

// values returns how many values an attribute has.
func (m *Model) values(name string) int64 {
	a := m.Attribute(name)
	switch {
	case a.Constant != "":
		return 1
	}
	if values := a.different(); values > 0 {
		return values
	}
	return max(m.Items, 1)
}

// different returns how many values an attribute has, as the design says of it or of the attribute
// that it is of, or 0.
func (a *Attribute) different() int64 { return cmp.Or(a.Values, a.referred) }

// freeText reports whether an attribute's values can have characters that sort before separators.
// Then nothing can follow them in a sort key: "ab c#1" sorts before "ab#1".
func (a *Attribute) freeText() bool {
	return a.Type == Binary || a.Type == String && a.Format == Any && a.Constant == ""
}

// AttributeOf returns the attribute of one of a pattern's models that stands for an attribute of
// the first one, or "": the one that has its values, or else the one with its name.
func (d *Design) AttributeOf(p *Pattern, model, name string) string {
	first, m := p.models()[0], d.Model(model)
	if model == first || name == "" {
		return name
	}
	values := []string{first + "." + name}
	if a := d.Model(first).Attribute(name); a != nil && a.Of != "" {
		values = append(values, a.Of)
	}
	for i := range m.Attributes {
		if slices.Contains(values, m.Attributes[i].Of) {
			return m.Attributes[i].Name
		}
	}
	if m.Attribute(name) == nil {
		return ""
	}
	return name
}

// Derived says how an attribute that a plan adds to a model gets its value. One of its fields is
// set.
type Derived struct {
	// the value is the attribute's Constant, where other attributes have these values
	Where  map[string]string
	Of     string // a timestamp: the value is its Period
	Period Period
	Shards int // the value is one of so many numbers, from 0: a hash of the model's key
}

// random reports whether an attribute's values are never equal to those of another attribute,
// unless one of the two has the values of the other.
func (a *Attribute) random() bool { return a.Format == UUID || a.Format == ULID }

// apart reports whether values of two added attributes are never equal: those of different lengths
// of period, or of a period and a shard.
func (d *Derived) apart(o *Derived) bool {
	return d != nil && o != nil && d.Where == nil && o.Where == nil && d.Period != o.Period
}

// changes reports whether one of a model's attributes is mutable, or is not there in all items.
func (m *Model) changes(attributes []string) bool {
	return slices.ContainsFunc(attributes, func(name string) bool {
		return m.Attribute(name).Mutable || m.Attribute(name).Optional > 0
	})
}

// constants reports whether attributes of a model have one value each.
func (m *Model) constants(attributes []string) bool {
	return !slices.ContainsFunc(attributes, func(name string) bool {
		a := m.Attribute(name)
		return a.Constant == "" || a.Derived != nil
	})
}

// rootOf follows Of from an attribute of a model to the last one, and returns its name, such as
// Post.id. That one may be of a model in another table.
func rootOf(models []Model, model string, a *Attribute) string {
	name := model + "." + a.Name
	for range MaxModels {
		if a.Of == "" {
			return name
		}
		name = a.Of
		of, attribute, _ := strings.Cut(name, ".")
		i := slices.IndexFunc(models, func(m Model) bool { return m.Name == of })
		if i < 0 { // it is in another table: see Design.Elsewhere
			return name
		}
		a = models[i].Attribute(attribute)
	}
	return name
}

// KeyPrefix returns what keys of a model begin with where its name keeps models apart. With tenants
// the name is written as in the guide, such as ORDER_ITEM.
func (d *Design) KeyPrefix(model string) string {
	if d.Tenants == nil {
		return model
	}
	return tenantPrefix(model)
}

// tenantPrefix writes OrderItem as ORDER_ITEM.
func tenantPrefix(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// periods estimates in how many periods the timestamps of a model's items are: as many as the items
// take at the rate of puts, or those of a year.
func (m *Model) periods(a *Attribute, period Period) int64 {
	const year = 365 * 24 * 3600
	seconds := float64(year)
	if m.Puts > 0 && m.Items > 0 {
		seconds = float64(m.Items) / m.Puts
	}
	long := map[Period]float64{Year: year, Month: year / 12, Day: 24 * 3600, Hour: 3600}[period]
	return min(max(int64(seconds/long), 1), max(a.Values, m.Items, 1))
}

// Different returns how many different values attributes of a model have together.
func (d *Design) Different(model string, attributes []string) int64 {
	m, n := d.Model(model), int64(1)
	for _, name := range attributes {
		most, values := max(m.Items, 1), m.values(name)
		if n > most/values { // the product may be more than an int64 holds
			n = most
		} else {
			n *= values
		}
	}
	return n
}

func (m *Model) attributeNames() (names []string) {
	for i := range m.Attributes {
		names = append(names, m.Attributes[i].Name)
	}
	return names
}

// peak returns how many times as much a model is used in the busiest hour.
func (m *Model) peak() float64 { return max(m.Peak, 1) }

// Peak returns how many times the mean a model, or any of several, is used in its busiest hour.
func (d *Design) Peak(model string, models []string) float64 {
	peak := 1.0
	for _, name := range append([]string{model}, models...) {
		if m := d.Model(name); m != nil {
			peak = max(peak, m.peak())
		}
	}
	return peak
}

// in returns the attribute with several values in a request, and how many; "" and 1 if it
// gives one of each.
func (p *Pattern) in() (name string, values int) {
	for name, n := range p.In { // there is one: see the check
		return name, n
	}
	return "", 1
}

// Newest returns the attribute of the second of its models by which a pattern reads the newest
// items of that, and how many; "" and 0 if it does not.
func (p *Pattern) Newest() (by string, n int) {
	for by, n := range p.Latest { // there is one: see the check
		return by, n
	}
	return "", 0
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
		return resultOf(d, p)
	}
	return resultOf(d, p) / d.Model(p.Model).passing(p.Filter)
}

// Has reports whether a row has the optional attributes that a pattern names of its model. One
// without them is in no index by which the pattern reads.
func (d *Design) Has(p *Pattern, model string, row Row) bool {
	m := d.Model(model)
	for _, name := range append([]string{p.SortBy()}, p.Equal...) {
		of := d.AttributeOf(p, model, name)
		if a := m.Attribute(of); a != nil && a.Optional > 0 && row[of] == nil {
			return false
		}
	}
	return true
}

// resultOf returns how many items a result of a pattern has on average: what it says, or 10 unless
// fewer items stay in the state that it reads.
func resultOf(d *Design, p *Pattern) float64 {
	m := flow{d.Model(p.models()[0])}
	if p.One || p.Latest != nil || p.Returned > 0 || len(p.models()) > 1 || m.Items == 0 {
		return p.returned()
	}
	others := slices.DeleteFunc(slices.Clone(p.Equal),
		func(name string) bool { return len(m.Attribute(name).Stays) > 0 })
	each := float64(m.Items) / float64(d.Different(m.Name, others))
	if a, state := m.stateOf(p.Where); a != nil {
		return min(p.returned(), each*m.share(a.Name, state))
	}
	at := slices.IndexFunc(p.Equal,
		func(name string) bool { return len(m.Attribute(name).Stays) > 0 })
	if at < 0 {
		return p.returned()
	}
	a, items, part := m.Attribute(p.Equal[at]), 0.0, 1.0
	for _, state := range slices.Sorted(maps.Keys(a.Stays)) {
		share := m.share(a.Name, state)
		part -= share
		items += share * min(p.returned(), each*share)
	}
	return items + max(part, 0)*min(p.returned(), each*m.share(a.Name, ""))
}
