// Reading / Read what was just written
//
// A read without `ConsistentRead` may return older data. On a small table it almost never does, so
// that code which depends on its own writes passes all tests, and fails some day under load.
//
// The fault `StaleReads` makes such reads old, within a bound. A consistent read is not concerned.
// It costs twice as much. See [Read
// consistency](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html).

package recipes

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

func TestReadYourWrites(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("carts", "user", ""))
	server.SetFaults(t, fault.MustHit(fault.Fault{Do: fault.StaleReads(fault.Bound{Writes: 3})}))
	client, name := server.Client(), aws.String("carts")

	for n := range 20 {
		must(client.PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: name, Item: item{"user": str("ada"), "items": num(n)},
		}))
	}
	get := func(consistent bool) item {
		return must(client.GetItem(t.Context(), &dynamodb.GetItemInput{
			TableName: name, Key: item{"user": str("ada")}, ConsistentRead: aws.Bool(consistent),
		})).Item
	}
	old := 0
	for range 20 {
		if number(get(false)["items"]) != "19" {
			old++
		}
		if now := number(get(true)["items"]); now != "19" {
			t.Errorf("a consistent read returned %s", now)
		}
	}
	if old == 0 {
		t.Error("no read was old")
	}
}
