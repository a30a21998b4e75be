package design

import "github.com/kugiri-db/kugiri/conventions/pricing"

type (
	// Prices has the prices of DynamoDB in a region.
	Prices = pricing.Prices
	// ClassPrices are the prices in which table classes differ.
	ClassPrices = pricing.ClassPrices
)

// ItemOverhead is the bytes that an item is charged for beside its own.
const ItemOverhead = pricing.ItemOverhead

const (
	hoursPerMonth   = pricing.HoursPerMonth
	secondsPerMonth = pricing.SecondsPerMonth
)

// ListPrices returns the prices that AWS published for us-east-1.
func ListPrices() Prices { return pricing.List() }
