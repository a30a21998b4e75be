package design

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// numberedBy returns the counter that gives an attribute of a model its numbers, or nil.
func numberedBy(d rules, m *Model, name string) *counter {
	for _, c := range d.counters() {
		if c.of.Name == m.Name && c.attribute.numbered() == name && name != "" {
			return &c
		}
	}
	return nil
}

// needed returns what must be true of the item that counts others when one is put, or, with minus,
// deleted: it has the values that are copied, and the last number is one below the next.
func needed(d rules, c *counter, minus bool) []Same {
	all := d.sameAs(c, minus)
	if c.attribute.Numbers != "" {
		all = append(all,
			Same{Of: c.attribute.Name, As: c.attribute.numbered(), Next: true})
	}
	return all
}

// checkNumbers checks what a counter numbers.
func checkNumbers(c *checker, m, of *Model, a *Attribute, field string) {
	if a.Numbers == "" {
		return
	}
	if a.Kept != "" && a.Kept != ByTransaction {
		c.add(field+".kept", "only a transaction gives each number once: leave kept out")
	}
	field += ".numbers"
	n := of.Attribute(a.numbered())
	if !strings.Contains(a.Numbers, ".") || n == nil {
		c.add(field, "no attribute is called %s; want MODEL.ATTRIBUTE, and %s has %s", a.Numbers,
			of.Name, listed(of.attributeNames()))
		return
	}
	switch by := numberedBy(rules{c.design}, of, n.Name); {
	case n.Type != Number:
		c.add(field, "%s is a %s; want a number", a.Numbers, n.Type)
	case n.counted() != "":
		c.add(field, "%s is a counter itself, which changes with what it counts", a.Numbers)
	case n.Of != "":
		c.add(field, "%s is of %s, and has its values", a.Numbers, n.Of)
	case n.Constant != "":
		c.add(field, "%s has one value: it is constant", a.Numbers)
	case n.Mutable || n.Begins != "" || of.named(n.Name):
		c.add(field, "%s changes, and the number of an item never does", a.Numbers)
	case n.Optional > 0:
		c.add(field, "only some items of %s have %s, and each gets a number", of.Name, n.Name)
	case n.Decimals > 0 || n.Negative:
		c.add(field, "%s has decimals or is below 0, and the numbers are 1, 2, 3 and so on",
			a.Numbers)
	case n.skewed():
		c.add(field, "%s has values that are more frequent than others, and each number is given "+
			"once", a.Numbers)
	case of.TTL == n.Name:
		c.add(field, "%s is the time to live", a.Numbers)
	case slices.ContainsFunc(of.Unique,
		func(u []string) bool { return slices.Contains(u, n.Name) }):
		c.add(field, "%s is unique among the items of one %s anyway: leave it out of unique",
			a.Numbers, m.Name)
	case by != nil && by.attribute != a:
		c.add(field, "%s.%s gives %s its numbers already", by.model.Name, by.attribute.Name,
			a.Numbers)
	}
}

// checkNumbered checks that a transaction puts one item at most that gets a number: the numbers of
// several would have to follow each other.
func checkNumbered(c *checker, t *Transaction, field string) {
	for _, counter := range (rules{c.design}).counters() {
		for _, put := range t.Puts {
			if counter.attribute.Numbers != "" && put.Model == counter.of.Name && put.items() > 1 {
				c.add(field, "%s puts %d items of %s, and %s.%s gives one number at a time: leave "+
					"count out", t.Name, put.items(), put.Model, counter.model.Name,
					counter.attribute.Name)
			}
		}
	}
}

// orAdd says what else may be done where a transaction would write a counter's item twice.
func orAdd(c *counter) string {
	if c.attribute.Numbers != "" || len(c.attribute.Where) > 0 {
		return ""
	}
	return ", or say kept: add"
}

// How long a writer takes from reading the last number to the end of its transaction, for
// estimates, and how many numbers one item gives in a second then.
const (
	turnMilliseconds = 20
	turns            = 1000 / turnMilliseconds
)

// heaviest returns how many numbers a second the item gives that gives most, and how many the items
// give on average.
func (c *counter) heaviest() (most, mean float64) {
	share := 1.0
	for _, name := range c.by {
		share *= c.of.Heaviest(name)
	}
	items := float64(max(c.model.Items, 1))
	return c.of.Puts * max(share, 1/items), c.of.Puts / items
}

// numbersNote says how the numbers of a sequence are given, and what that costs.
func numbersNote(p keeper, c *counter) Note {
	units, of, by := math.Ceil(p.itemBytes(c.model.Name)/writeUnit), c.of.Name, c.model.Name
	further, doubled := p.furtherUnits(c, units)
	with := ""
	if doubled {
		with = ", with those of the item itself, which a transaction takes twice"
	}
	gives := "fewer than 0.1"
	if most, _ := c.heaviest(); most >= 0.1 {
		gives = Grouped(most, 1)
	}
	last := c.attribute.Name
	all := []string{
		fmt.Sprintf("%s is the last number that %s got: the transaction that puts an item with "+
			"number n raises %[1]s from n-1 to n, if it is n-1, so that no two items of one %[3]s "+
			"have one number, and none is left out: %.0[4]f further write units each%[5]s, %[6]s a "+
			"second", last, c.attribute.Numbers, by, further, with, Grouped(c.of.Puts, 1)),
		fmt.Sprintf("A delete leaves %s as it is", last),
		fmt.Sprintf("Writers for one %s take turns: who was slower is refused, which takes write "+
			"units, too, reads %s again and tries the next number", by, last),
		fmt.Sprintf("If a turn takes %d ms, one %s gives %d numbers a second at most, where the %d "+
			"write units of its partition suffice for %.0f of its updates; the one with the most gives %s here",
			turnMilliseconds, by, turns, partitionWrites, math.Floor(partitionWrites/(2*units)),
			gives),
		fmt.Sprintf("The other way, an update with ADD that returns the number and a put after it, "+
			"refuses nobody, takes %.0f write units, and leaves a gap where the put does not follow",
			units+math.Ceil(p.itemBytes(of)/writeUnit))}
	return remark(by, "%s", strings.Join(all, ". "))
}

// contended warns of items that give more numbers than writers can take one after the other.
func contended(p *Plan) (all []Note) {
	var notes notes
	for _, c := range (rules{&p.Design}).counters() {
		if most, mean := c.heaviest(); c.attribute.Numbers != "" && most > turns {
			notes.warn(7, c.model.Name, "%s gives %s numbers a second for the %s with the most, %s "+
				"on average, and writers who need %d ms each take %d one after the other: most tries "+
				"are refused. Number by more than one %[3]s, or choose a ULID, which needs no turn",
				c.attribute.Name, Grouped(most, 1), c.model.Name, Grouped(mean, 1),
				turnMilliseconds, turns)
		}
	}
	return notes
}
