package emulator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/bucket"
)

// TestPolicyOfAnImportedTable: an item that the rules refuse is an error of the import, and the
// partition keys of the others count.
func TestPolicyOfAnImportedTable(t *testing.T) {
	buckets := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(buckets, "bucket"), 0o777))
	p := shop()
	p.Severities = map[string]policy.Severity{
		policy.RuleUnbounded.ID: policy.Enforce, policy.RuleUndeclaredPrefix.ID: policy.Enforce,
	}
	g := newGuardTest(t, p, emulator.WithBuckets(bucket.New(bucket.Dir(buckets))))
	gate := g.as("GATE", "")
	described, err := gate.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("data")})
	require.NoError(t, err)
	_, err = gate.DeleteTable(t.Context(),
		&dynamodb.DeleteTableInput{TableName: aws.String("data")})
	require.NoError(t, err)

	var lines strings.Builder
	for _, pk := range []string{"USER_ACTIVITY#user1", "NOTHING#user1", "USER_ACTIVITY#user2",
		"USER_ACTIVITY#user3"} {
		fmt.Fprintf(&lines,
			`{"Item":{"pk":{"S":%q},"sk":{"S":"2024-01-15T10:30:00Z"},"version":{"N":"0"}}}`+"\n",
			pk)
	}
	require.NoError(t,
		os.WriteFile(filepath.Join(buckets, "bucket", "items"), []byte(lines.String()), 0o666))
	indexes := described.Table.GlobalSecondaryIndexes
	begun, err := gate.ImportTable(t.Context(), &dynamodb.ImportTableInput{
		S3BucketSource: &types.S3BucketSource{S3Bucket: aws.String("bucket")},
		InputFormat:    types.InputFormatDynamodbJson,
		TableCreationParameters: &types.TableCreationParameters{TableName: aws.String("data"),
			KeySchema:            described.Table.KeySchema,
			AttributeDefinitions: described.Table.AttributeDefinitions,
			BillingMode:          types.BillingModePayPerRequest,
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
				{IndexName: indexes[0].IndexName, KeySchema: indexes[0].KeySchema,
					Projection: indexes[0].Projection},
			}},
	})
	require.NoError(t, err)
	for {
		out, err := gate.DescribeImport(t.Context(),
			&dynamodb.DescribeImportInput{ImportArn: begun.ImportTableDescription.ImportArn})
		require.NoError(t, err)
		d := out.ImportTableDescription
		if d.ImportStatus == types.ImportStatusInProgress {
			continue
		}
		assert.Equal(t, "ItemValidationError", *d.FailureCode)
		assert.Equal(t, []int64{4, 2, 2},
			[]int64{d.ProcessedItemCount, d.ImportedItemCount, d.ErrorCount})
		break
	}
	require.Len(t, g.items("data"), 2)
	refused := map[string]bool{}
	for _, f := range g.emulator.Findings() {
		refused[f.Rule] = true
	}
	assert.True(t, refused[policy.RuleUnbounded.ID] && refused[policy.RuleUndeclaredPrefix.ID],
		"%v", refused)
}

// TestPolicyOfABulkPut: an item that the rules refuse is an error of the bulk put, and the others
// are put. Only a privileged tenant begins one.
func TestPolicyOfABulkPut(t *testing.T) {
	buckets := t.TempDir()
	for _, name := range []string{"in", "out"} {
		require.NoError(t, os.Mkdir(filepath.Join(buckets, name), 0o777))
	}
	g := newGuardTest(t, shop(), emulator.WithBuckets(bucket.New(bucket.Dir(buckets))))
	const of = `{"Item":{"pk":{"S":"PRODUCT#%s"},"sk":{"S":"` + ulidA + `@%d"}%s}}` + "\n"
	lines := fmt.Sprintf(of, "tenant001", 1, "") + // without its version
		fmt.Sprintf(of, "tenant001", 1, `,"version":{"N":"2"}`) +
		fmt.Sprintf(of, "tenant002", 1, `,"version":{"N":"1"}`) +
		fmt.Sprintf(of, "tenant001", 1, `,"version":{"N":"1"}`) +
		fmt.Sprintf(of, "tenant001", 3, `,"version":{"N":"3"}`) + // a failed condition: 2 is later
		fmt.Sprintf(of, "tenant001", 2, `,"version":{"N":"2"}`)
	require.NoError(t,
		os.WriteFile(filepath.Join(buckets, "in", "items"), []byte(lines), 0o666))
	in := &dynamodb.StartBulkPutItemsInput{
		TableName: aws.String("commands"),
		InputS3Configuration: &types.InputS3Configuration{S3Bucket: aws.String("in"),
			InputFormat: types.BulkOperationInputFormatDynamodbJson},
		OutputS3Configuration: &types.OutputS3Configuration{S3Bucket: aws.String("out"),
			OutputType: []types.OutputTypeEnum{types.OutputTypeEnumError}},
	}
	_, err := g.StartBulkPutItems(t.Context(), in)
	assert.ErrorContains(t, err, policy.RuleTenantOperation.ID)
	gate := g.as("GATE", "")
	begun, err := gate.StartBulkPutItems(t.Context(), in)
	require.NoError(t, err)
	for {
		out, err := gate.DescribeBulkOperation(t.Context(), &dynamodb.DescribeBulkOperationInput{
			BulkOperationArn: begun.BulkOperationDescription.BulkOperationArn})
		require.NoError(t, err)
		d := out.BulkOperationDescription
		if d.BulkOperationStatus == types.BulkOperationStatusInProgress {
			continue
		}
		assert.Equal(t, types.BulkOperationStatusCompletedWithErrors, d.BulkOperationStatus)
		assert.Equal(t, []int64{6, 2}, []int64{d.ProcessedItemCount, d.FailedItemCount})
		break
	}
	assert.Len(t, g.items("commands"), 3)
}
