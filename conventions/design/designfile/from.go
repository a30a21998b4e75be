package designfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

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
func PlanFile(name string) (*design.Plan, error) { return planFile(name, maxFrom) }

func planFile(name string, most int) (*design.Plan, error) {
	m, plan, err := migrationOf(name, most)
	if m != nil {
		plan = m.New
	}
	return plan, err
}

// Migration returns the migration to the plan of a file from the table that is there. It is nil for
// a design without from, whose plan it returns.
func Migration(name string) (*migrate.Migration, *design.Plan, error) {
	return migrationOf(name, maxFrom)
}

func migrationOf(name string, most int) (m *migrate.Migration, plan *design.Plan, err error) {
	plan, err = fields.OfFile(name, func(text []byte) (*design.Plan, error) {
		d := &design.Design{}
		err := read(text, d, func() (err error) {
			if d.From == "" {
				plan, err = design.Make(d)
				return err
			}
			if m, err = fromFile(name, d, most); err == nil {
				plan = m.New
			}
			return err
		})
		return plan, err
	})
	return m, plan, err
}

// fromFile plans a design of a file from the table that another file describes.
func fromFile(name string, d *design.Design, most int) (*migrate.Migration, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	wrong := func(err error) error {
		return conventions.FieldErrorf("from", "%v", err)
	}
	if most == 0 {
		return nil, wrong(fmt.Errorf("more than %d designs are planned from one another", maxFrom))
	}
	from := d.From
	if !filepath.IsAbs(from) {
		from = filepath.Join(filepath.Dir(name), from)
	}
	old, err := fromDescription(from, d)
	if old == nil && err == nil {
		old, err = existing(from, most-1)
	}
	if err != nil {
		return nil, wrong(err)
	}
	return migrate.Make(d, old)
}

// fromDescription returns the table of a file that describes one, or nil for another file.
func fromDescription(name string, d *design.Design) (*design.Plan, error) {
	return fields.OfFile(name, func(text []byte) (*design.Plan, error) {
		if !isDescribed(text) {
			return nil, nil
		}
		return readDescribed(text, d)
	})
}

// Existing returns the plan of a table that is there: that of a design, or what Lock wrote.
func Existing(name string) (*design.Plan, error) { return existing(name, maxFrom) }

func existing(name string, most int) (*design.Plan, error) {
	locked := false
	plan, err := fields.OfFile(name, func(text []byte) (p *design.Plan, err error) {
		if locked = isLock(text); locked {
			p, err = ReadLock(text)
		}
		return p, err
	})
	if locked || err != nil {
		return plan, err
	}
	return planFile(name, most)
}

// Lock writes a plan as a file plan.lock, from which another design is planned.
func Lock(p *design.Plan) ([]byte, error) {
	text, err := json.MarshalIndent(design.Locked(p), "", " ")
	return append(text, '\n'), err
}

// isLock reports whether a text is JSON, as Lock writes it, and not a design.
func isLock(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && text[0] == '{' && bytes.Contains(text, []byte(`"Entities"`))
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
