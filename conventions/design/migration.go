package design

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Migration says how a table of one plan becomes that of another one, while its patterns are read and
// its items are written.
//
// Items stay where they are if no model gets another primary key, and if no vector index and no local
// index changes: those are created with their table. Attributes and indexes of the new
// plan that differ from those of the old one then get names that the old one does not have, because
// both are needed for a while. Otherwise there is a new table.
type Migration struct {
	Old, New *Plan // New has the names that the migration gives it
	NewTable bool
	Because  string // why there is a new table
	Steps    []Step
}

// StepKind is what a step of a migration does.
type StepKind string

// The kinds of steps.
const (
	MakeTable   StepKind = "create table"
	WriteToo    StepKind = "write"    // items of Model are written with Attributes, or to the new table too
	Backfill    StepKind = "backfill" // the items that were there get them
	MakeIndex   StepKind = "create index"
	SwitchReads StepKind = "switch reads" // of Pattern to the new query
	WriteModel  StepKind = "write model"  // items of a new Model are written
	StartReads  StepKind = "start reads"  // of a new Pattern
	EndReads    StepKind = "end reads"    // of a Pattern that the new design has not
	DropIndex   StepKind = "drop index"
	StopWriting StepKind = "stop writing" // Attributes, or to the old table; items lose them
	DeleteItems StepKind = "delete items" // of a Model that the new design has not
	DropTable   StepKind = "drop table"
	EndTTL      StepKind = "end times to live"
	StartTTL    StepKind = "start times to live" // by Attributes
)

// Step is a step of a migration.
type Step struct {
	Kind                  StepKind
	Model, Pattern, Index string
	Attributes            []string
	Table                 string // the one that is created or dropped
	Query                 string // of SwitchReads and StartReads
	Because               string // why reads switch to a query that looks like the old one
	After                 []int  // the steps without which this one breaks a pattern
}

// String says what to do.
func (s Step) String() string {
	attributes := strings.Join(s.Attributes, ", ")
	switch s.Kind {
	case MakeTable:
		return "create the table " + s.Table
	case WriteToo:
		if s.Attributes == nil {
			return fmt.Sprintf("write %s to both tables", s.Model)
		}
		return fmt.Sprintf("write %s with %s as well", s.Model, attributes)
	case Backfill:
		if s.Attributes == nil {
			return fmt.Sprintf("copy the items of %s to the new table", s.Model)
		}
		return fmt.Sprintf("backfill %s of the items of %s", attributes, s.Model)
	case MakeIndex:
		return "create the index " + s.Index
	case SwitchReads:
		if s.Because != "" {
			return fmt.Sprintf("switch reads of %q: %s, because %s", s.Pattern, s.Query, s.Because)
		}
		return fmt.Sprintf("switch reads of %q: %s", s.Pattern, s.Query)
	case WriteModel:
		return "start to write " + s.Model
	case StartReads:
		return fmt.Sprintf("start reads of %q: %s", s.Pattern, s.Query)
	case EndReads:
		return fmt.Sprintf("end reads of %q", s.Pattern)
	case DropIndex:
		return "delete the index " + s.Index
	case StopWriting:
		if s.Attributes == nil {
			return fmt.Sprintf("stop writing %s to the old table", s.Model)
		}
		return fmt.Sprintf("stop writing %s of %s, and remove them from its items", attributes, s.Model)
	case EndTTL:
		return "disable the time to live " + attributes
	case StartTTL:
		return "enable the time to live " + attributes
	case DeleteItems:
		return "delete the items of " + s.Model
	}
	return "delete the table " + s.Table
}

// Diff returns the steps from a plan to another one. Models, attributes and patterns are the same ones
// if they have the same names. Its error lists what no migration can do.
func Diff(old, plan *Plan) (*Migration, error) {
	if err := sameAttributes(old, plan); err != nil {
		return nil, err
	}
	m := &Migration{Old: old}
	if !keepsKeys(old, plan) {
		m.Because = "items get other primary keys"
	} else {
		m.New = target(old, plan, true)
		if m.circular() {
			m.New = target(old, plan, false)
		}
		m.Because = old.fixed(m.New)
	}
	if m.NewTable = m.Because != ""; !m.NewTable {
		m.stepsInPlace()
		return m, nil
	}
	m.New = plan.renamed(nil, nil)
	if m.New.Design.Table == old.Design.Table {
		m.New.Design.Table = fresh(old.Design.Table, func(name string) bool { return name == old.Design.Table })
	}
	m.copySteps()
	return m, nil
}

// fixed says what of a plan a table cannot change to become that of another plan, or "".
func (p *Plan) fixed(other *Plan) string {
	switch {
	case !reflect.DeepEqual(p.VectorIndexes, other.VectorIndexes):
		return "a vector index changes"
	case !p.sameLocal(other):
		return "local indexes are created and deleted with their table only"
	}
	return ""
}

