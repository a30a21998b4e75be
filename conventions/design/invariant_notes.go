package design

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// invariantNotes says how what is unique, counted or written together is kept, and what that costs.
func invariantNotes(p *Plan) (notes []Note) {
	for i := range p.Design.Models {
		m := &p.Design.Models[i]
		if m.Reserves != nil {
			notes = append(notes, keeper{p}.guardNote(m))
		}
	}
	for _, c := range (rules{&p.Design}).counters() {
		notes = append(notes, keeper{p}.counterNote(&c))
	}
	for i := range p.Writes {
		if w := &p.Writes[i]; w.Model == "" {
			items, bytes := keeper{p}.written(w)
			if items == 1 {
				notes = append(notes, remark(w.Name,
					"writes one item, which needs no transaction and costs what a single write does"))
				continue
			}
			notes = append(notes, remark(w.Name,
				"writes %s, %.1f KB of at most 4 MB, in one transaction: %.0f write units, which are twice those of single writes",
				count(items, "item", "items"), bytes/1024, 2*keeper{p}.unitsOf(w)))
		}
	}
	return notes
}

// unitsOf returns the write units of a write's items in the table, each counted once.
func (p keeper) unitsOf(w *Write) (units float64) {
	for i := range w.Actions {
		a := &w.Actions[i]
		units += float64(a.Count) * math.Ceil(p.itemBytes(a.Model)/writeUnit)
	}
	return units
}

func (p keeper) guardNote(m *Model) Note {
	of, unique := m.Reserves.Of, strings.Join(m.Reserves.Unique, " and ")
	put := p.Write("put " + of)
	return remark(of,
		"%s of two items is never the same: an item of %s holds each value, and a transaction puts both, %.0f write units in the table in place of %.0f. An index alone would not tell",
		unique, m.Name, 2*p.unitsOf(put), math.Ceil(p.itemBytes(of)/writeUnit))
}

// counterNote says what a counter costs, and how far it can be wrong.
func (p keeper) counterNote(c *counter) Note {
	units, of, rate := math.Ceil(p.itemBytes(c.model.Name)/writeUnit), c.of.Name, c.rate()
	if c.attribute.Numbers != "" {
		return numbersNote(p, c)
	}
	counted := fmt.Sprintf("%s is kept by", c.attribute.Name)
	each := func(units float64) string {
		return fmt.Sprintf("%.0f write units each, %s a second", units, Grouped(rate, 1))
	}
	switch c.kept() {
	case ByAdd:
		return remark(c.model.Name,
			"%s an update with ADD after the put of an item of %s: %s. An update that is sent again after a lost answer counts twice, and one that is never sent, because the writer ends, not at all: compare it with the items from time to time",
			counted, of, each(units))
	case ByStream:
		return remark(c.model.Name,
			"%s a consumer of the stream, which sends an update with ADD for a record of an item of %s: at most %s, and fewer if it adds up the records of a batch. %s. A batch that it gets twice, because it ended before it said that it was done, counts twice: kept: stream-once does not",
			counted, of, each(units), p.streamDelay())
	case ByStreamOnce:
		return remark(c.model.Name,
			"%s a consumer of the stream, which writes the update with ADD for a record of an item of %s in one transaction with an item of %s that says so: %s. %s. It is exact in the end: a record that it gets twice counts once",
			counted, of, p.marker(of), each(2*(units+1)), p.streamDelay())
	}
	further, doubled := p.furtherUnits(c, units)
	how := "no further write units, because one update changes both counters"
	if further > 0 {
		how = fmt.Sprintf("%.0f further %s", further, each(further)[len(fmt.Sprint(further))+1:])
	}
	if doubled {
		how += ", with those of the item itself, which a transaction takes twice"
	}
	return remark(c.model.Name,
		"%s the transaction that puts an item of %s: %s. It is exact: a request that is sent again with its token counts once. Two puts at a time for one %s can cancel each other, and are sent again",
		counted, of, how, c.model.Name)
}

