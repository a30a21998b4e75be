package shop

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// The documents that the practices cite.
const (
	guide  = "Key design patterns"
	steps  = "Designing a DynamoDB table"
	latest = "Managing latest in DynamoDB"
)

// absent is the condition on the first write of a latest item.
const absent = "attribute_not_exists(documentVersion)"

// practice is a request that a document warns of, or the opposite of a request that it recommends.
type practice struct {
	document, section, name string

	// the recommended request, which the policy allows; nil if TestOrders sends it
	good   request
	before []request    // the requests before it
	avoid  request      // the request that the policy rejects
	rule   *policy.Rule // the rule that rejects it

	conflict bool   // the error is a failed condition: the client reads again and retries
	database string // the error of DynamoDB, if DynamoDB rejects it and not the policy
	caller   string // access key of the request; "" for that of tenant001
}

var practices = []practice{
	{document: guide, section: "Problems that these patterns solve",
		name:  "1: a tenant's items are found by reading everybody's",
		good:  query(dynamo.ByPartition("shop-data", "PRODUCT#tenant001")),
		avoid: scan("shop-data", "begins_with(pk, :a)", "PRODUCT#tenant001"),
		rule:  policy.RuleTenantScan},
	{document: guide, section: "Problems that these patterns solve",
		name:  "2: children in a partition of their own cannot be listed with their parent",
		good:  query(dynamo.ByPrefix("shop-data", "ORDER#tenant001", "ORDER_ITEM#"+novel+"#")),
		avoid: write("shop-data", item("ORDER_ITEM#tenant001", novel+"#001")),
		rule:  policy.RuleUndeclaredPrefix},
	{document: guide, section: "Problems that these patterns solve",
		name: "3: an id that does not sort by time",
		good: write("shop-data", item("PRODUCT#tenant001", novel)),
		avoid: write("shop-data",
			item("PRODUCT#tenant001", "9b2f1c9e-52a4-4d5f-8ff6-0d6a3a1c2b7e")),
		rule: policy.RuleULID},
	{document: guide, section: "Problems that these patterns solve",
		name: "4: of two updates from one version the later is lost",
		before: []request{write("shop-data", version(1, "PRODUCT#tenant001", novel)),
			write("shop-data", version(2, "PRODUCT#tenant001", novel, "price", "100"))},
		good:  write("shop-data", version(3, "PRODUCT#tenant001", novel, "price", "120")),
		avoid: write("shop-data", version(2, "PRODUCT#tenant001", novel, "price", "120")),
		rule:  policy.RuleVersionSequence, conflict: true},

	{document: guide, section: "Overview of the key structure",
		name:  "a segment that no pattern has",
		good:  write("shop-data", item("PRODUCT#tenant001", novel)),
		avoid: write("shop-data", item("PRODUCT#tenant001#books", novel)),
		rule:  policy.RuleSegments},
	{document: guide, section: "Overview of the key structure", name: "an empty segment",
		avoid: write("shop-data", item("ORDER#tenant001", "ORDER#")), rule: policy.RuleSegments},
	{document: guide, section: "Pattern 1: simple entities", name: "a sort key of more than the id",
		good:  write("shop-data", item("PRODUCT#tenant001", novel)),
		avoid: write("shop-data", item("PRODUCT#tenant001", novel+"#001")),
		rule:  policy.RuleSegments},
	{document: guide, section: "Pattern 2: hierarchical entities",
		name:  "an item without its number",
		good:  write("shop-data", item("ORDER#tenant001", "ORDER_ITEM#"+novel+"#001")),
		avoid: write("shop-data", item("ORDER#tenant001", "ORDER_ITEM#"+novel)),
		rule:  policy.RuleSegments},
	{document: guide, section: "Pattern 3: users with several providers",
		name:  "a provider that there is not",
		good:  write("users", item("USER#common", "sso#abc123def456")),
		avoid: write("users", item("USER#common", "saml#abc123def456")),
		rule:  policy.RuleUndeclaredPrefix},
	{document: guide, section: "Pattern 3: users with several providers",
		name:  "a temporary session that stays",
		good:  write("users", session("ttl")),
		avoid: write("users", session("until")),
		rule:  policy.RuleExpiryMissing},
	{document: guide, section: "Pattern 4: association of tenants",
		name:  "a tenant makes a user a member of another",
		good:  write("memberships", item("USER_TENANT#common", "tenant001#user123")),
		avoid: write("memberships", item("USER_TENANT#common", "tenant002#user123")),
		rule:  policy.RuleTenantCrossing},
	{document: guide, section: "Pattern 5: master data", name: "a setting without its code",
		good:  write("shop-data", item("MASTER#tenant001", "SETTING#notification#email_template")),
		avoid: write("shop-data", item("MASTER#tenant001", "SETTING#notification")),
		rule:  policy.RuleSegments},
	{document: guide, section: "Pattern 6: time series", name: "an event in another month",
		good:  write("shop-data", item("LOG#tenant001#2024-01", "2024-01-15T10:30:00Z#evt001")),
		avoid: write("shop-data", item("LOG#tenant001#2024-01", "2024-02-15T10:30:00Z#evt001")),
		rule:  policy.RuleValue},
	{document: guide, section: "Overview of the key structure", name: "the id of another item",
		good: write("shop-data",
			item("PRODUCT#tenant001", novel, "id", "PRODUCT#tenant001#"+novel)),
		avoid: write("shop-data",
			item("PRODUCT#tenant001", novel, "id", "PRODUCT#tenant001#"+cookery)),
		rule: policy.RuleID},
	{document: guide, section: "Version management",
		name: "data that names another version's command",
		good: write("shop-data",
			version(1, "PRODUCT#tenant001", novel, "cpk", "PRODUCT#tenant001", "csk", novel+"@1")),
		avoid: write("shop-data",
			version(1, "PRODUCT#tenant001", novel, "cpk", "PRODUCT#tenant001", "csk", novel+"@2")),
		rule: policy.RuleVersionCommand},
	{document: guide, section: "Pattern 6: time series", name: "a timestamp that does not sort",
		good:  write("shop-data", item("LOG#tenant001#2024-01", "2024-01-15T10:30:00Z#evt001")),
		avoid: write("shop-data", item("LOG#tenant001#2024-01", "Jan 15 2024#evt001")),
		rule:  policy.RuleValue},

	{document: guide, section: "Version management", name: "a command without a version",
		good:  write("shop-command", version(1, "ORDER#tenant001", "ORDER#"+novel+"@1")),
		avoid: write("shop-command", version(1, "ORDER#tenant001", "ORDER#"+novel)),
		rule:  policy.RuleVersionMissing},
	{document: guide, section: "Version management", name: "a command that follows none",
		before: []request{
			write("shop-command", version(1, "ORDER#tenant001", "ORDER#"+novel+"@1")),
		},
		good:  write("shop-command", version(2, "ORDER#tenant001", "ORDER#"+novel+"@2")),
		avoid: write("shop-command", version(3, "ORDER#tenant001", "ORDER#"+novel+"@3")),
		rule:  policy.RuleVersionSequence, conflict: true},
	{document: guide, section: "Version management",
		name:  "a sort key of one version with the attribute of another",
		avoid: write("shop-command", version(2, "ORDER#tenant001", "ORDER#"+novel+"@1")),
		rule:  policy.RuleVersionAttribute},
	{document: guide, section: "Version management",
		name:  "a new item with a later version than the first",
		good:  write("shop-data", version(0, "PRODUCT#tenant001", novel)),
		avoid: write("shop-data", version(3, "PRODUCT#tenant001", novel)),
		rule:  policy.RuleVersionFirst},
	{document: guide, section: "Version management",
		name:   "an update that leaves the version as it is",
		before: []request{write("shop-data", version(1, "PRODUCT#tenant001", novel))},
		good: update("shop-data", at("PRODUCT#tenant001", novel),
			"SET price = :a ADD version :one", "100"),
		avoid: update("shop-data", at("PRODUCT#tenant001", novel), "SET price = :a", "100"),
		rule:  policy.RuleVersionNotRaised},
	{document: guide, section: "Version management",
		name:   "an update under a condition on the version that leaves it",
		before: []request{write("shop-data", version(1, "PRODUCT#tenant001", novel))},
		good: updateAt(1, "shop-data", at("PRODUCT#tenant001", novel),
			"SET price = :a ADD version :one", "100"),
		avoid: updateAt(1, "shop-data", at("PRODUCT#tenant001", novel), "SET price = :a", "100"),
		rule:  policy.RuleVersionNotRaised},
	{document: guide, section: "Problems that these patterns solve",
		name:   "4: an item is deleted that somebody has changed since it was read",
		before: []request{write("shop-data", version(1, "PRODUCT#tenant001", novel))},
		good:   removeAt(1, "shop-data", at("PRODUCT#tenant001", novel)),
		avoid:  remove("shop-data", at("PRODUCT#tenant001", novel)),
		rule:   policy.RuleVersionDeleted},
	{document: guide, section: "Version management", name: "history that expires",
		avoid: expire("shop-history"), rule: policy.RuleExpiry, caller: "AKIDOPERATIONS"},
	{document: guide, section: "Version management", name: "history that is deleted",
		before: []request{
			write("shop-history", version(1, "ORDER#tenant001", "ORDER#"+novel+"@1")),
		},
		good:  read("shop-history", at("ORDER#tenant001", "ORDER#"+novel+"@1")),
		avoid: remove("shop-history", at("ORDER#tenant001", "ORDER#"+novel+"@1")),
		rule:  policy.RuleHistory},

	{document: guide, section: "Query patterns, Query by PK", name: "another tenant's partition",
		good:  query(dynamo.ByPartition("shop-data", "PRODUCT#tenant001")),
		avoid: query(dynamo.ByPartition("shop-data", "PRODUCT#tenant002")),
		rule:  policy.RuleTenantCrossing},
	{document: guide, section: "Query patterns, Query by SK prefix",
		name:  "a prefix of several entities",
		good:  query(dynamo.ByPrefix("shop-data", "ORDER#tenant001", "ORDER#")),
		avoid: query(dynamo.ByPrefix("shop-data", "ORDER#tenant001", "ORDER")),
		rule:  policy.RuleMixedRead},
	{document: guide, section: "Query patterns, Query by SK range",
		name: "a range in another tenant's partition",
		good: query(
			dynamo.ByRange("shop-data", "LOG#tenant001#2024-01", "2024-01-15", "2024-01-16")),
		avoid: query(
			dynamo.ByRange("shop-data", "LOG#tenant002#2024-01", "2024-01-15", "2024-01-16")),
		rule: policy.RuleTenantCrossing},

	{document: guide, section: "Best practices 1, Use consistent prefixes",
		name:  "a prefix typed by hand",
		good:  write("shop-data", item("PRODUCT#tenant001", novel)),
		avoid: write("shop-data", item("PRODUCTS#tenant001", novel)),
		rule:  policy.RuleUndeclaredPrefix},
	{document: guide, section: "Best practices 2, Use ULIDs for sortable ids",
		name:  "an id of another kind",
		good:  write("shop-data", item("ORDER#tenant001", "ORDER#"+novel)),
		avoid: write("shop-data", item("ORDER#tenant001", "ORDER#1")), rule: policy.RuleULID},
	{document: guide, section: "Best practices 3, Design for query patterns",
		name: "the items of a product are filtered from all orders",
		good: query(
			dynamo.ByPartition("shop-data", "PRODUCT_ORDER#tenant001#"+novel).Index("by-product",
				"gsi1pk", "gsi1sk")),
		avoid: scan("shop-data", "product = :a", novel), rule: policy.RuleTenantScan},
	{document: guide, section: "Best practices 3, Design for query patterns",
		name: "an index without the tenant",
		good: write("shop-data",
			item("ORDER#tenant001", "ORDER_ITEM#"+novel+"#001", "gsi1pk",
				"PRODUCT_ORDER#tenant001#"+cookery, "gsi1sk", novel+"#001")),
		avoid: write("shop-data",
			item("ORDER#tenant001", "ORDER_ITEM#"+novel+"#001", "gsi1pk", "PRODUCT_ORDER#"+cookery,
				"gsi1sk", novel+"#001")), rule: policy.RuleTenantMissing},
	{document: guide,
		section: "Best practices 4, Keep the cardinality of partition keys manageable",
		name:    "a partition for each user",
		before: []request{activity("user121", "10:30"), activity("user122", "10:30"),
			activity("user123", "10:30")},
		good:  activity("user123", "10:31"),
		avoid: activity("user124", "10:30"), rule: policy.RuleUnbounded},
	{document: guide, section: "Best practices 5, Include the tenant in the partition key",
		name:  "no tenant",
		good:  write("shop-data", item("PRODUCT#tenant001", novel)),
		avoid: write("shop-data", item("PRODUCT", novel)), rule: policy.RuleTenantMissing},
	{document: guide, section: "Best practices 5, Include the tenant in the partition key",
		name:  "the tenant in the sort key",
		good:  write("shop-data", item("PRODUCT#tenant001", novel)),
		avoid: write("shop-data", item("PRODUCT", "tenant001#"+novel)),
		rule:  policy.RuleTenantInSortKey},
	{document: guide, section: "Best practices 5, Include the tenant in the partition key",
		name:  "a caller of no tenant",
		avoid: read("shop-data", at("PRODUCT#tenant001", novel)), rule: policy.RuleTenantCaller,
		caller: "AKIDSTRANGER"},
	{document: guide, section: "When to use this guide, Multi-tenant isolation",
		name:  "a table of which nobody has said whose items it holds",
		good:  read("memberships", at("USER_TENANT#common", "tenant001#user123")),
		avoid: read("notes", at("NOTE#tenant001", novel)), rule: policy.RuleTenantUndeclared},
	{document: guide, section: "When to use this guide, Multi-tenant isolation",
		name:  "a tenant that reads who is of another one",
		good:  query(dynamo.ByPrefix("memberships", "USER_TENANT#common", "tenant001#")),
		avoid: query(dynamo.ByPartition("memberships", "USER_TENANT#common")),
		rule:  policy.RuleTenantCrossing},
	{document: guide, section: "When to use this guide, Multi-tenant isolation",
		name:  "a tenant that deletes everybody's table",
		avoid: deleteTable("notes"), rule: policy.RuleTenantOperation},
	{document: guide, section: "Best practices 6, Use the common tenant for shared data",
		name:  "a user in a tenant",
		good:  write("users", item("USER#common", "sso#userId")),
		avoid: write("users", item("USER#tenant001", "sso#userId")), rule: policy.RuleTenantCommon},
	{document: guide, section: "Version management", name: "an e-mail address as a user's id",
		good:  write("users", item("USER#common", "local#bob%40example.com")),
		avoid: write("users", item("USER#common", "local#bob@example.com")),
		rule:  policy.RuleAtSign},
	{document: guide, section: "Best practices 6, Use the common tenant for shared data",
		name:  "an association in a tenant",
		good:  write("memberships", item("USER_TENANT#common", "tenant001#userId")),
		avoid: write("memberships", item("USER_TENANT#tenant001", "tenant001#userId")),
		rule:  policy.RuleTenantCommon},
	{document: guide, section: "Best practices 6, Use the common tenant for shared data",
		name:  "a tenant that changes a setting of all",
		good:  read("shop-data", at("MASTER#common", "SETTING#notification#email_template")),
		avoid: write("shop-data", item("MASTER#common", "SETTING#notification#email_template")),
		rule:  policy.RuleTenantShared},

	{document: guide, section: "Anti-patterns 1, Overloading keys with information",
		name: "what items are filtered by",
		good: write("shop-data",
			item("ORDER#tenant001", "ORDER#"+novel, "date", "2024-01-15", "category", "electronics",
				"priority", "high")),
		avoid: write("shop-data",
			item("ORDER#tenant001", "ORDER#2024-01-15#electronics#high-priority#"+novel)),
		rule: policy.RuleOverloaded},
	{document: guide, section: "Anti-patterns 2, Mutable data in keys", name: "the status",
		good:  write("shop-data", item("ORDER#tenant001", "ORDER#"+novel, "status", "pending")),
		avoid: write("shop-data", item("ORDER#tenant001", "ORDER#pending#"+novel)),
		rule:  policy.RuleMutable},
	{document: guide, section: "Anti-patterns 3, Inconsistent separators", name: "three of them",
		good:  write("shop-data", item("ORDER#tenant001", "ORDER_ITEM#"+novel+"#001")),
		avoid: write("shop-data", item("ORDER#tenant001", "ORDER-"+novel+"_item:001")),
		rule:  policy.RuleSeparator},
	{document: guide, section: "Anti-patterns 4, Version suffix in data operations",
		name:  "reading a version from the data table",
		good:  read("shop-data", at("PRODUCT#tenant001", novel)),
		avoid: read("shop-data", at("PRODUCT#tenant001", novel+"@3")),
		rule:  policy.RuleVersionInDataKey},
	{document: guide, section: "Anti-patterns 4, Version suffix in data operations",
		name:  "writing a version to the data table",
		good:  write("shop-data", item("PRODUCT#tenant001", novel)),
		avoid: write("shop-data", item("PRODUCT#tenant001", novel+"@3")),
		rule:  policy.RuleVersionInDataKey},

	{document: steps, section: "Listing access patterns",
		name:  "an access pattern that has no query",
		good:  query(dynamo.ByPrefix("memberships", "USER_TENANT#common", "tenant001#")),
		avoid: scan("users", "", ""), rule: policy.RuleScan},
	{document: steps, section: "The number of tables, capacity for queries",
		name:  "items are selected by three attributes of which none is a key",
		avoid: scan("users", "country = :a AND city = :a AND tongue = :a", "x"),
		rule:  policy.RuleScan},
	{document: steps, section: "Deciding each model's primary key",
		name:   "two items with the same primary key",
		before: []request{write("shop-data", version(1, "PRODUCT#tenant001", novel))},
		good:   write("shop-data", version(1, "PRODUCT#tenant001", cookery)),
		avoid:  write("shop-data", version(1, "PRODUCT#tenant001", novel, "title", "another")),
		rule:   policy.RuleVersionSequence, conflict: true},
	{document: steps, section: "Deciding each model's primary key",
		name:  "a partition key that no access pattern has",
		good:  write("shop-data", item("ORDER#tenant001", "ORDER_ITEM#"+novel+"#001")),
		avoid: write("shop-data", item(cookery, "ORDER_ITEM#"+novel+"#001")),
		rule:  policy.RuleUndeclaredPrefix},
	{document: steps, section: "Deciding each model's primary key",
		name:   "data that are not spread over partitions",
		before: hundredIn("all"),
		good:   write("documents-by-date", at("77fcab6b", "2021-12-03T10:06:57.650Z")),
		avoid:  write("documents-by-date", at("all", "2021-12-03T10:06:57.650Z")),
		rule:   policy.RuleFixedPartition},
	{document: steps, section: "Secondary indexes for the other access patterns",
		name: "a key of an index that no access pattern has",
		good: query(
			dynamo.ByPrefix("blog", "77fcab6b", "Comment_").Index("by-post", "SK_GSI1PK",
				"GSI1SK_GSI2SK_GSI3SK")),
		avoid: query(
			dynamo.ByPartition("shop-data", "GENRE#tenant001#books").Index("by-product", "gsi1pk",
				"gsi1sk")), rule: policy.RuleUndeclaredPrefix},
	{document: steps, section: "Merging several models into one table, 1",
		name:     "a model that calls its key otherwise",
		good:     write("blog", post),
		avoid:    write("blog", pairs("id", "81fcab6a", "post_id", "77fcab6b")),
		database: "One or more parameter values were invalid: Missing the key PK in the item"},
	{document: steps, section: "Merging several models into one table, 2 (a)",
		name: "comments among the likes of a post",
		good: write("blog",
			pairs("PK", "81fcab6a", "SK_GSI1PK", "77fcab6b", "GSI1SK_GSI2SK_GSI3SK",
				"Comment_2021-12-03T10:11:44.137Z", "comment_author", "山田太郎")),
		avoid: write("blog",
			pairs("PK", "81fcab6a", "SK_GSI1PK", "77fcab6b", "GSI1SK_GSI2SK_GSI3SK",
				"2021-12-03T10:11:44.137Z")), rule: policy.RuleUndeclaredPrefix},
	{document: steps, section: "Merging several models into one table, 2 (b)",
		name: "likes among the comments of a post",
		good: write("blog",
			pairs("PK", "6b9b9319", "SK_GSI1PK", "77fcab6b", "GSI1SK_GSI2SK_GSI3SK",
				"Like_2021-12-03T10:12:45.033Z", "like_author", "山田太郎")),
		avoid: write("blog",
			pairs("PK", "6b9b9319", "SK_GSI1PK", "77fcab6b", "GSI1SK_GSI2SK_GSI3SK",
				"2021-12-03T10:12:45.033Z")), rule: policy.RuleUndeclaredPrefix},
	{document: steps, section: "Merging several models into one table, 2 (c)",
		name: "comments among the posts of an author",
		good: write("blog", post),
		avoid: write(
			"blog", pairs("PK", "81fcab6a", "SK_GSI1PK", "77fcab6b", "GSI1SK_GSI2SK_GSI3SK",
				"Comment_2021-12-03T10:11:44.137Z",
				"GSI2PK", "山田太郎")), rule: policy.RuleUndeclaredPrefix},
	{document: steps, section: "Merging several models into one table, 2",
		name: "the comments and the likes of a post in one query",
		good: query(
			dynamo.ByPrefix("blog", "77fcab6b", "Like_").Index("by-post", "SK_GSI1PK",
				"GSI1SK_GSI2SK_GSI3SK")),
		avoid: query(
			dynamo.ByPartition("blog", "77fcab6b").Index("by-post", "SK_GSI1PK",
				"GSI1SK_GSI2SK_GSI3SK")), rule: policy.RuleMixedRead},
	{document: steps, section: "Merging several models into one table, 2",
		name:  "the whole partition of several models",
		good:  query(dynamo.ByPartition("shop-data", "PRODUCT#tenant001")),
		avoid: query(dynamo.ByPartition("shop-data", "ORDER#tenant001")),
		rule:  policy.RuleMixedRead},
	{document: steps, section: "Secondary indexes for the other access patterns",
		name: "what is no post among the posts of a genre",
		good: query(
			dynamo.ByPartition("blog", "データベース").Index("by-genre", "GSI3PK",
				"GSI1SK_GSI2SK_GSI3SK")),
		avoid: write(
			"blog", pairs("PK", "81fcab6a", "SK_GSI1PK", "77fcab6b", "GSI1SK_GSI2SK_GSI3SK",
				"Comment_2021-12-03T10:11:44.137Z",
				"GSI3PK", "データベース")), rule: policy.RuleUndeclaredPrefix},
	{document: steps, section: "Merging several models into one table, 2",
		name:  "a query that several models answer",
		good:  query(dynamo.ByPrefix("shop-data", "ORDER#tenant001", "ORDER_ITEM#")),
		avoid: query(dynamo.ByPrefix("shop-data", "ORDER#tenant001", "ORDER")),
		rule:  policy.RuleMixedRead},

	{document: latest, section: "The solution", name: "a version without the latest item",
		good:  publish("v1", "text"),
		avoid: write("documents", document("v1", "text")), rule: policy.RuleLatestMissing},
	{document: latest, section: "The solution", name: "a latest item with other content",
		avoid: publishAs(document("v1", "text"), pointer("v1", "another text"), absent),
		rule:  policy.RuleLatestContent},
	{document: latest, section: "The solution", name: "no latest item any more",
		before: []request{publish("v1", "text")},
		avoid:  remove("documents", attributes{"documentVersion": text("latest")}),
		rule:   policy.RuleLatestMissing},
	{document: latest, section: "Implementation, Creating a new document version",
		name:   "the version in one request and the latest item in the next",
		before: []request{publish("v1", "text")},
		avoid:  write("documents", document("v2", "text")), rule: policy.RuleLatestMissing},
	{document: latest, section: "Implementation, Creating a new document version",
		name:  "a batch, which is no transaction",
		avoid: batch("documents", document("v1", "text"), pointer("v1", "text")),
		rule:  policy.RuleLatestMissing},
	{document: latest, section: "Points, consistency",
		name:  "the latest item is written without a condition",
		good:  publish("v1", "text"),
		avoid: publishAs(document("v1", "text"), pointer("v1", "text"), ""),
		rule:  policy.RuleLatestCondition},
	{document: latest, section: "Points, consistency",
		name:   "the latest item is written under a condition that is true of any",
		before: []request{publish("v1", "text"), publish("v2", "text")},
		good:   publish("v3", "text"),
		avoid: publishAs(document("v3", "text"), pointer("v3", "text"),
			"attribute_exists(documentVersion)"), rule: policy.RuleLatestCondition},
	{document: latest, section: "The challenge", name: "a version is written again",
		before: []request{publish("v1", "text")},
		good:   publish("v2", "another text"),
		avoid: publishAs(document("v1", "another text"), pointer("v1", "another text"),
			"actualVersion = :v1"), rule: policy.RuleLatestRewritten},
	{document: latest, section: "The solution", name: "the newest version is deleted",
		before: []request{publish("v1", "text"), publish("v2", "text")},
		good:   remove("documents", attributes{"documentVersion": text("v1")}),
		avoid:  remove("documents", attributes{"documentVersion": text("v2")}),
		rule:   policy.RuleLatestVersion},
	{document: latest, section: "Points, actualVersion",
		name:  "a latest item that does not say of which version it is",
		avoid: publishAs(document("v1", "text"), document("latest", "text"), absent),
		rule:  policy.RuleLatestVersion},
	{document: latest, section: "Points, actualVersion",
		name:  "a latest item of a version that there is not",
		avoid: publishAs(document("v1", "text"), pointer("v7", "text"), absent),
		rule:  policy.RuleLatestVersion},
	{document: latest, section: "The bad solution", name: "a fixed partition key, and createdAt",
		before: hundredIn("DOCUMENT"),
		good:   publish("v1", "text"),
		avoid:  write("documents-by-date", at("DOCUMENT", "2024-01-15T10:30:00Z")),
		rule:   policy.RuleFixedPartition},
}