// sameAttributes returns an error for each attribute whose values change between designs.
func sameAttributes(old, plan *Plan) error {
	var errs []error
	for _, m := range old.Design.Models {
		other := plan.Design.model(m.Name)
		if other == nil {
			continue
		}
		for _, a := range m.Attributes {
			b := other.attribute(a.Name)
			if b != nil && a.Derived == nil && b.Derived == nil && (a.Type != b.Type || a.Constant != b.Constant) {
				errs = append(errs, fmt.Errorf("%s.%s has other values in the new design: give the new attribute another name", m.Name, a.Name))
			}
		}
	}
	return errors.Join(errs...)
}

// keepsKeys reports whether all items of models in both plans keep their primary keys.
func keepsKeys(old, plan *Plan) bool {
	if (old.Key.Sort == "") != (plan.Key.Sort == "") {
		return false
	}
	common := false
	for _, e := range old.Entities {
		n := plan.entity(e.Model)
		if n == nil {
			continue
		}
		common = true
		if old.content(e.Model, old.Key.Partition) != plan.content(n.Model, plan.Key.Partition) || old.content(e.Model, old.Key.Sort) != plan.content(n.Model, plan.Key.Sort) {
			return false
		}
	}
	return common && old.typeOf(old.Key.Partition) == plan.typeOf(plan.Key.Partition) && old.typeOf(old.Key.Sort) == plan.typeOf(plan.Key.Sort)
}

// value returns what an attribute of the table holds of a model, or nil.
func (e *Entity) value(name string) Value {
	for _, s := range slices.Concat(e.Keys, e.Others) {
		if s.Name == name {
			return s.Value
		}
	}
	return nil
}

// names returns the attributes of a model's items.
func (e *Entity) names() (names []string) {
	for _, s := range slices.Concat(e.Keys, e.Others) {
		names = append(names, s.Name)
	}
	return names
}

// content describes all that decides what an attribute of the table holds of a model's items. It is ""
// if they do not have it.
func (p *Plan) content(model, name string) string {
	for _, s := range slices.Concat(p.entity(model).Keys, p.entity(model).Others) {
		if s.Name != name {
			continue
		}
		text := fmt.Sprintf("%+v %v", []Part(s.Value), s.When) // maps are printed in the order of their keys
		for _, part := range s.Value {
			if a := p.Design.model(model).attribute(part.Attribute); a != nil && a.Derived != nil {
				text += fmt.Sprintf(" %+v", *a.Derived)
			}
		}
		return text
	}
	return ""
}

func (p *Plan) typeOf(column string) Type {
	for _, c := range p.Columns {
		if c.Name == column {
			return c.Type
		}
	}
	return ""
}

// fresh returns a name that is not taken.
func fresh(name string, taken func(string) bool) string {
	for version := 2; ; version++ {
		if next := fmt.Sprintf("%s_v%d", name, version); !taken(next) {
			return next
		}
	}
}

// target returns a plan with the names of the old one where it has the same attributes and indexes,
// and otherwise with names that the old one does not have. With shared, a column of the old plan may
// get values of models that had none.
func target(old, plan *Plan, shared bool) *Plan {
	columns := map[string]string{plan.Key.Partition: old.Key.Partition}
	if plan.Key.Sort != "" {
		columns[plan.Key.Sort] = old.Key.Sort
	}
	taken := map[string]bool{}
	for _, e := range old.Entities {
		for _, name := range e.names() {
			taken[name] = true
		}
	}
	used := map[string]bool{old.Key.Partition: true, old.Key.Sort: true}
	for _, c := range plan.Columns {
		if columns[c.Name] != "" {
			continue
		}
		name := c.Name
		if at := slices.IndexFunc(old.Columns, func(o Column) bool { return !used[o.Name] && becomes(old, o, plan, c, shared) }); at >= 0 {
			name = old.Columns[at].Name
		} else if taken[name] {
			name = fresh(name, func(s string) bool { return taken[s] })
		}
		columns[c.Name], used[name], taken[name] = name, true, true
	}
	return plan.renamed(columns, func(index *Index) string { return indexIn(old, index) })
}

// becomes reports whether a column of the old plan can be one of the new plan: no value changes.
func becomes(old *Plan, o Column, plan *Plan, c Column, shared bool) bool {
	if o.Type != c.Type {
		return false
	}
	some := false
	for i := range old.Entities {
		model := old.Entities[i].Model
		if plan.entity(model) == nil {
			continue
		}
		before, after := old.content(model, o.Name), plan.content(model, c.Name)
		switch {
		case before == "" && after == "":
		case before == "" && shared:
		case before != after:
			return false
		default:
			some = true
		}
	}
	return some
}