// furtherUnits returns the write units that a counter takes which is kept by transaction, and
// whether the item that it counts takes more for it: a guard or another counter may have put that
// into a transaction already, or the update of the counter's item.
func (p keeper) furtherUnits(c *counter, units float64) (further float64, doubled bool) {
	further, doubled = 2*units, len((rules{&p.Design}).guards(c.of.Name)) == 0
	for _, other := range (rules{&p.Design}).counters() {
		if other.model.Name == c.model.Name && other.attribute.Name == c.attribute.Name {
			break
		}
		if other.of.Name != c.of.Name || other.kept() != ByTransaction {
			continue
		}
		doubled = false
		if other.model.Name == c.model.Name && slices.Equal(other.by, c.by) {
			further = 0
		}
	}
	if doubled {
		further += math.Ceil(p.itemBytes(c.of.Name) / writeUnit)
	}
	return further, doubled
}

// marker returns the model whose items say which records of a model are counted.
func (p keeper) marker(of string) string {
	i := slices.IndexFunc(p.Design.Models, func(m Model) bool { return m.Marks == of })
	return p.Design.Models[i].Name
}

// streamDelay says how far behind a consumer of the stream is, and what reading the stream costs:
// Lambda polls each shard four times a second and pays nothing for that (Lambda Developer Guide,
// "Using AWS Lambda with Amazon DynamoDB"; Developer Guide, "Change data capture"). A shard has the
// records of a partition.
func (p keeper) streamDelay() string {
	table := Share{}
	for i := range p.Design.Models {
		m := &p.Design.Models[i]
		table.store(m, p.itemBytes(m.Name), m.tableWrites())
	}
	shards := max(math.Ceil(table.WriteUnits/partitionWrites),
		math.Ceil(table.Bytes/partitionBytes), 1)
	prices := ListPrices()
	return fmt.Sprintf(
		"It is behind by the 0.25 seconds in which Lambda looks for records, and by the time that the function takes; for as long as the function fails, up to the 24 hours that a stream keeps records. Lambda reads the stream free of charge; another consumer that asks each of about %s once a second pays %s %s a month",
		count(int(shards), "shard", "shards"),
		dollars(shards*secondsPerMonth/1e6*prices.StreamReads), prices.Currency)
}

// copyNotes says what a change of what is copied writes, and how old a copy can be.
func copyNotes(p *Plan) (notes []Note) {
	for _, c := range (rules{&p.Design}).copies() {
		mean, most := c.each()
		units := math.Ceil(p.itemBytes(c.model.Name) / writeUnit)
		fan := fmt.Sprintf("a change writes %s, %s write units in the table",
			count(int(mean), "copy", "copies"), Grouped(mean*units, 0))
		if c.attribute.Kept == ByTransaction {
			fan = fmt.Sprintf("a change writes %s, %s write units in the table with those of %s",
				count(int(mean), "copy", "copies"), Grouped(
					2*(mean*units+math.Ceil(p.itemBytes(c.of.Name)/writeUnit)), 0), c.of.Name)
		}
		if most > mean {
			fan += fmt.Sprintf(", and that of the one with the most copies %s", Grouped(most, 0))
		}
		about := fmt.Sprintf("%s is a copy of %s", c.attribute.Name, c.attribute.Of)
		switch c.attribute.Kept {
		case Never:
			notes = append(notes, remark(c.model.Name,
				"%s as it was when the item was put: nobody changes it", about))
		case ByTransaction:
			notes = append(notes, remark(c.model.Name,
				"%s that is never older: %s, %s times a second, in one transaction, whose writer finds the copies first. %s of %s counts them, so that a change is refused, and sent again, if there are others by then; a put of %s is refused if its copy is of an old value, and takes twice the write units",
				about, fan, Grouped(c.rate(), 1), rules{&p.Design}.copiesCounter(c), c.of.Name,
				c.model.Name))
		default:
			notes = append(notes, remark(c.model.Name,
				"%s that is older for a while: %s, %s times a second, by a consumer of the stream. %s. It changes copies one after the other, so that some are new before others%s%s",
				about, fan, perSecond(c.rate()), keeper{p}.streamDelay(), inIndex(p, c),
				besides(p, c)))
		}
	}
	return notes
}

