package codelint

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/sarif"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// Write writes a report as text, json or sarif.
func (r *Report) Write(out io.Writer, format string) error {
	switch format {
	case "text":
		_, err := io.WriteString(out, r.text())
		return err
	case "json":
		return cli.WriteIndented(out, r)
	case "sarif":
		return cli.WriteIndented(out, r.sarif())
	}
	return fmt.Errorf("%.100q is not a format: use one of text, json, sarif", format)
}

// text has a line for each finding, as compilers write them, and a summary.
func (r *Report) text() string {
	var b strings.Builder
	for i := range r.Findings {
		fmt.Fprintln(&b, &r.Findings[i])
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	var read []string
	for _, language := range [...]string{"Go", "TypeScript"} {
		if n := r.Files[strings.ToLower(language)]; n > 0 {
			read = append(read, terminal.Count(int64(n), "file")+" of "+language)
		}
	}
	fmt.Fprintf(&b, "%s: %s\n", strings.Join(read, ", "),
		terminal.Count(int64(len(r.Findings)), "finding"))
	return b.String()
}

func (r *Report) sarif() sarif.Log {
	var rules []sarif.Rule
	for _, rule := range Rules {
		rules = append(rules, sarif.Rule{
			ID: rule.ID, Short: sarif.Text(rule.Title),
			Full: sarif.Text(rule.Title + " (" + rule.Passage + ")."),
			Help: sarif.Text("In Go, " + rule.inGo + ". In TypeScript, " +
				rule.inTypeScript + "."),
			Default: sarif.Config{Level: "warning"},
		})
	}
	results := []sarif.Result{}
	for _, f := range r.Findings {
		results = append(results, sarif.Result{
			RuleID: f.Rule, Level: "warning",
			Message:   sarif.Text(f.Code + "; instead, " + f.Remedy),
			RuleIndex: slices.IndexFunc(Rules, func(r *Rule) bool { return r.ID == f.Rule }),
			Locations: []sarif.Location{
				sarif.At(filepath.ToSlash(f.File), f.Line, f.Column)},
			Fingerprints: map[string]string{"kugiri/v1": f.Rule + " " + f.File + " " + f.Code},
		})
	}
	return sarif.Of("kugiri lint --code", rules, results)
}
