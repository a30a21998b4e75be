package migrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// neededBy returns the ids of the steps that a query of the new plan needs.
func (m *Migration) neededBy(i int) []string {
	q := &m.New.Queries[i]
	ids := []string{id(MakeIndex, q.Index)}
	for _, model := range q.Models {
		if m.Old.Entity(model) == nil {
			continue
		}
		needs := m.New.Needs(i, model)
		reads := func(names []string) bool {
			return len(m.uses(m.New, q, names)) > 0 || needsOneOf(needs, names)
		}
		if reads(m.added(model, false)) {
			ids = append(ids, id(Backfill, model))
		}
		if reads(m.added(model, true)) {
			ids = append(ids, id(Backfill, model+known))
		}
	}
	return ids
}

// newModels starts to write the models that the old plan does not have.
func (m *Migration) newModels(s *stepList) {
	for _, e := range m.New.Entities {
		if m.Old.Entity(e.Model) == nil {
			s.add(Step{Kind: WriteModel, Model: e.Model, Because: m.guards(e.Model)},
				id(MakeTable, m.New.Design.Table))
		}
	}
}

// startReads starts reads of the patterns that the old plan does not have.
func (m *Migration) startReads(s *stepList) {
	for _, name := range patternsNotIn(m.New, m.Old) {
		i := patternOf(m.New, name)
		after := m.neededBy(i)
		if m.NewTable {
			after = append(ofModels(Backfill, m.New.Queries[i].Models),
				id(MakeTable, m.New.Design.Table))
		}
		s.add(Step{Kind: StartReads, Pattern: name, Query: m.New.Queries[i].String()}, after...)
	}
}

// endReads ends reads of the patterns that the new plan does not have.
func (m *Migration) endReads(s *stepList) {
	for _, name := range patternsNotIn(m.Old, m.New) {
		s.add(Step{Kind: EndReads, Pattern: name})
	}
}

// oldReads returns the ids of the steps that end reads by the old plan's queries.
func (m *Migration) oldReads(of func(q *design.Query) bool) (ids []string) {
	for i := range m.Old.Queries {
		if q := &m.Old.Queries[i]; of(q) {
			ids = append(ids, id(SwitchReads, q.Pattern), id(EndReads, q.Pattern))
		}
	}
	return ids
}

// patternsNotIn returns the names of the patterns of a plan that another one does not have.
func patternsNotIn(p, other *design.Plan) []string {
	names := map[string]bool{}
	for _, q := range p.Queries {
		names[q.Pattern] = patternOf(other, q.Pattern) < 0
	}
	maps.DeleteFunc(names, func(_ string, missing bool) bool { return !missing })
	return slices.Sorted(maps.Keys(names))
}

// guards says what else a new guard needs: one for each item that is there. It returns "" for other
// models, and for a guard of a new one.
func (m *Migration) guards(model string) string {
	g := m.New.Design.Model(model).Reserves
	if g == nil || m.Old.Entity(g.Of) == nil {
		return ""
	}
	return fmt.Sprintf(
		"each write of %s writes its guard, too; then put the guard of each item of %[1]s that is there, if there is none: where there is one, two items have one %[2]s",
		g.Of, strings.Join(g.Unique, " and "))
}
