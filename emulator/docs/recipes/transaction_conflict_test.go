// Transactions / Meet another transaction
//
// Two transactions with the same item at the same time: one is canceled, with the reason
// `TransactionConflict`. A single write of an item in a transaction fails with a
// `TransactionConflictException`. The SDK for Go retries neither: that is left to the program,
// which knows whether its conditions still make sense.
//
// Locally nothing is ever in the way. The fault `TransactionConflict` holds the item. See
// [Transaction conflict
// handling](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling).

package recipes

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

func TestTransactionConflict(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("seats", "seat", ""))
	server.SetFaults(t, fault.MustHit(fault.Fault{
		When: fault.And(fault.Key("seat", "12A"), fault.First(2)), Do: fault.TransactionConflict(),
	}))
	book := func() error {
		_, err := server.Client().TransactWriteItems(
			t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{
					TableName:           aws.String("seats"),
					Item:                item{"seat": str("12A")},
					ConditionExpression: aws.String("attribute_not_exists(seat)"),
				}},
				{Put: &types.Put{
					TableName:           aws.String("seats"),
					Item:                item{"seat": str("12B")},
					ConditionExpression: aws.String("attribute_not_exists(seat)"),
				}},
			}})
		return err
	}
	conflict := func(err error) bool {
		var canceled *types.TransactionCanceledException
		if !errors.As(err, &canceled) {
			return false
		}
		for _, reason := range canceled.CancellationReasons {
			if code := *reason.Code; code != "None" && code != "TransactionConflict" {
				return false // the seat is taken, say: another attempt cannot succeed
			}
		}
		return true
	}
	err, attempts := book(), 1
	for ; conflict(err) && attempts < 5; attempts++ {
		err = book() // production waits before, longer each time
	}
	if err != nil || attempts != 3 || len(server.Items(t, "seats")) != 2 {
		t.Errorf("after %d attempts: %v", attempts, err)
	}
}
