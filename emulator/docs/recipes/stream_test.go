// Streams and time / Read a stream from its beginning
//
// A stream has shards, a shard has records, and a reader needs an iterator for each shard. An empty
// page does not mean that the shard has ended: `NextShardIterator` leads on until the shard is
// closed. Emulators had trouble with just that ([localstack
// #1529](https://github.com/localstack/localstack/pull/1529), [localstack
// #2616](https://github.com/localstack/localstack/issues/2616)).
//
// The fault `ShortPages` makes pages of one record, and the loop below reads as long as records
// come. See [DynamoDB
// Streams](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html).

package recipes

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

func TestStream(t *testing.T) {
	server := emulatortest.Start(t)
	orders := table("orders", "id", "")
	orders.StreamView = "NEW_AND_OLD_IMAGES"
	server.SeedTables(t, orders)
	server.SetFaults(t, fault.MustHit(fault.Fault{Do: fault.ShortPages(1)}))
	client, streams, name := server.Client(), server.StreamsClient(), aws.String("orders")

	must(client.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: name, Item: item{"id": str("1"), "total": num(5)},
	}))
	must(client.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: name, Item: item{"id": str("1"), "total": num(7)},
	}))
	must(client.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: name, Item: item{"id": str("1"), "total": num(7)},
	})) // changes nothing
	must(client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
		TableName: name, Key: item{"id": str("1")},
	}))

	arn := must(client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{
		TableName: name,
	})).Table.LatestStreamArn
	var events []string
	for _, shard := range must(streams.DescribeStream(
		t.Context(), &dynamodbstreams.DescribeStreamInput{
			StreamArn: arn,
		})).StreamDescription.Shards {
		at := must(streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: "TRIM_HORIZON",
		})).ShardIterator
		for at != nil {
			page := must(streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{
				ShardIterator: at,
			}))
			if len(page.Records) == 0 {
				break // all records are read; a consumer goes on with NextShardIterator
			}
			for _, record := range page.Records {
				events = append(events, string(record.EventName))
			}
			at = page.NextShardIterator
		}
	}
	if want := []string{"INSERT", "MODIFY", "REMOVE"}; !slices.Equal(events, want) {
		t.Errorf("events: %v", events)
	}
}
