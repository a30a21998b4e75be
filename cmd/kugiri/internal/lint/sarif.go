package lint

import (
	"cmp"
	"fmt"
	"net/url"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// The parts of SARIF 2.1.0 (OASIS Standard, 27 March 2020) in use: a run with the rules, and a
// result for each group.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Short   sarifMessage `json:"shortDescription"`
		Full    sarifMessage `json:"fullDescription"`
		Help    sarifMessage `json:"help"`
		Default sarifConfig  `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Occurrences  int64             `json:"occurrenceCount"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   map[string]any    `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name      string `json:"name"`
		Qualified string `json:"fullyQualifiedName"`
		Kind      string `json:"kind"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// levelOf returns the level of a severity.
func levelOf(severity string) string {
	if severity == policy.Enforce.String() {
		return "error"
	}
	return "warning"
}

func (r *Report) sarif(policyFile string) sarifLog {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "kugiri lint"}}, Results: []sarifResult{}}
	index := map[string]int{}
	for i, rule := range policy.Rules() {
		index[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: rule.ID, Short: sarifMessage{rule.Title},
			Full:    sarifMessage{rule.Title + " (" + rule.Passage + ")."},
			Help:    sarifMessage{"Instead, " + rule.Remedy + "."},
			Default: sarifConfig{levelOf(rule.Default.String())},
		})
	}
	for _, g := range r.Groups {
		run.Results = append(run.Results, g.sarif(index[g.Rule], policyFile))
	}
	return sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}
}

// sarif returns the result of a group. Its examples are logical locations in the table. Viewers
// require a file too, which is the policy.
func (g *Group) sarif(index int, policyFile string) sarifResult {
	place := sarifLocation{
		Physical: sarifPhysical{sarifArtifact{(&url.URL{Path: policyFile}).String()},
			sarifRegion{1}},
	}
	for _, e := range g.Examples {
		name, qualified := cmp.Or(e.Item, e.Key), "table "+g.Table
		if name == "" {
			name = g.Table
		} else {
			qualified += ", key " + name
		}
		place.Logical = append(place.Logical, sarifLogical{name, qualified, "object"})
	}
	return sarifResult{
		RuleID: g.Rule, RuleIndex: index, Level: levelOf(g.Severity),
		Message: sarifMessage{
			fmt.Sprintf("%d in %s%s, such as: %s; instead, %s", g.Count, g.Table, g.where(),
				g.Examples[0].Message, g.Remedy),
		},
		Locations:    []sarifLocation{place},
		Occurrences:  g.Count,
		Fingerprints: map[string]string{"kugiri/v1": g.id()},
		Properties: map[string]any{"table": g.Table, "index": g.Index, "entity": g.Entity,
			"tenant": g.Tenant},
	}
}
