package design

import "slices"

// Open plans a design with all indexes open to strangers. It returns nil without such indexes, or
// if keys cannot keep them apart.
func Open(d *Design) *Plan {
	p, arrangements, err := newPlanner(d, nil, false)
	if err != nil {
		return nil
	}
	a := arrangements[len(arrangements)-1]
	var all []int
	for i := range a.count {
		all = append(all, i)
	}
	a = a.columnsWith(a.layout, all)
	if !slices.ContainsFunc(all, func(i int) bool { return len(a.strangers(i)) > 0 }) {
		return nil
	}
	plan, err := p.complete(a)
	if err != nil || a.conflicts() > 0 {
		return nil
	}
	return plan
}

// Strayed returns the models that are in an index without being read from it.
func Strayed(p *Plan) (all []string) {
	for _, index := range p.Indexes {
		for _, e := range p.Entities {
			has := func(name string) bool {
				return name == "" ||
					slices.ContainsFunc(e.Keys, func(s Stored) bool { return s.Name == name })
			}
			if has(index.Key.Partition) && has(index.Key.Sort) &&
				!slices.Contains(index.Models, e.Model) {
				all = append(all, e.Model+" is in "+index.Name)
			}
		}
	}
	return all
}
