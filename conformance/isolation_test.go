package conformance

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIsolation: accounts and regions do not share tables. An access key stands for an account.
// This works only on servers that accept made-up access keys.
func TestIsolation(t *testing.T) {
	t.Parallel()
	if target.aws {
		return
	}
	client := func(accessKey, region string) *dynamodb.Client {
		return newClient(credentials.NewStaticCredentialsProvider(accessKey, "secret", ""), region)
	}
	ctx := context.Background()
	mine, otherKey, otherRegion := client("ISOLATION1", "eu-west-1"), client("ISOLATION2",
		"eu-west-1"), client("ISOLATION1", "us-west-2")
	definition := `{"TableName":"shared-name",` + keys("pk:S") + `}`
	created, err := invoke(ctx, mine, "CreateTable", definition)
	require.NoError(t, err)
	assert.Equal(t, "arn:aws:dynamodb:eu-west-1:000000000000:table/shared-name",
		at(t, created, "TableDescription", "TableArn"))
	_, err = invoke(ctx, mine, "PutItem", `{"TableName":"shared-name","Item":{"pk":{"S":"a"}}}`)
	require.NoError(t, err)
	for name, other := range map[string]*dynamodb.Client{
		"another access key": otherKey, "another region": otherRegion,
	} {
		_, err = invoke(ctx, other, "DescribeTable", `{"TableName":"shared-name"}`)
		assertError(t,
			"ResourceNotFoundException: Requested resource not found: Table: shared-name not found",
			err, name)
		answer, err := invoke(ctx, other, "ListTables", `{}`)
		require.NoError(t, err)
		assert.Empty(t, answer["TableNames"], name)
		_, err = invoke(ctx, other, "CreateTable", definition)
		require.NoError(t, err, name)
		answer, err = invoke(ctx, other, "GetItem",
			`{"TableName":"shared-name","Key":{"pk":{"S":"a"}}}`)
		require.NoError(t, err, name)
		assert.Empty(t, answer, name)
	}
	again := client("ISOLATION1", "eu-west-1")
	answer, err := invoke(ctx, again, "GetItem",
		`{"TableName":"shared-name","Key":{"pk":{"S":"a"}}}`)
	require.NoError(t, err)
	assert.NotEmpty(t, answer, "the data of a key and region are there for all its clients")
	for _, client := range []*dynamodb.Client{mine, otherKey, otherRegion} {
		_, err := invoke(ctx, client, "DeleteTable", `{"TableName":"shared-name"}`)
		require.NoError(t, err)
	}
}
