package codelint

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// call returns the parts of what fmt.Sprintf and strings.Join return, nil for other calls.
func (f *goFile) call(c *ast.CallExpr) []Part {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) == 0 {
		return nil
	}
	switch nameOf(s.X) + "." + s.Sel.Name {
	case "fmt.Sprintf":
		format := joined(f.flat(c.Args[0]))
		if len(format) == 1 && !format[0].Value {
			return formatted(format[0].Text, c.Args[1:])
		}
	case "strings.Join":
		if len(c.Args) != 2 {
			return nil
		}
		separator := f.flat(c.Args[1])
		list, ok := c.Args[0].(*ast.CompositeLit)
		if !ok {
			return slices.Concat([]Part{f.value(c.Args[0])}, separator, []Part{{Value: true}})
		}
		var parts []Part
		for i, e := range list.Elts {
			if i > 0 {
				parts = append(parts, separator...)
			}
			parts = append(parts, f.flat(e)...)
		}
		return parts
	}
	return nil
}

// cutters are the functions that take a text apart at a separator.
var cutters = []string{"Cut", "Split", "SplitN", "SplitAfter", "SplitSeq", "Index", "IndexByte",
	"LastIndex", "LastIndexByte", "IndexRune"}

// cut returns the text and the separator of a call that takes a text apart, nil for other calls.
func (f *goFile) cut(c *ast.CallExpr) []Part {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || nameOf(s.X) != "strings" || !slices.Contains(cutters, s.Sel.Name) ||
		len(c.Args) < 2 {
		return nil
	}
	separator, ok := literal(c.Args[1])
	if !ok || separator == "" {
		return nil
	}
	return []Part{f.value(c.Args[0]), {Text: separator}}
}

// formatted returns the parts of a format with its arguments.
func formatted(format string, args []ast.Expr) (parts []Part) {
	const beforeVerb = "+-# 0123456789.[]*"
	next := 0
	for {
		text, rest, found := strings.Cut(format, "%")
		if text != "" {
			parts = append(parts, Part{Text: text})
		}
		if !found {
			return parts
		}
		verb := strings.TrimLeft(rest, beforeVerb)
		switch {
		case verb == "":
			return parts
		case strings.HasPrefix(rest, "%"):
			parts = append(parts, Part{Text: "%"})
			verb = rest
		default:
			value := Part{Value: true}
			if next < len(args) {
				value.Name = nameOf(args[next])
			}
			next++
			parts = append(parts, value)
		}
		format = verb[1:]
	}
}

// names returns the names of what gets an expression.
func (f *goFile) names(of ast.Node) (names []string) {
	if x, ok := of.(*ast.AssignStmt); ok {
		return []string{nameOf(x.Lhs[0])}
	}
	for i := len(f.stack) - 1; i >= 0; i-- {
		switch p := f.stack[i].(type) {
		case *ast.ParenExpr, *ast.UnaryExpr, *ast.CompositeLit:
		case *ast.CallExpr:
			if len(p.Args) != 1 { // aws.String(key) is the key, and what has more parts is not
				return names
			}
		case *ast.KeyValueExpr:
			if p.Value == of {
				names = append(names, nameOf(p.Key))
			}
		case *ast.AssignStmt:
			return append(names, nameAt(p.Lhs, slices.Index(p.Rhs, asExpr(of))))
		case *ast.ValueSpec:
			if k := slices.Index(p.Values, asExpr(of)); k >= 0 && k < len(p.Names) {
				names = append(names, p.Names[k].Name)
			}
			return names
		case *ast.BinaryExpr:
			if p.Op == token.EQL || p.Op == token.NEQ {
				names = append(names, nameOf(p.X), nameOf(p.Y))
			}
			return names
		case *ast.ReturnStmt:
			outer, found := f.returned(i, slices.Index(p.Results, asExpr(of)))
			names = append(names, found...)
			if outer < 0 {
				return names
			}
			i = outer
		default:
			return names
		}
		of = f.stack[i]
	}
	return names
}

// returned returns the names of the result of the function that a statement is in. at is the place
// of a function literal in the stack, whose own name is further out, or -1.
func (f *goFile) returned(statement, result int) (at int, names []string) {
	for i := statement; i >= 0; i-- {
		switch p := f.stack[i].(type) {
		case *ast.FuncLit:
			return i, resultName(p.Type, result)
		case *ast.FuncDecl:
			return -1, append(resultName(p.Type, result), p.Name.Name)
		}
	}
	return -1, nil
}

func resultName(t *ast.FuncType, result int) (names []string) {
	if t.Results == nil {
		return nil
	}
	var all []string
	for _, f := range t.Results.List {
		for _, n := range f.Names {
			all = append(all, n.Name)
		}
	}
	if result >= 0 && result < len(all) {
		names = append(names, all[result])
	}
	return names
}

func asExpr(n ast.Node) ast.Expr {
	e, _ := n.(ast.Expr)
	return e
}

func nameAt(of []ast.Expr, i int) string {
	if i < 0 || i >= len(of) {
		return ""
	}
	return nameOf(of[i])
}
