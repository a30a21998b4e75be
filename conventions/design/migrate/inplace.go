package migrate

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// stepsInPlace lists the steps of a migration within the table.
//
// First come new attributes and new indexes, which no query of the old plan sees. Then reads switch
// that need no more than those. Then columns of the old plan get values of more models, which its
// queries might find if they still ran, and new models come. Last, what nobody reads any more goes.
func (m *Migration) stepsInPlace() {
	s := newSteps()
	m.startStream(s)
	for _, model := range m.common() {
		m.fill(s, model, m.added(model, false))
	}
	for _, index := range indexesNotIn(m.New, m.Old) {
		s.add(Step{Kind: MakeIndex, Index: index.Name})
	}
	m.switchReads(s, false)
	for _, model := range m.common() {
		m.fillKnown(s, model)
	}
	m.switchTTL(s)
	m.newModels(s)
	m.changeWrites(s)
	m.endStream(s)
	m.switchReads(s, true)
	m.startReads(s)
	m.endReads(s)
	for _, index := range indexesNotIn(m.Old, m.New) {
		s.add(Step{Kind: DropIndex, Index: index.Name},
			m.oldReads(func(q *design.Query) bool { return q.Index == index.Name })...)
	}
	for _, model := range m.common() {
		m.stop(s, model)
	}
	m.deleteModels(s)
	m.Steps = s.all
}

// fill has new items of a model written with more attributes, and the old ones backfilled.
func (m *Migration) fill(s *stepList, model string, attributes []string) {
	if len(attributes) == 0 {
		return
	}
	s.add(Step{Kind: WriteToo, Model: model, Attributes: attributes})
	s.add(Step{Kind: Backfill, Model: model, Attributes: attributes}, id(WriteToo, model))
}

// fillKnown is fill with attributes that are columns of the old plan.
func (m *Migration) fillKnown(s *stepList, model string) {
	attributes := m.added(model, true)
	if len(attributes) == 0 {
		return
	}
	s.addAs(id(WriteToo, model+known), Step{Kind: WriteToo, Model: model, Attributes: attributes})
	s.addAs(id(Backfill, model+known), Step{Kind: Backfill, Model: model, Attributes: attributes},
		id(WriteToo, model+known))
}

// switchReads switches the patterns of both plans that need values in columns of the old plan, or
// those that do not.
func (m *Migration) switchReads(s *stepList, needsKnown bool) {
	for i := range m.New.Queries {
		q := &m.New.Queries[i]
		old := patternOf(m.Old, q.Pattern)
		if old < 0 || !m.switched(old, i) || m.usesKnown(i) != needsKnown {
			continue
		}
		s.add(m.switchStep(i), m.neededBy(i)...)
	}
}

// switchTTL makes another attribute the time to live. A table has one at a time.
func (m *Migration) switchTTL(s *stepList) {
	if m.Old.TTL == m.New.TTL {
		return
	}
	if m.Old.TTL != "" {
		s.add(Step{Kind: EndTTL, Attributes: []string{m.Old.TTL}})
	}
	if m.New.TTL != "" {
		s.add(Step{Kind: StartTTL, Attributes: []string{m.New.TTL}}, id(EndTTL, ""))
	}
}

// stop removes the attributes of a model that the new plan does not have, after the last read of
// them.
func (m *Migration) stop(s *stepList, model string) {
	removed := m.removed(model)
	if len(removed) == 0 {
		return
	}
	reads := m.oldReads(func(q *design.Query) bool {
		if !slices.Contains(q.Models, model) {
			return false
		}
		needs := m.Old.Needs(patternOf(m.Old, q.Pattern), model)
		return len(m.uses(m.Old, q, removed)) > 0 || needsOneOf(needs, removed)
	})
	s.add(Step{Kind: StopWriting, Model: model, Attributes: removed}, reads...)
}

// deleteModels deletes the items of models that the new plan does not have, after the last read of
// them.
func (m *Migration) deleteModels(s *stepList) {
	for _, e := range m.Old.Entities {
		if m.New.Entity(e.Model) == nil {
			s.add(Step{Kind: DeleteItems, Model: e.Model},
				m.oldReads(
					func(q *design.Query) bool { return slices.Contains(q.Models, e.Model) })...)
		}
	}
}

// indexesNotIn returns the indexes of a plan that another one does not have.
func indexesNotIn(p, other *design.Plan) (all []design.Index) {
	for _, index := range p.Indexes {
		if other.Index(index.Name) == nil {
			all = append(all, index)
		}
	}
	return all
}
