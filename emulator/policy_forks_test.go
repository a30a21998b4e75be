package emulator_test

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

// TestWithTenant: an access key is of the tenant that an option names.
func TestWithTenant(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{
			Callers:    map[string]string{"AK1": "one", "AK2": "two", "ADMIN": "admin"},
			Privileged: []string{"admin"}, Header: "x-tenant",
		},
		Tables: []policy.Table{{Name: "items", Role: policy.Plain}},
	})
	require.NoError(t, err)
	e := emulator.New(emulator.WithPolicy(engine), emulator.WithSharedData(),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	require.NotContains(t, asks(t, e, "ADMIN", "", "CreateTable", `{"TableName":"items",
		"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
			{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
			{"AttributeName":"sk","KeyType":"RANGE"}]}`), "Exception")
	for _, c := range []struct {
		name, key, header string
		fork              *emulator.Emulator
		reads             string // the tenants whose items it reads, with spaces
	}{
		{"its own", "new", "", e.ForkAs("", "new", emulator.WithTenant("new", "one")), "one"},
		{"nobody", "new", "", e.ForkAs("", "new"), ""},
		{"another's header", "new", "two",
			e.ForkAs("", "new", emulator.WithTenant("new", "one")), "one"},
		{"before that of from", "new", "",
			e.ForkAs("AK1", "new", emulator.WithTenant("new", "two")), "two"},
		{"before what the policy says", "AK1", "",
			e.ForkAs("AK1", "AK1", emulator.WithTenant("AK1", "two")), "two"},
		{"of a fork", "next", "", e.ForkAs("", "new", emulator.WithTenant("new", "two")).
			ForkAs("new", "next"), "two"},
		{"of a fork with the same key", "new", "",
			e.ForkAs("", "new", emulator.WithTenant("new", "two")).ForkAs("AK1", "new"), "one"},
		{"privileged", "new", "", e.ForkAs("", "new", emulator.WithTenant("new", "admin")),
			"one two"},
		{"privileged, in the name of one", "new", "two",
			e.ForkAs("", "new", emulator.WithTenant("new", "admin")), "two"},
		{"by a header if none is named", "new", "two", e.ForkAs("", "new"), "two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var reads []string
			for _, tenant := range []string{"one", "two"} {
				if asks(t, c.fork, c.key, c.header, "GetItem", `{"TableName":"items","Key":{
					"pk":{"S":"P#`+tenant+`"},"sk":{"S":"i"}}}`) == "{}" {
					reads = append(reads, tenant)
				}
			}
			assert.Equal(t, c.reads, strings.Join(reads, " "))
		})
	}
	for _, tenant := range []string{"common", "a#b", ""} {
		require.Panics(t, func() { e.ForkAs("", "new", emulator.WithTenant("new", tenant)) },
			"%q", tenant)
	}
}

// asks returns the answer to a request.
func asks(t *testing.T, e *emulator.Emulator, key, header, operation, body string) string {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost",
		strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	if header != "" {
		r.Header.Set("X-Tenant", header)
	}
	answer, err := e.HTTPClient(key, "us-east-1").Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(text)
}