// indexIn returns the name of the old plan's index that is the same as a new one, or a name that the
// old plan does not have.
func indexIn(old *Plan, index *Index) string {
	for i := range old.Indexes {
		if o := &old.Indexes[i]; o.Local == index.Local && o.Key == index.Key && o.Projection.name() == index.Projection.name() {
			return o.Name
		}
	}
	taken := func(name string) bool { return old.index(name) != nil }
	if !taken(index.Name) {
		return index.Name
	}
	return fresh(index.Name, taken)
}

// renamed returns a copy of a plan with other names of columns and indexes.
func (p *Plan) renamed(columns map[string]string, indexName func(*Index) string) *Plan {
	c := p.clone()
	name := func(s *string) {
		if to := columns[*s]; to != "" {
			*s = to
		}
	}
	c.Columns = slices.Clone(c.Columns)
	for i := range c.Columns {
		name(&c.Columns[i].Name)
	}
	name(&c.Key.Partition)
	name(&c.Key.Sort)
	for i := range c.Entities {
		for j := range c.Entities[i].Keys {
			name(&c.Entities[i].Keys[j].Name)
		}
	}
	c.VectorIndexes = slices.Clone(c.VectorIndexes)
	for i := range c.VectorIndexes {
		index := &c.VectorIndexes[i]
		name(&index.Partition)
		index.Filters = slices.Clone(index.Filters)
		for j := range index.Filters {
			name(&index.Filters[j])
		}
	}
	indexes := map[string]string{}
	for i := range c.Indexes {
		index := &c.Indexes[i]
		name(&index.Key.Partition)
		name(&index.Key.Sort)
		index.Projection.Attributes = slices.Clone(index.Projection.Attributes)
		for j := range index.Projection.Attributes {
			name(&index.Projection.Attributes[j])
		}
		if indexName != nil {
			indexes[index.Name] = indexName(index)
			index.Name = indexes[index.Name]
		}
	}
	for i := range c.Queries {
		q := &c.Queries[i]
		name(&q.Partition.Name)
		name(&q.Sort.Name)
		if to := indexes[q.Index]; to != "" {
			q.Index = to
		}
	}
	c.ask()
	return c
}

// pattern returns the number of the pattern with a name, or -1.
func (p *Plan) pattern(name string) int {
	return slices.IndexFunc(p.Queries, func(q Query) bool { return q.Pattern == name })
}

// common returns the models of both plans, in the order of the new one.
func (m *Migration) common() (models []string) {
	for _, e := range m.New.Entities {
		if m.Old.entity(e.Model) != nil {
			models = append(models, e.Model)
		}
	}
	return models
}

// added returns the attributes that the new plan gives items of a model. With known they are columns
// of the old plan, in which its queries find other models; otherwise the old plan does not have them.
func (m *Migration) added(model string, known bool) (names []string) {
	o := m.Old.entity(model)
	for _, name := range m.New.entity(model).names() {
		isColumn := slices.ContainsFunc(m.Old.Columns, func(c Column) bool { return c.Name == name })
		if o.value(name) == nil && isColumn == known {
			names = append(names, name)
		}
	}
	return names
}

// removed returns the attributes of a model that the new plan does not have.
func (m *Migration) removed(model string) (names []string) {
	if m.New.entity(model) == nil {
		return nil
	}
	for _, name := range m.Old.entity(model).names() {
		if m.New.entity(model).value(name) == nil {
			names = append(names, name)
		}
	}
	return names
}

// switched reports whether a pattern of both plans is read in another way.
func (m *Migration) switched(old, plan int) bool {
	before, after := m.Old.Design.Patterns[old], m.New.Design.Patterns[plan]
	before.Rate, before.Returned, after.Rate, after.Returned = 0, 0, 0, 0
	if !reflect.DeepEqual(m.Old.Queries[old], m.New.Queries[plan]) || !reflect.DeepEqual(before, after) {
		return true
	}
	return slices.ContainsFunc(m.Old.Queries[old].Models, func(model string) bool {
		return needsOneOf(m.Old.Needs(old, model), m.removed(model))
	})
}

// needsOneOf reports whether a result needs one of some attributes: no other one holds as much.
func needsOneOf(needs [][]string, names []string) bool {
	return slices.ContainsFunc(needs, func(holders []string) bool {
		return !slices.ContainsFunc(holders, func(name string) bool { return !slices.Contains(names, name) })
	})
}

