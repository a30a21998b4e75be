package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	asked "github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// CheckDeclared holds the keys of a new table and its indexes to the policy, if there is one.
func CheckDeclared(c *serve.Call, in *api.CreateTableInput) error {
	if c.Policy == nil {
		return nil
	}
	name := string(*in.TableName)
	keys := []asked.Definition{keyDefinition(name, "", in.KeySchema, in.AttributeDefinitions)}
	for _, ix := range IndexSpecs(in) {
		keys = append(keys, keyDefinition(name, ix.Name, ix.Key, in.AttributeDefinitions))
	}
	for i := range in.VectorIndexes {
		keys = append(keys, vectorDefinition(name, &in.VectorIndexes[i], in.AttributeDefinitions))
	}
	return define(c, keys...)
}

// define holds keys to the policy, if there is one.
func define(c *serve.Call, keys ...asked.Definition) error { return c.Policy.Define(keys) }

// keyDefinition is a key of a table in the form of package request.
func keyDefinition(table, index string, key api.KeySchema,
	definitions []api.AttributeDefinition) asked.Definition {
	d := asked.Definition{Table: table, Index: index}
	for _, e := range key {
		a := asked.KeyAttribute{
			Name: string(*e.AttributeName), Type: tables.TypeOf(*e.AttributeName, definitions),
		}
		if *e.KeyType == "HASH" {
			d.Partition = append(d.Partition, a)
		} else {
			d.Sort = append(d.Sort, a)
		}
	}
	return d
}

// vectorDefinition is keyDefinition for a vector index.
func vectorDefinition(table string, ix *api.VectorIndex,
	definitions []api.AttributeDefinition) asked.Definition {
	d := asked.Definition{Table: table, Index: string(*ix.IndexName), Vector: true}
	for _, e := range ix.SearchSchema {
		if *e.SearchSchemaElementType == "HASH" {
			name := *e.AttributeName
			d.Partition = append(d.Partition, asked.KeyAttribute{Name: string(name),
				Type: tables.TypeOf(api.KeySchemaAttributeName(name), definitions)})
		}
	}
	return d
}
