package policy_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

func stringsItem(pairs ...string) item.Item {
	var attributes []item.Attribute
	for i := 0; i < len(pairs); i += 2 {
		attributes = append(attributes,
			item.Attribute{Name: pairs[i], Value: item.String(pairs[i+1])})
	}
	return item.New(attributes...)
}

func TestLatestAtRest(t *testing.T) {
	e, err := policy.Compile(policy.Policy{Tables: []policy.Table{
		{Name: "documents", Role: policy.Plain, Tenant: policy.TenantNone,
			Latest: &policy.Latest{}},
		{Name: "versions", Role: policy.Plain, Tenant: policy.TenantNone,
			Key: policy.KeySchema{Partition: "id"}, Latest: &policy.Latest{}},
		{Name: "plain", Role: policy.Plain},
	}})
	require.NoError(t, err)
	version := stringsItem("pk", "a", "sk", "x#1", "text", "one")
	latest := func(text string) item.Item {
		return stringsItem("pk", "a", "sk", "x#latest", "text", text, "actualVersion", "1")
	}

	id, isLatest, ok := e.Document("documents", version)
	assert.True(t, ok && !isLatest)
	same, isLatest, ok := e.Document("documents", latest("one"))
	assert.True(t, ok && isLatest)
	assert.Equal(t, id, same)
	for _, other := range []item.Item{stringsItem("pk", "b", "sk", "x#1"),
		stringsItem("pk", "a", "sk", "y#1")} {
		other, _, ok := e.Document("documents", other)
		assert.True(t, ok)
		assert.NotEqual(t, id, other)
	}
	_, _, ok = e.Document("plain", version)
	assert.False(t, ok)
	assert.Equal(t, []string{"pk", "sk"}, e.KeyAttributes("documents"))
	assert.Equal(t, []string{"id"}, e.KeyAttributes("versions"))
	assert.Nil(t, e.KeyAttributes("other"))

	stored := func(it item.Item) func(string, item.Item) item.Item {
		return func(table string, key item.Item) item.Item {
			assert.Equal(t, stringsItem("pk", "a", "sk", "x#1"), key)
			return it
		}
	}
	never := func(string, item.Item) item.Item { t.Error("nothing is to be looked up"); return "" }
	assert.Empty(t, e.CheckLatest("documents", latest("one"), stored(version)))
	for rule, findings := range map[*policy.Rule][]policy.Finding{
		policy.RuleLatestContent: e.CheckLatest("documents", latest("two"), stored(version)),
		policy.RuleLatestVersion: e.CheckLatest("documents", latest("one"), stored("")),
		policy.RuleLatestMissing: e.CheckLatestMissing("documents", version),
	} {
		require.Len(t, findings, 1, rule.ID)
		assert.Equal(t, rule, findings[0].Rule)
	}
	assert.Empty(t, e.CheckLatest("documents", version, never))
	assert.Empty(t, e.CheckLatest("documents", stringsItem("pk", "a", "sk", "latest"), never))
	assert.Empty(t, e.CheckLatest("plain", version, never))
	assert.Empty(t, e.CheckLatestMissing("documents", latest("one")))
}

func TestStateIsKept(t *testing.T) {
	e, err := policy.Compile(policy.Policy{Tables: []policy.Table{
		{Name: "users", Role: policy.Plain,
			Entities: []policy.Entity{
				{Name: "user", Prefix: "USER", Partition: policy.Pattern("{id}"),
					Sort: policy.Pattern("{x}"), MaxPartitions: 2},
			}},
		{Name: "loose", Role: policy.Plain},
	}})
	require.NoError(t, err)
	user := func(id string) item.Item { return stringsItem("pk", "USER#tenant001#"+id, "sk", "x") }
	before, after := e.NewState(), e.NewState()
	require.Empty(t, e.CheckItem("users", user("1"), before))
	require.Empty(t, e.CheckItem("users", user("2"), before))
	for range policy.FixedPartitionItems {
		require.Empty(t, e.CheckItem("loose", stringsItem("pk", "A#common", "sk", "x"), before))
	}
	text, err := json.Marshal(before)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, after))
	require.Empty(t, e.CheckItem("users", user("2"), after))
	require.Len(t, e.CheckItem("users", user("3"), after), 1)
	require.Len(t, e.CheckItem("loose", stringsItem("pk", "A#common", "sk", "y"), after), 1)
	require.Error(t, json.Unmarshal([]byte(`[]`), after))
}

func TestCallerTenant(t *testing.T) {
	for name, tenants := range map[string]policy.Tenants{
		"nothing is said of callers": {},
		"callers have access keys": {
			Callers:    map[string]string{"AK2": "tenant002", "ADMIN": "admin"},
			Privileged: []string{"admin"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := policy.Compile(policy.Policy{
				Tenants: tenants, Tables: []policy.Table{{Name: "data", Role: policy.Data}},
			})
			require.NoError(t, err)
			get := func(c request.Caller) []policy.Finding {
				return e.CheckRequest(&request.Request{
					Operation: "GetItem", Caller: c,
					Reads: []request.Read{
						{Table: "data", Key: stringsItem("pk", "A#tenant002", "sk", "x")},
					},
				}, nil)
			}
			require.Len(t,
				get(request.Caller{Tenant: "tenant001", AccessKey: "AK2", Header: "tenant002"}), 1)
			require.Empty(t, get(request.Caller{Tenant: "tenant002"}))
			if tenants.Privileged != nil {
				require.Empty(t, get(request.Caller{Tenant: "admin"}))
			}
		})
	}
}
