package design

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// What one partition serves per second (Developer Guide, "Partitions and data distribution").
const (
	partitionReads  = 3000
	partitionWrites = 1000
)

// maxItemBytes is the largest size of an item. A design may have larger values, and a note warns of
// them: up to maxValueBytes, which cost nothing to make.
const (
	maxItemBytes  = 400 << 10
	maxValueBytes = 1 << 20
)

// collectionBytes is the largest size of an item collection of a table with local secondary indexes
// (Developer Guide, "Item collection size limit"). Nothing else limits what a partition key has.
const collectionBytes = 10 << 30

// partitionBytes is about the size at which DynamoDB splits a partition in two (AWS Database Blog,
// "Scaling DynamoDB: How partitions, hot keys, and split for heat impact performance", part 3).
const partitionBytes = 10 << 30

// advice says what the guide's steps do not cover. Each function looks at one thing in a plan.
var advice = []func(*Plan) []Note{unsaid, severalNotes, takenNotes, latestNotes, moveNotes,
	contended, lastNotes,
	largeItems, largeKeys, writeAmplification, keyChanges,
	unnamedChanges, paddedNumbers, hotReads, hotWrites, fixedPartitions, fewPartitions,
	heaviestPartitions, largePartitions, itemCollections, copies, expired, invariantNotes,
	copyNotes, feedNotes, rejected, memo, stayNotes}

func warning(about, format string, args ...any) Note {
	return Note{Step: 7, About: about, Text: fmt.Sprintf(format, args...), Warning: true}
}

func remark(about, format string, args ...any) Note {
	return Note{Step: 7, About: about, Text: fmt.Sprintf(format, args...)}
}

// largeItems warns of items that the service does not take.
func largeItems(p *Plan) (notes []Note) {
	for _, m := range p.Design.Models {
		if bytes := p.itemBytes(m.Name); bytes > maxItemBytes {
			notes = append(notes,
				warning(m.Name,
					"has items of %.0f KB, and 400 KB is the limit: keep large values in S3, or split the item", bytes/1024))
		}
	}
	return notes
}

// The bytes that the service takes in a partition key and in a sort key (Developer Guide, "Quotas
// in Amazon DynamoDB").
const (
	maxPartitionBytes = 2048
	maxSortBytes      = 1024
)

// largeKeys warns of keys that the service does not take.
func largeKeys(p *Plan) (notes []Note) {
	keys := []Key{p.Key}
	for _, index := range p.Indexes {
		keys = append(keys, index.Key)
	}
	seen := map[string]bool{}
	check := func(e *Entity, kind string, names []string, most float64) {
		for _, name := range names {
			bytes := p.sizeOf(e.Model, []Stored{{Value: e.key(name)}})
			if about := e.Model + " " + kind + name; bytes > most && !seen[about] {
				seen[about] = true
				notes = append(notes, warning(e.Model,
					"%s has %s bytes on average, and a %s key has at most %s, so puts are refused: "+
						"have a hash of it in the key, or its beginning",
					name, Grouped(bytes, 0), kind, Grouped(most, 0)))
			}
		}
	}
	for i := range p.Entities {
		for _, k := range keys {
			check(&p.Entities[i], "partition", k.Partitions(), maxPartitionBytes)
			check(&p.Entities[i], "sort", k.Sorts(), maxSortBytes)
		}
	}
	return notes
}

// writeAmplification says what a put of an item writes in indexes.
func writeAmplification(p *Plan) (notes []Note) {
	for _, m := range p.Design.Models {
		bytes := p.itemBytes(m.Name)
		inTable, inIndexes, indexes := math.Ceil(bytes/writeUnit), 0.0, 0
		for i := range p.Indexes {
			if slices.Contains(p.Indexes[i].Models, m.Name) {
				indexes++
				inIndexes += math.Ceil(p.indexedBytes(&p.Indexes[i], m.Name) / writeUnit)
			}
		}
		if indexes > 0 {
			notes = append(notes,
				remark(m.Name,
					"a put of an item of %.1f KB takes %.0f write units: %.0f for the table, and %.0f for %s",
					bytes/1024, inTable+inIndexes, inTable, inIndexes,
					count(indexes, "index", "indexes")))
		}
	}
	return notes
}

// keyChanges says what a change of an attribute in the key of an index writes there (Developer
// Guide, "Write capacity units" of global secondary indexes).
func keyChanges(p *Plan) (notes []Note) {
	for i := range p.Indexes {
		index := &p.Indexes[i]
		for j := range p.Entities {
			e := &p.Entities[j]
			units := 2 * math.Ceil(p.indexedBytes(index, e.Model)/writeUnit)
			for _, name := range changing(p, index, e) {
				notes = append(notes,
					remark(e.Model,
						"a change of %s takes %.0f write units in %s, which deletes the old copy of the item and puts a new one", name, units, index.Name))
			}
		}
	}
	return notes
}

