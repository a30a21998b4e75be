package markdown

import (
	"go/scanner"
	"go/token"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// codeRenderer renders blocks of code. It marks the keywords, literals and comments of Go.
type codeRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (codeRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, renderCode)
}

func renderCode(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus,
	error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	code := string(n.Lines().Value(source))
	marked := html.EscapeString(code)
	if language := n.(*ast.FencedCodeBlock).Language(source); string(language) == "go" {
		marked = markGo(code)
	}
	_, err := w.WriteString("<pre><code>" + marked + "</code></pre>\n")
	return ast.WalkContinue, err
}

// markGo returns Go source, which need not be complete, as HTML.
func markGo(code string) string {
	var b strings.Builder
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(code))
	s.Init(file, []byte(code), nil, scanner.ScanComments)
	done := 0
	for {
		pos, t, literal := s.Scan()
		class := classOf(t)
		if t == token.EOF {
			break
		}
		if class == "" {
			continue
		}
		at := file.Offset(pos)
		b.WriteString(html.EscapeString(code[done:at]))
		b.WriteString(`<span class="` + class + `">` + html.EscapeString(literal) + `</span>`)
		done = at + len(literal)
	}
	b.WriteString(html.EscapeString(code[done:]))
	return b.String()
}

// classOf returns the class of a token in the style sheet.
func classOf(t token.Token) string {
	switch {
	case t.IsKeyword():
		return "k"
	case t == token.COMMENT:
		return "c"
	case t == token.STRING || t == token.CHAR:
		return "s"
	}
	return ""
}
