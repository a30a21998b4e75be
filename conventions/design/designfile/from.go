package designfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

// maxFrom is how many designs there may be, each planned from the next one.
const maxFrom = 20

// PlanFile is Plan of a file, whose errors begin with the file's name. A design with from is
// planned from the table that is there, as the file that it names says: another design, or what
// Lock writes.
func PlanFile(name string) (*design.Plan, error) {
	_, plan, err := Migration(name)
	return plan, err
}

// Migration returns the migration to the plan of a file from the table that is there. It is nil for
// a design without from, whose plan it returns.
func Migration(name string) (*migrate.Migration, *design.Plan, error) {
	all, err := planFile(name, maxFrom, true)
	if err != nil {
		return nil, nil, err
	}
	return all[0].migration, all[0].plan, nil
}

// TablesFile is PlanFile of a design that may have several tables, in the order of design.Tables.
func TablesFile(name string) ([]*design.Plan, error) {
	all, err := planFile(name, maxFrom, false)
	return plansOf(all), err
}

// planned is the plan of a table, and the migration from the table that is there, or nil.
type planned struct {
	plan      *design.Plan
	migration *migrate.Migration
}

func plansOf(all []planned) (plans []*design.Plan) {
	for _, p := range all {
		plans = append(plans, p.plan)
	}
	return plans
}

