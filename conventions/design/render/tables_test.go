package render_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/render"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/traffic/patternfile"
)

// severalTables is a design of two tables, and inTables is that design as a sample.
const severalTables = "testdata/tables.yaml"

var inTables = sample{name: "tables", file: severalTables}

func tablesOf(t *testing.T, file string) []*design.Plan {
	t.Helper()
	all, err := designfile.TablesFile(file)
	require.NoError(t, err)
	return all
}

// filesOf returns the files of a design by their names.
func filesOf(t *testing.T, file string) map[string][]byte {
	t.Helper()
	all, err := render.Files(tablesOf(t, file)...)
	require.NoError(t, err)
	files := map[string][]byte{}
	for _, f := range all {
		require.NotContains(t, files, f.Name)
		files[f.Name] = f.Content
	}
	return files
}

// TestTables checks what is written of a design of two tables: each file for tools has both.
func TestTables(t *testing.T) {
	plans, files := tablesOf(t, severalTables), filesOf(t, severalTables)
	t.Run("template", func(t *testing.T) {
		var template struct {
			Resources map[string]struct{ Properties map[string]any } `yaml:"Resources"`
		}
		decoder := yaml.NewDecoder(strings.NewReader(string(files["template.yaml"])))
		var raw map[string]any
		require.NoError(t, decoder.Decode(&raw))
		text, err := json.Marshal(raw)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &template))
		require.Len(t, template.Resources, 2)
		for i, name := range []string{"StoreTable", "StoreSessionsTable"} {
			got, err := json.Marshal(template.Resources[name].Properties)
			require.NoError(t, err)
			want, err := json.Marshal(properties(plans[i]))
			require.NoError(t, err)
			assert.JSONEq(t, string(want), string(got))
		}
	})
	t.Run("policy", func(t *testing.T) {
		_, err := policyfile.Compile(files["policy.yaml"])
		require.NoError(t, err)
		for _, p := range plans {
			assert.Contains(t, string(files["policy.yaml"]), "- name: "+p.Design.Table+"\n")
		}
	})
	t.Run("patterns", func(t *testing.T) {
		all, err := patternfile.Read(bytes.NewReader(files["patterns.yaml"]))
		require.NoError(t, err)
		of := map[string]string{}
		for _, p := range all {
			of[p.Name] = p.Table
		}
		assert.Equal(t, "store", of["an order"])
		assert.Equal(t, "store-sessions", of["sessions and devices"])
	})
	t.Run("pages", func(t *testing.T) {
		for _, p := range plans {
			assert.Contains(t, string(files["plan.html"]), "<h1>"+p.Design.Table+"</h1>")
			assert.Contains(t, string(files["plan.md"]), "# Table "+p.Design.Table+"\n")
		}
		ids := map[string]bool{}
		for _, part := range strings.Split(string(files["plan.html"]), ` id="`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			assert.False(t, ids[id], id)
			ids[id] = true
		}
	})
	t.Run("terraform and CDK", func(t *testing.T) {
		for _, name := range []string{"store", "store-sessions"} {
			assert.Contains(t, string(files["table.tf"]),
				`resource "aws_dynamodb_table" "`+name+`" {`)
		}
		assert.Contains(t, string(files["table.ts"]),
			`this.storeSessions = new StoreSessionsTable(this, "StoreSessionsTable");`)
	})
	t.Run("one of each", func(t *testing.T) {
		for _, name := range []string{"seed/store.json", "seed/store.items.jsonl",
			"seed/store-sessions.json", "seed/store-sessions.items.jsonl",
			"seed/store-sessions.ttl.json", "store/store.go", "store/store.ts",
			"storesessions/storesessions.go", "storesessions/storesessions.ts"} {
			assert.Contains(t, files, name)
		}
	})
}

// TestTablesOfOnePackage checks that two tables whose packages would have one name are refused.
func TestTablesOfOnePackage(t *testing.T) {
	text, err := os.ReadFile(severalTables)
	require.NoError(t, err)
	plans, err := designfile.Tables([]byte(strings.ReplaceAll(string(text), "store-sessions",
		"st-ore")))
	require.NoError(t, err)
	_, err = render.Files(plans...)
	assert.EqualError(t, err,
		"the tables store and st-ore would have one package, store: give one of them another name")
}

// TestTablesInGo runs the tests of the packages of two tables: both load all samples.
func TestTablesInGo(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it builds packages: run it with TEST_FULL=true")
	}
	dir := newPackages(t)
	writePackage(t, severalTables, dir)
	out, err := exec.Command("go", "test", "-count=1", "-v",
		"./"+filepath.ToSlash(dir)+"/...").CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, 2, strings.Count(string(out), "\n--- PASS: TestPatterns "))
}
