package design

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Prices are what DynamoDB costs in a region, in the table class Standard.
type Prices struct {
	Region      string  `json:"region"`
	Date        string  `json:"date"` // since when they hold
	Source      string  `json:"source"`
	Currency    string  `json:"currency"`
	Read        float64 `json:"readRequestUnits"`       // a million, on demand
	Write       float64 `json:"writeRequestUnits"`      // a million, on demand
	ReadHour    float64 `json:"readCapacityUnitHours"`  // one, provisioned
	WriteHour   float64 `json:"writeCapacityUnitHours"` // one, provisioned
	Storage     float64 `json:"storageGBMonths"`        // one
	Utilization float64 `json:"utilization"`            // how much of the provisioned capacity is used, from 0 to 1
}

//go:embed prices.json
var listPrices []byte

// ListPrices returns the prices that AWS published for us-east-1. They leave the free tier out,
// because an account has it once, for all its tables.
func ListPrices() Prices {
	p, err := ParsePrices(listPrices)
	if err != nil {
		panic("design: prices.json: " + err.Error())
	}
	return p
}

// ParsePrices reads prices in the form of prices.json.
func ParsePrices(text []byte) (p Prices, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, err
	}
	return p, p.check()
}

// check returns an error that names each field with a wrong value.
func (p *Prices) check() error {
	var errs []error
	for _, text := range []struct{ name, value string }{{"region", p.Region}, {"currency", p.Currency}, {"source", p.Source}} {
		if text.value == "" {
			errs = append(errs, errors.New(text.name+" is missing"))
		}
	}
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
		errs = append(errs, fmt.Errorf("date is %q: write the day since when the prices hold, such as 2024-11-01", p.Date))
	}
	for _, price := range []struct {
		name  string
		value float64
	}{
		{"readRequestUnits", p.Read}, {"writeRequestUnits", p.Write}, {"readCapacityUnitHours", p.ReadHour},
		{"writeCapacityUnitHours", p.WriteHour}, {"storageGBMonths", p.Storage},
	} {
		if !(price.value > 0) {
			errs = append(errs, fmt.Errorf("%s is %v: want a price above 0", price.name, price.value))
		}
	}
	if !(p.Utilization > 0 && p.Utilization <= 1) {
		errs = append(errs, fmt.Errorf("utilization is %v: want a part of the provisioned capacity, such as 0.7", p.Utilization))
	}
	return errors.Join(errs...)
}

// A month has 730 hours, as AWS calculates months.
const (
	hoursPerMonth   = 730
	secondsPerMonth = hoursPerMonth * 3600
)

// Cost is what a plan costs in a month at the design's rates.
type Cost struct {
	Prices   Prices
	Table    Share
	Indexes  []Share // in the order of Plan.Indexes
	Patterns []Share // reads, in the order of the patterns
}

// Share is a part of the cost of a month.
type Share struct {
	Name        string
	ReadUnits   float64 // per second
	WriteUnits  float64 // per second
	Bytes       float64 // stored
	Dollars     float64 // on demand
	Provisioned float64 // dollars, with provisioned capacity
}

// Total returns the cost of the table, its indexes and all reads, on demand.
func (c *Cost) Total() float64 { return c.sum(func(s Share) float64 { return s.Dollars }) }

// TotalProvisioned is Total with provisioned capacity.
func (c *Cost) TotalProvisioned() float64 {
	return c.sum(func(s Share) float64 { return s.Provisioned })
}

func (c *Cost) sum(of func(Share) float64) float64 {
	total := of(c.Table)
	for _, s := range slices.Concat(c.Indexes, c.Patterns) {
		total += of(s)
	}
	return total
}

// parts returns the table, the indexes and the patterns, under names that say which of them each is.
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

// Amplification returns how many write units the table and its indexes use for each of the table.
func (c *Cost) Amplification() float64 {
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
		c.Table.store(m, p.itemBytes(m.Name), m.Puts+m.Updates)
	}
	prices.apply(&c.Table)
	for i := range p.Indexes {
		c.Indexes = append(c.Indexes, p.indexShare(i, prices))
	}
	for i := range p.Queries {
		share := Share{Name: p.Queries[i].Pattern, ReadUnits: p.Design.Patterns[i].Rate * p.readUnits(i)}
		prices.apply(&share)
		c.Patterns = append(c.Patterns, share)
	}
	return c
}

