package design

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Part returns what a row of another model has of a model's attributes, such as what a guard has of
// the row that it guards.
func (m *Model) Part(row Row) Row {
	part := Row{}
	for name, v := range row {
		if m.Attribute(name) != nil {
			part[name] = v
		}
	}
	return part
}

// derive returns a row of a model with the attributes that the plan adds. It does not change the
// row.
func (m *Model) derive(row Row) (Row, error) {
	if !slices.ContainsFunc(m.Attributes, func(a Attribute) bool { return a.Derived != nil }) {
		return row, nil
	}
	row = maps.Clone(row)
	for i := range m.Attributes {
		a := &m.Attributes[i]
		d := a.Derived
		switch {
		case d == nil:
		case d.Shards > 0:
			shard, err := m.shard(row, d.Shards)
			if err != nil {
				return nil, err
			}
			row[a.Name] = shard
		case d.Period != "" && row[d.Of] != nil:
			period, err := d.Period.of(row[d.Of])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", d.Of, err)
			}
			row[a.Name] = period
		}
	}
	return row, nil
}

// shard returns the number of the shard that a row of a model is in.
func (m *Model) shard(row Row, shards int) (string, error) {
	h := fnv.New32a()
	for _, name := range m.Key {
		v, ok := row[name]
		if !ok {
			return "", fmt.Errorf("the row of %s has no %s", m.Name, name)
		}
		_, _ = fmt.Fprintf(h, "%v\x00", v)
	}
	return strconv.Itoa(int(h.Sum32() % uint32(shards))), nil
}

// matches reports whether a row has the values of a Where.
func matches(row Row, where map[string]string) bool {
	for name, value := range where {
		if row[name] != value {
			return false
		}
	}
	return true
}

// spread returns the attributes of a partition key that take a request for each of their values.
func (m *Model) spread(partition []string) (all []Spread) {
	for _, name := range partition {
		if d := m.Attribute(name).Derived; d != nil && d.Where == nil {
			all = append(all, Spread{Attribute: name, Period: d.Period, Shards: d.Shards})
		}
	}
	return all
}

// when returns the Where of an attribute among those of a key: only items with its values have the
// key. It is nil if all items have it.
func (m *Model) when(attributes []string) map[string]string {
	for _, name := range attributes {
		if d := m.Attribute(name).Derived; d != nil && d.Where != nil {
			return d.Where
		}
	}
	return nil
}

// equal reports whether attributes get their values in the same way.
func (d *Derived) equal(o *Derived) bool {
	if d == nil || o == nil {
		return d == o
	}
	return d.Of == o.Of && d.Period == o.Period && d.Shards == o.Shards &&
		maps.Equal(d.Where, o.Where)
}

// describeWhere writes the values of a Where, such as "state is open and kind is post".
func describeWhere(where map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(where)) {
		parts = append(parts, name+" is "+where[name])
	}
	return strings.Join(parts, " and ")
}

// optional returns those of some attributes that only some items of a model have.
func (m *Model) optional(names []string) (some []string) {
	for _, name := range names {
		if a := m.Attribute(name); a != nil && a.Optional > 0 {
			some = append(some, name)
		}
	}
	return some
}

// someOf returns the optional attributes of a key as one text. Items without one of them are not in
// an index with the key, so it serves no pattern that reads them.
func (m *Model) someOf(k key) string {
	return strings.Join(append(m.optional(k.partition), m.optional(k.sort)...), "+")
}

// presence returns which part of a model's items has all of some attributes: that of the rarest.
func (m *Model) presence(names []string) float64 {
	part := 1.0
	for _, name := range m.optional(names) {
		part = min(part, m.Attribute(name).Optional)
	}
	return part
}

// having is presence of the attributes of a value.
func (m *Model) having(v Value) float64 {
	var names []string
	for _, part := range v {
		names = append(names, part.Attribute)
	}
	return m.presence(names)
}
