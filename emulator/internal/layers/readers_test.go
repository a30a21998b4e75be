package layers

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bounded has, by file, why what a file reads as a whole has a limit although its call does not say
// which. Anything else that reads a whole input goes through internal/budget, or limits its reader
// where it calls io.ReadAll.
var bounded = map[string]string{
	"cmd/kugiri/healthcheck.go":                      "a file of /proc",
	"cmd/kugiri/internal/codelint/source.go":         "the file's size was asked before",
	"cmd/kugiri/internal/console/remote.go":          "the console's server limits bodies",
	"cmd/kugiri/internal/definition/hcl.go":          "the file's size was asked before",
	"cmd/kugiri/internal/definition/read.go":         "its package has a budget",
	"cmd/kugiri/internal/docsite/markdown/recipe.go": "a file of the program",
	"cmd/kugiri/internal/docsite/markdown/source.go": "a file of the program",
	"cmd/kugiri/internal/endpoint/http_client.go":    "a request of our own",
	"cmd/kugiri/internal/forks/forks.go":             "a request of our own",
	"conventions/guard/guard.go":                     "a request of the program's own",
	"emulator/admin/answer.go":                       "the handler limits bodies",
	"emulator/emulatortest/golden.go":                "a file of the test's own",
	"emulator/explore/search/cached_batch.go":        "an answer of the emulator",
	"emulator/explore/search/gate.go":                "a request of a worker's own",
	"emulator/explore/search/run.go":                 "an answer of the emulator",
	"emulator/internal/api/generate/model.go":        "a file of the repository",
	"emulator/isolation/actor.go":                    "an answer of the emulator",
	"emulator/proof/client.go":                       "an answer of the emulator",
	"emulator/seed/data.go":                          "its package has a budget",
	"emulator/seed/load.go":                          "an answer of the emulator",
	"emulator/traffic/races/replay.go":               "an answer of the emulator",
	"storage/disk/log_repair.go":                     "a file of the data directory",
	"storage/disk/marks.go":                          "a file of the data directory",
	"storage/disk/scan.go":                           "a file of the data directory",
	"storage/disk/segment.go":                        "a file of the data directory",
	"storage/disk/verify.go":                         "a file of the data directory",
}

// limits are calls that give io.ReadAll a limit.
var limits = map[string]bool{"io.LimitReader": true, "http.MaxBytesReader": true}

// selected returns the name of a call's function, such as "io.ReadAll".
func selected(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return pkg.Name + "." + s.Sel.Name
}

// readsWhole returns where a file reads something whole without a limit.
func readsWhole(f *ast.File) (at []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if selected(n.Fun) == "io.ReadAll" && len(n.Args) == 1 {
				if from, ok := n.Args[0].(*ast.CallExpr); ok && limits[selected(from.Fun)] {
					return false
				}
			}
		case *ast.SelectorExpr:
			switch selected(n) {
			case "io.ReadAll", "os.ReadFile", "fs.ReadFile":
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}

// TestReadersAreBounded: whatever reads a file, a body or an answer as a whole has a limit, or a
// reason. A new reader without either does not pass.
func TestReadersAreBounded(t *testing.T) {
	fset := token.NewFileSet()
	found := map[string]bool{}
	for dir, files := range packagesOf(t, fset) {
		if strings.HasPrefix(dir, "conformance") {
			continue
		}
		for _, f := range files {
			for _, at := range readsWhole(f) {
				where := fset.Position(at)
				name := path.Join(dir, path.Base(where.Filename))
				found[name] = true
				assert.NotEmpty(t, bounded[name], "%s:%d reads all of an input of any size: use "+
					"internal/budget, or say in bounded why it has a limit", name, where.Line)
			}
		}
	}
	require.NotEmpty(t, found)
	for name := range bounded {
		assert.True(t, found[name] || strings.Contains(name, "definition/") ||
			strings.Contains(name, "seed/"), "%s no longer reads: take it off the list", name)
	}
}
