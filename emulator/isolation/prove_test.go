package isolation_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/isolation"
)

// policiesOfTheRepository returns the policy files that claim to keep tenants apart.
func policiesOfTheRepository(t *testing.T) map[string]policy.Policy {
	root, found := filepath.Join("..", ".."), map[string]policy.Policy{}
	for _, pattern := range []string{"conventions/example/*.yaml",
		"conventions/policy/policyfile/examples/*.yaml",
		"conventions/policy/policyfile/testdata/*.yaml",
		"conventions/design/*/testdata/policy.yaml", "conventions/design/*/testdata/*/policy.yaml",
		"conformance/clients/*/policy.yaml", "emulator/testdata/*.yaml",
		"cmd/kugiri/internal/codelint/testdata/*.yaml"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			if p, err := policyfile.Parse(text); err == nil && p.Tenants.ClaimsIsolation() {
				name, err := filepath.Rel(root, file)
				require.NoError(t, err)
				found[filepath.ToSlash(name)] = p
			}
		}
	}
	require.Contains(t, found, "conventions/example/policy.yaml")
	return found
}

// Every policy of the repository that claims isolation keeps its tenants apart.
func TestPoliciesOfTheRepositoryHold(t *testing.T) {
	for name, p := range policiesOfTheRepository(t) {
		t.Run(name, func(t *testing.T) {
			for _, o := range []isolation.Options{{Brief: true}, {}} {
				proof, err := isolation.Prove(p, o)
				require.NoError(t, err)
				assert.Empty(t, proof.Leaks)
				t.Logf("%d requests for %d items of %d tables", proof.Requests, proof.Items,
					proof.Tables)
			}
		})
	}
}

// guarded is a policy with every kind of entity and index.
const guarded = `
tenants: {callers: {AK1: tenant001, AK2: tenant002, ADMIN: admin}, privileged: [admin], header: x-tenant}
tables:
  - name: data
    role: data
    entities:
      - {name: order, prefix: ORDER, sort: "ORDER#{order:ulid}"}
      - {name: log, prefix: LOG, partition: "{month:month}", sort: "{at:timestamp}#{event}"}
      - {name: user, prefix: USER, tenant: common, sort: "{user}", writable: true}
      - {name: country, prefix: COUNTRY, tenant: common, sort: "{country}"}
      - {name: member, prefix: MEMBER, tenant: common, sort: "{tenant:tenant}#{user}"}
      - {name: legacy, prefix: LEGACY, tenant: none, partition: "{kind}", sort: "{tenant:tenant}#{id}"}
    indexes:
      - name: by-category
        key: {partition: gsi1pk, sort: gsi1sk}
        entities: [{name: category, prefix: CATEGORY, partition: "{category}", sort: "{id}"}]
  - {name: "[c-d]ommand-?-*", role: command}
  - {name: scratch, open: true}
`

func parse(t *testing.T, text string) policy.Policy {
	p, err := policyfile.Parse([]byte(text))
	require.NoError(t, err)
	return p
}

// All operations of the catalog are played, and the tenant's own requests are answered, so that
// refusals are not for another reason.
func TestProofPlaysTheCatalog(t *testing.T) {
	proof, err := isolation.Prove(parse(t, guarded), isolation.Options{})
	require.NoError(t, err)
	assert.Empty(t, proof.Leaks)
	assert.Equal(t, 4, proof.Tables, "those of the policy, and one that it does not declare")
	played := map[string]*isolation.Operation{}
	for i := range proof.Operations {
		played[proof.Operations[i].Name] = &proof.Operations[i]
	}
	for o := range catalog.All() {
		line := played[o.Name]
		require.NotNil(t, line, o.Name)
		for _, c := range proof.Callers {
			assert.Positive(t, line.Tried[c], "%s as %s", o.Name, c)
		}
		if o.Subject == catalog.Items && o.Name != "Scan" && o.Name != "SearchVectors" {
			assert.Positive(t, line.OwnPassed, o.Name)
		}
	}
	assert.Equal(t, []isolation.Caller{isolation.AsTenant, isolation.AsForger, isolation.AsNobody,
		isolation.WithoutHeader}, proof.Callers)
}

// The brief proof fails without each of the rules that keep tenants apart.
func TestProofNeedsEachRule(t *testing.T) {
	for _, rule := range []*policy.Rule{policy.RuleTenantCrossing, policy.RuleTenantScan,
		policy.RuleTenantCaller, policy.RuleTenantUndeclared, policy.RuleTenantOperation,
		policy.RuleTenantShared} {
		for _, severity := range []policy.Severity{policy.Off, policy.Warn} {
			p := parse(t, guarded)
			p.Severities = map[string]policy.Severity{rule.ID: severity}
			p.Tenants.Isolation = policy.IsolationNone
			proof, err := isolation.Prove(p, isolation.Options{Brief: true})
			require.NoError(t, err)
			assert.False(t, proof.Holds(), "%s: %s", rule.ID, severity)
		}
	}
}

// What a policy turns off in one table only is found there.
func TestProofOfATable(t *testing.T) {
	p := parse(t, guarded)
	p.Tables[1].Severities = map[string]policy.Severity{policy.RuleTenantCrossing.ID: policy.Warn}
	proof, err := isolation.Prove(p, isolation.Options{})
	require.NoError(t, err)
	require.NotEmpty(t, proof.Leaks)
	for i := range proof.Leaks {
		assert.Contains(t, proof.Leaks[i].Error(), "command-x-any")
	}
}

func TestProofOfAWrongPolicy(t *testing.T) {
	_, err := isolation.Prove(policy.Policy{}, isolation.Options{})
	require.ErrorContains(t, err, "tables: no table is declared")
}

func BenchmarkBriefProof(b *testing.B) {
	p, err := policyfile.Parse([]byte(guarded))
	require.NoError(b, err)
	for b.Loop() {
		proof, err := isolation.Prove(p, isolation.Options{Brief: true})
		require.NoError(b, err)
		require.True(b, proof.Holds())
	}
}
