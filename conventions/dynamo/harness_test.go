package dynamo_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// newClient makes a client and a server that only this client uses.
func newClient(t *testing.T) *dynamodb.Client {
	server, err := emulator.New().Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return dynamodb.New(dynamodb.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(server.URL),
		Credentials:  credentials.NewStaticCredentialsProvider("TEST", "secret", ""),
	})
}

func createTable(t *testing.T, client *dynamodb.Client, name, pk, sk string) {
	input := &dynamodb.CreateTableInput{
		TableName:   aws.String(name),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(pk), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String(pk), KeyType: types.KeyTypeHash},
		},
	}
	if sk != "" {
		input.AttributeDefinitions = append(input.AttributeDefinitions,
			types.AttributeDefinition{
				AttributeName: aws.String(sk), AttributeType: types.ScalarAttributeTypeS,
			})
		input.KeySchema = append(input.KeySchema,
			types.KeySchemaElement{AttributeName: aws.String(sk), KeyType: types.KeyTypeRange})
	}
	_, err := client.CreateTable(t.Context(), input)
	require.NoError(t, err)
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
