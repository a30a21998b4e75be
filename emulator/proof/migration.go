package proof

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
	"github.com/kugiri-db/kugiri/emulator"
)

// MigrationReport is the result of VerifyMigration.
type MigrationReport struct {
	Steps    []StepResult // the steps up to the first that fails
	Failures []string     // what is not as the new plan says, at the end
}

// StepResult is the result for a step of a migration.
type StepResult struct {
	Step     string
	Patterns int // how many were read after the step
	Failures []string
}

// OK reports whether all steps keep all patterns, and the end is the new plan.
func (r *MigrationReport) OK() bool { return r.FirstFailure() == "" }

// FirstFailure returns the first failure with its step, or "".
func (r *MigrationReport) FirstFailure() string {
	for _, s := range r.Steps {
		if len(s.Failures) > 0 {
			return s.Step + ": " + s.Failures[0]
		}
	}
	if len(r.Failures) > 0 {
		return "at the end: " + r.Failures[0]
	}
	return ""
}

// How many rows of each model there are before a migration, and how many are written after each
// step.
const (
	migrationRows  = 40
	rowsAfterSteps = 4
)

// VerifyMigration loads items of the old plan and takes the steps, with further items written after
// each. After each step it reads all patterns that are in use: those of the old plan by its queries
// until their reads are switched or ended, then those of the new plan. At the end the table has to
// be the new plan's.
func VerifyMigration(m *migrate.Migration, o Options) (*MigrationReport, error) {
	x, err := newMigration(m, o)
	if err != nil {
		return nil, err
	}
	return x.run(), nil
}

// MutateMigration verifies the mutations of a migration: steps left out, and steps in the wrong
// order. Each runs on a fork of the table with the old items.
func MutateMigration(m *migrate.Migration, o Options) ([]Mutated, error) {
	x, err := newMigration(m, o)
	if err != nil {
		return nil, err
	}
	var all []Mutated
	for _, mutation := range m.Without() {
		all = append(all,
			Mutated{Name: mutation.Name, Found: x.fork(mutation.Migration).run().FirstFailure()})
	}
	return all, nil
}

// migration is a run of VerifyMigration.
type migration struct {
	*migrate.Migration
	options  Options
	service  *emulator.Emulator
	old, new *client
	samples  *design.Samples
	rows     []*liveRow
	byKey    map[string]int     // the rows by their keys; nil: not made yet
	writes   map[string]*writes // writes by model
	reads    map[string]*design.Plan
	changed  map[string]bool // the writes that are sent as the new plan says
	streams  bool            // there is a stream, with its consumer
}

// writes says what the writers of a model write now.
type writes struct {
	attributes map[string]bool // attributes that are written in place
	old, new   bool            // the tables that get the writes
}

// liveRow is a row that was written.
type liveRow struct {
	model   string
	row     design.Row
	writes  writes // what of it is stored
	deleted bool
}

