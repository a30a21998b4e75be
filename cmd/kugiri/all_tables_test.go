package main

import (
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// localWithTTL is a database that DynamoDB Local 2.6.1 wrote: the tables orders and stock, both
// with a stream, orders with time to live and deletion protection.
const localWithTTL = "internal/transfer/testdata/time-to-live.db"

// TestAllTables: a database of DynamoDB Local, an export and a clone keep all tables with their
// settings.
func TestAllTables(t *testing.T) {
	from, client := database(t)
	_, said, err := piped(t.Context(), "", "import", "--endpoint", from, "--all-tables", "--create",
		localWithTTL)
	require.NoError(t, err)
	assert.Equal(t, "imported 3 items into orders\nimported 3 items into stock\n", said)
	orders, err := client.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: new("orders")})
	require.NoError(t, err)
	assert.True(t, *orders.Table.DeletionProtectionEnabled)
	assert.Equal(t, types.StreamViewTypeNewImage,
		orders.Table.StreamSpecification.StreamViewType)
	assert.Equal(t, "expires", timeToLiveOf(t, client, "orders"))
	assert.Empty(t, timeToLiveOf(t, client, "stock"))
	_, err = client.TagResource(t.Context(), &dynamodb.TagResourceInput{
		ResourceArn: orders.Table.TableArn,
		Tags:        []types.Tag{{Key: new("team"), Value: new("shop")}},
	})
	require.NoError(t, err)

	t.Run("export and import", func(t *testing.T) {
		to, copied := database(t)
		dir := filepath.Join(t.TempDir(), "backup")
		command(t, "", "export", "--endpoint", from, "--all-tables", "--format", "s3", "--out", dir)
		command(t, "", "import", "--endpoint", to, "--all-tables", "--create", dir)
		assert.Equal(t, "expires", timeToLiveOf(t, copied, "orders"))
		sameTables(t, from, to)
	})
	t.Run("clone", func(t *testing.T) {
		to, _ := database(t)
		command(t, "", "clone", "--from", from, "--to", to, "--all-tables", "--unmasked")
		sameTables(t, from, to)
	})
}

// sameTables requires that compare finds no difference.
func sameTables(t *testing.T, from, to string) {
	t.Helper()
	out, _, err := compares(t, "--from", from, "--to", to)
	require.NoError(t, err, out)
	assert.Regexp(t, `^orders: the same, 3 items, checksum [0-9a-f]{32}
stock: the same, 3 items, checksum [0-9a-f]{32}
$`, out)
}

func timeToLiveOf(t *testing.T, client *dynamodb.Client, table string) string {
	t.Helper()
	attribute, err := endpoint.TimeToLive(t.Context(), client, &table)
	require.NoError(t, err)
	return attribute
}

// TestExportDefinitionWithoutTTL: the input of create-table has no time to live, and export says
// so.
func TestExportDefinitionWithoutTTL(t *testing.T) {
	url, _ := database(t)
	command(t, "", "import", "--endpoint", url, "--table", "orders", "--create", localWithTTL)
	file := filepath.Join(t.TempDir(), "orders.json")
	_, said, err := piped(t.Context(), "", "export", "--endpoint", url, "--table", "orders",
		"--definition", file)
	require.NoError(t, err)
	assert.Contains(t, said,
		file+": the input of create-table has no time to live: turn it on for the attribute expires")
}

func TestAllTablesErrors(t *testing.T) {
	url, _ := database(t)
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no source", []string{"import", "--all-tables"},
			"--all-tables needs a database or a directory"},
		{"a table, too",
			[]string{"import", "--all-tables", "--table", "orders", localWithTTL},
			"--table and --all-tables do not go together"},
		{"a file of items", []string{"import", "--all-tables", "transfer_test.go"},
			"transfer_test.go does not say of which tables its items are"},
		{"a directory without exports", []string{"import", "--all-tables", t.TempDir()},
			"has no tables"},
		{"one definition", []string{"import", "--all-tables", "--definition", "x", localWithTTL},
			"--definition and --resume are for a single table"},
		{"lines of items", []string{"export", "--all-tables"}, "--all-tables is for --format s3"},
		{"no tables", []string{"export", "--all-tables", "--format", "s3", "--out", t.TempDir()},
			"there are no tables of this access key and region"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := piped(t.Context(), "", append(c.args, "--endpoint", url)...)
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// TestCompareSettings: what DescribeTable, DescribeTimeToLive, tags and backups say is compared,
// and --ignore leaves parts out.
func TestCompareSettings(t *testing.T) {
	from, client := database(t)
	to, other := database(t)
	for _, url := range []string{from, to} {
		command(t, "", "import", "--endpoint", url, "--all-tables", "--create", localWithTTL)
	}
	described, err := client.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: new("stock")})
	require.NoError(t, err)
	_, err = client.TagResource(t.Context(), &dynamodb.TagResourceInput{
		ResourceArn: described.Table.TableArn,
		Tags:        []types.Tag{{Key: new("team"), Value: new("a")}},
	})
	require.NoError(t, err)
	_, err = other.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: new("stock"), TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: new("gone"), Enabled: new(true)}})
	require.NoError(t, err)
	for _, in := range []*dynamodb.UpdateTableInput{
		{TableClass: types.TableClassStandardInfrequentAccess},
		{DeletionProtectionEnabled: new(true)},
		{OnDemandThroughput: &types.OnDemandThroughput{MaxReadRequestUnits: new(int64(9))}},
	} {
		in.TableName = new("stock")
		_, err = other.UpdateTable(t.Context(), in)
		require.NoError(t, err)
	}
	_, err = other.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: new("stock"),
		PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: new(true)}})
	require.NoError(t, err)

	out, status, err := compares(t, "--from", from, "--to", to, "--table", "stock")
	require.EqualError(t, err, "1 table differs")
	assert.Equal(t, 1, status)
	assert.Regexp(t, `^stock: different
  --from has 3 items, checksum ([0-9a-f]{32})
  --to has 3 items, checksum [0-9a-f]{32}
  capacity: --from has on demand, --to has on demand, at most 9 read units
  time to live: --from has none, --to has gone
  tags: --from has team=a, --to has none
  deletion protection: --from has none, --to has on
  table class: --from has STANDARD, --to has STANDARD_INFREQUENT_ACCESS
  point-in-time recovery: --from has none, --to has 35 days
$`, out)
	_, _, err = compares(t, "--from", from, "--to", to, "--table", "stock", "--ignore",
		"capacity,time to live,tags,deletion protection,table class,point-in-time recovery")
	require.NoError(t, err)
	_, status, err = compares(t, "--from", from, "--to", to, "--ignore", "tag")
	require.ErrorContains(t, err, `--ignore "tag": want capacity, stream`)
	assert.Equal(t, 2, status)
}
