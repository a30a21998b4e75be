package design

import "slices"

// Rename has the notes of a plan say the names that its indexes and the attributes of its keys
// have now, by those that they had.
func Rename(p *Plan, names map[string]string) {
	p.Notes = slices.Clone(p.Notes)
	for i := range p.Notes {
		p.Notes[i] = p.Notes[i].renamed(names)
	}
	advise(p)
}

// LeaveOut takes an index out of a plan whose patterns do not read it any more, with the notes that
// explain it.
func LeaveOut(p *Plan, index string) {
	p.Indexes = slices.DeleteFunc(slices.Clone(p.Indexes),
		func(x Index) bool { return x.Name == index })
	p.Notes = slices.DeleteFunc(slices.Clone(p.Notes),
		func(n Note) bool { return n.counts || n.says(index) })
	advise(p)
}

// advise makes the notes that follow from a plan alone, in place of those that it has. A plan that
// was read from a file has none.
func advise(p *Plan) {
	if p.source == nil {
		return
	}
	all := slices.DeleteFunc(slices.Clone(p.Notes), func(n Note) bool { return n.again })
	for _, n := range explainNames(p) {
		n.again = true
		all = append(all, n)
	}
	for _, of := range advice {
		for _, n := range of(p) {
			n.again = true
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b Note) int { return a.Step - b.Step })
	p.Notes = all
}
