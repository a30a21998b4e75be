// Transactions / Find out why a transaction was canceled
//
// A TransactWriteItems does all of its actions or none. If one of them fails, the error is a
// `TransactionCanceledException`, and its `CancellationReasons` have one entry for each action, in
// the order of the request: `None` for those that were in order. People look for them in vain with
// some SDKs and emulators ([aws-sdk-net #1292](https://github.com/aws/aws-sdk-net/issues/1292),
// [localstack #5860](https://github.com/localstack/localstack/issues/5860), [boto3
// #2657](https://github.com/boto/boto3/issues/2657)).
//
// `ReturnValuesOnConditionCheckFailure` adds the item that was in the way.

package recipes

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestCancellationReasons(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t,
		table("orders", "id", ""),
		table("stock", "product", "", seed.Item{"product": "pen", "left": 2}),
	)

	_, err := server.Client().TransactWriteItems(
		t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: aws.String("orders"),
				Item: item{"id": str("1"), "pens": num(3)}}},
			{Update: &types.Update{
				TableName: aws.String("stock"), Key: item{"product": str("pen")},
				UpdateExpression:                    aws.String("SET #l = #l - :pens"),
				ConditionExpression:                 aws.String("#l >= :pens"),
				ExpressionAttributeNames:            map[string]string{"#l": "left"},
				ExpressionAttributeValues:           item{":pens": num(3)},
				ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
			}},
		}})
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		t.Fatal(err)
	}
	order, stock := canceled.CancellationReasons[0], canceled.CancellationReasons[1]
	if *order.Code != "None" || *stock.Code != "ConditionalCheckFailed" ||
		number(stock.Item["left"]) != "2" {
		t.Errorf("reasons: %s, %s with %v", *order.Code, *stock.Code, stock.Item)
	}
	if orders := server.Items(t, "orders"); len(orders) != 0 {
		t.Errorf("there are orders: %v", orders)
	}
}
