package facts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Index has the tests of Go source, and the string literals that may name their cases.
type Index struct {
	packages map[string]map[string]*declaration // all, by directory and package, and by name
}

// declaration is a function, or a variable or constant of a package.
type declaration struct {
	literals map[string]bool
	uses     map[string]bool // names in it
}

var testName = regexp.MustCompile(`^(Test|Fuzz|Example)[A-Z_]\w*$`)

// Add adds the declarations of a file, whose path is slashed.
func (x *Index) Add(file string, source []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if x.packages == nil {
		x.packages = map[string]map[string]*declaration{}
	}
	name := path.Dir(file) + " " + f.Name.Name
	if x.packages[name] == nil {
		x.packages[name] = map[string]*declaration{}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				x.packages[name][d.Name.Name] = declarationOf(d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, id := range v.Names {
						x.packages[name][id.Name] = declarationOf(v)
					}
				}
			}
		}
	}
	return nil
}

func declarationOf(n ast.Node) *declaration {
	d := &declaration{map[string]bool{}, map[string]bool{}}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				d.literals[text] = true
			}
		case *ast.Ident:
			d.uses[n.Name] = true
		}
		return true
	})
	return d
}

// Has reports whether some package has a test, and the test the case that follows a slash. The
// name of a case is a string literal of the test, or of what the test uses of its package.
func (x *Index) Has(name string) bool {
	test, kase, ofCase := strings.Cut(name, "/")
	if !testName.MatchString(test) {
		return false
	}
	for _, p := range x.packages {
		d := p[test]
		if d != nil && (!ofCase || namesCase(p, d, kase)) {
			return true
		}
	}
	return false
}

// namesCase reports whether a declaration has literals for the name of a case. The name of a case
// inside another one follows that one's, with a slash.
func namesCase(p map[string]*declaration, d *declaration, name string) bool {
	has := func(text string) bool {
		if d.literals[text] {
			return true
		}
		for use := range d.uses {
			if other := p[use]; other != nil && !testName.MatchString(use) && other.literals[text] {
				return true
			}
		}
		return false
	}
	if has(name) {
		return true
	}
	for i, r := range name {
		if r == '/' && has(name[:i]) && namesCase(p, d, name[i+1:]) {
			return true
		}
	}
	return false
}
