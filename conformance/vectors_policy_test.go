package conformance

import (
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/gateway"
	"github.com/kugiri-db/kugiri/conventions/guard"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

// TestVectorPolicies: wherever a policy runs, a tenant searches only its own part of an index. The
// SDK sends searches to the endpoint of the client, also when that is a gateway.
func TestVectorPolicies(t *testing.T) {
	t.Parallel()
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Callers: map[string]string{"AK1": "t1"},
			Known: []string{"t1", "t2"}},
		Tables: []policy.Table{{Name: "docs", Role: policy.Plain,
			Key: policy.KeySchema{Partition: "pk"},
			Indexes: []policy.Index{
				{Name: "by-tenant", Key: policy.KeySchema{Partition: "tenant"}},
			}}},
	})
	require.NoError(t, err)
	made := emulator.New(emulator.WithSharedData())
	plain := serve(t, made)
	for _, request := range []struct{ op, body string }{
		{"CreateTable",
			`{"TableName":"docs",` + keys("pk:S", "tenant:S") + `,"VectorIndexes":[` +
				vectorIndex("by-tenant", "COSINE", 2, "KEYS_ONLY", "tenant:HASH") + `]}`},
		{"PutItem",
			`{"TableName":"docs","Item":{"pk":{"S":"DOC#t1#1"},"tenant":{"S":"DOC#t1"},` +
				vectorAttribute(1, 0) + `}}`},
		{"PutItem",
			`{"TableName":"docs","Item":{"pk":{"S":"DOC#t2#1"},"tenant":{"S":"DOC#t2"},` +
				vectorAttribute(1, 0) + `}}`},
	} {
		_, err := invoke(t.Context(), clientAt(plain), request.op, request.body)
		require.NoError(t, err)
	}
	g, err := gateway.New(gateway.Config{
		Upstream: plain, Policy: engine,
		Credentials: credentials.NewStaticCredentialsProvider("GATEWAY", "secret", ""),
	})
	require.NoError(t, err)
	t.Cleanup(g.Close)
	front := httptest.NewServer(g)
	t.Cleanup(front.Close)
	for name, client := range map[string]*dynamodb.Client{
		"server":  clientAt(serve(t, made.Fork(emulator.WithPolicy(engine)))),
		"gateway": clientAt(front.URL),
		"guard":   clientAt(plain, guard.New(engine, guard.Config{}).Options),
	} {
		t.Run(name, func(t *testing.T) {
			found, err := client.SearchVectors(t.Context(), searchOf("DOC#t1"))
			require.NoError(t, err)
			require.Len(t, found.SearchResults, 1)
			require.Equal(t, &types.AttributeValueMemberS{Value: "DOC#t1#1"},
				found.SearchResults[0].Item["pk"])
			_, err = client.SearchVectors(t.Context(), searchOf("DOC#t2"))
			require.ErrorContains(t, err, "tenant-crossing")
			all := searchOf("")
			all.SearchConditionExpression, all.ExpressionAttributeValues = nil, nil
			_, err = client.SearchVectors(t.Context(), all)
			require.Error(t, err)
		})
	}
}

func searchOf(partition string) *dynamodb.SearchVectorsInput {
	number := func(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
	return &dynamodb.SearchVectorsInput{
		TableName: aws.String("docs"), IndexName: aws.String("by-tenant"), TopK: aws.Int32(5),
		SearchVector:              []types.AttributeValue{number("1"), number("0")},
		SearchConditionExpression: aws.String("tenant = :t"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":t": &types.AttributeValueMemberS{Value: partition},
		},
	}
}

func serve(t *testing.T, e *emulator.Emulator) (url string) {
	server, err := e.Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server.URL
}

func clientAt(url string, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{Region: "eu-west-3", BaseEndpoint: aws.String(url),
		RetryMaxAttempts: 1,
		Credentials:      credentials.NewStaticCredentialsProvider("AK1", "secret", "")},
		options...)
}