// changing returns the mutable attributes of a model that the key of an index has.
func changing(p *Plan, index *Index, e *Entity) (names []string) {
	if !slices.Contains(index.Models, e.Model) {
		return nil
	}
	for _, s := range e.Keys {
		if !index.Key.Has(s.Name) {
			continue
		}
		for _, part := range s.Value {
			if a := p.Design.Model(e.Model).Attribute(part.Attribute); a != nil && a.Mutable &&
				a.Derived == nil && !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// paddedNumbers says which numbers can be in strings.
func paddedNumbers(p *Plan) (notes []Note) {
	for _, e := range p.Entities {
		for _, s := range e.Keys {
			for _, part := range s.Value {
				if part.Digits > 0 {
					notes = append(notes, remark(e.Model,
						"%s holds %s as text of %d digits, which sorts as numbers do: %s. "+
							"Say decimals: 2 or negative: true of an attribute with others",
						s.Name, part.Attribute, part.Digits,
						strings.TrimSuffix(part.numbers(), ",")))
				}
			}
		}
	}
	return notes
}

// hotReads warns of patterns that read one partition more than a partition serves.
func hotReads(p *Plan) (notes []Note) {
	for i := range p.Queries {
		pattern, q := &p.Design.Patterns[i], &p.Queries[i]
		if q.Operation == SearchVectors {
			continue
		}
		model := pattern.models()[0]
		share := partitionShare(p, model, readPartition(p, q), true)
		peak := p.Design.Peak(pattern.Model, pattern.Models)
		if units := pattern.Rate * queryUnits(p, i) * share * peak; units > partitionReads {
			notes = append(notes,
				warning(pattern.Name,
					"reads %.0f units per second of %s partition key%s, and a partition serves "+
						"%d: cache the result, or write copies under several partition keys", units,
					fullOf(p.Design.Model(model), readPartition(p, q)),
					inPeak(peak), partitionReads))
		}
	}
	return notes
}

// hotWrites warns of partition keys that get more writes than a partition takes. Local indexes are
// in the partitions of the table.
func hotWrites(p *Plan) (notes []Note) {
	for i := range p.Design.Models {
		m := &p.Design.Models[i]
		units := m.tableWrites() * math.Ceil(p.itemBytes(m.Name)/writeUnit)
		for _, index := range p.local() {
			units += indexWrites(p, &index, m)
		}
		notes = append(notes, hotKey(p, p.Design.Table, "", p.Key, m.Name, units)...)
		for j := range p.Indexes {
			if index := &p.Indexes[j]; !index.Local && slices.Contains(index.Models, m.Name) {
				notes = append(notes,
					hotKey(p, index.Name, index.Name, index.Key, m.Name,
						indexWrites(p, index, m))...)
			}
		}
	}
	return notes
}

// indexWrites returns the write units per second of a model's items in an index.
func indexWrites(p *Plan, index *Index, m *Model) float64 {
	if !slices.Contains(index.Models, m.Name) {
		return 0
	}
	return p.writesIn(index, m) * math.Ceil(p.indexedBytes(index, m.Name)/writeUnit)
}

// hotKey warns of the partition keys of a model in the table or an index, if the write units of a
// second are too many. It proposes shards to the patterns that read there.
func hotKey(p *Plan, about, index string, k Key, model string, units float64) []Note {
	units, which := heat(p, model, p.Index(index), p.Entity(model).partition(k), units)
	if units <= partitionWrites {
		return nil
	}
	var patterns []string
	shards := 1
	for i, q := range p.Queries {
		if q.Index == index && q.Operation == QueryRequest && slices.Contains(q.Models, model) {
			patterns = append(patterns, q.Pattern)
			shards = max(shards, p.Design.Patterns[i].Shards)
		}
	}
	remedy := "choose a key with more values"
	if len(patterns) > 0 {
		needed := math.Ceil(units*float64(shards)/partitionWrites) + 1
		remedy = fmt.Sprintf("add shards: %.0f to %s, whose reads then take as many requests",
			needed, strings.Join(patterns, " and "))
	}
	return []Note{
		warning(about,
			"gets %.0f write units per second of %s under %s partition key%s, and a partition "+
				"takes %d: %s", units, model, which,
			inPeak(p.Design.Model(model).peak()), partitionWrites, remedy),
	}
}

// largePartitions says what becomes of partition keys whose items are more than a partition has.
func largePartitions(p *Plan) (notes []Note) {
	for i := range p.Queries {
		pattern, q := &p.Design.Patterns[i], &p.Queries[i]
		index := p.Index(q.Index)
		if q.Operation != QueryRequest || len(p.local()) > 0 && (index == nil || index.Local) {
			continue // itemCollections looks at the partitions of a table with local indexes
		}
		bytes, model := 0.0, p.Design.Model(q.Models[0])
		for _, name := range q.Models {
			m := p.Design.Model(name)
			part := 1.0
			if index != nil {
				part = p.partIn(index, name)
			}
			bytes += float64(m.Items) * part * p.readBytes(i) *
				partitionShare(p, model.Name, readPartition(p, q), true)
		}
		if bytes > partitionBytes {
			notes = append(notes, remark(pattern.Name, "reads %s. %s",
				sized(model, readPartition(p, q), bytes), splitText(p, index, model)))
		}
	}
	return notes
}

// splitText says how DynamoDB splits the items of one partition key over several partitions. A sort
// key that begins with a time has all new items at its end.
func splitText(p *Plan, index *Index, m *Model) string {
	key := p.Key
	if index != nil {
		key = index.Key
	}
	const unlimited = "No limit is on that: DynamoDB splits them over several partitions"
	sorts := key.Sorts()
	if len(sorts) == 0 {
		return unlimited
	}
	sort := p.Entity(m.Name).key(sorts[0])
	text := fmt.Sprintf("%s by the sort key, and each serves %d read and %d write units a second",
		unlimited, partitionReads, partitionWrites)
	first := slices.IndexFunc(sort, func(part Part) bool { return part.Attribute != "" })
	if first < 0 {
		return text
	}
	if a := m.Attribute(sort[first].Attribute); a != nil &&
		(a.Format == Timestamp || a.Format == ULID) {
		text += fmt.Sprintf(". If %s only grows, the newest items of a key are in one of them, "+
			"and their reads and writes have no more than that", a.Name)
	}
	return text
}

// sized says how large partition keys are.
func sized(m *Model, partition Value, bytes float64) string {
	if which := fullOf(m, partition); which != "each" {
		return fmt.Sprintf("a partition key with %.0f GB, %s one", bytes/(1<<30), which)
	}
	return fmt.Sprintf("partition keys with %.0f GB each", bytes/(1<<30))
}

// itemCollections says how large the item collections of a table with local indexes become, and
// warns of those that become too large: the service then refuses writes.
func itemCollections(p *Plan) (notes []Note) {
	if len(p.local()) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for i := range p.Entities {
		e := &p.Entities[i]
		models, bytes := collection(p, e)
		about, partition := strings.Join(models, " and "), e.key(p.Key.Partition)
		if seen[about] {
			continue
		}
		seen[about] = true
		const limit = "A table with local indexes has at most 10 GB under a partition key"
		size := fmt.Sprintf("%s under each %s, with the copies in local indexes. %s",
			sizeText(bytes), partition, limit)
		switch {
		case slices.ContainsFunc(models,
			func(m string) bool { return p.Design.Model(m).Items == 0 }):
			notes = append(notes,
				warning(about,
					"%s: say how many items there will be, so that the plan knows the size under each %s", limit, partition))
		case bytes > collectionBytes:
			notes = append(notes,
				warning(about,
					"%s, and refuses further writes: leave consistent out, so that a global index serves, or name a further attribute in equal", size))
		default:
			notes = append(notes, remark(about, "%s", size))
		}
	}
	return notes
}

// sizeText writes a size in MB or GB.
func sizeText(bytes float64) string {
	if bytes >= 1<<30 {
		return fmt.Sprintf("%.1f GB", bytes/(1<<30))
	}
	return fmt.Sprintf("%.1f MB", bytes/(1<<20))
}

// collection returns the models whose items can have the partition key of an entity's item, and the
// size of these items with their copies in local indexes.
func collection(p *Plan, e *Entity) (models []string, bytes float64) {
	for i := range p.Entities {
		other := &p.Entities[i]
		partition := other.key(p.Key.Partition)
		if !p.canEqual(e, other, p.Key.Partition) {
			continue
		}
		item := p.itemBytes(other.Model) + ItemOverhead
		for _, index := range p.local() {
			if slices.Contains(index.Models, other.Model) {
				item += p.indexedBytes(&index, other.Model) + ItemOverhead
			}
		}
		models = append(models, other.Model)
		bytes += float64(p.Design.Model(other.Model).Items) * item *
			partitionShare(p, other.Model, partition, true)
	}
	return models, bytes
}

// copies says what a change of an attribute writes that other models have copies of.
func copies(p *Plan) (notes []Note) {
	for _, m := range p.Design.Models {
		for _, a := range m.Attributes {
			model, name, _ := strings.Cut(a.Of, ".")
			of := p.Design.anyModel(model)
			if of == nil || m.Reserves != nil || a.Kept != "" || !of.Attribute(name).Mutable {
				continue
			}
			if of.Table != "" {
				notes = append(notes, remark(m.Name,
					"%s is a copy of %s, which changes, in the table %s: nothing changes the copy. Read it from %s, say kept: never, or put both into one table",
					a.Name, a.Of, of.Table, model))
				continue
			}
			n := math.Ceil(float64(m.Items) / math.Max(float64(of.Items), 1))
			text := fmt.Sprintf(
				"%s is a copy of %s, which changes: a change of one writes %.0f items of %s, %.0f write units",
				a.Name, a.Of, n, m.Name, n*math.Ceil(p.itemBytes(m.Name)/writeUnit))
			if n > transactItems {
				notes = append(notes,
					warning(m.Name,
						"%s. A transaction writes at most %d: read it from %s, or say kept: stream", text, transactItems, model))
			} else {
				notes = append(notes, remark(m.Name, "%s. Say who changes it: kept: transaction, stream or never", text))
			}
		}
	}
	return notes
}

// expired says that reads find items whose time to live has passed.
func expired(p *Plan) []Note {
	if p.TTL == "" {
		return nil
	}
	return []Note{
		remark("",
			"DynamoDB deletes items within a few days after their time to live: until then reads return them, so compare %s with the time", p.TTL),
	}
}

// unnamedChanges says what the plan does not know about updates that do not name what they change.
func unnamedChanges(p *Plan) (notes []Note) {
	for i := range p.Entities {
		e := &p.Entities[i]
		m := p.Design.Model(e.Model)
		if m.Updates == 0 {
			continue
		}
		var names []string
		for j := range p.Indexes {
			for _, name := range changing(p, &p.Indexes[j], e) {
				if !slices.Contains(names, name) && !m.named(name) {
					names = append(names, name)
				}
			}
		}
		if len(names) > 0 {
			notes = append(notes, remark(m.Name,
				"%g updates a second count as if they changed nothing in keys of indexes, where %s can change: name what they change, as in updates: [{of: %s, rate: %[1]g}]",
				m.Updates, strings.Join(names, " and "), names[0]))
		}
	}
	return notes
}

// heaviestPartitions says what the most frequent partition keys hold and take, where a design says
// that some are more frequent than others.
func heaviestPartitions(p *Plan) (notes []Note) {
	for i := range p.Design.Models {
		m := &p.Design.Models[i]
		table := Index{Name: p.Design.Table, Key: p.Key}
		for _, index := range slices.Concat([]Index{table}, p.Indexes) {
			isTable := index.Name == table.Name
			if !isTable && !slices.Contains(index.Models, m.Name) || index.Local {
				continue
			}
			v := p.Entity(m.Name).partition(index.Key)
			if keyed(m, v) == "each" {
				continue
			}
			bytes, writes := p.itemBytes(m.Name), m.tableWrites()*math.Ceil(
				p.itemBytes(m.Name)/writeUnit)
			if !isTable {
				bytes, writes = p.indexedBytes(&index, m.Name), indexWrites(p, &index, m)
			}
			notes = append(notes, heaviest(p, m, &index, v, isTable, bytes, writes))
		}
	}
	return notes
}

// heaviest says what the most frequent partition key of a model in an index, or in the table, holds
// and takes.
func heaviest(p *Plan, m *Model, index *Index, v Value, isTable bool, bytes,
	writes float64) Note {
	share, name := partitionShare(p, m.Name, v, true), index.Name
	if isTable {
		name = ""
	}
	reads := 0.0
	for i, q := range p.Queries {
		if q.Index == name && q.Models[0] == m.Name && q.Operation != SearchVectors {
			reads += p.Design.Patterns[i].Rate * queryUnits(p, i)
		}
	}
	return remark(m.Name,
		"the most frequent %s of %s has %s of its items, %s, and takes %s write units and %s read units per second, if it is written and read as often as others of its items",
		strings.Trim(v.String(), "{}"), index.Name, Grouped(float64(m.Items)*share, 0),
		sizeText(float64(m.Items)*share*(bytes+ItemOverhead)),
		Grouped(writes*partitionShare(p, m.Name, v, false), 1), Grouped(reads*share, 1))
}
