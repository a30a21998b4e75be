package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// everyType is an item that has values of every type.
const everyType = `{"pk":{"S":"all"},"sk":{"N":"-12345678901234567890123456789012345678"},"b":{"B":"AAH/"},"bool":{"BOOL":false},"null":{"NULL":true},` +
	`"s":{"S":"é\"\n,\t<>&\u0001"},"empty":{"S":""},"ss":{"SS":["a","b,c"]},"ns":{"NS":["1","2.5"]},"bs":{"BS":["","AA=="]},` +
	`"l":{"L":[{"S":"x"},{"L":[]},{"M":{" ":{"S":"y"}}}]},"m":{"M":{"a":{"M":{}}}}}`

// database is a server with a client that the commands use too, by their environment.
func database(t *testing.T) (url string, client *dynamodb.Client) {
	t.Setenv("AWS_ACCESS_KEY_ID", "transfer")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "transfer")
	t.Setenv("AWS_REGION", "eu-west-1")
	url, _ = serving(t)
	e := endpoint.Endpoint{URL: url}
	client, err := e.Client(t.Context())
	require.NoError(t, err)
	return url, client
}

// command runs a command that is to succeed.
func command(t *testing.T, stdin string, args ...string) (stdout string) {
	t.Helper()
	out, stderr, err := piped(t.Context(), stdin, args...)
	require.NoError(t, err, stderr)
	return out
}

// piped runs a command with a standard input.
func piped(ctx context.Context, stdin string, args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	root := rootCommand()
	root.SetArgs(args)
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	err = root.ExecuteContext(ctx)
	return out.String(), errs.String(), err
}

const definitionText = `{"TableName":"x","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"s","AttributeType":"S"}],
"GlobalSecondaryIndexes":[{"IndexName":"by-s","KeySchema":[{"AttributeName":"s","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`

// TestTransferRoundTrips: what is exported from one table and imported into another is the same, in
// every format.
func TestTransferRoundTrips(t *testing.T) {
	url, client := database(t)
	definition := filepath.Join(t.TempDir(), "table.json")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	lines := everyType + "\n" + fmt.Sprintf(
		`{"pk":{"S":"large"},"sk":{"N":"0"},"filler":{"S":"%s"}}`,
		strings.Repeat("x", 390<<10)) + "\n"
	for i := range 300 {
		lines += fmt.Sprintf(`{"pk":{"S":"p%d"},"sk":{"N":"%d"},"s":{"S":"s"}}`+"\n", i%7, i)
	}
	command(t, lines, "import", "--endpoint", url, "--table", "source", "--create", "--definition",
		definition)
	want := sorted(command(t, "", "export", "--endpoint", url, "--table", "source"))
	require.Len(t, want, 302)
	plain := command(t, "", "export", "--endpoint", url, "--table", "source", "--format", "plain")
	command(t, plain, "import", "--endpoint", url, "--table", "copy-plain", "--create",
		"--definition", definition)
	assert.Len(t, sorted(command(t, "", "export", "--endpoint", url, "--table", "copy-plain")), 302)
	for _, format := range []string{"jsonl", "scan", "csv", "s3"} {
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			out, copied := filepath.Join(dir, "items"), filepath.Join(dir, "table.json")
			if format == "csv" {
				out += ".csv"
			}
			command(t, "", "export", "--endpoint", url, "--table", "source", "--format", format,
				"--out", out, "--definition", copied)
			args := []string{"import", "--endpoint", url, "--table", "copy-" + format, "--create",
				out}
			if format != "s3" {
				args = append(args, "--definition", copied)
			}
			command(t, "", args...)
			assert.Equal(t, want,
				sorted(command(t, "", "export", "--endpoint", url, "--table", "copy-"+format,
					"--segments", "1")))
			described, err := client.DescribeTable(t.Context(),
				&dynamodb.DescribeTableInput{TableName: new("copy-" + format)})
			require.NoError(t, err)
			assert.Equal(t, types.StreamViewTypeKeysOnly,
				described.Table.StreamSpecification.StreamViewType)
			require.Len(t, described.Table.GlobalSecondaryIndexes, 1)
			assert.Equal(t, "by-s", *described.Table.GlobalSecondaryIndexes[0].IndexName)
		})
	}
}

// TestExportsToAnyName exports to S3's format in directories whose names look like patterns.
func TestExportsToAnyName(t *testing.T) {
	url, _ := database(t)
	definition := filepath.Join(t.TempDir(), "table.json")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	command(t, everyType+"\n", "import", "--endpoint", url, "--table", "source", "--create",
		"--definition", definition)
	for i, name := range []string{"backup [1]", "a[b", "what?", "*"} {
		t.Run(name, func(t *testing.T) {
			out, table := filepath.Join(t.TempDir(), name), fmt.Sprint("copy-", i)
			command(t, "", "export", "--endpoint", url, "--table", "source", "--format", "s3",
				"--out", out)
			command(t, "", "import", "--endpoint", url, "--table", table, "--create", out)
			assert.Equal(t, command(t, "", "export", "--endpoint", url, "--table", "source"),
				command(t, "", "export", "--endpoint", url, "--table", table))
		})
	}
}

