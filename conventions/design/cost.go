package design

import (
	"math"
	"slices"
)

// Prices are what DynamoDB costs, in US dollars.
type Prices struct {
	Date     string // since when they hold
	Region   string
	Read     float64 // a million read request units
	Write    float64 // a million write request units
	Storage  float64 // a gigabyte for a month
	Currency string
}

// OnDemand are the prices of on-demand capacity in the table class Standard ("Pricing for On-Demand
// Capacity", Amazon DynamoDB pricing).
func OnDemand() Prices {
	return Prices{Date: "2024-11-01", Region: "us-east-1", Read: 0.125, Write: 0.625, Storage: 0.25, Currency: "USD"}
}

// secondsPerMonth are those of 730 hours, as AWS calculates months.
const secondsPerMonth = 730 * 3600

// Cost is what a plan costs in a month at the design's rates.
type Cost struct {
	Prices   Prices
	Table    Share
	Indexes  []Share // in the order of Plan.Indexes
	Patterns []Share // reads, in the order of the patterns
}

// Share is a part of the cost of a month.
type Share struct {
	Name       string
	ReadUnits  float64 // per second
	WriteUnits float64 // per second
	Bytes      float64 // stored
	Dollars    float64
}

// Total returns the cost of the table, its indexes and all reads.
func (c *Cost) Total() float64 {
	total := c.Table.Dollars
	for _, s := range slices.Concat(c.Indexes, c.Patterns) {
		total += s.Dollars
	}
	return total
}

// Cost returns what the plan costs at its design's numbers of items and rates.
func (p *Plan) Cost(prices Prices) *Cost {
	c := &Cost{Prices: prices, Table: Share{Name: p.Design.Table}}
	for _, m := range p.Design.Models {
		c.Table.store(&m, p.itemBytes(m.Name))
	}
	for _, index := range p.Indexes {
		share := Share{Name: index.Name}
		for _, name := range index.Models {
			share.store(p.Design.model(name), p.itemBytes(name))
		}
		c.Indexes = append(c.Indexes, share)
	}
	for i := range p.Queries {
		pattern := &p.Design.Patterns[i]
		c.Patterns = append(c.Patterns, Share{Name: pattern.Name, ReadUnits: pattern.Rate * p.readUnits(i)})
	}
	prices.apply(&c.Table)
	for i := range c.Indexes {
		prices.apply(&c.Indexes[i])
	}
	for i := range c.Patterns {
		prices.apply(&c.Patterns[i])
	}
	return c
}

// store adds the items of a model and the writes of them. An update of an attribute writes the item,
// and its copy in each index.
func (s *Share) store(m *Model, bytes float64) {
	s.Bytes += float64(m.Items) * (bytes + itemOverhead)
	s.WriteUnits += (m.Puts + m.Updates) * math.Ceil(bytes/writeUnit)
}

// Sizes that the service meters (Developer Guide, "DynamoDB on-demand capacity mode" and "Storage
// size").
const (
	readUnit     = 4096
	writeUnit    = 1024
	itemOverhead = 100
)

func (p Prices) apply(s *Share) {
	s.Dollars = s.ReadUnits*secondsPerMonth/1e6*p.Read + s.WriteUnits*secondsPerMonth/1e6*p.Write + s.Bytes/(1<<30)*p.Storage
}

// readUnits returns the read units of one request of a pattern.
func (p *Plan) readUnits(i int) float64 {
	pattern := &p.Design.Patterns[i]
	units := math.Ceil(max(pattern.returned()*p.resultBytes(pattern), 1) / readUnit)
	if !pattern.Consistent {
		units /= 2
	}
	return units
}

// resultBytes returns the size of an average item of a result.
func (p *Plan) resultBytes(pattern *Pattern) (bytes float64) {
	models := pattern.models()
	for _, model := range models {
		bytes += p.itemBytes(model) / float64(len(models))
	}
	return bytes
}

// returned returns how many items a result has on average.
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
	m, e, n := p.Design.model(model), p.entity(model), 0
	for _, s := range slices.Concat(e.Keys, e.Others) {
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
