package request

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
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

// KeysOf returns the keys that a request gives a new table and its indexes.
func KeysOf(in *api.CreateTableInput) []Definition {
	table, types := tableName(in.TableName), in.AttributeDefinitions
	var all []Definition
	if in.KeySchema != nil {
		all = append(all, KeyOfIndex(table, nil, in.KeySchema, types))
	}
	for _, ix := range in.LocalSecondaryIndexes {
		all = append(all, KeyOfIndex(table, ix.IndexName, ix.KeySchema, types))
	}
	for _, ix := range in.GlobalSecondaryIndexes {
		all = append(all, KeyOfIndex(table, ix.IndexName, ix.KeySchema, types))
	}
	for i := range in.VectorIndexes {
		all = append(all, KeyOfVectorIndex(table, &in.VectorIndexes[i], types))
	}
	return all
}

// KeyOfIndex returns the key that a request gives an index, or a table, which has no index's name.
func KeyOfIndex(table string, index *api.IndexName, key api.KeySchema,
	types []api.AttributeDefinition) Definition {
	d := Definition{Table: table, Index: string(api.Deref(index))}
	for _, e := range key {
		a := keyAttribute(string(api.Deref(e.AttributeName)), types)
		switch api.Deref(e.KeyType) {
		case "HASH":
			d.Partition = append(d.Partition, a)
		case "RANGE":
			d.Sort = append(d.Sort, a)
		}
	}
	return d
}

// KeyOfVectorIndex returns the key that a request gives a vector index.
func KeyOfVectorIndex(table string, ix *api.VectorIndex,
	types []api.AttributeDefinition) Definition {
	d := Definition{Table: table, Index: string(api.Deref(ix.IndexName)), Vector: true}
	for _, e := range ix.SearchSchema {
		if api.Deref(e.SearchSchemaElementType) == "HASH" {
			d.Partition = append(d.Partition,
				keyAttribute(string(api.Deref(e.AttributeName)), types))
		}
	}
	return d
}

// keyAttribute returns the attribute of a key with its type.
func keyAttribute(name string, types []api.AttributeDefinition) KeyAttribute {
	a := KeyAttribute{Name: name}
	for _, d := range types {
		if string(api.Deref(d.AttributeName)) == name {
			a.Type = item.TypeNamed(string(api.Deref(d.AttributeType)))
			break
		}
	}
	return a
}

func (r *Request) viewCreateTable(in *api.CreateTableInput) error {
	r.Table, r.Defines = tableName(in.TableName), KeysOf(in)
	return nil
}

func (r *Request) viewUpdateTable(in *api.UpdateTableInput) error {
	r.Table = tableName(in.TableName)
	for _, up := range in.GlobalSecondaryIndexUpdates {
		if ix := up.Create; ix != nil {
			r.Defines = append(r.Defines,
				KeyOfIndex(r.Table, ix.IndexName, ix.KeySchema, in.AttributeDefinitions))
		}
	}
	for _, up := range in.VectorIndexUpdates {
		if up.Create != nil {
			ix := api.VectorIndex(*up.Create)
			r.Defines = append(r.Defines,
				KeyOfVectorIndex(r.Table, &ix, in.AttributeDefinitions))
		}
	}
	return nil
}

func (r *Request) viewImportTable(in *api.ImportTableInput) error {
	p := in.TableCreationParameters
	if p == nil {
		return nil
	}
	return r.viewCreateTable(&api.CreateTableInput{
		TableName: (*api.TableArn)(p.TableName), AttributeDefinitions: p.AttributeDefinitions,
		KeySchema: p.KeySchema, GlobalSecondaryIndexes: p.GlobalSecondaryIndexes,
		VectorIndexes: p.VectorIndexes,
	})
}
