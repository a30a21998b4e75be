package search

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
)

// style is the style of a page.
const style = `:root{color-scheme:light dark;--line:#8888;--mark:#c22}
body{font:15px/1.4 system-ui,sans-serif;margin:2rem}
pre,code{font-family:ui-monospace,monospace;white-space:pre-wrap}
.table{overflow-x:auto}
table{border-collapse:collapse}
th,td{padding:.2rem 1rem;vertical-align:top;text-align:left;border-left:2px solid var(--line)}
th:first-child,td:first-child{border:0;color:GrayText}
div.step{border:1px solid var(--line);border-left:4px solid var(--line);padding:.2rem .5rem}
div.marked{border-color:var(--mark)}
.mark{color:var(--mark);font-weight:600}`

// DataID is the id of the element of a page that has the failure's Diagram as JSON, for programs
// that show the page, such as the console.
const DataID = "kugiri-failure"

// HTML returns the failure as a page of HTML that needs no other file: a column for each worker, a
// row for each request, and its Diagram. It does without html/template, which would keep every
// method of every linked type in the program.
func (f *Failure) HTML() string {
	var b htmlWriter
	b.tags("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">" +
		"<meta name=\"viewport\" content=\"width=device-width\">\n")
	b.element("title", f.test+": "+f.Kind)
	b.tags("\n<style>\n" + style + "\n</style>\n")
	b.element("h1", f.Kind)
	b.element("p", f.test)
	b.element("pre", f.Text)
	b.tags("\n<div class=\"table\"><table>\n<thead><tr><th>#</th>")
	for _, w := range f.page.workers {
		b.element("th", w)
	}
	b.tags("</tr></thead>\n<tbody>")
	for i, r := range f.page.rows {
		b.tags(fmt.Sprintf("<tr><td>%d</td>", i+1))
		for w := range f.page.workers {
			b.tags("<td>")
			if w == r.worker {
				b.step(r)
			}
			b.tags("</td>")
		}
		b.tags("</tr>\n")
	}
	b.tags("</tbody>\n<tfoot><tr><td></td>")
	for _, r := range f.page.results {
		b.element("td", r)
	}
	b.tags("</tr></tfoot>\n</table></div>\n<p>Run it again:</p>")
	b.element("pre", f.Replay())
	b.tags("\n<script type=\"application/json\" id=\"" + DataID + "\">" + f.Diagram().json() +
		"</script>\n</html>\n")
	return b.String()
}

// htmlWriter writes HTML. Text is escaped, tags are not.
type htmlWriter struct{ strings.Builder }

func (b *htmlWriter) tags(tags string) { b.WriteString(tags) }

func (b *htmlWriter) element(name, text string) {
	b.tags("<" + name + ">")
	b.WriteString(html.EscapeString(text))
	b.tags("</" + name + ">")
}

// step writes a request: what it is, what it read and changed, and what is remarkable in it.
func (b *htmlWriter) step(r row) {
	class := "step"
	if r.mark != "" {
		class += " marked"
	}
	b.tags("<div class=\"" + class + "\">")
	b.element("b", r.lines[0])
	for _, line := range r.lines[1:] {
		b.tags("<br>")
		b.element("code", line)
	}
	if r.mark != "" {
		b.tags("<br><span class=\"mark\">")
		b.WriteString(html.EscapeString(r.mark))
		b.tags("</span>")
	}
	b.tags("</div>")
}

// WritePages writes the failures into a directory, as files of HTML that need no others.
func (r *Report) WritePages(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i, f := range r.Failures {
		name := strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/\:*?"<>|`, r) {
				return '-'
			}
			return r
		}, fmt.Sprintf("%s-%d.html", f.test, i+1))
		f.File = filepath.Join(dir, name)
		if err := os.WriteFile(f.File, []byte(f.HTML()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
