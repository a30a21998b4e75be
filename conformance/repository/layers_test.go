package repository

import (
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/kugiri-db/kugiri"

// layers lists the packages of the module from top to bottom. A package may import packages on
// lower lines, but none on its own line or above (.github/CONTRIBUTING.md, "Where things are").
var layers = []string{
	"conformance/cmd/scorecard",
	"conformance/cmd/testreport",
	"conformance/cmd/blocks",
	"conformance/cmd/clients",
	"conformance/clients",
	"conformance/cmd/console",
	"conformance/cmd/playground",
	"conformance/console",
	"conformance",
	"conformance/repository",
	"conformance/soak",
	"conformance/facts",
	"cmd/kugiri",
	"cmd/kugiri/internal/servecmd",
	"cmd/kugiri/internal/designs",
	"cmd/kugiri/internal/docsite/markdown",
	"cmd/kugiri/internal/docsite",
	"cmd/kugiri/internal/playground",
	"cmd/kugiri/internal/forks",
	"cmd/kugiri/internal/console",
	"cmd/kugiri/internal/agent",
	"cmd/kugiri/internal/compare",
	"cmd/kugiri/internal/clone",
	"cmd/kugiri/internal/lint",
	"cmd/kugiri/internal/codelint",
	"cmd/kugiri/internal/datadir",
	"cmd/kugiri/internal/transfer",
	"cmd/kugiri/internal/parameters",
	"cmd/kugiri/internal/definition",
	"cmd/kugiri/internal/settings",
	"cmd/kugiri/internal/logs",
	"cmd/kugiri/internal/listen",
	"cmd/kugiri/internal/access",
	"cmd/kugiri/internal/kinesissink",
	"cmd/kugiri/internal/s3store",
	"cmd/kugiri/internal/prices",
	"cmd/kugiri/internal/remote",
	"cmd/kugiri/internal/endpoint",
	"cmd/kugiri/internal/cli",
	"cmd/kugiri/internal/sarif",
	"cmd/kugiri/internal/version",
	"cmd/kugiri/internal/sqlite",
	"cmd/kugiri/internal/progress",
	"cmd/kugiri/internal/terminal",
	"emulator/docs/recipes",
	"emulator/docs",
	"emulator/explore/zoo",
	"emulator/explore",
	"emulator/emulatortest",
	"emulator/bucket",
	"emulator/admin",
	"emulator/explore/remote",
	"emulator/proof",
	"emulator/explore/search",
	"emulator/dax",
	"emulator/dax/protocol",
	"emulator/dax/cbor",
	"emulator/traffic/patternfile",
	"emulator/traffic/races",
	"emulator/isolation",
	"emulator/traffic",
	"emulator/metrics",
	"emulator/seed",
	"emulator",
	"emulator/internal/front",
	"emulator/internal/inject",
	"emulator/internal/feature/jobs",
	"emulator/internal/feature/backups",
	"emulator/internal/feature/statements",
	"emulator/internal/feature/control",
	"emulator/internal/feature/items",
	"emulator/internal/feature/streams",
	"emulator/internal/feature/kinesis",
	"emulator/internal/feature/triggers",
	"emulator/internal/feature/insights",
	"emulator/internal/feature/accelerators",
	"emulator/internal/permit",
	"emulator/internal/serve",
	"emulator/internal/acceleration",
	"emulator/dax/cache",
	"emulator/internal/enforce",
	"emulator/internal/faults",
	"emulator/internal/records",
	"emulator/internal/where",
	"emulator/internal/observe",
	"emulator/internal/auth",
	"emulator/internal/httpd",
	"emulator/internal/replication",
	"emulator/internal/metering",
	"emulator/internal/states",
	"emulator/internal/tables",
	"emulator/internal/keys",
	"emulator/internal/topk",
	"emulator/internal/arn",
	"emulator/internal/judgement",
	"emulator/internal/apierr",
	"emulator/transfers",
	"emulator/iam",
	"emulator/fault",
	"emulator/trigger",
	"emulator/internal/hostcheck",
	"conventions/docs",
	"conventions/example",
	"conventions/dynamo",
	"conventions/mask",
	"conventions/guard",
	"conventions/gateway",
	"conventions/design/designfile",
	"conventions/design/source",
	"conventions/design/render",
	"conventions/design/render/running",
	"conventions/design/render/internal/support",
	"conventions/design/migrate",
	"conventions/design/mutate",
	"conventions/design/consuming",
	"conventions/design",
	"conventions/design/writing",
	"conventions/policy/policyfile",
	"conventions/internal/verdict",
	"conventions/internal/fields",
	"conventions/internal/spelling",
	"conventions/policy/policytest",
	"conventions/policy",
	"conventions/policy/request",
	"conventions/catalog",
	"conventions/workbench",
	"conventions/sigv4",
	"conventions/outgoing",
	"conventions/pricing",
	"conventions",
	"conventions/wire",
	"conventions/api",
	"conventions/api/generate",
	"expr",
	"expr/partiql",
	"expr/internal/function",
	"expr/internal/memo",
	"storage",
	"storage/disk",
	"storage/journal",
	"storage/item",
	"storage/item/jsontext",
	"storage/rapidseed",
	"storage/growth",
	"storage/jsontree",
	"storage/budget",
	"storage/item/raw",
}

// features lists the features that a feature may import. A feature knows no others.
var features = map[string][]string{
	"statements": {"items"},
	"jobs":       {"items", "control", "backups"},
	"backups":    {"control"},
}

const featureDir = "emulator/internal/feature/"

// forbidden lists prefixes of packages that only tests may import.
var forbidden = []string{"testing", "github.com/stretchr/testify", "pgregory.net/rapid", sdk}

const sdk = "github.com/aws/"

// forClients lists packages for users of the AWS SDK. They may import the SDK, but the server must
// not link them.
var forClients = map[string]bool{
	"cmd/kugiri":                        true, // some commands are clients
	"cmd/kugiri/internal/agent":         true,
	"cmd/kugiri/internal/console":       true,
	"cmd/kugiri/internal/definition":    true,
	"cmd/kugiri/internal/designs":       true,
	"cmd/kugiri/internal/endpoint":      true,
	"cmd/kugiri/internal/forks":         true,
	"cmd/kugiri/internal/kinesissink":   true,
	"cmd/kugiri/internal/remote":        true,
	"cmd/kugiri/internal/servecmd":      true,
	"cmd/kugiri/internal/clone":         true,
	"cmd/kugiri/internal/compare":       true,
	"cmd/kugiri/internal/lint":          true,
	"cmd/kugiri/internal/s3store":       true,
	"cmd/kugiri/internal/transfer":      true,
	"conventions/dynamo":                true,
	"conventions/example":               true,
	"conventions/guard":                 true,
	"conventions/mask":                  true,
	"conventions/gateway":               true,
	"emulator/emulatortest":             true,
	"emulator/explore":                  true,
	"emulator/proof":                    true, // it runs generated code
	"conventions/design/render/running": true,
	copied:                              true,
}

// forTests lists packages that only tests import.
var forTests = map[string]bool{"storage/rapidseed": true, "storage/growth": true,
	"conventions/policy/policytest": true, "emulator/explore": true}

// forServer lists packages that only the command uses.
var forServer = map[string]bool{"emulator/metrics": true}

// ofServer lists prefixes of packages that only the command and packages for clients may link.
var ofServer = []string{"github.com/spf13/", "github.com/aymanbagabas/",
	"github.com/VictoriaMetrics/"}

// importLayer returns the number of a package's layer, -1 for a package of another module, and -2
// for a package without a layer.
func importLayer(pkg string) int {
	if pkg != module && !strings.HasPrefix(pkg, module+"/") {
		return -1
	}
	for i, l := range layers {
		if pkg == path.Join(module, l) {
			return i
		}
	}
	return -2
}

// sourceFiles returns the paths of the Go files of the three modules, relative to the root. Like
// the go command, it leaves testdata out.
func sourceFiles(t *testing.T, root string) []string {
	var files []string
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." &&
			(strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || isForeign(t, root, p)):
			return fs.SkipDir
		case strings.HasSuffix(p, ".go"):
			files = append(files, p)
		}
		return nil
	})
	require.NoError(t, err)
	return files
}

