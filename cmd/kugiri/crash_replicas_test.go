package main

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestReplicasSurviveKills: replicas are there after a kill, and writes that were on their way to
// another region arrive.
func TestReplicasSurviveKills(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	kill := func() {}
	var url string
	again := func(lag string) {
		kill()
		url, kill = start(t, "--data-dir", dir, "--replication-lag", lag)
	}
	again("1h")
	defer func() { kill() }()
	in := func(region string) *dynamodb.Client {
		return dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(url), Region: region, RetryMaxAttempts: 1,
			Credentials: credentials.NewStaticCredentialsProvider("KEY", "secret", "")})
	}
	count := func(region string) int32 {
		out, err := in(region).Scan(context.Background(), &dynamodb.ScanInput{TableName: aws.String("table"), ConsistentRead: aws.Bool(true)})
		require.NoError(t, err)
		return out.Count
	}
	_, err := in("us-east-1").CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("table"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}}})
	require.NoError(t, err)
	_, err = in("us-east-1").UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("table"),
		ReplicaUpdates: []types.ReplicationGroupUpdate{{Create: &types.CreateReplicationGroupMemberAction{RegionName: aws.String("us-west-2")}}}})
	require.NoError(t, err)
	again("1h")
	for i := range 20 {
		region := []string{"us-east-1", "us-west-2"}[i%2]
		_, err := in(region).PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"),
			Item: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: fmt.Sprint(i)}}})
		require.NoError(t, err)
	}
	again("1h")
	require.EqualValues(t, 10, count("us-east-1"))
	require.EqualValues(t, 10, count("us-west-2"))
	again("0s")
	require.EqualValues(t, 20, count("us-east-1"))
	require.EqualValues(t, 20, count("us-west-2"))
	again("0s")
	require.EqualValues(t, 20, count("us-east-1"))
	require.EqualValues(t, 20, count("us-west-2"))
}
