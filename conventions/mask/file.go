package mask

import (
	"bytes"
	_ "embed"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

//go:embed mask.schema.json
var schema []byte

// Schema returns the JSON schema (draft 2020-12) of mask files. The caller may change the result.
func Schema() []byte { return bytes.Clone(schema) }

// Parse reads a mask from YAML. Its error joins errors with line and field.
func Parse(text []byte) (*Mask, error) {
	d, root, err := fields.Open(text)
	if err != nil {
		return nil, err
	}
	f, m := file{d}, &Mask{}
	d.Object(root, map[string]fields.Member{"rules": fields.List(d, &m.Rules, f.rule)})
	if err := d.Err(); err != nil {
		return nil, err
	}
	if len(m.Rules) == 0 {
		d.Fail(root, "there are no rules")
		return nil, d.Err()
	}
	if err := m.check(); err != nil {
		d.Place(err)
		return nil, d.Err()
	}
	return m, nil
}

// ParseFile is Parse of a file. Its errors begin with the file's name.
func ParseFile(name string) (*Mask, error) { return fields.OfFile(name, Parse) }

// file reads the objects of a mask file.
type file struct{ *fields.Decoder }

func (d file) rule(f fields.Field, r *Rule) {
	members := d.method(&r.Method)
	members["tables"] = d.Texts(&r.Tables)
	members["attribute"] = func(f fields.Field) {
		if len(f.Elements()) > 0 {
			d.Texts(&r.Path)(f)
			return
		}
		var path string
		d.ReadText(f, &path)
		r.Path = strings.Split(path, ".")
	}
	members["when"] = func(f fields.Field) {
		r.When = &Condition{}
		d.Object(f, map[string]fields.Member{
			"attribute": d.Text(&r.When.Attribute), "is": d.Texts(&r.When.Is),
			"begins": d.Text(&r.When.Begins),
		})
	}
	pattern := func() *Pattern {
		if r.Pattern == nil {
			r.Pattern = &Pattern{}
		}
		return r.Pattern
	}
	members["pattern"] = func(f fields.Field) { d.ReadText(f, &pattern().Text) }
	members["parts"] = func(f fields.Field) {
		p := pattern()
		p.Parts = map[string]Method{}
		d.Each(f, func(name string, f fields.Field) {
			var m Method
			if f.Kind == fields.Scalar {
				d.as(&m.As)(f)
			} else {
				d.Object(f, d.method(&m))
			}
			p.Parts[name] = m
		})
	}
	d.Object(f, members)
}

func (d file) method(m *Method) map[string]fields.Member {
	return map[string]fields.Member{
		"as": d.as(&m.As), "first": d.Number(&m.First), "last": d.Number(&m.Last),
		"days":  d.Number(&m.Days),
		"value": d.Text(&m.Value), "domain": d.Text(&m.Domain),
	}
}

func (d file) as(into *As) fields.Member {
	return fields.OneOf(d.Decoder, into, Keep, Drop, Constant, Text, Email, Date)
}