// usesKnown reports whether a query of the new plan needs values that columns of the old plan get.
func (m *Migration) usesKnown(i int) bool {
	q := &m.New.Queries[i]
	return slices.ContainsFunc(q.Models, func(model string) bool {
		if m.Old.entity(model) == nil {
			return false
		}
		known := m.added(model, true)
		return len(m.uses(m.New, q, known)) > 0 || needsOneOf(m.New.Needs(i, model), known)
	})
}

// uses returns those of some attributes by which a query reads.
func (m *Migration) uses(p *Plan, q *Query, names []string) []string {
	key := p.Key
	if index := p.index(q.Index); index != nil {
		key = index.Key
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name != key.Partition && name != key.Sort })
}

// circular reports whether a pattern can be switched only after columns of the old plan get values that
// its old query might find.
func (m *Migration) circular() bool {
	var known []string
	for _, model := range m.common() {
		known = append(known, m.added(model, true)...)
	}
	for i := range m.New.Queries {
		q := &m.New.Queries[i]
		old := m.Old.pattern(q.Pattern)
		if old >= 0 && m.switched(old, i) && m.usesKnown(i) && len(m.uses(m.Old, &m.Old.Queries[old], known)) > 0 {
			return true
		}
	}
	return false
}

// Reads reports whether a pattern gets a new query, or is new.
func (m *Migration) Reads(pattern string) bool {
	old := m.Old.pattern(pattern)
	return old < 0 || m.NewTable || m.switched(old, m.New.pattern(pattern))
}

// Rows returns a design with the models and attributes of both plans, to make rows that both can
// store.
func (m *Migration) Rows() *Design {
	d := m.New.Design
	d.Models = slices.Clone(d.Models)
	for i := range d.Models {
		old := m.Old.Design.model(d.Models[i].Name)
		if old == nil {
			continue
		}
		model := &d.Models[i]
		model.Attributes = slices.Clone(model.Attributes)
		for _, a := range old.Attributes {
			if model.attribute(a.Name) == nil {
				model.Attributes = append(model.Attributes, a)
			}
		}
		if len(old.Key) < len(model.Key) {
			model.Key = old.Key
		}
	}
	for _, old := range m.Old.Design.Models {
		if m.New.Design.model(old.Name) == nil {
			d.Models = append(d.Models, old)
		}
	}
	return &d
}

// Without returns the migration with a mistake for each step: without it, or with it before a step
// that it comes after. A verification has to find each.
func (m *Migration) Without() []MigrationMutation {
	var all []MigrationMutation
	for i, s := range m.Steps {
		c := *m
		c.Steps = slices.Delete(slices.Clone(m.Steps), i, i+1)
		all = append(all, MigrationMutation{"nobody does: " + s.String(), &c})
		for _, before := range s.After {
			c := *m
			c.Steps = slices.Clone(m.Steps)
			c.Steps[before], c.Steps[i] = c.Steps[i], c.Steps[before]
			all = append(all, MigrationMutation{fmt.Sprintf("%s: before %s", s, m.Steps[before]), &c})
		}
	}
	return all
}

// MigrationMutation is a migration with a mistake in it.
type MigrationMutation struct {
	Name      string
	Migration *Migration
}

// stepList collects the steps of a migration, and finds them again by their ids.
type stepList struct {
	all []Step
	at  map[string]int
}

func newSteps() *stepList { return &stepList{at: map[string]int{}} }

// add adds a step after those of the given ids that there are.
func (s *stepList) add(step Step, after ...string) {
	s.addAs(id(step.Kind, step.Model+step.Pattern+step.Index+step.Table), step, after...)
}

// addAs is add with another id for the step.
func (s *stepList) addAs(as string, step Step, after ...string) {
	for _, id := range after {
		if at, ok := s.at[id]; ok && !slices.Contains(step.After, at) {
			step.After = append(step.After, at)
		}
	}
	s.at[as] = len(s.all)
	s.all = append(s.all, step)
}

func id(kind StepKind, name string) string { return string(kind) + " " + name }

// ofModels returns the ids of the steps of a kind for models.
func ofModels(kind StepKind, models []string) (ids []string) {
	for _, model := range models {
		ids = append(ids, id(kind, model))
	}
	return ids
}

// indexesNotIn returns the indexes of a plan that another one does not have.
func (p *Plan) indexesNotIn(other *Plan) (all []Index) {
	for _, index := range p.Indexes {
		if other.index(index.Name) == nil {
			all = append(all, index)
		}
	}
	return all
}

// patternsNotIn returns the names of the patterns of a plan that another one does not have.
func (p *Plan) patternsNotIn(other *Plan) []string {
	names := map[string]bool{}
	for _, q := range p.Queries {
		names[q.Pattern] = other.pattern(q.Pattern) < 0
	}
	maps.DeleteFunc(names, func(_ string, missing bool) bool { return !missing })
	return slices.Sorted(maps.Keys(names))
}
