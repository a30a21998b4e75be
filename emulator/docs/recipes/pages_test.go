// Reading / Get every page of a query
//
// A Query or Scan ends at 1 MB of items, *before* its filter drops any. An answer with
// `LastEvaluatedKey` has more pages to come, even if it has no items at all. Code that reads only
// the first page works in every small test and fails in production ([Dynamoid
// #102](https://github.com/Dynamoid/dynamoid/pull/102), [rcredstash
// #17](https://github.com/adorechic/rcredstash/pull/17)).
//
// `WithLimits` makes pages so small that a few items need several. The test below fails if the loop
// stops at the first page, or at the first empty one. See [Paginating table query
// results](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html).

package recipes

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestEveryPage(t *testing.T) {
	limits := emulator.WithLimits(emulator.Limits{PageBytes: 60})
	server := emulatortest.Start(t, emulatortest.WithEmulator(limits))
	server.SeedTables(t, table("orders", "customer", "order",
		seed.Item{"customer": "ada", "order": "1", "state": "paid"},
		seed.Item{"customer": "ada", "order": "2", "state": "paid"},
		seed.Item{"customer": "ada", "order": "3", "state": "paid"},
		seed.Item{"customer": "ada", "order": "4", "state": "open"},
	))
	pages := dynamodb.NewQueryPaginator(server.Client(), &dynamodb.QueryInput{
		TableName:                 aws.String("orders"),
		KeyConditionExpression:    aws.String("customer = :c"),
		FilterExpression:          aws.String("#s = :open"),
		ExpressionAttributeNames:  map[string]string{"#s": "state"}, // a reserved word
		ExpressionAttributeValues: item{":c": str("ada"), ":open": str("open")},
	})
	var open []item
	read, empty := 0, 0
	for pages.HasMorePages() {
		page := must(pages.NextPage(t.Context()))
		open = append(open, page.Items...)
		read++
		if len(page.Items) == 0 {
			empty++
		}
	}
	if len(open) != 1 || read < 2 || empty == 0 {
		t.Errorf("%d open orders in %d pages, %d of them empty", len(open), read, empty)
	}
}
