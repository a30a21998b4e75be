package main

import (
	"fmt"
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

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

const cloneMask = `
rules:
  - {attribute: pk, pattern: "CUSTOMER#{customer}", parts: {customer: text}}
  - {attribute: sk, as: keep}
  - {attribute: customer, as: text}
  - {attribute: mail, as: email}
`

// cloning is a pair of endpoints. The first has two tables that belong together.
type cloning struct {
	from, to string
	mask     string // file
}

func newCloning(t *testing.T) *cloning {
	t.Setenv(secretVariable, "the secret of this test")
	dir := t.TempDir()
	x := &cloning{mask: filepath.Join(dir, "mask.yaml")}
	require.NoError(t, os.WriteFile(x.mask, []byte(cloneMask), 0o600))
	var stop func() error
	for _, url := range []*string{&x.from, &x.to} {
		*url, stop = serving(t, "--shared")
		t.Cleanup(func() { require.NoError(t, stop()) })
	}
	from := client(x.from)
	for _, name := range []string{"customers", "orders"} {
		_, err := from.CreateTable(t.Context(), &dynamodb.CreateTableInput{
			TableName: &name, BillingMode: types.BillingModePayPerRequest,
			Tags: []types.Tag{{Key: aws.String("team"), Value: aws.String("red")}},
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"),
				AttributeType: types.ScalarAttributeTypeS},
				{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS},
				{AttributeName: aws.String("customer"), AttributeType: types.ScalarAttributeTypeN}},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
				{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
			},
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String(
				"by-customer"),
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
				KeySchema: []types.KeySchemaElement{
					{AttributeName: aws.String("customer"), KeyType: types.KeyTypeHash},
				}}},
		})
		require.NoError(t, err)
		_, err = from.UpdateTimeToLive(
			t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: &name,
				TimeToLiveSpecification: &types.TimeToLiveSpecification{
					AttributeName: aws.String("expires"), Enabled: aws.Bool(true),
				}})
		require.NoError(t, err)
	}
	for i := range 200 {
		customer := fmt.Sprint(4000 + i%50)
		item := map[string]types.AttributeValue{
			"pk":       &types.AttributeValueMemberS{Value: "CUSTOMER#" + customer},
			"sk":       &types.AttributeValueMemberS{Value: fmt.Sprint(i)},
			"customer": &types.AttributeValueMemberN{Value: customer},
			"mail":     &types.AttributeValueMemberS{Value: "c" + customer + "@acme.com"},
			"note":     &types.AttributeValueMemberS{Value: "call +81 3 1234 5678"},
		}
		for _, name := range []string{"customers", "orders"} {
			_, err := from.PutItem(t.Context(),
				&dynamodb.PutItemInput{TableName: &name, Item: item})
			require.NoError(t, err)
		}
	}
	return x
}

// clone runs the command.
func (x *cloning) clone(t *testing.T, arguments ...string) (out string, err error) {
	out, _, err = runs(t,
		append([]string{"clone", "--from", x.from, "--to", x.to}, arguments...)...)
	return out, err
}

// items returns the items of a table as text, in order.
func (x *cloning) items(t *testing.T, url, table string) []string {
	out, _, err := runs(t, "export", "--endpoint", url, "--table", table)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(lines)
	return lines
}

