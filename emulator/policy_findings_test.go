package emulator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
	"github.com/kugiri-db/kugiri/storage/disk"
)

// warningShop is the shop with warnings instead of errors for ids.
func warningShop() policy.Policy {
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{policy.RuleULID.ID: policy.Warn}
	return p
}

// TestFindings: findings are counted by kind, with the last one as the example, and the first
// warning of a kind is logged.
func TestFindings(t *testing.T) {
	var log bytes.Buffer
	clock := emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	g := newPolicyTest(t, warningShop(), emulator.WithHeldClock(clock),
		emulator.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	assert.Empty(t, g.emulator.Findings())
	g.do(puts("data", itemOf(productPK, "42", "version", "=0")))
	refusedFor(t, policy.RuleTenantMissing,
		puts("data", itemOf("PRODUCT", ulidA, "version", "=0"))(g, g.Client))
	clock.Advance(time.Minute)
	g.do(gets("data", itemOf(productPK, "43")))
	require.Error(t,
		putsIf("data", "version = :x", attributes(":x", "=9"),
			itemOf(productPK, "44", "version", "=0"))(g, g.Client))

	want := []emulator.Finding{
		{Rule: "key-ulid", Severity: "warn", Table: "data", Entity: "product", Tenant: "tenant001",
			Operation: "GetItem", Key: productPK + "#43",
			Example: `key-ulid: "43", in the sort key's segment {id:ulid}, is no ULID (table data); instead, make the id with a ULID generator`,
			Count:   2, Last: clock.Now()},
		{Rule: "tenant-missing", Severity: "enforce", Table: "data", Entity: "product",
			Operation: "PutItem", Key: "PRODUCT#" + ulidA,
			Example: `tenant-missing: the partition key "PRODUCT" has no tenant (table data); instead, make the tenant the second segment of the partition key: PREFIX#tenant`,
			Count:   1, Last: clock.Now().Add(-time.Minute)},
	}
	assert.Equal(t, want, g.emulator.Findings())
	assert.Equal(t, 1, strings.Count(log.String(), "a request breaks a rule of the policy"),
		log.String())
	assert.Contains(t, log.String(), "level=WARN")
	assert.Contains(t, log.String(), "rule=key-ulid table=data")

	answer, err := http.Get(g.server.URL + "/conventions/findings")
	require.NoError(t, err)
	defer answer.Body.Close()
	assert.Equal(t, "application/json", answer.Header.Get("Content-Type"))
	var listed struct{ Findings []emulator.Finding }
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&listed))
	assert.Equal(t, want, listed.Findings)

	assert.Equal(t,
		[]emulator.RuleCount{{Rule: "key-ulid", Severity: "warn", Count: 2},
			{Rule: "tenant-missing", Severity: "enforce", Count: 1}},
		g.emulator.Inspect().RuleCounts())

	g.emulator.Reset()
	assert.Empty(t, g.emulator.Findings())
	assert.Empty(t, g.emulator.Inspect().RuleCounts())
}

// TestFindingsAreForThisMachine: the findings show keys of all tenants, so only this machine can
// read them, but no proxy and no web page.
func TestFindingsAreForThisMachine(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	refusedFor(t, policy.RuleTenantMissing,
		puts("data", itemOf("PRODUCT", ulidA, "version", "=0"))(g, g.Client))
	refusedFor(t, policy.RuleTenantCrossing,
		gets("data", itemOf("PRODUCT#tenant002", ulidA))(g, g.Client))
	for _, c := range []struct {
		name, query string
		change      func(*http.Request)
		status      int
		rules       []string
	}{
		{"all", "", nil, 200, []string{"tenant-crossing", "tenant-missing"}},
		{"by rule", "?rule=tenant-missing", nil, 200, []string{"tenant-missing"}},
		{"by tenant", "?tenant=tenant002&severity=enforce", nil, 200, []string{"tenant-crossing"}},
		{"none", "?table=free", nil, 200, []string{}},
		{"by what they have not", "?colour=red", nil, 400, nil},
		{"through a proxy", "",
			func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.1") }, 403, nil},
		{"by a page", "", func(r *http.Request) { r.Header.Set("Origin", "https://example.com") },
			403, nil},
		{"by a name", "", func(r *http.Request) { r.Host = "example.com" }, 403, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequest(http.MethodGet, g.server.URL+emulator.FindingsPath+c.query,
				nil)
			require.NoError(t, err)
			if c.change != nil {
				c.change(r)
			}
			answer, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer answer.Body.Close()
			require.Equal(t, c.status, answer.StatusCode)
			if c.status != http.StatusOK {
				return
			}
			var listed struct{ Findings []emulator.Finding }
			require.NoError(t, json.NewDecoder(answer.Body).Decode(&listed))
			rules := []string{}
			for _, f := range listed.Findings {
				rules = append(rules, f.Rule)
			}
			assert.Equal(t, c.rules, rules)
		})
	}
}

