package main

import (
	"compress/gzip"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/bucket"
)

// quick makes the SDK's waiters ask often.
const quick = time.Millisecond

// awaitImport waits for the end of an import.
func awaitImport(t *testing.T, c *dynamodb.Client, arn *string) *types.ImportTableDescription {
	t.Helper()
	out, err := dynamodb.NewImportCompletedWaiter(c,
		func(o *dynamodb.ImportCompletedWaiterOptions) { o.MinDelay, o.MaxDelay = quick, quick }).
		WaitForOutput(t.Context(), &dynamodb.DescribeImportInput{ImportArn: arn}, time.Minute)
	require.NoError(t, err)
	return out.ImportTableDescription
}

// copyByS3 exports the table "table" to a bucket and imports it as "copy". It returns the items of
// the copy.
func copyByS3(t *testing.T, c *dynamodb.Client, format types.ExportFormat) int32 {
	createTable(t, c)
	table := aws.String("table")
	for _, v := range []string{"1", "2", "3"} {
		_, err := c.PutItem(
			t.Context(),
			&dynamodb.PutItemInput{TableName: table, Item: map[string]types.AttributeValue{
				"pk":  &types.AttributeValueMemberS{Value: v},
				"v":   &types.AttributeValueMemberN{Value: v},
				"set": &types.AttributeValueMemberSS{Value: []string{"a", v}}}})
		require.NoError(t, err)
	}
	_, err := c.UpdateContinuousBackups(
		t.Context(), &dynamodb.UpdateContinuousBackupsInput{TableName: table,
			PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
				PointInTimeRecoveryEnabled: aws.Bool(true),
			}})
	require.NoError(t, err)
	d, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: table})
	require.NoError(t, err)
	started, err := c.ExportTableToPointInTime(t.Context(), &dynamodb.ExportTableToPointInTimeInput{
		TableArn: d.Table.TableArn, S3Bucket: aws.String("bucket"), S3Prefix: aws.String("out"),
		ExportFormat: format})
	require.NoError(t, err)
	exported, err := dynamodb.NewExportCompletedWaiter(c,
		func(o *dynamodb.ExportCompletedWaiterOptions) { o.MinDelay, o.MaxDelay = quick, quick }).
		WaitForOutput(t.Context(),
			&dynamodb.DescribeExportInput{ExportArn: started.ExportDescription.ExportArn},
			time.Minute)
	require.NoError(t, err)
	require.Equal(t, int64(3), *exported.ExportDescription.ItemCount)

	data := filepath.ToSlash(
		filepath.Join(filepath.Dir(*exported.ExportDescription.ExportManifest), "data")) + "/"
	imported, err := c.ImportTable(t.Context(), &dynamodb.ImportTableInput{
		InputFormat:          types.InputFormat(format),
		InputCompressionType: types.InputCompressionTypeGzip,
		S3BucketSource: &types.S3BucketSource{S3Bucket: aws.String("bucket"),
			S3KeyPrefix: &data},
		TableCreationParameters: &types.TableCreationParameters{TableName: aws.String("copy"),
			BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			},
			KeySchema: d.Table.KeySchema}})
	require.NoError(t, err)
	assert.Equal(t, int64(3),
		awaitImport(t, c, imported.ImportTableDescription.ImportArn).ImportedItemCount)
	items := func(name string) []map[string]types.AttributeValue {
		out, err := c.Scan(t.Context(), &dynamodb.ScanInput{TableName: &name})
		require.NoError(t, err)
		return out.Items
	}
	assert.Equal(t, items("table"), items("copy"))
	return int32(len(items("copy")))
}

func TestServeBucketsOfADirectory(t *testing.T) {
	for _, format := range []types.ExportFormat{types.ExportFormatDynamodbJson,
		types.ExportFormatIon} {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "bucket"), 0o777))
		url, kill := start(t, "--s3-dir", dir)
		assert.Equal(t, int32(3), copyByS3(t, client(url), format), format)
		kill()
		summaries, err := filepath.Glob(
			filepath.Join(dir, "bucket", "out", bucket.Root, "*", bucket.SummaryName))
		require.NoError(t, err)
		require.Len(t, summaries, 1)
		text, err := os.ReadFile(summaries[0])
		require.NoError(t, err)
		var summary bucket.Summary
		require.NoError(t, json.Unmarshal(text, &summary))
		assert.Equal(t, string(format), summary.OutputFormat)
		file, err := os.Open(
			filepath.Join(dir, "bucket", filepath.FromSlash(summary.ManifestFilesS3Key)))
		require.NoError(t, err)
		defer file.Close()
		var data bucket.DataFile
		require.NoError(t, json.NewDecoder(file).Decode(&data))
		object, err := os.Open(filepath.Join(dir, "bucket", filepath.FromSlash(data.DataFileS3Key)))
		require.NoError(t, err)
		defer object.Close()
		_, err = gzip.NewReader(object)
		require.NoError(t, err)
	}
}

func TestServeBucketsOfAnEndpoint(t *testing.T) {
	backend := s3mem.New()
	require.NoError(t, backend.CreateBucket("bucket"))
	s3 := httptest.NewServer(gofakes3.New(backend).Server())
	defer s3.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	url, kill := start(t, "--s3-endpoint", s3.URL)
	defer kill()
	assert.Equal(t, int32(3), copyByS3(t, client(url), types.ExportFormatDynamodbJson))
}

func TestBulkPutIsAwaited(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "bucket", "in"), 0o777))
	for _, c := range []struct {
		name, lines string
		status      types.BulkOperationStatus
		fails       string
	}{
		{"items", `{"Item":{"pk":{"S":"1"}}}`, types.BulkOperationStatusCompleted, ""},
		{"an item without its key", `{"Item":{"a":{"S":"1"}}}`,
			types.BulkOperationStatusCompletedWithErrors, ""},
		{"no file", "", "", "waiter state transitioned to Failure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			prefix := "none"
			if c.lines != "" {
				prefix = "in/items.json"
				require.NoError(t, os.WriteFile(filepath.Join(dir, "bucket", prefix),
					[]byte(c.lines), 0o666))
			}
			url, kill := start(t, "--s3-dir", dir)
			defer kill()
			db := client(url)
			createTable(t, db)
			started, err := db.StartBulkPutItems(t.Context(), &dynamodb.StartBulkPutItemsInput{
				TableName: aws.String("table"),
				InputS3Configuration: &types.InputS3Configuration{S3Bucket: aws.String("bucket"),
					S3KeyPrefix: &prefix, InputFormat: types.BulkOperationInputFormatDynamodbJson},
				OutputS3Configuration: &types.OutputS3Configuration{S3Bucket: aws.String("bucket"),
					S3KeyPrefix: aws.String("out"),
					OutputType:  []types.OutputTypeEnum{types.OutputTypeEnumError}}})
			require.NoError(t, err)
			waiter := dynamodb.NewBulkOperationCompletedWaiter(db,
				func(o *dynamodb.BulkOperationCompletedWaiterOptions) {
					o.MinDelay, o.MaxDelay = quick, quick
				})
			out, err := waiter.WaitForOutput(t.Context(), &dynamodb.DescribeBulkOperationInput{
				BulkOperationArn: started.BulkOperationDescription.BulkOperationArn}, time.Minute)
			if c.fails != "" {
				require.ErrorContains(t, err, c.fails)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.status, out.BulkOperationDescription.BulkOperationStatus)
		})
	}
}
