package lint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Formats are the names of the formats of a Report.
var Formats = []string{"text", "json", "sarif"}

// Write writes a report in one of Formats. SARIF requires a file for each finding: policyFile is
// its name. The text has only the worst groups unless all is set. JSON and SARIF have all groups.
func (r *Report) Write(out io.Writer, format, policyFile string, all bool) error {
	switch format {
	case "text":
		shown := shownGroups
		if all {
			shown = len(r.Groups)
		}
		_, err := io.WriteString(out, r.text(terminal.StyleOf(out), shown))
		return err
	case "json":
		return writeJSON(out, r)
	case "sarif":
		return writeJSON(out, r.sarif(policyFile))
	}
	return fmt.Errorf("%.100q is not a format: use one of %s", format, strings.Join(Formats, ", "))
}

// shownGroups is how many groups the text has by default.
const shownGroups = 10

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// text returns the report with the given number of groups, and a summary.
func (r *Report) text(style terminal.Style, shown int) string {
	var b strings.Builder
	for _, g := range r.Groups[:min(shown, len(r.Groups))] {
		g.write(&b, style)
	}
	if more := len(r.Groups) - shown; more > 0 {
		fmt.Fprintf(&b, "%d more groups of findings are not shown: --all shows them\n\n", more)
	}
	if len(r.Groups) > 0 {
		b.WriteString(r.summary().Text(style) + "\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Items)) {
		fmt.Fprintf(&b, "%s: %s\n", name, terminal.Count(r.Items[name], "item"))
	}
	fmt.Fprintf(&b, "%d to be refused, %s\n", r.Count(policy.Enforce),
		terminal.Count(r.Count(policy.Warn), "warning"))
	return b.String()
}

// write writes a group with its examples.
func (g *Group) write(b *strings.Builder, style terminal.Style) {
	severity := style.Red(g.Severity)
	if g.Severity == policy.Warn.String() {
		severity = style.Yellow(g.Severity)
	}
	fmt.Fprintf(b, "%s %s: %d in %s%s\n", severity, g.Rule, g.Count, g.Table, g.where())
	if rule, err := policy.RuleByID(g.Rule); err == nil {
		fmt.Fprintf(b, "  %s (%s)\n", rule.Title, rule.Passage)
	}
	for _, e := range g.Examples {
		fmt.Fprintf(b, "  - %s\n", e)
	}
	if more := g.Count - int64(len(g.Examples)); more > 0 {
		fmt.Fprintf(b, "  - and %d more\n", more)
	}
	fmt.Fprintf(b, "  instead, %s\n\n", g.Remedy)
}

// summary counts the findings by severity, rule and table, in descending order.
func (r *Report) summary() *terminal.Table {
	type kind struct{ severity, rule, table string }
	items, tenants := map[kind]int64{}, map[kind]map[string]bool{}
	for _, g := range r.Groups {
		k := kind{g.Severity, g.Rule, g.Table}
		items[k] += g.Count
		if tenants[k] == nil {
			tenants[k] = map[string]bool{}
		}
		if g.Tenant != "" {
			tenants[k][g.Tenant] = true
		}
	}
	kinds := slices.SortedFunc(maps.Keys(items), func(a, b kind) int {
		return cmp.Or(strings.Compare(a.severity, b.severity), cmp.Compare(items[b], items[a]),
			strings.Compare(a.rule, b.rule), strings.Compare(a.table, b.table))
	})
	t := &terminal.Table{Header: []string{"SEVERITY", "RULE", "TABLE", "ITEMS", "TENANTS"}}
	for _, k := range kinds {
		t.Add(k.severity, k.rule, k.table, strconv.FormatInt(items[k], 10),
			strconv.Itoa(len(tenants[k])))
	}
	return t
}

// where describes the index, entity and tenant of a group.
func (g *Group) where() string {
	var parts []string
	for _, p := range [...]struct {
		what, name string
	}{{"index", g.Index}, {"entity", g.Entity}, {"tenant", g.Tenant}} {
		if p.name != "" {
			parts = append(parts, p.what+" "+p.name)
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
