package design

import (
	"fmt"
	"slices"
)

// Puts, updates and deletes find their item by the model's own key: they are access patterns, too.
// Where the table has another key, whoever knows just the own key reads the item first.

// foundFirst returns how often a second an item of a model is read to find its key in the table,
// before it is updated or deleted.
func foundFirst(m *Model, primary key) float64 {
	other := func(name string) bool {
		a := m.Attribute(name)
		return !slices.Contains(m.Key, name) && a.Constant == "" && a.Derived == nil
	}
	if !slices.ContainsFunc(slices.Concat(primary.partition, primary.sort), other) {
		return 0
	}
	return m.AllUpdates() + m.Deletes
}

// findDollars returns what it costs in a month to find items of a model before they are updated or
// deleted: an eventually consistent read each, of at most 4 KB.
func findDollars(m *Model, primary key, prices Prices) float64 {
	share := Share{ReadUnits: foundFirst(m, primary) / 2}
	share.priceBy(prices)
	return share.Dollars
}

// byOwnKey says by which key items of a model are put, updated and deleted. It returns "" if they
// are never updated or deleted: a put has all attributes.
func byOwnKey(p *Plan, e *Entity) string {
	m := p.Design.Model(e.Model)
	rate := m.AllUpdates() + m.Deletes
	if p.source.Model(m.Name) == nil || rate == 0 {
		return ""
	}
	primary := key{partition: e.attributes(p.Key.Partition), sort: e.attributes(p.Key.Sort)}
	writes := fmt.Sprintf("%s puts, and %s updates and deletes a second, by", perSecond(m.Puts),
		perSecond(rate))
	if foundFirst(m, primary) == 0 {
		return fmt.Sprintf("%s %s in the table", writes, listed(m.Key))
	}
	find := "no index has that"
	for i := range p.Indexes {
		index := &p.Indexes[i]
		partition := e.attributes(index.Key.Partition)
		if slices.Contains(index.Models, m.Name) && len(partition) > 0 &&
			!slices.ContainsFunc(partition, func(name string) bool {
				return !slices.Contains(m.Key, name)
			}) {
			find = "found in " + index.Name
			break
		}
	}
	prices := ListPrices()
	return fmt.Sprintf("%s %s: whoever knows only %s reads the item first (%s), for %s %s a month",
		writes, primary, listed(m.Key), find, dollars(findDollars(m, primary, prices)),
		prices.Currency)
}
