package design

import "slices"

// Searched is the result of a search: what its simplest layout costs, and what the cheaper one that
// it also found costs, without the places of keys in indexes.
type Searched struct{ Simplest, Cheaper []int }

// Branches searches the layouts of a design with the fewest indexes twice: all of them, and by
// branch and bound. ok is false if one of the two leaves layouts out, or has nothing to search.
func Branches(d *Design) (all, branches Searched, ok bool) {
	p := preparation{problem: newProblem(d), apart: true}
	if p.prepare() != nil {
		return all, branches, false
	}
	s := newSearcher(p.problem, nil)
	perModel, indexes := make([][]modelLayout, len(s.models)), 0
	for m := range s.models {
		if perModel[m] = s.layoutsOf(m); len(perModel[m]) == 0 {
			return all, branches, false
		}
		indexes = max(indexes, len(perModel[m][0].indexed))
	}
	for ; indexes <= 5; indexes++ {
		every := s.layoutsWith(indexes, perModel)
		if s.cuts > 0 {
			return all, branches, false
		}
		found, cut := searchBranches(s, indexes, perModel)
		if cut != "" {
			return all, branches, false
		}
		if all, branches = searched(s.best(every)), searched(found); all.Simplest != nil ||
			branches.Simplest != nil {
			return all, branches, true
		}
	}
	return all, branches, false
}

func searched(found []*arrangement) (s Searched) {
	costs := make([][]int, 2)
	for i, a := range found {
		cost := a.cost()
		costs[i] = append([]int{a.count}, cost[:len(cost)-1]...)
	}
	if slices.Equal(costs[0], costs[1]) {
		costs[1] = nil // the first of layouts that are as simple may be any of them
	}
	return Searched{costs[0], costs[1]}
}
