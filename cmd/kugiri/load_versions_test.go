package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The versions of a command table come through import and clone whatever their order.
func TestLoadsKeepVersions(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "transfer")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "transfer")
	t.Setenv("AWS_REGION", "us-east-1")
	const table = `{"TableName":"command","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`
	policy := writePolicy(t, "tables: [{name: command, role: command}]\n")
	line := func(v int) string {
		return fmt.Sprintf(`{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@%d"},"version":{"N":"%d"}}`,
			v, v)
	}
	orders := map[string][]string{}
	for v := range 40 {
		orders["forward"] = append(orders["forward"], line(v+1))
		orders["backward"] = append(orders["backward"], line(40-v))
		orders["by text"] = append(orders["by text"], line(v+1))
		orders["in halves"] = append(orders["in halves"], line((v+20)%40+1))
	}
	slices.Sort(orders["by text"])
	guarded := func() (string, *dynamodb.Client) {
		url, _ := serving(t, "--shared", "--policy", policy, "--seed",
			writeNamed(t, "command.json", table))
		return url, sdkClient(url, "x")
	}
	count := func(c *dynamodb.Client) int {
		name := "command"
		out, err := c.Scan(t.Context(), &dynamodb.ScanInput{TableName: &name})
		require.NoError(t, err)
		return len(out.Items)
	}
	for name, lines := range orders {
		t.Run(name, func(t *testing.T) {
			url, client := guarded()
			_, _, err := runs(t, "import", "--endpoint", url, "--table", "command",
				writeNamed(t, "items.jsonl", strings.Join(lines, "\n")))
			require.NoError(t, err)
			assert.Equal(t, 40, count(client))
		})
	}
	url, client := guarded()
	_, _, err := runs(t, "import", "--endpoint", url, "--table", "command",
		writeNamed(t, "items.jsonl", strings.Join(orders["backward"][:38], "\n")))
	require.ErrorContains(t, err, "38 items are not written, whose earlier versions are missing")
	assert.Zero(t, count(client))

	from, _ := serving(t, "--shared", "--seed",
		writeNamed(t, "command.json", table+strings.Join(orders["backward"], "")))
	url, client = guarded()
	_, _, err = runs(t, "clone", "--from", from, "--to", url, "--table", "command", "--unmasked")
	require.NoError(t, err)
	assert.Equal(t, 40, count(client))
}

// roundTables are tables of the guide's six patterns, of commands and of documents.
const roundTables = `
tables:
  - name: "data*"
    role: data
    entities: &entities
      - {name: product, prefix: PRODUCT, sort: "{product:ulid}"}
      - {name: order, prefix: ORDER, sort: "ORDER#{order}"}
      - {name: order-item, prefix: ORDER, sort: "ORDER_ITEM#{order}#{item}"}
      - {name: user, prefix: USER, tenant: common, sort: "{provider:local|sso}#{user}", writable: true}
      - {name: user-tenant, prefix: USER_TENANT, tenant: common, sort: "{tenant:tenant}#{user}"}
      - {name: master, prefix: MASTER, sort: "{type:SETTING|DATA}#{category}#{code}"}
      - {name: log, prefix: LOG, partition: "{month:month}", sort: "{at:timestamp}#{event}"}
  - {name: "command*", role: command, entities: *entities}
  - {name: "documents*", role: plain, tenant: none, latest: {attribute: pk}}
`

