package migrate

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

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
		if patternOf(m.Old, q.Pattern) >= 0 {
			s.add(m.switchStep(i), append(ofModels(Backfill, q.Models), made)...)
		}
	}
	m.newModels(s)
	m.changeWrites(s)
	m.startReads(s)
	m.endReads(s)
	for _, model := range m.common() {
		s.add(Step{Kind: StopWriting, Model: model},
			m.oldReads(func(q *design.Query) bool { return slices.Contains(q.Models, model) })...)
	}
	stopped := ofModels(StopWriting, m.common())
	for _, e := range m.Old.Entities {
		if m.New.Entity(e.Model) == nil {
			s.add(Step{Kind: StopWriting, Model: e.Model})
			stopped = append(stopped, id(StopWriting, e.Model))
		}
	}
	s.add(Step{Kind: DropTable, Table: m.Old.Design.Table},
		append(stopped, m.oldReads(func(*design.Query) bool { return true })...)...)
	m.Steps = s.all
}