func newMigration(m *migrate.Migration, o Options) (*migration, error) {
	x := &migration{
		Migration: m, options: o, writes: map[string]*writes{}, reads: map[string]*design.Plan{},
		changed: map[string]bool{}, streams: m.Old.Streams(),
	}
	x.connect(emulator.New())
	rows, scale := m.Rows(), map[string]int64{}
	for _, model := range rows.Models {
		scale[model.Name] = migrationRows
	}
	x.samples = design.NewSamples(rows, scale, o.Seed)
	for _, e := range m.Old.Entities {
		w := &writes{attributes: map[string]bool{}, old: true}
		for _, s := range slices.Concat(e.Keys, e.Others) {
			w.attributes[s.Name] = true
		}
		x.writes[e.Model] = w
	}
	for _, q := range m.Old.Queries {
		x.reads[q.Pattern] = m.Old
	}
	if err := x.old.createTable(); err != nil {
		return nil, err
	}
	for _, e := range m.Old.Entities {
		if err := x.write(e.Model, migrationRows); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (x *migration) connect(e *emulator.Emulator) {
	x.service, x.old, x.new = e, &client{own{e}, x.Old}, &client{own{e}, x.New}
}

// fork returns a run of another migration between the same plans, with the rows that there are now.
func (x *migration) fork(m *migrate.Migration) *migration {
	c := *x
	c.Migration, c.reads, c.writes, c.rows = m, maps.Clone(x.reads), map[string]*writes{}, nil
	c.byKey, c.changed = nil, maps.Clone(x.changed)
	c.connect(x.service.Fork())
	for model, w := range x.writes {
		c.writes[model] = w.clone()
	}
	for _, r := range x.rows {
		copied := *r
		copied.writes = *r.writes.clone()
		c.rows = append(c.rows, &copied)
	}
	c.samples = x.samples.Clone()
	return &c
}

func (w *writes) clone() *writes {
	return &writes{attributes: maps.Clone(w.attributes), old: w.old, new: w.new}
}

// write writes n further rows of a model as its writers do now.
func (x *migration) write(model string, n int) error {
	for range n {
		r := &liveRow{model: model, row: x.samples.Next(model)}
		if err := x.replace(r); err != nil {
			return err
		}
		if err := x.store(r, *x.writes[model].clone()); err != nil {
			return err
		}
	}
	return nil
}

// replace adds a row in the place of the one with the same key, if there is one: rows of a model
// begin again when its key has gone through all of its values.
func (x *migration) replace(r *liveRow) error {
	key, err := x.keysOf(r)
	if err != nil {
		return err
	}
	if x.byKey == nil {
		x.byKey = map[string]int{}
		for i, other := range x.rows {
			if text, err := x.keysOf(other); err == nil {
				x.byKey[text] = i
			}
		}
	}
	if at, there := x.byKey[key]; there && !x.rows[at].deleted {
		r.writes = x.rows[at].writes
		x.rows[at] = r
		return nil
	}
	x.byKey[key] = len(x.rows)
	x.rows = append(x.rows, r)
	return nil
}

// keysOf returns the model of a row with its primary keys in both plans.
func (x *migration) keysOf(r *liveRow) (string, error) {
	text := r.model
	for _, plan := range []*design.Plan{x.Old, x.New} {
		if plan.Entity(r.model) == nil {
			continue
		}
		item, err := plan.Item(r.model, r.row)
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("\x00%v\x00%v", item[plan.Key.Partition], item[plan.Key.Sort])
	}
	return text, nil
}

// store puts the item of a row with what is to be stored of it.
func (x *migration) store(r *liveRow, w writes) error {
	was := r.writes
	r.writes = w
	if x.NewTable {
		return errors.Join(x.storeIn(x.old, r, was.old, w.old), x.storeIn(x.new, r, was.new, w.new))
	}
	item := map[string]any{}
	for _, plan := range []*design.Plan{x.Old, x.New} {
		if plan.Entity(r.model) == nil {
			continue
		}
		all, err := plan.Item(r.model, r.row)
		if err != nil {
			return err
		}
		for name, v := range all {
			if w.attributes[name] {
				item[name] = v
			}
		}
	}
	return x.new.put(x.Old.Design.Table, []map[string]any{item})
}

// storeIn puts the item of a row in a table, or deletes it.
func (x *migration) storeIn(c *client, r *liveRow, was, is bool) error {
	if !was && !is {
		return nil
	}
	item, err := c.plan.Item(r.model, r.row)
	if err != nil {
		return err
	}
	if is {
		return c.put(c.plan.Design.Table, []map[string]any{item})
	}
	return c.remove(item)
}

// run takes all steps.
func (x *migration) run() *MigrationReport {
	report := &MigrationReport{}
	for _, s := range x.Steps {
		result := StepResult{Step: s.String()}
		err := x.take(s)
		for _, model := range slices.Sorted(maps.Keys(x.writes)) {
			err = errors.Join(err, x.write(model, rowsAfterSteps))
		}
		if err == nil {
			result.Patterns, err = x.check(&result)
		}
		if err != nil {
			result.Failures = append(result.Failures, err.Error())
		}
		report.Steps = append(report.Steps, result)
		if len(result.Failures) > 0 {
			return report
		}
	}
	report.Failures = x.end()
	return report
}

// take takes a step.
func (x *migration) take(s migrate.Step) error {
	switch s.Kind {
	case migrate.MakeTable:
		x.streams = x.streams || x.New.Streams()
		return x.new.createTable()
	case migrate.StartStream, migrate.EndStream:
		return x.stream(s.Kind == migrate.StartStream)
	case migrate.ChangeWrite:
		if w := x.New.Write(s.Write); w != nil && w.Streamed() && !x.streams {
			return fmt.Errorf("%s: there is no stream", s.Write)
		}
		x.changed[s.Write] = true
	case migrate.MakeIndex:
		return x.new.do("UpdateTable", x.New.CreateIndex(x.Old.Design.Table, s.Index), &struct{}{})
	case migrate.DropIndex, migrate.DropTable:
		return x.drop(s)
	case migrate.WriteToo:
		x.more(x.writes[s.Model], s.Attributes)
	case migrate.Backfill:
		return x.rewrite(s.Model, func(w *writes) { x.more(w, s.Attributes) })
	case migrate.WriteModel:
		return x.startModel(s.Model)
	case migrate.SwitchReads, migrate.StartReads:
		x.reads[s.Pattern] = x.New
	case migrate.EndTTL:
		return x.new.timeToLive(x.Old.Design.Table, s.Attributes[0], false)
	case migrate.StartTTL:
		return x.new.timeToLive(x.Old.Design.Table, s.Attributes[0], true)
	case migrate.EndReads:
		delete(x.reads, s.Pattern)
	case migrate.StopWriting:
		if x.New.Entity(s.Model) == nil {
			x.forget(s.Model)
			return nil
		}
		x.less(x.writes[s.Model], s.Attributes)
		return x.rewrite(s.Model, func(w *writes) { x.less(w, s.Attributes) })
	case migrate.DeleteItems:
		defer x.forget(s.Model)
		return x.deleteItems(s.Model)
	}
	return nil
}

// stream enables the stream of the table, or disables it.
func (x *migration) stream(enabled bool) error {
	x.streams = enabled
	specification := map[string]any{"StreamEnabled": enabled}
	if enabled {
		specification["StreamViewType"] = design.StreamView
	}
	return x.new.do("UpdateTable", map[string]any{"TableName": x.Old.Design.Table,
		"StreamSpecification": specification}, &struct{}{})
}

func (x *migration) more(w *writes, attributes []string) {
	for _, name := range attributes {
		w.attributes[name] = true
	}
	w.new = w.new || attributes == nil
}

func (x *migration) less(w *writes, attributes []string) {
	for _, name := range attributes {
		delete(w.attributes, name)
	}
	w.old = w.old && attributes != nil
}

// startModel starts to write a model that the old plan does not have.
func (x *migration) startModel(model string) error {
	w := &writes{attributes: map[string]bool{}, new: true}
	e := x.New.Entity(model)
	for _, s := range slices.Concat(e.Keys, e.Others) {
		w.attributes[s.Name] = true
	}
	x.writes[model] = w
	return x.write(model, migrationRows)
}

// rewrite stores the items of a model that there are in another way.
func (x *migration) rewrite(model string, change func(*writes)) error {
	for _, r := range x.rows {
		if r.model != model {
			continue
		}
		w := r.writes.clone()
		change(w)
		if err := x.store(r, *w); err != nil {
			return err
		}
	}
	return nil
}

func (x *migration) deleteItems(model string) error {
	for _, r := range x.rows {
		if r.model != model {
			continue
		}
		item, err := x.Old.Item(model, r.row)
		if err != nil {
			return err
		}
		if err := x.old.remove(item); err != nil {
			return err
		}
	}
	return nil
}

// forget ends the writes of a model that the new plan does not have. The end has none of its items.
func (x *migration) forget(model string) {
	delete(x.writes, model)
	for _, r := range x.rows {
		r.deleted = r.deleted || r.model == model
	}
}

func (x *migration) drop(s migrate.Step) error {
	if s.Kind == migrate.DropTable {
		return x.old.do("DeleteTable", map[string]any{"TableName": s.Table}, &struct{}{})
	}
	return x.old.do("UpdateTable", map[string]any{
		"TableName": x.Old.Design.Table,
		"GlobalSecondaryIndexUpdates": []any{
			map[string]any{"Delete": map[string]any{"IndexName": s.Index}},
		},
	}, &struct{}{})
}

// check reads all patterns that are in use, and returns how many.
func (x *migration) check(result *StepResult) (int, error) {
	n := 0
	for _, c := range []*client{x.old, x.new} {
		v := &verification{plan: c.plan, db: c, options: x.options, times: map[string]float64{}}
		for _, e := range c.plan.Entities {
			v.times[e.Model] = migrate.Larger(x.Migration, c.plan, e.Model)
		}
		if err := v.among(x.rows); err != nil {
			return n, err
		}
		for i, q := range c.plan.Queries {
			if x.reads[q.Pattern] != c.plan {
				continue
			}
			n++
			for _, failure := range v.pattern(i).Failures {
				result.Failures = append(result.Failures, q.Pattern+": "+failure)
			}
		}
	}
	return n, nil
}

// migrationRequests is how many requests of a pattern are sent after each step.
const migrationRequests = 8

// among makes requests with values of some rows, and finds out what they have to find among all.
func (v *verification) among(rows []*liveRow) error {
	v.requests = make([][]*request, len(v.plan.Queries))
	for i := range v.plan.Queries {
		p, model := &v.plan.Design.Patterns[i], v.plan.Queries[i].Models[0]
		of := slices.DeleteFunc(slices.Clone(rows),
			func(r *liveRow) bool { return r.model != model })
		for k, r := range of {
			if k < migrationRequests/2 || len(of)-k <= migrationRequests/2 {
				v.request(i, k, p, r.row)
			}
		}
	}
	match := v.matcher()
	for _, r := range rows {
		if err := match(r.model, r.row); err != nil {
			return err
		}
	}
	return nil
}

// end returns what is not as the new plan says.
func (x *migration) end() (failures []string) {
	for _, q := range x.New.Queries {
		if x.reads[q.Pattern] != x.New && x.Reads(q.Pattern) {
			failures = append(failures, q.Pattern+" is not read as the new plan says")
		}
	}
	for pattern := range x.reads {
		if !slices.ContainsFunc(x.New.Queries,
			func(q design.Query) bool { return q.Pattern == pattern }) {
			failures = append(failures, pattern+" is still read")
		}
	}
	for _, e := range x.New.Entities {
		if x.writes[e.Model] == nil {
			failures = append(failures, e.Model+" is not written")
		}
	}
	for _, w := range slices.Concat(x.Old.Writes, x.New.Writes) {
		if x.Changes(w.Name) && !x.changed[w.Name] {
			failures = append(failures, w.Name+" is not sent as the new plan says")
		}
	}
	failures = append(failures, x.endOfTable()...)
	slices.Sort(failures)
	return failures
}

// endOfTable compares the indexes and all items with the new plan.
func (x *migration) endOfTable() (failures []string) {
	names := x.service.TableNames(accessKey, region)
	if !slices.Equal(names, []string{x.New.Design.Table}) {
		failures = append(failures, fmt.Sprintf("the tables are %v", names))
	}
	var out struct {
		Table struct {
			GlobalSecondaryIndexes, LocalSecondaryIndexes []struct{ IndexName string }
			StreamSpecification                           struct{ StreamEnabled bool }
		}
	}
	if err := x.new.do("DescribeTable", map[string]any{"TableName": x.New.Design.Table},
		&out); err != nil {
		return append(failures, err.Error())
	}
	var has, want []string
	for _, index := range slices.Concat(out.Table.GlobalSecondaryIndexes,
		out.Table.LocalSecondaryIndexes) {
		has = append(has, index.IndexName)
	}
	for _, index := range x.New.Indexes {
		want = append(want, index.Name)
	}
	slices.Sort(has)
	slices.Sort(want)
	if !slices.Equal(has, want) {
		failures = append(failures,
			fmt.Sprintf("the indexes are %v, and the new plan has %v", has, want))
	}
	if is := out.Table.StreamSpecification.StreamEnabled; is != x.New.Streams() {
		failures = append(failures,
			fmt.Sprintf("whether there is a stream: %v, and in the new plan %v", is, !is))
	}
	if ttl, err := x.new.expires(); err != nil || ttl != x.New.TTL {
		failures = append(failures,
			fmt.Sprintf("the time to live is %q, and the new plan has %q", ttl, x.New.TTL))
	}
	return append(failures, x.endOfItems()...)
}

// endOfItems compares all items of the table with those of the new plan.
func (x *migration) endOfItems() (failures []string) {
	want := map[string]bool{}
	for _, r := range x.rows {
		if r.deleted {
			continue
		}
		item, err := x.New.Item(r.model, r.row)
		if err != nil {
			return []string{err.Error()}
		}
		want[string(appendItem(nil, item))] = true
	}
	items, err := x.new.scan()
	if err != nil {
		return []string{err.Error()}
	}
	for _, item := range items {
		if text := canonical(item); !want[text] {
			return []string{"an item is not as the new plan says: " + text}
		}
	}
	if len(items) != len(want) {
		return []string{
			fmt.Sprintf("there are %d items, and the new plan has %d", len(items), len(want)),
		}
	}
	return nil
}
