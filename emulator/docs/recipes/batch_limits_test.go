// Writing / Write many items in batches
//
// A BatchWriteItem has at most 25 requests, of 16 MB together, and not two for the same item. One
// too many refuses the whole batch, with a ValidationException. So code cuts its items into
// batches, and keeps the last one of several writes of the same item.
//
// See
// [BatchWriteItem](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html),
// and [Send unprocessed items again](unprocessed_items.md) for what may be left of a batch.

package recipes

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

func TestBatchLimits(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("events", "id", ""))
	var writes []types.WriteRequest
	for i := range 60 {
		writes = append(writes,
			types.WriteRequest{PutRequest: &types.PutRequest{Item: item{"id": str(fmt.Sprint(i))}}})
	}
	send := func(batch []types.WriteRequest) error {
		_, err := server.Client().BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{"events": batch},
		})
		return err
	}
	for _, wrong := range [][]types.WriteRequest{writes[:26], {writes[0], writes[0]}} {
		var refused smithy.APIError
		if err := send(wrong); !errors.As(err, &refused) ||
			refused.ErrorCode() != "ValidationException" {
			t.Errorf("a batch of %d: %v", len(wrong), err)
		}
	}
	for batch := range slices.Chunk(writes, 25) {
		must(0, send(batch))
	}
	if stored := len(server.Items(t, "events")); stored != 60 {
		t.Errorf("%d items are stored", stored)
	}
}
