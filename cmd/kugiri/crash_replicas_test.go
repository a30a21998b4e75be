package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// The two accounts of a global table, and the policy that lets the service replicate between them,
// and the second account add a replica to the first one's table.
const (
	replicatingAccounts = `{"accessKeys":{"EAST":{"account":"111122223333"},"WEST":{"account":"444455556666"}}}`
	replicatingPolicy   = `{"Version":"2012-10-17","Statement":[
		{"Effect":"Allow","Principal":{"Service":"replication.dynamodb.amazonaws.com"},"Resource":"*",
			"Action":["dynamodb:ReadDataForReplication","dynamodb:WriteDataForReplication","dynamodb:ReplicateSettings"],
			"Condition":{"StringEquals":{"aws:SourceAccount":["111122223333","444455556666"]}}},
		{"Effect":"Allow","Principal":{"AWS":"444455556666"},"Resource":"*","Action":"dynamodb:AssociateTableReplica"}]}`
)

// TestReplicasSurviveKills: replicas are there after a kill, and writes that were on their way to
// another region arrive.
func TestReplicasSurviveKills(t *testing.T) {
	for _, several := range []bool{false, true} {
		t.Run(map[bool]string{
			false: "one account", true: "two accounts",
		}[several], func(t *testing.T) {
			testReplicasSurviveKills(t, several)
		})
	}
}

func testReplicasSurviveKills(t *testing.T, several bool) {
	dir := filepath.Join(t.TempDir(), "data")
	kill := func() {}
	var url string
	flags := []string{"--data-dir", dir}
	if several {
		accounts := filepath.Join(t.TempDir(), "iam.json")
		require.NoError(t, os.WriteFile(accounts, []byte(replicatingAccounts), 0o600))
		flags = append(flags, "--iam", accounts)
	}
	again := func(lag string) {
		kill()
		url, kill = start(t, append(flags, "--replication-lag", lag)...)
	}
	again("1h")
	defer func() { kill() }()
	in := func(region string) *dynamodb.Client {
		key := map[string]string{"us-east-1": "EAST", "us-west-2": "WEST"}[region]
		if !several {
			key = "KEY"
		}
		return dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(url), Region: region,
			RetryMaxAttempts: 1,
			Credentials:      credentials.NewStaticCredentialsProvider(key, "secret", "")})
	}
	count := func(region string) int32 {
		out, err := in(region).Scan(context.Background(),
			&dynamodb.ScanInput{TableName: aws.String("table"), ConsistentRead: aws.Bool(true)})
		require.NoError(t, err)
		return out.Count
	}
	createReplicas(t, in("us-east-1"), in("us-west-2"), several)
	again("1h")
	for i := range 20 {
		region := []string{"us-east-1", "us-west-2"}[i%2]
		_, err := in(region).PutItem(
			t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"),
				Item: map[string]types.AttributeValue{
					"pk": &types.AttributeValueMemberS{Value: fmt.Sprint(i)},
				}})
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

// createReplicas makes a table with a replica in us-west-2, which is another account's if several
// is set.
func createReplicas(t *testing.T, east, west *dynamodb.Client, several bool) {
	first := &dynamodb.CreateTableInput{
		TableName: aws.String("table"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
		}}
	joining := &dynamodb.CreateTableInput{
		TableName:            aws.String("table"),
		GlobalTableSourceArn: aws.String("arn:aws:dynamodb:us-east-1:111122223333:table/table"),
	}
	if several {
		for _, in := range []*dynamodb.CreateTableInput{first, joining} {
			in.GlobalTableSettingsReplicationMode = types.GlobalTableSettingsReplicationModeEnabled
			in.ResourcePolicy = aws.String(replicatingPolicy)
		}
	}
	_, err := east.CreateTable(t.Context(), first)
	require.NoError(t, err)
	if several {
		_, err = west.CreateTable(t.Context(), joining)
	} else {
		_, err = east.UpdateTable(
			t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("table"),
				ReplicaUpdates: []types.ReplicationGroupUpdate{
					{Create: &types.CreateReplicationGroupMemberAction{
						RegionName: aws.String("us-west-2"),
					}},
				}})
	}
	require.NoError(t, err)
}
