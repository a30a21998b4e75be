package emulator_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/bucket"
)

// TestPolicyOfAnImportedTable: an item that the rules refuse is an error of the import, and the
// partition keys of the others count.
func TestPolicyOfAnImportedTable(t *testing.T) {
	buckets := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(buckets, "bucket"), 0o777))
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{
		policy.RuleUnbounded.ID: policy.Enforce, policy.RuleUndeclaredPrefix.ID: policy.Enforce,
	}
	g := newPolicyTest(t, p, emulator.WithBuckets(bucket.New(bucket.Dir(buckets))))
	gate := g.as("ADMIN", "")
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
	g := newPolicyTest(t, policytest.Shop(), emulator.WithBuckets(bucket.New(bucket.Dir(buckets))))
	const item = `{"Item":{"pk":{"S":"PRODUCT#%s"},"sk":{"S":"` + ulidA + `@%d"}%s}}` + "\n"
	lines := fmt.Sprintf(item, "tenant001", 1, "") + // the version is missing
		fmt.Sprintf(item, "tenant001", 1, `,"version":{"N":"2"}`) +
		fmt.Sprintf(item, "tenant002", 1, `,"version":{"N":"1"}`) +
		fmt.Sprintf(item, "tenant001", 1, `,"version":{"N":"1"}`) +
		fmt.Sprintf(item, "tenant001", 3, `,"version":{"N":"3"}`) + // version 3 comes before 2
		fmt.Sprintf(item, "tenant001", 2, `,"version":{"N":"2"}`)
	require.NoError(t,
		os.WriteFile(filepath.Join(buckets, "in", "items"), []byte(lines), 0o666))
	const request = `{"TableName":"commands",
		"InputS3Configuration":{"S3Bucket":"in","InputFormat":"DYNAMODB_JSON"},
		"OutputS3Configuration":{"S3Bucket":"out","OutputType":["ERROR"]}}`
	assert.Contains(t, g.post("AK1", "StartBulkPutItems", request)["message"],
		policy.RuleTenantOperation.ID)
	const described = "BulkOperationDescription"
	d, _ := g.post("ADMIN", "StartBulkPutItems", request)[described].(map[string]any)
	of := fmt.Sprintf(`{"BulkOperationArn":%q}`, d["BulkOperationArn"])
	for d["BulkOperationStatus"] == "IN_PROGRESS" {
		d, _ = g.post("ADMIN", "DescribeBulkOperation", of)[described].(map[string]any)
	}
	assert.Equal(t, []any{"COMPLETED_WITH_ERRORS", 6.0, 2.0},
		[]any{d["BulkOperationStatus"], d["ProcessedItemCount"], d["FailedItemCount"]})
	assert.Len(t, g.items("commands"), 4)
}

// What another table had is loaded in any order: versions are judged when all are there, and what
// is missing is counted.
func TestLoadOfVersions(t *testing.T) {
	export, backward, odd := []int{1}, []int{}, []int{}
	for i := range 5 { // @1, @10, @11, ... @2, ...
		export = append(export, 10+i)
	}
	for v := 2; v < 10; v++ {
		export = append(export, v)
	}
	for v := 14; v > 0; v-- {
		backward = append(backward, v)
	}
	for v := 13; v > 0; v -= 2 {
		odd = append(odd, v, v+1)
	}
	gap := slices.DeleteFunc(slices.Clone(export), func(v int) bool { return v == 5 })
	for _, c := range []struct {
		name, table, status string
		versions            []int
		stored              int
		failed              float64
	}{
		{"in the order of an export", "commands", "COMPLETED", export, 14, 0},
		{"backward", "commands", "COMPLETED", backward, 14, 0},
		{"in pairs", "commands", "COMPLETED", odd, 14, 0},
		{"with one missing", "commands", "COMPLETED_WITH_ERRORS", gap, 13, 1},
		{"without the first", "commands", "COMPLETED_WITH_ERRORS", []int{3, 2}, 2, 1},
		{"one twice", "commands", "COMPLETED_WITH_ERRORS", []int{1, 2, 2}, 2, 1},
		{"the latest version", "data", "COMPLETED", []int{7}, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			buckets := t.TempDir()
			for _, name := range []string{"in", "out"} {
				require.NoError(t, os.Mkdir(filepath.Join(buckets, name), 0o777))
			}
			g := newPolicyTest(t, policytest.Shop(),
				emulator.WithBuckets(bucket.New(bucket.Dir(buckets))))
			var lines strings.Builder
			for _, v := range c.versions {
				suffix := ""
				if c.table == "commands" {
					suffix = fmt.Sprintf("@%d", v)
				}
				fmt.Fprintf(&lines, `{"Item":{"pk":{"S":"PRODUCT#tenant001"},"sk":{"S":"%s"},"version":{"N":"%d"}}}`+"\n",
					ulidA+suffix, v)
			}
			require.NoError(t,
				os.WriteFile(filepath.Join(buckets, "in", "items"), []byte(lines.String()), 0o666))
			const described = "BulkOperationDescription"
			d, _ := g.post("ADMIN", "StartBulkPutItems", fmt.Sprintf(`{"TableName":%q,
		"InputS3Configuration":{"S3Bucket":"in","InputFormat":"DYNAMODB_JSON"},
		"OutputS3Configuration":{"S3Bucket":"out","OutputType":["ERROR"]}}`,
				c.table))[described].(map[string]any)
			of := fmt.Sprintf(`{"BulkOperationArn":%q}`, d["BulkOperationArn"])
			for d["BulkOperationStatus"] == "IN_PROGRESS" {
				d, _ = g.post("ADMIN", "DescribeBulkOperation", of)[described].(map[string]any)
			}
			assert.Equal(t, []any{c.status, float64(len(c.versions)), c.failed},
				[]any{d["BulkOperationStatus"], d["ProcessedItemCount"], d["FailedItemCount"]})
			assert.Len(t, g.items(c.table), c.stored)
		})
	}
}

// post makes a request of an operation that the lowest SDK does not have, and returns its answer.
func (g *policyTest) post(accessKey, operation, body string) (answer map[string]any) {
	g.Helper()
	r, err := http.NewRequestWithContext(g.Context(), http.MethodPost, g.server.URL,
		strings.NewReader(body))
	require.NoError(g, err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+accessKey+
		"/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00")
	out, err := http.DefaultClient.Do(r)
	require.NoError(g, err)
	defer out.Body.Close()
	require.NoError(g, json.NewDecoder(out.Body).Decode(&answer))
	return answer
}
