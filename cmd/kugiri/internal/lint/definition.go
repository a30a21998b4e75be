package lint

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// definition returns the findings on the keys of a table and its indexes.
func (l *Linter) definition(ctx context.Context, table string) ([]policy.Finding, error) {
	out, err := l.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table},
		transfer.Patient)
	if err != nil {
		return nil, fmt.Errorf("describing %s: %w", table, err)
	}
	return l.Policy.CheckDefinitions(keysOf(table, out.Table)), nil
}

// keysOf are the keys of a table and its indexes.
func keysOf(table string, d *types.TableDescription) []request.Definition {
	of := map[string]item.Type{}
	for _, a := range d.AttributeDefinitions {
		of[aws.ToString(a.AttributeName)] = map[types.ScalarAttributeType]item.Type{
			types.ScalarAttributeTypeS: item.S, types.ScalarAttributeTypeN: item.N,
			types.ScalarAttributeTypeB: item.B,
		}[a.AttributeType]
	}
	var keys []request.Definition
	add := func(index string, schema []types.KeySchemaElement) {
		k := request.Definition{Table: table, Index: index}
		for _, e := range schema {
			name := aws.ToString(e.AttributeName)
			into := &k.Partition
			if e.KeyType == types.KeyTypeRange {
				into = &k.Sort
			}
			*into = append(*into, request.KeyAttribute{Name: name, Type: of[name]})
		}
		keys = append(keys, k)
	}
	add("", d.KeySchema)
	for _, x := range d.LocalSecondaryIndexes {
		add(aws.ToString(x.IndexName), x.KeySchema)
	}
	for _, x := range d.GlobalSecondaryIndexes {
		add(aws.ToString(x.IndexName), x.KeySchema)
	}
	return keys
}
