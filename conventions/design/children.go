package design

import (
	"fmt"
	"math"
	"slices"
)

// findParents finds the children that are with their parents. A family that would be too hot for
// one partition of each tenant is apart, unless the design says otherwise.
func (p *preparation) findParents() {
	p.parents = make([]parent, len(p.models))
	for m := range p.parents {
		p.parents[m].root = m
	}
	if p.design.Tenants == nil || p.apart {
		return
	}
	of := make([]int, len(p.models)) // the parent of each model, or the model itself
	for m := range p.models {
		of[m], p.parents[m].names = p.parentOf(m)
	}
	for m := range p.models {
		root := m
		for of[root] != root {
			root = of[root]
		}
		p.parents[m].root = root
	}
	for m := range p.models {
		if p.parents[m].root != m {
			p.parents[m].shared, p.parents[p.parents[m].root].shared = true, true
		}
	}
	for m := range p.models {
		if p.parents[m].shared && p.parents[m].root == m {
			p.settle(m)
		}
	}
}

// settle notes that a model and its children share partitions. If these would be too hot, each
// model gets its own partitions, or a warning where the design wants them together.
func (p *preparation) settle(root int) {
	family := p.familyOf(root)
	partition := p.design.KeyPrefix(p.models[root].Name) + p.design.separator() + "{" +
		p.design.Tenants.Attribute + "}"
	if hot := p.heat(family); hot != "" && p.design.Tenants.Children != WithParent {
		for _, m := range family {
			p.parents[m] = parent{root: m}
		}
		p.note(1, p.models[root].Name,
			"has its children in partitions of their own: %s would get %s", partition, hot)
		return
	} else if hot != "" {
		p.warn(1, p.models[root].Name, "%s gets %s: children: apart, beside attribute of tenants, "+
			"puts children into partitions of their own", partition, hot)
	}
	for _, m := range family {
		if m != root {
			p.note(1, p.models[m].Name, "is in the partitions of %s, %s, and read by the beginning of "+
				"its sort key, as pattern 2 of the guide \"Key design patterns\" has it",
				p.models[root].Name, partition)
		}
	}
}

// heat says what the partition of a tenant gets of a family, if it is more than a partition serves;
// "" if it is not. Where a design does not say how many tenants there are, one may have all items.
func (p *preparation) heat(family []int) string {
	writes, reads := 0.0, 0.0
	for _, m := range family {
		model := &p.models[m]
		share := 1.0
		if a := model.Attribute(p.design.Tenants.Attribute); a.Values > 0 || a.skewed() {
			share = model.Heaviest(a.Name)
		}
		writes += share * model.tableWrites() * math.Ceil(model.bytes()/writeUnit)
		for i := range p.design.Patterns {
			pattern := &p.design.Patterns[i]
			if pattern.Model != model.Name || pattern.Similar != "" {
				continue
			}
			units := math.Ceil(p.design.Evaluated(pattern)*model.bytes()/readUnit) / 2
			if pattern.Consistent {
				units *= 2
			}
			reads += share * pattern.Rate * units
		}
	}
	switch {
	case writes > partitionWrites:
		return fmt.Sprintf("%.0f write units per second, and a partition takes %d", writes,
			partitionWrites)
	case reads > partitionReads:
		return fmt.Sprintf("%.0f read units per second, and a partition serves %d", reads,
			partitionReads)
	}
	return ""
}

// parentOf returns the parent of a model, and the attributes with its key: of several the one with
// the longest key. A model without one is its own parent.
func (p *preparation) parentOf(m int) (of int, names []string) {
	of = m
	for other := range p.models {
		if other == m || !p.mayBeFamily(m) || !p.mayBeFamily(other) {
			continue
		}
		if n := p.keyWithin(other, m); len(n) > len(names) && p.readBelow(m, n) {
			of, names = other, n
		}
	}
	return of, names
}

// mayBeFamily reports whether a model of a tenant can be a parent or a child: the design has it,
// and no pattern reads it together with others, which then are in a partition of their own.
func (p *preparation) mayBeFamily(m int) bool {
	model := &p.models[m]
	a := model.Attribute(p.design.Tenants.Attribute)
	return a.Constant == "" && model.Reserves == nil && model.Marks == "" && model.Feed == nil &&
		!slices.ContainsFunc(p.together, func(t together) bool {
			return slices.Contains(t.models, m)
		})
}

// identity returns the attributes of a model's key without the tenant and the version.
func (p *preparation) identity(m int) []string {
	model := &p.models[m]
	return slices.DeleteFunc(slices.Clone(model.Key), func(name string) bool {
		return name == p.design.Tenants.Attribute || model.isVersion(name)
	})
}

// keyWithin returns the attributes of a child's key that have the values of a parent's, or nil if
// the child's key is not longer or has not all of them.
func (p *preparation) keyWithin(parent, child int) (names []string) {
	from, to := &p.models[parent], &p.models[child]
	for _, name := range p.identity(parent) {
		root := rootOf(p.models, from.Name, from.Attribute(name))
		at := slices.IndexFunc(to.Key, func(own string) bool {
			return to.Attribute(own).Of != "" && !slices.Contains(names, own) &&
				rootOf(p.models, to.Name, to.Attribute(own)) == root
		})
		if at < 0 {
			return nil
		}
		names = append(names, to.Key[at])
	}
	if len(names) >= len(p.identity(child)) && !to.Versions {
		return nil
	}
	return names
}

// readBelow reports whether all patterns of a child name its parent, so that it needs no partition
// of its own (the guide's decision tree).
func (p *preparation) readBelow(m int, names []string) bool {
	read := false
	for i := range p.design.Patterns {
		pattern := &p.design.Patterns[i]
		if pattern.Model != p.models[m].Name {
			continue
		}
		if pattern.Similar != "" || pattern.Period != "" || pattern.Shards > 1 ||
			len(pattern.In) > 0 {
			return false
		}
		for _, name := range names {
			if !slices.Contains(pattern.Equal, name) {
				return false
			}
		}
		read = true
	}
	return read
}
