package policy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// one is a policy of one table with entities.
func one(entities ...policy.Entity) policy.Policy {
	return policy.Policy{Tables: []policy.Table{{Name: "t", Entities: entities}}}
}

func TestCompileErrors(t *testing.T) {
	id := policy.Pattern("{id:ulid}")
	for _, c := range []struct {
		name   string
		policy policy.Policy
		text   string
	}{
		{"no table", policy.Policy{}, "tables: no table is declared"},
		{"a table without a name", policy.Policy{Tables: []policy.Table{{}}}, "tables[0].name: "},
		{"a bad pattern", policy.Policy{Tables: []policy.Table{{Name: "a["}}},
			"tables[0].name: \"a[\" is no pattern"},
		{"a table twice", policy.Policy{Tables: []policy.Table{{Name: "a"}, {Name: "a"}}},
			"tables[1].name: the table \"a\" is declared twice"},
		{"a rule that is none",
			policy.Policy{Severities: map[string]policy.Severity{"x": policy.Off},
				Tables: []policy.Table{{Name: "a"}}}, `severities.x: "x" is no rule`},
		{"a severity that is none",
			policy.Policy{
				Tables: []policy.Table{
					{Name: "a", Severities: map[string]policy.Severity{"key-ulid": 9}},
				},
			}, "tables[0].severities.key-ulid: "},
		{"a role that is none", policy.Policy{Tables: []policy.Table{{Name: "a", Role: 9}}},
			"tables[0].role: "},
		{"one attribute for both keys",
			policy.Policy{
				Tables: []policy.Table{
					{Name: "a", Key: policy.KeySchema{Partition: "x", Sort: "x"}},
				},
			}, "tables[0].key.sort: "},
		{"history without a sort key",
			policy.Policy{
				Tables: []policy.Table{
					{Name: "a", Role: policy.History, Key: policy.KeySchema{Partition: "x"}},
				},
			}, "tables[0].key.sort: "},
		{"items that expire among commands", policy.Policy{Tables: []policy.Table{{Name: "a",
			Role: policy.Command, Entities: []policy.Entity{{Name: "e", Prefix: "E", Sort: id,
				Expires: "ttl"}}}}}, "tables[0].entities[0].expires: "},
		{"a time of expiry in the key", policy.Policy{Tables: []policy.Table{{Name: "a",
			Entities: []policy.Entity{{Name: "e", Prefix: "E", Sort: id, Expires: "sk"}}}}},
			"tables[0].entities[0].expires: "},
		{"a parent that is none", policy.Policy{Tables: []policy.Table{{Name: "a",
			Entities: []policy.Entity{{Name: "e", Prefix: "E", Sort: id, Parent: "e"}}}}},
			"tables[0].entities[0].parent: "},
		{"one tenant and others", policy.Policy{Tenants: policy.Tenants{
			Isolation: policy.IsolationSingle, Known: []string{"tenant001"}},
			Tables: []policy.Table{{Name: "a"}}}, "tenants.isolation: "},
		{"bookkeeping of a data table",
			policy.Policy{Tables: []policy.Table{{Name: "a", Bookkeeping: []string{"x"}}}},
			"tables[0].bookkeeping: "},
		{"bookkeeping of a key",
			policy.Policy{
				Tables: []policy.Table{
					{Name: "a", Role: policy.Command, Bookkeeping: []string{"sk"}},
				},
			}, "tables[0].bookkeeping: "},
		{"commands of a command table",
			policy.Policy{Tables: []policy.Table{{Name: "a", Role: policy.Command, Commands: "a"}}},
			"tables[0].commands: only a data table"},
		{"commands that are not declared",
			policy.Policy{Tables: []policy.Table{{Name: "a", Commands: "b"}}},
			`tables[0].commands: "b" is no declared command table`},
		{"an index without a key",
			policy.Policy{
				Tables: []policy.Table{{Name: "a", Indexes: []policy.Index{{Name: "i"}}}},
			}, "tables[0].indexes[0].key.partition: "},
		{"an entity without a name", one(policy.Entity{Prefix: "A", Sort: id}),
			"tables[0].entities[0].name: "},
		{"an entity without a prefix", one(policy.Entity{Name: "a", Sort: id}),
			"tables[0].entities[0].prefix: "},
		{"an entity without a sort key", one(policy.Entity{Name: "a", Prefix: "A"}),
			"tables[0].entities[0].sort: the sort key's pattern is missing"},
		{"a sort key where there is none",
			policy.Policy{Tables: []policy.Table{{Name: "a", Key: policy.KeySchema{Partition: "x"},
				Entities: []policy.Entity{{Name: "a", Prefix: "A", Sort: id}}}}},
			"tables[0].entities[0].sort: there is no sort key"},
		{"a prefix of two segments", one(policy.Entity{Name: "a", Prefix: "A#B", Sort: id}),
			"tables[0].entities[0].prefix: "},
		{"a mutable segment",
			one(policy.Entity{Name: "a", Prefix: "A", Sort: policy.Pattern("{status}"),
				Mutable: []string{"status"}}),
			`tables[0].entities[0].sort: the key holds "status", which is declared mutable`},
		{"a mutable key",
			one(policy.Entity{Name: "a", Prefix: "A", Sort: id, Mutable: []string{"pk"}}),
			"tables[0].entities[0].mutable: "},
		{"a writable entity that is nobody's",
			one(policy.Entity{Name: "a", Prefix: "A", Tenant: policy.TenantNone, Partition: id,
				Sort: id, Writable: true}), "tables[0].entities[0].writable: "},
		{"a writable table with entities",
			policy.Policy{
				Tables: []policy.Table{
					{Name: "a", Writable: true,
						Entities: []policy.Entity{{Name: "a", Prefix: "A", Sort: id}}},
				},
			}, "tables[0].writable: "},
		{"a writable table without tenants",
			policy.Policy{
				Tables: []policy.Table{{Name: "a", Writable: true, Tenant: policy.TenantNone}},
			}, "tables[0].writable: "},
		{"a bound below nothing",
			one(policy.Entity{Name: "a", Prefix: "A", Sort: id, MaxPartitions: -1}),
			"tables[0].entities[0].max-partitions: "},
		{"a segment without values",
			one(policy.Entity{Name: "a", Prefix: "A",
				Sort: []policy.Segment{{Name: "x", Type: policy.Enum}}}),
			"tables[0].entities[0].sort: segment 1: "},
		{"table design, merging models: two models that cannot be told apart", one(
			policy.Entity{Name: "a", Prefix: "A", Sort: policy.Pattern("{id}")},
			policy.Entity{Name: "b", Prefix: "A", Sort: id}),
			`tables[0].entities[1]: its keys cannot be told from those of the entity "a"`},
		{"a tenant that is not known",
			policy.Policy{
				Tenants: policy.Tenants{Known: []string{"a"}, Callers: map[string]string{"K": "b"}},
				Tables:  []policy.Table{{Name: "a"}},
			},
			`tenants.callers.K: "b" is none of the known tenants`},
		{"a tenant of two segments",
			policy.Policy{Tenants: policy.Tenants{Known: []string{"a#b"}},
				Tables: []policy.Table{{Name: "a"}}}, "tenants.known[0]: "},
		{"a header that is none",
			policy.Policy{Tenants: policy.Tenants{Header: "x tenant"},
				Tables: []policy.Table{{Name: "a"}}}, "tenants.header: "},
		{"latest by an attribute that is no key",
			policy.Policy{
				Tables: []policy.Table{{Name: "a", Latest: &policy.Latest{Attribute: "x"}}},
			}, "tables[0].latest.attribute: "},
		{"latest of an entity that is none",
			policy.Policy{Tables: []policy.Table{{Name: "a", Latest: &policy.Latest{Entity: "x"}}}},
			"tables[0].latest.entity: "},
		{"latest in history",
			policy.Policy{
				Tables: []policy.Table{{Name: "a", Role: policy.History, Latest: &policy.Latest{}}},
			}, "tables[0].latest: "},
		{"a status word that is empty",
			policy.Policy{StatusWords: []string{""}, Tables: []policy.Table{{Name: "a"}}},
			"status-words[0]: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := policy.Compile(c.policy)
			assert.Nil(t, e)
			require.ErrorContains(t, err, c.text)
			var field *conventions.FieldError
			assert.True(t, errors.As(err, &field))
		})
	}
}

