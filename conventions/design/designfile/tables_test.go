package designfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

const twoTables = `table: shop
models:
  - name: Order
    key: [id]
    items: 1000
    attributes: [{name: id, format: ulid}, {name: customer, format: ulid, values: 100}]
  - name: Session
    table: sessions
    key: [token]
    items: 5000
    attributes: [{name: token, format: uuid}, {name: customer, of: Order.customer}]
patterns:
  - {name: orders of a customer, model: Order, equal: [customer], rate: 1}
  - {name: a session, model: Session, equal: [token], one: true, rate: 10}
`

// TestTables reads a design of two tables, and refuses it where one is planned.
func TestTables(t *testing.T) {
	all, err := designfile.Tables([]byte(twoTables))
	require.NoError(t, err)
	require.Len(t, all, 2)
	_, err = designfile.Plan([]byte(twoTables))
	assert.EqualError(t, err, "line 8: models[1].table: here one table is planned, and the design "+
		"has 2: shop, sessions. \"kugiri design\" plans all of them")

	d, err := designfile.Parse([]byte(twoTables))
	require.NoError(t, err)
	written := designfile.Write(d, nil)
	assert.Contains(t, string(written), "    table: sessions\n")
	again, err := designfile.Parse(written)
	require.NoError(t, err)
	assert.Equal(t, d, again)

	_, err = designfile.Tables([]byte(strings.Replace(twoTables, "equal: [token]",
		"equal: [customer]", 1)))
	assert.ErrorContains(t, err, "line 14: patterns[1].one: ")
}

// TestTablesFrom plans tables from those that are there.
func TestTablesFrom(t *testing.T) {
	plans := func(text string) string {
		all, err := designfile.Tables([]byte(text))
		require.NoError(t, err)
		lock, err := designfile.LockTables(all)
		require.NoError(t, err)
		return string(lock)
	}
	const further = `  - {name: sessions of a customer, model: Session, equal: [customer], rate: 1}
`
	lock := plans(twoTables)
	for _, c := range []struct {
		name, from, file, design string
		says                     []string // notes of the tables
		wrong                    string
	}{
		{"the same", lock, "plan.lock", twoTables, []string{"from the table that is there: nothing changes",
			"from the table that is there: nothing changes"}, ""},
		{"a design", twoTables, "old.yaml", twoTables, []string{
			"from the table that is there: nothing changes",
			"from the table that is there: nothing changes"}, ""},
		{"a further pattern of one", lock, "plan.lock", twoTables + further, []string{
			"from the table that is there: nothing changes", "from the table that is there: an index"}, ""},
		{"a new table", plans(orders), "plan.lock", twoTables, []string{
			"from the table that is there: ", "# Table sessions\n"}, ""},
		{"a table that is left", lock, "plan.lock", orders, []string{
			"plan.lock has the table sessions, which is not in this design: delete it once nobody reads it"}, ""},
		{"a model that moves", plans(strings.Replace(twoTables, "    table: sessions\n", "", 1)),
			"plan.lock", twoTables, nil,
			"line 9: models[1].table: Session is in the table shop so far, and no steps are planned that bring items into another table"},
		{"a table twice", strings.ReplaceAll(lock, `"Table": "sessions"`, `"Table": "shop"`),
			"plan.lock", twoTables, nil, "this is no plan: there are two tables shop"},
		{"no tables", `{"Tables": [], "Entities": []}`, "plan.lock", twoTables, nil,
			"this is no plan"},
		{"a description", `{"Table": {"TableName": "shop", "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}]}}`,
			"table.json", twoTables, nil, "describe-table says how one table is, and this design has several"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "design.yaml")
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.file), []byte(c.from), 0o600))
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(c.design, "\nmodels:",
				"\nfrom: "+c.file+"\nmodels:", 1)), 0o600))
			all, err := designfile.TablesFile(file)
			if c.wrong != "" {
				require.ErrorContains(t, err, c.wrong)
				return
			}
			require.NoError(t, err)
			require.Len(t, all, len(c.says))
			for i, p := range all {
				assert.Contains(t, p.Markdown(), c.says[i])
			}
		})
	}
}
