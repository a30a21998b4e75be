package emulator_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

const (
	ulidA = "01HX7MBJK3V9WQBZ7XNDK5ZT2M"
	ulidB = "01HX7MBJK3V9WQBZ7XNDK5ZT2N"
)

// policyTest is an emulator with a policy behind a listener, and the tables data (with the index
// by-category), commands, documents, free, which is open, and other, which the policy does not
// know.
type policyTest struct {
	*testing.T
	emulator         *emulator.Emulator
	server           *emulator.Server
	*dynamodb.Client // the client of tenant001
}

func newPolicyTest(t *testing.T, p policy.Policy, opts ...emulator.Option) *policyTest {
	t.Helper()
	engine, err := policy.Compile(p)
	require.NoError(t, err)
	opts = append([]emulator.Option{emulator.WithPolicy(engine), emulator.WithSharedData(),
		emulator.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))}, opts...)
	g := servesPolicy(t, emulator.New(opts...))
	for _, table := range []struct {
		name, pk, sk string
	}{{"data", "pk", "sk"}, {"commands", "pk", "sk"}, {"documents", "documentVersion", ""},
		{"free", "pk", "sk"}, {"other", "pk", "sk"}} {
		g.create(table.name, table.pk, table.sk)
	}
	return g
}

// servesPolicy puts an emulator behind a listener.
func servesPolicy(t *testing.T, e *emulator.Emulator) *policyTest {
	t.Helper()
	g := &policyTest{T: t, emulator: e}
	var err error
	g.server, err = e.Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.server.Close()) })
	g.Client = g.as("AK1", "")
	return g
}

// create makes a table; data has an index.
func (g *policyTest) create(name, pk, sk string) {
	g.Helper()
	in := &dynamodb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest}
	key := func(names ...string) (schema []types.KeySchemaElement) {
		for i, n := range names {
			if n != "" {
				in.AttributeDefinitions = append(in.AttributeDefinitions,
					types.AttributeDefinition{AttributeName: aws.String(n), AttributeType: "S"})
				schema = append(schema,
					types.KeySchemaElement{
						AttributeName: aws.String(n), KeyType: []types.KeyType{"HASH", "RANGE"}[i],
					})
			}
		}
		return schema
	}
	in.KeySchema = key(pk, sk)
	if name == "data" {
		in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{IndexName: aws.String(
			"by-category"), KeySchema: key("gsi1pk", "gsi1sk"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}
	}
	_, err := g.as("ADMIN", "").CreateTable(g.Context(), in)
	require.NoError(g, err)
}

// as is a client with an access key that sends the tenant header, unless that is "".
func (g *policyTest) as(accessKey, tenant string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(g.server.URL), Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider(accessKey, "secret", ""),
		HTTPClient: aws.HTTPClient(doer(func(r *http.Request) (*http.Response, error) {
			if tenant != "" {
				r.Header.Set("X-Tenant", tenant)
			}
			return http.DefaultClient.Do(r)
		})),
	})
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

// attributes makes an item of name, value, name, value; a value that begins with "=" is a number.
func attributes(pairs ...string) map[string]types.AttributeValue {
	m := map[string]types.AttributeValue{}
	for i := 0; i < len(pairs); i += 2 {
		if v := pairs[i+1]; len(v) > 1 && v[0] == '=' {
			m[pairs[i]] = &types.AttributeValueMemberN{Value: v[1:]}
		} else {
			m[pairs[i]] = &types.AttributeValueMemberS{Value: v}
		}
	}
	return m
}

// itemOf is an item of a table with pk and sk.
func itemOf(pk, sk string, more ...string) map[string]types.AttributeValue {
	return attributes(append([]string{"pk", pk, "sk", sk}, more...)...)
}

// policyCall is a request by the client of tenant001.
type policyCall func(g *policyTest, c *dynamodb.Client) error

func puts(table string, item map[string]types.AttributeValue) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.PutItem(g.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		return err
	}
}

// updates has an UpdateExpression and a condition, "" for none, with the values :one to :four and
// :x.
func updates(table string, key map[string]types.AttributeValue, update,
	condition string) policyCall {
	return updatesWith(table, key, update, condition, valuesIn(update+condition))
}

