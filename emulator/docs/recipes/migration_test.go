// Design / Move to a new table while the old one is in use
//
// Copy first, then catch up by the stream: every change since the stream was enabled is applied to
// the new table. A copied item may be older than what the stream has brought, so the copy must not
// overwrite (`attribute_not_exists`), and changes are applied in the order of the stream.
//
// In the test an item changes and another one goes while the copy runs. Compare both tables before
// you switch. `kugiri export` and `kugiri import` copy tables between endpoints.

package recipes

import (
	"errors"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestMigration(t *testing.T) {
	server := emulatortest.Start(t)
	from := table("old", "id", "", seed.Item{"id": "1", "v": 1}, seed.Item{"id": "2", "v": 1},
		seed.Item{"id": "3", "v": 1})
	from.StreamView = "NEW_IMAGE"
	server.SeedTables(t, from, table("new", "id", ""))
	client := server.Client()
	put := func(table string, it item, condition *string) error {
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String(table), Item: it, ConditionExpression: condition,
		})
		return err
	}
	remove := func(table string, key item) {
		must(client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
			TableName: aws.String(table), Key: key,
		}))
	}

	copied := must(
		client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("old")})).Items
	must(0, put("old", item{"id": str("1"), "v": num(2)}, nil)) // the application goes on
	remove("old", item{"id": str("2")})
	for _, it := range copied {
		err := put("new", it, aws.String("attribute_not_exists(id)"))
		var newer *types.ConditionalCheckFailedException
		if err != nil && !errors.As(err, &newer) {
			t.Fatal(err)
		}
	}
	for _, record := range streamRecords(t, server, "old") {
		if record.EventName == "REMOVE" {
			remove("new", item{"id": streamValue(record.Dynamodb.Keys["id"])})
			continue
		}
		it := item{}
		for name, v := range record.Dynamodb.NewImage {
			it[name] = streamValue(v)
		}
		must(0, put("new", it, nil))
	}
	if before, after := server.Items(t, "old"), server.Items(t, "new"); !reflect.DeepEqual(before,
		after) {
		t.Errorf("the tables differ: %v, %v", before, after)
	}
}
