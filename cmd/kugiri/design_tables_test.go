package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// withTables is a design of two tables.
const withTables = `table: shop
models:
  - name: Order
    key: [id]
    items: 1000
    puts: 1
    attributes: [{name: id, format: ulid}, {name: customer, format: ulid, values: 100}]
  - name: Session
    table: sessions
    key: [token]
    items: 5000
    puts: 5
    attributes: [{name: token, format: uuid}, {name: customer, of: Order.customer}]
patterns:
  - {name: orders of a customer, model: Order, equal: [customer], rate: 1}
  - {name: a session, model: Session, equal: [token], one: true, rate: 10}
`

// TestDesignTables runs each command on a design of two tables.
func TestDesignTables(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	file := write("design.yaml", withTables)
	lock, _, err := runs(t, "design", "plan", file, "--format", "lock")
	require.NoError(t, err)
	locked := write("plan.lock", lock)
	further := write("further.yaml", withTables+
		"  - {name: sessions of a customer, model: Session, equal: [customer], rate: 1}\n")
	one := write("one.yaml", strings.Replace(withTables, "    table: sessions\n", "", 1))
	sessions := write("sessions.yaml", `table: sessions
models:
  - {name: Session, key: [token], items: 5000, attributes: [{name: token, format: uuid}]}
patterns:
  - {name: a session, model: Session, equal: [token], one: true, rate: 10}
`)
	for _, c := range []struct {
		name  string
		args  []string
		says  []string
		wrong string
	}{
		{"plan", []string{"plan", file}, []string{"# 2 tables", "\n# Table shop\n",
			"\n# Table sessions\n"}, ""},
		{"plan of one", []string{"plan", file, "--table", "sessions"},
			[]string{"# Table sessions\n"}, ""},
		{"plan of none", []string{"plan", file, "--table", "session"}, nil,
			`there is no table "session"; there are shop, sessions`},
		{"create-table", []string{"plan", file, "--format", "create-table"}, nil,
			"a CreateTable makes one table: say --table with one of shop, sessions"},
		{"create-table of one",
			[]string{"plan", file, "--format", "create-table", "--table", "sessions"},
			[]string{`"TableName": "sessions"`}, ""},
		{"report", []string{"report", file}, []string{"# What 2 tables cost",
			"## One table with all models", "# What shop costs", "# What sessions costs"}, ""},
		{"verify", []string{"verify", file, "--items", "200"}, []string{
			"table shop, on an emulator of its own", "table sessions, on an emulator of its own",
			"holds: a session ", "holds: orders of a customer "}, ""},
		{"load", []string{"load", file, "--items", "200", "--seconds", "1"},
			[]string{"table shop\n", "table sessions\nserved: a session, 0 of 10 requests"}, ""},
		{"diff", []string{"diff", locked, further}, []string{
			"table shop\nnothing to do", "table sessions\nan index "}, ""},
		{"diff verified", []string{"diff", locked, further, "--verify"},
			[]string{"patterns hold\n", "noticed: "}, ""},
		{"diff with a new table", []string{"diff", sessions, file}, []string{
			"table shop\nit is new: create it, as \"kugiri design plan " + file +
				" --table shop --format create-table\" prints it\n", "table sessions\n"}, ""},
		{"diff without a table", []string{"diff", file, sessions}, []string{
			"table shop\nthe new design does not have it: delete it once nobody reads it\n"}, ""},
		{"diff of a model that moves", []string{"diff", one, file}, nil,
			"Session was in the table shop and is in sessions now, and no steps are planned"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := runs(t, append([]string{"design"}, c.args...)...)
			if c.wrong != "" {
				require.ErrorContains(t, err, c.wrong)
				assert.Empty(t, out)
				return
			}
			require.NoError(t, err)
			for _, says := range c.says {
				assert.Contains(t, out, says)
			}
		})
	}
	for _, command := range []string{"plan", "report", "verify", "load", "diff"} {
		t.Run(command+" as JSON", func(t *testing.T) {
			args := []string{"design", command, file, "--format", "json"}
			if command == "diff" {
				args = []string{"design", command, file, further, "--format", "json"}
			}
			out, _, err := runs(t, args...)
			require.NoError(t, err)
			var all struct{ Tables []any }
			require.NoError(t, json.Unmarshal([]byte(out), &all))
			assert.Len(t, all.Tables, 2)
		})
	}
	t.Run("write", func(t *testing.T) {
		out, _, err := runs(t, "design", "write", file, "--out", filepath.Join(dir, "out"))
		require.NoError(t, err)
		for _, name := range []string{"template.yaml", "table.tf"} {
			server := emulatortest.Start(t)
			_, _, err := runs(t, "apply", "--endpoint", server.URL(),
				filepath.Join(dir, "out", name))
			require.NoError(t, err)
			assert.Empty(t, server.Items(t, "shop"), name)
			assert.Empty(t, server.Items(t, "sessions"), name)
		}
		server := emulatortest.Start(t)
		server.Seed(t, filepath.Join(dir, "out", "seed"))
		assert.NotEmpty(t, server.Items(t, "shop"))
		assert.NotEmpty(t, server.Items(t, "sessions"))
		assert.Contains(t, out, filepath.Join(dir, "out", "sessions", "sessions.go"))
		assert.Contains(t, out, filepath.Join(dir, "out", "shop", "shop.go"))
	})
}
