package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

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

// Options say how Read makes a design.
type Options struct {
	Format Format // "" is that of the text
	// the name of the table in the design, or of the one to take from a source with several; "" is
	// the source's
	Table string
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
		oneTableReader{r}.read(root)
	case ElectroDB:
		electroReader{r}.read(root)
	case DataModel:
		dataModelReader{r}.read(root)
	case Workbench:
		workbenchReader{r}.read(root)
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

// result returns the draft, or the errors of the source.
func (r *reader) result() (*Draft, error) {
	if err := r.Err(); err != nil {
		return nil, err
	}
	return checked(r.draft)
}

// script is how a file of JavaScript or TypeScript begins.
var script = lazily(
	`^(\s|//[^\n]*\n|/\*(?s:.*?)\*/)*(import|export|const|let|var|module|type|interface|'use strict'|"use strict")\b`)

// open parses a text: JSON, an object of JavaScript that YAML can read as well, or YAML.
func open(text []byte) (*fields.Decoder, fields.Field, error) {
	if script().Match(text) {
		return nil, fields.Field{}, &Error{
			Line: 1, Column: 1,
			Message: "this is JavaScript or TypeScript, which only its own tools can read; " +
				toJSON,
		}
	}
	start := bytes.TrimSpace(text)
	if len(start) == 0 {
		return nil, fields.Field{}, &Error{Message: "the file is empty: a redirect such as " +
			"\"> models.json\" makes it before the program runs, which may have failed, or have read it"}
	}
	if start[0] != '{' && start[0] != '[' {
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
	return "", &Error{Line: root.Line, Column: root.Column,
		Message: "this is no source of designs: want a schema of OneTable (with models and indexes), " +
			"schemas of ElectroDB (with model, attributes and indexes), a model of NoSQL Workbench (with DataModel), " +
			"a data model (with tables and access_patterns), or a policy (with tables)"}
}