// TestFindingsWhereSignaturesAreVerified: findings show requests of all tenants. So neither an
// unsigned request nor a tenant's own gets them, unless the admin API serves them.
func TestFindingsWhereSignaturesAreVerified(t *testing.T) {
	engine, err := policy.Compile(policytest.Shop())
	require.NoError(t, err)
	verifying := []emulator.Option{emulator.WithPolicy(engine), emulator.WithSharedData(),
		emulator.WithCredentials(map[string]emulator.Secret{"AK1": {Key: "secret"}})}
	for _, c := range []struct {
		name  string
		opts  []emulator.Option
		token string
		want  int
	}{
		{"unsigned", nil, "", 403},
		{"a tenant's", nil,
			"AWS4-HMAC-SHA256 Credential=AK1/20261124/us-east-1/dynamodb/aws4_request", 403},
		{"the admin API, without its token",
			[]emulator.Option{admin.Enable(admin.Options{Token: "t"})}, "", 401},
		{"the admin API", []emulator.Option{admin.Enable(admin.Options{Token: "t"})}, "Bearer t",
			200},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := emulator.New(
				append(verifying[:len(verifying):len(verifying)], c.opts...)...).Handler()
			r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+emulator.FindingsPath, nil)
			r.RemoteAddr = "127.0.0.1:1"
			r.Header.Set("Authorization", c.token)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			require.Equal(t, c.want, w.Code, w.Body)
		})
	}
}

// TestFindingsAreBounded: of many kinds the most recent ones are kept.
func TestFindingsAreBounded(t *testing.T) {
	p := warningShop()
	p.Tenants = policy.Tenants{}
	g := newPolicyTest(t, p)
	g.do(gets("data", itemOf("PRODUCT#first", "42")))
	for i := range 1000 {
		g.do(gets("data", itemOf(fmt.Sprintf("PRODUCT#t%d", i), "42")))
	}
	found := g.emulator.Findings()
	require.Len(t, found, 1000)
	assert.Equal(t, "t999", found[0].Tenant)
	assert.Equal(t, "t0", found[999].Tenant)
	assert.Equal(t, []emulator.RuleCount{{Rule: "key-ulid", Severity: "warn", Count: 1001}},
		g.emulator.Inspect().RuleCounts(), "counts forget none")
}

// TestFindingsOfStatements: a warning in a statement that fails does not count.
func TestFindingsOfStatements(t *testing.T) {
	g := newPolicyTest(t, warningShop())
	_, err := g.ExecuteStatement(t.Context(),
		&dynamodb.ExecuteStatementInput{
			Statement: aws.String(
				"SELECT * FROM data WHERE pk = 'PRODUCT#tenant001' AND sk = '42'"),
		})
	require.NoError(t, err)
	g.do(statement(`INSERT INTO data VALUE {'pk': ?, 'sk': '42', 'version': 0}`, productPK))
	require.Error(t,
		statement(`INSERT INTO data VALUE {'pk': ?, 'sk': '42', 'version': 0}`, productPK)(g,
			g.Client))
	found := g.emulator.Findings()
	require.Len(t, found, 1)
	assert.EqualValues(t, 2, found[0].Count)
}

