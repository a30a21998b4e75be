//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTransfersSurviveKills: an import and a bulk put that a kill interrupts have failed, with what
// they had written. Those that had ended are what they were.
func TestTransfersSurviveKills(t *testing.T) {
	buckets := t.TempDir()
	object := func(key string) string { return filepath.Join(buckets, "bucket", key) }
	require.NoError(t, os.Mkdir(object(""), 0o777))
	var lines strings.Builder
	for n := range 20_000 {
		fmt.Fprintf(&lines, `{"Item":{"pk":{"S":"%d"}}}`+"\n", n)
	}
	require.NoError(t, os.WriteFile(object("items"), []byte(lines.String()), 0o666))
	require.NoError(t, syscall.Mkfifo(object("endless"), 0o666)) // nobody writes to it: an import waits for it

	data := filepath.Join(t.TempDir(), "data")
	url, kill := start(t, "--data-dir", data, "--s3-dir", buckets)
	defer func() { kill() }()
	c := client(url)
	createTable(t, c)
	done := importInto(t, c, "done", "items")
	assert.Equal(t, int64(20_000), awaitImport(t, c, done).ImportedItemCount)
	interrupted := importInto(t, c, "interrupted", "endless")
	bulk, err := c.StartBulkPutItems(t.Context(), &dynamodb.StartBulkPutItemsInput{TableName: aws.String("table"), MaxWriteRequestUnits: aws.Int64(1024),
		InputS3Configuration:  &types.InputS3Configuration{S3Bucket: aws.String("bucket"), S3KeyPrefix: aws.String("items"), InputFormat: types.BulkOperationInputFormatDynamodbJson},
		OutputS3Configuration: &types.OutputS3Configuration{S3Bucket: aws.String("bucket"), S3KeyPrefix: aws.String("report"), OutputType: []types.OutputTypeEnum{types.OutputTypeEnumError}}})
	require.NoError(t, err)

	kill()
	url, kill = start(t, "--data-dir", data, "--s3-dir", buckets)
	c = client(url)
	assert.Equal(t, types.ImportStatusCompleted, awaitImport(t, c, done).ImportStatus)
	failed, err := c.DescribeImport(t.Context(), &dynamodb.DescribeImportInput{ImportArn: interrupted})
	require.NoError(t, err)
	assert.Equal(t, types.ImportStatusFailed, failed.ImportTableDescription.ImportStatus)
	assert.Equal(t, "Interrupted", *failed.ImportTableDescription.FailureCode)
	put, err := c.DescribeBulkOperation(t.Context(), &dynamodb.DescribeBulkOperationInput{BulkOperationArn: bulk.BulkOperationDescription.BulkOperationArn})
	require.NoError(t, err)
	assert.Equal(t, types.BulkOperationStatusFailed, put.BulkOperationDescription.BulkOperationStatus)

	count := func(table string) int64 {
		out, err := c.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table, Select: types.SelectCount})
		require.NoError(t, err)
		return int64(out.Count)
	}
	assert.Equal(t, int64(20_000), count("done"))
	assert.Zero(t, count("interrupted"), "the table is there to be read")
	written := count("table")
	assert.GreaterOrEqual(t, written, put.BulkOperationDescription.ProcessedItemCount, "no more was said to be put than was")
	assert.Positive(t, put.BulkOperationDescription.ProcessedItemCount)
	assert.Less(t, written, int64(20_000))
}

// importInto begins the import of the objects with a prefix into a new table.
func importInto(t *testing.T, c *dynamodb.Client, table, prefix string) (arn *string) {
	t.Helper()
	out, err := c.ImportTable(t.Context(), &dynamodb.ImportTableInput{
		InputFormat:    types.InputFormatDynamodbJson,
		S3BucketSource: &types.S3BucketSource{S3Bucket: aws.String("bucket"), S3KeyPrefix: &prefix},
		TableCreationParameters: &types.TableCreationParameters{TableName: &table, BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
			KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}}}})
	require.NoError(t, err)
	return out.ImportTableDescription.ImportArn
}
