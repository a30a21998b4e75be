package docs_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
)

// example is a policy of the page, and writes under it.
type example struct {
	holds  string // text of the example, which tells it from others
	tables []any  // CreateTable for each
	writes []write
}

// write is a write of a caller.
type write struct {
	caller string
	items  []any        // Puts: one by PutItem, several by TransactWriteItems
	rule   *policy.Rule // the rule that refuses it, nil if it works
}

type members = map[string]any

const (
	orderID   = "01HX7MBJK3V9WQBZ7XNDK5ZT2M"
	productID = "01HX8MBJK3V9WQBZ7XNDK5ZT2N"
)

// examples are the policies of the page, in their order.
var examples = []example{
	{holds: "header: x-tenant", tables: tables("products"), writes: []write{
		{"AKIDTENANT001",
			puts("products", "pk", "PRODUCT#tenant001", "sk", productID, "version", "=0"), nil},
		{"AKIDTENANT001",
			puts("products", "pk", "PRODUCT#tenant002", "sk", productID, "version", "=0"),
			policy.RuleTenantCrossing},
		{"AKIDTENANT001",
			puts("products", "pk", "PRODUCT#common", "sk", productID, "version", "=0"),
			policy.RuleTenantShared},
		{"AKIDOPERATIONS",
			puts("products", "pk", "PRODUCT#common", "sk", productID, "version", "=0"), nil},
	}},
	{holds: "by-maker", tables: tables("products", "scratch-1", "other"), writes: []write{
		{"AKIDTENANT001",
			puts("products", "pk", "PRODUCT#tenant001", "sk", productID, "version", "=0", "maker",
				"acme"), nil},
		{"AKIDTENANT001",
			puts("products", "pk", "PRODUCT#tenant002", "sk", productID, "version", "=0", "maker",
				"acme"), policy.RuleTenantCrossing},
		{"AKIDTENANT001", puts("scratch-1", "pk", "x", "sk", "y"), nil},
		{"AKIDTENANT001", puts("other", "pk", "x", "sk", "y"), policy.RuleTenantUndeclared},
	}},
	{holds: "isolation: none", tables: tables("orders"), writes: []write{
		{"AKIDSALES",
			puts("orders", "pk", "ORDER#support", "sk", "ORDER#"+orderID, "version", "=0"), nil},
		{"AKIDSALES", puts("orders", "pk", "ORDER", "sk", "ORDER#"+orderID, "version", "=0"),
			policy.RuleTenantMissing},
	}},
	{holds: "isolation: single", tables: tables("orders"), writes: []write{
		{"X", puts("orders", "pk", "ORDER#single", "sk", "ORDER#"+orderID, "version", "=0"), nil},
		{"X", puts("orders", "pk", "ORDER#sales", "sk", "ORDER#"+orderID, "version", "=0"),
			policy.RuleTenantMissing},
	}},
	{holds: "prod-*-products",
		tables: tables("prod-eu-products", "events", "scratch"), writes: []write{
			{"X", puts("prod-eu-products", "pk", "PRODUCT#tenant001", "sk", productID, "version",
				"=0",
				"price", "=1"), nil},
			{"X", puts("prod-eu-products", "pk", "PRODUCT#tenant001", "sk", productID, "version",
				"=4",
				"price", "=1"), policy.RuleVersionSequence},
			{"X", puts("prod-eu-products", "pk", "PRODUCT#tenant001", "sk", "ready", "version",
				"=0"),
				policy.RuleULID},
			{"X", puts("events", "pk", "any", "sk", "thing"), nil},
			{"X", puts("scratch", "pk", "any", "sk", "thing"), nil},
		}},
	{holds: "# pattern 6", tables: tables("shop"), writes: []write{
		{"X", puts("shop", "pk", "PRODUCT#t", "sk", productID, "version", "=0"), nil},
		{"X", puts("shop", "pk", "ORDER#t", "sk", "ORDER#"+orderID, "version", "=0"), nil},
		{"X", puts("shop", "pk", "ORDER#t", "sk", "ORDER_ITEM#"+orderID+"#001", "version", "=0"),
			nil},
		{"X", puts("shop", "pk", "USER#common", "sk", "sso#abc", "version", "=0"), nil},
		{"X", puts("shop", "pk", "USER_TENANT#common", "sk", "t#abc", "version", "=0"), nil},
		{"X", puts("shop", "pk", "MASTER#t", "sk", "DATA#category#books", "version", "=0"), nil},
		{"X", puts("shop", "pk", "LOG#t#2024-01", "sk", "2024-01-15T10:30:00Z#evt001", "version",
			"=0"), nil},
		{"X", puts("shop", "pk", "VISIT#t#home", "sk", "2024-01-15T10:30:00Z", "version", "=0"),
			nil},
		{"X", puts("shop", "pk", "INVOICE#t", "sk", orderID, "version", "=0"),
			policy.RuleUndeclaredPrefix},
		{"X", puts("shop", "pk", "LOG#t#2024-02", "sk", "2024-01-15T10:30:00Z#evt001", "version",
			"=0"), policy.RuleValue},
	}},
	{holds: "status-words", tables: tables("orders"), writes: []write{
		{"X", puts("orders", "pk", "ORDER#t", "sk", "ORDER#"+orderID, "version", "=0"), nil},
		{"X", puts("orders", "pk", "ORDER#t", "sk", "ORDER#shipped#"+orderID, "version", "=0"),
			policy.RuleMutable},
	}},
	{holds: "parent: invoice", tables: tables("shop-more"), writes: []write{
		{"X", puts("shop-more", "pk", "USER#common", "sk", "temp#s1", "version", "=0", "ttl",
			"=1705314600"), nil},
		{"X", puts("shop-more", "pk", "USER#common", "sk", "temp#s2", "version", "=0"),
			policy.RuleExpiryMissing},
		{"X", puts("shop-more", "pk", "PAYMENT#t", "sk", orderID+"#"+productID, "version", "=0"),
			policy.RuleParentMissing},
		{"X", puts("shop-more", "pk", "INVOICE#t", "sk", orderID, "version", "=0"), nil},
		{"X", puts("shop-more", "pk", "PAYMENT#t", "sk", orderID+"#"+productID, "version", "=0"),
			nil},
	}},
	{holds: "by-status", tables: tables("orders"), writes: []write{
		{"X", puts("orders", "pk", "ORDER#t", "sk", "ORDER#"+orderID, "version", "=0", "gsi1pk",
			"STATUS#t#pending", "gsi1sk", orderID,
			"gsi2pk", "CUSTOMER#t#aki", "day", "2024-01-15"), nil},
		{"X", puts("orders", "pk", "ORDER#t", "sk", "ORDER#"+productID, "version", "=0", "gsi2pk",
			"aki"), policy.RuleTenantMissing},
	}},
	{holds: "commands: shop-command",
		tables: tables("shop-data", "shop-command", "shop-history"), writes: []write{
			{"X", puts("shop-data", "pk", "ORDER#t", "sk", "ORDER#"+productID, "version", "=0"),
				nil},
			{"X", puts("shop-data", "pk", "ORDER#t", "sk", "ORDER#"+orderID, "version", "=1"),
				policy.RuleVersionCommand},
			{"X", puts("shop-command", "pk", "ORDER#t", "sk", "ORDER#"+orderID+"@1", "version",
				"=1"),
				nil},
			{"X", puts("shop-data", "pk", "ORDER#t", "sk", "ORDER#"+orderID, "version", "=1"), nil},
			{"X", puts("shop-history", "pk", "ORDER#t", "sk", "ORDER#"+orderID+"@1", "version",
				"=1"),
				nil},
			{"X", puts("shop-history", "pk", "ORDER#t", "sk", "ORDER#"+orderID, "version", "=1"),
				policy.RuleVersionMissing},
		}},
	{holds: "actual-version: actualVersion",
		tables: append(tables("drafts"),
			table("documents", "documentVersion", "")), writes: []write{
			{"X", append(puts("documents", "documentVersion", "v1", "text", "a"),
				absent("documents", "documentVersion", "documentVersion", "latest", "actualVersion",
					"v1", "text", "a")), nil},
			{"X", puts("documents", "documentVersion", "v2", "text", "a"),
				policy.RuleLatestMissing},
			{"X", append(puts("drafts", "pk", "DRAFT#t", "sk", orderID+"#1", "title", "a"),
				absent("drafts", "pk", "pk", "DRAFT#t", "sk", orderID+"#latest", "actualVersion",
					"1",
					"title", "a")), nil},
			{"X", append(puts("drafts", "pk", "DRAFT#t", "sk", productID+"#1", "title", "a"),
				absent("drafts", "pk", "pk", "DRAFT#t", "sk", productID+"#latest", "actualVersion",
					"1",
					"title", "b")), policy.RuleLatestContent},
		}},
	{holds: "key-ulid: warn", tables: tables("events", "orders"), writes: []write{
		{"X", puts("events", "pk", "any", "sk", "thing"), nil},
		{"X", puts("orders", "pk", "ORDER#t", "sk", "ORDER#42", "version", "=0"), nil},
		{"X", puts("orders", "pk", "ORDER#t", "sk", "INVOICE#42", "version", "=0"),
			policy.RuleUndeclaredPrefix},
	}},
}

