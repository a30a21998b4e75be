package search

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator"
)

// TestSchemasUnderAPolicy: the search knows the keys of tables that a policy shows its caller not.
func TestSchemasUnderAPolicy(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Callers: map[string]string{"AK1": "one", "ADMIN": "admin"},
			Privileged: []string{"admin"}},
		Tables: []policy.Table{{Name: "declared", Role: policy.Plain,
			Key: policy.KeySchema{Partition: "id"}}},
	})
	require.NoError(t, err)
	e := emulator.New(emulator.WithPolicy(engine), emulator.WithSharedData())
	for _, table := range []string{"declared", "another"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost",
			strings.NewReader(`{"TableName":"`+table+`","BillingMode":"PAY_PER_REQUEST",
				"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
				"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}`))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.CreateTable")
		answer, err := e.HTTPClient("ADMIN", "us-east-1").Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
	}
	want := map[string]request.KeySchema{
		"declared": {Partition: "id"}, "another": {Partition: "id"}}
	for _, caller := range []string{"AK1", "NOBODY", "ADMIN"} {
		schemas, err := schemasOf(e, caller, "us-east-1")
		require.NoError(t, err, caller)
		require.Equal(t, want, schemas, caller)
	}
}
