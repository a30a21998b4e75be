package emulator_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestHints: a request on items that names no table is logged once, with the tables that there are.
// The answer is the service's.
func TestHints(t *testing.T) {
	var log bytes.Buffer
	handler := slog.NewTextHandler(&log, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key != slog.MessageKey {
				return slog.Attr{}
			}
			return a
		},
	})
	e := emulator.New(emulator.WithHints(slog.New(handler)))
	server, err := e.Start("localhost:0")
	require.NoError(t, err)
	defer server.Close()
	client := func(key, region string) *dynamodb.Client {
		return dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(server.URL), Region: region,
			Credentials: credentials.NewStaticCredentialsProvider(key, "x", "")})
	}
	for _, name := range []string{"orders", "stock"} {
		_, err := client("test", "us-east-1").CreateTable(t.Context(), &dynamodb.CreateTableInput{
			TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		})
		require.NoError(t, err)
	}
	for _, c := range []struct{ name, key, region, table, want string }{
		{"a typo", "test", "us-east-1", "ordrs",
			`no table "ordrs" of the access key "test" in us-east-1: it has orders, stock`},
		{"the same again", "test", "us-east-1", "ordrs", ""},
		{"another region", "test", "eu-west-1", "orders",
			`no table "orders" of the access key "test" in eu-west-1: it has no tables; ` +
				`a table of that name is at test/us-east-1 (access key/region)`},
		{"another access key", "tset", "us-east-1", "orders",
			`no table "orders" of the access key "tset" in us-east-1: it has no tables; ` +
				`a table of that name is at test/us-east-1 (access key/region)`},
		{"a table that is there", "test", "us-east-1", "orders", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			log.Reset()
			_, err := client(c.key, c.region).GetItem(t.Context(), &dynamodb.GetItemInput{
				TableName: aws.String(c.table), Key: map[string]types.AttributeValue{
					"id": &types.AttributeValueMemberS{Value: "1"}},
			})
			if c.table == "orders" && c.key == "test" && c.region == "us-east-1" {
				require.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, "Requested resource not found")
			}
			got := strings.ReplaceAll(strings.TrimSpace(log.String()), `\"`, `"`)
			if c.want != "" {
				c.want = `msg="` + c.want + `"`
			}
			assert.Equal(t, c.want, got)
		})
	}
	log.Reset()
	_, err = client("test", "us-east-1").DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("asked")})
	require.Error(t, err)
	assert.Empty(t, log.String(), "programs ask whether a table is there")
}
