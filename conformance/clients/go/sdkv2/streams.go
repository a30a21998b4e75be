package main

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/require"

	"example.com/clients/scenario"
)

func (c client) readStream(t *scenario.T) {
	first := order{Customer: "streams", At: 1, Status: "new"}
	second := order{Customer: "streams", At: 1, Status: "paid"}
	c.put(t, first, second)
	_, err := c.DeleteItem(t, &dynamodb.DeleteItemInput{TableName: c.table, Key: first.key()})
	require.NoError(t, err)

	var events []streamtypes.OperationType
	var images [][2]order
	for _, record := range c.records(t) {
		var old, next order
		c.image(t, record.Dynamodb.OldImage, &old)
		c.image(t, record.Dynamodb.NewImage, &next)
		if old.Customer == "streams" || next.Customer == "streams" {
			events, images = append(events, record.EventName), append(images, [2]order{old, next})
		}
	}
	require.Equal(t, []streamtypes.OperationType{
		streamtypes.OperationTypeInsert, streamtypes.OperationTypeModify,
		streamtypes.OperationTypeRemove,
	}, events)
	require.Equal(t, [][2]order{{{}, first}, {first, second}, {second, {}}}, images)
}

// image converts an image of a record.
func (c client) image(t *scenario.T, image map[string]streamtypes.AttributeValue, out *order) {
	item, err := attributevalue.FromDynamoDBStreamsMap(image)
	require.NoError(t, err)
	require.NoError(t, attributevalue.UnmarshalMap(item, out))
}

// records returns all records of the table's stream, shard by shard.
func (c client) records(t *scenario.T) (records []streamtypes.Record) {
	stream := c.wait(t).LatestStreamArn
	description, err := c.streams.DescribeStream(t,
		&dynamodbstreams.DescribeStreamInput{StreamArn: stream})
	require.NoError(t, err)
	for _, shard := range description.StreamDescription.Shards {
		start, err := c.streams.GetShardIterator(t, &dynamodbstreams.GetShardIteratorInput{
			StreamArn: stream, ShardId: shard.ShardId,
			ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
		})
		require.NoError(t, err)
		for next := start.ShardIterator; next != nil; {
			out, err := c.streams.GetRecords(t,
				&dynamodbstreams.GetRecordsInput{ShardIterator: next})
			require.NoError(t, err)
			records, next = append(records, out.Records...), out.NextShardIterator
			if len(out.Records) == 0 { // the end of an open shard
				break
			}
		}
	}
	return records
}

func (c client) expiry(t *scenario.T) {
	expires := time.Now().Add(time.Hour).Unix()
	c.put(t, order{Customer: "expiry", At: 1, Expires: expires}, order{Customer: "expiry", At: 2})
	require.Equal(t, expires, c.get(t, "expiry", 1).Expires)
	scenario.Advance(t, "20h")
	require.Zero(t, c.get(t, "expiry", 1))
	require.Equal(t, 2, c.get(t, "expiry", 2).At)
	records := c.records(t)
	require.Equal(t, "dynamodb.amazonaws.com", *records[len(records)-1].UserIdentity.PrincipalId)
}