// TestNoPolicy: without a policy there are no findings and no path for them.
func TestNoPolicy(t *testing.T) {
	e := emulator.New()
	server, err := e.Start("127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	assert.Empty(t, e.Findings())
	assert.Empty(t, e.Inspect().RuleCounts())
	answer, err := http.Get(server.URL + "/conventions/findings")
	require.NoError(t, err)
	defer answer.Body.Close()
	assert.Equal(t, http.StatusNotFound, answer.StatusCode)
}

// TestPolicyCountsPartitions: partition keys are counted for each account and region until their
// table is deleted, also in forks.
func TestPolicyCountsPartitions(t *testing.T) {
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{policy.RuleUnbounded.ID: policy.Enforce}
	g := newPolicyTest(t, p)
	g.do(activityOf("user1"))
	require.Error(t,
		putsIf("data", "attribute_exists(pk)", nil,
			itemOf("USER_ACTIVITY#failed", "2024-01-15T10:30:00Z", "version", "=0"))(g, g.Client))
	snapshot := g.emulator.Snapshot()
	fork := servesPolicy(t, g.emulator.Fork())

	g.do(activityOf("user2"))
	refusedFor(t, policy.RuleUnbounded, activityOf("user3")(g, g.Client))
	fork.do(activityOf("user3"))
	refusedFor(t, policy.RuleUnbounded, activityOf("user2")(fork, fork.Client))
	assert.Len(t, g.items("data"), 2)

	g.emulator.Restore(snapshot)
	g.do(activityOf("user3"))
	refusedFor(t, policy.RuleUnbounded, activityOf("user2")(g, g.Client))

	_, err := g.as("ADMIN", "").DeleteTable(t.Context(),
		&dynamodb.DeleteTableInput{TableName: aws.String("data")})
	require.NoError(t, err)
	g.create("data", "pk", "sk")
	g.do(activityOf("user4"), activityOf("user5"))
	refusedFor(t, policy.RuleUnbounded, activityOf("user6")(g, g.Client))
}

// activityOf returns an item in a partition of its own. The entity may have two partitions.
func activityOf(user string) policyCall {
	return puts("data", itemOf("USER_ACTIVITY#"+user, "2024-01-15T10:30:00Z", "version", "=0"))
}

// TestPolicyCountsWhatIsStored: items that were stored before the policy count too, from a journal,
// initial data, or a fork's original.
func TestPolicyCountsWhatIsStored(t *testing.T) {
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{policy.RuleUnbounded.ID: policy.Enforce}
	engine, err := policy.Compile(p)
	require.NoError(t, err)
	held := emulator.WithPolicy(engine)
	begin := func(t *testing.T, e *emulator.Emulator) {
		g := servesPolicy(t, e)
		g.create("data", "pk", "sk")
		g.do(activityOf("user1"), puts("data", itemOf("PRODUCT#tenant001", ulidA, "version", "=0")))
	}
	for _, c := range []struct {
		name string
		open func(t *testing.T) *emulator.Emulator
	}{
		{"a journal", func(t *testing.T) *emulator.Emulator {
			dir := filepath.Join(t.TempDir(), "data")
			open := func(opts ...emulator.Option) *emulator.Emulator {
				db, err := disk.Open(dir, disk.Options{Logger: slog.New(slog.DiscardHandler)})
				require.NoError(t, err)
				e, err := emulator.Open(db, append(opts, emulator.WithSharedData())...)
				require.NoError(t, err)
				return e
			}
			e := open(held)
			begin(t, e)
			require.NoError(t, e.Close())
			e = open(held)
			t.Cleanup(func() { require.NoError(t, e.Close()) })
			return e
		}},
		{"initial data", func(t *testing.T) *emulator.Emulator {
			e := emulator.New(emulator.WithSharedData())
			begin(t, e)
			return emulator.New(emulator.WithInitialData(e, "AK1", "us-east-1"), held)
		}},
		{"a fork", func(t *testing.T) *emulator.Emulator {
			e := emulator.New(emulator.WithSharedData())
			begin(t, e)
			return e.Fork(held)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := servesPolicy(t, c.open(t))
			g.do(activityOf("user2"))
			refusedFor(t, policy.RuleUnbounded, activityOf("user3")(g, g.Client))
		})
	}
}
