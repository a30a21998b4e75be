//go:build unix

package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoObjects: pipes, devices, directories and links out of a bucket are no objects. An import
// and a bulk put of them say so at once, an export into them fails, and one signal ends the server.
func TestNoObjects(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	in := filepath.Join(dir, "bucket", "in")
	require.NoError(t, os.MkdirAll(filepath.Join(in, "directory.json"), 0o777))
	require.NoError(t, syscall.Mkfifo(filepath.Join(in, "pipe.json"), 0o600))
	for link, to := range map[string]string{
		"zeros.json": "/dev/zero", "terminal.json": "/dev/tty", "circle.json": "circle.json",
		"elsewhere.json": program, "pipe-link.json": "pipe.json",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(in, link)))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	require.NoError(t, os.Symlink("/dev", filepath.Join(dir, "devices")))
	url, process := started(t, io.Discard, "--s3-dir", dir)
	db := client(url)
	createTable(t, db)
	for i, c := range []struct {
		name, bucket, prefix string

		// the code of the import's failure: one without objects completes (service facts M.4)
		fails string
	}{
		{"a pipe", "bucket", "in/pipe.json", ""},
		{"a link to a pipe", "bucket", "in/pipe-link.json", ""},
		{"a device", "bucket", "in/zeros.json", ""},
		{"a terminal", "bucket", "in/terminal.json", ""},
		{"a directory", "bucket", "in/directory.json", ""},
		{"a link to itself", "bucket", "in/circle.json", ""},
		{"a link out of the bucket", "bucket", "in/elsewhere.json", ""},
		{"all of them", "bucket", "in/", ""},
		{"a pipe as a bucket", "pipe", "", "S3NoSuchBucket"},
		{"devices as a bucket", "devices", "zero", "S3NoSuchBucket"},
	} {
		t.Run(c.name, func(t *testing.T) {
			imported, err := db.ImportTable(t.Context(), &dynamodb.ImportTableInput{
				InputFormat:    types.InputFormatDynamodbJson,
				S3BucketSource: &types.S3BucketSource{S3Bucket: &c.bucket, S3KeyPrefix: &c.prefix},
				TableCreationParameters: &types.TableCreationParameters{
					TableName:   aws.String(fmt.Sprint("imported", i)),
					BillingMode: types.BillingModePayPerRequest,
					AttributeDefinitions: []types.AttributeDefinition{{
						AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS,
					}},
					KeySchema: []types.KeySchemaElement{
						{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
					}}})
			require.NoError(t, err)
			arn := imported.ImportTableDescription.ImportArn
			if c.fails == "" {
				assert.Zero(t, awaitImport(t, db, arn).ProcessedItemCount)
			} else {
				err = dynamodb.NewImportCompletedWaiter(db,
					func(o *dynamodb.ImportCompletedWaiterOptions) {
						o.MinDelay, o.MaxDelay = quick, quick
					}).
					Wait(t.Context(), &dynamodb.DescribeImportInput{ImportArn: arn}, time.Minute)
				require.ErrorContains(t, err, "waiter state transitioned to Failure")
				out, err := db.DescribeImport(t.Context(),
					&dynamodb.DescribeImportInput{ImportArn: arn})
				require.NoError(t, err)
				assert.Equal(t, c.fails, aws.ToString(out.ImportTableDescription.FailureCode))
			}

			started, err := db.StartBulkPutItems(t.Context(), &dynamodb.StartBulkPutItemsInput{
				TableName: aws.String("table"),
				InputS3Configuration: &types.InputS3Configuration{S3Bucket: &c.bucket,
					S3KeyPrefix: &c.prefix, InputFormat: types.BulkOperationInputFormatDynamodbJson},
				OutputS3Configuration: &types.OutputS3Configuration{
					S3Bucket: aws.String("bucket"), S3KeyPrefix: aws.String("out"),
					OutputType: []types.OutputTypeEnum{types.OutputTypeEnumError}}})
			require.NoError(t, err)
			_, err = dynamodb.NewBulkOperationCompletedWaiter(db,
				func(o *dynamodb.BulkOperationCompletedWaiterOptions) {
					o.MinDelay, o.MaxDelay = quick, quick
				}).WaitForOutput(t.Context(), &dynamodb.DescribeBulkOperationInput{
				BulkOperationArn: started.BulkOperationDescription.BulkOperationArn}, time.Minute)
			require.ErrorContains(t, err, "waiter state transitioned to Failure")
			out, err := db.DescribeBulkOperation(t.Context(), &dynamodb.DescribeBulkOperationInput{
				BulkOperationArn: started.BulkOperationDescription.BulkOperationArn})
			require.NoError(t, err)
			assert.Equal(t, cmp.Or(c.fails, "S3NoSuchKey"),
				aws.ToString(out.BulkOperationDescription.FailureCode))
		})
	}
	require.NoError(t, process.Process.Signal(syscall.SIGTERM))
	process.Wait()
	assert.Equal(t, 0, process.ProcessState.ExitCode())
}
