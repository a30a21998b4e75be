// Package pricing has the prices of DynamoDB: those that AWS published for us-east-1, and those of
// a file in the same form. The designer, and the reports of what traffic costs, calculate with
// them.
package pricing

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Prices has the prices of DynamoDB in a region. Those of ClassPrices are of the table class
// Standard. An optional price is 0 if it is not known.
type Prices struct {
	Region   string `json:"region"`
	Date     string `json:"date"` // the day since which they hold
	Source   string `json:"source"`
	Currency string `json:"currency"`
	ClassPrices
	// how much of the provisioned capacity is used, from 0 to 1
	Utilization float64 `json:"utilization"`

	// the prices of Standard-IA; optional
	InfrequentAccess *ClassPrices `json:"infrequentAccess,omitempty"`
	// a million GetRecords; optional
	StreamReads float64 `json:"streamReads,omitempty"`
	// one, of point-in-time recovery; optional
	Recovery     float64 `json:"recoveryGBMonths,omitempty"`
	Backups      float64 `json:"backupGBMonths,omitempty"`       // one; optional
	VectorReads  float64 `json:"vectorSearchGB,omitempty"`       // one; optional
	VectorWrites float64 `json:"vectorWriteRequestGB,omitempty"` // one; optional
}

// ClassPrices are the prices in which table classes differ.
type ClassPrices struct {
	Read      float64 `json:"readRequestUnits"`       // a million, on demand
	Write     float64 `json:"writeRequestUnits"`      // a million, on demand
	ReadHour  float64 `json:"readCapacityUnitHours"`  // one, provisioned
	WriteHour float64 `json:"writeCapacityUnitHours"` // one, provisioned
	Storage   float64 `json:"storageGBMonths"`        // one
}

// A month has 730 hours, as AWS calculates months.
const (
	HoursPerMonth   = 730
	SecondsPerMonth = HoursPerMonth * 3600
)

// ItemOverhead is the bytes that the storage of an item, or of its entry in an index, is charged
// for beside its own (Developer Guide, "Storage size").
const ItemOverhead = 100

//go:embed prices.json
var listPrices []byte

// List returns the prices that AWS published for us-east-1. They leave the free tier out,
// because an account has it once, for all its tables.
func List() Prices {
	p, err := Parse(listPrices)
	if err != nil {
		panic("pricing: prices.json: " + err.Error())
	}
	return p
}

// Parse reads prices in the form of prices.json.
func Parse(text []byte) (p Prices, err error) {
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
	for _, text := range []struct {
		name, value string
	}{{"region", p.Region}, {"currency", p.Currency}, {"source", p.Source}} {
		if text.value == "" {
			errs = append(errs, errors.New(text.name+" is missing"))
		}
	}
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
		errs = append(errs,
			fmt.Errorf("date is %q: write the day since when the prices hold, such as 2024-11-01",
				p.Date))
	}
	errs = append(errs, p.ClassPrices.check(""))
	if p.InfrequentAccess != nil {
		errs = append(errs, p.InfrequentAccess.check("infrequentAccess."))
	}
	if !(p.Utilization > 0 && p.Utilization <= 1) {
		errs = append(errs,
			fmt.Errorf("utilization is %v: want a part of the provisioned capacity, such as 0.7",
				p.Utilization))
	}
	for _, price := range []namedPrice{
		{"streamReads", p.StreamReads}, {"recoveryGBMonths", p.Recovery},
		{"backupGBMonths", p.Backups},
		{"vectorSearchGB", p.VectorReads}, {"vectorWriteRequestGB", p.VectorWrites},
	} {
		if price.value < 0 {
			errs = append(errs,
				fmt.Errorf("%s is %v: want a price above 0, or none", price.name, price.value))
		}
	}
	return errors.Join(errs...)
}

type namedPrice struct {
	name  string
	value float64
}

// check returns an error that names each field without a price, after a prefix.
func (p *ClassPrices) check(prefix string) error {
	var errs []error
	for _, price := range []namedPrice{
		{"readRequestUnits", p.Read}, {"writeRequestUnits", p.Write},
		{"readCapacityUnitHours", p.ReadHour},
		{"writeCapacityUnitHours", p.WriteHour}, {"storageGBMonths", p.Storage},
	} {
		if !(price.value > 0) {
			errs = append(errs,
				fmt.Errorf("%s%s is %v: want a price above 0", prefix, price.name, price.value))
		}
	}
	return errors.Join(errs...)
}
