package main

import (
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// TestPoliciesSurviveKills: what was answered of resource-based policies is there after a kill, and
// decides about requests.
func TestPoliciesSurviveKills(t *testing.T) {
	accounts := written(t, "iam.json", `{"accessKeys":{"AKIDEXAMPLE":{"account":"111122223333"}}}`)
	var c *dynamodb.Client
	again := killable(t, &c, "--data-dir", filepath.Join(t.TempDir(), "data"), "--iam", accounts)
	createTable(t, c)
	arn := aws.String("arn:aws:dynamodb:us-east-1:111122223333:table/table")
	put, err := c.PutResourcePolicy(t.Context(), &dynamodb.PutResourcePolicyInput{ResourceArn: arn,
		Policy: aws.String(
			`{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"dynamodb:Scan","Resource":"*"}]}`)})
	require.NoError(t, err)
	again()
	got, err := c.GetResourcePolicy(t.Context(), &dynamodb.GetResourcePolicyInput{ResourceArn: arn})
	require.NoError(t, err)
	require.Equal(t, put.RevisionId, got.RevisionId)
	_, err = c.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("table")})
	require.ErrorContains(t, err, "with an explicit deny in a resource-based policy")
	_, err = c.DeleteResourcePolicy(t.Context(),
		&dynamodb.DeleteResourcePolicyInput{ResourceArn: arn, ExpectedRevisionId: put.RevisionId})
	require.NoError(t, err)
	again()
	_, err = c.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("table")})
	require.NoError(t, err)
	_, err = c.GetResourcePolicy(t.Context(), &dynamodb.GetResourcePolicyInput{ResourceArn: arn})
	require.ErrorContains(t, err, "PolicyNotFoundException")
}
