package docsite

import (
	"fmt"
	"html"
	"strings"
)

// Policy is the Content-Security-Policy of all pages: nothing comes from elsewhere.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"

// frame returns the HTML file of a page.
func frame(r *Page, contents []group, version string) []byte {
	file := FileOf(r.Path)
	title := r.Title()
	if file != "index.html" {
		title += " – Kugiri"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="%s">
<title>%s</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="%s">
<script defer src="%s"></script>
</head>
<body data-root="%s">
<header>
<a class="brand" href="%s">Kugiri</a>
<a class="menu" href="#list-of-pages">Pages</a>
<input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off" spellcheck="false">
<ol id="results" aria-label="Results" hidden></ol>
</header>
<div class="columns">
`, html.EscapeString(Policy), html.EscapeString(title), Relative(file, "site.css"),
		Relative(file, "site.js"),
		Relative(file, ""), Relative(file, "index.html"))
	writeContents(&b, r, contents)
	b.WriteString("<main id=\"page\">\n" + r.HTML + "</main>\n")
	writeSections(&b, r)
	fmt.Fprintf(&b, "</div>\n<footer>Kugiri %s</footer>\n</body>\n</html>\n",
		html.EscapeString(version))
	return []byte(b.String())
}

// writeContents writes the list of all pages. Groups of many pages are open only on their pages.
func writeContents(b *strings.Builder, current *Page, contents []group) {
	b.WriteString("<nav class=\"contents\" id=\"list-of-pages\" aria-label=\"Pages\">\n" +
		"<a class=\"menu\" href=\"#page\">Close</a>\n")
	for _, g := range contents {
		open := ""
		if !g.folded || g.has(current) {
			open = " open"
		}
		fmt.Fprintf(b, "<details%s><summary>%s</summary>\n<ul>\n", open, html.EscapeString(g.title))
		for _, r := range g.pages {
			here := ""
			if r == current {
				here = ` aria-current="page"`
			}
			fmt.Fprintf(b, "<li><a href=\"%s\"%s>%s</a></li>\n",
				Relative(FileOf(current.Path), FileOf(r.Path)), here, html.EscapeString(r.Title()))
		}
		b.WriteString("</ul></details>\n")
	}
	b.WriteString("</nav>\n")
}

// writeSections writes the list of a page's sections.
func writeSections(b *strings.Builder, r *Page) {
	b.WriteString("<nav class=\"sections\" aria-label=\"On this page\">\n<ul>\n")
	for _, s := range r.Sections {
		if s.Level == 2 || s.Level == 3 {
			fmt.Fprintf(b, "<li class=\"h%d\"><a href=\"#%s\">%s</a></li>\n", s.Level,
				html.EscapeString(s.ID), html.EscapeString(s.Title))
		}
	}
	b.WriteString("</ul>\n</nav>\n")
}
