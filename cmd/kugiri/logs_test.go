package main

import (
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServeLogsRequestsAsText(t *testing.T) {
	var log logBuffer
	url, stop := servingLogged(t, &log, "--log-requests")
	client := sdkClient(url, "x")
	_, err := client.CreateTable(t.Context(), songs())
	require.NoError(t, err)
	_, err = client.PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("songs"), Item: song("1")})
	require.NoError(t, err)
	_, err = client.Scan(
		t.Context(), &dynamodb.ScanInput{TableName: aws.String("songs"),
			FilterExpression: aws.String("id = :x"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":x": &types.AttributeValueMemberS{Value: "2"},
			}})
	require.NoError(t, err)
	_, err = client.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("none")})
	require.Error(t, err)
	require.NoError(t, stop())
	for _, line := range []string{
		`level=INFO msg="CreateTable songs: 200, `,
		`level=INFO msg="PutItem songs: 200, 1 WCU, `,
		`level=INFO msg="Scan songs: 200, 0 of 1 items, 2 RCU, `,
		`level=INFO msg="DescribeTable none: 400 ResourceNotFoundException (Requested resource not found: Table: none not found), `,
		` key=AKID region=us-east-1 id=`,
	} {
		assert.Contains(t, log.String(), line)
	}
}

// TestHealthWhileNobodyReads: the process itself is well while its log is stuck.
func TestHealthWhileNobodyReads(t *testing.T) {
	unread, log := io.Pipe()
	defer func() { _ = unread.Close() }()
	url, stop := servingLogged(t, log, "--log-requests", "--log-format", "json")
	for range 500 {
		_, err := client(url).ListTables(t.Context(), nil)
		require.NoError(t, err)
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url+"/readyz", nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	res.Body.Close()
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.NoError(t, stop())
}
