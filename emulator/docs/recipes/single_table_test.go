// Design / Read related items with one query
//
// There are no joins. Items that are read together get the same partition key, and sort keys whose
// prefixes tell their kinds: a customer with the latest orders is one query of one partition. An
// overloaded global index turns the relation round, here from a product to its orders.
//
// The budget makes the point: one request, half a unit. `kugiri keys recommend` asks for the keys
// that fit your data, and a [policy](../../../conventions/docs/policy.md) holds requests to them.
// See [Relational
// modeling](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-relational-modeling.html).

package recipes

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestSingleTable(t *testing.T) {
	shop := table("shop", "pk", "sk",
		seed.Item{"pk": "CUSTOMER#ada", "sk": "PROFILE", "name": "Ada"},
		seed.Item{"pk": "CUSTOMER#ada", "sk": "ORDER#2026-01-05", "gsi1pk": "PRODUCT#pen",
			"gsi1sk": "2026-01-05"},
		seed.Item{"pk": "CUSTOMER#ada", "sk": "ORDER#2026-02-07", "gsi1pk": "PRODUCT#ink",
			"gsi1sk": "2026-02-07"},
		seed.Item{"pk": "CUSTOMER#bob", "sk": "ORDER#2026-02-08", "gsi1pk": "PRODUCT#pen",
			"gsi1sk": "2026-02-08"},
	)
	shop.GlobalIndexes = []seed.Index{{
		Name:         "gsi1",
		PartitionKey: seed.Attribute{Name: "gsi1pk", Type: "S"},
		SortKey:      seed.Attribute{Name: "gsi1sk", Type: "S"},
	}}
	server := emulatortest.Start(t)
	server.SeedTables(t, shop)

	for _, c := range []struct {
		name  string
		query dynamodb.QueryInput
		want  int32
	}{
		{"a customer with all orders", dynamodb.QueryInput{
			KeyConditionExpression:    aws.String("pk = :c"),
			ExpressionAttributeValues: item{":c": str("CUSTOMER#ada")},
		}, 3},
		{"the latest order", dynamodb.QueryInput{
			KeyConditionExpression:    aws.String("pk = :c AND begins_with(sk, :o)"),
			ExpressionAttributeValues: item{":c": str("CUSTOMER#ada"), ":o": str("ORDER#")},
			ScanIndexForward:          aws.Bool(false), Limit: aws.Int32(1),
		}, 1},
		{"the orders of a product in February", dynamodb.QueryInput{
			IndexName:                 aws.String("gsi1"),
			KeyConditionExpression:    aws.String("gsi1pk = :p AND begins_with(gsi1sk, :m)"),
			ExpressionAttributeValues: item{":p": str("PRODUCT#pen"), ":m": str("2026-02")},
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			emulatortest.Record(t, server,
				emulatortest.MaxRequests(1), emulatortest.MaxReadUnits(0.5),
				emulatortest.NoFilterWaste(0),
			)
			c.query.TableName = aws.String("shop")
			if out := must(server.Client().Query(t.Context(), &c.query)); out.Count != c.want {
				t.Errorf("%d items", out.Count)
			}
		})
	}
}