// sorted are the lines of a text, in order.
func sorted(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	slices.Sort(lines)
	return lines
}

func TestImportKeepsTheLastOfOneKey(t *testing.T) {
	url, _ := database(t)
	definition := filepath.Join(t.TempDir(), "table.json")
	require.NoError(t,
		os.WriteFile(definition,
			[]byte(`{"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}`), 0o666))
	lines := ""
	for i := range 500 {
		lines += fmt.Sprintf("{\"pk\":\"p%d\",\"n\":%d}\n", i%3, i)
	}
	command(t, lines, "import", "--endpoint", url, "--table", "orders", "--create", "--definition",
		definition, "--format", "plain")
	assert.Equal(t, []string{`{"n":497,"pk":"p2"}`, `{"n":498,"pk":"p0"}`, `{"n":499,"pk":"p1"}`},
		sorted(command(t, "", "export", "--endpoint", url, "--table", "orders", "--format",
			"plain")))
}

func TestTransferErrors(t *testing.T) {
	url, _ := database(t)
	definition := filepath.Join(t.TempDir(), "table.json")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	command(t, "", "import", "--endpoint", url, "--table", "there", "--create", "--definition",
		definition)
	for _, c := range []struct {
		name, stdin string
		args        []string
		says        []string
	}{
		{"no table named to export", "", []string{"export"},
			[]string{"--table or --all-tables is needed", "kugiri export --help"}},
		{"a table without its flag", "", []string{"export", "there"},
			[]string{`unknown argument "there"`, "did you mean --table there?"}},
		{"no table named to import into", "", []string{"import"},
			[]string{"--table or --all-tables is needed", "kugiri import --help"}},
		{"no such table", "", []string{"export", "--table", "absent"},
			[]string{"there is no table absent", `"kugiri tables"`}},
		{"no such table to import into", "", []string{"import", "--table", "absent"},
			[]string{"there is no table absent", "--create"}},
		{"no such directory", "", []string{"export", "--table", "there", "--out", "absent/file"},
			[]string{"open absent/file: no such file or directory"}},
		{"no such format", "", []string{"export", "--table", "there", "--format", "xml"},
			[]string{`"xml"`, "jsonl"}},
		{"a directory on a pipe", "", []string{"export", "--table", "there", "--format", "s3"},
			[]string{"--out"}},
		{"no segments", "", []string{"export", "--table", "there", "--segments", "0"},
			[]string{"between 1 and 1000"}},
		{"nothing known of the table", "", []string{"import", "--table", "new", "--create"},
			[]string{"--definition FILE"}},
		{"a table that is there", "",
			[]string{"import", "--table", "there", "--create", "--definition", definition},
			[]string{"without --create"}},
		{"no such file", "", []string{"import", "--table", "there", "absent.jsonl"},
			[]string{"absent.jsonl"}},
		{"an item without its key", `{"pk":{"S":"a"}}`, []string{"import", "--table", "there"},
			[]string{"standard input:1", `no attribute "sk"`}},
		{"an item that the table refuses",
			`{"pk":{"S":"a"},"sk":{"N":"1"}}` + "\n" + `{"pk":{"S":"a"},"sk":{"S":"1"}}`,
			[]string{"import", "--table", "there"},
			[]string{"standard input:2", "Type mismatch for key", "into the table"}},
		{"no URL", "", []string{"export", "--table", "there", "--endpoint", "nowhere"},
			[]string{"http://localhost:8000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := c.args
			if c.name != "no URL" {
				args = append(args, "--endpoint", url)
			}
			_, _, err := piped(t.Context(), c.stdin, args...)
			for _, says := range c.says {
				assert.ErrorContains(t, err, says)
			}
		})
	}
}

