package main

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// updatePlaces are the cases of updates of bookkeeping, by a gateway that adds conditions and by
// one that adds none.
var updatePlaces = slices.Concat(bookkeepingPlaces("", false),
	bookkeepingPlaces(" without conditions", true))

func bookkeepingPlaces(suffix string, unamended bool) []placeCase {
	const (
		updated   = "SET updatedAt = :sx"
		unrelated = "attribute_not_exists(a)"
		byUpdate  = `UPDATE command SET updatedAt = 'x' WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1@1'`
	)
	key := keyOfCommand("1")
	absent := types.ExpectedAttributeValue{Exists: aws.Bool(false)}
	present := types.ExpectedAttributeValue{Value: value("ORDER#tenant001")}
	cases := []placeCase{
		{name: "bookkeeping under an unrelated condition",
			do: alone(update("command", unrelated, updated, key...)), want: forGood},
		{name: "bookkeeping under one of two conditions", want: forGood,
			do: alone(update("command", "attribute_exists(pk) OR "+unrelated, updated, key...))},
		{name: "bookkeeping under the negation of a condition",
			do: alone(update("command", "NOT a = :sx", updated, key...)), want: forGood},
		{name: "bookkeeping in a transaction under an unrelated condition", want: forGood,
			do: together(update("command", unrelated, updated, key...))},
		{name: "bookkeeping by legacy parameters", do: legacyUpdate("a", absent), want: forGood},
		{name: "bookkeeping by UPDATE of no command", do: statement(byUpdate),
			want: failedCondition},
		{name: "bookkeeping by UPDATE", stored: commandStored("1"), do: statement(byUpdate)},
		{name: "bookkeeping under a condition that only an item meets", stored: commandStored("1"),
			do: alone(update("command", "attribute_exists(sk)", updated, key...))},
		{name: "bookkeeping by legacy parameters of a command that is there",
			stored: commandStored("1"), do: legacyUpdate("pk", present)},
		{name: "bookkeeping by legacy parameters of no command", do: legacyUpdate("pk", present),
			want: failedCondition},
	}
	for i := range cases {
		c := &cases[i]
		c.name, c.unamended = c.name+suffix, unamended
		switch c.want {
		case forGood:
			c.except = []difference{{inLint, repeated, "lint sees a command without its version"}}
		case failedCondition:
			c.except = traceless(noTrace)
		}
	}
	return cases
}

// legacyUpdate asks for an update of a command's bookkeeping by AttributeUpdates.
func legacyUpdate(attribute string, expected types.ExpectedAttributeValue) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String("command"), Key: attributes(keyOfCommand("1")...),
			AttributeUpdates: map[string]types.AttributeValueUpdate{
				"updatedAt": {Value: value("x")},
			},
			Expected: map[string]types.ExpectedAttributeValue{attribute: expected},
		})
		return err
	}
}
