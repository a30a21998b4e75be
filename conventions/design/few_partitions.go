package design

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The bounds of the notes on few partition keys.
const (
	fewValues    = 100 // each of more values has less than 1 % of the items
	warnedWrites = partitionWrites / 10
	saidWrites   = partitionWrites / 100
)

// fixedPartitions warns of patterns whose items are all under one partition key, which then gets
// all of their writes ("Managing latest in DynamoDB", the bad solution).
func fixedPartitions(p *Plan) (notes []Note) {
	if p.Design.Tenants != nil { // what they share is under common, as the guide has it
		return nil
	}
	seen := map[string]bool{}
	for i := range p.Queries {
		pattern, q := &p.Design.Patterns[i], &p.Queries[i]
		about := q.Index + " " + strings.Join(q.Models, " ")
		if q.Operation == SearchVectors || seen[about] || slices.ContainsFunc(readPartition(p, q),
			func(part Part) bool { return part.Attribute != "" }) {
			continue
		}
		seen[about] = true
		units := 0.0
		for _, name := range q.Models {
			m := p.Design.Model(name)
			if index := p.Index(q.Index); index != nil {
				units += m.peak() * indexWrites(p, index, m)
			} else {
				units += m.peak() * m.tableWrites() * math.Ceil(p.itemBytes(name)/writeUnit)
			}
		}
		if units <= partitionWrites { // hotWrites warns of more
			whose := ""
			if len(pattern.Where) > 0 {
				whose = " whose " + describeWhere(pattern.Where)
			}
			notes = append(notes, warning(pattern.Name,
				"all items of %s%s are under one partition key, %s, a fixed one that does not "+
					"scale: it gets %s, and a partition takes %d. Name an "+
					"attribute in equal, or say shards, because with a period the newest partition "+
					"gets all writes; keep what is only the newest in a latest item",
				strings.Join(q.Models, " and "), whose, readPartition(p, q), written(units),
				partitionWrites))
		}
	}
	return notes
}

// written says how many writes a partition key gets.
func written(units float64) string {
	if units == 0 {
		return "all writes, at a rate that the design does not say"
	}
	return plain(units, 3) + " write units per second"
}

// fewPartitions says what each partition key gets where there are few, in the table and each global
// index, if it is a hundredth of what a partition takes. It warns of those that get a tenth.
func fewPartitions(p *Plan) (notes []Note) {
	for i := range p.Entities {
		e := &p.Entities[i]
		m := p.Design.Model(e.Model)
		units := m.tableWrites() * math.Ceil(p.itemBytes(m.Name)/writeUnit)
		notes = append(notes, few(p, e, p.Design.Table, p.Key, units)...)
		for j := range p.Indexes {
			if index := &p.Indexes[j]; !index.Local && slices.Contains(index.Models, e.Model) {
				notes = append(notes,
					few(p, e, index.Name, index.Key, indexWrites(p, index, m))...)
			}
		}
	}
	return notes
}

// few is fewPartitions for a model in the table or an index.
func few(p *Plan, e *Entity, about string, k Key, units float64) []Note {
	m := p.Design.Model(e.Model)
	names, values := fewOf(m, e.partition(k))
	units, which := heat(p, m.Name, p.Index(about), e.partition(k), units)
	if names == nil || values > fewValues || units < saidWrites || units > partitionWrites {
		return nil // hotWrites warns of more
	}
	has := "has"
	if len(names) > 1 {
		has = "have"
	}
	text := fmt.Sprintf("%s %s %d values, so %s partition key gets %s write units per second of "+
		"%s%s, and a partition takes %d", strings.Join(names, " and "), has, values, which,
		plain(units, 3), m.Name, inPeak(m.peak()), partitionWrites)
	if units < warnedWrites {
		return []Note{remark(about, "%s", text)}
	}
	return []Note{warning(about, "%s: shards: %.0f of the patterns that read there would leave "+
		"each at most %d", text, math.Ceil(units/warnedWrites), warnedWrites)}
}

// fewOf returns the attributes in a partition key, and how many values they have together; none if
// the design does not say how many, or the key is a constant.
func fewOf(m *Model, partition Value) (names []string, values int64) {
	values = 1
	for _, part := range partition {
		a := m.Attribute(part.Attribute)
		if a == nil || a.Constant != "" {
			continue
		}
		if a.different() == 0 || a.Derived != nil {
			return nil, 0
		}
		names, values = append(names, a.Name), min(values*a.different(), fewValues+1)
	}
	return names, values
}
