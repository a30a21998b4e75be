package policy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// apart is a policy with tenants, with entities of every kind of tenancy.
func apart() policy.Policy {
	return policy.Policy{
		Tenants: policy.Tenants{
			Callers:    map[string]string{"AK1": "tenant001", "AK2": "tenant002", "OPS": "ops"},
			Privileged: []string{"ops"}},
		Tables: []policy.Table{{Name: "t", Role: policy.Plain, Entities: []policy.Entity{
			{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{id}")},
			{Name: "country", Prefix: "COUNTRY", Tenant: policy.TenantCommon,
				Sort: policy.Pattern("{code}")},
			{Name: "member", Prefix: "MEMBER", Tenant: policy.TenantCommon,
				Sort: policy.Pattern("{tenant:tenant}#{user}")},
			{Name: "kind", Prefix: "KIND", Tenant: policy.TenantNone,
				Partition: policy.Pattern("{kind}"), Sort: policy.Pattern("{id}")},
		}}},
	}
}

// A tenant is shown of a stream what a read of the table would show it, whatever stood there before
// the policy.
func TestSees(t *testing.T) {
	e := compile(t, apart())
	for _, c := range []struct {
		name, pk, sk string
		want         bool
	}{
		{"its own", "ORDER#tenant001", "ORDER#1", true},
		{"its own partition, which a query reads", "ORDER#tenant001", "GARBAGE", true},
		{"shared", "COUNTRY#common", "jp", true},
		{"its own association", "MEMBER#common", "tenant001#u", true},
		{"everybody's", "KIND#a", "1", true},
		{"another's", "ORDER#tenant002", "ORDER#1", false},
		{"another's association", "MEMBER#common", "tenant002#u", false},
		{"another's association, cut short", "MEMBER#common", "tenant002", false},
		{"the tenant in the sort key only", "ORDER", "tenant002#1", false},
		{"an undeclared prefix", "GARBAGE", "x", false},
		{"an undeclared prefix with its own name", "OTHER#tenant001", "x", false},
		{"an empty prefix", "#tenant001", "x", false},
		{"an empty tenant", "ORDER#", "ORDER#1", false},
		{"another separator", "ORDER-tenant001", "ORDER#1", false},
		{"a tenant and more", "ORDER#tenant001#x", "ORDER#1", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			key := it("pk", c.pk, "sk", c.sk)
			assert.Equal(t, c.want, e.Sees(request.Caller{AccessKey: "AK1"}, "t", key))
			assert.True(t, e.Sees(request.Caller{AccessKey: "OPS"}, "t", key), "privileged")
			assert.False(t, e.Sees(request.Caller{AccessKey: "NOBODY"}, "t", key), "nobody")
		})
	}
}

// A rule on the form of keys keeps no tenants apart, so that lifting it opens nothing.
func TestLiftedFormOfKeys(t *testing.T) {
	for _, c := range []struct {
		name, rule, pk, sk string
		want               string
	}{
		{"an undeclared prefix", "key-undeclared-prefix", "NOTE", "x", "tenant-missing"},
		{"an empty tenant", "key-undeclared-prefix", "NOTE#", "x", "tenant-missing"},
		{"another separator", "key-separator", "ORDER-tenant002", "ORDER#1", "tenant-missing"},
		{"too few segments", "key-segments", "MEMBER#common", "tenant002", "tenant-crossing"},
		{"too many segments", "key-segments", "MEMBER#common", "tenant002#u#x", "tenant-crossing"},
		{"too many segments of its own", "key-segments", "MEMBER#common", "tenant001#u#x", ""},
		{"an undeclared sort key of its own", "key-undeclared-prefix", "ORDER#tenant001", "x", ""},
	} {
		for _, s := range []policy.Severity{policy.Warn, policy.Off} {
			t.Run(c.name+" "+s.String(), func(t *testing.T) {
				p := apart()
				p.Severities = map[string]policy.Severity{c.rule: s}
				e := compile(t, p)
				for _, r := range []request.Request{
					{Reads: []request.Read{{Table: "t", Key: it("pk", c.pk, "sk", c.sk)}}},
					{Writes: []request.Write{{Table: "t", Kind: request.Put,
						Item: it("pk", c.pk, "sk", c.sk)}}},
				} {
					r.Caller.AccessKey = "AK1"
					found := policy.Enforced(e.CheckRequest(&r, nil))
					if c.want == "" {
						assert.Empty(t, found)
						continue
					}
					require.Equal(t, []string{c.want}, ids(found))
				}
			})
		}
	}
}