// isForeign reports whether a directory is a module that the workspace does not have, such as an
// example.
func isForeign(t *testing.T, root, dir string) bool {
	_, err := os.Stat(filepath.Join(root, dir, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	require.NoError(t, err)
	workspace, err := os.ReadFile(filepath.Join(root, "go.work"))
	require.NoError(t, err)
	return !strings.Contains(string(workspace), "\t./"+dir+"\n")
}

func importsOf(t *testing.T, file string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	require.NoError(t, err)
	var imports []string
	for _, i := range f.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		imports = append(imports, name)
	}
	return imports
}

func TestImportsGoDown(t *testing.T) {
	root := filepath.Join("..", "..")
	checked := 0
	for _, file := range sourceFiles(t, root) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		from := importLayer(path.Join(module, path.Dir(file)))
		if !assert.GreaterOrEqual(t, from, 0, "%s is in no layer", file) {
			continue
		}
		for _, imported := range importsOf(t, filepath.Join(root, file)) {
			to := importLayer(imported)
			assert.NotEqual(t, -2, to, "%s imports %s, which is in no layer", file, imported)
			assert.False(t, to >= 0 && to <= from, "%s imports %s, which is above it", file,
				imported)
			for _, f := range forbidden {
				if f == sdk && forClients[path.Dir(file)] || forTests[path.Dir(file)] {
					continue
				}
				assert.False(t,
					imported == f || strings.HasPrefix(imported, strings.TrimSuffix(f, "/")+"/"),
					"%s imports %s, which is for tests", file, imported)
			}
		}
		checked++
	}
	assert.Greater(t, checked, 300, "files were found")
}

