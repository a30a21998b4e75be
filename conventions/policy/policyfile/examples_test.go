package policyfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

func TestExamplesAreValid(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("examples", "*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	s := compiledSchema(t)
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			_, err := CompileFile(file)
			require.NoError(t, err)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, s.Validate(asJSON(t, string(text))))
		})
	}
}

// The example takes the guide's order with its items, and refuses what the guide says to avoid.
func TestOrdersExample(t *testing.T) {
	e, err := CompileFile(filepath.Join("examples", "orders.yaml"))
	require.NoError(t, err)
	const order = "01HX7MBJK3V9WQBZ7XNDK5ZT2M"
	type attributes map[string]string // strings, but that version is a number
	values := func(a attributes) map[string]any {
		item := map[string]any{}
		for name, v := range a {
			item[name] = map[string]string{"S": v}
			if name == "version" {
				item[name] = map[string]string{"N": v}
			}
		}
		return item
	}
	put := func(table string, a attributes) map[string]any {
		return map[string]any{"TableName": table, "Item": values(a)}
	}
	get := func(table string, a attributes) map[string]any {
		return map[string]any{"TableName": table, "Key": values(a)}
	}
	query := func(pk, prefix string) map[string]any {
		return map[string]any{"TableName": "orders-data",
			"KeyConditionExpression":    "pk = :pk AND begins_with(sk, :skPrefix)",
			"ExpressionAttributeValues": values(attributes{":pk": pk, ":skPrefix": prefix})}
	}
	publish := func(version map[string]any, latest map[string]any) map[string]any {
		latest["ConditionExpression"] = "attribute_not_exists(documentVersion)"
		return map[string]any{
			"TransactItems": []any{map[string]any{"Put": version}, map[string]any{"Put": latest}},
		}
	}
	for _, c := range []struct {
		name, operation string
		request         map[string]any
		rule            *policy.Rule // nil: none is broken
	}{
		{"an order's command", "PutItem",
			put("orders-command",
				attributes{"pk": "ORDER#tenant001", "sk": "ORDER#" + order + "@1", "version": "1"}),
			nil},
		{"an item's command", "PutItem",
			put("orders-command",
				attributes{"pk": "ORDER#tenant001", "sk": "ORDER_ITEM#" + order + "#001@1",
					"version": "1"}), nil},
		{"the order", "PutItem",
			put("orders-data",
				attributes{"pk": "ORDER#tenant001", "sk": "ORDER#" + order, "version": "0",
					"status": "pending"}), nil},
		{"by its status",
			"PutItem", put(
				"orders-data", attributes{"pk": "ORDER#tenant001", "sk": "ORDER#" + order,
					"version": "0", "status": "pending",
					"gsi1pk": "STATUS#tenant001#pending", "gsi1sk": order}), nil},
		{"its item", "PutItem",
			put("orders-data",
				attributes{"pk": "ORDER#tenant001", "sk": "ORDER_ITEM#" + order + "#001",
					"version": "0"}), nil},
		{"its items", "Query", query("ORDER#tenant001", "ORDER_ITEM#"+order), nil},
		{"its history", "GetItem",
			get("orders-history",
				attributes{"pk": "ORDER#tenant001", "sk": "ORDER#" + order + "@2"}), nil},
		{"a log entry", "PutItem",
			put("orders-log",
				attributes{"pk": "LOG#tenant001#2024-01", "sk": "2024-01-15T10:30:00Z#evt001"}),
			nil},
		{"a shared user", "PutItem",
			put("orders-data",
				attributes{"pk": "USER#common", "sk": "sso#abc123def456", "version": "0"}), nil},
		{"a price list",
			"TransactWriteItems", publish(
				put("price-lists", attributes{"documentVersion": "v1", "content": "a"}),
				put("price-lists",
					attributes{"documentVersion": "latest", "actualVersion": "v1",
						"content": "a"})), nil},

		{"the status in the key", "PutItem",
			put("orders-data",
				attributes{"pk": "ORDER#tenant001", "sk": "ORDER#pending#" + order,
					"version": "0"}), policy.RuleMutable},
		{"another tenant's order", "GetItem",
			get("orders-data", attributes{"pk": "ORDER#tenant002", "sk": "ORDER#" + order}),
			policy.RuleTenantCrossing},
		{"another tenant's orders by status",
			"Query", map[string]any{"TableName": "orders-data", "IndexName": "by-status",
				"KeyConditionExpression":    "gsi1pk = :pk",
				"ExpressionAttributeValues": values(attributes{":pk": "STATUS#tenant002#pending"})},
			policy.RuleTenantCrossing},
		{"a version in the data table", "GetItem",
			get("orders-data", attributes{"pk": "ORDER#tenant001", "sk": "ORDER#" + order + "@3"}),
			policy.RuleVersionInDataKey},
		{"a command without a version", "PutItem",
			put("orders-command", attributes{"pk": "ORDER#tenant001", "sk": "ORDER#" + order}),
			policy.RuleVersionMissing},
		{"a command taken back", "DeleteItem",
			get("orders-command",
				attributes{"pk": "ORDER#tenant001", "sk": "ORDER#" + order + "@1"}),
			policy.RuleHistory},
		{"mixed separators", "PutItem",
			put("orders-data",
				attributes{"pk": "ORDER#tenant001", "sk": "ORDER-01HX7M_item:001", "version": "0"}),
			policy.RuleSeparator},
		{"a price list that latest does not know", "PutItem",
			put("price-lists", attributes{"documentVersion": "v2", "content": "b"}),
			policy.RuleLatestMissing},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := json.Marshal(c.request)
			require.NoError(t, err)
			r, err := request.FromJSON(c.operation, body)
			require.NoError(t, err)
			r.Caller.AccessKey = "AKIDTENANT001"
			var rules []string
			r.Amends = true
			for _, f := range e.CheckRequest(r, nil) {
				assert.Equal(t, policy.Enforce, f.Severity)
				rules = append(rules, f.Rule.ID)
			}
			if c.rule == nil {
				assert.Empty(t, rules)
				return
			}
			assert.Equal(t, []string{c.rule.ID}, rules)
		})
	}
}
