package render_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scripts is a project of TypeScript with the generated code of all designs, compiled.
type scripts struct{ dir string }

// run runs a program in a directory of the project, and returns its standard output.
func (s scripts) run(t *testing.T, dir string, environment []string, program ...string) string {
	t.Helper()
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Dir = filepath.Join(s.dir, filepath.FromSlash(dir))
	cmd.Env = append(os.Environ(), environment...)
	var warnings strings.Builder
	cmd.Stderr = &warnings
	out, err := cmd.Output()
	require.NoError(t, err, "%s%s", out, warnings.String())
	return string(out)
}

// newScripts installs the project and compiles it, with all checks of the compiler.
func newScripts(t *testing.T) scripts {
	t.Helper()
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it installs the SDK and the CDK: run it with TEST_FULL=true")
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	s := scripts{t.TempDir()}
	require.NoError(t, os.CopyFS(s.dir, os.DirFS("testdata/typescript")))
	for _, d := range slices.Concat(designs, further, []sample{inTables}) {
		writePackage(t, d.file, filepath.Join(s.dir, d.name))
	}
	s.run(t, "", nil, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	// the package for JavaScript, as npm would install it
	require.NoError(t, os.CopyFS(filepath.Join(s.dir, "node_modules", "kugiri"),
		os.DirFS("../../../cmd/packages/npm/kugiri")))
	s.run(t, "", nil, "node", "node_modules/typescript/bin/tsc", "-p", ".")
	return s
}

// TestTypeScript compiles the TypeScript of all designs, runs its tests, and has the CDK make the
// template that CloudFormation gets.
func TestTypeScript(t *testing.T) {
	s := newScripts(t)
	t.Run("cdk", func(t *testing.T) { s.synthesize(t) })
	t.Run("items of others", func(t *testing.T) { s.run(t, "", nil, "node", "others.js") })
	if os.Getenv("GOWORK") == "off" {
		t.Skip("the command is in another module")
	}
	binary := filepath.Join(t.TempDir(), "kugiri")
	out, err := exec.Command("go", "build", "-o", binary,
		"github.com/kugiri-db/kugiri/cmd/kugiri").CombinedOutput()
	require.NoError(t, err, string(out))
	program := []string{"node", "--test-reporter", "tap", "tests.js"}
	all := slices.Concat(designs, further, []sample{inTables})
	for _, d := range all {
		found, err := filepath.Glob(filepath.Join(s.dir, d.name, "*", "*.test.ts"))
		require.NoError(t, err)
		require.Len(t, found, len(tablesOf(t, d.file)))
		for _, test := range found {
			test, err := filepath.Rel(s.dir, strings.TrimSuffix(test, ".ts")+".js")
			require.NoError(t, err)
			program = append(program, filepath.ToSlash(test))
		}
	}
	passed := passedIn(s.run(t, "", []string{"KUGIRI_BINARY=" + binary}, program...))
	for _, d := range all {
		want := streamTests[d.name]
		for _, p := range tablesOf(t, d.file) {
			want += 1 + len(p.Writes) + len(p.Queries)
			for i := range p.Queries {
				if p.Queries[i].Fetch {
					want++
				}
			}
		}
		assert.Equal(t, want, passed[d.name], d.name)
	}
	s.notice(t, binary)
}

// streamTests are how many tests of the consumer of a stream the designs with one have.
var streamTests = map[string]int{"support": 6, "feeds": 1, "alike": 2,
	"copies": 9, "tenanted": 2, "depending": 4}

// notice checks that tests fail for compiled code with a mistake.
func (s scripts) notice(t *testing.T, binary string) {
	for _, c := range []struct{ name, code, old, new string }{
		{"an order the other way", "spread/tickets/tickets", "ScanIndexForward: false,", ""},
		{"a shard that is left out", "spread/tickets/tickets", "from({ length: n }",
			"from({ length: n - 1 }"},
		{"shards one after the other", "spread/tickets/tickets",
			"descending ? order > 0 : order < 0", "false"},
		{"a position without the index", "spread/tickets/tickets",
			"keyNames, ...this.indexKey]", "keyNames]"},
		{"a sum that is not kept", "invariants/invariants/invariants",
			"total: (order.total ?? NaN)", "total: 7"},
		{"a counter that is left out", "support/support/support", "await s.count(w);", ""},
		{"copies that are not counted", "support/support/support", "\"phone\", \"coupon_copies\"",
			"\"phone\""},
		{"an old copy that is put", "support/support/support",
			".same({ phone: coupon.shopPhone })", ""},
		{"a record that is counted twice", "support/support/support", "event: r.eventID",
			"event: String(Math.random())"},
		{"an old copy in a new item", "support/support/support", "await s.refresh(", "void ("},
		{"a last value that is not set", "support/support/support", "await s.newer(", "void ("},
		{"an older value in place of the last", "support/support/support", "${e.name(order)} < $",
			"${e.name(order)} <> $"},
		{"a copy that does not follow", "support/support/support", "await s.set(item",
			"void (item"},
		{"a feed that is not cleaned", "feeds/feeds/feeds", "await s.remove(", "void ("},
		{"the first page only", "support/support/support", "from = page.LastEvaluatedKey;", ""},
		{"items that are left unprocessed", "feeds/feeds/feeds",
			"left = out.UnprocessedItems", "left = ({}).none"},
		{"a record that is left out", "support/support/support",
			"return { failed: record.dynamodb?.SequenceNumber ?? \"\", error };", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.mistake(t, path.Dir(c.code), c.old, c.new)
			cmd := exec.Command("node", "--test-reporter", "tap", "tests.js", c.code+".test.js")
			cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "KUGIRI_BINARY="+binary)
			out, err := cmd.Output()
			assert.Error(t, err)
			assert.Contains(t, string(out), "\n    not ok ")
		})
	}
}

