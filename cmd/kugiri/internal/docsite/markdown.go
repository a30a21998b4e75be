package docsite

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// rendered is the HTML of a page, with what other pages and the search need to know of it.
type rendered struct {
	page     Page
	title    string
	html     string
	sections []section
	doc      ast.Node
}

// section is a heading with the text until the next heading.
type section struct {
	level int
	id    string
	title string
	text  string
}

// newMarkdown returns GitHub's Markdown. The alignment of cells is an attribute: the
// Content-Security-Policy of the pages allows no styles in elements.
func newMarkdown() goldmark.Markdown {
	table := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	return goldmark.New(
		goldmark.WithExtensions(extension.Linkify, table, extension.Strikethrough, extension.TaskList),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(codeRenderer{}, 1))),
	)
}

// render renders a page. target returns the URL of a link's destination.
func render(p Page, target func(destination string) string) (*rendered, error) {
	md, source := newMarkdown(), []byte(p.Text)
	r := &rendered{page: p, doc: md.Parser().Parse(text.NewReader(source))}
	r.sections = sectionsOf(r.doc, source)
	if len(r.sections) > 0 {
		r.title = r.sections[0].title
	}
	rewriteLinks(r.doc, target)
	addAnchors(r.doc)
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, source, r.doc); err != nil {
		return nil, err
	}
	r.html = b.String()
	return r, nil
}

// sectionsOf splits a page at its headings.
func sectionsOf(doc ast.Node, source []byte) []section {
	var list []section
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			list = append(list, section{level: h.Level, id: idOf(h), title: strings.TrimSpace(plain(h, source))})
		} else if len(list) > 0 {
			list[len(list)-1].text += plain(n, source)
		}
	}
	return list
}

func idOf(h *ast.Heading) string {
	id, _ := h.AttributeString("id")
	text, _ := id.([]byte)
	return string(text)
}

// plain returns the text of a node without its marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	// The function returns no error.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case !entering:
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		case n.Kind() == ast.KindText:
			t := n.(*ast.Text)
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte(' ')
			}
		case n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock:
			b.Write(n.Lines().Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func rewriteLinks(doc ast.Node, target func(string) string) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			l.Destination = []byte(target(string(l.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

// addAnchors adds to each heading a link to itself.
func addAnchors(doc ast.Node) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Level == 1 {
			continue
		}
		l := ast.NewLink()
		l.Destination = []byte("#" + idOf(h))
		l.SetAttributeString("class", []byte("anchor"))
		l.SetAttributeString("aria-label", []byte("Link to this section"))
		l.AppendChild(l, ast.NewString([]byte("#")))
		h.AppendChild(h, l)
	}
}