// roundItems returns the items of each kind of table: data at version 7, 40 versions of a command
// in the order of their text, and a document of three versions.
func roundItems() map[string][]string {
	items := map[string][]string{}
	add := func(table, pk, sk, more string) {
		items[table] = append(items[table],
			fmt.Sprintf(`{"pk":{"S":%q},"sk":{"S":%q}%s}`, pk, sk, more))
	}
	const version = `,"version":{"N":"7"}`
	for _, key := range [][2]string{
		{"PRODUCT#tenant001", "01HX7MBJK3V9WQBZ7XNDK5ZT2M"},
		{"ORDER#tenant001", "ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M"},
		{"ORDER#tenant001", "ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#001"},
		{"USER#common", "sso#abc123def456"}, {"USER_TENANT#common", "tenant001#user123"},
		{"MASTER#tenant001", "DATA#product_category#electronics"},
		{"LOG#tenant001#2024-01", "2024-01-15T10:30:00Z#evt001"},
	} {
		add("data", key[0], key[1], version)
	}
	for v := 1; v <= 40; v++ {
		add("command", "ORDER#tenant001", fmt.Sprintf("ORDER#1@%d", v),
			fmt.Sprintf(`,"version":{"N":"%d"}`, v))
	}
	for _, v := range []string{"v1", "v2", "v3"} {
		add("documents", v, "-", `,"content":{"S":"text of `+v+`"}`)
	}
	add("documents", "latest", "-", `,"content":{"S":"text of v3"},"actualVersion":{"S":"v3"}`)
	for _, lines := range items {
		slices.Sort(lines)
	}
	return items
}

// What a table had is equal after a round trip, or the command says how many items are missing.
func TestRoundTripsUnderAPolicy(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "transfer")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "transfer")
	t.Setenv("AWS_REGION", "us-east-1")
	policy, buckets := writePolicy(t, roundTables), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(buckets, "bucket"), 0o777))
	definition := func(table string) string {
		return fmt.Sprintf(`{"TableName":%q,"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`+"\n", table)
	}
	refusals := map[string]string{
		"data":      "7 items are not written, which the policy refuses: ",
		"documents": "4 items are not written, which the policy refuses: ",
	}
	for table, lines := range roundItems() {
		t.Run(table, func(t *testing.T) {
			server := func(seed string, args ...string) (string, *dynamodb.Client) {
				url, _ := serving(t, append(args, "--shared", "--seed",
					writeNamed(t, table+".json", seed))...)
				return url, sdkClient(url, "x")
			}
			full := definition(table) + strings.Join(lines, "\n")
			from, source := server(full, "--policy", policy, "--s3-dir", buckets, "--admin")
			require.Equal(t, lines, itemLines(t, source, table), "by a seed")

			text, _, err := runs(t, "export", "--endpoint", from, "--table", table)
			require.NoError(t, err)
			exported := writeNamed(t, table+".jsonl", text)
			for name, command := range map[string][]string{
				"import": {"import", "--table", table, exported},
				"clone":  {"clone", "--table", table, "--unmasked", "--from", from},
			} {
				to, client := server(definition(table), "--policy", policy)
				flag := map[string]string{"import": "--endpoint", "clone": "--to"}[name]
				_, _, err = runs(t, append(command, flag, to)...)
				if want := refusals[table]; want != "" {
					require.ErrorContains(t, err, want, name)
					require.ErrorContains(t, err, "ImportTable, StartBulkPutItems and --seed", name)
					require.Empty(t, itemLines(t, client, table), name)
					continue
				}
				require.NoError(t, err, name)
				require.Equal(t, lines, itemLines(t, client, table), name)
			}
			restored := backedUp(t, source, table)
			require.Equal(t, lines, itemLines(t, source, restored), "by a restore")
			done, copied := importedByS3(t, source, buckets, table, lines)
			require.Equal(t, types.ImportStatusCompleted, done.ImportStatus)
			require.EqualValues(t, 0, done.ErrorCount)
			require.EqualValues(t, len(lines), done.ImportedItemCount)
			require.Equal(t, lines, itemLines(t, source, copied), "by ImportTable")
			put, copied := bulkPut(t, from, buckets, table, lines)
			require.Equal(t, bulkResult{"COMPLETED", len(lines), 0}, put)
			require.Equal(t, lines, itemLines(t, source, copied), "by StartBulkPutItems")
			admin := func(path, body string) {
				res, err := http.Post(from+"/_kugiri/"+path, "application/json",
					strings.NewReader(body))
				require.NoError(t, err)
				require.NoError(t, res.Body.Close())
				require.Less(t, res.StatusCode, 300, path)
			}
			admin("snapshots", `{"name":"full"}`)
			admin("forks", `{"accessKey":"FORK"}`)
			_, err = source.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: &table})
			require.NoError(t, err)
			fork := sdkClient(from, "x", keyed("FORK", "x"))
			require.Equal(t, lines, itemLines(t, fork, table), "by a fork")
			admin("snapshots/full/restore", "")
			require.Equal(t, lines, itemLines(t, source, table), "by a snapshot")
		})
	}
}

