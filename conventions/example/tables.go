package shop

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// itemKey names the attributes of a primary key. sort is "" if there is no sort key.
type itemKey struct{ partition, sort string }

// Create makes the shop's tables.
func Create(ctx context.Context, client *dynamodb.Client) error {
	guides := itemKey{"pk", "sk"}
	commands := table(commandTable, guides, nil)
	commands.StreamSpecification = &types.StreamSpecification{
		StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage,
	}
	for _, in := range []*dynamodb.CreateTableInput{
		table(dataTable, guides, map[string]itemKey{productIndex: {"gsi1pk", "gsi1sk"}}),
		commands, table(historyTable, guides, nil), table(usersTable, guides, nil),
		table(terms.Name, itemKey{"documentVersion", ""}, nil),
	} {
		if _, err := client.CreateTable(ctx, in); err != nil {
			return err
		}
	}
	_, err := client.UpdateTimeToLive(
		ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String(usersTable),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(
				"ttl"),
				Enabled: aws.Bool(true)}})
	return err
}

// table describes a table whose keys are strings. Its secondary indexes project all attributes.
func table(name string, primary itemKey, indexes map[string]itemKey) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest}
	declared := map[string]bool{}
	schema := func(k itemKey) (elements []types.KeySchemaElement) {
		for _, e := range []types.KeySchemaElement{{AttributeName: &k.partition, KeyType: "HASH"},
			{AttributeName: &k.sort, KeyType: "RANGE"}} {
			name := *e.AttributeName
			if name == "" {
				continue
			}
			elements = append(elements, e)
			if !declared[name] {
				declared[name] = true
				in.AttributeDefinitions = append(in.AttributeDefinitions,
					types.AttributeDefinition{AttributeName: e.AttributeName, AttributeType: "S"})
			}
		}
		return elements
	}
	in.KeySchema = schema(primary)
	for index, k := range indexes {
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes,
			types.GlobalSecondaryIndex{IndexName: aws.String(index),
				KeySchema:  schema(k),
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}})
	}
	return in
}