func TestSeverities(t *testing.T) {
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{
		policy.RuleULID.ID: policy.Warn, policy.RuleVersionFirst.ID: policy.Off,
	}
	p.Tables[0].Severities = map[string]policy.Severity{policy.RuleVersionFirst.ID: policy.Enforce}
	found := put("data", key("PRODUCT#tenant001", "x"))(t, compile(t, p))
	require.Equal(t, []string{policy.RuleULID.ID, policy.RuleVersionFirst.ID}, ids(found))
	assert.Equal(t, policy.Warn, found[0].Severity)
	assert.Equal(t, policy.Enforce, found[1].Severity)
	assert.Equal(t, found[1:], policy.Enforced(found))
	assert.Equal(t, &found[1], policy.Worst(found))
	assert.Equal(t, []string{}, ids(put("loose", key("X#tenant001", "x"))(t, compile(t, p))))
}

// A tenant that a policy no longer asks for is still no other tenant's to read.
func TestAccessKeys(t *testing.T) {
	p := one(policy.Entity{Name: "a", Prefix: "A", Sort: policy.Pattern("{id}")})
	e, err := policy.Compile(p)
	require.NoError(t, err)
	assert.Empty(t, e.AccessKeys())
	p.Tenants.Callers = map[string]string{"AK2": "tenant002", "AK1": "tenant001"}
	e, err = policy.Compile(p)
	require.NoError(t, err)
	assert.Equal(t, []string{"AK1", "AK2"}, e.AccessKeys())
}

