package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
)

// serveItems starts a server with the table shop, of generic keys and an index GSI1, and items.
func serveItems(t *testing.T, items []map[string]any) *planned {
	e := emulator.New(admin.Enable(admin.Options{}))
	s, err := e.Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	p := &planned{T: t, url: s.URL, http: e.HTTPClient("test", "us-east-1")}
	key := func(partition, sort string) []map[string]any {
		return []map[string]any{{"AttributeName": partition, "KeyType": "HASH"},
			{"AttributeName": sort, "KeyType": "RANGE"}}
	}
	var definitions []map[string]any
	for _, name := range []string{"PK", "SK", "GSI1PK", "GSI1SK"} {
		definitions = append(definitions,
			map[string]any{"AttributeName": name, "AttributeType": "S"})
	}
	p.send("CreateTable", map[string]any{"TableName": "shop", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": definitions, "KeySchema": key("PK", "SK"),
		"GlobalSecondaryIndexes": []map[string]any{{"IndexName": "GSI1",
			"KeySchema":  key("GSI1PK", "GSI1SK"),
			"Projection": map[string]any{"ProjectionType": "ALL"}}}})
	for _, item := range items {
		p.send("PutItem", map[string]any{"TableName": "shop", "Item": attributeValues(item)})
	}
	return p
}

// customersAndOrders are items of two models under one partition key, with texts in sort keys.
func customersAndOrders() (items []map[string]any) {
	states := []string{"OPEN", "PAID", "SENT"}
	for c := range 30 {
		customer, mail := fmt.Sprintf("CUST#c%03d", c), fmt.Sprintf("n%d@example.org", c)
		items = append(items, map[string]any{"PK": customer, "SK": "PROFILE", "email": mail,
			"name": fmt.Sprint("Name ", c), "GSI1PK": "EMAIL#" + mail, "GSI1SK": "CUSTOMER"})
		for o := range 4 {
			id := fmt.Sprintf("o%03d%d", c, o)
			items = append(items, map[string]any{"PK": customer, "orderId": id,
				"SK":     fmt.Sprintf("ORDER#2026-01-%02dT10:00:00Z#%s", o+1, id),
				"GSI1PK": "ORDER#" + id, "GSI1SK": "ORDER",
				"state": states[(c+o)%3], "total": int64(c + o)})
		}
	}
	return items
}

// TestDesignFromTableWithLock plans a further pattern for a table that has no plan yet: all
// items keep their keys, and the migration to the plan is one index more.
func TestDesignFromTableWithLock(t *testing.T) {
	p, dir := serveItems(t, customersAndOrders()), t.TempDir()
	found, lock := filepath.Join(dir, "app.yaml"), filepath.Join(dir, "plan.lock")
	out, _, err := runs(t, "design", "from", "--from-table", "shop", "--endpoint", p.url, "-o",
		found, "--lock", lock)
	require.NoError(t, err)
	assert.NotContains(t, out, "the plan of the design")
	text, err := os.ReadFile(found)
	require.NoError(t, err)
	assert.Contains(t, string(text), "\nfrom: plan.lock\n")
	was, err := designfile.Existing(lock)
	require.NoError(t, err)
	is, err := designfile.PlanFile(found)
	require.NoError(t, err)
	assert.Equal(t, was.Entities, is.Entities)

	next := filepath.Join(dir, "next.yaml")
	require.NoError(t, os.WriteFile(next, []byte(strings.Replace(string(text), "patterns:",
		"patterns:\n  - {name: orders in a state, model: Order, equal: [state], order: at}", 1)),
		0o600))
	m, plan, err := designfile.Migration(next)
	require.NoError(t, err)
	assert.Equal(t, migrate.IndexAdded, m.Change())
	for model, keys := range map[string][]string{
		"Cust":  {"CUST#{id}", "PROFILE", "EMAIL#{email}", "CUSTOMER"},
		"Order": {"CUST#{custId}", "ORDER#{at}#{orderId}", "ORDER#{orderId}", "ORDER"},
	} {
		for i, want := range keys {
			assert.Equal(t, want, plan.Entity(model).Keys[i].Value.String())
		}
	}
	out, _, err = runs(t, "design", "diff", lock, next, "--verify")
	require.NoError(t, err)
	assert.Contains(t, out, "an index is added, ")
	assert.NotContains(t, out, "GSI1PK as well")
	assert.NotContains(t, out, "state_v2", "items have the attribute already")
	_, _, err = runs(t, "design", "verify", next)
	assert.NoError(t, err)
}