// TestExampleWrites makes writes under each policy of the page: at least one that works and one
// that is refused.
func TestExampleWrites(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	n := 0
	for _, block := range yamlBlock.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains("\n"+block[1], "\ntables:") {
			continue // a file of compose or CI
		}
		require.Less(t, n, len(examples), "an example has no writes: %s", block[1])
		x := examples[n]
		n++
		t.Run(x.holds, func(t *testing.T) {
			require.Contains(t, block[1], x.holds)
			x.run(t, block[1])
		})
	}
	assert.Len(t, examples, n)
}

func (x *example) run(t *testing.T, text string) {
	engine, err := policyfile.Compile([]byte(text))
	require.NoError(t, err)
	e := emulator.New(emulator.WithSharedData(), emulator.WithLogger(slog.New(slog.DiscardHandler)))
	for _, body := range x.tables {
		require.Equal(t, "{}", errorOf(t, e, "X", "CreateTable", body))
	}
	e = e.Fork(emulator.WithPolicy(engine))
	works, refused := false, false
	for _, w := range x.writes {
		operation, body := "PutItem", w.items[0]
		if len(w.items) > 1 {
			var actions []any
			for _, put := range w.items {
				actions = append(actions, members{"Put": put})
			}
			operation, body = "TransactWriteItems", members{"TransactItems": actions}
		}
		answer := errorOf(t, e, w.caller, operation, body)
		if w.rule == nil {
			works = true
			assert.Equal(t, "{}", answer, "%v", w.items)
			continue
		}
		refused = true
		assert.Contains(t, answer, w.rule.ID+": ", "%v", w.items)
	}
	assert.True(t, works && refused, "an example has a write that works and one that is refused")
}

