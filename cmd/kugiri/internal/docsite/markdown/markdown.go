package markdown

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite"
)

// emptyHead is a cell of the head of a table that has no text. It heads nothing.
var emptyHead = regexp.MustCompile(`<th(?: [^>]*)?></th>`)

// newMarkdown returns GitHub's Markdown. The alignment of cells is an attribute: the
// Content-Security-Policy of the pages allows no styles in elements.
func newMarkdown() goldmark.Markdown {
	table := extension.NewTable(
		extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	return goldmark.New(
		goldmark.WithExtensions(extension.Linkify, table, extension.Strikethrough,
			extension.TaskList),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(
			renderer.WithNodeRenderers(util.Prioritized(codeRenderer{}, 1))),
	)
}

// Render renders pages, which may link one another.
func Render(pages []Page) ([]*docsite.Page, error) {
	known := map[string]bool{}
	for _, p := range pages {
		known[p.Path] = true
	}
	list := make([]*docsite.Page, len(pages))
	for i, p := range pages {
		var err error
		if list[i], err = render(p, linker(p.Path, known)); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Path, err)
		}
	}
	return list, nil
}

// render renders a page. target returns the URL of a link's destination.
func render(p Page, target func(destination string) string) (*docsite.Page, error) {
	md, source := newMarkdown(), []byte(p.Text)
	doc := md.Parser().Parse(text.NewReader(source))
	r := &docsite.Page{Path: p.Path, Sections: sectionsOf(doc, source)}
	rewriteLinks(doc, target)
	if p.Path == docsite.ContentsPath || p.Path == docsite.RecipesPath {
		r.Lists = listsOf(doc, source, path.Dir(docsite.FileOf(p.Path)))
	}
	addAnchors(doc)
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, source, doc); err != nil {
		return nil, err
	}
	r.HTML = emptyHead.ReplaceAllString(b.String(), "<td></td>")
	return r, nil
}

// sectionsOf splits a page at its headings.
func sectionsOf(doc ast.Node, source []byte) []docsite.Section {
	var list []docsite.Section
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			title := strings.TrimSpace(plain(h, source))
			list = append(list, docsite.Section{Level: h.Level, ID: idOf(h), Title: title})
		} else if len(list) > 0 {
			list[len(list)-1].Text += plain(n, source)
		}
	}
	return list
}

// listsOf returns the lists of a page in dir: for each the text before it, and the pages that it
// links.
func listsOf(doc ast.Node, source []byte, dir string) []docsite.List {
	var lists []docsite.List
	before := ""
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindList {
			before = strings.TrimSuffix(strings.TrimSpace(plain(n, source)), ":")
			continue
		}
		l := docsite.List{Title: before}
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if link, ok := n.(*ast.Link); ok && entering {
				l.Files = append(l.Files, path.Join(dir, string(link.Destination)))
			}
			return ast.WalkContinue, nil
		})
		lists = append(lists, l)
	}
	return lists
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