func TestCrossingWithoutKnownTenants(t *testing.T) {
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{policy.RuleTenantMissing.ID: policy.Warn}
	found := get("PRODUCT#tenant003", ulid1)(t, compile(t, p))
	assert.Equal(t, []string{policy.RuleTenantMissing.ID, policy.RuleTenantCrossing.ID}, ids(found))
}

// Without bookkeeping nothing of a command changes.
func TestNoBookkeeping(t *testing.T) {
	p := policytest.Shop()
	p.Tables[2].Bookkeeping = []string{}
	changed := commitOf(imaged("history", request.Put, command("2"), command("2", "ttl", "=1")))
	assert.Equal(t, []string{policy.RuleHistory.ID}, ids(changed(t, compile(t, p))))
}

// Data that is tied to its commands has none without one.
func TestCommands(t *testing.T) {
	p := policytest.Shop()
	p.Tables[0].Commands = "command-orders"
	e := compile(t, p)
	data := func(version string) request.ImagedWrite {
		return imaged("data", request.Put, "",
			it("pk", orderPK, "sk", "ORDER#"+ulid1, "version", version))
	}
	without := []string{policy.RuleVersionCommand.ID}
	assert.Equal(t, without, ids(commitOf(data("=1"))(t, e)))
	assert.Empty(t, commitOf(data("=0"))(t, e), "what no command made")
	assert.Empty(t, commitOn([]item.Item{command("1")}, data("=1"))(t, e))
	assert.Empty(t,
		commitOf(data("=1"), imaged("command-orders", request.Put, "", command("1")))(t, e),
		"both at once")

	none := func(string, item.Item) item.Item { return "" }
	assert.Equal(t, without, ids(e.CheckCommand("data", data("=3").New, none)))
	assert.Empty(t, e.CheckCommand("command-orders", command("1"), none))
}

func TestRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range policy.Rules() {
		assert.False(t, seen[r.ID], r.ID)
		seen[r.ID] = true
		assert.NotEmpty(t, r.Title)
		assert.NotEmpty(t, r.Remedy)
		assert.Contains(t, r.Passage, ", ")
		assert.Contains(t, []policy.Severity{policy.Off, policy.Warn, policy.Enforce},
			r.Default)
		found, err := policy.RuleByID(r.ID)
		require.NoError(t, err)
		assert.Same(t, r, found)
	}
}

func TestPatternErrors(t *testing.T) {
	for _, pattern := range []string{"A##B", "{a", "{}", "{:ulid}", "{a:literal}", "{a:number",
		"a@b", "{a:x}", "A#", "{a:|}", "x_{a:b|c}", "x@{a}"} {
		t.Run(pattern, func(t *testing.T) {
			_, err := policy.ParsePattern(pattern)
			assert.Error(t, err)
		})
	}
}

// FuzzPattern: what is parsed is printed as it was, but for enumerations and the type any.
func FuzzPattern(f *testing.F) {
	for _, seed := range []string{"ORDER_ITEM#{order:ulid}#{item}", "{a:x|y}", "{at:timestamp}",
		"{a:any}", "{a:x|}", "Post_{a:status}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		segments, err := policy.ParsePattern(pattern)
		if err != nil {
			return
		}
		texts := []string{}
		for _, s := range segments {
			texts = append(texts, s.String())
		}
		again, err := policy.ParsePattern(strings.Join(texts, "#"))
		require.NoError(t, err)
		assert.Equal(t, segments, again)
	})
}

// Keys that are built as an entity declares them conform, and no key at all breaks the engine.
func TestKeysProperty(t *testing.T) {
	e := compile(t, policytest.Shop())
	text := rapid.StringMatching(`[a-z][a-z0-9]{9,12}`) // hardly ever a status word
	rapid.Check(t, func(t *rapid.T) {
		tenant := rapid.SampledFrom([]string{"tenant001", "common"}).Draw(t, "tenant")
		a, b := text.Draw(t, "a")+"0", text.Draw(t, "b")+"0"
		month := fmt.Sprintf("20%02d-%02d", rapid.IntRange(0, 99).Draw(t, "year"),
			rapid.IntRange(1, 12).Draw(t, "month"))
		good := rapid.SampledFrom([][2]string{
			{"PRODUCT#" + tenant, ulid1},
			{"ORDER#" + tenant, "ORDER#" + ulid2},
			{"ORDER#" + tenant, "ORDER_ITEM#" + ulid1 + "#" + a},
			{"USER#common", "sso#" + a},
			{"MASTER#" + tenant, "DATA#" + a + "#" + b},
			{"LOG#" + tenant + "#" + month, month + "-01T00:00:00Z#" + a},
		}).Draw(t, "key")
		caller := tenant1
		if tenant == "common" {
			caller = admin
		}
		r := &request.Request{
			Caller: caller, Amends: true,
			Writes: []request.Write{
				{Table: "data", Kind: request.Put,
					Item: it("pk", good[0], "sk", good[1], "version", "=1")},
			},
		}
		require.Empty(t, e.CheckRequest(r, nil))

		random := rapid.StringMatching(`(PRODUCT|ORDER|LOG|USER_ACTIVITY|X|)([#@_a-z0-9:-]{0,12})`)
		bad := it("pk", random.Draw(t, "pk"), "sk", random.Draw(t, "sk"))
		for _, table := range []string{"data", "command-x", "drafts", "loose"} {
			found := e.CheckItem(table, bad, e.NewState())
			for i := range found {
				require.NotEmpty(t, found[i].Error())
			}
		}
	})
}
