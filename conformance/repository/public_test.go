package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPublicAPI: what a public package exports is declared where who imports it can read it. "go
// doc" and pkg.go.dev show no fields and no methods of an alias, and nothing at all of a type of an
// internal package.
func TestPublicAPI(t *testing.T) {
	root := filepath.Join("..", "..")
	checked := 0
	for _, file := range sourceFiles(t, root) {
		dir := path.Dir(file)
		if strings.HasSuffix(file, "_test.go") || isInternal(dir) ||
			strings.HasPrefix(dir, "cmd/") || strings.HasPrefix(dir, "conformance") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, 0)
		require.NoError(t, err)
		for _, name := range internalIn(t, f) {
			assert.Fail(t, "an exported declaration names an internal package",
				"%s: %s: declare the type in a public package", file, name)
		}
		checked++
	}
	assert.Greater(t, checked, 300, "files were found")
}

func isInternal(dir string) bool { return slices.Contains(strings.Split(dir, "/"), "internal") }

// internalIn returns the names of internal packages that exported declarations of a file have, as
// "NAME has PACKAGE.TYPE". Values, bodies and fields that are not exported are no part of them.
func internalIn(t *testing.T, f *ast.File) (found []string) {
	internal := map[string]bool{}
	for _, i := range f.Imports {
		of, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		if strings.HasPrefix(of, module) && isInternal(of) {
			internal[path.Base(of)] = true
		}
	}
	look := func(name string, n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt, *ast.BasicLit:
				return false
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && internal[x.Name] {
					found = append(found, name+" has "+x.Name+"."+n.Sel.Name)
				}
			}
			return true
		})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil ||
				ast.IsExported(receiver(d.Recv.List[0].Type))) {
				look(d.Name.Name, d.Type)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						look(s.Name.Name, exportedOf(s.Type))
					}
				case *ast.ValueSpec:
					if s.Type != nil && s.Names[0].IsExported() {
						look(s.Names[0].Name, s.Type)
					}
				}
			}
		}
	}
	return found
}

// exportedOf returns the part of a type that who imports it can use.
func exportedOf(of ast.Expr) ast.Node {
	fields, ok := of.(*ast.StructType)
	if !ok {
		return of
	}
	list := &ast.FieldList{}
	for _, f := range fields.Fields.List {
		if len(f.Names) == 0 || f.Names[0].IsExported() {
			list.List = append(list.List, f)
		}
	}
	return list
}

// TestInternalIn: each kind of declaration is looked at.
func TestInternalIn(t *testing.T) {
	const imports = "package p\nimport \"" + module + "/emulator/internal/serve\"\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"an alias", "type T = serve.T", []string{"T has serve.T"}},
		{"a type of its own", "type T serve.T", []string{"T has serve.T"}},
		{"a field", "type T struct{ F []serve.T }", []string{"T has serve.T"}},
		{"an embedded type", "type T struct{ *serve.T }", []string{"T has serve.T"}},
		{"a parameter", "func F(serve.T) {}", []string{"F has serve.T"}},
		{"a result of a method", "func (t *T) F() serve.T { return t.f }", []string{"F has serve.T"}},
		{"a variable", "var V *serve.T", []string{"V has serve.T"}},
		{"a method of an interface", "type T interface{ F() serve.T }", []string{"T has serve.T"}},
		{"a field that is not exported", "type T struct{ f serve.T }", nil},
		{"a type that is not exported", "type t = serve.T", nil},
		{"a method of one", "func (t *t) F(serve.T) {}", nil},
		{"a body", "func F() { serve.F() }", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := parser.ParseFile(token.NewFileSet(), "", imports+c.text, 0)
			require.NoError(t, err)
			assert.Equal(t, c.want, internalIn(t, f))
		})
	}
}
