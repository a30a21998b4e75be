// Writing / Send unprocessed items again
//
// A batch succeeds although some of its requests were not carried out: they are in
// `UnprocessedItems` (`UnprocessedKeys` of BatchGetItem). The SDK does not send them again. On a
// small table there never are any, so people ask how to test it ([dynalite
// #62](https://github.com/architect/dynalite/issues/62), [jest-dynalite
// #90](https://github.com/freshollie/jest-dynalite/issues/90), [localstack
// #3879](https://github.com/localstack/localstack/issues/3879)).
//
// The fault `Unprocessed` returns half of the first three batches. In production, wait between the
// attempts, longer each time, and give up after some.

package recipes

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

func TestUnprocessedItems(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("events", "id", ""))
	server.SetFaults(t,
		fault.MustHit(fault.Fault{When: fault.First(3), Do: fault.Unprocessed(0.5)}))

	left := map[string][]types.WriteRequest{}
	for i := range 20 {
		left["events"] = append(left["events"],
			types.WriteRequest{PutRequest: &types.PutRequest{Item: item{"id": str(fmt.Sprint(i))}}})
	}
	attempts := 0
	for ; len(left) > 0; attempts++ {
		if attempts == 10 {
			t.Fatalf("%d items are still unprocessed", len(left["events"]))
		}
		out := must(server.Client().BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{
			RequestItems: left,
		}))
		left = out.UnprocessedItems
	}
	if stored := len(server.Items(t, "events")); stored != 20 || attempts != 4 {
		t.Errorf("%d items are stored after %d attempts", stored, attempts)
	}
}
