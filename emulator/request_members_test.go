package emulator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// TestMembersOfRequestsAreRead: a member that a newer model brings is served or refused. One whose
// name no code selects would be accepted and ignored.
func TestMembersOfRequestsAreRead(t *testing.T) {
	names := selectedNames(t)
	for _, o := range operations {
		assertRead(t, names, o.Name, o.Input)
	}
}

// selectedNames returns the names after the dots in the code that reads requests.
func selectedNames(t *testing.T) map[string]bool {
	var files []string
	for _, code := range []string{"*.go", "internal/feature/*/*.go", "internal/serve/*.go",
		"internal/replication/*.go", "internal/tables/*.go"} {
		found, err := filepath.Glob(code)
		require.NoError(t, err)
		require.NotEmpty(t, found, code)
		files = append(files, found...)
	}
	names := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && !isTypeName(s) {
				names[s.Sel.Name] = true
			}
			return true
		})
	}
	return names
}

// isTypeName reports whether a selector names something of package api, such as api.Timestamp.
func isTypeName(s *ast.SelectorExpr) bool {
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "api"
}

// refusedWhole are the members of missing features: requests with them are refused, so that no code
// reads what is in them.
var refusedWhole []string

// ofEmptyLists are the members, by their shapes, that select from a list that is always empty.
var ofEmptyLists = map[string][]string{}

func assertRead(t *testing.T, names map[string]bool, path string, shape reflect.Type) {
	for shape.Kind() == reflect.Pointer || shape.Kind() == reflect.Slice {
		shape = shape.Elem()
	}
	switch {
	case strings.HasPrefix(shape.Name(), "Entry["): // an entry of a map
		assertRead(t, names, path, shape.Field(1).Type)
	case shape.Kind() == reflect.Struct && shape.PkgPath() == apiPackage &&
		shape != reflect.TypeFor[api.AttributeValue]():
		for i := range shape.NumField() {
			f := shape.Field(i)
			if !slices.Contains(ofEmptyLists[shape.Name()], f.Name) {
				assert.True(t, names[f.Name],
					"%s.%s is ignored: serve it or refuse it with unsupported", path, f.Name)
			}
			if !slices.Contains(refusedWhole, f.Name) {
				assertRead(t, names, path+"."+f.Name, f.Type)
			}
		}
	}
}

var apiPackage = reflect.TypeFor[api.Constraint]().PkgPath()