// TestBTreesAreHidden: fields of the library's generic trees are in no type that a package imports.
// The compiler would generate all of their methods again in each package that imports it.
func TestBTreesAreHidden(t *testing.T) {
	root := filepath.Join("..", "..")
	var importers []string
	for _, file := range sourceFiles(t, root) {
		if !strings.HasSuffix(file, "_test.go") && slices.Contains(
			importsOf(t, filepath.Join(root, file)), "github.com/tidwall/btree") {
			importers = append(importers, filepath.ToSlash(file))
		}
	}
	assert.Equal(t, []string{"storage/sorted.go"}, importers)
}

// TestFeaturesAreApart: a feature imports only the features that it is allowed to, and nothing
// below the features imports one.
func TestFeaturesAreApart(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	for _, file := range sourceFiles(t, root) {
		dir := path.Dir(file)
		from, isFeature := strings.CutPrefix(dir, featureDir)
		if strings.HasSuffix(file, "_test.go") ||
			!isFeature && !strings.HasPrefix(dir, "emulator/internal/") {
			continue
		}
		for _, imported := range importsOf(t, filepath.Join(root, file)) {
			to, ok := strings.CutPrefix(imported, module+"/"+featureDir)
			if !ok {
				continue
			}
			seen[from+" "+to] = true
			assert.True(t, isFeature && slices.Contains(features[from], to),
				"%s imports feature %s", file, to)
		}
	}
	for from, list := range features {
		for _, to := range list {
			assert.True(t, seen[from+" "+to], "%s no longer imports %s: take it off the list", from,
				to)
		}
	}
}

// TestLibraryLinksNoTools: a program that embeds the emulator does not link the SDK, the command's
// dependencies or package testing, not even indirectly.
func TestLibraryLinksNoTools(t *testing.T) {
	var library []string
	for _, l := range layers {
		if !forClients[l] && !forServer[l] && !forTests[l] &&
			!strings.HasPrefix(l, "conformance") && !strings.HasPrefix(l, "cmd/") {
			library = append(library, path.Join(module, l))
		}
	}
	out, err := exec.Command("go",
		append([]string{"list", "-deps"}, library...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	linked := strings.Fields(string(out))
	assert.Contains(t, linked, "net/http")
	for _, pkg := range linked {
		for _, f := range append(slices.Clone(forbidden), ofServer...) {
			assert.False(t, pkg == f || strings.HasPrefix(pkg, strings.TrimSuffix(f, "/")+"/"),
				"the library links %s", pkg)
		}
	}
	out, err = exec.Command("go", "list", "-deps", module+"/emulator/emulatortest").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.NotContains(t, strings.Fields(string(out)), "testing")
	assert.NotContains(t, string(out), module+"/conventions/design",
		"who tests with the emulator compiles no designer")
	for _, format := range []string{"github.com/amazon-ion/ion-go/ion",
		"github.com/klauspost/compress/zstd"} {
		assert.NotContains(t, strings.Fields(string(out)), format,
			"only who imports package bucket links the formats")
	}
}

func TestImportLayer(t *testing.T) {
	for _, c := range []struct {
		name, pkg string
		want      int
	}{
		{"the top", module + "/conformance/cmd/scorecard", 0},
		{"the bottom", module + "/storage/item/raw", len(layers) - 1},
		{"a package of no layer", module + "/storage/other", -2},
		{"another module", "example.com/x", -1},
		{"a module with a longer name", module + "-x/storage", -1},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, importLayer(c.pkg)) })
	}
}

// TestSeedsAreFixed: each package whose tests use rapid fixes its seed, so that a run does not fail
// by luck.
func TestSeedsAreFixed(t *testing.T) {
	root := filepath.Join("..", "..")
	draws, fixes := map[string]bool{}, map[string]bool{}
	for _, file := range sourceFiles(t, root) {
		for _, imported := range importsOf(t, filepath.Join(root, file)) {
			isTest := strings.HasSuffix(file, "_test.go")
			switch imported {
			case "pgregory.net/rapid":
				draws[path.Dir(file)] = isTest
			case module + "/storage/rapidseed":
				assert.True(t, isTest, "%s is no test and fixes a seed", file)
				fixes[path.Dir(file)] = true
			}
		}
	}
	assert.Greater(t, len(draws), 20, "packages were found")
	for dir, isTest := range draws {
		assert.True(t, !isTest || fixes[dir], "no test of %s imports storage/rapidseed", dir)
	}
}
