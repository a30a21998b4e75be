package guard_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/guard"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/emulator"
)

const order = "ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M"

// rules returns the policy that tests share, with access keys or without.
func rules(t *testing.T, tenants policy.Tenants) *policy.Engine {
	p := policytest.Shop()
	p.Tenants = tenants
	e, err := policy.Compile(p)
	require.NoError(t, err)
	return e
}

// server is an emulator with the tables, whose requests are kept.
type server struct {
	url    string
	mu     sync.Mutex
	bodies []string // the bodies of requests since the tables were made
}

func newServer(t *testing.T) *server {
	s, err := emulator.New().Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	mine := &server{url: s.URL}
	for _, name := range []string{"data", "command", "other"} {
		_, err := mine.client().CreateTable(t.Context(), &dynamodb.CreateTableInput{
			TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("pk"), AttributeType: "S"},
				{AttributeName: aws.String("sk"), AttributeType: "S"},
			},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("pk"), KeyType: "HASH"},
				{AttributeName: aws.String("sk"), KeyType: "RANGE"},
			},
		})
		require.NoError(t, err)
	}
	mine.bodies = nil
	return mine
}

// Do sends a request and keeps its body.
func (s *server) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	s.bodies = append(s.bodies, string(body))
	s.mu.Unlock()
	return http.DefaultClient.Do(r)
}

func (s *server) sent() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

func (s *server) client(options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(s.url), HTTPClient: s,
		Credentials: credentials.NewStaticCredentialsProvider("AK1", "secret", ""),
	}, options...)
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

func item(pk, sk, version string) map[string]types.AttributeValue {
	it := map[string]types.AttributeValue{"pk": text(pk), "sk": text(sk)}
	if version != "" {
		it["version"] = number(version)
	}
	return it
}

func put(table string, it map[string]types.AttributeValue) *dynamodb.PutItemInput {
	return &dynamodb.PutItemInput{TableName: aws.String(table), Item: it}
}

func wantRule(t *testing.T, err error, rule *policy.Rule) {
	t.Helper()
	var f *policy.Finding
	require.ErrorAs(t, err, &f)
	require.Equal(t, rule, f.Rule)
}

func TestRefusedBeforeItIsSent(t *testing.T) {
	s := newServer(t)
	client := s.client(guard.New(rules(t, policy.Tenants{}), guard.Config{}).Options)
	tenant1 := guard.WithTenant(t.Context(), "tenant001")
	foreign := item("ORDER#tenant002", order, "0")

	t.Run("a put", func(t *testing.T) {
		_, err := client.PutItem(tenant1, put("data", foreign))
		wantRule(t, err, policy.RuleTenantCrossing)
		var refused *guard.Error
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, "PutItem", refused.Operation)
		assert.Len(t, refused.Findings, 1)
		var api smithy.APIError
		require.ErrorAs(t, err, &api)
		assert.Equal(t, "ValidationException", api.ErrorCode())
		assert.Equal(t, smithy.FaultClient, api.ErrorFault())
		assert.Contains(t, api.ErrorMessage(), "tenant-crossing: ")
	})
	t.Run("a transaction", func(t *testing.T) {
		actions := []types.TransactWriteItem{
			{Put: &types.Put{TableName: aws.String("data"),
				Item: item("ORDER#tenant001", order, "0")}},
			{Put: &types.Put{TableName: aws.String("data"), Item: foreign}},
		}
		_, err := client.TransactWriteItems(tenant1,
			&dynamodb.TransactWriteItemsInput{TransactItems: actions})
		wantRule(t, err, policy.RuleTenantCrossing)
		var canceled *types.TransactionCanceledException
		require.ErrorAs(t, err, &canceled)
		require.Len(t, canceled.CancellationReasons, 2)
		assert.Equal(t, "None", *canceled.CancellationReasons[0].Code)
		assert.Nil(t, canceled.CancellationReasons[0].Message)
		assert.Equal(t, "ValidationError", *canceled.CancellationReasons[1].Code)
		assert.ErrorContains(t, err, "tenant-crossing: ")
	})
	t.Run("a query", func(t *testing.T) {
		_, err := client.Query(
			tenant1, &dynamodb.QueryInput{TableName: aws.String("data"),
				KeyConditionExpression: aws.String("pk = :p"),
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":p": text("ORDER#tenant002"),
				}})
		wantRule(t, err, policy.RuleTenantCrossing)
	})
	t.Run("a statement", func(t *testing.T) {
		_, err := client.ExecuteStatement(tenant1,
			&dynamodb.ExecuteStatementInput{
				Statement: aws.String("SELECT * FROM data WHERE pk = 'ORDER#tenant002'"),
			})
		wantRule(t, err, policy.RuleTenantCrossing)
	})
	t.Run("a statement that is none", func(t *testing.T) {
		_, err := client.ExecuteStatement(tenant1,
			&dynamodb.ExecuteStatementInput{Statement: aws.String("SELECT FROM")})
		var refused *guard.Error
		require.ErrorAs(t, err, &refused)
		assert.Empty(t, refused.Findings)
	})
	require.Zero(t, s.sent())

	_, err := client.PutItem(guard.WithTenant(t.Context(), "tenant002"), put("data", foreign))
	require.NoError(t, err, "the other tenant's own")
	_, err = client.GetItem(t.Context(),
		&dynamodb.GetItemInput{
			TableName: aws.String("data"), Key: item("ORDER#tenant002", order, ""),
		})
	require.NoError(t, err, "no tenant is named, and the policy has none for access keys")
}

