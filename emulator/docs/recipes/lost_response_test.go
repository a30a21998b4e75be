// Writing / Survive the loss of an answer
//
// A connection may break after a write was committed and before its answer arrives. The SDK sends
// the request again. A counter that is incremented counts twice, then; a write that sets a value,
// or one whose condition can hold only once, does not. The service cannot be made to do this, the
// fault `LoseResponse` can.
//
// The condition below makes the increment happen once: it names the payment. When the second
// attempt fails, the item that comes with the error shows that the first one counted.

package recipes

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestLostResponse(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t,
		table("accounts", "id", "", seed.Item{"id": "plain", "sum": 0},
			seed.Item{"id": "safe", "sum": 0}),
	)
	lose := fault.Fault{
		When: fault.And(fault.Operation("UpdateItem"), fault.Nth(1)), Do: fault.LoseResponse(),
	}

	server.SetFaults(t, fault.MustHit(lose))
	must(server.Client().UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("accounts"), Key: item{"id": str("plain")},
		UpdateExpression:          aws.String("ADD #s :paid"),
		ExpressionAttributeNames:  map[string]string{"#s": "sum"},
		ExpressionAttributeValues: item{":paid": num(10)},
	}))

	server.SetFaults(t, fault.MustHit(lose))
	_, err := server.Client().UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("accounts"), Key: item{"id": str("safe")},
		UpdateExpression: aws.String("SET payment = :payment ADD #s :paid"),
		ConditionExpression: aws.String(
			"attribute_not_exists(payment) OR payment <> :payment"),
		ExpressionAttributeNames:            map[string]string{"#s": "sum"},
		ExpressionAttributeValues:           item{":paid": num(10), ":payment": str("payment-7")},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var before *types.ConditionalCheckFailedException
	if !errors.As(err, &before) ||
		before.Item["payment"].(*types.AttributeValueMemberS).Value != "payment-7" {
		t.Errorf("the second attempt: %v", err)
	}
	for id, want := range map[string]string{"plain": "20", "safe": "10"} {
		if sum := server.Item(t, "accounts", seed.Item{"id": id})["sum"]; sum != json.Number(want) {
			t.Errorf("%s: the sum is %v", id, sum)
		}
	}
}
