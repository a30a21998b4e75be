package repository

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mostInCircle is how many files of a package may need each other. To read one of them is to read
// all.
const mostInCircle = 15

// larger has the packages that may have larger circles.
var larger = map[string]int{
	"emulator/internal/feature/items": 20,
}

// noImports is an importer that finds no package: what a file needs of its own package shows
// without the others.
type noImports struct{}

// Import implements types.Importer.
func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

// needs has, for each file, the files that declare what it uses.
type needs map[string]map[string]bool

// needsOf returns the needs of the files of a package.
func needsOf(fset *token.FileSet, files []*ast.File) needs {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := conf.Check("package", fset, files, info) // its errors are those of the imports
	n := needs{}
	for id, o := range info.Uses {
		from, to := fset.Position(id.Pos()).Filename, fset.Position(o.Pos()).Filename
		if _, isImport := o.(*types.PkgName); isImport || o.Pkg() != pkg || from == to {
			continue
		}
		if n[from] == nil {
			n[from] = map[string]bool{}
		}
		n[from][to] = true
	}
	return n
}

// reach returns the files that a file needs, and those that they need.
func (n needs) reach(file string) map[string]bool {
	seen, next := map[string]bool{}, []string{file}
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		for to := range n[at] {
			if !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		}
	}
	return seen
}

// largestCircle returns the largest set of files that all need each other.
func (n needs) largestCircle() (circle []string) {
	all := map[string]map[string]bool{}
	for file := range n {
		all[file] = n.reach(file)
	}
	for file, reached := range all {
		var own []string
		for other := range reached {
			if all[other][file] {
				own = append(own, path.Base(other))
			}
		}
		if len(own) > len(circle) {
			circle = own
		}
	}
	slices.Sort(circle)
	return circle
}

// packagesOf parses the packages of the repository without their tests, by directory.
func packagesOf(t *testing.T, fset *token.FileSet) map[string][]*ast.File {
	root := filepath.Join("..", "..")
	packages := map[string][]*ast.File{}
	for _, file := range sourceFiles(t, root) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(root, file), nil,
			parser.SkipObjectResolution)
		require.NoError(t, err)
		packages[path.Dir(file)] = append(packages[path.Dir(file)], f)
	}
	assert.Greater(t, len(packages), 100, "packages were found")
	return packages
}

// TestCircles: a package is read file by file.
func TestCircles(t *testing.T) {
	fset := token.NewFileSet()
	for dir, files := range packagesOf(t, fset) {
		most := mostInCircle
		if larger[dir] > 0 {
			most = larger[dir]
		}
		if len(files) <= most {
			continue
		}
		circle := needsOf(fset, files).largestCircle()
		assert.LessOrEqual(t, len(circle), most, "%s has a circle of %d files, and may have %d: %s",
			dir, len(circle), most, strings.Join(circle, " "))
	}
}

func TestLargestCircle(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"nothing in common", map[string]string{"a.go": "func a() {}", "b.go": "func b() {}"}, nil},
		{"one way", map[string]string{"a.go": "func a() { b() }", "b.go": "func b() {}"}, nil},
		{"both ways", map[string]string{
			"a.go": "func a() { b() }",
			"b.go": "func b() { a() }",
		}, []string{"a.go", "b.go"}},
		{"by way of a third", map[string]string{
			"a.go": "func a() { b() }",
			"b.go": "func b() { c() }",
			"c.go": "func c() { a() }",
			"d.go": "func d() { a() }",
		}, []string{"a.go", "b.go", "c.go"}},
		{"by a method", map[string]string{
			"a.go": "type t int\nfunc (t) m() {}",
			"b.go": "func (t) n() { t(1).m() }",
		}, nil},
		{"by a method of the other", map[string]string{
			"a.go": "type t int\nfunc (t) m() { t(1).n() }",
			"b.go": "func (t) n() {}",
		}, []string{"a.go", "b.go"}},
		{"by a field", map[string]string{
			"a.go": "type t struct{ f int }\nvar _ = u",
			"b.go": "var u = new(t).f",
		}, []string{"a.go", "b.go"}},
		{"beside an import", map[string]string{
			"a.go": "import \"x/y\"\nfunc a() { y.Z(b) }",
			"b.go": "func b() { a() }",
		}, []string{"a.go", "b.go"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fset := token.NewFileSet()
			var files []*ast.File
			for name, text := range c.files {
				f, err := parser.ParseFile(fset, name, "package p\n"+text,
					parser.SkipObjectResolution)
				require.NoError(t, err)
				files = append(files, f)
			}
			assert.Equal(t, c.want, needsOf(fset, files).largestCircle())
		})
	}
}
