package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServerOutlivesJobsThatEndIt: whoever reads the object of an import or a bulk put, or writes
// one of an export, is killed.
// The server is killed in the start in which the operation begins, and in three more. Then it runs,
// and says why the operation has failed.
func TestServerOutlivesJobsThatEndIt(t *testing.T) {
	backend := s3mem.New()
	require.NoError(t, backend.CreateBucket("bucket"))
	record := `{"Item":{"pk":{"S":"a"}}}`
	_, err := backend.PutObject("bucket", poisoned, nil, strings.NewReader(record),
		int64(len(record)), nil)
	require.NoError(t, err)
	objects, killers := gofakes3.New(backend).Server(), make(chan func())
	s3 := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/"+poisoned)
		writes := r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/"+poisoned+"/")
		if !reads && !writes {
			objects.ServeHTTP(w, r)
			return
		}
		select {
		case kill := <-killers:
			kill()
		case <-r.Context().Done():
		}
	}))
	defer s3.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	data := t.TempDir()
	for _, transfer := range []crashTransfer{
		{beginPoisonedImport, crashImport}, {beginPoisonedBulkPut, crashBulkPut},
		{beginPoisonedExport, crashExport},
	} {
		url, kill := start(t, "--data-dir", data, "--s3-endpoint", s3.URL)
		c := client(url)
		if _, err := c.DescribeTable(t.Context(),
			&dynamodb.DescribeTableInput{TableName: aws.String("table")}); err != nil {
			createTable(t, c)
			_, err := c.UpdateContinuousBackups(
				t.Context(), &dynamodb.UpdateContinuousBackupsInput{TableName: aws.String("table"),
					PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
						PointInTimeRecoveryEnabled: aws.Bool(true),
					}})
			require.NoError(t, err)
		}
		// the server ends before it answers, or answers that it has begun
		go transfer.begin(t.Context(), c)
		for range 3 {
			killers <- kill
			kill()
			_, kill = start(t, "--data-dir", data, "--s3-endpoint", s3.URL)
		}
		killers <- kill
		kill()
		url, kill = start(t, "--data-dir", data, "--s3-endpoint", s3.URL)
		assert.Contains(t, transfer.state(t, client(url)), "FAILED")
		_, err := client(url).PutItem(
			t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"),
				Item: map[string]types.AttributeValue{
					"pk": &types.AttributeValueMemberS{Value: "x"},
				}})
		require.NoError(t, err)
		kill()
	}
}

// poisoned is the place of the object.
const poisoned = "poison"

func beginPoisonedImport(ctx context.Context, c *dynamodb.Client) error {
	in := crashImportInput()
	in.S3BucketSource.S3KeyPrefix = aws.String(poisoned)
	_, err := c.ImportTable(ctx, in)
	return err
}

func beginPoisonedBulkPut(ctx context.Context, c *dynamodb.Client) error {
	in := crashBulkPutInput()
	in.InputS3Configuration.S3KeyPrefix = aws.String(poisoned)
	_, err := c.StartBulkPutItems(ctx, in)
	return err
}

func beginPoisonedExport(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.ExportTableToPointInTime(
		ctx, &dynamodb.ExportTableToPointInTimeInput{S3Bucket: aws.String("bucket"),
			S3Prefix: aws.String(poisoned),
			TableArn: aws.String("arn:aws:dynamodb:us-east-1:000000000000:table/table")})
	return err
}