// TestImportFromDynamoDBLocal: the file was written by DynamoDB Local 2.6.1 (-sharedDb -dbPath).
// Its table orders has an item of every type, one that is longer than a page of the database, and
// 150 others.
func TestImportFromDynamoDBLocal(t *testing.T) {
	const file = "internal/transfer/testdata/shared-local-instance.db"
	url, client := database(t)
	for _, c := range []struct {
		table string
		items int
		check func(*testing.T, *types.TableDescription)
	}{
		{"orders", 152, func(t *testing.T, d *types.TableDescription) {
			assert.Equal(t, types.BillingModePayPerRequest, d.BillingModeSummary.BillingMode)
			assert.Equal(t, "by-s", *d.GlobalSecondaryIndexes[0].IndexName)
			assert.Nil(t, d.StreamSpecification)
		}},
		{"We.ird-1", 1, func(t *testing.T, d *types.TableDescription) {
			assert.Equal(t, int64(6), *d.ProvisionedThroughput.WriteCapacityUnits)
			assert.Equal(t, int64(2),
				*d.GlobalSecondaryIndexes[0].ProvisionedThroughput.WriteCapacityUnits)
			assert.Equal(t, []string{"x"}, d.LocalSecondaryIndexes[0].Projection.NonKeyAttributes)
			assert.Equal(t, types.StreamViewTypeKeysOnly, d.StreamSpecification.StreamViewType)
			assert.True(t, *d.DeletionProtectionEnabled)
		}},
		{"empty", 0, func(t *testing.T, d *types.TableDescription) {
			assert.Equal(t, types.KeyTypeHash, d.KeySchema[0].KeyType)
		}},
	} {
		t.Run(c.table, func(t *testing.T) {
			command(t, "", "import", "--endpoint", url, "--table", c.table, "--create", file)
			described, err := client.DescribeTable(t.Context(),
				&dynamodb.DescribeTableInput{TableName: &c.table})
			require.NoError(t, err)
			assert.EqualValues(t, c.items, *described.Table.ItemCount)
			c.check(t, described.Table)
		})
	}
	orders := sorted(command(t, "", "export", "--endpoint", url, "--table", "orders"))
	assert.True(t,
		slices.Contains(orders,
			`{"filler":{"S":"`+strings.Repeat("é", 3000)+`"},"pk":{"S":"large"},"sk":{"N":"0"}}`))

	_, _, err := piped(t.Context(), "", "import", "--endpoint", url, "--table", "absent",
		"--create", file)
	assert.ErrorContains(t, err, "has no table absent; it has orders, We.ird-1, empty")
	_, _, err = piped(t.Context(), "", "import", "--endpoint", url, "--table", "orders",
		"internal/sqlite/testdata/types.db")
	assert.ErrorContains(t, err, "types.db is a database of SQLite, but not of DynamoDB Local")
}

// TestImportCountsItems checks that an import knows how many items there are to read.
func TestImportCountsItems(t *testing.T) {
	const local = "internal/transfer/testdata/shared-local-instance.db"
	url, _ := database(t)
	command(t, "", "import", "--endpoint", url, "--table", "orders", "--create", local)
	dir := t.TempDir()
	export, lines := filepath.Join(dir, "export"), filepath.Join(dir, "orders.jsonl")
	command(t, "", "export", "--endpoint", url, "--table", "orders", "--format", "s3", "--out",
		export)
	command(t, "", "export", "--endpoint", url, "--table", "orders", "--out", lines)
	for _, c := range []struct {
		name, table string
		sources     []string
		want        int64
	}{
		{"DynamoDB Local's database", "orders", []string{local}, 152},
		{"another table of it", "We.ird-1", []string{local}, 1},
		{"a table without items", "empty", []string{local}, 0},
		{"a table that is not there", "absent", []string{local}, 0},
		{"an export to S3", "any", []string{export}, 152},
		{"both", "orders", []string{export, local}, 304},
		{"a file", "orders", []string{lines}, 0},
		{"an export and a file", "orders", []string{export, lines}, 0},
		{"a directory without an export", "orders", []string{dir + "/absent"}, 0},
		{"the standard input", "orders", []string{"-"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := importConfig{table: c.table}
			assert.Equal(t, c.want, x.count(c.sources))
		})
	}
}

func TestTransferSummary(t *testing.T) {
	url, _ := database(t)
	definition := filepath.Join(t.TempDir(), "table.json")
	require.NoError(t, os.WriteFile(definition, []byte(definitionText), 0o666))
	for _, c := range []struct {
		name, stdin string
		args        []string
		want        string
	}{
		{"an import", everyType, []string{"import", "--create", "--definition", definition},
			"imported 1 item into orders\n"},
		{"an export", "", []string{"export"}, "exported 1 item of orders\n"},
		{"an import in JSON", everyType, []string{"import", "--summary", "json"},
			`{"table":"orders","items":1}` + "\n"},
		{"an export in JSON", "", []string{"export", "--summary", "json", "--format", "plain"},
			`{"table":"orders","items":1}` + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, summary, err := piped(t.Context(), c.stdin,
				append(c.args, "--endpoint", url, "--table", "orders")...)
			require.NoError(t, err)
			assert.Equal(t, c.want, summary)
		})
	}
}
