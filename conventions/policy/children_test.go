package policy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// childrenPolicy has children with keys of their own, and sessions that expire, of one tenant.
func childrenPolicy(parent policy.Severity) policy.Policy {
	return policy.Policy{
		Tenants:    policy.Tenants{Isolation: policy.IsolationSingle},
		Severities: map[string]policy.Severity{"parent-missing": parent},
		Tables: []policy.Table{{Name: "shop", Role: policy.Plain, Entities: []policy.Entity{
			{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{order:number}")},
			{Name: "item", Prefix: "ITEM", Sort: policy.Pattern("{order:number}#{item:number}"),
				Parent: "order"},
			{Name: "note", Prefix: "NOTE", Sort: policy.Pattern("{note:number}"), Parent: "order"},
			{Name: "session", Prefix: "USER", Tenant: policy.TenantCommon,
				Sort: policy.Pattern("temp#{session}"), Expires: "expiresAt"},
		}}},
	}
}

// TestParents covers children whose parent is, or is not, there.
func TestParents(t *testing.T) {
	order := it("pk", "ORDER#single", "sk", "ORDER#1")
	for _, c := range []struct {
		name     string
		severity policy.Severity
		stored   item.Item
		writes   []item.Item
		want     []string
	}{
		{"a child of a stored parent", policy.Enforce, order,
			[]item.Item{it("pk", "ITEM#single", "sk", "1#1")}, []string{}},
		{"a child of no parent", policy.Enforce, order,
			[]item.Item{it("pk", "ITEM#single", "sk", "2#1")}, []string{"parent-missing"}},
		{"a child of no parent, by default", policy.Default, order,
			[]item.Item{it("pk", "ITEM#single", "sk", "2#1")}, []string{}},
		{"a child together with its parent", policy.Enforce, "",
			[]item.Item{it("pk", "ITEM#single", "sk", "1#1"), order}, []string{}},
		{"a child that names its parent in an attribute", policy.Enforce, order,
			[]item.Item{it("pk", "NOTE#single", "sk", "7", "order", "1")}, []string{}},
		{"a child that names another parent in an attribute", policy.Enforce, order,
			[]item.Item{it("pk", "NOTE#single", "sk", "7", "order", "2")},
			[]string{"parent-missing"}},
		{"a child that names no parent", policy.Enforce, order,
			[]item.Item{it("pk", "NOTE#single", "sk", "7")}, []string{"parent-missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := compile(t, childrenPolicy(c.severity))
			key := policy.KeySchema{Partition: "pk", Sort: "sk"}
			lookup := func(_ string, k item.Item) item.Item {
				if c.stored != "" && key.KeyOf(c.stored) == k {
					return c.stored
				}
				return ""
			}
			commit := policy.Commit{Transaction: true, Lookup: lookup}
			for _, it := range c.writes {
				commit.Writes = append(commit.Writes, request.ImagedWrite{New: it,
					Write: &request.Write{Table: "shop", Kind: request.Put, Item: it}})
			}
			assert.Equal(t, c.want, ids(e.CheckWrites(&commit)))
			if len(c.writes) == 1 {
				assert.Equal(t, c.want, ids(e.CheckParent("shop", c.writes[0], lookup)))
			}
		})
	}
}

// TestExpiry covers items that are to expire (guide, pattern 3, temp#).
func TestExpiry(t *testing.T) {
	e := compile(t, childrenPolicy(policy.Default))
	session := []string{"pk", "USER#common", "sk", "temp#1"}
	update := func(src string) request.Write {
		return request.Write{Table: "shop", Kind: request.Update, Key: it(session...),
			Update: update(t, src)}
	}
	put := func(more ...string) request.Write {
		return request.Write{Table: "shop", Kind: request.Put,
			Item: it(append(append([]string{}, session...), more...)...)}
	}
	for _, c := range []struct {
		name  string
		write request.Write
		want  []string
	}{
		{"with its time", put("expiresAt", "=1700000000"), []string{}},
		{"without its time", put(), []string{"expiry-missing"}},
		{"with a text for its time", put("expiresAt", "tomorrow"), []string{"expiry-missing"}},
		{"moved on", update("SET expiresAt = :three"), []string{}},
		{"raised", update("ADD expiresAt :three"), []string{}},
		{"set to a text", update("SET expiresAt = :text"), []string{"expiry-missing"}},
		{"set to what is not seen", update("SET expiresAt = a"), []string{"expiry-missing"}},
		{"taken away", update("REMOVE expiresAt"), []string{"expiry-missing"}},
		{"an update that may make an item without its time", update("SET a = :text"),
			[]string{"expiry-missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := e.CheckRequest(&request.Request{Writes: []request.Write{c.write}}, nil)
			assert.Equal(t, c.want, ids(found))
			if c.write.Kind == request.Put {
				assert.Equal(t, c.want, ids(e.CheckItem("shop", c.write.Item, nil)))
			}
		})
	}
	amended := e.Amendments(&request.Request{Writes: []request.Write{update("SET a = :text")}})
	assert.Len(t, amended, 1, "the item must be there")
}

// TestSingleTenant covers keys of a policy with one tenant.
func TestSingleTenant(t *testing.T) {
	e := compile(t, childrenPolicy(policy.Default))
	for _, c := range []struct {
		name, pk string
		want     []string
	}{
		{"the one tenant", "ORDER#single", []string{}},
		{"what tenants share", "ORDER#common", []string{}},
		{"another tenant", "ORDER#tenant001", []string{"tenant-missing"}},
		{"no tenant", "ORDER", []string{"tenant-missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := e.CheckRequest(&request.Request{Caller: request.Caller{AccessKey: "any"},
				Writes: []request.Write{{Table: "shop", Kind: request.Put,
					Item: it("pk", c.pk, "sk", "ORDER#1")}}}, nil)
			assert.Equal(t, c.want, ids(found))
		})
	}
	assert.Len(t, e.CheckRequest(&request.Request{Writes: []request.Write{{Table: "other",
		Kind: request.Put, Item: it("pk", "ORDER#single", "sk", "1")}}}, nil), 1,
		"the policy declares no other table")
}
