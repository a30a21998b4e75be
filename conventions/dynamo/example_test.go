package dynamo_test

import (
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/dynamo"
)

// ExampleByPrefix reads all items of an order, as in the guide's "Query by SK prefix".
func ExampleByPrefix() {
	orders := conventions.Hierarchical{Prefix: "ORDER", Children: []string{"ORDER_ITEM"}}
	items, err := orders.ChildrenPrefix("ORDER_ITEM", "01HX7MBJK3V9WQBZ7XNDK5ZT2M")
	if err != nil {
		log.Fatal(err)
	}
	input, err := dynamo.ByPrefix("data", "ORDER#tenant001", items).Limit(25).Input()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(aws.ToString(input.KeyConditionExpression))
	fmt.Println(input.ExpressionAttributeValues[":skPrefix"].(*types.AttributeValueMemberS).Value)
	// Output:
	// #pk = :pk AND begins_with(#sk, :skPrefix)
	// ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#
}

// ExampleLatestTransaction publishes v2 after v1. Send the input with TransactWriteItems. If
// Overtaken reports true for the error, read the latest item (LatestTable.GetLatest) and publish
// after the version that it has then.
func ExampleLatestTransaction() {
	input, err := dynamo.LatestTransaction(dynamo.LatestTable{
		Name: "documents",
	}, dynamo.Publication{
		Version:  "v2",
		Previous: "v1",
		Content: map[string]types.AttributeValue{
			"content": &types.AttributeValueMemberS{Value: "Hello"},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, action := range input.TransactItems {
		key := action.Put.Item["documentVersion"].(*types.AttributeValueMemberS).Value
		fmt.Println(key, "if", aws.ToString(action.Put.ConditionExpression))
	}
	// Output:
	// v2 if attribute_not_exists(#key)
	// latest if #version = :previous
}