// indexShare returns what an index costs without the reads. An update writes the item's copy in the
// index if that has an attribute that changes.
func (p *Plan) indexShare(i int, prices Prices) Share {
	index := &p.Indexes[i]
	share := Share{Name: index.Name}
	for _, name := range index.Models {
		m := p.Design.model(name)
		writes := m.Puts
		if p.copiesChanges(index, m) {
			writes += m.Updates
		}
		some := *m
		part := p.partIn(index, name)
		some.Items = int64(float64(m.Items) * part)
		share.store(&some, p.indexedBytes(index, name), writes*part)
	}
	prices.apply(&share)
	return share
}

// store adds the items of a model and the writes of them.
func (s *Share) store(m *Model, bytes, writes float64) {
	s.Bytes += float64(m.Items) * (bytes + itemOverhead)
	s.WriteUnits += writes * math.Ceil(bytes/writeUnit)
}

// partIn returns which part of a model's items an index has: all, unless the index is sparse. Values
// count as equally frequent.
func (p *Plan) partIn(index *Index, model string) float64 {
	part := 1.0
	for _, s := range p.entity(model).Keys {
		if s.Name != index.Key.Partition && s.Name != index.Key.Sort {
			continue
		}
		for name := range s.When {
			part = min(part, 1/float64(max(p.Design.model(model).attribute(name).Values, 1)))
		}
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

// Sizes that the service meters (Developer Guide, "DynamoDB on-demand capacity mode" and "Storage
// size").
const (
	readUnit     = 4096
	writeUnit    = 1024
	itemOverhead = 100
)

func (p Prices) apply(s *Share) {
	storage := s.Bytes / (1 << 30) * p.Storage
	s.Dollars = s.ReadUnits*secondsPerMonth/1e6*p.Read + s.WriteUnits*secondsPerMonth/1e6*p.Write + storage
	s.Provisioned = (s.ReadUnits*p.ReadHour+s.WriteUnits*p.WriteHour)*hoursPerMonth/p.Utilization + storage
}

// Units returns the read units that the plan has for so many items of a pattern in so many pages.
func (p *Plan) Units(pattern int, items int64, pages int) float64 {
	units := math.Ceil(float64(items)*p.readBytes(pattern)/readUnit) + float64(pages)
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
	pattern := &p.Design.Patterns[i]
	if p.Queries[i].Operation == SearchVectors {
		return 0 // the service charges searches by bytes, and does not say how many
	}
	units := max(math.Ceil(pattern.returned()*p.readBytes(i)/readUnit), p.Queries[i].shards())
	if !pattern.Consistent {
		units /= 2
	}
	if p.Queries[i].Fetch {
		units += pattern.returned() * p.fetchUnits(i)
	}
	return units
}

// readBytes returns the size of an average item where a pattern reads it: in the table or an index.
func (p *Plan) readBytes(i int) float64 {
	index := p.index(p.Queries[i].Index)
	return p.average(i, func(model string) float64 {
		if index == nil {
			return p.itemBytes(model)
		}
		return p.indexedBytes(index, model)
	})
}

// fetchUnits returns the read units of BatchGetItem for an item of a pattern.
func (p *Plan) fetchUnits(i int) float64 {
	return p.average(i, func(model string) float64 { return math.Ceil(p.itemBytes(model)/readUnit) / 2 })
}

// average returns the average over the models of a pattern.
func (p *Plan) average(i int, of func(model string) float64) (sum float64) {
	models := p.Design.Patterns[i].models()
	for _, model := range models {
		sum += of(model)
	}
	return sum / float64(len(models))
}

// Result returns how many items a result has on average.
func (p *Pattern) Result() float64 { return p.returned() }

func (p *Pattern) returned() float64 {
	switch {
	case p.One:
		return 1
	case p.Returned > 0:
		return p.Returned
	}
	return 10
}

// itemBytes returns the size of an average item: its attributes' names and values.
func (p *Plan) itemBytes(model string) float64 {
	e := p.entity(model)
	return p.sizeOf(model, slices.Concat(e.Keys, e.Others))
}

// sizeOf returns the average size of attributes of a model.
func (p *Plan) sizeOf(model string, attributes []Stored) float64 {
	m, n := p.Design.model(model), 0
	for _, s := range attributes {
		n += len(s.Name)
		for _, part := range s.Value {
			n += len(part.Text)
			if part.Attribute != "" {
				n += max(m.attribute(part.Attribute).bytes(), part.Digits)
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