// session is a temporary session with the second of its end in an attribute.
func session(end string) attributes {
	it := item("USER#common", "temp#session456")
	it[end] = integer(1705314600)
	return it
}

// TestPractices sends the requests that the documents warn of and those that they recommend.
func TestPractices(t *testing.T) {
	for _, p := range practices {
		t.Run(p.document+"/"+p.section+"/"+p.name, func(t *testing.T) {
			t.Parallel()
			server := emulatortest.Fork(t, seed())
			client := clientOf(server, "tenant001")
			for _, r := range p.before {
				require.NoError(t, r(t.Context(), client))
			}
			if p.good != nil {
				p.allows(t, server.Fork(t))
			}
			p.refuses(t, server)
		})
	}
}

// TestKeysOfTables: tables have the keys that the policy declares (Designing a DynamoDB table,
// Merging several models into one table, 1).
func TestKeysOfTables(t *testing.T) {
	for _, c := range []struct {
		name, table string
		key         itemKey
		refused     bool
	}{
		{"the guide's names of keys", usersTable, itemKey{"pk", "sk"}, false},
		{"other names", usersTable, itemKey{"PK", "SK"}, true},
		{"a sort key that nothing needs", terms.Name, itemKey{"documentVersion", "createdAt"},
			true},
	} {
		t.Run(c.name, func(t *testing.T) {
			engine, err := policyfile.CompileFile("policy.yaml")
			require.NoError(t, err)
			client := emulatortest.NewClient(emulator.New(emulator.WithPolicy(engine)),
				emulatortest.WithAccessKey("AKIDOPERATIONS"))
			_, err = client.CreateTable(t.Context(), table(c.table, c.key, nil))
			if !c.refused {
				require.NoError(t, err)
				return
			}
			_, message := reasonOf(t, err)
			assert.Regexp(t, "^key-schema: .+; instead, .+", message)
		})
	}
}

