package shop

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	server := emulatortest.Fork(t, seed())
	ctx, ours, theirs := t.Context(), shopOf(server, "tenant001"), shopOf(server, "tenant002")
	for want := 1; want <= 3; want++ {
		n, err := ours.Number(ctx, "invoice")
		require.NoError(t, err)
		assert.Equal(t, want, n)
	}
	n, err := theirs.Number(ctx, "invoice")
	require.NoError(t, err)
	assert.Equal(t, 1, n, "each tenant counts for itself")
	require.NoError(t, ours.Retain(ctx, commandTable, 90))
	require.NoError(t, ours.Retain(ctx, commandTable, 30))
	assert.Empty(t, server.Emulator.Findings())
}

// TestSessions: a temporary session is deleted at its end. Users stay.
func TestSessions(t *testing.T) {
	t.Parallel()
	server := emulatortest.Fork(t, seed())
	s := shopOf(server, "tenant001")
	require.NoError(t, s.OpenSession(t.Context(), "session456", now.Add(time.Hour)))
	require.NoError(t,
		write(usersTable, item("USER#common", "local#user123"))(t.Context(), s.Client))
	server.Clock().Advance(72 * time.Hour)
	out, err := clientOf(server, "operations").Scan(t.Context(),
		&dynamodb.ScanInput{TableName: aws.String(usersTable)})
	require.NoError(t, err)
	require.Len(t, out.Items, 1)
	assert.Equal(t, "local#user123", textOf(out.Items[0]["sk"]))
	assert.Empty(t, server.Emulator.Findings())
}

// TestSync: the stream of the command table fills the data table, even if a record arrives twice.
func TestSync(t *testing.T) {
	t.Parallel()
	server := emulatortest.Fork(t, seed())
	s := shopOf(server, "tenant001")
	id, err := s.Offer(t.Context(), "A novel")
	require.NoError(t, err)
	operations := clientOf(server, "operations")
	for range 2 {
		for _, command := range commandsOf(t, server.Emulator) {
			require.NoError(t, Sync(t.Context(), operations, command))
		}
	}
	keys, err := products.Build("tenant001", id)
	require.NoError(t, err)
	it, err := s.get(t.Context(), dataTable, keys)
	require.NoError(t, err)
	assert.Equal(t, []string{"A novel", keys.ID, keys.SK + "@1"},
		[]string{textOf(it["title"]), textOf(it["id"]), textOf(it["csk"])})
	assert.Equal(t, 1, versionOf(it))
	assert.Empty(t, server.Emulator.Findings())
}

// commandsOf returns the new images of the command table's stream.
func commandsOf(t *testing.T, e *emulator.Emulator) (images []attributes) {
	ctx := t.Context()
	client := dynamodbstreams.New(dynamodbstreams.Options{Region: "us-east-1",
		BaseEndpoint: aws.String("http://kugiri.invalid"),
		Credentials:  aws.AnonymousCredentials{},
		HTTPClient:   e.HTTPClient("AKIDOPERATIONS", "us-east-1")})
	list, err := client.ListStreams(ctx,
		&dynamodbstreams.ListStreamsInput{TableName: aws.String(commandTable)})
	require.NoError(t, err)
	require.Len(t, list.Streams, 1)
	stream, err := client.DescribeStream(ctx,
		&dynamodbstreams.DescribeStreamInput{StreamArn: list.Streams[0].StreamArn})
	require.NoError(t, err)
	for _, shard := range stream.StreamDescription.Shards {
		at, err := client.GetShardIterator(
			ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: list.Streams[0].StreamArn,
				ShardId:           shard.ShardId,
				ShardIteratorType: streams.ShardIteratorTypeTrimHorizon})
		require.NoError(t, err)
		out, err := client.GetRecords(ctx,
			&dynamodbstreams.GetRecordsInput{ShardIterator: at.ShardIterator})
		require.NoError(t, err)
		for _, r := range out.Records {
			images = append(images, imageOf(r.Dynamodb.NewImage))
		}
	}
	require.NotEmpty(t, images)
	return images
}

// imageOf converts an image of strings and numbers. An application would use the SDK's
// attributevalue.FromDynamoDBStreamsMap.
func imageOf(image map[string]streams.AttributeValue) attributes {
	it := attributes{}
	for name, v := range image {
		switch v := v.(type) {
		case *streams.AttributeValueMemberS:
			it[name] = text(v.Value)
		case *streams.AttributeValueMemberN:
			it[name] = &types.AttributeValueMemberN{Value: v.Value}
		}
	}
	return it
}