// itemLines returns the items of a table as JSON, sorted.
func itemLines(t *testing.T, c *dynamodb.Client, table string) []string {
	t.Helper()
	out, err := c.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	var lines []string
	for _, it := range out.Items {
		line := fmt.Sprintf(`{"pk":{"S":%q},"sk":{"S":%q}`, stringIn(it, "pk"), stringIn(it, "sk"))
		if v, ok := it["version"].(*types.AttributeValueMemberN); ok {
			line += fmt.Sprintf(`,"version":{"N":%q}`, v.Value)
		}
		for _, name := range []string{"content", "actualVersion"} {
			if v := stringIn(it, name); v != "" {
				line += fmt.Sprintf(`,%q:{"S":%q}`, name, v)
			}
		}
		lines = append(lines, line+"}")
	}
	slices.Sort(lines)
	return lines
}

func stringIn(it map[string]types.AttributeValue, name string) string {
	s, _ := it[name].(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

// backedUp restores a table from a backup, and returns the name of the new one.
func backedUp(t *testing.T, c *dynamodb.Client, table string) string {
	t.Helper()
	b, err := c.CreateBackup(t.Context(),
		&dynamodb.CreateBackupInput{TableName: &table, BackupName: aws.String("backup")})
	require.NoError(t, err)
	name := table + "-restored"
	_, err = c.RestoreTableFromBackup(t.Context(), &dynamodb.RestoreTableFromBackupInput{
		BackupArn: b.BackupDetails.BackupArn, TargetTableName: &name})
	require.NoError(t, err)
	require.NoError(t, dynamodb.NewTableExistsWaiter(c,
		func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay, o.MaxDelay = quick, quick }).
		Wait(t.Context(), &dynamodb.DescribeTableInput{TableName: &name}, time.Minute))
	return name
}

// importedByS3 imports items into a new table by ImportTable, and returns its name.
func importedByS3(t *testing.T, c *dynamodb.Client, buckets, table string, lines []string) (
	*types.ImportTableDescription, string) {
	t.Helper()
	name := table + "-imported"
	text := `{"Item":` + strings.Join(lines, "}\n"+`{"Item":`) + "}\n"
	require.NoError(t,
		os.WriteFile(filepath.Join(buckets, "bucket", name), []byte(text), 0o600))
	begun, err := c.ImportTable(t.Context(), &dynamodb.ImportTableInput{
		InputFormat: types.InputFormatDynamodbJson,
		S3BucketSource: &types.S3BucketSource{S3Bucket: aws.String("bucket"),
			S3KeyPrefix: &name},
		TableCreationParameters: &types.TableCreationParameters{TableName: &name,
			BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
				{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS}},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
				{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}}},
	})
	require.NoError(t, err)
	for {
		out, err := c.DescribeImport(t.Context(), &dynamodb.DescribeImportInput{
			ImportArn: begun.ImportTableDescription.ImportArn})
		require.NoError(t, err)
		if d := out.ImportTableDescription; d.ImportStatus != types.ImportStatusInProgress {
			return d, name
		}
	}
}

// bulkResult is the status of a bulk put that has ended, with its counts.
type bulkResult struct {
	BulkOperationStatus                 string
	ProcessedItemCount, FailedItemCount int
}