func (p *practice) allows(t *testing.T, server *emulatortest.Server) {
	require.NoError(t, p.good(t.Context(), clientOf(server, "tenant001")))
	assert.Empty(t, server.Emulator.Findings())
}

func (p *practice) refuses(t *testing.T, server *emulatortest.Server) {
	client := clientOf(server, "tenant001")
	if p.caller != "" {
		client = emulatortest.NewClient(server.Emulator, emulatortest.WithAccessKey(p.caller))
	}
	before := everything(t, server)
	code, message := reasonOf(t, p.avoid(t.Context(), client))
	assert.Equal(t, before, everything(t, server), "what is refused changes nothing")
	switch {
	case p.database != "":
		assert.Equal(t, []string{"ValidationException", p.database}, []string{code, message})
		assert.Empty(t, server.Emulator.Findings())
		return
	case p.conflict:
		assert.Regexp(t, "^ConditionalCheckFailed", code)
		assert.Contains(t, message, "The conditional request failed: "+p.rule.ID+": ")
	default:
		assert.Contains(t, []string{"ValidationException", "ValidationError"}, code)
		assert.Regexp(t, "^"+p.rule.ID+": .+; instead, .+", message)
	}
	var found []string
	for _, f := range server.Emulator.Findings() {
		found = append(found, f.Rule+" "+f.Severity)
	}
	assert.Contains(t, found, p.rule.ID+" enforce")
}

// reasonOf returns the error of a request, or the reason of the one action that cancelled its
// transaction.
func reasonOf(t *testing.T, err error) (code, message string) {
	var answer smithy.APIError
	require.ErrorAs(t, err, &answer)
	code, message = answer.ErrorCode(), answer.ErrorMessage()
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return code, message
	}
	for _, r := range cancelled.CancellationReasons {
		if *r.Code != "None" {
			code, message = *r.Code, aws.ToString(r.Message)
		}
	}
	return code, message
}

// everything returns the content of all tables.
func everything(t *testing.T, server *emulatortest.Server) string {
	var all strings.Builder
	for _, name := range []string{dataTable, commandTable, historyTable, terms.Name} {
		all.WriteString("=== " + name + "\n" + server.Dump(t, name))
	}
	for _, in := range practiceTables {
		all.WriteString("=== " + *in.TableName + "\n" + server.Dump(t, *in.TableName))
	}
	return all.String()
}