// TestDesignFromTableWithAttributeKeys is TestDesignFromTableWithLock for indexes whose keys have
// several attributes: they stay, and a further one takes no backfill.
func TestDesignFromTableWithAttributeKeys(t *testing.T) {
	p, dir := servePlan(t, filepath.Join("..", "..", "emulator", "proof", "testdata",
		"lockers.yaml")), t.TempDir()
	found, lock := filepath.Join(dir, "app.yaml"), filepath.Join(dir, "plan.lock")
	_, _, err := runs(t, "design", "from", "--from-table", "lockers", "--endpoint", p.url, "-o",
		found, "--lock", lock)
	require.NoError(t, err)
	is, err := designfile.PlanFile(found)
	require.NoError(t, err)
	for i, index := range is.Indexes {
		assert.Equal(t, p.plan.Indexes[i].Key, index.Key)
	}
	text, err := os.ReadFile(found)
	require.NoError(t, err)
	assert.Contains(t, string(text), "\nkeys: attributes\n")

	next := filepath.Join(dir, "next.yaml")
	require.NoError(t, os.WriteFile(next, []byte(strings.Replace(string(text), "patterns:",
		"patterns:\n  - {name: more, model: Rental, equal: [state], order: since}", 1)), 0o600))
	out, _, err := runs(t, "design", "diff", lock, next, "--verify")
	require.NoError(t, err)
	assert.Contains(t, out, "an index is added, ")
	assert.NotContains(t, out, "backfill")
	_, _, err = runs(t, "design", "verify", next)
	assert.NoError(t, err)
}

// TestDesignFromTableMoved shows for which keys the plan of the design is another table, and that a
// warning says so.
func TestDesignFromTableMoved(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(item map[string]any)
		says   string
	}{
		{"a text between two attributes", func(item map[string]any) {
			if sort, ok := strings.CutPrefix(item["SK"].(string), "ORDER#"); ok {
				item["SK"] = "ORDER#" + strings.Replace(sort, "#", "#ID#", 1)
			}
		}, "warning: the plan of the design is a new table: items get other primary keys"},
		{"one text as a partition key", func(item map[string]any) {
			if sort := item["SK"].(string); sort == "PROFILE" {
				item["PK"], item["SK"] = "CUSTOMERS", item["PK"]
			}
		}, "warning: the plan of the design is a new table: items get other primary keys"},
	} {
		t.Run(c.name, func(t *testing.T) {
			items := customersAndOrders()
			for _, item := range items {
				c.change(item)
			}
			p, dir := serveItems(t, items), t.TempDir()
			out, _, err := runs(t, "design", "from", "--from-table", "shop", "--endpoint", p.url,
				"-o", filepath.Join(dir, "app.yaml"), "--lock", filepath.Join(dir, "plan.lock"))
			require.NoError(t, err)
			assert.Contains(t, out, c.says)
		})
	}
}

// TestDesignFromTableWithoutLock shows which tables have no lock, and that nothing is left of one.
func TestDesignFromTableWithoutLock(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(item map[string]any)
		there  bool // the design
		wrong  string
	}{
		{"a key in lower case", func(item map[string]any) {
			if item["orderId"] != nil {
				item["orderId"] = strings.ToUpper(item["orderId"].(string))
			}
		}, false, "SK of Order: it holds \"o"},
		{"a key that one item has", func(item map[string]any) {
			if item["orderId"] != nil && item["orderId"] != "o0000" {
				delete(item, "GSI1PK")
			}
		}, false, "GSI1PK of Order: too few items have it to show its template"},
		{"a design that is there", func(map[string]any) {}, true, "app.yaml: file exists"},
	} {
		t.Run(c.name, func(t *testing.T) {
			items := customersAndOrders()
			for _, item := range items {
				c.change(item)
			}
			p, dir := serveItems(t, items), t.TempDir()
			found, lock := filepath.Join(dir, "app.yaml"), filepath.Join(dir, "plan.lock")
			if c.there {
				require.NoError(t, os.WriteFile(found, nil, 0o600))
			}
			_, _, err := runs(t, "design", "from", "--from-table", "shop", "--endpoint", p.url,
				"-o", found, "--lock", lock)
			assert.ErrorContains(t, err, c.wrong)
			assert.NoFileExists(t, lock)
		})
	}
	_, _, err := runs(t, "design", "from", "schema.json", "--lock", "plan.lock")
	assert.ErrorContains(t, err, "--lock wants --from-table")
}
