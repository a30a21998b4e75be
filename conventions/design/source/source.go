package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

// Format is the format of a source.
type Format string

// The formats.
const (
	OneTable  Format = "onetable"  // a schema of OneTable
	ElectroDB Format = "electrodb" // a schema of ElectroDB, or several
	Workbench Format = "workbench" // a model of NoSQL Workbench
	DataModel Format = "datamodel" // AWS's data model with access patterns
	Policy    Format = "policy"    // a policy of package policy
)

// Formats are all formats.
var Formats = []Format{OneTable, ElectroDB, Workbench, DataModel, Policy}

// Error is an error of a source, with its place.
type Error = fields.Error

// Limits of sources. A source is smaller than MaxBytes.
const (
	MaxBytes = fields.MaxBytes
	MaxNames = 1000 // attributes of one model
)

// Options say how Read makes a design.
type Options struct {
	Format Format // "" is that of the text
	Table  string // the name of the table in the design, or of the one to take from a source with several; "" is the source's
}

// Read makes a design out of a text. Its error joins Errors in the order of their lines.
func Read(text []byte, o Options) (*Draft, error) {
	d, root, err := open(text)
	if err != nil {
		return nil, err
	}
	format := o.Format
	if format == "" {
		if format, err = formatOf(root); err != nil {
			return nil, err
		}
	}
	r := &reader{Decoder: d, draft: newDraft(o.Table), table: o.Table}
	switch format {
	case OneTable:
		r.oneTable(root)
	case ElectroDB:
		r.electroDB(root)
	case DataModel:
		r.dataModel(root)
	case Workbench:
		r.workbench(root)
	case Policy:
		return readPolicy(text, o.Table)
	default:
		return nil, &Error{Message: fmt.Sprintf("%q is no format of a source", format)}
	}
	return r.result()
}

// ReadFile is Read of a file. Its errors begin with the file's name.
func ReadFile(name string, o Options) (*Draft, error) {
	return fields.OfFile(name, func(text []byte) (*Draft, error) { return Read(text, o) })
}

// reader reads a source into a draft.
type reader struct {
	*fields.Decoder
	draft *draft
	table string // the one to take, or ""
}

// room reports whether the design has room for another model. If not, that is an error.
func (r *reader) room(f fields.Field) bool {
	if len(r.draft.Design.Models) < design.MaxModels {
		return true
	}
	r.Fail(f, "a design has at most %d models", design.MaxModels)
	return false
}

// members reads the members of an object that a design needs. unread are others that it has not.
func (r *reader) members(f fields.Field, members map[string]fields.Member, unread ...string) {
	r.Each(f, func(name string, f fields.Field) {
		switch read := members[name]; {
		case read != nil:
			read(f)
		case !slices.Contains(unread, name):
			r.draft.warn("%s: the reader does not know this field", f.Path())
		}
	})
}

// each returns a member that reads each element of a list.
func each(read func(fields.Field)) fields.Member {
	return func(f fields.Field) {
		for _, f := range f.Elements() {
			read(f)
		}
	}
}

// fits reports whether an attribute can be one of a design. If not, that is an error.
func (r *reader) fits(f fields.Field, name string, before int) bool {
	switch {
	case name == "" || len(name) > 255:
		r.Fail(f, "the name of an attribute has 1 to 255 characters")
	case before >= MaxNames:
		r.Fail(f, "a model has more than %d attributes", MaxNames)
	default:
		return true
	}
	return false
}

// result returns the draft, or the errors of the source.
func (r *reader) result() (*Draft, error) {
	if err := r.Err(); err != nil {
		return nil, err
	}
	return checked(r.draft)
}

// checked returns a draft if its design is one that can be planned.
func checked(d *draft) (*Draft, error) {
	if len(d.Design.Models) == 0 {
		return nil, &Error{Message: "there are no models"}
	}
	draft, err := d.finish()
	if err != nil {
		return nil, &Error{Message: "the source makes no design: " + strings.ReplaceAll(err.Error(), "\n", "; ")}
	}
	return draft, nil
}

// script is how a file of JavaScript or TypeScript begins.
var script = lazily(`^(\s|//[^\n]*\n|/\*(?s:.*?)\*/)*(import|export|const|let|var|module|type|interface|'use strict'|"use strict")\b`)

// open parses a text: JSON, an object of JavaScript that YAML can read as well, or YAML.
func open(text []byte) (*fields.Decoder, fields.Field, error) {
	if script().Match(text) {
		return nil, fields.Field{}, &Error{Line: 1, Column: 1, Message: "this is JavaScript or TypeScript, which only its own tools can read; " + toJSON}
	}
	start := bytes.TrimSpace(text)
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return fields.Open(text)
	}
	if json.Valid(text) {
		return fields.OpenJSON(text)
	}
	d, root, err := fields.Open(text)
	if err != nil {
		_, _, err = fields.OpenJSON(text)
		var at *Error
		if errors.As(err, &at) {
			at.Message += "; " + toJSON
		}
	}
	return d, root, err
}

// toJSON says how a schema becomes JSON.
const toJSON = `print what the file schema.ts or schema.js exports as JSON: npx tsx -e 'import * as m from "./schema"; ` +
	`console.log(JSON.stringify(m, (k, v) => typeof v === "function" ? v.name : v?.schema?.indexes ? v.schema : v?.entities ?? v))' > schema.json`

// formatOf returns the format of a source by the members that it has.
func formatOf(root fields.Field) (Format, error) {
	switch {
	case has(root, "DataModel"):
		return Workbench, nil
	case has(root, "access_patterns"):
		return DataModel, nil
	case len(schemasOf(root)) > 0:
		return ElectroDB, nil
	case isOneTable(oneTableOf(root)):
		return OneTable, nil
	case has(root, "tables"):
		return Policy, nil
	}
	return "", &Error{Line: root.Line, Column: root.Column, Message: "this is no source of designs: want a schema of OneTable (with models and indexes), " +
		"schemas of ElectroDB (with model, attributes and indexes), a model of NoSQL Workbench (with DataModel), " +
		"a data model (with tables and access_patterns), or a policy (with tables)"}
}

// has reports whether an object has members.
func has(f fields.Field, names ...string) bool {
	for _, name := range names {
		if _, ok := f.Member(name); !ok {
			return false
		}
	}
	return true
}

// lazily compiles a regular expression when it is first used: few programs that have this package
// read such sources.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
