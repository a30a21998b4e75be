// Transactions / Send a transaction twice, and do it once
//
// The answer to a transaction can get lost, too. With a `ClientRequestToken` it may be sent again:
// for ten minutes the same request with the same token has no further effect, and succeeds. Another
// request with the token is an `IdempotentParameterMismatchException`. The SDK for Go makes a token
// for each call, which covers its own retries; take one of your own, such as the id of a payment,
// to cover a restart of the program.
//
// The held clock shows what happens after the ten minutes. See
// [Idempotency](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-apis-txwriteitems).

package recipes

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestIdempotencyToken(t *testing.T) {
	server := emulatortest.Start(t, emulatortest.WithClockAt(noon))
	server.SeedTables(t, table("accounts", "id", "", seed.Item{"id": "ada", "balance": 0}))
	server.SetFaults(t, fault.MustHit(fault.Fault{When: fault.Nth(1), Do: fault.LoseResponse()}))
	pay := func() {
		must(server.Client().TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			ClientRequestToken: aws.String("payment-7"),
			TransactItems: []types.TransactWriteItem{{Update: &types.Update{
				TableName: aws.String("accounts"), Key: item{"id": str("ada")},
				UpdateExpression:          aws.String("ADD balance :paid"),
				ExpressionAttributeValues: item{":paid": num(10)},
			}}},
		}))
	}
	balance := func() any { return server.Item(t, "accounts", seed.Item{"id": "ada"})["balance"] }

	pay() // its answer is lost, and the SDK sends it again
	pay() // the program was restarted
	if got := balance(); got != json.Number("10") {
		t.Errorf("the balance is %v", got)
	}
	server.Clock().Advance(11 * time.Minute)
	pay()
	if got := balance(); got != json.Number("20") {
		t.Errorf("eleven minutes later, the balance is %v", got)
	}
}
