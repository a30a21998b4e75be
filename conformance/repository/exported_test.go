package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// byOthers has exported names that only packages outside the repository use, by way of an
// interface.
var byOthers = map[string]string{
	"HTTPStatusCode": "the SDK",
	"MarshalText":    "encoding/json",
	"Pop":            "container/heap",
	"Push":           "container/heap",
	"RegisterFuncs":  "goldmark",
	"RetryableError": "the SDK",
	"WithAttrs":      "log/slog",
	"WithGroup":      "log/slog",
}

// copied is a package whose files are copied into the packages of others, who use its names.
const copied = "conventions/design/render/internal/support"

// mentions has, by name, the packages whose code has an identifier or a selector of that name.
type mentions map[string]map[string]bool

func (m mentions) add(in string, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.IsExported() {
			if m[id.Name] == nil {
				m[id.Name] = map[string]bool{}
			}
			m[id.Name][in] = true
		}
		return true
	})
}

// onlyIn reports whether no other package has the name.
func (m mentions) onlyIn(name, in string) bool { return len(m[name]) == 1 && m[name][in] }

// exportedFuncs returns the exported functions and methods that a file declares.
func exportedFuncs(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

// shared has public packages that only packages of the repository are to use: both the server and
// the policies, which share no internal directory.
var shared = map[string]bool{"conventions/api": true, "conventions/wire": true}

// isOurs reports whether a package is for packages of the repository alone.
func isOurs(dir string) bool {
	return isInternal(dir) && dir != copied || shared[dir] || strings.HasPrefix(dir, "cmd/") ||
		strings.HasPrefix(dir, "conformance")
}

// TestExported: a function or a method of an internal package or a command is exported because
// another package calls it. Types and constants may be exported without that: they belong to what
// another package uses.
func TestExported(t *testing.T) {
	root := filepath.Join("..", "..")
	m := mentions{}
	declared := map[string][]string{} // names by package
	for _, file := range sourceFiles(t, root) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil,
			parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		dir := path.Dir(file)
		in := dir
		if strings.HasSuffix(f.Name.Name, "_test") {
			in += "_test"
		}
		m.add(in, f)
		if !strings.HasSuffix(file, "_test.go") && !ast.IsGenerated(f) && isOurs(dir) {
			declared[dir] = append(declared[dir], exportedFuncs(f)...)
		}
	}
	assert.Greater(t, len(declared), 50, "packages were found")
	for dir, names := range declared {
		for _, name := range names {
			assert.True(t, byOthers[name] != "" || !m.onlyIn(name, dir),
				"%s: no other package uses %s: it need not be exported", dir, name)
		}
	}
	for name := range byOthers {
		assert.Contains(t, m, name, "there is no %s any more", name)
	}
}
