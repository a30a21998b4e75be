package emulator_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
)

// ruleCase is a request that breaks one rule, after others that break none.
type ruleCase struct {
	name   string
	rule   *policy.Rule
	before []policyCall
	call   policyCall
	caller string // its access key; "": tenant001's
}

var ruleCases = []ruleCase{
	{name: "a prefix that is not declared", rule: policy.RuleUndeclaredPrefix,
		call: puts("data", itemOf("INVOICE#tenant001", ulidA, "version", "=0"))},
	{name: "mixed separators", rule: policy.RuleSeparator,
		call: puts("data", itemOf("ORDER#tenant001", "ORDER-"+ulidA+"_item:001", "version", "=0"))},
	{name: "a segment too many", rule: policy.RuleSegments,
		call: puts("data", itemOf("PRODUCT#tenant001", ulidA+"#more", "version", "=0"))},
	{name: "an overloaded key", rule: policy.RuleOverloaded,
		call: puts("data",
			itemOf("ORDER#tenant001", "ORDER#2024-01-15#electronics#high-priority#"+ulidA,
				"version", "=0"))},
	{name: "a status in a key", rule: policy.RuleMutable,
		call: puts("data", itemOf("ORDER#tenant001", "ORDER#pending#"+ulidA, "version", "=0"))},
	{name: "an id that is no ULID", rule: policy.RuleULID,
		call: puts("data", itemOf("PRODUCT#tenant001", "42", "version", "=0"))},
	{name: "a segment of another type", rule: policy.RuleValue,
		call: puts("data",
			itemOf("LOG#tenant001#January", "2024-01-15T10:30:00Z#evt001", "version", "=0"))},
	{name: "an address in a key", rule: policy.RuleAtSign,
		call: puts("data", itemOf("USER#common", "sso#bob@example.com", "version", "=0"))},
	{name: "too many partition keys", rule: policy.RuleUnbounded, before: []policyCall{
		puts("data", itemOf("USER_ACTIVITY#user1", "2024-01-15T10:30:00Z", "version", "=0")),
		puts("data", itemOf("USER_ACTIVITY#user2", "2024-01-15T10:30:00Z", "version", "=0"))},
		call: puts("data", itemOf("USER_ACTIVITY#user3", "2024-01-15T10:30:00Z", "version", "=0"))},
	{name: "the id of another item", rule: policy.RuleID,
		call: puts("data", itemOf("PRODUCT#tenant001", ulidA, "version", "=0", "id", "42"))},
	{name: "another version's command", rule: policy.RuleVersionCommand,
		call: puts("data", itemOf("PRODUCT#tenant001", ulidA, "version", "=1", "csk", ulidA+"@2"))},
	{name: "one fixed partition", rule: policy.RuleFixedPartition,
		call: puts("data", itemOf("DOCUMENT", "2024-01-15T10:30:00Z", "version", "=0"))},
	{name: "a prefix of two entities", rule: policy.RuleMixedRead,
		call: queries("data", "", "ORDER#tenant001", "ORDER")},
	{name: "a scan", rule: policy.RuleScan, call: scans("data", ""), caller: "NONE"},
	{name: "no tenant", rule: policy.RuleTenantMissing,
		call: puts("data", itemOf("PRODUCT", ulidA, "version", "=0"))},
	{name: "the tenant in the sort key", rule: policy.RuleTenantInSortKey,
		call: puts("data", itemOf("LEGACY#product", "tenant001#42", "version", "=0"))},
	{name: "shared data of one tenant", rule: policy.RuleTenantCommon,
		call: puts("data", itemOf("USER#tenant001", "sso#abc", "version", "=0"))},
	{name: "another tenant's key", rule: policy.RuleTenantCrossing,
		call: gets("data", itemOf("PRODUCT#tenant002", ulidA))},
	{name: "what tenants share", rule: policy.RuleTenantShared,
		call: puts("data", itemOf("MASTER#common", "DATA#books#novels", "version", "=0"))},
	{name: "a scan across tenants", rule: policy.RuleTenantScan, call: scans("data", "")},
	{name: "a caller without a tenant", rule: policy.RuleTenantCaller,
		call: gets("data", itemOf("PRODUCT#tenant001", ulidA)), caller: "STRANGER"},
	{name: "a table that is not declared", rule: policy.RuleTenantUndeclared,
		call: gets("other", itemOf("PRODUCT#tenant001", ulidA))},
	{name: "an operation on a table", rule: policy.RuleTenantOperation,
		call: deletesTable("other")},
	{name: "a version in a data key", rule: policy.RuleVersionInDataKey,
		call: gets("data", itemOf("PRODUCT#tenant001", ulidA+"@3"))},
	{name: "no version in a command's key", rule: policy.RuleVersionMissing,
		call: puts("commands", itemOf("PRODUCT#tenant001", ulidA))},
	{name: "a new item with a later version", rule: policy.RuleVersionFirst,
		call: puts("data", itemOf("PRODUCT#tenant001", ulidA, "version", "=3"))},
	{name: "another version in key and attribute", rule: policy.RuleVersionAttribute,
		call: puts("commands", itemOf("PRODUCT#tenant001", ulidA+"@1", "version", "=2"))},
	{name: "a version in the key only", rule: policy.RuleVersionAttribute,
		call: puts("commands", itemOf("PRODUCT#tenant001", ulidA+"@1"))},
	{name: "a version that is skipped, under a condition", rule: policy.RuleVersionSequence,
		before: []policyCall{puts("data", itemOf("PRODUCT#tenant001", ulidA, "version", "=1"))},
		call: updates("data", itemOf("PRODUCT#tenant001", ulidA), "SET version = :three",
			"version = :one")},
	{name: "a version that is not raised", rule: policy.RuleVersionNotRaised,
		before: []policyCall{puts("data", itemOf("PRODUCT#tenant001", ulidA, "version", "=1"))},
		call:   updates("data", itemOf("PRODUCT#tenant001", ulidA), "SET title = :x", "")},
	{name: "a command that is deleted", rule: policy.RuleHistory,
		before: []policyCall{puts("commands",
			itemOf("PRODUCT#tenant001", ulidA+"@1", "version", "=1"))},
		call: deletes("commands", itemOf("PRODUCT#tenant001", ulidA+"@1"))},
	{name: "a version without latest", rule: policy.RuleLatestMissing,
		call: puts("documents", attributes("documentVersion", "v1", "content", "a"))},
	{name: "a latest that names no version", rule: policy.RuleLatestVersion,
		call: putsIfAbsent("documents", "documentVersion",
			attributes("documentVersion", "latest", "actualVersion", "v7", "content", "a"))},
	{name: "a latest with other content", rule: policy.RuleLatestContent,
		before: []policyCall{publishes("v1", "a")},
		call: putsIf("documents", "actualVersion = :x", attributes(":x", "v1"),
			attributes("documentVersion", "latest", "actualVersion", "v1", "content", "b"))},
	{name: "a latest under a condition on anything", rule: policy.RuleLatestCondition,
		before: []policyCall{publishes("v1", "a")},
		call: putsIf("documents", "attribute_exists(content)", nil,
			attributes("documentVersion", "latest", "actualVersion", "v1", "content", "a"))},
	{name: "a version that is written again", rule: policy.RuleLatestRewritten,
		before: []policyCall{publishes("v1", "a")},
		call:   puts("documents", attributes("documentVersion", "v1", "content", "a"))},
	{name: "a deletion of any version", rule: policy.RuleVersionDeleted,
		before: []policyCall{puts("data", product("1"))},
		call:   deletes("data", itemOf(productPK, ulidA))},
	{name: "commands that expire", rule: policy.RuleExpiry, caller: "ADMIN",
		call: expires("commands")},
	{name: "a latest without a condition", rule: policy.RuleLatestCondition,
		before: []policyCall{publishes("v1", "a")},
		call: puts("documents",
			attributes("documentVersion", "latest", "actualVersion", "v1", "content", "a"))},
}

