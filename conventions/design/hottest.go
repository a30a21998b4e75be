package design

import (
	"cmp"
	"math"
	"slices"
)

// Hot is the partition key that comes nearest to what a partition takes.
type Hot struct {
	Partition Value  // what the key holds
	Place     string // the table, or the name of an index
	Kind      string // read or write
	Units     float64
	Limit     float64 // how many units a second a partition takes
}

// Part returns which part of its limit the key gets. Above 1 it is throttled.
func (h Hot) Part() float64 {
	if h.Limit == 0 {
		return 0
	}
	return h.Units / h.Limit
}

// Hottest returns the partition key that becomes hot first as rates grow. Its Part is 0 if the
// design has no rates.
func Hottest(p *Plan) (most Hot) {
	hotter := func(h Hot) {
		if h.Part() > most.Part() {
			most = h
		}
	}
	for i := range p.Entities {
		hotWritesOf(p, &p.Entities[i], hotter)
	}
	for i := range p.Queries {
		q, pattern := &p.Queries[i], &p.Design.Patterns[i]
		if q.Operation == SearchVectors || len(q.Partition.Value) == 0 {
			continue
		}
		partition := readPartition(p, q)
		units := pattern.Rate * queryUnits(p, i) * partitionShare(p, q.Models[0], partition, true) *
			p.Design.Peak(pattern.Model, pattern.Models)
		hotter(Hot{partition, cmp.Or(q.Index, "the table"), "read", units, partitionReads})
	}
	return most
}

// hotWritesOf passes the writes that the most frequent partition keys of a model get: in the table,
// and in each global index.
func hotWritesOf(p *Plan, e *Entity, hotter func(Hot)) {
	m := p.Design.Model(e.Model)
	writes := func(index *Index, k Key, place string, units float64) {
		partition := e.partition(k)
		units, _ = heat(p, m.Name, index, partition, units)
		hotter(Hot{partition, place, "write", units, partitionWrites})
	}
	writes(nil, p.Key, "the table",
		m.tableWrites()*math.Ceil(p.itemBytes(m.Name)/writeUnit))
	for i := range p.Indexes {
		if index := &p.Indexes[i]; !index.Local && slices.Contains(index.Models, m.Name) {
			writes(index, index.Key, index.Name, indexWrites(p, index, m))
		}
	}
}