// mistake replaces a text in the compiled modules of a directory that are no tests, until the test
// ends. One of them has it.
func (s scripts) mistake(t *testing.T, dir, old, with string) {
	files, err := filepath.Glob(filepath.Join(s.dir, "out", filepath.FromSlash(dir), "*.js"))
	require.NoError(t, err)
	found := false
	for _, file := range files {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(filepath.Base(file), ".t") || !strings.Contains(string(code), old) {
			continue
		}
		found = true
		require.NoError(t, os.WriteFile(file,
			[]byte(strings.ReplaceAll(string(code), old, with)), 0o600))
		t.Cleanup(func() { assert.NoError(t, os.WriteFile(file, code, 0o600)) })
	}
	require.True(t, found, old)
}

// passedIn returns how many tests of each suite passed, by what a run of Node's tests prints.
func passedIn(tap string) map[string]int {
	passed := map[string]int{}
	suite := ""
	for line := range strings.Lines(tap) {
		if name, ok := strings.CutPrefix(line, "# Subtest: "); ok {
			suite = strings.TrimSpace(name)
		}
		if strings.HasPrefix(line, "    ok ") {
			passed[suite]++
		}
	}
	return passed
}

// synthesize compares the templates of the CDK with the inputs of CreateTable.
func (s scripts) synthesize(t *testing.T) {
	program, designs := []string{"node", "synth.js"}, append(slices.Clone(designs), inTables)
	for _, d := range designs {
		program = append(program, d.name)
	}
	var all map[string][]struct {
		Type, DeletionPolicy, UpdateReplacePolicy string
		Properties                                map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(s.run(t, "", nil, program...)), &all))
	for _, d := range designs {
		plans := tablesOf(t, d.file)
		require.Len(t, all[d.name], len(plans), d.name)
		for i, table := range all[d.name] {
			assert.Equal(t, []string{"AWS::DynamoDB::Table", "Retain", "Retain"},
				[]string{table.Type, table.DeletionPolicy, table.UpdateReplacePolicy}, d.name)
			text, err := json.Marshal(properties(plans[i]))
			require.NoError(t, err)
			var create map[string]any
			require.NoError(t, json.Unmarshal(text, &create))
			sortAttributes(create)
			sortAttributes(table.Properties)
			assert.Equal(t, create, table.Properties, d.name)
		}
	}
}

// sortAttributes sorts the attribute definitions, whose order makes no difference.
func sortAttributes(in map[string]any) {
	slices.SortFunc(in["AttributeDefinitions"].([]any), func(a, b any) int {
		name := func(v any) string { return v.(map[string]any)["AttributeName"].(string) }
		return strings.Compare(name(a), name(b))
	})
}