// planFile plans the tables of a file, or its only one.
func planFile(name string, most int, one bool) (all []planned, err error) {
	_, err = fields.OfFile(name, func(text []byte) (*design.Design, error) {
		d := &design.Design{}
		return d, read(text, d, func() error {
			f := from{name: name, design: d, most: most}
			plan := func(d *design.Design) (*design.Plan, error) {
				p, err := f.plan(d)
				all = append(all, p)
				return p.plan, err
			}
			err := f.read()
			if err != nil {
				return err
			}
			if one {
				_, err = plan(d)
			} else {
				_, err = design.MakeTables(d, plan)
			}
			if err == nil {
				f.warn(all)
			}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// from plans the tables of a design of a file from those that another file describes.
type from struct {
	name   string
	design *design.Design
	most   int // how many designs there may be, each planned from the next one
	there  []*design.Plan
}

// plan plans a table: the design, or one of its parts.
func (f *from) plan(d *design.Design) (p planned, err error) {
	if f.design.From == "" {
		p.plan, err = design.Make(d)
		return p, err
	}
	old, err := f.old(d)
	switch {
	case err != nil:
		return p, err
	case old == nil:
		p.plan, err = design.Make(d)
	default:
		if p.migration, err = migrate.Make(d, old); err == nil {
			p.plan = p.migration.New
		}
	}
	return p, err
}

// old returns the table from which a table is planned, or nil if it is a new one beside others.
func (f *from) old(d *design.Design) (*design.Plan, error) {
	if len(f.there) == 1 && d == f.design {
		return f.there[0], nil
	}
	var same *design.Plan
	for _, old := range f.there {
		if old.Design.Table == d.Table {
			same = old
			continue
		}
		if at := slices.IndexFunc(d.Models, func(m design.Model) bool {
			return old.Design.Model(m.Name) != nil
		}); at >= 0 {
			return nil, conventions.FieldErrorf(fmt.Sprintf("models[%d].table", at),
				"%s is in the table %s so far, and no steps are planned that bring items into "+
					"another table: leave it there, or plan the tables without from and move its "+
					"items yourself", d.Models[at].Name, old.Design.Table)
		}
	}
	return same, nil
}

// read reads the tables that are there, if the design names a file.
func (f *from) read() error {
	if f.design.From == "" {
		return nil
	}
	if err := f.design.Check(); err != nil {
		return err
	}
	there, err := f.tables()
	if err != nil {
		return conventions.FieldErrorf("from", "%v", err)
	}
	f.there = there
	return nil
}

// tables returns the tables that are there.
func (f *from) tables() ([]*design.Plan, error) {
	if f.most == 0 {
		return nil, fmt.Errorf("more than %d designs are planned from one another", maxFrom)
	}
	name := f.design.From
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(f.name), name)
	}
	if old, err := fromDescription(name, f.design); err != nil {
		return nil, err
	} else if old != nil {
		return []*design.Plan{old}, nil
	}
	return existing(name, f.most-1)
}

// warn names the tables that are there and have no plan.
func (f *from) warn(all []planned) {
	if len(f.there) == 1 && len(all) == 1 {
		return
	}
	for _, old := range f.there {
		table := old.Design.Table
		if !slices.ContainsFunc(all, func(p planned) bool { return p.plan.Design.Table == table }) {
			first := all[0].plan
			first.Notes = append(first.Notes, design.Note{Step: 8, Warning: true,
				Text: fmt.Sprintf("%s has the table %s, which is not in this design: delete it "+
					"once nobody reads it", f.design.From, table)})
		}
	}
}

// fromDescription returns the table of a file that describes one, or nil for another file.
func fromDescription(name string, d *design.Design) (*design.Plan, error) {
	return fields.OfFile(name, func(text []byte) (*design.Plan, error) {
		switch {
		case !isDescribed(text):
			return nil, nil
		case len(d.Tables()) > 1:
			return nil, errors.New("describe-table says how one table is, and this design has " +
				"several: lock the plan of all of them")
		}
		return readDescribed(text, d)
	})
}

// Existing returns the plan of a table that is there: that of a design, or what Lock wrote.
func Existing(name string) (*design.Plan, error) {
	all, err := existing(name, maxFrom)
	if err == nil && len(all) > 1 {
		err = fmt.Errorf("%s: there are %d tables: want one", name, len(all))
	}
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// ExistingTables is Existing of one table or several.
func ExistingTables(name string) ([]*design.Plan, error) { return existing(name, maxFrom) }

func existing(name string, most int) ([]*design.Plan, error) {
	locked := false
	plans, err := fields.OfFile(name, func(text []byte) (p []*design.Plan, err error) {
		if locked = isLock(text); locked {
			p, err = ReadLocks(text)
		}
		return p, err
	})
	if locked || err != nil {
		return plans, err
	}
	all, err := planFile(name, most, false)
	return plansOf(all), err
}

// Lock writes a plan as a file plan.lock, from which another design is planned.
func Lock(p *design.Plan) ([]byte, error) {
	text, err := json.MarshalIndent(design.Locked(p), "", " ")
	return append(text, '\n'), err
}

// locks is the file that LockTables writes for several tables.
type locks struct{ Tables []json.RawMessage }

// LockTables is Lock of one table or several.
func LockTables(all []*design.Plan) ([]byte, error) {
	if len(all) == 1 {
		return Lock(all[0])
	}
	file := struct{ Tables []*design.Plan }{}
	for _, p := range all {
		file.Tables = append(file.Tables, design.Locked(p))
	}
	text, err := json.MarshalIndent(file, "", " ")
	return append(text, '\n'), err
}

// isLock reports whether a text is JSON, as Lock writes it, and not a design.
func isLock(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && text[0] == '{' && bytes.Contains(text, []byte(`"Entities"`))
}

// ReadLocks reads what LockTables writes: the plans of tables with different names.
func ReadLocks(text []byte) (all []*design.Plan, err error) {
	var file locks
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if len(text) > fields.MaxBytes || in.Decode(&file) != nil || file.Tables == nil {
		one, err := ReadLock(text)
		return []*design.Plan{one}, err
	}
	for _, text := range file.Tables {
		p, err := ReadLock(text)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all,
			func(o *design.Plan) bool { return o.Design.Table == p.Design.Table }) {
			return nil, &Error{Message: "this is no plan: there are two tables " + p.Design.Table}
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, &Error{Message: "this is no plan: there are no tables"}
	}
	return all, nil
}

// ReadLock reads what Lock writes.
func ReadLock(text []byte) (*design.Plan, error) {
	if len(text) > fields.MaxBytes {
		return nil, &Error{Message: fmt.Sprintf("the file is larger than %d bytes", fields.MaxBytes)}
	}
	p := &design.Plan{}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(p); err != nil {
		return nil, &Error{Message: "this is no plan: " + err.Error()}
	}
	if err := design.CheckLocked(p); err != nil {
		return nil, &Error{Message: "this is no plan: " + err.Error()}
	}
	return p, nil
}
