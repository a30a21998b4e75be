package main

import (
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestVectorsSurviveKills: a vector index finds after a kill what it was answered to hold.
func TestVectorsSurviveKills(t *testing.T) {
	var c *dynamodb.Client
	again := killable(t, &c, "--data-dir", filepath.Join(t.TempDir(), "data"))
	table, key := aws.String("table"), func(pk string) map[string]types.AttributeValue {
		return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: pk}}
	}
	vector := func(numbers ...string) (list []types.AttributeValue) {
		for _, n := range numbers {
			list = append(list, &types.AttributeValueMemberN{Value: n})
		}
		return list
	}
	put := func(pk string, numbers ...string) {
		it := key(pk)
		it["v"] = &types.AttributeValueMemberL{Value: vector(numbers...)}
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: table, Item: it})
		require.NoError(t, err)
	}
	finds := func(index string, want ...string) {
		t.Helper()
		out, err := c.SearchVectors(t.Context(),
			&dynamodb.SearchVectorsInput{
				TableName: table, IndexName: &index, TopK: aws.Int32(10),
				SearchVector: vector("1", "0"),
			})
		require.NoError(t, err)
		var found []string
		for _, r := range out.SearchResults {
			found = append(found, r.Item["pk"].(*types.AttributeValueMemberS).Value)
		}
		require.Equal(t, want, found)
	}
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
		},
		VectorIndexes: []types.VectorIndex{{IndexName: aws.String("first"),
			VectorAttribute: &types.VectorAttributeDefinition{AttributeName: aws.String("v")},
			Dimensions:      aws.Int64(2), DistanceFunction: types.VectorDistanceFunctionCosine,
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}},
	})
	require.NoError(t, err)
	put("a", "1", "0")
	put("b", "0", "1")
	again()
	finds("first", "a", "b")
	put("c", "1", "0.5")
	_, err = c.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: table, Key: key("a")})
	require.NoError(t, err)
	_, err = c.UpdateTable(
		t.Context(),
		&dynamodb.UpdateTableInput{TableName: table,
			VectorIndexUpdates: []types.VectorIndexUpdate{{Create: &types.CreateVectorIndexAction{
				IndexName:        aws.String("second"),
				VectorAttribute:  &types.VectorAttributeDefinition{AttributeName: aws.String("v")},
				Dimensions:       aws.Int64(2),
				DistanceFunction: types.VectorDistanceFunctionEuclidean,
				Projection: &types.Projection{
					ProjectionType: types.ProjectionTypeKeysOnly,
				}}}}})
	require.NoError(t, err)
	again()
	finds("first", "c", "b")
	finds("second", "c", "b")
	_, err = c.UpdateTable(
		t.Context(),
		&dynamodb.UpdateTableInput{TableName: table, VectorIndexUpdates: []types.VectorIndexUpdate{{
			Delete: &types.DeleteVectorIndexAction{IndexName: aws.String("first")}}}})
	require.NoError(t, err)
	again()
	finds("second", "c", "b")
	d, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: table})
	require.NoError(t, err)
	require.Len(t, d.Table.VectorIndexes, 1)
}