// errorOf returns the answer to a request of a caller if it is an error, and {} if it is not.
func errorOf(t *testing.T, e *emulator.Emulator, caller, operation string, body any) string {
	encoded, err := json.Marshal(body)
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/",
		strings.NewReader(string(encoded)))
	require.NoError(t, err)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	answer, err := e.HTTPClient(caller, "us-east-1").Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	if answer.StatusCode == http.StatusOK {
		return "{}"
	}
	return string(text)
}

func tables(names ...string) (all []any) {
	for _, name := range names {
		all = append(all, table(name, "pk", "sk"))
	}
	return all
}

// table makes a table with string keys. Without sort it has no sort key.
func table(name, partition, sort string) any {
	attributes := []any{members{"AttributeName": partition, "AttributeType": "S"}}
	key := []any{members{"AttributeName": partition, "KeyType": "HASH"}}
	if sort != "" {
		attributes = append(attributes, members{"AttributeName": sort, "AttributeType": "S"})
		key = append(key, members{"AttributeName": sort, "KeyType": "RANGE"})
	}
	return members{
		"TableName": name, "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": attributes,
		"KeySchema": key,
	}
}

// puts is the put of an item of strings, given as name, value. A value that begins with "=" is a
// number.
func puts(table string, pairs ...string) []any {
	it := members{}
	for i := 0; i < len(pairs); i += 2 {
		it[pairs[i]] = members{"S": pairs[i+1]}
		if n, isNumber := strings.CutPrefix(pairs[i+1], "="); isNumber {
			it[pairs[i]] = members{"N": n}
		}
	}
	return []any{members{"TableName": table, "Item": it}}
}

// absent is a put under the condition that the item is not there.
func absent(table, key string, pairs ...string) any {
	put := puts(table, pairs...)[0].(members)
	put["ConditionExpression"] = "attribute_not_exists(" + key + ")"
	return put
}
