package policy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// TestAdvise: advice names the field of the declaration.
func TestAdvise(t *testing.T) {
	withTenants := policy.Tenants{Callers: map[string]string{"AK1": "tenant001"}}
	sorted := func(sort string) policy.Policy {
		return one(policy.Entity{Name: "e", Prefix: "E", Sort: policy.Pattern(sort)})
	}
	tenanted := func(p policy.Policy) policy.Policy {
		p.Tenants = withTenants
		p.Tables = append(p.Tables, policy.Table{Name: "other"})
		return p
	}
	partitioned := func(mode policy.TenantMode, partition, sort string, most int) policy.Policy {
		return one(policy.Entity{
			Name: "e", Prefix: "E", Tenant: mode, Partition: policy.Pattern(partition),
			Sort: policy.Pattern(sort), MaxPartitions: most,
		})
	}
	indexed := func(x policy.Index) policy.Policy {
		p := tenanted(sorted("{id:ulid}"))
		x.Name, x.Key = "x", policy.KeySchema{Partition: "a"}
		p.Tables[0].Indexes = []policy.Index{x}
		return p
	}
	for _, c := range []struct {
		name   string
		policy policy.Policy
		field  string
		rule   *policy.Rule // nil: no advice
	}{
		{"a simple entity", sorted("{id:ulid}"), "", nil},
		{"a child", sorted("ORDER_ITEM#{order:ulid}#{item:number}"), "", nil},
		{"a variant", sorted("{provider:local|sso}#{user}"), "", nil},
		{"master data", sorted("{type:SETTING|DATA}#{category}#{code}"), "", nil},
		{"time series",
			partitioned(policy.TenantRequired, "{month:month}", "{at:timestamp}#{event:ulid}", 0),
			"", nil},
		{"a key of the second guide", sorted("Post_{created:timestamp}"), "", nil},

		{"an overloaded key", sorted("ORDER#{date:date}#{category}#{priority}#{id:ulid}"),
			"tables[0].entities[0].sort", policy.RuleOverloaded},
		{"a value to filter by", sorted("ORDER#{priority:high|low}#{id:ulid}"),
			"tables[0].entities[0].sort", policy.RuleOverloaded},
		{"too much that varies", sorted("{a}#{b}#{c}#{d}"), "tables[0].entities[0].sort",
			policy.RuleOverloaded},
		{"a status", sorted("ORDER#{s:status}#{id:ulid}"), "tables[0].entities[0].sort",
			policy.RuleMutable},
		{"a status by its name", sorted("ORDER#{Status}#{id:ulid}"), "tables[0].entities[0].sort",
			policy.RuleMutable},
		{"a status by its values", sorted("{kind:pending|paid}#{id:ulid}"),
			"tables[0].entities[0].sort", policy.RuleMutable},
		{"a status in the partition",
			partitioned(policy.TenantRequired, "{s:status}", "{id:ulid}", 0),
			"tables[0].entities[0].partition", policy.RuleMutable},
		{"a word of state as text", sorted("ORDER#pending#{id:ulid}"), "tables[0].entities[0].sort",
			policy.RuleMutable},
		{"a kind with the name of a state", sorted("DRAFT#{id:ulid}"), "", nil},
		{"another separator in a prefix",
			one(policy.Entity{Name: "e", Prefix: "ORDER-ITEM", Sort: policy.Pattern("{id:ulid}")}),
			"tables[0].entities[0].prefix", policy.RuleSeparator},
		{"the separator of versions in a prefix",
			one(policy.Entity{Name: "e", Prefix: "ORDER@ITEM", Sort: policy.Pattern("{id:ulid}")}),
			"tables[0].entities[0].prefix", policy.RuleSeparator},
		{"another separator in a segment", sorted("ORDER:#{id:ulid}"), "tables[0].entities[0].sort",
			policy.RuleSeparator},
		{"two separators", sorted("ORDER#item_{id:ulid}"), "tables[0].entities[0].sort",
			policy.RuleSeparator},

		{"an e-mail address in a sort key", sorted("{provider:local|sso}#{Email}"),
			"tables[0].entities[0].sort", policy.RuleAtSign},
		{"no tenant", tenanted(partitioned(policy.TenantNone, "{month:month}", "{id:ulid}", 0)),
			"tables[0].entities[0].tenant", policy.RuleTenantMissing},
		{"no tenant where there are none",
			partitioned(policy.TenantNone, "{month:month}", "{id:ulid}", 0), "", nil},
		{"the tenant in the sort key",
			partitioned(policy.TenantNone, "{month:month}", "{t:tenant}#{id:ulid}", 0),
			"tables[0].entities[0].sort", policy.RuleTenantInSortKey},
		{"the tenant in the sort key by its name",
			partitioned(policy.TenantNone, "{month:month}", "{tenantCode}#{id:ulid}", 0),
			"tables[0].entities[0].sort", policy.RuleTenantInSortKey},
		{"the tenant in both keys",
			partitioned(policy.TenantNone, "{tenantCode}", "{tenantCode}#{id:ulid}", 9), "", nil},
		{"one fixed partition", partitioned(policy.TenantNone, "", "{at:timestamp}", 0),
			"tables[0].entities[0]", policy.RuleFixedPartition},
		{"one partition of the only word",
			partitioned(policy.TenantNone, "{all:all|}", "{at:timestamp}", 0),
			"tables[0].entities[0]", policy.RuleFixedPartition},
		{"a partition for each user",
			partitioned(policy.TenantRequired, "{user}", "{at:timestamp}", 0),
			"tables[0].entities[0].partition", policy.RuleUnbounded},
		{"a partition for each user, bounded",
			partitioned(policy.TenantRequired, "{user}", "{at:timestamp}", 100), "", nil},
		{"an index without tenant", indexed(policy.Index{Tenant: policy.TenantNone}),
			"tables[0].indexes[0].tenant", policy.RuleTenantMissing},
		{"an index's entity without tenant",
			indexed(policy.Index{
				Entities: []policy.Entity{{Name: "e", Prefix: "E", Tenant: policy.TenantNone}},
			}),
			"tables[0].indexes[0].entities[0].tenant", policy.RuleTenantMissing},
		{"an index with tenants", indexed(policy.Index{}), "", nil},
		{"a caller of the tenant common",
			policy.Policy{Tenants: policy.Tenants{Callers: map[string]string{"AK": "common"}},
				Tables: []policy.Table{{Name: "a"}}},
			"tenants.callers.AK", policy.RuleTenantCommon},
		{"what is temporary and stays", sorted("{provider:local|temp}#{user}"),
			"tables[0].entities[0].sort", policy.RuleExpiryMissing},
		{"what is temporary and expires", one(policy.Entity{Name: "e", Prefix: "E",
			Sort: policy.Pattern("temp#{session}"), Expires: "ttl"}), "", nil},
		{"a version that is mutable", one(policy.Entity{Name: "e", Prefix: "E",
			Sort: policy.Pattern("{id:ulid}"), Mutable: []string{"price", "version"}}),
			"tables[0].entities[0].mutable", policy.RuleVersionNotRaised},
		{"a version of a command that is mutable", policy.Policy{Tables: []policy.Table{
			{Name: "a", Role: policy.Command, VersionAttribute: "v", Entities: []policy.Entity{
				{Name: "e", Prefix: "E", Sort: policy.Pattern("{id:ulid}"),
					Mutable: []string{"v"}}}}}},
			"tables[0].entities[0].mutable", policy.RuleHistory},
		{"a mutable attribute version of a table without versions",
			policy.Policy{Tables: []policy.Table{
				{Name: "a", Role: policy.Plain, Entities: []policy.Entity{{Name: "e", Prefix: "E",
					Sort: policy.Pattern("{id:ulid}"), Mutable: []string{"version"}}}}}}, "", nil},
		{"a needless time of creation",
			partitioned(policy.TenantRequired, "{id:ulid}", "{createdAt:timestamp}", 100),
			"tables[0].key", policy.RuleOverloaded},
		{"a needless sort key", sorted("METADATA"), "tables[0].key", policy.RuleOverloaded},
		{"a needless sort key beside a version",
			policy.Policy{
				Tables: []policy.Table{
					{Name: "a", Role: policy.Plain, Latest: &policy.Latest{Attribute: "pk"}},
				},
			},
			"tables[0].key", policy.RuleOverloaded},
	} {
		t.Run(c.name, func(t *testing.T) {
			compile(t, c.policy)
			advice := policy.Advise(c.policy)
			if c.rule == nil {
				assert.Empty(t, advice)
				return
			}
			require.Len(t, advice, 1)
			assert.Equal(t, []any{c.field, c.rule.ID, c.rule.Default},
				[]any{advice[0].Field, advice[0].Rule.ID, advice[0].Severity})
			assert.Contains(t, advice[0].Error(), c.rule.ID+": ")
			assert.Contains(t, advice[0].Error(), "; instead, ")

			c.policy.Severities = map[string]policy.Severity{c.rule.ID: policy.Off}
			for _, a := range policy.Advise(c.policy) { // only what lifting the rule opens is left
				assert.Equal(t, "severities."+c.rule.ID, a.Field, "of a rule that is off")
			}
		})
	}
}

