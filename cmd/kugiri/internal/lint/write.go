package lint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Formats are the names of the formats of a Report.
var Formats = []string{"text", "json", "sarif"}

// Write writes a report in one of Formats. policyFile is what the file of the policy is called in SARIF, where findings must be in a file.
func (r *Report) Write(out io.Writer, format, policyFile string) error {
	switch format {
	case "text":
		_, err := io.WriteString(out, r.text())
		return err
	case "json":
		return writeJSON(out, r)
	case "sarif":
		return writeJSON(out, r.sarif(policyFile))
	}
	return fmt.Errorf("%.100q is no format: there are %s", format, strings.Join(Formats, ", "))
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (r *Report) text() string {
	var b strings.Builder
	for _, g := range r.Groups {
		fmt.Fprintf(&b, "%s %s: %d in %s%s\n", g.Severity, g.Rule, g.Count, g.Table, g.where())
		if rule, err := policy.RuleByID(g.Rule); err == nil {
			fmt.Fprintf(&b, "  %s (%s)\n", rule.Title, rule.Passage)
		}
		for _, e := range g.Examples {
			fmt.Fprintf(&b, "  - %q: %s\n", cmp.Or(e.Item, e.Key), e.Message)
		}
		if more := g.Count - int64(len(g.Examples)); more > 0 {
			fmt.Fprintf(&b, "  - and %d more\n", more)
		}
		fmt.Fprintf(&b, "  instead, %s\n\n", g.Remedy)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Items)) {
		fmt.Fprintf(&b, "%s: %d items\n", name, r.Items[name])
	}
	fmt.Fprintf(&b, "%d to be refused, %d warnings\n", r.Count(policy.Enforce), r.Count(policy.Warn))
	return b.String()
}

// where says what a group is of, within its table.
func (g *Group) where() string {
	var parts []string
	for _, p := range [...]struct{ what, name string }{{"index", g.Index}, {"entity", g.Entity}, {"tenant", g.Tenant}} {
		if p.name != "" {
			parts = append(parts, p.what+" "+p.name)
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