func TestVersionCondition(t *testing.T) {
	s := newServer(t)
	client := s.client(guard.New(rules(t, policy.Tenants{}), guard.Config{}).Options)
	ctx := t.Context()
	lost := func(err error) {
		t.Helper()
		var failed *types.ConditionalCheckFailedException
		require.ErrorAs(t, err, &failed)
		var refused *guard.Error
		require.False(t, errors.As(err, &refused), "the database says so")
	}
	write := func(version string) error {
		_, err := client.PutItem(ctx, put("data", item("ORDER#tenant001", order, version)))
		return err
	}
	update := func(version, condition string) error {
		in := &dynamodb.UpdateItemInput{TableName: aws.String("data"),
			Key:                       item("ORDER#tenant001", order, ""),
			UpdateExpression:          aws.String("SET version = :v"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":v": number(version)}}
		if condition != "" {
			in.ConditionExpression = aws.String(condition)
		}
		_, err := client.UpdateItem(ctx, in)
		return err
	}
	lost(write("2"))
	require.NoError(t, write("0"))
	lost(write("0"))
	lost(write("2"))
	require.NoError(t, write("1"))
	require.NoError(t, update("2", ""))
	lost(update("2", ""))
	lost(update("3", "attribute_exists(nothing)"))
	require.NoError(t, update("3", "attribute_exists(pk) OR attribute_exists(nothing)"))

	transact := func(version string) error {
		_, err := client.TransactWriteItems(
			ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: aws.String("data"),
					Item: item("ORDER#tenant001", order, version)}},
				{Put: &types.Put{TableName: aws.String("command"),
					Item: item("ORDER#tenant001", order+"@1", "1")}},
			}})
		return err
	}
	require.NoError(t, transact("4"))
	err := transact("4")
	var canceled *types.TransactionCanceledException
	require.ErrorAs(t, err, &canceled)
	for _, r := range canceled.CancellationReasons {
		assert.Equal(t, "ConditionalCheckFailed", *r.Code)
	}
}

func TestAllowedIsSentAsItIs(t *testing.T) {
	s := newServer(t)
	guarded, plain := s.client(
		guard.New(rules(t, policy.Tenants{}), guard.Config{}).Options), s.client()
	for _, in := range []*dynamodb.PutItemInput{
		put("other", item("<&>", "b", "7")),
		{TableName: aws.String("data"), Item: item("ORDER#tenant001", order, "1"),
			ConditionExpression:       aws.String("attribute_exists(pk) AND version = :v"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":v": number("0")}},
	} {
		for _, client := range []*dynamodb.Client{guarded, plain} {
			_, err := client.PutItem(t.Context(), in)
			var failed *types.ConditionalCheckFailedException
			require.True(t, err == nil || errors.As(err, &failed), "%v", err)
		}
	}
	require.Len(t, s.bodies, 4)
	for i := range 2 { // the SDK writes maps in any order
		assert.JSONEq(t, s.bodies[2*i+1], s.bodies[2*i])
		assert.Len(t, s.bodies[2*i], len(s.bodies[2*i+1]))
	}
	_, err := guarded.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.NoError(t, err)
}

