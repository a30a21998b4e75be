package repository

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A type with more methods, or with methods in more files, is several types.
const (
	mostMethods = 40
	mostFiles   = 8
)

// methods has the files of the methods of each type, a file for each method.
type methods map[string][]string

func methodsOf(fset *token.FileSet, files []*ast.File) methods {
	all := methods{}
	for _, f := range files {
		if ast.IsGenerated(f) {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			of := receiver(fn.Recv.List[0].Type)
			all[of] = append(all[of], path.Base(fset.Position(f.Pos()).Filename))
		}
	}
	return all
}

// receiver returns the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestTypes: a type is read whole.
func TestTypes(t *testing.T) {
	fset := token.NewFileSet()
	found := 0
	for dir, files := range packagesOf(t, fset) {
		for of, in := range methodsOf(fset, files) {
			found++
			assert.LessOrEqual(t, len(in), mostMethods, "%s: methods of %s", dir, of)
			slices.Sort(in)
			in = slices.Compact(in)
			assert.LessOrEqual(t, len(in), mostFiles, "%s: files with methods of %s: %s", dir, of,
				strings.Join(in, " "))
		}
	}
	assert.Greater(t, found, 500, "types were found")
}
