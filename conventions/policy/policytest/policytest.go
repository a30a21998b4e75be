// Package policytest has the policy that tests of policies share: the tables and entities that a
// rule can be broken in. A test that needs another policy changes a copy of it, and says why, or
// writes out a small one of its own.
package policytest

import "github.com/kugiri-db/kugiri/conventions/policy"

// Shop returns a policy with a table of each role: the patterns of the guide "Key design patterns",
// and the documents of "Managing latest in DynamoDB". Each change is applied to every entity. The
// caller may change what is returned.
func Shop(changes ...func(*policy.Entity)) policy.Policy {
	p := policy.Policy{Tenants: tenants(), Tables: tables()}
	for _, t := range p.Tables {
		for i := range t.Entities {
			for _, change := range changes {
				change(&t.Entities[i])
			}
		}
	}
	return p
}

// Orders returns a small policy, whose orders have ids of any kind: a test can write "ORDER#1" into
// long requests, and each tenant may have one partition key.
func Orders() policy.Policy {
	orders := []policy.Entity{{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{id}"),
		MaxPartitions: 1}}
	return policy.Policy{Tenants: tenants(), Tables: []policy.Table{
		{Name: "data", Role: policy.Data, Entities: orders},
		{Name: "command", Role: policy.Command, Entities: orders},
		{Name: "documents", Role: policy.Plain, Tenant: policy.TenantNone,
			Key: policy.KeySchema{Partition: "id"}, Latest: &policy.Latest{}},
		{Name: "other", Open: true},
	}}
}

// tenants returns the callers of both policies: AK1 of tenant001, AK2 of tenant002, and ADMIN,
// which is privileged.
func tenants() policy.Tenants {
	return policy.Tenants{
		Callers:    map[string]string{"AK1": "tenant001", "AK2": "tenant002", "ADMIN": "admin"},
		Header:     "x-tenant",
		Privileged: []string{"admin"},
		Known:      []string{"tenant001", "tenant002"},
	}
}

// tables returns a table of each role, tables whose keys name no tenant, and an open one.
func tables() []policy.Table {
	return []policy.Table{
		{Name: "data", Entities: append(entities(), session),
			Indexes: []policy.Index{byCategory()}},
		{Name: "command*", Role: policy.Command, Entities: entities()},
		{Name: "history", Role: policy.History, Entities: entities()},
		{Name: "documents", Role: policy.Plain, Tenant: policy.TenantNone,
			Key: policy.KeySchema{Partition: "documentVersion"}, Latest: &policy.Latest{}},
		{Name: "drafts", Role: policy.Plain, Latest: &policy.Latest{Content: []string{"content"}},
			Entities: []policy.Entity{{Name: "draft", Prefix: "DRAFT",
				Sort: policy.Pattern("{document:ulid}#{version:number}")}}},
		{Name: "states", Role: policy.Plain, Entities: states()},
		{Name: "events", Role: policy.Plain, Tenant: policy.TenantNone},
		{Name: "loose", Indexes: []policy.Index{{Name: "open", Tenant: policy.TenantNone,
			Key: policy.KeySchema{Partition: "type"}, Open: true}}},
		{Name: "shared", Tenant: policy.TenantNone},
		{Name: "free", Open: true},
	}
}

// entities returns the patterns of the guide.
func entities() []policy.Entity {
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
			Partition: policy.Pattern("{user}"), Sort: policy.Pattern("{at:timestamp}"),
			MaxPartitions: 2},
		{Name: "document", Prefix: "DOCUMENT", Tenant: policy.TenantNone,
			Sort: policy.Pattern("{createdAt:timestamp}")},
		{Name: "legacy-product", Prefix: "LEGACY", Tenant: policy.TenantNone,
			Partition: policy.Pattern("{kind}"), Sort: policy.Pattern("{tenant:tenant}#{id}")},
	}
}

// session is an entity that only data tables may have: commands and history never expire.
var session = policy.Entity{Name: "session", Prefix: "SESSION", Sort: policy.Pattern("{session}"),
	Expires: "expiresAt"}

// states returns entities whose keys have states, dates and numbers.
func states() []policy.Entity {
	return []policy.Entity{
		{Name: "by-state", Prefix: "ORDER", Sort: policy.Pattern("{status:status}#{order:ulid}")},
		{Name: "day", Prefix: "DAY", Partition: policy.Pattern("{day:date}"),
			Sort: policy.Pattern("{at:timestamp}")},
		{Name: "post", Prefix: "BLOG", Sort: policy.Pattern("Post_{created:timestamp}")},
		{Name: "comment", Prefix: "BLOG", Sort: policy.Pattern("Comment_{created:timestamp}")},
		{Name: "item", Prefix: "ITEM", Sort: policy.Pattern("{item:number}"),
			Mutable: []string{"quantity"}},
	}
}

// byCategory returns the index of data.
func byCategory() policy.Index {
	return policy.Index{Name: "by-category",
		Key: policy.KeySchema{Partition: "gsi1pk", Sort: "gsi1sk"},
		Entities: []policy.Entity{{Name: "category", Prefix: "CATEGORY",
			Partition: policy.Pattern("{category}"), Sort: policy.Pattern("{id:ulid}")}},
	}
}
