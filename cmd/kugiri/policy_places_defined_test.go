package main

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const definedPolicy = `
tables:
  - name: made-*
    role: plain
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{order}"}]
    indexes:
      - {name: by-day, key: {partition: day, sort: sk}, open: true}
      - {name: by-customer, key: {partition: gsi1pk}}
      - {name: by-category, key: {partition: gsi1pk, sort: gsi1sk}}
  - {name: counts, role: plain, tenant: none, key: {partition: n}}
`

const indexedPolicy = `
tables:
  - {name: other, role: plain, indexes: [{name: by-day, key: {partition: day, sort: sk}, open: true}]}
`

// definedPlaces are the cases of keys of new tables and indexes.
var definedPlaces = slices.Concat(declared(definedPolicy, []placeCase{
	{name: "a table with the declared key", do: creation("made-1", "pk sk")},
	{name: "a table with other attributes", do: creation("made-1", "id"), want: "key-schema"},
	{name: "a table with another sort key", do: creation("made-1", "pk other"),
		want: "key-schema"},
	{name: "a table without its sort key", do: creation("made-1", "pk"), want: "key-schema"},
	{name: "a table with a number as its sort key", do: creation("made-1", "pk =sk"),
		want: "key-schema"},
	{name: "a number as a key of which nothing is declared", do: creation("counts", "=n")},
	{name: "an index with the declared key",
		do: creation("made-1", "pk sk", "by-customer gsi1pk")},
	{name: "an index with another sort key",
		do: creation("made-1", "pk sk", "by-customer gsi1pk sk"), want: "key-schema"},
	{name: "an index with a number as its key",
		do: creation("made-1", "pk sk", "by-customer =gsi1pk"), want: "key-schema"},
	{name: "an open index of numbers", do: creation("made-1", "pk sk", "by-day =day sk")},
	{name: "an index that is not declared", do: creation("made-1", "pk sk", "by-price =price")},
	{name: "another table", do: creation("elsewhere", "id")},
}), declared(indexedPolicy, []placeCase{
	{name: "a new index", do: newIndex("other", "by-day day sk")},
	{name: "a new index with another key", do: newIndex("other", "by-day pk sk"),
		want: "key-schema"},
}))

// creation asks for a table. Its key, and an index with its key, are names with spaces between. An
// attribute that begins with "=" is a number.
func creation(table, key string, indexes ...string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in := &dynamodb.CreateTableInput{TableName: &table,
			BillingMode: types.BillingModePayPerRequest}
		in.KeySchema = keySchema(strings.Fields(key), &in.AttributeDefinitions)
		for _, x := range indexes {
			parts := strings.Fields(x)
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes,
				types.GlobalSecondaryIndex{IndexName: &parts[0],
					KeySchema:  keySchema(parts[1:], &in.AttributeDefinitions),
					Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}})
		}
		_, err := c.CreateTable(ctx, in)
		return err
	}
}

// newIndex asks for an index of a table that is there.
func newIndex(table, index string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		parts := strings.Fields(index)
		in := &dynamodb.UpdateTableInput{TableName: &table}
		in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexUpdate{
			{Create: &types.CreateGlobalSecondaryIndexAction{IndexName: &parts[0],
				KeySchema:  keySchema(parts[1:], &in.AttributeDefinitions),
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}}
		_, err := c.UpdateTable(ctx, in)
		return err
	}
}

// keySchema is the key of one or two attributes, which it defines if they are not yet.
func keySchema(names []string, into *[]types.AttributeDefinition) (key []types.KeySchemaElement) {
	for i, name := range names {
		name, isNumber := strings.CutPrefix(name, "=")
		kind := types.ScalarAttributeTypeS
		if isNumber {
			kind = types.ScalarAttributeTypeN
		}
		if !slices.ContainsFunc(*into, func(d types.AttributeDefinition) bool {
			return *d.AttributeName == name
		}) {
			*into = append(*into, types.AttributeDefinition{
				AttributeName: aws.String(name), AttributeType: kind,
			})
		}
		key = append(key, types.KeySchemaElement{AttributeName: aws.String(name),
			KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]})
	}
	return key
}
