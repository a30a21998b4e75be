// Capacity / Test what happens when requests are throttled
//
// A table that has no capacity left refuses requests. The SDK tries again, with waits in between,
// and then the program gets the error. People ask how to make that happen ([localstack
// #7](https://github.com/localstack/localstack/issues/7), [localstack
// #17](https://github.com/localstack/localstack/issues/17)); an error with some probability, which
// is the usual answer, makes tests that fail now and then.
//
// The fault `Throttle` refuses chosen requests, the same in each run. The first test shows that two
// refusals are survived, the second that the program sees what the SDK gives up on. See [Error
// handling](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html).

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

func TestThrottling(t *testing.T) {
	for _, c := range []struct {
		name     string
		refused  int
		attempts int
		gone     bool
	}{
		{"two refusals", 2, 3, false},
		{"more than the SDK takes", 100, 3, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := emulatortest.Start(t,
				emulatortest.WithClientOptions(
					func(o *dynamodb.Options) { o.RetryMaxAttempts = 3 }))
			server.SeedTables(t, table("orders", "id", ""))
			throttled := server.AddFault(t, fault.MustHit(fault.Fault{
				When: fault.And(fault.Operation("PutItem"), fault.Table("orders"),
					fault.First(c.refused)),
				Do: fault.Throttle(fault.ProvisionedLimit),
			}))
			_, err := server.Client().PutItem(t.Context(), &dynamodb.PutItemInput{
				TableName: aws.String("orders"), Item: item{"id": str("1")},
			})
			var gone *types.ProvisionedThroughputExceededException
			if errors.As(err, &gone) != c.gone {
				t.Errorf("the error is %v", err)
			}
			if hits := throttled.Hits(); int(hits) != min(c.refused, c.attempts) {
				t.Errorf("%d requests were refused", hits)
			}
			if stored := len(server.Items(t, "orders")); (stored == 0) != c.gone {
				t.Errorf("%d orders are stored", stored)
			}
		})
	}
}
