package codelint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/conventions"
)

// goFile is a parsed file.
type goFile struct {
	name string
	text []byte
	tree *ast.File
	at   *token.FileSet

	texts map[string]string // constants of its package that are text
	stack []ast.Node        // the nodes from the file to a node
	joins []join
}

// joinsOfGo calls judge with the expressions of Go files that put a separator beside a value, those
// of one directory at a time. Generated files have none.
func joinsOfGo(files []source, judge func([]join)) error {
	directories := map[string][]source{}
	for _, f := range files {
		dir := filepath.Dir(f.name)
		directories[dir] = append(directories[dir], f)
	}
	for _, dir := range slices.Sorted(maps.Keys(directories)) {
		joins, err := joinsOfDirectory(directories[dir])
		if err != nil {
			return err
		}
		judge(joins)
	}
	return nil
}

// joinsOfDirectory returns the expressions of a directory. Trees take many times the memory of
// their files, so there are those of one directory at a time.
func joinsOfDirectory(files []source) (joins []join, err error) {
	packages := map[string][]*goFile{}
	for _, f := range files {
		parsed, err := parse(f)
		if err != nil {
			return nil, err
		}
		if parsed != nil {
			name := parsed.tree.Name.Name
			packages[name] = append(packages[name], parsed)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		texts := constants(packages[name])
		for _, f := range packages[name] {
			f.texts = texts
			ast.Inspect(f.tree, f.visit)
			joins = append(joins, f.joins...)
		}
	}
	return joins, nil
}

// parse parses a file. It returns nil for a generated file.
func parse(f source) (*goFile, error) {
	at := token.NewFileSet()
	head, err := parser.ParseFile(at, f.name, f.text[:min(len(f.text), headBytes)],
		parser.ParseComments|parser.PackageClauseOnly)
	if err == nil && ast.IsGenerated(head) {
		return nil, nil
	}
	if hasManyTokens(f.text) {
		return nil, fmt.Errorf("%s has more than %d words, signs and lines", f.name, maxTokens)
	}
	tree, err := parser.ParseFile(at, f.name, f.text,
		parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	return &goFile{name: f.name, text: f.text, tree: tree, at: at}, nil
}

// headBytes is the part of a file that tells whether it is generated.
const headBytes = 64 << 10

// maxTokens is the most words, signs and lines of a file of Go that is parsed. Each takes about 100
// bytes in a tree.
const maxTokens = 1 << 19

// hasManyTokens reports whether a file has more than maxTokens.
func hasManyTokens(text []byte) bool {
	var s scanner.Scanner
	at := token.NewFileSet()
	n := bytes.Count(text, []byte("\n"))
	if n > maxTokens {
		return true
	}
	s.Init(at.AddFile("", at.Base(), len(text)), text, nil, scanner.ScanComments)
	for n <= maxTokens {
		if _, t, _ := s.Scan(); t == token.EOF {
			break
		}
		n++
	}
	return n > maxTokens
}

// constants returns the constants of a package that are text, but for separators: who names the
// separator does as the guide does. It leaves out a name that is declared twice.
func constants(files []*goFile) map[string]string {
	texts, times := map[string]string{}, map[string]int{}
	for _, f := range files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			d, ok := n.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				return true
			}
			for _, s := range d.Specs {
				spec := s.(*ast.ValueSpec)
				for i, name := range spec.Names {
					times[name.Name]++
					if i < len(spec.Values) {
						if text, ok := literal(spec.Values[i]); ok {
							texts[name.Name] = text
						}
					}
				}
			}
			return false
		})
	}
	maps.DeleteFunc(texts, func(name, text string) bool {
		return times[name] > 1 || text == conventions.KeySeparator ||
			text == conventions.VersionSeparator
	})
	return texts
}

func literal(e ast.Expr) (text string, ok bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING && lit.Kind != token.CHAR {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// visit looks at a node, and keeps the stack.
func (f *goFile) visit(n ast.Node) bool {
	if n == nil {
		f.stack = f.stack[:len(f.stack)-1]
		return true
	}
	var parts []Part
	switch x := n.(type) {
	case *ast.BinaryExpr:
		if x.Op == token.ADD && !f.isOperand() {
			parts = f.flat(x)
		}
	case *ast.AssignStmt:
		if x.Tok == token.ADD_ASSIGN {
			parts = append([]Part{f.value(x.Lhs[0])}, f.flat(x.Rhs[0])...)
		}
	case *ast.CallExpr:
		parts = f.call(x)
	}
	j := join{Parts: joined(parts), goCode: true, File: f.name}
	if c, ok := n.(*ast.CallExpr); ok && parts == nil {
		j.Parts, j.Cut = f.cut(c), true
	}
	if j.hasSeparator() || j.mixesSeparators() {
		// the real places: line directives name those of another file
		at, end := f.at.PositionFor(n.Pos(), false), f.at.PositionFor(n.End(), false)
		j.Line, j.Column = at.Line, at.Column
		j.Code, j.Names = excerpt(f.text[at.Offset:end.Offset]), f.names(n)
		f.joins = append(f.joins, j)
	}
	f.stack = append(f.stack, n)
	return true
}

// isOperand reports whether the node that is visited is part of a longer sum.
func (f *goFile) isOperand() bool {
	for _, p := range slices.Backward(f.stack) {
		switch p := p.(type) {
		case *ast.ParenExpr:
			continue
		case *ast.BinaryExpr:
			return p.Op == token.ADD
		case *ast.AssignStmt:
			return p.Tok == token.ADD_ASSIGN
		}
		return false
	}
	return false
}

// flat returns the parts of a sum.
func (f *goFile) flat(e ast.Expr) []Part {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return f.flat(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			return append(f.flat(x.X), f.flat(x.Y)...)
		}
	case *ast.BasicLit:
		if text, ok := literal(x); ok {
			return []Part{{Text: text}}
		}
	case *ast.Ident:
		if text, ok := f.texts[x.Name]; ok {
			return []Part{{Text: text}}
		}
	}
	return []Part{f.value(e)}
}

func (f *goFile) value(e ast.Expr) Part { return Part{Value: true, Name: nameOf(e)} }

// nameOf returns the last part of the name of an expression: Pk of order.Pk, pk of item["pk"].
func nameOf(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.IndexExpr:
		text, _ := literal(x.Index)
		return text
	case *ast.StarExpr:
		return nameOf(x.X)
	case *ast.ParenExpr:
		return nameOf(x.X)
	case *ast.CallExpr:
		return nameOf(x.Fun)
	case *ast.BasicLit:
		text, _ := literal(x)
		return text
	}
	return ""
}
