package policy_test

import (
	"testing"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// blog returns the final table of "Designing a DynamoDB table": posts, comments and likes.
func blog() policy.Policy {
	at := policy.Pattern("{model_at}")
	return policy.Policy{Tables: []policy.Table{{
		Name: "blog", Role: policy.Plain, Key: policy.KeySchema{Partition: "PK", Sort: "SK_GSI1PK"},
		Tenant: policy.TenantNone, // the ids do not name a tenant
		Indexes: []policy.Index{
			{Name: "GSI1",
				Key: policy.KeySchema{Partition: "SK_GSI1PK",
					Sort: "GSI1SK_GSI2SK_GSI3SK"}, Entities: []policy.Entity{
					{Name: "posts", Prefix: "post", Tenant: policy.TenantNone, Sort: at},
					{Name: "reactions", Tenant: policy.TenantNone,
						Partition: policy.Pattern("{post}"),
						Sort:      at},
				}},
			{Name: "GSI2", Key: policy.KeySchema{Partition: "GSI2PK", Sort: "GSI1SK_GSI2SK_GSI3SK"},
				Tenant: policy.TenantNone},
			{Name: "GSI3", Key: policy.KeySchema{Partition: "GSI3PK", Sort: "GSI1SK_GSI2SK_GSI3SK"},
				Tenant: policy.TenantNone},
		},
	}}}
}

// TestTableDesign has the items and access patterns of the article, with its final table.
func TestTableDesign(t *testing.T) {
	e := compile(t, blog())
	putting := func(pairs ...string) request.Request {
		return request.Request{
			Writes: []request.Write{{Table: "blog", Kind: request.Put, Item: it(pairs...)}},
		}
	}
	reading := func(index string, terms ...expr.KeyTerm) request.Request {
		return request.Request{Reads: []request.Read{{Table: "blog", Index: index, Terms: terms}}}
	}
	for _, c := range []struct {
		name    string
		request request.Request
	}{
		{"a post",
			putting("PK", "77fcab6b", "SK_GSI1PK", "post", "GSI1SK_GSI2SK_GSI3SK",
				"Post_2021-12-03T10:06:57.650Z", "GSI2PK", "和田哲也", "GSI3PK", "データベース")},
		{"a comment",
			putting("PK", "81fcab6a", "SK_GSI1PK", "77fcab6b", "GSI1SK_GSI2SK_GSI3SK",
				"Comment_2021-12-03T10:11:44.137Z", "comment_author", "山田太郎")},
		{"a like",
			putting("PK", "6b9b9319", "SK_GSI1PK", "77fcab6b", "GSI1SK_GSI2SK_GSI3SK",
				"Like_2021-12-03T10:12:45.033Z", "like_author", "山田太郎")},
		{"posts, newest first", reading("GSI1", eq("SK_GSI1PK", "post"))},
		{"a post by its id",
			request.Request{
				Reads: []request.Read{
					{Table: "blog", Key: it("PK", "77fcab6b", "SK_GSI1PK", "post")},
				},
			}},
		{"a post's comments, oldest first",
			reading("GSI1", eq("SK_GSI1PK", "77fcab6b"),
				begins("GSI1SK_GSI2SK_GSI3SK", "Comment_"))},
		{"a post's likes",
			reading("GSI1", eq("SK_GSI1PK", "77fcab6b"), begins("GSI1SK_GSI2SK_GSI3SK", "Like_"))},
		{"a user's posts", reading("GSI2", eq("GSI2PK", "和田哲也"))},
		{"a genre's posts",
			reading("GSI3", eq("GSI3PK", "データベース"),
				expr.KeyTerm{Name: "GSI1SK_GSI2SK_GSI3SK", Op: "<",
					Value: item.String("Post_2022")})},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, f := range e.CheckRequest(&c.request, nil) {
				t.Error(f.Severity, f.Error())
			}
		})
	}
}
