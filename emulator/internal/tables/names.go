package tables

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/storage/item"
)

// KeyNames returns the attributes of a key.
func KeyNames(ks api.KeySchema) []string {
	names := make([]string, len(ks))
	for i, e := range ks {
		names[i] = string(*e.AttributeName)
	}
	return names
}

func definedNames(definitions []api.AttributeDefinition) []string {
	names := make([]string, len(definitions))
	for i, d := range definitions {
		names[i] = string(*d.AttributeName)
	}
	return names
}

// areDefined returns the names that definitions define.
func areDefined(definitions []api.AttributeDefinition) map[string]bool {
	names := make(map[string]bool, len(definitions))
	for _, d := range definitions {
		names[string(*d.AttributeName)] = true
	}
	return names
}

// Listed formats names like the lists in the service's messages.
func Listed(names []string) string { return "[" + strings.Join(names, ", ") + "]" }

// listedDefinitions lists the names of definitions in the order of the service's messages.
func listedDefinitions(definitions []api.AttributeDefinition) string {
	return Listed(wire.Hashed(definedNames(definitions), 2))
}

// TypeOf returns the type an attribute is defined with, or NoType.
func TypeOf(name api.KeySchemaAttributeName, definitions []api.AttributeDefinition) item.Type {
	for _, d := range definitions {
		if *d.AttributeName == name {
			return keyTypes[*d.AttributeType]
		}
	}
	return item.NoType
}

var keyTypes = map[api.ScalarAttributeType]item.Type{"S": item.S, "N": item.N, "B": item.B}

// searchNames returns the attributes of a search schema.
func searchNames(schema api.SearchSchema) []string {
	names := make([]string, len(schema))
	for i, e := range schema {
		names[i] = string(*e.AttributeName)
	}
	return names
}

// vectorNames returns the attributes of all search schemas.
func vectorNames(indexes []api.VectorIndex) (names []string) {
	for _, ix := range indexes {
		names = append(names, searchNames(ix.SearchSchema)...)
	}
	return names
}