func TestCallers(t *testing.T) {
	s := newServer(t)
	e := rules(t,
		policy.Tenants{
			Callers:    map[string]string{"AK1": "tenant001", "ADMIN": "admin"},
			Privileged: []string{"admin"},
		})
	foreign := put("data", item("ORDER#tenant002", order, "0"))
	try := func(ctx context.Context, g *guard.Guard, options ...func(*dynamodb.Options)) error {
		_, err := s.client(append(options, g.Options)...).PutItem(ctx, foreign)
		return err
	}
	g := guard.New(e, guard.Config{})
	wantRule(t, try(t.Context(), g), policy.RuleTenantCrossing)
	wantRule(t, try(t.Context(), g, func(o *dynamodb.Options) {
		o.Credentials = credentials.NewStaticCredentialsProvider("AK9", "secret", "")
	}), policy.RuleTenantCaller)
	require.NoError(t, try(guard.WithTenant(t.Context(), "admin"), g))
	type own struct{}
	g = guard.New(e,
		guard.Config{Tenant: func(ctx context.Context) string { return ctx.Value(own{}).(string) }})
	wantRule(t, try(context.WithValue(t.Context(), own{}, "tenant003"), g),
		policy.RuleTenantCrossing)
	g = guard.New(e, guard.Config{})
	_, err := s.client(g.Options).PutItem(t.Context(), foreign, func(o *dynamodb.Options) {
		o.Credentials = credentials.NewStaticCredentialsProvider("ADMIN", "secret", "")
	}, g.Options)
	var refused *guard.Error
	require.False(t, errors.As(err, &refused), "the credentials are those of the call: %v", err)
	err = try(t.Context(), g, func(o *dynamodb.Options) {
		o.Credentials = aws.CredentialsProviderFunc(
			func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{}, errors.New("no keys today")
			})
	})
	require.ErrorContains(t, err, "no keys today")
}

// A client that does not sign has no access key, and is nobody until a tenant is named.
func TestAnonymousCallers(t *testing.T) {
	s := newServer(t)
	unsigned := func(o *dynamodb.Options) { o.Credentials = aws.AnonymousCredentials{} }
	own := put("data", item("ORDER#tenant001", order, "0"))
	answer := &http.Client{Transport: answers(`{}`)}
	try := func(ctx context.Context, tenants policy.Tenants) error {
		g := guard.New(rules(t, tenants), guard.Config{})
		_, err := s.client(unsigned, g.Options,
			func(o *dynamodb.Options) { o.HTTPClient = answer }).PutItem(ctx, own)
		return err
	}
	require.NoError(t, try(t.Context(), policy.Tenants{}))
	known := policy.Tenants{Callers: map[string]string{"AK1": "tenant001"}}
	wantRule(t, try(t.Context(), known), policy.RuleTenantCaller)
	require.NoError(t, try(guard.WithTenant(t.Context(), "tenant001"), known))
}

// answers is a server that gives one answer to everything.
type answers string

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(string(a))), Request: r,
	}, nil
}

func TestFoundAndWarnOnly(t *testing.T) {
	s := newServer(t)
	var told []string
	config := guard.Config{
		Found: func(_ context.Context, f policy.Finding) { told = append(told, f.Rule.ID) },
	}
	e := rules(t, policy.Tenants{})
	foreign := put("data", item("ORDER#tenant002", order, "5"))
	ctx := guard.WithTenant(t.Context(), "tenant001")

	_, err := s.client(guard.New(e, config).Options).PutItem(ctx, foreign)
	require.Error(t, err)
	require.Equal(t, []string{"tenant-crossing"}, told)
	told, config.WarnOnly = nil, true
	client := s.client(guard.New(e, config).Options)
	_, err = client.PutItem(ctx, foreign)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"tenant-crossing"}, told)
	require.NotContains(t, strings.Join(s.bodies, ""), "kugiri", "nothing is added")

	t.Run("twice is once", func(t *testing.T) {
		told = nil
		_, err := client.PutItem(ctx, foreign, guard.New(e, config).Options)
		require.NoError(t, err)
		require.Len(t, told, 1)
	})
}

// Of writers that race from the same version one wins.
func TestRace(t *testing.T) {
	s := newServer(t)
	client := s.client(guard.New(rules(t, policy.Tenants{}), guard.Config{}).Options)
	_, err := client.PutItem(t.Context(), put("data", item("ORDER#tenant001", order, "0")))
	require.NoError(t, err)
	var wins sync.Map
	var group sync.WaitGroup
	for i := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			_, err := client.PutItem(t.Context(), put("data", item("ORDER#tenant001", order, "1")))
			var failed *types.ConditionalCheckFailedException
			if err == nil {
				wins.Store(i, true)
			} else {
				assert.ErrorAs(t, err, &failed)
			}
		}()
	}
	group.Wait()
	n := 0
	wins.Range(func(any, any) bool { n++; return true })
	require.Equal(t, 1, n)
}
