package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTransfersSurviveKills: an import, a bulk put and an export that kills interrupt end as those
// of a server that nobody kills, with the same items, counts, reports and manifests.
func TestTransfersSurviveKills(t *testing.T) {
	undisturbed, killed := newTransferCrash(t), newTransferCrash(t)
	undisturbed.run(t, 0)
	killed.run(t, number(t, "TEST_TRANSFER_KILLS", 3))
	assert.Equal(t, undisturbed.ends, killed.ends)
	want, got := undisturbed.written(t), killed.written(t)
	assert.ElementsMatch(t, slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(got)))
	for key, text := range want {
		assert.Empty(t, firstDifference(text, got[key]), key)
	}
	assert.Positive(t, killed.kills, "nothing was interrupted")
	t.Log(killed.kills, "kills")
}

// firstDifference names the first line that differs. Whole objects are too long to print.
func firstDifference(want, got string) string {
	wants, gots := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i := range max(len(wants), len(gots)) {
		w, g := "", ""
		if i < len(wants) {
			w = wants[i]
		}
		if i < len(gots) {
			g = gots[i]
		}
		if w != g {
			return fmt.Sprintf("line %d: %.300q instead of %.300q", i+1, g, w)
		}
	}
	return ""
}

// transferCrash is a server with transfers, and what became of them.
type transferCrash struct {
	data, buckets string
	c             *dynamodb.Client
	kill          func()
	kills         int
	ends          []string
}

// crashTransfer is a transfer that a crash may interrupt.
type crashTransfer struct {
	// the server may be killed before it answers
	begin func(context.Context, *dynamodb.Client) error
	state func(*testing.T, *dynamodb.Client) string // "" before it has begun
}

var crashTransfers = []crashTransfer{{beginCrashImport, crashImport},
	{beginCrashBulkPut, crashBulkPut}, {beginCrashExport, crashExport}}

// newTransferCrash makes the sources of the import and of the bulk put. The report of the bulk put
// has two objects.
func newTransferCrash(t *testing.T) *transferCrash {
	x := &transferCrash{data: filepath.Join(t.TempDir(), "data"), buckets: t.TempDir()}
	require.NoError(t, os.Mkdir(filepath.Join(x.buckets, "bucket"), 0o777))
	var plain, conditional strings.Builder
	for n := range 20_000 {
		fmt.Fprintf(&plain, `{"Item":{"pk":{"S":"%d"},"v":{"N":"%d"}}}`+"\n", n%15_000, n)
	}
	for n := range 6000 {
		fmt.Fprintf(&conditional,
			`{"Item":{"pk":{"S":"%d"},"fill":{"S":"%s"}},"ConditionExpression":"attribute_not_exists(pk)"}`+"\n",
			n%2000, strings.Repeat("x", 1000))
		if n%100 == 99 {
			conditional.WriteString(`{"Item":{"no":{"S":"key"}}}` + "\n")
		}
	}
	for key, text := range map[string]string{
		"plain": plain.String(), "conditional": conditional.String(),
	} {
		require.NoError(t,
			os.WriteFile(filepath.Join(x.buckets, "bucket", key), []byte(text), 0o666))
	}
	return x
}

func (x *transferCrash) start(t *testing.T) {
	var url string
	url, x.kill = start(t, "--data-dir", x.data, "--s3-dir", x.buckets)
	x.c = client(url)
}

// run runs the transfers one after another, each with a number of kills.
func (x *transferCrash) run(t *testing.T, kills int) {
	x.start(t)
	defer func() { x.kill() }()
	createTable(t, x.c)
	_, err := x.c.UpdateContinuousBackups(
		t.Context(), &dynamodb.UpdateContinuousBackupsInput{TableName: aws.String("table"),
			PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
				PointInTimeRecoveryEnabled: aws.Bool(true),
			}})
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	for _, transfer := range crashTransfers {
		x.transfer(t, transfer, kills, random)
	}
	for _, table := range []string{"imported", "table"} {
		out, err := x.c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &table})
		require.NoError(t, err)
		x.ends = append(x.ends,
			fmt.Sprintf("%s: %s with %d items", table, out.Table.TableStatus,
				countItems(t, x.c, table)))
	}
}

// transfer begins a transfer and kills the server: first as soon as the transfer is seen, for it
// may end between two questions of a slow machine, and then after a random number of questions.
func (x *transferCrash) transfer(t *testing.T, transfer crashTransfer, kills int,
	random *rand.Rand) {
	begun, c := make(chan error, 1), x.c
	go func() { begun <- transfer.begin(t.Context(), c) }()
	for questions := 0; ; questions-- {
		state := transfer.state(t, x.c)
		switch {
		case state == "": // it has not begun
			select {
			case err := <-begun:
				require.NoError(t, err)
			default:
			}
		case !strings.Contains(state, "IN_PROGRESS"):
			x.ends = append(x.ends, state)
			return
		case kills > 0 && questions <= 0:
			x.kill()
			x.start(t)
			x.kills, kills, questions = x.kills+1, kills-1, random.IntN(30)
		}
	}
}

