package request

import (
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Definition is the key that a request gives a table or an index.
type Definition struct {
	Table string // name, not ARN
	Index string // "" for the table

	// Partition and Sort are the attributes of the key. A global index may have several of each. Of
	// a vector index they are those of its search schema with the type HASH.
	Partition, Sort []KeyAttribute

	// Vector marks a vector index, which has no sort key.
	Vector bool
}

// KeyAttribute is an attribute of a key.
type KeyAttribute struct {
	Name string
	Type item.Type // item.NoType if the request does not tell
}

// String lists the attributes.
func (d *Definition) String() string {
	var names []string
	for _, of := range [...][]KeyAttribute{d.Partition, d.Sort} {
		for _, a := range of {
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, ", ")
}

// definitions are the parameters that define the keys of a table and its indexes.
type definitions struct {
	types map[string]item.Type // types by attribute
	keys  []Definition         // definitions without their types, and without the table
}

var typesOfKeys = map[string]item.Type{"S": item.S, "N": item.N, "B": item.B}

// of returns the definitions for a table.
func (p *definitions) of(table string) []Definition {
	typed := func(attributes []KeyAttribute) {
		for i := range attributes {
			attributes[i].Type = p.types[attributes[i].Name]
		}
	}
	for i := range p.keys {
		p.keys[i].Table = table
		typed(p.keys[i].Partition)
		typed(p.keys[i].Sort)
	}
	return p.keys
}

func readDefinition(r *Request, p *parameters) error {
	r.Table = p.tableName()
	r.Defines = p.defines.of(r.Table)
	return nil
}

// attributeDefinitions reads the types of attributes.
func (d *decoder) attributeDefinitions(p *parameters) error {
	p.defines.types = map[string]item.Type{}
	return d.list(func() error {
		var name, kind string
		err := d.texts(map[string]*string{"AttributeName": &name, "AttributeType": &kind})
		p.defines.types[name] = typesOfKeys[kind]
		return err
	})
}

// tableKey reads the key of the table.
func (d *decoder) tableKey(p *parameters) error {
	var of Definition
	err := d.keySchema(&of)
	p.defines.keys = append(p.defines.keys, of)
	return err
}

// keySchema reads a list of key attributes: a KeySchema or a SearchSchema.
func (d *decoder) keySchema(of *Definition) error {
	return d.list(func() error {
		var name, kind, search string
		err := d.texts(map[string]*string{
			"AttributeName": &name, "KeyType": &kind, "SearchSchemaElementType": &search,
		})
		switch {
		case kind == "HASH" || search == "HASH":
			of.Partition = append(of.Partition, KeyAttribute{Name: name})
		case kind == "RANGE":
			of.Sort = append(of.Sort, KeyAttribute{Name: name})
		}
		return err
	})
}

// indexes reads the keys of new indexes.
func (d *decoder) indexes(p *parameters) error {
	return d.list(func() error { return d.index(p) })
}

// index reads the key of a new index.
func (d *decoder) index(p *parameters) error {
	of := Definition{}
	err := d.object(func(name string) error {
		switch name {
		case "IndexName":
			return d.optionalText(&of.Index)
		case "KeySchema":
			return d.keySchema(&of)
		case "SearchSchema":
			of.Vector = true
			return d.keySchema(&of)
		}
		return d.s.Skip(maxSkipped)
	})
	if len(of.Partition) > 0 {
		p.defines.keys = append(p.defines.keys, of)
	}
	return err
}

// indexUpdates reads the keys of the indexes that an update creates.
func (d *decoder) indexUpdates(p *parameters) error {
	return d.list(func() error {
		return d.object(func(name string) error {
			if name == "Create" {
				return d.index(p)
			}
			return d.s.Skip(maxSkipped)
		})
	})
}

// creation reads the parameters of a table that an import creates.
func (d *decoder) creation(p *parameters) error {
	own, err := d.parameters(partLevel)
	p.table, p.defines = own.table, own.defines
	return err
}

// texts reads members of an object that are strings, and skips all others.
func (d *decoder) texts(into map[string]*string) error {
	return d.object(func(name string) error {
		if text := into[name]; text != nil {
			return d.optionalText(text)
		}
		return d.s.Skip(maxSkipped)
	})
}
