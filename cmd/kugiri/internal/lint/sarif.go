package lint

import (
	"cmp"
	"fmt"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/sarif"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// levelOf returns the level of a severity.
func levelOf(severity string) string {
	if severity == policy.Enforce.String() {
		return "error"
	}
	return "warning"
}

func (r *Report) sarif(policyFile string) sarif.Log {
	var rules []sarif.Rule
	index := map[string]int{}
	for i, rule := range policy.Rules() {
		index[rule.ID] = i
		rules = append(rules, sarif.Rule{
			ID: rule.ID, Short: sarif.Text(rule.Title),
			Full:    sarif.Text(rule.Title + " (" + rule.Passage + ")."),
			Help:    sarif.Text("Instead, " + rule.Remedy + "."),
			Default: sarif.Config{Level: levelOf(rule.Default.String())},
		})
	}
	results := []sarif.Result{}
	for _, g := range r.Groups {
		results = append(results, g.sarif(index[g.Rule], policyFile))
	}
	return sarif.Of("kugiri lint", rules, results)
}

// sarif returns the result of a group. Its examples are logical locations in the table. Viewers
// require a file too, which is the policy.
func (g *Group) sarif(index int, policyFile string) sarif.Result {
	place := sarif.At(policyFile, 1, 0)
	for _, e := range g.Examples {
		name, qualified := cmp.Or(e.Item, e.Key), "table "+g.Table
		if name == "" {
			name = g.Table
		} else {
			qualified += ", key " + name
		}
		place.Logical = append(place.Logical,
			sarif.Logical{Name: name, Qualified: qualified, Kind: "object"})
	}
	return sarif.Result{
		RuleID: g.Rule, RuleIndex: index, Level: levelOf(g.Severity),
		Message: sarif.Text(fmt.Sprintf("%d in %s%s, such as: %s; instead, %s", g.Count, g.Table,
			g.where(), g.Examples[0].Message, g.Remedy)),
		Locations:    []sarif.Location{place},
		Occurrences:  g.Count,
		Fingerprints: map[string]string{"kugiri/v1": g.id()},
		Properties: map[string]any{"table": g.Table, "index": g.Index, "entity": g.Entity,
			"tenant": g.Tenant},
	}
}
