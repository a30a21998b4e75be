package emulator_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/metrics"
)

// A tenant does not learn from the refusal of a child whether another tenant has the parent.
func TestPolicyParentsOfOthers(t *testing.T) {
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{policy.RuleParentMissing.ID: policy.Enforce}
	p.Tables[0].Entities = append(p.Tables[0].Entities,
		policy.Entity{Name: "invitation", Prefix: "INVITATION",
			Sort: policy.Pattern("{invitation}"), Parent: "user-tenant"})
	g := newPolicyTest(t, p)
	g.do(puts("data", itemOf("USER_TENANT#common", "tenant001#ann", "version", "=0")))
	require.NoError(t, puts("data",
		itemOf("USER_TENANT#common", "tenant002#bob", "version", "=0"))(g, g.as("AK2", "")))
	invited := func(tenant, user string) string {
		err := puts("data", itemOf("INVITATION#tenant001", "of-"+tenant+user, "version", "=0",
			"tenant", tenant, "user", user))(g, g.Client)
		if err == nil {
			return ""
		}
		refusedFor(t, policy.RuleParentMissing, err)
		return strings.NewReplacer(tenant, "T", user, "U").Replace(errorText(err))
	}
	assert.Empty(t, invited("tenant001", "ann"))
	there, absent := invited("tenant002", "bob"), invited("tenant002", "nobody")
	assert.NotEmpty(t, there)
	assert.Equal(t, absent, there, "the answer is the same, whether the other tenant has the item")
}

// errorText returns the text of an error, without the id of its request.
func errorText(err error) string {
	_, text, _ := strings.Cut(err.Error(), "api error ")
	return text
}

// The partition keys of one tenant do not use up the bound of another.
func TestPolicyBoundsOfEachTenant(t *testing.T) {
	p := policytest.Shop(func(e *policy.Entity) {
		if e.Name == "log" {
			e.MaxPartitions = 2
		}
	})
	p.Severities = map[string]policy.Severity{policy.RuleUnbounded.ID: policy.Enforce}
	g := newPolicyTest(t, p)
	in := func(tenant, month string) policyCall {
		return puts("data", itemOf("LOG#"+tenant+"#"+month, month+"-15T10:30:00Z#e1", "version",
			"=0"))
	}
	other := g.as("AK2", "")
	for _, month := range []string{"2024-01", "2024-02"} {
		require.NoError(t, in("tenant001", month)(g, g.Client))
	}
	refusedFor(t, policy.RuleUnbounded, in("tenant001", "2024-03")(g, g.Client))
	for _, month := range []string{"2024-01", "2024-04"} {
		require.NoError(t, in("tenant002", month)(g, other))
	}
	err := in("tenant002", "2024-05")(g, other)
	refusedFor(t, policy.RuleUnbounded, err)
	require.ErrorContains(t, err, `log has 2 partition keys of the tenant "tenant002"`)
}

// Who reaches all tenants does not put an item of one where another reads it.
func TestPolicyItemsOfOthersInAnIndex(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	gate := g.as("ADMIN", "")
	into := func(tenant string) policyCall {
		return puts("data", itemOf("PRODUCT#tenant002", ulidA, "version", "=0",
			"gsi1pk", "CATEGORY#"+tenant+"#books", "gsi1sk", ulidA))
	}
	refusedFor(t, policy.RuleTenantCrossing, into("tenant001")(g, gate))
	require.NoError(t, into("tenant002")(g, gate))
	key := itemOf("PRODUCT#tenant002", ulidA)
	refusedFor(t, policy.RuleTenantCrossing, updatesWith("data", key,
		"SET gsi1pk = :category ADD version :n1", "", map[string]types.AttributeValue{
			":category": &types.AttributeValueMemberS{Value: "CATEGORY#tenant001#books"},
			":n1":       &types.AttributeValueMemberN{Value: "1"}})(g, gate))
	require.NoError(t, queries("data", "by-category", "CATEGORY#tenant001#books", "")(g, g.Client))
}

// Of two tenant headers none is believed.
func TestPolicyTwoHeaders(t *testing.T) {
	engine, err := policy.Compile(byHeader())
	require.NoError(t, err)
	past := newPolicyTest(t, policytest.Shop())
	g := servesPolicy(t, past.emulator.Fork(emulator.WithPolicy(engine)))
	ask := func(tenants ...string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.server.URL,
			strings.NewReader(`{"TableName":"data","Key":{"pk":{"S":"PRODUCT#tenant002"},`+
				`"sk":{"S":"`+ulidA+`"}}}`))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.GetItem")
		r.Header.Set("X-Amz-Date", "20260101T000000Z")
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=ANY/20260101/us-east-1/"+
			"dynamodb/aws4_request, SignedHeaders=host, Signature=00")
		r.Header["X-Tenant"] = tenants
		out, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer out.Body.Close()
		text, err := io.ReadAll(out.Body)
		require.NoError(t, err)
		return out.StatusCode, string(text)
	}
	status, text := ask("tenant002")
	require.Equal(t, 200, status, text)
	for _, tenants := range [][]string{{"tenant002", "tenant001"}, {"tenant001", "tenant002"},
		{"tenant002", "tenant002"}, {"tenant002, tenant001"}} {
		status, text = ask(tenants...)
		assert.Equal(t, 400, status, tenants)
		assert.Contains(t, text, policy.RuleTenantCaller.ID, tenants)
	}
}

// What DescribeTable hides from a tenant, the metrics hide from who is not the operator.
func TestMetricsHideCounts(t *testing.T) {
	const items = `kugiri_table_items{table="data",index=""} 1`
	for _, c := range []struct {
		name    string
		opts    []emulator.Option
		policy  policy.Policy
		address string
		change  func(*http.Request)
		shown   bool
	}{
		{"this machine", nil, policytest.Shop(), "127.0.0.1:1", nil, true},
		{"another machine", nil, policytest.Shop(), "192.0.2.1:1", nil, false},
		{"a proxy", nil, policytest.Shop(), "127.0.0.1:1",
			func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.1") }, false},
		{"where signatures are verified", []emulator.Option{emulator.WithCredentials(
			map[string]emulator.Secret{"AK1": {Key: "secret"}})}, policytest.Shop(),
			"127.0.0.1:1", nil, false},
		{"a policy without tenants", nil, policy.Policy{
			Tables: []policy.Table{{Name: "data", Role: policy.Plain}},
		}, "192.0.2.1:1", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			past := newPolicyTest(t, policytest.Shop())
			past.do(puts("data", itemOf("PRODUCT#tenant001", ulidA, "version", "=0")),
				puts("free", itemOf("a", "b")))
			engine, err := policy.Compile(c.policy)
			require.NoError(t, err)
			e := past.emulator.Fork(append(append(c.opts, metrics.Options(nil)...),
				emulator.WithPolicy(engine))...)
			r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+metrics.Path, nil)
			r.RemoteAddr = c.address
			if c.change != nil {
				c.change(r)
			}
			w := httptest.NewRecorder()
			e.Handler().ServeHTTP(w, r)
			require.Equal(t, 200, w.Code)
			text := w.Body.String()
			shown := strings.Contains(text, items) ||
				strings.Contains(text, `kugiri_table_items{table="(other)",index=""} 2`)
			assert.Equal(t, c.shown, shown, text[:min(len(text), 2000)])
		})
	}
}
