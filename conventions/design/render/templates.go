package render

import (
	"embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"html"
	"path"
	"strings"
)

// templates has the texts of the files that this package writes.
//
//go:embed templates
var templates embed.FS

// fill returns the text of a template with a block in the place of each {{name}}. A block on a line
// of its own brings the end of its line itself, so that an empty one leaves no line.
//
// The templates know no loops: package text/template calls methods by their names, so that the
// linker keeps the methods of all types of a program that has it, a third of its size.
func fill(name string, blocks map[string]string) string {
	var pairs []string
	for block, text := range blocks {
		if text == "" || strings.HasSuffix(text, "\n") {
			pairs = append(pairs, "{{"+block+"}}\n", text)
		}
		pairs = append(pairs, "{{"+block+"}}", text)
	}
	return strings.NewReplacer(pairs...).Replace(fixed(name))
}

// fixed returns the text of a template without blocks.
func fixed(name string) string {
	text, err := templates.ReadFile("templates/" + name)
	if err != nil {
		panic(err) // The program has its templates.
	}
	return string(text)
}

// lines is a block of code.
type lines struct{ strings.Builder }

// add writes a line.
func (l *lines) add(format string, arguments ...any) { fmt.Fprintf(l, format+"\n", arguments...) }

// goPackages are the packages that generated code may use, as gofmt orders them.
var goPackages = []string{"context", "errors", "regexp", "sync", "testing",
	"github.com/aws/aws-sdk-go-v2/aws", "github.com/aws/aws-sdk-go-v2/service/dynamodb",
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"}

// formatted returns code as gofmt writes it, with the imports of the packages that it uses.
func formatted(code string) ([]byte, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", code, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok {
				used[of.Name] = true
			}
		}
		return true
	})
	var standard, others lines
	for _, name := range goPackages {
		switch {
		case !used[path.Base(name)]:
		case strings.Contains(name, "/"):
			others.add("%q", name)
		default:
			standard.add("%q", name)
		}
	}
	at, imports := files.Position(f.Name.End()).Offset, ""
	if standard.Len()+others.Len() > 0 {
		imports = "\n\nimport (\n" + standard.String() + "\n" + others.String() + ")\n"
	}
	return format.Source([]byte(code[:at] + imports + code[at:]))
}

// markup is a block of HTML.
type markup string

// marked returns HTML with arguments in it. It escapes those that are text.
func marked(format string, arguments ...any) markup {
	for i, a := range arguments {
		if text, is := a.(string); is {
			arguments[i] = html.EscapeString(text)
		}
	}
	return markup(fmt.Sprintf(format, arguments...))
}
