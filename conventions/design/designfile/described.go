package designfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// described has the members of an answer of "aws dynamodb describe-table" that a plan needs.
type described struct {
	Table *struct {
		TableName            string
		KeySchema            []keyElement
		AttributeDefinitions []struct{ AttributeName, AttributeType string }

		GlobalSecondaryIndexes, LocalSecondaryIndexes []describedIndex
		VectorIndexes                                 []json.RawMessage
	}
}

type keyElement struct{ AttributeName, KeyType string }

type describedIndex struct {
	IndexName  string
	KeySchema  []keyElement
	Projection struct {
		ProjectionType   string
		NonKeyAttributes []string
	}
}

// isDescribed reports whether a text is JSON that describes a table.
func isDescribed(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && text[0] == '{' && bytes.Contains(text, []byte(`"KeySchema"`)) &&
		!isLock(text)
}

// readDescribed returns the table of a description as a plan from which a design is planned. Models
// are in the table whose attributes have the names of its key: a description does not say what
// other names hold.
func readDescribed(text []byte, d *design.Design) (*design.Plan, error) {
	var in described
	if err := json.Unmarshal(text, &in); err != nil || in.Table == nil {
		return nil, errors.New(`this is no output of describe-table, which begins with "Table"`)
	}
	if len(in.Table.VectorIndexes) > 0 {
		return nil, errors.New("the table has vector indexes, which only their own plan keeps")
	}
	p := &design.Plan{Design: *d, Key: keyOf(in.Table.KeySchema)}
	p.Design.Table, p.Design.From, p.Design.Patterns = in.Table.TableName, "", nil
	p.Design.Models = nil
	for _, a := range in.Table.AttributeDefinitions {
		of, known := map[string]design.Type{"S": design.String, "N": design.Number,
			"B": design.Binary}[a.AttributeType]
		if !known {
			return nil, fmt.Errorf("%s has the type %q: want S, N or B", a.AttributeName,
				a.AttributeType)
		}
		p.Columns = append(p.Columns, design.Column{Name: a.AttributeName, Type: of,
			Positions: []string{a.AttributeName}})
	}
	for i := range d.Models {
		if e, ok := entityOf(p, &d.Models[i]); ok {
			p.Design.Models = append(p.Design.Models, d.Models[i])
			p.Entities = append(p.Entities, e)
		}
	}
	if len(p.Entities) == 0 {
		return nil, fmt.Errorf("no model has the attributes %s of the table's key, and a "+
			`description does not say what they hold: "kugiri design from --from-table %s --lock `+
			`plan.lock" reads items`, strings.Join(p.Key.Names(), " and "), in.Table.TableName)
	}
	for _, x := range in.Table.GlobalSecondaryIndexes {
		p.Indexes = append(p.Indexes, indexOf(p, &x, false))
	}
	for _, x := range in.Table.LocalSecondaryIndexes {
		p.Indexes = append(p.Indexes, indexOf(p, &x, true))
	}
	return p, design.CheckLocked(p)
}

// keyOf returns a key with its attributes.
func keyOf(schema []keyElement) (k design.Key) {
	for _, e := range schema {
		into, more := &k.Partition, &k.MorePartition
		if e.KeyType == "RANGE" {
			into, more = &k.Sort, &k.MoreSort
		}
		if *into == "" {
			*into = e.AttributeName
		} else {
			*more = append(*more, e.AttributeName)
		}
	}
	return k
}

// entityOf returns how a model is stored. ok is false if it has not the attributes of the key.
func entityOf(p *design.Plan, m *design.Model) (e design.Entity, ok bool) {
	e.Model = m.Name
	isColumn := func(a *design.Attribute) bool {
		return slices.ContainsFunc(p.Columns,
			func(c design.Column) bool { return c.Name == a.Name && c.Type == a.Type })
	}
	for _, name := range p.Key.Names() {
		if a := m.Attribute(name); a == nil || !isColumn(a) {
			return e, false
		}
	}
	for _, c := range p.Columns {
		if a := m.Attribute(c.Name); a != nil && isColumn(a) && a.Constant == "" {
			e.Keys = append(e.Keys, stored(a.Name))
		}
	}
	for i := range m.Attributes {
		if a := &m.Attributes[i]; !isColumn(a) && a.Constant == "" {
			e.Others = append(e.Others, stored(a.Name))
		}
	}
	return e, true
}

// stored returns an attribute of the table with the value of a model's attribute of the same name.
func stored(name string) design.Stored {
	return design.Stored{Name: name, Value: design.Value{{Attribute: name}}}
}

// indexOf returns an index with the models whose items have its key.
func indexOf(p *design.Plan, x *describedIndex, local bool) design.Index {
	index := design.Index{Name: x.IndexName, Local: local, Key: keyOf(x.KeySchema)}
	index.Natural = index.Key.Several()
	if of := cmp.Or(x.Projection.ProjectionType, "ALL"); of != "ALL" {
		index.Projection = design.Projection{Type: design.ProjectionType(of),
			Attributes: x.Projection.NonKeyAttributes}
	}
	for i := range p.Entities {
		has := func(name string) bool {
			return slices.ContainsFunc(p.Entities[i].Keys,
				func(s design.Stored) bool { return s.Name == name })
		}
		if !slices.ContainsFunc(index.Key.Names(), func(name string) bool { return !has(name) }) {
			index.Models = append(index.Models, p.Entities[i].Model)
		}
	}
	return index
}
