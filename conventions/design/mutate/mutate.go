package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
)

// needless reports whether a plan keeps its models apart without a prefix: with tenants the guide
// has prefixes in the sort keys of children in any case, and an index of attributes may have been
// the reason for one in a key that it no longer shares.
func needless(without *design.Plan) bool {
	natural := slices.ContainsFunc(without.Indexes,
		func(index design.Index) bool { return index.Natural })
	if without.Design.Tenants == nil && !natural {
		return false
	}
	if _, err := consuming.Shapes(without); err != nil && without.Streams() {
		return false
	}
	_, _, collides := without.Collision()
	_, _, mixes := without.Mixed()
	return !collides && !mixes
}

// All returns the mutations of a plan. In each of them one decision is undone, such as a prefix, a
// rename, an index, a sort key or a condition.
func All(p *design.Plan) []Mutation {
	var all []Mutation
	add := func(plan *design.Plan, format string, args ...any) {
		all = append(all, Mutation{fmt.Sprintf(format, args...), plan})
	}
	for _, c := range p.Columns {
		if p.Design.Prefixed() && strings.HasSuffix(c.Positions[0], "PK") {
			continue // there is a prefix in any case
		}
		if m := withoutPrefix(p, c.Name); m != nil && !needless(m) {
			add(m, "the values of %s do not begin with the model's name", c.Name)
		}
	}
	for i, index := range p.Indexes {
		if index.Local && !slices.ContainsFunc(p.Queries,
			func(q design.Query) bool { return q.Index == index.Name }) {
			continue // it stays because it goes with its table only
		}
		add(withoutIndex(p, i), "there is no %s", index.Name)
		if m := withoutOrder(p, i); m != nil {
			add(m, "%s has no sort key", index.Name)
		}
		if index.Local && slices.ContainsFunc(p.Queries,
			func(q design.Query) bool { return q.Index == index.Name && q.Consistent }) {
			add(madeGlobal(p, i), "%s is a global index", index.Name)
		}
	}
	for i := range p.Queries {
		if m := withoutNeighbor(p, i); m != nil {
			add(m, "%s has items of %s in partitions of their own", p.Queries[i].Pattern,
				p.Queries[i].Models[1])
		}
	}
	all = append(all, withoutPart(p)...)
	all = append(all, withoutDerived(p)...)
	all = append(all, withoutVectors(p)...)
	all = append(all, withoutTenants(p)...)
	all = append(all, withoutProjections(p)...)
	all = append(all, withoutBegins(p)...)
	all = append(all, withoutTTL(p)...)
	all = append(all, withoutLatest(p)...)
	all = append(all, withoutNumbers(p)...)
	all = append(all, withoutWrites(p)...)
	for _, r := range renames(p) {
		if m := withoutRename(p, r); m != nil {
			add(m, "%s stores %s in %s", r.model, r.attribute, r.column)
		}
	}
	for _, m := range all {
		m.Plan.Ask()
	}
	return append(all, withoutAsked(p)...)
}
