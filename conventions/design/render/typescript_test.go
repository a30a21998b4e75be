package render_test

import (
	"encoding/json"
	"os"
	"os/exec"
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
	for _, d := range designs {
		require.NoError(t, os.CopyFS(filepath.Join(s.dir, d.name),
			os.DirFS(filepath.Join("testdata", d.name))))
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
	if os.Getenv("GOWORK") == "off" {
		t.Skip("the command is in another module")
	}
	binary := filepath.Join(t.TempDir(), "kugiri")
	out, err := exec.Command("go", "build", "-o", binary,
		"github.com/kugiri-db/kugiri/cmd/kugiri").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			found, err := filepath.Glob(filepath.Join(s.dir, d.name, "*", "*.test.ts"))
			require.NoError(t, err)
			require.Len(t, found, 1)
			dir, err := filepath.Rel(s.dir, filepath.Dir(found[0]))
			require.NoError(t, err)
			test := "../../out/" + filepath.ToSlash(dir) + "/" +
				strings.TrimSuffix(filepath.Base(found[0]), ".ts") + ".js"
			text := s.run(t, filepath.ToSlash(dir), []string{"KUGIRI_BINARY=" + binary}, "node",
				"--test", "--test-reporter", "tap", test)
			assert.Contains(t, text, "\n# fail 0\n")
			writes := len(planOf(t, d.file).Writes)
			assert.Equal(t, 1+writes, strings.Count("\n"+text, "\nok "), text)
		})
	}
}

// synthesize compares the templates of the CDK with the inputs of CreateTable.
func (s scripts) synthesize(t *testing.T) {
	program := []string{"node", "synth.js"}
	for _, d := range designs {
		program = append(program, d.name)
	}
	var all map[string][]struct {
		Type, DeletionPolicy, UpdateReplacePolicy string
		Properties                                map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(s.run(t, "", nil, program...)), &all))
	for _, d := range designs {
		require.Len(t, all[d.name], 1, d.name)
		table := all[d.name][0]
		assert.Equal(t, []string{"AWS::DynamoDB::Table", "Retain", "Retain"},
			[]string{table.Type, table.DeletionPolicy, table.UpdateReplacePolicy}, d.name)
		p := planOf(t, d.file)
		want := p.CreateTable()
		if ttl := p.TimeToLive(); ttl != nil {
			want["TimeToLiveSpecification"] = ttl["TimeToLiveSpecification"]
		}
		text, err := json.Marshal(want)
		require.NoError(t, err)
		var create map[string]any
		require.NoError(t, json.Unmarshal(text, &create))
		sortAttributes(create)
		sortAttributes(table.Properties)
		assert.Equal(t, create, table.Properties, d.name)
	}
}

// sortAttributes sorts the attribute definitions, whose order makes no difference.
func sortAttributes(in map[string]any) {
	slices.SortFunc(in["AttributeDefinitions"].([]any), func(a, b any) int {
		name := func(v any) string { return v.(map[string]any)["AttributeName"].(string) }
		return strings.Compare(name(a), name(b))
	})
}

// TestGoNoticesWrites checks that the test of a generated package fails if a write lacks a part.
func TestGoNoticesWrites(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it builds packages: run it with TEST_FULL=true")
	}
	for _, c := range []struct{ name, old, new, says string }{
		{"no guard", "\tw.put(UserEmail{Email: user.Email, ID: user.ID}.Item())\n", "",
			"a value is taken twice"},
		{"a guard that stays", "\tw.release(UserEmail{Email: user.Email, ID: user.ID}.Item())\n", "",
			"it is refused"},
		{"no condition on an update", "[]string{\"available\"}", "nil", ""},
		{"no condition on a put", "attribute_not_exists(\" + e.name(partitionKey) + \")\"),",
			"attribute_not_exists(\" + e.name(\"no\"+partitionKey) + \")\"),", "a value is taken twice"},
		{"no token", "in.ClientRequestToken = &w.Token", "", "it is refused when it is sent again"},
		{"a counter that is not counted back", "n.Neg(n)", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, err := os.MkdirTemp("testdata", "mutation")
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
			require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/invariants")))
			file := filepath.Join(dir, "invariants", "invariants.go")
			code, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Contains(t, string(code), c.old)
			require.NoError(t, os.WriteFile(file,
				[]byte(strings.ReplaceAll(string(code), c.old, c.new)), 0o600))
			out, err := exec.Command("go", "test",
				"./"+filepath.ToSlash(dir)+"/invariants").CombinedOutput()
			require.Error(t, err, string(out))
			assert.Contains(t, string(out), c.says)
		})
	}
}
