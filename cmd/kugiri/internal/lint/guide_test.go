package lint_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// orders is the entity of the tables below.
var orders = []policy.Entity{{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{id}")}}

// TestCommandsAndData covers commands, history and data that do not go together (guide, "Version
// management").
func TestCommandsAndData(t *testing.T) {
	e, err := policy.Compile(policy.Policy{Tables: []policy.Table{
		{Name: "data", Entities: orders, Commands: "documents"},
		{Name: "documents", Role: policy.Command, Entities: orders},
	}})
	require.NoError(t, err)
	const commanded, sequence = "enforce version-command data order tenant001",
		"enforce version-sequence documents order tenant001"
	for _, c := range []struct {
		name     string
		version  string // the item's version; "" for none
		commands []string
		want     map[string]int64
	}{
		{"an item at its newest command", "2", []string{"1", "2"}, map[string]int64{}},
		{"an item that no command made", "0", nil, map[string]int64{}},
		{"version 1 without its command", "1", nil, map[string]int64{commanded: 1}},
		{"a version whose command is missing", "3", []string{"1", "2"},
			map[string]int64{commanded: 1}},
		{"an item behind its newest command", "2", []string{"1", "2", "3"},
			map[string]int64{commanded: 1}},
		{"an item of no command behind the first one", "0", []string{"1"},
			map[string]int64{commanded: 1}},
		{"commands of an item that is deleted", "", []string{"1", "2"}, map[string]int64{}},
		{"a command whose version skips", "1", []string{"1", "3"}, map[string]int64{sequence: 1}},
		{"a command whose version skips, among ten", "11",
			[]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "11"},
			map[string]int64{sequence: 1}},
		{"commands that begin late", "3", []string{"2", "3"}, map[string]int64{sequence: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := newClient(t)
			if c.version != "" {
				put(t, client, "data", "ORDER#tenant001", "ORDER#1", "version", c.version)
			}
			for _, v := range c.commands {
				put(t, client, "documents", "ORDER#tenant001", "ORDER#1@"+v, "version", v)
			}
			l := lint.Linter{Client: client, Policy: e, Tables: []string{"data", "documents"}}
			r, err := l.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.want, seen(r))
		})
	}
}

// TestKeysOfTables covers tables whose keys are not those that the policy declares.
func TestKeysOfTables(t *testing.T) {
	const key, prefix = "enforce key-schema made  ", "enforce key-undeclared-prefix made  "
	tenants := policy.Tenants{Callers: map[string]string{"AK": "tenant001"}}
	for _, c := range []struct {
		name     string
		tenants  policy.Tenants
		declared policy.Table
		types    [2]types.ScalarAttributeType
		item     [2]types.AttributeValue
		want     map[string]int64
	}{
		{name: "the declared key", declared: policy.Table{Entities: orders},
			item: [2]types.AttributeValue{text("ORDER#tenant001"), text("ORDER#1")}},
		{name: "other attributes that items have, too", item: [2]types.AttributeValue{text("1"),
			text("1")},
			declared: policy.Table{Role: policy.Plain, Tenant: policy.TenantNone,
				Key: policy.KeySchema{Partition: "other"}},
			want: map[string]int64{key: 1}},
		{name: "other attributes, which items lack", item: [2]types.AttributeValue{text("1"),
			text("1")},
			declared: policy.Table{Role: policy.Plain, Tenant: policy.TenantNone,
				Key: policy.KeySchema{Partition: "PK", Sort: "sk"}},
			want: map[string]int64{key: 1, prefix: 1}},
		{name: "binary keys of an entity", declared: policy.Table{Role: policy.Plain,
			Entities: orders}, types: [2]types.ScalarAttributeType{"B", "B"},
			item: [2]types.AttributeValue{binary("ORDER#tenant001"), binary("ORDER#1")},
			want: map[string]int64{key: 1, prefix: 1}},
		{name: "a binary partition key that names a tenant",
			declared: policy.Table{Role: policy.Plain, Tenant: policy.TenantRequired},
			types:    [2]types.ScalarAttributeType{"B", "S"},
			item:     [2]types.AttributeValue{binary("ORDER#tenant001"), text("ORDER#1")},
			want:     map[string]int64{key: 1, prefix: 1}},
		{name: "a number as a sort key of which nothing is declared",
			declared: policy.Table{Role: policy.Plain, Tenant: policy.TenantRequired},
			types:    [2]types.ScalarAttributeType{"S", "N"},
			item:     [2]types.AttributeValue{text("ORDER#tenant001"), number("1")}},
		{name: "a number as a sort key below a partition without a tenant",
			declared: policy.Table{Role: policy.Plain, Tenant: policy.TenantRequired},
			types:    [2]types.ScalarAttributeType{"S", "N"},
			item:     [2]types.AttributeValue{text("ORDER"), number("1")},
			want:     map[string]int64{"enforce tenant-missing made  ": 1}},
		{name: "a plain table with a tenant in its keys", tenants: tenants,
			declared: policy.Table{Role: policy.Plain, Tenant: policy.TenantRequired},
			item:     [2]types.AttributeValue{text("ORDER"), text("tenant001#1")},
			want:     map[string]int64{"enforce tenant-in-sort-key made  ": 1}},
		{name: "a plain table without a tenant in its keys", tenants: tenants,
			declared: policy.Table{Role: policy.Plain, Tenant: policy.TenantRequired},
			item:     [2]types.AttributeValue{text("ORDER"), text("1")},
			want:     map[string]int64{"enforce tenant-missing made  ": 1}},
		{name: "binary keys of which nothing is declared",
			declared: policy.Table{Role: policy.Plain, Tenant: policy.TenantNone},
			types:    [2]types.ScalarAttributeType{"B", "B"},
			item:     [2]types.AttributeValue{binary("a"), binary("b")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.declared.Name = "made"
			e, err := policy.Compile(policy.Policy{Tenants: c.tenants,
				Tables: []policy.Table{c.declared}})
			require.NoError(t, err)
			client := newClient(t)
			made(t, client, c.types)
			_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{
				TableName: aws.String("made"), Item: map[string]types.AttributeValue{
					"pk": c.item[0], "sk": c.item[1], "other": text("x"), "version": number("0")}})
			require.NoError(t, err)
			l := lint.Linter{Client: client, Policy: e, Tables: []string{"made"}}
			r, err := l.Run(t.Context())
			require.NoError(t, err)
			if c.want == nil {
				c.want = map[string]int64{}
			}
			assert.Equal(t, c.want, seen(r))
		})
	}
}

// made makes the table made. Attributes of its key are strings, if nothing else is said.
func made(t *testing.T, client *dynamodb.Client, of [2]types.ScalarAttributeType) {
	for i := range of {
		if of[i] == "" {
			of[i] = types.ScalarAttributeTypeS
		}
	}
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("made"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: of[0]},
			{AttributeName: aws.String("sk"), AttributeType: of[1]},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"},
			{AttributeName: aws.String("sk"), KeyType: "RANGE"}},
	})
	require.NoError(t, err)
}

func text(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func number(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
func binary(b string) types.AttributeValue { return &types.AttributeValueMemberB{Value: []byte(b)} }