func updatesWith(table string, key map[string]types.AttributeValue, update, condition string,
	values map[string]types.AttributeValue) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		in := &dynamodb.UpdateItemInput{
			TableName: &table, Key: key, UpdateExpression: &update,
			ExpressionAttributeValues: values,
		}
		if condition != "" {
			in.ConditionExpression = &condition
		}
		_, err := c.UpdateItem(g.Context(), in)
		return err
	}
}

// valuesIn are the values that an expression names.
func valuesIn(source string) map[string]types.AttributeValue {
	all := attributes(":zero", "=0", ":one", "=1", ":two", "=2", ":three", "=3", ":four", "=4",
		":x", "text")
	used := map[string]types.AttributeValue{}
	for name, v := range all {
		if strings.Contains(source, name) {
			used[name] = v
		}
	}
	if len(used) == 0 {
		return nil
	}
	return used
}

// deletesIf has a condition with the values of updates.
func deletesIf(table, condition string, key map[string]types.AttributeValue) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.DeleteItem(
			g.Context(), &dynamodb.DeleteItemInput{TableName: &table, Key: key,
				ConditionExpression:       &condition,
				ExpressionAttributeValues: valuesIn(condition)})
		return err
	}
}

// expires enables TTL by the attribute expires.
func expires(table string) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.UpdateTimeToLive(g.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: &table,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{
				AttributeName: aws.String("expires"), Enabled: aws.Bool(true),
			}})
		return err
	}
}

func deletes(table string, key map[string]types.AttributeValue) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.DeleteItem(g.Context(), &dynamodb.DeleteItemInput{TableName: &table, Key: key})
		return err
	}
}

func gets(table string, key map[string]types.AttributeValue) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.GetItem(g.Context(), &dynamodb.GetItemInput{TableName: &table, Key: key})
		return err
	}
}

// queries asks for a partition of a table or index and, unless that is "", sort keys that begin
// with a prefix.
func queries(table, index, pk, prefix string) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		in := &dynamodb.QueryInput{
			TableName: &table, KeyConditionExpression: aws.String("pk = :pk"),
			ExpressionAttributeValues: attributes(":pk", pk),
		}
		if index != "" {
			in.IndexName, in.KeyConditionExpression = &index, aws.String("gsi1pk = :pk")
		}
		if prefix != "" {
			in.KeyConditionExpression = aws.String(*in.KeyConditionExpression +
				" AND begins_with(sk, :sk)")
			in.ExpressionAttributeValues = attributes(":pk", pk, ":sk", prefix)
		}
		_, err := c.Query(g.Context(), in)
		return err
	}
}

func scans(table, index string) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		in := &dynamodb.ScanInput{TableName: &table}
		if index != "" {
			in.IndexName = &index
		}
		_, err := c.Scan(g.Context(), in)
		return err
	}
}

func transacts(actions ...types.TransactWriteItem) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.TransactWriteItems(g.Context(),
			&dynamodb.TransactWriteItemsInput{TransactItems: actions})
		return err
	}
}

// statement executes a PartiQL statement with parameters that are strings, or numbers if they begin
// with "=".
func statement(text string, parameters ...string) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.ExecuteStatement(g.Context(),
			&dynamodb.ExecuteStatementInput{
				Statement: &text, Parameters: parametersOf(parameters...),
			})
		return err
	}
}

func parametersOf(values ...string) (list []types.AttributeValue) {
	for _, v := range values {
		list = append(list, attributes("v", v)["v"])
	}
	return list
}

func putAction(table string, item map[string]types.AttributeValue) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item}}
}

// refusedFor requires that a request was refused by a rule, with ValidationException.
func refusedFor(t require.TestingT, rule *policy.Rule, err error) {
	var answer smithy.APIError
	require.ErrorAs(t, err, &answer, "it is refused by %s", rule.ID)
	assert.Equal(t, "ValidationException", answer.ErrorCode())
	assert.Regexp(t, "^"+rule.ID+": .*; instead, .+", answer.ErrorMessage())
}

// reasonsOf are the codes of a cancelled transaction, and its messages.
func reasonsOf(t require.TestingT, err error) (codes, messages []string) {
	var cancelled *types.TransactionCanceledException
	require.ErrorAs(t, err, &cancelled)
	for _, r := range cancelled.CancellationReasons {
		codes, messages = append(codes, aws.ToString(r.Code)), append(messages,
			aws.ToString(r.Message))
	}
	return codes, messages
}

// is reports whether an error is of a type that the SDK has.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
