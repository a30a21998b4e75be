// Package designfile reads Designs of package design from YAML. Schema returns a JSON schema of the
// format. testdata/design.yaml is an example.
//
// Reading is strict, as that of policy files: unknown and repeated fields are errors, and errors
// name the line and the field.
package designfile

import (
	"bytes"
	_ "embed"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

//go:embed design.schema.json
var schema []byte

// Schema returns the JSON schema (draft 2020-12) of design files. The caller may change the result.
func Schema() []byte { return bytes.Clone(schema) }

//go:embed testdata/design.yaml
var example []byte

// Example returns a design file: that of the guide's example. The caller may change
// the result.
func Example() []byte { return bytes.Clone(example) }

// Error is an error in a design file, with its place.
type Error = conventions.FileError

// Parse reads and checks a design. Its error joins Errors in the order of their lines.
func Parse(text []byte) (*design.Design, error) {
	d := &design.Design{}
	err := read(text, d, d.Check)
	return d, err
}

// ParseFile is Parse of a file. Its errors begin with the file's name.
func ParseFile(name string) (*design.Design, error) { return fields.OfFile(name, Parse) }

// Plan reads a design and plans its table. Its error joins Errors, as that of Parse.
func Plan(text []byte) (plan *design.Plan, err error) {
	err = planText(text, func(d *design.Design) (err error) {
		plan, err = design.Make(d)
		return err
	})
	return plan, err
}

// Tables is Plan of a design that may have several tables, in the order of design.Tables.
func Tables(text []byte) (plans []*design.Plan, err error) {
	err = planText(text, func(d *design.Design) (err error) {
		plans, err = design.MakeTables(d, design.Make)
		return err
	})
	return plans, err
}

// planText reads a design that is no file, and plans it.
func planText(text []byte, plan func(*design.Design) error) error {
	d := &design.Design{}
	return read(text, d, func() error {
		if d.From != "" {
			return conventions.FieldErrorf("from", "only a file has others beside it")
		}
		return plan(d)
	})
}

// read reads a design and checks it. The check's errors get their lines.
func read(text []byte, into *design.Design, check func() error) error {
	d, root, err := fields.Open(text)
	if err != nil {
		return err
	}
	f := file{d}
	f.Object(root, f.design(into))
	if f.Err() == nil {
		f.Place(check())
	}
	return f.Err()
}
