// Testing / What the recipes share
//
// The recipes use short names for the SDK's attribute values and for tables with string keys, and
// `must` for calls that are to succeed.

package recipes

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// item is an item, or a key, as the SDK has it.
type item = map[string]types.AttributeValue

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func num(n any) types.AttributeValue { return &types.AttributeValueMemberN{Value: fmt.Sprint(n)} }

// must returns the answer of a call. It panics for an error, as template.Must does.
func must[T any](answer T, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

// number returns the digits of a number.
func number(v types.AttributeValue) string { return v.(*types.AttributeValueMemberN).Value }

// table returns a table whose keys are strings. It has no sort key if sort is "".
func table(name, partition, sort string, items ...seed.Item) seed.Table {
	made := seed.Table{
		Name: name, PartitionKey: seed.Attribute{Name: partition, Type: "S"}, Items: items,
	}
	if sort != "" {
		made.SortKey = seed.Attribute{Name: sort, Type: "S"}
	}
	return made
}

// noon is when the held clocks of the recipes begin.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// streamRecords returns all records of a table's stream. "Read a stream from its beginning"
// explains it.
func streamRecords(t *testing.T, server *emulatortest.Server, table string) []streamtypes.Record {
	arn := must(server.Client().DescribeTable(t.Context(), &dynamodb.DescribeTableInput{
		TableName: &table,
	})).Table.LatestStreamArn
	streams := server.StreamsClient()
	var all []streamtypes.Record
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
				break
			}
			all, at = append(all, page.Records...), page.NextShardIterator
		}
	}
	return all
}

// streamValue returns a string or number of a stream's record as a table takes it.
func streamValue(v streamtypes.AttributeValue) types.AttributeValue {
	if n, ok := v.(*streamtypes.AttributeValueMemberN); ok {
		return num(n.Value)
	}
	return str(v.(*streamtypes.AttributeValueMemberS).Value)
}