// besides says that an update of what is copied changes other copies of the same items, too: the
// consumer of the stream then updates them for each attribute, as p.Writes has it.
func besides(p *Plan, of copied) string {
	var names []string
	for _, c := range (rules{&p.Design}).copies() {
		together := slices.ContainsFunc(c.of.Changes, func(change Change) bool {
			return slices.Contains(change.Of, c.name) && slices.Contains(change.Of, of.name)
		})
		if together && c.model == of.model && c.of == of.of && slices.Equal(c.by, of.by) &&
			c.attribute.Kept == ByStream && !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	if len(names) < 2 {
		return ""
	}
	return fmt.Sprintf(". One update of %s that changes %s updates each copy once for each of them",
		of.of.Name, strings.Join(names, " and "))
}

// inIndex says that the copies of an item are found in an index, if they are.
func inIndex(p *Plan, c copied) string {
	name := rules{&p.Design}.finder(c).Name
	if slices.ContainsFunc(p.Queries,
		func(q Query) bool { return q.Pattern == name && q.Index != "" }) {
		return ", and finds them in what an index has by then"
	}
	return ""
}

// feedNotes says what a feed takes.
func feedNotes(p *Plan) (notes []Note) {
	d := rules{p.source}
	for _, f := range d.feeds() {
		pattern := &p.source.Patterns[f.pattern]
		whom, _ := d.many(&f, f.reader)
		if pattern.fanout() == OnRead {
			notes = append(notes, remark(pattern.Name,
				"is put together when it is read: a request for those whom the reader follows, and one for each, %s on average, whose results the reader merges. It is never behind",
				Grouped(whom, 0)))
			continue
		}
		readers, most := d.many(&f, f.followed)
		text := fmt.Sprintf(
			"is put together when an item of %s is put: a consumer of the stream puts an item for each of those that follow, %s on average, %s a second. %s. Who follows later sees what comes from then on",
			f.model.Name, Grouped(readers, 0), Grouped(f.model.Puts*readers, 1),
			keeper{p}.streamDelay())
		text += ". " + deletesNote(&f, pattern, readers)
		if most > readers {
			text += fmt.Sprintf(
				". The one whom most follow takes %s items each time, %s at the %d write units a second of a partition if one function puts them one after the other: leave the feed to reads for such",
				Grouped(most, 0), minutes(most/partitionWrites), partitionWrites)
		}
		notes = append(notes, remark(pattern.Name, "%s", text))
	}
	return notes
}

// deletesNote says what deletes do to a feed.
func deletesNote(f *feed, p *Pattern, readers float64) string {
	month := f.model.Deletes * secondsPerMonth * readers
	if p.Deletes != Cleaned {
		return fmt.Sprintf(
			"Items of a feed stay when an item of %s is deleted, %s more a month: a read leaves out those for which %s: each finds nothing",
			f.model.Name, Grouped(month, 0), p.Name)
	}
	return fmt.Sprintf(
		"When an item of %s is deleted, the consumer reads who follows page by page and deletes an item of each, %s a second: 25 in a BatchWriteItem, those again that it leaves unprocessed. Who has left by then keeps one: a read leaves out those for which %s: each finds nothing",
		f.model.Name, Grouped(f.model.Deletes*readers, 1), p.Name)
}

// minutes writes a time in seconds or minutes.
func minutes(seconds float64) string {
	if seconds < 120 {
		return fmt.Sprintf("%.0f seconds", seconds)
	}
	return fmt.Sprintf("%.0f minutes", seconds/60)
}
