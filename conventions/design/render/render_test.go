package render_test

import (
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/mutate"
	"github.com/kugiri-db/kugiri/conventions/design/render"
)

var update = flag.Bool("update", false, "write the golden files")

// designs are those whose files are in testdata.
var designs = []struct{ name, file string }{
	{"posts", "../designfile/testdata/design.yaml"},
	{"shop", "../../../emulator/proof/testdata/shop.yaml"},
	{"game", "../../../emulator/proof/testdata/game.yaml"},
	{"together", "../../../emulator/proof/testdata/together.yaml"},
	{"spread", "../../../emulator/proof/testdata/spread.yaml"},
	{"similar", "../../../emulator/proof/testdata/similar.yaml"},
	{"tenants", "../../../emulator/proof/testdata/tenants.yaml"},
	{"begins", "../../../emulator/proof/testdata/begins.yaml"},
	{"local", "../../../emulator/proof/testdata/local.yaml"},
	{"fetched", "../../../emulator/proof/testdata/fetched.yaml"},
	{"inverted", "../../../emulator/proof/testdata/inverted.yaml"},
	{"names", "testdata/names.yaml"},
	{"invariants", "../../../emulator/proof/testdata/invariants.yaml"},
}

func planOf(t *testing.T, file string) *design.Plan {
	t.Helper()
	p, err := designfile.PlanFile(file)
	require.NoError(t, err)
	return p
}

// TestGolden compares all files of a plan with those in testdata, which the other tests use.
func TestGolden(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			files, err := render.Files(planOf(t, d.file))
			require.NoError(t, err)
			dir := filepath.Join("testdata", d.name)
			if *update {
				require.NoError(t, os.RemoveAll(dir))
			}
			var names []string
			for _, f := range files {
				name := filepath.Join(dir, filepath.FromSlash(f.Name))
				names = append(names, f.Name)
				if *update {
					require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
					require.NoError(t, os.WriteFile(name, f.Content, 0o644))
				}
				want, err := os.ReadFile(name)
				require.NoError(t, err)
				assert.Equal(t, string(want), string(f.Content), f.Name)
			}
			assert.ElementsMatch(t, names, filesIn(t, dir))
			assert.True(t, slices.IsSorted(names))
		})
	}
}

func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	}))
	return names
}

// TestGo runs the tests of the generated packages: they load the samples, and run all patterns. It
// takes one package, and all of them with TEST_FULL=true.
func TestGo(t *testing.T) {
	packages, err := filepath.Glob("testdata/*/*/*_test.go")
	require.NoError(t, err)
	require.Len(t, packages, len(designs))
	if os.Getenv("GOWORK") == "off" { // the oldest SDK that programs may use has no SearchVectors
		packages = slices.DeleteFunc(packages,
			func(name string) bool { return strings.Contains(name, "similar") })
	}
	if os.Getenv("TEST_FULL") == "" {
		packages = packages[:1]
	}
	arguments := []string{"test", "-count=1", "-v"}
	for _, name := range packages {
		arguments = append(arguments, "./"+filepath.ToSlash(filepath.Dir(name)))
	}
	out, err := exec.Command("go", arguments...).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, len(packages), strings.Count(string(out), "\n--- PASS: TestPatterns "))
}

// TestGoNotices checks that the test of a generated package fails for a plan with a mistake.
func TestGoNotices(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it builds packages: run it with TEST_FULL=true")
	}
	dir, err := os.MkdirTemp("testdata", "mutation")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	p := planOf(t, designs[0].file)
	for i, name := range []string{
		"the values of GSI1SK_GSI2SK_GSI3SK do not begin with the model's name",
		"GSI1 has no sort key",
	} {
		t.Run(name, func(t *testing.T) {
			at := slices.IndexFunc(mutate.All(p),
				func(m mutate.Mutation) bool { return m.Name == name })
			require.GreaterOrEqual(t, at, 0)
			files, err := render.Files(mutate.All(p)[at].Plan)
			require.NoError(t, err)
			below := filepath.Join(dir, strconv.Itoa(i))
			for _, f := range files {
				name := filepath.Join(below, filepath.FromSlash(f.Name))
				require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
				require.NoError(t, os.WriteFile(name, f.Content, 0o644))
			}
			out, err := exec.Command("go", "test",
				"./"+filepath.ToSlash(below)+"/posts").CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(out), "found the rows")
		})
	}
}

// TestCloudFormation checks that a template has the input of CreateTable.
func TestCloudFormation(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", d.name, "template.yaml"))
			require.NoError(t, err)
			var template struct {
				Version   string `yaml:"AWSTemplateFormatVersion"`
				Resources struct {
					Table struct {
						Type       string         `yaml:"Type"`
						Properties map[string]any `yaml:"Properties"`
					} `yaml:"Table"`
				} `yaml:"Resources"`
			}
			require.NoError(t, yaml.Unmarshal(text, &template))
			assert.Equal(t, "2010-09-09", template.Version)
			assert.Equal(t, "AWS::DynamoDB::Table", template.Resources.Table.Type)
			got, err := json.Marshal(template.Resources.Table.Properties)
			require.NoError(t, err)
			p := planOf(t, d.file)
			create := p.CreateTable()
			if p.TTL != "" {
				create["TimeToLiveSpecification"] = p.TimeToLive()["TimeToLiveSpecification"]
			}
			want, err := json.Marshal(create)
			require.NoError(t, err)
			assert.JSONEq(t, string(want), string(got))
		})
	}
}

// TestTerraform checks the form of the configuration with terraform, where it is installed.
func TestTerraform(t *testing.T) {
	terraform, err := exec.LookPath("terraform")
	if err != nil {
		t.Skip("needs terraform")
	}
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			out, err := exec.Command(terraform, "fmt", "-check", "-diff",
				filepath.Join("testdata", d.name, "table.tf")).CombinedOutput()
			require.NoError(t, err, string(out))
		})
	}
}

// TestReport checks that a report needs no other file, and that names are text in it.
func TestReport(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", d.name, "plan.html"))
			require.NoError(t, err)
			for _, forbidden := range []string{"<script", "<link", "<img", "src=", "url(", "http:",
				"https:", "ZgotmplZ"} {
				assert.NotContains(t, string(text), forbidden)
			}
		})
	}
}