func putsIf(table, condition string, values, item map[string]types.AttributeValue) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.PutItem(g.Context(),
			&dynamodb.PutItemInput{
				TableName: &table, Item: item, ConditionExpression: &condition,
				ExpressionAttributeValues: values,
			})
		return err
	}
}

func putsIfAbsent(table, pk string, item map[string]types.AttributeValue) policyCall {
	return putsIf(table, "attribute_not_exists("+pk+")", nil, item)
}

func deletesTable(table string) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.DeleteTable(g.Context(), &dynamodb.DeleteTableInput{TableName: &table})
		return err
	}
}

// publishes puts a version of the document and its latest item in a transaction.
func publishes(version, content string) policyCall {
	latest := putAction("documents",
		attributes("documentVersion", "latest", "actualVersion", version, "content", content))
	latest.Put.ConditionExpression = aws.String("attribute_not_exists(documentVersion)")
	return transacts(
		putAction("documents", attributes("documentVersion", version, "content", content)), latest)
}

// run makes the requests before, in an emulator where all rules have a severity or, of Off, their
// own, and returns what becomes of the call.
func (tc *ruleCase) run(t *testing.T, s policy.Severity) (*policyTest, error) {
	p := policytest.Shop()
	// nothing is said of callers
	if p.Severities = map[string]policy.Severity{tc.rule.ID: s}; tc.caller == "NONE" {
		p.Tenants = policy.Tenants{}
	} else if s == policy.Off {
		p.Tenants.Isolation = policy.IsolationNone
	}
	g := newPolicyTest(t, p)
	for _, call := range tc.before {
		require.NoError(t, call(g, g.Client))
	}
	client := g.Client
	if tc.caller != "" {
		client = g.as(tc.caller, "")
	}
	return g, tc.call(g, client)
}

// TestPolicyRules: a rule refuses what breaks it, and only warns if it is to.
func TestPolicyRules(t *testing.T) {
	for _, tc := range ruleCases {
		t.Run(tc.name, func(t *testing.T) {
			t.Run("enforced", func(t *testing.T) {
				g, err := tc.run(t, policy.Enforce)
				refusedFor(t, tc.rule, err)
				found := g.emulator.Findings()
				require.Len(t, found, 1)
				assert.Equal(t, []any{tc.rule.ID, "enforce", int64(1)},
					[]any{found[0].Rule, found[0].Severity, found[0].Count})
			})
			t.Run("warned of", func(t *testing.T) {
				g, err := tc.run(t, policy.Warn)
				require.NoError(t, err)
				found := g.emulator.Findings()
				require.Len(t, found, 1)
				assert.Equal(t, []any{tc.rule.ID, "warn", int64(1)},
					[]any{found[0].Rule, found[0].Severity, found[0].Count})
			})
			t.Run("off", func(t *testing.T) {
				g, err := tc.run(t, policy.Off)
				require.NoError(t, err)
				assert.Empty(t, g.emulator.Findings())
			})
		})
	}
}
