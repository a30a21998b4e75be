package design

import "fmt"

// What one partition serves per second (Developer Guide, "Partitions and data distribution").
const (
	partitionReads  = 3000
	partitionWrites = 1000
)

// MaxItemBytes is the largest size of an item.
const MaxItemBytes = 400 << 10

// beyond notes what the guide's steps do not cover: large items, write amplification and hot
// partitions.
func (p *planner) beyond(plan *Plan) {
	for i := range p.models {
		p.sizes(plan, &p.models[i])
	}
	for i := range plan.Queries {
		p.hotReads(plan, i)
	}
	for i := range plan.Indexes {
		p.hotWrites(plan, &plan.Indexes[i])
	}
}

// sizes notes large items, and what a put of one writes.
func (p *planner) sizes(plan *Plan, m *Model) {
	bytes := plan.itemBytes(m.Name)
	if bytes > MaxItemBytes {
		p.warn(7, m.Name, "has items of %.0f KB, and 400 KB is the limit: keep large values in S3, or split the item", bytes/1024)
	}
	indexes := 0
	for _, index := range plan.Indexes {
		for _, name := range index.Models {
			if name == m.Name {
				indexes++
			}
		}
	}
	units := (int(bytes) + writeUnit - 1) / writeUnit
	if indexes > 0 {
		p.note(7, m.Name, "takes %s for a put, %d of them in indexes: an item of %.1f KB is in %s",
			count(units*(indexes+1), "write unit", "write units"), units*indexes, bytes/1024, count(indexes, "index", "indexes"))
	}
}

// hotReads warns of a pattern that reads one partition more than a partition serves.
func (p *planner) hotReads(plan *Plan, i int) {
	pattern := &p.design.Patterns[i]
	values := float64(p.partitionValues(plan, pattern.models()[0], plan.Queries[i].Partition.Value, true))
	units := pattern.Rate * plan.readUnits(i) / values
	if units > partitionReads {
		p.warn(7, pattern.Name, "reads %.0f units per second of each partition key, and a partition serves %d: cache the result, or write copies under several partition keys", units, partitionReads)
	}
}

// hotWrites warns of an index whose partition keys get more writes than a partition takes.
func (p *planner) hotWrites(plan *Plan, index *Index) {
	for _, name := range index.Models {
		m := plan.Design.model(name)
		for _, s := range plan.entity(name).Keys {
			if s.Name != index.Key.Partition {
				continue
			}
			perItem := float64((int(plan.itemBytes(name)) + writeUnit - 1) / writeUnit)
			units := (m.Puts + m.Updates) * perItem / float64(p.partitionValues(plan, name, s.Value, false))
			if units > partitionWrites {
				p.warn(7, index.Name, "gets %.0f write units per second of %s under each partition key, and a partition takes %d: add one of %.0f shards to the key (%s), and read all of them",
					units, name, partitionWrites, units/partitionWrites+1, fmt.Sprintf("%s%sSHARD", s.Value, p.design.separator()))
			}
		}
	}
}

// partitionValues returns how many values a partition key has. The writes of one time are in one period.
func (p *planner) partitionValues(plan *Plan, model string, v Value, periods bool) int64 {
	m, values := plan.Design.model(model), int64(1)
	for _, part := range v {
		if part.Attribute == "" {
			continue
		}
		if d := m.attribute(part.Attribute).Derived; d == nil || d.Period == "" || periods {
			values = min(values*m.values(part.Attribute), max(m.Items, 1))
		}
	}
	return values
}
