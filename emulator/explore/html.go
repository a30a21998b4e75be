package explore

import (
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

// Pages has Run write each failure into a directory as a file of HTML: a diagram of its requests.
// The file needs no other. Without it, the directory is that of PagesEnvironment.
func Pages(dir string) Option { return func(o *options) { o.pages = dir } }

// diagram is what the HTML of a failure shows.
type diagram struct {
	Test, Kind, Text, Replay string
	Workers, Results         []string
	Rows                     []diagramRow
}

type diagramRow struct {
	Number int
	Worker int
	Title  string
	Lines  []string
	Mark   string
}

var diagramPage = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{{.Test}}: {{.Kind}}</title>
<style>
:root{color-scheme:light dark;--line:#8888;--mark:#c22}
body{font:15px/1.4 system-ui,sans-serif;margin:2rem}
pre,code{font-family:ui-monospace,monospace;white-space:pre-wrap}
.table{overflow-x:auto}
table{border-collapse:collapse}
th,td{padding:.2rem 1rem;vertical-align:top;text-align:left;border-left:2px solid var(--line)}
th:first-child,td:first-child{border:0;color:GrayText}
div.step{border:1px solid var(--line);border-left:4px solid var(--line);padding:.2rem .5rem}
div.marked{border-color:var(--mark)}
.mark{color:var(--mark);font-weight:600}
</style>
<h1>{{.Kind}}</h1>
<p>{{.Test}}</p>
<pre>{{.Text}}</pre>
<div class="table"><table>
<thead><tr><th>#</th>{{range .Workers}}<th scope="col">{{.}}</th>{{end}}</tr></thead>
<tbody>{{range $row := .Rows}}<tr><td>{{$row.Number}}</td>{{range $i, $w := $.Workers}}<td>
{{- if eq $i $row.Worker}}<div class="step{{if $row.Mark}} marked{{end}}"><b>{{$row.Title}}</b>
{{range $row.Lines}}<br><code>{{.}}</code>{{end}}
{{if $row.Mark}}<br><span class="mark">{{$row.Mark}}</span>{{end}}</div>{{end}}</td>{{end}}</tr>
{{end}}</tbody>
<tfoot><tr><td></td>{{range .Results}}<td>{{.}}</td>{{end}}</tr></tfoot>
</table></div>
<p>Run it again:</p><pre>{{.Replay}}</pre>
</html>
`))

// HTML returns the failure as a page of HTML that needs no other file: a column for each worker, a
// row for each request.
func (f *Failure) HTML() string {
	d := diagram{Test: f.test, Kind: f.Kind, Text: f.Text, Replay: f.Replay(),
		Workers: f.page.workers, Results: f.page.results}
	for i, r := range f.page.rows {
		d.Rows = append(d.Rows, diagramRow{i + 1, r.worker, r.lines[0], r.lines[1:], r.mark})
	}
	var b strings.Builder
	if err := diagramPage.Execute(&b, d); err != nil {
		panic(err) // a strings.Builder takes everything
	}
	return b.String()
}

// writePages writes the failures into the directory of pages, if there is one.
func (s *search) writePages() error {
	if s.pages == "" {
		return nil
	}
	if err := os.MkdirAll(s.pages, 0o755); err != nil {
		return err
	}
	for i, f := range s.report.Failures {
		name := strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/\:*?"<>|`, r) {
				return '-'
			}
			return r
		}, fmt.Sprintf("%s-%d.html", f.test, i+1))
		f.File = filepath.Join(s.pages, name)
		if err := os.WriteFile(f.File, []byte(f.HTML()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