// What differs between two servers in the objects of exports and reports.
var (
	crashNames = regexp.MustCompile(`\d{14}-[0-9a-f]{8}|data/[a-z0-9]+`)
	crashTimes = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"|"tableId":"[^"]*"`)
)

// written returns the objects that the transfers wrote, by their keys.
func (x *transferCrash) written(t *testing.T) map[string]string {
	objects := map[string]string{}
	root := os.DirFS(x.buckets)
	require.NoError(t, fs.WalkDir(root, "bucket", func(key string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !sameEverywhere(path.Base(key)) {
			return err
		}
		content, err := fs.ReadFile(root, key)
		text := crashTimes.ReplaceAllString(crashNames.ReplaceAllString(string(content), "X"), "Y")
		objects[crashNames.ReplaceAllString(key, "X")] = text
		return err
	}))
	assert.Contains(t, objects, "bucket/report/AWSDynamoDB/X/report-000001.json")
	return objects
}

// sameEverywhere reports whether a file is an object that is the same on two servers. The checksums
// of manifests differ with their times, and a kill may leave a file that never became an object.
func sameEverywhere(name string) bool {
	return name != "manifest-summary.md5" && name != "manifest-files.md5" &&
		!strings.HasPrefix(name, ".kugiri-")
}

func beginCrashImport(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.ImportTable(ctx, crashImportInput())
	return err
}

// crashImportInput imports the object "plain" as the table "imported".
func crashImportInput() *dynamodb.ImportTableInput {
	return &dynamodb.ImportTableInput{
		InputFormat: types.InputFormatDynamodbJson,
		S3BucketSource: &types.S3BucketSource{S3Bucket: aws.String("bucket"),
			S3KeyPrefix: aws.String("plain")},
		TableCreationParameters: &types.TableCreationParameters{TableName: aws.String("imported"),
			BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			}}}
}

func crashImport(t *testing.T, c *dynamodb.Client) string {
	list, err := c.ListImports(t.Context(), nil)
	require.NoError(t, err)
	if len(list.ImportSummaryList) == 0 {
		return ""
	}
	out, err := c.DescribeImport(t.Context(),
		&dynamodb.DescribeImportInput{ImportArn: list.ImportSummaryList[0].ImportArn})
	require.NoError(t, err)
	d := out.ImportTableDescription
	return fmt.Sprintf("import %s: %d processed, %d imported, %d errors, %d bytes",
		d.ImportStatus, d.ProcessedItemCount, d.ImportedItemCount, d.ErrorCount,
		aws.ToInt64(d.ProcessedSizeBytes))
}

func beginCrashBulkPut(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.StartBulkPutItems(ctx, crashBulkPutInput())
	return err
}

// crashBulkPutInput puts the object "conditional" to the table "table".
func crashBulkPutInput() *dynamodb.StartBulkPutItemsInput {
	return &dynamodb.StartBulkPutItemsInput{TableName: aws.String("table"),
		InputS3Configuration: &types.InputS3Configuration{S3Bucket: aws.String("bucket"),
			S3KeyPrefix: aws.String("conditional"),
			InputFormat: types.BulkOperationInputFormatDynamodbJson},
		OutputS3Configuration: &types.OutputS3Configuration{S3Bucket: aws.String("bucket"),
			S3KeyPrefix: aws.String("report"),
			OutputType: []types.OutputTypeEnum{types.OutputTypeEnumError,
				types.OutputTypeEnumConditionCheckFailure}}}
}

func crashBulkPut(t *testing.T, c *dynamodb.Client) string {
	list, err := c.ListBulkOperations(t.Context(), nil)
	require.NoError(t, err)
	if len(list.BulkOperationsSummaryList) == 0 {
		return ""
	}
	out, err := c.DescribeBulkOperation(t.Context(),
		&dynamodb.DescribeBulkOperationInput{
			BulkOperationArn: list.BulkOperationsSummaryList[0].BulkOperationArn,
		})
	require.NoError(t, err)
	d := out.BulkOperationDescription
	return fmt.Sprintf("bulk put %s: %d processed, %d failed, %d of %d bytes",
		d.BulkOperationStatus, d.ProcessedItemCount,
		d.FailedItemCount, aws.ToInt64(d.ProcessedInputBytes), aws.ToInt64(d.TotalInputBytes))
}

func beginCrashExport(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.ExportTableToPointInTime(
		ctx, &dynamodb.ExportTableToPointInTimeInput{S3Bucket: aws.String("bucket"),
			S3Prefix: aws.String("export"),
			TableArn: aws.String("arn:aws:dynamodb:us-east-1:000000000000:table/table")})
	return err
}

func crashExport(t *testing.T, c *dynamodb.Client) string {
	list, err := c.ListExports(t.Context(), nil)
	require.NoError(t, err)
	if len(list.ExportSummaries) == 0 {
		return ""
	}
	out, err := c.DescribeExport(t.Context(),
		&dynamodb.DescribeExportInput{ExportArn: list.ExportSummaries[0].ExportArn})
	require.NoError(t, err)
	d := out.ExportDescription
	return fmt.Sprintf("export %s: %d items, %d bytes", d.ExportStatus, aws.ToInt64(d.ItemCount),
		aws.ToInt64(d.BilledSizeBytes))
}

// countItems counts the items of a table.
func countItems(t *testing.T, c *dynamodb.Client, table string) (n int) {
	for p := dynamodb.NewScanPaginator(c,
		&dynamodb.ScanInput{TableName: &table, Select: types.SelectCount}); p.HasMorePages(); {
		page, err := p.NextPage(t.Context())
		require.NoError(t, err)
		n += int(page.Count)
	}
	return n
}
