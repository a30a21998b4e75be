package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

const (
	ulid1 = "01HX7MBJK3V9WQBZ7XNDK5ZT2M"
	ulid2 = "01HX7MBJK3V9WQBZ7XNDK5ZT2N"
)

// guideEntities are the six patterns of the guide.
func guideEntities() []policy.Entity {
	return []policy.Entity{
		{Name: "product", Prefix: "PRODUCT", Sort: policy.Pattern("{id:ulid}"),
			Mutable: []string{"price"}},
		{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{order:ulid}"),
			Mutable: []string{"status"}},
		{Name: "order-item", Prefix: "ORDER",
			Sort: policy.Pattern("ORDER_ITEM#{order:ulid}#{item}"), Mutable: []string{"stage"}},
		{Name: "user", Prefix: "USER", Tenant: policy.TenantCommon,
			Sort: policy.Pattern("{provider:local|sso|oauth|temp|profile}#{user}"), Writable: true},
		{Name: "user-tenant", Prefix: "USER_TENANT", Tenant: policy.TenantCommon,
			Sort: policy.Pattern("{tenant:tenant}#{user}")},
		{Name: "master", Prefix: "MASTER",
			Sort: policy.Pattern("{type:SETTING|DATA|COPY}#{category}#{code}")},
		{Name: "log", Prefix: "LOG", Partition: policy.Pattern("{month:month}"),
			Sort: policy.Pattern("{at:timestamp}#{event}")},
		{Name: "activity", Prefix: "USER_ACTIVITY", Tenant: policy.TenantNone,
			Partition: policy.Pattern("{user}"),
			Sort:      policy.Pattern("{at:timestamp}"), MaxPartitions: 2},
		{Name: "document", Prefix: "DOCUMENT", Tenant: policy.TenantNone,
			Sort: policy.Pattern("{createdAt:timestamp}")},
		{Name: "legacy-product", Prefix: "LEGACY", Tenant: policy.TenantNone,
			Partition: policy.Pattern("{kind}"), Sort: policy.Pattern("{tenant:tenant}#{id}")},
	}
}

// guidePolicy has a table of each role, as the guide and the article on latest have them.
func guidePolicy() policy.Policy {
	byCategory := policy.Index{Name: "by-category",
		Key: policy.KeySchema{Partition: "gsi1pk", Sort: "gsi1sk"},
		Entities: []policy.Entity{
			{Name: "category", Prefix: "CATEGORY", Partition: policy.Pattern("{category}"),
				Sort: policy.Pattern("{id:ulid}")},
		}}
	return policy.Policy{
		Tenants: policy.Tenants{
			Callers:    map[string]string{"AK1": "tenant001", "AK2": "tenant002", "ADMIN": "admin"},
			Header:     "x-tenant",
			Privileged: []string{"admin"},
			Known:      []string{"tenant001", "tenant002"},
		},
		Tables: []policy.Table{
			{Name: "data", Entities: guideEntities(), Indexes: []policy.Index{byCategory}},
			{Name: "command-*", Role: policy.Command, Entities: guideEntities()},
			{Name: "history", Role: policy.History, Entities: guideEntities()},
			{Name: "documents", Role: policy.Plain, Tenant: policy.TenantNone,
				Key: policy.KeySchema{Partition: "documentVersion"}, Latest: &policy.Latest{}},
			{Name: "drafts", Role: policy.Plain,
				Latest: &policy.Latest{Content: []string{"content"}}, Entities: []policy.Entity{
					{Name: "draft", Prefix: "DRAFT",
						Sort: policy.Pattern("{document:ulid}#{version:number}")}}},
			{Name: "states", Role: policy.Plain, Entities: []policy.Entity{
				{Name: "by-state", Prefix: "ORDER",
					Sort: policy.Pattern("{status:status}#{order:ulid}")},
				{Name: "day", Prefix: "DAY", Partition: policy.Pattern("{day:date}"),
					Sort: policy.Pattern("{at:timestamp}")},
				{Name: "post", Prefix: "BLOG", Sort: policy.Pattern("Post_{created:timestamp}")},
				{Name: "comment", Prefix: "BLOG",
					Sort: policy.Pattern("Comment_{created:timestamp}")},
				{Name: "item", Prefix: "ITEM", Sort: policy.Pattern("{item:number}"),
					Mutable: []string{"quantity"}},
			}},
			{Name: "events", Role: policy.Plain, Tenant: policy.TenantNone},
			{Name: "loose",
				Indexes: []policy.Index{
					{Name: "open", Key: policy.KeySchema{Partition: "type"},
						Tenant: policy.TenantNone, Open: true},
				}},
		},
	}
}

func compile(t testing.TB, p policy.Policy) *policy.Engine {
	t.Helper()
	e, err := policy.Compile(p)
	require.NoError(t, err)
	return e
}

var (
	tenant1 = request.Caller{AccessKey: "AK1"}
	admin   = request.Caller{AccessKey: "ADMIN"}
)

// it makes an item of strings, given as name, value, name, value; a value that begins with "=" is a
// number.
func it(pairs ...string) item.Item {
	var attributes []item.Attribute
	for i := 0; i < len(pairs); i += 2 {
		v := item.String(pairs[i+1])
		if len(pairs[i+1]) > 1 && pairs[i+1][0] == '=' {
			v = item.Value(`{"N":"` + pairs[i+1][1:] + `"}`)
		}
		attributes = append(attributes, item.Attribute{Name: pairs[i], Value: v})
	}
	return item.New(attributes...)
}

func key(pk, sk string) item.Item { return it("pk", pk, "sk", sk) }

// values of expressions, :one to :five and :text.
func scope(t testing.TB) *expr.Scope {
	t.Helper()
	s, err := expr.NewScope(
		[]expr.Name{{Placeholder: "#v", Attribute: "version"},
			{Placeholder: "#s", Attribute: "status"}}, it(
			":zero", "=0", ":one", "=1", ":two", "=2", ":three", "=3", ":four", "=4", ":five", "=5",
			":text", "text"))
	require.NoError(t, err)
	return s
}

func condition(t testing.TB, src string) *expr.Condition {
	t.Helper()
	c, err := scope(t).Condition(expr.KindCondition, src)
	require.NoError(t, err)
	return c
}

func update(t testing.TB, src string) *expr.Update {
	t.Helper()
	u, err := scope(t).Update(src)
	require.NoError(t, err)
	return u
}

// ids are the rules of findings, in order.
func ids(findings []policy.Finding) []string {
	list := []string{}
	for _, f := range findings {
		list = append(list, f.Rule.ID)
	}
	return list
}
