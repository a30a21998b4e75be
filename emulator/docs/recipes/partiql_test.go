// Reading / Read with PartiQL
//
// `ExecuteStatement` takes SQL-like text. A SELECT whose WHERE has the whole partition key is a
// query; any other SELECT reads the whole table, and the text does not show which of the two it is.
//
// A budget shows it: `NoScan` fails the test if a statement scans. Answers are paged as those of a
// query, with `NextToken`. See [PartiQL select
// statements](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.select.html).

package recipes

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestPartiQL(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("orders", "customer", "order",
		seed.Item{"customer": "ada", "order": "2026-01", "total": 10},
		seed.Item{"customer": "ada", "order": "2026-02", "total": 20},
		seed.Item{"customer": "bob", "order": "2026-01", "total": 30},
	))
	emulatortest.Record(t, server, emulatortest.NoScan("orders"))

	var totals []string
	in := &dynamodb.ExecuteStatementInput{
		Statement: aws.String(
			`SELECT total FROM "orders" WHERE customer = ? AND begins_with("order", ?)`),
		Parameters: []types.AttributeValue{str("ada"), str("2026-")},
		Limit:      aws.Int32(1),
	}
	for {
		out := must(server.Client().ExecuteStatement(t.Context(), in))
		for _, order := range out.Items {
			totals = append(totals, number(order["total"]))
		}
		if in.NextToken = out.NextToken; in.NextToken == nil {
			break
		}
	}
	if len(totals) != 2 || totals[0] != "10" || totals[1] != "20" {
		t.Errorf("totals: %v", totals)
	}
}
