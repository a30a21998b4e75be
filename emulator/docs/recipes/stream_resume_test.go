// Streams and time / Resume a stream after a restart
//
// A consumer remembers the sequence number of the last record that it has dealt with, and goes on
// after it, with `AFTER_SEQUENCE_NUMBER`. An iterator is no bookmark: it expires after 15 minutes
// ([localstack #5182](https://github.com/localstack/localstack/issues/5182)). Neither is a sequence
// number for ever: records are kept for 24 hours. Who comes later gets a
// `TrimmedDataAccessException`, and must begin at `TRIM_HORIZON` and compare with the table.
//
// The held clock shows both within milliseconds. See
// [GetShardIterator](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetShardIterator.html).

package recipes

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

func TestStreamResume(t *testing.T) {
	server := emulatortest.Start(t, emulatortest.WithClockAt(noon))
	orders := table("orders", "id", "")
	orders.StreamView = "KEYS_ONLY"
	server.SeedTables(t, orders)
	client, streams, name := server.Client(), server.StreamsClient(), aws.String("orders")
	put := func(id string) {
		must(client.PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: name, Item: item{"id": str(id)},
		}))
	}
	put("1")
	put("2")
	arn := must(client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{
		TableName: name,
	})).Table.LatestStreamArn
	shard := must(streams.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{
		StreamArn: arn,
	})).StreamDescription.Shards[0]
	iterator := func(kind types.ShardIteratorType, after *string) (*string, error) {
		out, err := streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: kind, SequenceNumber: after,
		})
		if err != nil {
			return nil, err
		}
		return out.ShardIterator, nil
	}
	read := func(at *string) (*dynamodbstreams.GetRecordsOutput, error) {
		return streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: at})
	}
	page := must(read(must(iterator("TRIM_HORIZON", nil))))
	bookmark := page.Records[0].Dynamodb.SequenceNumber // the consumer stops after the first record

	server.Clock().Advance(16 * time.Minute)
	var expired *types.ExpiredIteratorException
	if _, err := read(page.NextShardIterator); !errors.As(err, &expired) {
		t.Errorf("an iterator of 16 minutes: %v", err)
	}
	if left := must(read(must(iterator("AFTER_SEQUENCE_NUMBER", bookmark)))).Records; len(
		left) != 1 {
		t.Errorf("%d records after the bookmark", len(left))
	}
	server.Clock().Advance(25 * time.Hour)
	put("3")
	var trimmed *types.TrimmedDataAccessException
	if _, err := iterator("AFTER_SEQUENCE_NUMBER", bookmark); !errors.As(err, &trimmed) {
		t.Errorf("a bookmark of 25 hours: %v", err)
	}
}
