package traffic

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Report holds the recorded traffic up to a moment. Its lists are sorted, so that equal traffic
// gives equal reports, and never nil. encoding/json can encode it.
type Report struct {
	Requests   int64   `json:"requests"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	// those of requests that were answered without an error
	Tables     []string          `json:"tables"`
	Operations []Operation       `json:"operations"`
	Capacity   []Capacity        `json:"capacity"`
	Reads      []ReadReport      `json:"reads"`
	Keys       []KeyReport       `json:"keys"`
	Writes     []WriteReport     `json:"writes"`
	Partitions []PartitionReport `json:"partitions"` // the one with the most units first
	Patterns   []Used            `json:"patterns"`   // sorted as declared
	// accesses that no declared pattern matches; empty if none is declared
	Undeclared []Access `json:"undeclared"`
}

// Operation says how often an operation was called for a table. A request for several tables counts
// for each of them.
type Operation struct {
	Operation string           `json:"operation"`
	Table     string           `json:"table,omitempty"` // "" for operations without a table
	Requests  int64            `json:"requests"`
	Errors    map[string]int64 `json:"errors,omitempty"` // errors by their type
}

// succeeded returns how many calls were answered without an error.
func (o *Operation) succeeded() int64 {
	succeeded := o.Requests
	for _, n := range o.Errors {
		succeeded -= n
	}
	return succeeded
}

// Capacity holds the units that an operation consumed of a table or index.
type Capacity struct {
	Operation string  `json:"operation"`
	Table     string  `json:"table"`
	Index     string  `json:"index,omitempty"`
	Read      float64 `json:"read"`
	Write     float64 `json:"write"`

	// Of a vector index, which has no units.
	ReadBytes  float64 `json:"readBytes,omitempty"`
	WriteBytes float64 `json:"writeBytes,omitempty"`
}

// ReadReport explains a kind of Query, Scan or SELECT: what it reads, its condition on the key, and
// how many of the items it returns.
type ReadReport struct {
	Operation string `json:"operation"`
	Table     string `json:"table"`
	Index     string `json:"index,omitempty"`
	// whether it reads all of the table or index
	Scan         bool     `json:"scan"`
	KeyCondition string   `json:"keyCondition,omitempty"` // the condition without its values
	Filter       string   `json:"filter,omitempty"`       // the attributes in the filter
	Pages        int64    `json:"pages"`
	Evaluated    int64    `json:"evaluated"` // items
	Returned     int64    `json:"returned"`  // items
	Units        float64  `json:"units"`
	Why          []string `json:"why"` // avoidable costs

	filtered bool
}

// Waste is the share of the items read that the filter dropped, 0 to 1.
func (r *ReadReport) Waste() float64 {
	if r.Evaluated == 0 {
		return 0
	}
	return float64(r.Evaluated-r.Returned) / float64(r.Evaluated)
}

// PartitionReport is the load of a partition key.
type PartitionReport struct {
	Table string  `json:"table"`
	Index string  `json:"index,omitempty"`
	Key   string  `json:"key"`
	Units float64 `json:"units"`
	// Inherited is how much of Units may belong to other keys (see MaxPartitions).
	Inherited float64 `json:"inherited,omitempty"`
	Share     float64 `json:"share"` // the share of all units of the table or index, 0 to 1
}

// Access is a way to reach items.
type Access struct {
	Operation    string `json:"operation"`
	Table        string `json:"table"`
	Index        string `json:"index,omitempty"`
	KeyCondition string `json:"keyCondition,omitempty"`
	Requests     int64  `json:"requests"`
}

// Used says how often a declared pattern was used.
type Used struct {
	Pattern
	Requests int64 `json:"requests"`
}

// AddTable adds a table that exists, but that no request need have been for.
func (r *Report) AddTable(name string) {
	if i, found := slices.BinarySearch(r.Tables, name); !found {
		r.Tables = slices.Insert(r.Tables, i, name)
	}
}

// Unused returns the declared patterns that were never used.
func (r *Report) Unused() []Pattern {
	var list []Pattern
	for i := range r.Patterns {
		if r.Patterns[i].Requests == 0 {
			list = append(list, r.Patterns[i].Pattern)
		}
	}
	return list
}

// maxHot is the largest number of partition keys in a report.
const maxHot = 10

// Report returns what was recorded so far.
func (r *Recorder) Report() *Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := &Report{
		Requests: r.requests, Tables: []string{}, Operations: []Operation{}, Capacity: []Capacity{},
	}
	for k, row := range r.operations {
		if k.table != "" && k.table != Other && row.succeeded() > 0 {
			out.AddTable(k.table)
		}
		out.Operations = append(out.Operations,
			Operation{k.operation, k.table, row.Requests, maps.Clone(row.Errors)})
	}
	slices.SortFunc(out.Operations, func(a, b Operation) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Operation, b.Operation))
	})
	for k, row := range r.capacity {
		out.Capacity = append(out.Capacity,
			Capacity{k.operation, k.table, k.index, row.Read, row.Write, row.ReadBytes,
				row.WriteBytes})
		out.ReadUnits += row.Read
		out.WriteUnits += row.Write
	}
	slices.SortFunc(out.Capacity, func(a, b Capacity) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index),
			cmp.Compare(a.Operation, b.Operation))
	})
	out.Reads = r.explained()
	out.Keys, out.Writes = r.byKeys(), r.byWrites()
	out.Partitions = r.hot()
	out.Patterns, out.Undeclared = r.compared()
	return out
}

func (r *Recorder) explained() []ReadReport {
	list := []ReadReport{}
	for k, row := range r.reads {
		read := *row
		read.Operation, read.Table, read.Index, read.Scan, read.KeyCondition, read.Filter =
			k.operation, k.table, k.index, k.scan, k.condition, k.filter
		read.Why = read.why(k.fetched)
		list = append(list, read)
	}
	slices.SortFunc(list, func(a, b ReadReport) int {
		return cmp.Or(cmp.Compare(b.Units, a.Units), cmp.Compare(a.Table, b.Table),
			cmp.Compare(a.Index, b.Index),
			cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.KeyCondition, b.KeyCondition),
			cmp.Compare(a.Filter, b.Filter), len(a.Why)-len(b.Why))
	})
	return list
}

// why explains the avoidable costs of a read.
func (r *ReadReport) why(fetched bool) []string {
	list := []string{}
	if r.Scan && r.Table != Other {
		list = append(list, "no partition key is given: all items are read")
	}
	if r.filtered && r.Returned < r.Evaluated {
		list = append(list,
			fmt.Sprintf("the filter drops %.0f %% of the items read", 100*r.Waste()))
	}
	if fetched {
		list = append(list, "the index lacks attributes: each item is read from the table as well")
	}
	return list
}

func (r *Recorder) hot() []PartitionReport {
	type source struct{ table, index string }
	all := map[source]float64{}
	for k, row := range r.capacity {
		all[source{k.table, k.index}] += row.Read + row.Write
	}
	list := []PartitionReport{}
	for _, c := range r.partitions.Top(comparePartitions) {
		if len(list) == maxHot {
			break
		}
		p := PartitionReport{
			Table: c.Key.table, Index: c.Key.index, Key: c.Key.key, Units: c.Units,
			Inherited: c.Inherited,
		}
		if total := all[source{p.Table, p.Index}]; total > 0 {
			p.Share = min(1, p.Units/total)
		}
		list = append(list, p)
	}
	return list
}

// compared compares accesses with the declared patterns.
func (r *Recorder) compared() (used []Used, undeclared []Access) {
	used, undeclared = []Used{}, []Access{}
	for _, p := range r.declared {
		used = append(used, Used{Pattern: p})
	}
	for k, row := range r.accesses {
		if row.requests == 0 {
			continue
		}
		a := Access{k.operation, k.table, k.index, k.condition, row.requests}
		known := len(used) == 0
		for i := range used {
			if used[i].matches(&a) {
				used[i].Requests += a.Requests
				known = true
			}
		}
		if !known {
			undeclared = append(undeclared, a)
		}
	}
	slices.SortFunc(undeclared, func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index),
			cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.KeyCondition, b.KeyCondition))
	})
	return used, undeclared
}
