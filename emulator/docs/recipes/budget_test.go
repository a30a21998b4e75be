// Capacity / Keep the cost of a use case within a budget
//
// A change that turns a query into a scan, or reads an item twice, passes all tests of results. The
// bill shows it.
//
// `Record` fails the test if the use case takes more units or requests than it should, or scans.
// The test then logs what it read, and why it cost so much. `Explain` tells the same of one
// request, without sending it. See [Capacity unit
// consumption](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html).

package recipes

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestBudget(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("orders", "customer", "order",
		seed.Item{"customer": "ada", "order": "1"}, seed.Item{"customer": "ada", "order": "2"},
		seed.Item{"customer": "bob", "order": "1"}))
	emulatortest.Record(t, server,
		emulatortest.MaxReadUnits(1), emulatortest.MaxRequests(1), emulatortest.NoScan("orders"),
	)

	out := must(server.Client().Query(t.Context(), &dynamodb.QueryInput{
		TableName:                 aws.String("orders"),
		KeyConditionExpression:    aws.String("customer = :c"),
		ExpressionAttributeValues: item{":c": str("ada")},
	}))
	if out.Count != 2 {
		t.Errorf("%d orders", out.Count)
	}

	plan := server.Explain(t, func(client *dynamodb.Client) error {
		_, err := client.Scan(t.Context(), &dynamodb.ScanInput{
			TableName:                 aws.String("orders"),
			FilterExpression:          aws.String("customer = :c"),
			ExpressionAttributeValues: item{":c": str("ada")},
		})
		return err
	})
	if plan.Evaluated != 3 || plan.Returned != 2 || len(plan.Why) == 0 {
		t.Errorf("the plan of a scan with a filter: %v", plan)
	}
}