// What is said to be mutable means nothing where the rule that looks at it is off.
func TestAdviseOfMutableWithoutItsRule(t *testing.T) {
	p := one(policy.Entity{Name: "e", Prefix: "E", Sort: policy.Pattern("{id:ulid}"),
		Mutable: []string{"price"}})
	assert.Empty(t, policy.Advise(p))
	p.Tables[0].Severities = map[string]policy.Severity{policy.RuleMutable.ID: policy.Off}
	compile(t, p)
	advice := policy.Advise(p)
	require.Len(t, advice, 1)
	assert.Equal(t, "tables[0].entities[0].mutable", advice[0].Field)
	assert.Equal(t, policy.RuleMutable, advice[0].Rule)
	p.Tables[0].Entities[0].Mutable = nil
	assert.Empty(t, policy.Advise(p))
}

// A partition for all tenants is against two documents at once.
func TestAdviseOfOnePartitionForAllTenants(t *testing.T) {
	p := one(policy.Entity{
		Name: "product", Prefix: "PRODUCT", Tenant: policy.TenantNone,
		Sort: policy.Pattern("{product:ulid}"),
	})
	p.Tenants.Callers = map[string]string{"AK1": "tenant001"}
	p.Tables = append(p.Tables, policy.Table{Name: "other"})
	compile(t, p)
	var rules []string
	for _, a := range policy.Advise(p) {
		rules = append(rules, a.Rule.ID)
	}
	assert.Equal(t, []string{policy.RuleTenantMissing.ID, policy.RuleFixedPartition.ID}, rules)
}