func TestClone(t *testing.T) {
	x := newCloning(t)
	out, err := x.clone(t, "--table", "customers", "--table", "orders", "--mask", x.mask)
	require.NoError(t, err)
	assert.Contains(t, out, "customers: cloned 200 items of 200 items\n")
	assert.Regexp(t, `(?m)^  note +no rule +200 S`, out)
	assert.Regexp(t, `(?m)^  pk +CUSTOMER#\{customer\} +200 S$`, out)

	customers := x.items(t, x.to, "customers")
	assert.Equal(t, customers, x.items(t, x.to, "orders"), "both tables have the same pseudonyms")
	assert.Len(t, customers, 200)
	for _, line := range customers {
		assert.Regexp(t,
			`"customer":\{"N":"(\d{4})"\},"mail":\{"S":"[a-z]\d{4}@[a-z]{4}\.[a-z]{3}\.example"\},"note":\{"S":"call \+81 3 1234 5678"\},"pk":\{"S":"CUSTOMER#\d{4}"\},`, line)
		_, after, _ := strings.Cut(line, `"customer":{"N":"`)
		assert.Contains(t, line, `"pk":{"S":"CUSTOMER#`+after[:4]+`"}`, "the reference is joined")
	}
	assert.NotEqual(t, x.items(t, x.from, "customers"), customers)

	client := client(x.to)
	table, err := client.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	assert.Len(t, table.Table.GlobalSecondaryIndexes, 1)
	ttl, err := client.DescribeTimeToLive(t.Context(),
		&dynamodb.DescribeTimeToLiveInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	assert.Equal(t, "expires", aws.ToString(ttl.TimeToLiveDescription.AttributeName))
	tags, err := client.ListTagsOfResource(t.Context(),
		&dynamodb.ListTagsOfResourceInput{ResourceArn: table.Table.TableArn})
	require.NoError(t, err)
	assert.Len(t, tags.Tags, 1)

	again, err := x.clone(t, "--table", "orders", "--mask", x.mask)
	require.NoError(t, err)
	assert.Contains(t, again, "orders: cloned 200 items of 200 items\n")
	assert.Equal(t, customers, x.items(t, x.to, "orders"), "another run has the same pseudonyms")
}

// TestCloneSample: a sample has whole item collections, and the same ones of both tables.
func TestCloneSample(t *testing.T) {
	x := newCloning(t)
	_, err := x.clone(t, "--table", "customers", "--table", "orders", "--unmasked", "--sample",
		"20%")
	require.NoError(t, err)
	all, sample := x.items(t, x.from, "orders"), x.items(t, x.to, "orders")
	assert.Equal(t, sample, x.items(t, x.to, "customers"))
	assert.Greater(t, len(sample), 4)
	assert.Less(t, len(sample), 100)
	collection := func(line string) string {
		_, key, _ := strings.Cut(line, `"pk":`)
		return key[:len(`{"S":"CUSTOMER#4000"}`)]
	}
	chosen := map[string]bool{}
	for _, line := range sample {
		chosen[collection(line)] = true
	}
	assert.Equal(t, sample,
		slices.DeleteFunc(all, func(line string) bool { return !chosen[collection(line)] }))
}

// TestCloneDryRun: a dry run reports and writes nothing, and needs neither a mask nor a secret.
func TestCloneDryRun(t *testing.T) {
	x := newCloning(t)
	t.Setenv(secretVariable, "")
	out, err := x.clone(t, "--table", "orders", "--dry-run")
	require.NoError(t, err)
	assert.Contains(t, out, "orders: would clone 200 items of 200 items\n")
	assert.Regexp(t, `(?m)^  mail +no rule +200 S +200 look like an e-mail address$`, out)
	_, err = x.clone(t, "--table", "orders", "--dry-run", "--mask", x.mask)
	require.NoError(t, err)
	_, _, err = runs(t, "export", "--endpoint", x.to, "--table", "orders")
	require.ErrorIs(t, err, endpoint.ErrNoTable)
}

// TestCloneStrict: nothing of an item is written if no rule fits one of its attributes.
func TestCloneStrict(t *testing.T) {
	x := newCloning(t)
	_, err := x.clone(t, "--table", "orders", "--mask", x.mask, "--strict")
	require.ErrorContains(t, err, "no rule masks note of orders")
	assert.Equal(t, []string{""}, x.items(t, x.to, "orders"))
}

// TestCloneResumes: a clone that is broken off again and again ends with each item once, and
// nothing that is not masked is written.
func TestCloneResumes(t *testing.T) {
	x := newCloning(t)
	whole := newCloning(t)
	_, err := whole.clone(t, "--table", "orders", "--mask", whole.mask)
	require.NoError(t, err)

	state := filepath.Join(t.TempDir(), "state")
	b := breakingAt(t, x.to, "BatchWriteItem")
	target := *x
	target.to = b.URL
	// The first table is done in the fourth run: a run that is broken off begins a page again.
	for _, left := range []int64{3, 0, 7, 8, 3, 1000} {
		b.left.Store(left)
		_, err := target.clone(t, "--table", "customers", "--table", "orders", "--mask", x.mask,
			"--resume", state)
		if left == 1000 {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "not now")
		require.ErrorContains(t, err, "the same command goes on from "+state)
		_, err = target.clone(t, "--table", "customers", "--table", "orders", "--unmasked",
			"--resume", state)
		require.ErrorContains(t, err, "with another mask, secret or sample")
		_, err = target.clone(t, "--table", "orders", "--mask", x.mask, "--resume", state)
		require.ErrorContains(t, err, "is of a clone of customers, orders")
	}
	assert.NoFileExists(t, state)
	assert.Equal(t, whole.items(t, whole.to, "orders"), x.items(t, x.to, "orders"))
	assert.Equal(t, x.items(t, x.to, "customers"), x.items(t, x.to, "orders"))
}

func TestCloneErrors(t *testing.T) {
	x := newCloning(t)
	_, _, err := runs(t, "clone", "--to", x.to, "--table", "orders", "--unmasked")
	require.ErrorContains(t, err, "--from is needed")
	for _, c := range []struct {
		name      string
		secret    string
		arguments []string
		says      string
	}{
		{"no table", "", []string{"--unmasked"}, "--table or --all-tables is needed"},
		{"a table twice", "",
			[]string{"--table", "orders", "--table", "customers", "--table", "orders",
				"--unmasked"}, "names a table twice"},
		{"no mask", "", []string{"--table", "orders"},
			"either --mask says what is masked, or --unmasked"},
		{"both", "", []string{"--table", "orders", "--mask", x.mask, "--unmasked"},
			"do not go together"},
		{"no secret", "", []string{"--table", "orders", "--mask", x.mask},
			"pseudonyms need a secret"},
		{"a short secret", "short", []string{"--table", "orders", "--mask", x.mask},
			"at least 16 bytes"},
		{"a strict clone without a mask", "",
			[]string{"--table", "orders", "--unmasked", "--strict"}, "--strict is for --mask"},
		{"a dry run that resumes", "", []string{"--table", "orders", "--dry-run", "--resume", "x"},
			"do not go together"},
		{"a rate below nothing", "", []string{"--table", "orders", "--unmasked", "--rate", "-1"},
			"want no less than 0"},
		{"no segments", "", []string{"--table", "orders", "--unmasked", "--segments", "0"},
			"between 1 and 1000"},
		{"a sample of nothing", "", []string{"--table", "orders", "--unmasked", "--sample", "0%"},
			"want a share above 0"},
		{"a sample without percent", "",
			[]string{"--table", "orders", "--unmasked", "--sample", "5"}, "such as 1%"},
		{"a table that is not there", "", []string{"--table", "other", "--unmasked"},
			"there is no table other"},
		{"a missing mask", "the secret of this test",
			[]string{"--table", "orders", "--mask", "no.yaml"}, "no.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(secretVariable, c.secret)
			_, err := x.clone(t, c.arguments...)
			require.ErrorContains(t, err, c.says)
		})
	}
	_, _, err = runs(t, "clone", "--from", x.to, "--to", x.to, "--table", "orders", "--unmasked")
	require.ErrorContains(t, err, "--from and --to are the same")
	itself := strings.Replace(x.from, "127.0.0.1", "localhost", 1)
	_, _, err = runs(t, "clone", "--from", x.from, "--to", itself, "--table", "orders",
		"--unmasked")
	require.ErrorContains(t, err, "this is the table orders that --from names, at another address")
}

// TestCloneIntoAnotherKey: a table that is there must have the same key, with the same types.
func TestCloneIntoAnotherKey(t *testing.T) {
	x := newCloning(t)
	attribute := func(name string, typ types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: typ}
	}
	key := []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
		{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}}
	for table, in := range map[string]*dynamodb.CreateTableInput{
		"customers": {KeySchema: key[:1],
			AttributeDefinitions: []types.AttributeDefinition{attribute("pk", "S")}},
		"orders": {KeySchema: key,
			AttributeDefinitions: []types.AttributeDefinition{attribute("pk", "S"),
				attribute("sk", "N")}},
	} {
		in.TableName, in.BillingMode = &table, types.BillingModePayPerRequest
		_, err := client(x.to).CreateTable(t.Context(), in)
		require.NoError(t, err)
		_, err = x.clone(t, "--table", table, "--unmasked")
		require.ErrorContains(t, err, "there is a table "+table+" with another key")
	}
}