// bulkPut puts items into a new table by StartBulkPutItems, and returns its name.
func bulkPut(t *testing.T, url, buckets, table string, lines []string) (bulkResult, string) {
	t.Helper()
	name := table + "-bulk"
	text := `{"Item":` + strings.Join(lines, "}\n"+`{"Item":`) + "}\n"
	require.NoError(t, os.WriteFile(filepath.Join(buckets, "bucket", name), []byte(text), 0o600))
	_, err := sdkClient(url, "x").CreateTable(t.Context(), placesTable(name, []string{"pk", "sk"}))
	require.NoError(t, err)
	ask := func(operation, body string) (arn string, r bulkResult) {
		var out struct {
			BulkOperationDescription struct {
				BulkOperationArn string
				bulkResult
			}
		}
		answer := rawTo(t, http.DefaultClient, url, "x", operation, body)
		require.NoError(t, json.Unmarshal([]byte(answer), &out), answer)
		d := out.BulkOperationDescription
		require.NotEmpty(t, d.BulkOperationArn, answer)
		return d.BulkOperationArn, bulkResult{d.BulkOperationStatus, d.ProcessedItemCount,
			d.FailedItemCount}
	}
	arn, r := ask("StartBulkPutItems", fmt.Sprintf(`{"TableName":%q,
		"InputS3Configuration":{"S3Bucket":"bucket","S3KeyPrefix":%[1]q,
			"InputFormat":"DYNAMODB_JSON"},
		"OutputS3Configuration":{"S3Bucket":"bucket","S3KeyPrefix":"out","OutputType":["ERROR"]}}`,
		name))
	for r.BulkOperationStatus == "IN_PROGRESS" {
		_, r = ask("DescribeBulkOperation", fmt.Sprintf(`{"BulkOperationArn":%q}`, arn))
	}
	return r, name
}

// ImportTable and StartBulkPutItems judge a set of versions, in four orders, and a document without
// what it names.
func TestSetsOfVersionsUnderAPolicy(t *testing.T) {
	t.Setenv("AWS_REGION", "us-east-1")
	items := roundItems()
	byText := items["command"]
	forward := make([]string, 40)
	for _, line := range byText {
		var v int
		_, err := fmt.Sscanf(line[strings.LastIndex(line, `"N":`)+4:], `"%d"`, &v)
		require.NoError(t, err)
		forward[v-1] = line
	}
	backward := slices.Clone(forward)
	slices.Reverse(backward)
	documents := items["documents"]
	for _, c := range []struct {
		name, table string
		lines       []string
		errors      int64
	}{
		{"versions forward", "command", forward, 0},
		{"versions backward", "command", backward, 0},
		{"versions by text", "command", byText, 0},
		{"versions in halves", "command", slices.Concat(forward[20:], forward[:20]), 0},
		{"versions with two gaps", "command",
			slices.Concat(forward[:10], forward[11:20], forward[21:]), 1},
		{"documents", "documents", documents, 0},
		{"documents without the latest item", "documents", documents[1:], 1},
		{"documents without the version that the latest item names", "documents", documents[:3], 1},
		{"data at version 7", "data", items["data"], 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			buckets := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(buckets, "bucket"), 0o777))
			url, _ := serving(t, "--shared", "--policy", writePolicy(t, roundTables), "--s3-dir",
				buckets)
			client := sdkClient(url, "x")
			done, name := importedByS3(t, client, buckets, c.table, c.lines)
			require.Equal(t, c.errors, done.ErrorCount, "%v", aws.ToString(done.FailureMessage))
			require.EqualValues(t, len(c.lines), done.ProcessedItemCount)
			require.EqualValues(t, len(itemLines(t, client, name)), done.ImportedItemCount)
			require.Len(t, itemLines(t, client, name), len(c.lines))
			put, name := bulkPut(t, url, buckets, c.table, c.lines)
			status := "COMPLETED"
			if c.errors > 0 {
				status = "COMPLETED_WITH_ERRORS"
			}
			require.Equal(t, bulkResult{status, len(c.lines), int(c.errors)}, put)
			require.Len(t, itemLines(t, client, name), len(c.lines))
		})
	}
}
