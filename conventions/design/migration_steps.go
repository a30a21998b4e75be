package design

import "slices"

// stepsInPlace lists the steps of a migration within the table.
//
// First everything that no query of the old plan sees: new attributes and new indexes. Then the reads
// that need no more than that. Then values in columns of the old plan, which its queries might find if
// they still ran, and new models. Last, what nobody reads any more.
func (m *Migration) stepsInPlace() {
	s := newSteps()
	for _, model := range m.common() {
		m.fill(s, model, m.added(model, false))
	}
	for _, index := range m.New.indexesNotIn(m.Old) {
		s.add(Step{Kind: MakeIndex, Index: index.Name})
	}
	m.switchReads(s, false)
	for _, model := range m.common() {
		m.fillKnown(s, model)
	}
	m.switchTTL(s)
	m.newModels(s)
	m.switchReads(s, true)
	m.startReads(s)
	m.endReads(s)
	for _, index := range m.Old.indexesNotIn(m.New) {
		s.add(Step{Kind: DropIndex, Index: index.Name}, m.oldReads(func(q *Query) bool { return q.Index == index.Name })...)
	}
	for _, model := range m.common() {
		m.stop(s, model)
	}
	m.deleteModels(s)
	m.Steps = s.all
}

// fill has items of a model written with more attributes, and backfills those that there are.
func (m *Migration) fill(s *stepList, model string, attributes []string) {
	if len(attributes) == 0 {
		return
	}
	s.add(Step{Kind: WriteToo, Model: model, Attributes: attributes})
	s.add(Step{Kind: Backfill, Model: model, Attributes: attributes}, id(WriteToo, model))
}

// known is the suffix of ids of steps that fill columns of the old plan.
const known = " known"

// fillKnown is fill with attributes that are columns of the old plan.
func (m *Migration) fillKnown(s *stepList, model string) {
	attributes := m.added(model, true)
	if len(attributes) == 0 {
		return
	}
	s.addAs(id(WriteToo, model+known), Step{Kind: WriteToo, Model: model, Attributes: attributes})
	s.addAs(id(Backfill, model+known), Step{Kind: Backfill, Model: model, Attributes: attributes}, id(WriteToo, model+known))
}

// switchReads switches the patterns of both plans that need values in columns of the old plan, or
// those that do not.
func (m *Migration) switchReads(s *stepList, needsKnown bool) {
	for i := range m.New.Queries {
		q := &m.New.Queries[i]
		old := m.Old.pattern(q.Pattern)
		if old < 0 || !m.switched(old, i) || m.usesKnown(i) != needsKnown {
			continue
		}
		s.add(m.switchStep(i), m.neededBy(i)...)
	}
}

// neededBy returns the ids of the steps that a query of the new plan needs.
func (m *Migration) neededBy(i int) []string {
	q := &m.New.Queries[i]
	ids := []string{id(MakeIndex, q.Index)}
	for _, model := range q.Models {
		if m.Old.entity(model) == nil {
			continue
		}
		needs := m.New.Needs(i, model)
		reads := func(names []string) bool { return len(m.uses(m.New, q, names)) > 0 || needsOneOf(needs, names) }
		if reads(m.added(model, false)) {
			ids = append(ids, id(Backfill, model))
		}
		if reads(m.added(model, true)) {
			ids = append(ids, id(Backfill, model+known))
		}
	}
	return ids
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

func (m *Migration) newModels(s *stepList) {
	for _, e := range m.New.Entities {
		if m.Old.entity(e.Model) == nil {
			s.add(Step{Kind: WriteModel, Model: e.Model}, id(MakeTable, m.New.Design.Table))
		}
	}
}

func (m *Migration) startReads(s *stepList) {
	for _, name := range m.New.patternsNotIn(m.Old) {
		i := m.New.pattern(name)
		after := m.neededBy(i)
		if m.NewTable {
			after = append(ofModels(Backfill, m.New.Queries[i].Models), id(MakeTable, m.New.Design.Table))
		}
		s.add(Step{Kind: StartReads, Pattern: name, Query: m.New.Queries[i].String()}, after...)
	}
}

func (m *Migration) endReads(s *stepList) {
	for _, name := range m.Old.patternsNotIn(m.New) {
		s.add(Step{Kind: EndReads, Pattern: name})
	}
}

// oldReads returns the ids of the steps that end reads by the old plan's queries.
func (m *Migration) oldReads(of func(q *Query) bool) (ids []string) {
	for i := range m.Old.Queries {
		if q := &m.Old.Queries[i]; of(q) {
			ids = append(ids, id(SwitchReads, q.Pattern), id(EndReads, q.Pattern))
		}
	}
	return ids
}

// stop removes the attributes of a model that only the old plan has, after the last read of them.
func (m *Migration) stop(s *stepList, model string) {
	removed := m.removed(model)
	if len(removed) == 0 {
		return
	}
	reads := m.oldReads(func(q *Query) bool {
		if !slices.Contains(q.Models, model) {
			return false
		}
		needs := m.Old.Needs(m.Old.pattern(q.Pattern), model)
		return len(m.uses(m.Old, q, removed)) > 0 || needsOneOf(needs, removed)
	})
	s.add(Step{Kind: StopWriting, Model: model, Attributes: removed}, reads...)
}

func (m *Migration) deleteModels(s *stepList) {
	for _, e := range m.Old.Entities {
		if m.New.entity(e.Model) == nil {
			s.add(Step{Kind: DeleteItems, Model: e.Model}, m.oldReads(func(q *Query) bool { return slices.Contains(q.Models, e.Model) })...)
		}
	}
}

// copySteps lists the steps of a migration to a new table.
func (m *Migration) copySteps() {
	s := newSteps()
	made := id(MakeTable, m.New.Design.Table)
	s.add(Step{Kind: MakeTable, Table: m.New.Design.Table})
	for _, model := range m.common() {
		s.add(Step{Kind: WriteToo, Model: model}, made)
	}
	for _, model := range m.common() {
		s.add(Step{Kind: Backfill, Model: model}, id(WriteToo, model))
	}
	for i := range m.New.Queries {
		q := &m.New.Queries[i]
		if m.Old.pattern(q.Pattern) >= 0 {
			s.add(m.switchStep(i), append(ofModels(Backfill, q.Models), made)...)
		}
	}
	m.newModels(s)
	m.startReads(s)
	m.endReads(s)
	for _, model := range m.common() {
		s.add(Step{Kind: StopWriting, Model: model}, m.oldReads(func(q *Query) bool { return slices.Contains(q.Models, model) })...)
	}
	stopped := ofModels(StopWriting, m.common())
	for _, e := range m.Old.Entities {
		if m.New.entity(e.Model) == nil {
			s.add(Step{Kind: StopWriting, Model: e.Model})
			stopped = append(stopped, id(StopWriting, e.Model))
		}
	}
	s.add(Step{Kind: DropTable, Table: m.Old.Design.Table}, append(stopped, m.oldReads(func(*Query) bool { return true })...)...)
	m.Steps = s.all
}
